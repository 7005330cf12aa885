package bridge_test

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/bridge"
	"godot-mcp/server/bridge/bridgetest"
	"godot-mcp/server/wire"
)

// session runs a test in a bubble with a bridge and a connected editor that
// counts the files it writes.
func session(t *testing.T, cfg bridge.Config, test func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b, n := bridgetest.Start(t, cfg)
		e := bridgetest.NewEditor(n)
		bridgetest.On(e, wire.CmdWriteFile, func(p wire.WriteFile) (wire.WriteFileResult, error) {
			return wire.WriteFileResult{Path: p.Path, Changed: true}, nil
		})
		require.NoError(t, e.Connect(t.Context()))
		defer e.Drop()
		test(t, b, e)
	})
}

func write(path string) wire.WriteFile { return wire.WriteFile{Path: path} }

func TestACallIsAnswered(t *testing.T) {
	session(t, bridge.Config{Version: "1.2.3", FirstID: 7}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		r, out := bridge.Call[wire.PingResult](t.Context(), b, wire.CmdPing, wire.Ping{})
		require.Nil(t, out.Err)
		assert.True(t, r.Pong)
		assert.Equal(t, "7", out.ID)
		assert.Equal(t, "session-1", out.Session)
		assert.False(t, out.Mutating)

		out = b.Do(t.Context(), "cmd_of_a_newer_server", nil)
		require.NotNil(t, out.Err)
		assert.Equal(t, wire.ReasonUnknownCommand, out.Err.Reason)
		assert.Equal(t, "8", out.ID)
		assert.True(t, out.Mutating, "what is not known may change something")

		s := b.Status()
		assert.True(t, s.Listening)
		assert.Equal(t, "/project", s.Peer.ProjectPath)
		assert.Empty(t, s.Peer.Missing())
		assert.True(t, s.Peer.SameVocabulary())
		assert.Equal(t, bridge.Counters{Connects: 1, Sent: 2, Replies: 2}, s.Counters)
	})
}

func TestIDsOfALaterRunAreNew(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, _ *bridgetest.Editor) {
		out := b.Do(t.Context(), wire.CmdPing, nil)
		id, err := strconv.ParseInt(out.ID, 10, 64)
		require.NoError(t, err)
		assert.Equal(t, time.Now().UnixMicro(), id)
	})
}

func TestToolsetsArePushed(t *testing.T) {
	session(t, bridge.Config{Version: "1"}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		synctest.Wait()
		require.Len(t, e.Notices(), 1, "unknown before the first call, which is not none")
		assert.JSONEq(t, `{"version":"1"}`, string(e.Notices()[0].Params))
		b.SetToolsets(nil)
		b.SetToolsets([]string{"core", "scripts"})
		synctest.Wait()
		require.Len(t, e.Notices(), 3)
		assert.JSONEq(t, `{"enabled":[]}`, string(e.Notices()[1].Params))
		e.Drop()
		require.NoError(t, e.Connect(t.Context()))
		synctest.Wait()
		require.Len(t, e.Notices(), 5)
		assert.Equal(t, wire.NoticeToolsets, e.Notices()[4].Command)
		assert.JSONEq(t, `{"enabled":["core","scripts"]}`, string(e.Notices()[4].Params))
	})
}

func TestNoEditorIsSaidAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := bridgetest.Start(t, bridge.Config{})
		begin := time.Now()
		out := b.Do(t.Context(), wire.CmdSaveScene, wire.SaveScene{})
		require.NotNil(t, out.Err)
		assert.Equal(t, wire.ReasonNoEditor, out.Err.Reason)
		assert.Equal(t, bridge.DefaultURL, out.Err.Details["url"])
		assert.False(t, out.Sent)
		assert.Zero(t, time.Since(begin))
	})
}

func TestParamsMustBeAnObject(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		for _, params := range []any{[]int{1}, "text", 3, json.RawMessage(`{`), make(chan int)} {
			out := b.Do(t.Context(), wire.CmdPing, params)
			require.NotNil(t, out.Err, "%v", params)
			assert.Equal(t, wire.ReasonBadParams, out.Err.Reason)
		}
		require.True(t, b.Do(t.Context(), wire.CmdPing, json.RawMessage("null")).OK())
		assert.Len(t, e.Commands(), 1)
	})
}

// Fifty calls of one goroutine each reach the editor in the order of their ids,
// and each caller gets its own answer, although the replies are reversed.
func TestManyInFlight(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		const calls = 50
		var held []wire.Command
		e.Intercept(func(c *bridgetest.Conn, cmd wire.Command) bool {
			if held = append(held, cmd); len(held) == calls {
				for i := len(held) - 1; i >= 0; i-- {
					c.SendJSON(e.Run(held[i]))
				}
			}
			return true
		})
		var wg sync.WaitGroup
		for i := range calls {
			wg.Go(func() {
				path := "res://" + strconv.Itoa(i)
				r, out := bridge.Call[wire.WriteFileResult](t.Context(), b, wire.CmdWriteFile, write(path))
				assert.Nil(t, out.Err)
				assert.Equal(t, path, r.Path)
			})
		}
		wg.Wait()
		for i := 1; i < calls; i++ {
			assert.Less(t, held[i-1].ID, held[i].ID)
		}
	})
}

