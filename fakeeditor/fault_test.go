package fakeeditor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/fakeeditor"
	"godot-mcp/fakeeditor/fault"
	"godot-mcp/server/wire"
)

const proxyAddr = "proxy:9090"

// onBothSides runs a test against the simulated editor's own faults and against
// a proxy in front of an editor without any: the words must mean the same.
func onBothSides(t *testing.T, test func(t *testing.T, b *bed, s *server, faults *fault.Script)) {
	t.Run("own", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			faults := &fault.Script{}
			b := newBed(t, func(c *fakeeditor.Config) { c.Faults = faults })
			s := serve(t, b.net, bridge)
			test(t, b, s, faults)
			b.end(s)
		})
	})
	t.Run("proxy", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBed(t, func(c *fakeeditor.Config) { c.BridgeURL = "ws://" + proxyAddr })
			faults := &fault.Script{OnCrash: b.editor.Crash}
			p := &fault.Proxy{Server: "ws://" + bridge, Script: faults, Dial: b.net.dial}
			ctx, cancel := context.WithCancel(context.Background())
			stopped := make(chan error, 1)
			ln := b.net.listen(proxyAddr)
			go func() { stopped <- p.Serve(ctx, ln) }()
			s := serve(t, b.net, bridge)
			test(t, b, s, faults)
			b.stop()
			<-b.done
			cancel()
			assert.ErrorIs(t, <-stopped, context.Canceled)
			s.close()
		})
	})
}

func (p *peer) write(id, content string) {
	p.command(id, wire.CmdWriteFile, wire.WriteFile{Path: "res://f.txt", Content: content})
}

func content(b *bed) string {
	text, _ := b.editor.DiskRead("f.txt")
	return text
}

// nothing asserts that no message comes for d.
func (p *peer) nothing(d time.Duration) {
	p.t.Helper()
	select {
	case m := <-p.in:
		require.Fail(p.t, "unexpected message", "%s %v", m.text, m.err)
	case <-time.After(d):
	}
}

func TestDelayThenApply(t *testing.T) {
	onBothSides(t, func(t *testing.T, b *bed, s *server, faults *fault.Script) {
		require.NoError(t, faults.AddLine("delay-apply cmd_write_file delay=31s"))
		p := <-s.peers
		p.write("1", "late")
		p.write("2", "later")
		p.nothing(30 * time.Second)
		assert.Empty(t, content(b))
		assert.Equal(t, "queued", p.outcome("1").State)
		assert.Equal(t, "queued", p.outcome("2").State)
		start := time.Now()
		assert.Equal(t, "1", p.reply().ID)
		assert.LessOrEqual(t, time.Since(start), 2*time.Second)
		assert.Equal(t, "2", p.reply().ID)
		assert.Equal(t, "later", content(b))
		assert.Equal(t, "done", p.outcome("1").State)
	})
}

func TestDelayThenDrop(t *testing.T) {
	onBothSides(t, func(t *testing.T, b *bed, s *server, faults *fault.Script) {
		require.NoError(t, faults.AddLine("delay-drop cmd_write_file delay=31s"))
		p := <-s.peers
		p.write("1", "never")
		p.nothing(30 * time.Second)
		assert.Equal(t, "queued", p.outcome("1").State)
		p.nothing(2 * time.Second)
		assert.Equal(t, "unknown", p.outcome("1").State)
		assert.Empty(t, content(b))
		p.write("1", "again")
		assert.True(t, p.reply().OK)
		assert.Equal(t, "again", content(b))
	})
}

func TestDropReplyAndDropCommand(t *testing.T) {
	onBothSides(t, func(t *testing.T, b *bed, s *server, faults *fault.Script) {
		require.NoError(t, faults.AddLine("drop-reply cmd_write_file nth=1"))
		require.NoError(t, faults.AddLine("drop-command cmd_write_file nth=2"))
		p := <-s.peers
		p.write("1", "applied")
		p.nothing(time.Second)
		assert.Equal(t, "applied", content(b))
		assert.Equal(t, "done", p.outcome("1").State)
		p.write("2", "lost")
		p.nothing(time.Second)
		assert.Equal(t, "applied", content(b))
		assert.Equal(t, "unknown", p.outcome("2").State)
		p.write("1", "applied")
		assert.True(t, p.reply().OK, "the second time is answered from memory")
	})
}

