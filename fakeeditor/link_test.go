package fakeeditor_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/fakeeditor"
	"godot-mcp/server/wire"
)

const bridge = "bridge:9080"

var sample = map[string]string{
	"project.godot": "config_version=5\n\n[application]\n\nconfig/name=\"Sample\"\n",
	"a.gd":          "class_name Alpha extends Node\n",
	"notes.txt":     "hello\n",
}

// bed is an editor on the timer clock with a server in the same bubble.
type bed struct {
	net    *network
	editor *fakeeditor.Editor
	done   chan error
	stop   context.CancelFunc
}

func newBed(t *testing.T, change func(*fakeeditor.Config)) *bed {
	b := &bed{net: &network{}, done: make(chan error, 1)}
	cfg := fakeeditor.Config{
		Project: sample, BridgeURL: "ws://" + bridge, Dial: b.net.dial, Seed: 1, Clock: fakeeditor.NewTimerClock(),
	}
	if change != nil {
		change(&cfg)
	}
	var err error
	b.editor, err = fakeeditor.New(cfg)
	require.NoError(t, err)
	b.run()
	return b
}

func (b *bed) run() {
	ctx, cancel := context.WithCancel(context.Background())
	b.stop = cancel
	go func() { b.done <- b.editor.Run(ctx) }()
}

// end stops the editor; a synctest bubble must not leave goroutines.
func (b *bed) end(servers ...*server) {
	b.stop()
	<-b.done
	for _, s := range servers {
		s.close()
	}
}

func TestHello(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, func(c *fakeeditor.Config) { c.Token = "secret" })
		s := serve(t, b.net, bridge)
		p := <-s.peers
		require.NotNil(t, p.auth)
		assert.Equal(t, "secret", p.auth.Token)
		assert.Equal(t, "simulator", p.hello.Backend)
		assert.Equal(t, "Sample", p.hello.ProjectName)
		assert.Equal(t, wire.VocabularyHash, p.hello.VocabularyHash)
		assert.Len(t, p.hello.Commands, len(wire.Commands))
		assert.GreaterOrEqual(t, len(p.hello.Session), 8)
		p.command("1", wire.CmdReadFile, wire.ReadFile{Path: "res://notes.txt"})
		r := p.reply()
		assert.True(t, r.OK)
		assert.Contains(t, string(r.Result), `"content":"hello\n"`)
		b.end(s)
	})
}

// The addon dials after 0.5 s, 1 s, 2 s, 4 s, then every 5 s; a connection that
// worked starts it anew.
func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, nil)
		at := []time.Duration{0, 500, 1500, 3500, 7500, 12500, 17500}
		for i, ms := range at {
			want := ms * time.Millisecond
			time.Sleep(want + time.Millisecond - since(b))
			synctest.Wait()
			b.net.mu.Lock()
			assert.Equal(t, i+1, b.net.dials, "after %v", want)
			b.net.mu.Unlock()
		}
		s := serve(t, b.net, bridge)
		p := <-s.peers
		p.send(wire.Notice{Command: wire.NoticeServerHello})
		synctest.Wait()
		assert.True(t, b.editor.Link().Connected)
		lost := time.Now()
		_ = p.ws.CloseNow()
		<-s.peers
		assert.Equal(t, 500*time.Millisecond, time.Since(lost))
		b.end(s)
	})
}

// since is the time the bubble has run.
func since(*bed) time.Duration {
	return time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
}

func TestPeerReplacedStopsDialing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, nil)
		s := serve(t, b.net, bridge)
		p := <-s.peers
		no := false
		p.send(wire.Notice{OK: &no, Error: wire.Fail(wire.ReasonReplaced, "project_path", "/other")})
		require.ErrorIs(t, <-b.done, fakeeditor.ErrReplaced)
		dials := b.net.dials
		time.Sleep(time.Minute)
		assert.Equal(t, dials, b.net.dials)
		b.run() // the plugin is reloaded
		<-s.peers
		b.end(s)
	})
}

// A refusal that is not a replacement is retried.
func TestRefusalIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, nil)
		s := serve(t, b.net, bridge)
		no := false
		for range 3 {
			p := <-s.peers
			p.send(wire.Notice{OK: &no, Error: wire.Fail(wire.ReasonAuth)})
			_ = p.ws.Close(websocket.StatusPolicyViolation, "bad token")
		}
		assert.False(t, b.editor.Link().Connected)
		assert.Contains(t, b.editor.Link().Notices, string(wire.PermissionDenied))
		b.end(s)
	})
}