func TestResultOfAnotherShapeIsABadReply(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		e.Handle(wire.CmdPing, func(json.RawMessage) (any, error) { return map[string]int{"pong": 1}, nil })
		_, out := bridge.Call[wire.PingResult](t.Context(), b, wire.CmdPing, nil)
		require.NotNil(t, out.Err)
		assert.Equal(t, wire.ReasonBadReply, out.Err.Reason)
		assert.Equal(t, wire.CmdPing, out.Err.Details["command"])
	})
}

func TestEditorErrorsPassUnchanged(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		want := wire.Fail(wire.ReasonNodeNotFound, "path", "A/B")
		want.Step, want.Log = new(3), []string{"ERROR: x"}
		e.Handle(wire.CmdTransaction, func(json.RawMessage) (any, error) { return nil, want })
		out := b.Do(t.Context(), wire.CmdTransaction, wire.Transaction{})
		assert.Equal(t, want, out.Err)
		assert.False(t, out.MayHaveApplied())
		e.Handle(wire.CmdTransaction, func(json.RawMessage) (any, error) { return nil, errors.New("boom") })
		out = b.Do(t.Context(), wire.CmdTransaction, wire.Transaction{})
		assert.Equal(t, wire.ReasonHandlerFailed, out.Err.Reason)
	})
}

// A command over the peer's buffer is refused with the limit; every size up to
// it arrives.
func TestSizes(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		e.Drop()
		e.Hello.MaxBytes = 4 << 20
		require.NoError(t, e.Connect(t.Context()))
		overhead := len(frame(t, b, ""))
		for _, size := range []int{8191, 8192, 8193, 65535, 65536, 1 << 20, 4<<20 - 1, 4 << 20} {
			out := b.Do(t.Context(), wire.CmdWriteFile, write(strings.Repeat("x", size-overhead)))
			require.Nil(t, out.Err, size)
			assert.Len(t, out.Result, len(`{"path":"","created":false,"changed":true,"sha256":"","undoable":false,"rescan_pending":false}`)+size-overhead)
		}
		out := b.Do(t.Context(), wire.CmdWriteFile, write(strings.Repeat("x", 4<<20+1-overhead)))
		require.NotNil(t, out.Err)
		assert.Equal(t, wire.ReasonTooBig, out.Err.Reason)
		assert.Equal(t, 4<<20, out.Err.Details["limit"])
		assert.Equal(t, 4<<20+1, out.Err.Details["size"])
		assert.False(t, out.Sent)
		assert.True(t, b.Do(t.Context(), wire.CmdPing, nil).OK(), "the link has not suffered")
	})
}

func frame(t *testing.T, b *bridge.Bridge, path string) []byte {
	t.Helper()
	out := b.Do(t.Context(), wire.CmdPing, nil)
	params, err := json.Marshal(write(path))
	require.NoError(t, err)
	f, err := json.Marshal(wire.Command{ID: out.ID, Command: wire.CmdWriteFile, Params: params})
	require.NoError(t, err)
	return f
}

// A peer with small buffers that reads rarely is never sent more than fits.
func TestSmallBuffersAreRespected(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		e.Drop()
		e.Hello.MaxBytes = 65535
		var mu sync.Mutex
		var buffered, most int
		e.Intercept(func(c *bridgetest.Conn, cmd wire.Command) bool {
			mu.Lock()
			defer mu.Unlock()
			buffered += len(cmd.Params)
			most = max(most, buffered)
			time.AfterFunc(200*time.Millisecond, func() {
				mu.Lock()
				buffered -= len(cmd.Params)
				mu.Unlock()
				c.SendJSON(e.Run(cmd))
			})
			return true
		})
		require.NoError(t, e.Connect(t.Context()))
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				out := b.Do(t.Context(), wire.CmdWriteFile, write(strings.Repeat("x", 20<<10)), bridge.Timeout(time.Minute))
				assert.Nil(t, out.Err)
			})
		}
		wg.Wait()
		assert.LessOrEqual(t, most, 65535)
		assert.Greater(t, most, 40<<10, "pipelined as far as the buffer allows")
	})
}

func TestQueueIsBounded(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		e.Intercept(func(*bridgetest.Conn, wire.Command) bool { return true })
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for range 1024 {
			wg.Go(func() { b.Do(ctx, wire.CmdPing, nil) })
		}
		synctest.Wait()
		out := b.Do(ctx, wire.CmdPing, nil)
		require.NotNil(t, out.Err)
		assert.Equal(t, wire.ReasonEditorBusy, out.Err.Reason)
		cancel()
		wg.Wait()
		e.Intercept(nil)
		assert.True(t, b.Do(t.Context(), wire.CmdPing, nil).OK())
	})
}