func TestDuplicateAndReorder(t *testing.T) {
	onBothSides(t, func(t *testing.T, b *bed, s *server, faults *fault.Script) {
		require.NoError(t, faults.AddLine("duplicate-reply nth=1"))
		require.NoError(t, faults.AddLine("reorder-reply nth=2 for=3s"))
		require.NoError(t, faults.AddLine("reorder-reply nth=4 for=3s"))
		p := <-s.peers
		var got []string
		for i := 1; i <= 4; i++ {
			p.command(strconv.Itoa(i), wire.CmdGetScanState, nil)
		}
		for range 4 {
			got = append(got, p.reply().ID)
		}
		assert.Equal(t, []string{"1", "1", "3", "2"}, got)
		start := time.Now()
		assert.Equal(t, "4", p.reply().ID, "no other reply comes, so it goes by itself")
		assert.InDelta(t, 3*time.Second, time.Since(start), float64(50*time.Millisecond))
	})
}

func TestDisconnect(t *testing.T) {
	onBothSides(t, func(t *testing.T, b *bed, s *server, faults *fault.Script) {
		require.NoError(t, faults.AddLine("disconnect cmd_write_file nth=1 when=before for=2s"))
		require.NoError(t, faults.AddLine("disconnect cmd_write_file nth=2 when=after for=2s"))
		for i, want := range []string{"unknown", "done"} {
			p := <-s.peers
			session := p.hello.Session
			p.write(fmt.Sprint(i), fmt.Sprint("text", i))
			require.Error(t, (<-p.in).err)
			down := time.Now()
			p = <-s.peers
			assert.GreaterOrEqual(t, time.Since(down), 2*time.Second)
			assert.Equal(t, session, p.hello.Session)
			assert.Equal(t, want, p.outcome(fmt.Sprint(i)).State)
			s.peers <- p
		}
		assert.Equal(t, "text1", content(b))
		p := <-s.peers
		require.NoError(t, faults.AddLine("disconnect for=1s"))
		require.Error(t, (<-p.in).err)
		<-s.peers
	})
}

func TestCrash(t *testing.T) {
	onBothSides(t, func(t *testing.T, b *bed, s *server, faults *fault.Script) {
		require.NoError(t, faults.AddLine("crash cmd_write_file for=4s when=after"))
		p := <-s.peers
		session := p.hello.Session
		p.write("1", "saved")
		require.Error(t, (<-p.in).err)
		down := time.Now()
		p = <-s.peers
		assert.GreaterOrEqual(t, time.Since(down), 4*time.Second)
		assert.NotEqual(t, session, p.hello.Session)
		assert.Equal(t, "unknown", p.outcome("1").State, "a new process remembers nothing")
		assert.Equal(t, "saved", content(b), "the disk stays")
		assert.Zero(t, b.editor.State().Global.Depth())
	})
}

// A hung main thread answers nothing, not even a ping.
func TestHang(t *testing.T) {
	onBothSides(t, func(t *testing.T, b *bed, s *server, faults *fault.Script) {
		p := <-s.peers
		p.command("0", wire.CmdGetScanState, nil)
		p.reply()
		require.NoError(t, faults.AddLine("hang cmd_write_file for=20s"))
		start := time.Now()
		p.write("1", "x")
		ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
		err := p.ws.Ping(ctx)
		cancel()
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, "1", p.reply().ID)
		assert.InDelta(t, 20*time.Second, time.Since(start), float64(100*time.Millisecond))

		require.NoError(t, faults.AddLine("hang for=5s"))
		start = time.Now()
		p.command("2", wire.CmdGetScanState, nil)
		assert.Equal(t, "2", p.reply().ID)
		assert.GreaterOrEqual(t, time.Since(start), 5*time.Second)

		// Another link does not get past it either.
		require.NoError(t, faults.AddLine("hang for=7s"))
		start = time.Now()
		require.NoError(t, p.ws.CloseNow())
		<-s.peers
		assert.GreaterOrEqual(t, time.Since(start), 7*time.Second)
	})
}