// All that waits is run in order in one frame of 6.94 ms.
func TestQueueIsDrainedOncePerFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, nil)
		s := serve(t, b.net, bridge)
		p := <-s.peers
		start := time.Now()
		for i := range 5 {
			p.command(strconv.Itoa(i), wire.CmdWriteFile, wire.WriteFile{Path: "res://x.txt", Content: fmt.Sprint(i)})
		}
		for i := range 5 {
			r := p.reply()
			assert.Equal(t, strconv.Itoa(i), r.ID)
			assert.True(t, r.OK)
		}
		assert.LessOrEqual(t, time.Since(start), fakeeditor.Frame)
		text, _ := b.editor.DiskRead("x.txt")
		assert.Equal(t, "4", text)
		b.end(s)
	})
}

func TestNoticesAreNotAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, nil)
		s := serve(t, b.net, bridge)
		p := <-s.peers
		p.send(wire.Notice{Command: wire.NoticeServerHello})
		p.send(wire.Notice{Command: wire.NoticeToolsets})
		p.command("1", wire.CmdGetScanState, nil)
		assert.Equal(t, "1", p.reply().ID)
		assert.Equal(t, []string{wire.NoticeServerHello, wire.NoticeToolsets}, b.editor.Link().Notices)
		assert.Equal(t, 1, b.editor.Received())
		b.end(s)
	})
}

func TestBadMessagesAreAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, nil)
		s := serve(t, b.net, bridge)
		p := <-s.peers
		for _, text := range []string{`nonsense`, `[1]`, `{"id":"1"}`, `{"id":"2","command":"cmd_nothing"}`, `{"id":"3","command":"cmd_read_file","params":[]}`, `{"id":"4","command":"cmd_read_file","params":{"path":"res://a","x":1}}`} {
			require.NoError(t, p.ws.Write(context.Background(), websocket.MessageText, []byte(text)))
			r := p.reply()
			assert.False(t, r.OK, text)
			require.NotNil(t, r.Error, text)
			assert.Equal(t, wire.ValidationError, r.Code, text)
		}
		b.end(s)
	})
}

// The same id twice runs once; the answer comes from memory.
func TestOutcomeMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, nil)
		s := serve(t, b.net, bridge)
		p := <-s.peers
		write := wire.WriteFile{Path: "res://new.txt", Content: "x", MustBeNew: true}
		p.command("w", wire.CmdWriteFile, write)
		first := p.reply()
		require.True(t, first.OK)
		p.command("w", wire.CmdWriteFile, write)
		assert.Equal(t, first, p.reply())
		o := p.outcome("w")
		assert.Equal(t, "done", o.State)
		assert.Equal(t, &first, o.Answer)
		assert.Equal(t, "unknown", p.outcome("never").State)

		// It outlives the connection, and forgets the oldest of 1,000.
		_ = p.ws.CloseNow()
		p = <-s.peers
		for i := range wire.OutcomeMemory - 1 {
			p.command("n"+strconv.Itoa(i), wire.CmdGetScanState, nil)
			p.reply()
		}
		assert.Equal(t, "done", p.outcome("w").State)
		p.command("last", wire.CmdGetScanState, nil)
		p.reply()
		assert.Equal(t, "unknown", p.outcome("w").State)
		assert.Equal(t, "done", p.outcome("n0").State)
		b.end(s)
	})
}

// While a command waits for its frame, the question for its outcome is answered.
func TestOutcomeWhileQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, nil)
		s := serve(t, b.net, bridge)
		p := <-s.peers
		p.command("1", wire.CmdGetScanState, nil)
		assert.Equal(t, "queued", p.outcome("1").State)
		assert.Equal(t, "1", p.reply().ID)
		assert.Equal(t, "done", p.outcome("1").State)
		b.end(s)
	})
}

func TestBigMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, nil)
		s := serve(t, b.net, bridge)
		p := <-s.peers
		for _, size := range []int{8191, 8192, 8193, 65535, 65536, 1 << 20, 4<<20 - 1} {
			text := make([]byte, size)
			for i := range text {
				text[i] = 'a' + byte(i%26)
			}
			p.command(strconv.Itoa(size), wire.CmdWriteFile, wire.WriteFile{Path: "res://big.txt", Content: string(text)})
			require.True(t, p.reply().OK)
			got, _ := b.editor.DiskRead("big.txt")
			require.Equal(t, len(text), len(got))
		}
		b.end(s)
	})
}

// A scan that was started without the link goes on by itself while the editor runs.
func TestScanGoesOnByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, nil)
		s := serve(t, b.net, bridge)
		<-s.peers
		synctest.Wait()
		require.NoError(t, b.editor.DiskWrite("p.svg", square("")))
		_, err := b.editor.Do(wire.CmdRescanFilesystem, nil)
		require.NoError(t, err)
		time.Sleep(time.Second)
		assert.Equal(t, 1, b.editor.State().Files.Generation())
		assert.Equal(t, "CompressedTexture2D", b.editor.State().Files.ImportedType("res://p.svg"))
		b.end(s)
	})
}