func TestSlowFrames(t *testing.T) {
	onBothSides(t, func(t *testing.T, b *bed, s *server, faults *fault.Script) {
		p := <-s.peers
		p.command("0", wire.CmdGetScanState, nil)
		p.reply()
		require.NoError(t, faults.AddLine("slow frame=500ms for=3s"))
		start := time.Now()
		for i := range 4 {
			p.command(fmt.Sprint("s", i), wire.CmdGetScanState, nil)
			p.reply()
		}
		assert.InDelta(t, 2*time.Second, time.Since(start), float64(100*time.Millisecond))
		time.Sleep(2 * time.Second)
		start = time.Now()
		p.command("9", wire.CmdGetScanState, nil)
		p.reply()
		assert.Less(t, time.Since(start), 50*time.Millisecond)
	})
}

func TestOversizedReply(t *testing.T) {
	onBothSides(t, func(t *testing.T, b *bed, s *server, faults *fault.Script) {
		require.NoError(t, faults.AddLine("oversized-reply bytes=100000 nth=1"))
		p := <-s.peers
		p.command("1", wire.CmdGetScanState, nil)
		m := <-p.in
		assert.Len(t, m.text, 100000)
		assert.True(t, json.Valid(m.text))
	})
}

func TestMalformedReplies(t *testing.T) {
	onBothSides(t, func(t *testing.T, b *bed, s *server, faults *fault.Script) {
		p := <-s.peers
		for i, as := range fault.Malformations() {
			require.NoError(t, faults.AddLine("malformed-reply as="+as))
			p.command(strconv.Itoa(i), wire.CmdGetScanState, nil)
			m := <-p.in
			require.NoError(t, m.err, as)
			if as == "binary" {
				assert.Equal(t, websocket.MessageBinary, m.typ)
			}
		}
		p.command("fine", wire.CmdGetScanState, nil)
		assert.Equal(t, "fine", p.reply().ID)
	})
}

func TestWrongVersion(t *testing.T) {
	onBothSides(t, func(t *testing.T, b *bed, s *server, faults *fault.Script) {
		p := <-s.peers
		assert.NotEqual(t, "4.3.stable", p.hello.GodotVersion)
		require.NoError(t, faults.AddLine("wrong-version godot=4.3.stable addon=9.9.9 vocabulary=beef"))
		require.NoError(t, faults.AddLine("disconnect for=1s"))
		p = <-s.peers
		assert.Equal(t, "4.3.stable", p.hello.GodotVersion)
		assert.Equal(t, "9.9.9", p.hello.AddonVersion)
		assert.Equal(t, "beef", p.hello.VocabularyHash)
	})
}

func TestSecondEditor(t *testing.T) {
	onBothSides(t, func(t *testing.T, b *bed, s *server, faults *fault.Script) {
		first := <-s.peers
		require.NoError(t, faults.AddLine("second-editor for=3s"))
		second := <-s.peers
		assert.NotEqual(t, first.hello.Session, second.hello.Session)
		assert.NotEqual(t, first.hello.ProjectPath, second.hello.ProjectPath)
		second.command("1", wire.CmdPing, nil)
		assert.True(t, second.reply().OK)
		second.command("2", wire.CmdGetScanState, nil)
		assert.False(t, second.reply().OK)
		start := time.Now()
		require.Error(t, (<-second.in).err)
		assert.LessOrEqual(t, time.Since(start), 3*time.Second)
		first.command("3", wire.CmdGetScanState, nil)
		assert.True(t, first.reply().OK)
	})
}

// A delayed command runs although its link broke meanwhile.
func TestDelayOutlivesTheLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		faults := &fault.Script{}
		b := newBed(t, func(c *fakeeditor.Config) { c.Faults = faults })
		s := serve(t, b.net, bridge)
		require.NoError(t, faults.AddLine("delay-apply cmd_write_file delay=10s"))
		p := <-s.peers
		p.write("1", "late")
		p.nothing(time.Second)
		_ = p.ws.CloseNow()
		p = <-s.peers
		time.Sleep(10 * time.Second)
		assert.Equal(t, "late", content(b))
		assert.Equal(t, "done", p.outcome("1").State)
		b.end(s)
	})
}
