package bridge_test

import (
	"context"
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

// silent makes the editor ignore everything but the named commands.
func silent(e *bridgetest.Editor, but ...string) {
	e.Intercept(func(_ *bridgetest.Conn, cmd wire.Command) bool {
		for _, name := range but {
			if cmd.Command == name {
				return false
			}
		}
		return true
	})
}

func TestDeadlineOfARead(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		silent(e)
		for _, opts := range [][]bridge.Option{nil, {bridge.Timeout(3 * time.Second)}} {
			begin := time.Now()
			out := b.Do(t.Context(), wire.CmdPing, nil, opts...)
			require.NotNil(t, out.Err)
			assert.Equal(t, wire.Timeout, out.Err.Code)
			assert.Equal(t, time.Since(begin).Seconds(), out.Err.Details["seconds"])
			assert.True(t, out.Sent)
			assert.False(t, out.MayHaveApplied())
		}
		assert.Equal(t, 2, b.Status().Counters.Timeouts)
	})
}

// What an edit that ran out of time says depends on what the editor still tells.
func TestDeadlineOfAnEdit(t *testing.T) {
	for _, c := range []struct {
		name    string
		outcome string // reply to cmd_get_outcome; empty: none
		ok      bool
		state   any
	}{
		{"no answer at all", ``, false, "sent"},
		{"running", `{"state":"running"}`, false, "running"},
		{"queued", `{"state":"queued"}`, false, "queued"},
		{"unknown may still be on its way", `{"state":"unknown"}`, false, "unknown"},
		{"nonsense", `{"state":5}`, false, "sent"},
		{"new state", `{"state":"x"}`, false, "sent"},
		{"done", `{"state":"done","answer":{"id":"1","ok":true,"result":{"path":"res://a"}}}`, true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			session(t, bridge.Config{FirstID: 1}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
				e.Intercept(func(conn *bridgetest.Conn, cmd wire.Command) bool {
					if cmd.Command == wire.CmdGetOutcome && c.outcome != "" {
						conn.SendJSON(wire.Reply{ID: cmd.ID, OK: true, Result: []byte(c.outcome)})
					}
					return true
				})
				begin := time.Now()
				out := b.Do(t.Context(), wire.CmdWriteFile, write("res://a"))
				assert.LessOrEqual(t, time.Since(begin), 11*time.Second)
				assert.True(t, out.Sent)
				if c.ok {
					require.Nil(t, out.Err)
					assert.JSONEq(t, `{"path":"res://a"}`, string(out.Result))
					return
				}
				require.NotNil(t, out.Err)
				assert.Equal(t, wire.ReasonDeadline, out.Err.Reason)
				assert.Equal(t, c.state, out.Err.Details["state"])
				assert.True(t, out.MayHaveApplied())
			})
		})
	}
}

// The reply that comes during the last question is the answer.
func TestTheReplyWinsOverTheLastQuestion(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		e.Intercept(func(c *bridgetest.Conn, cmd wire.Command) bool {
			if cmd.Command == wire.CmdWriteFile {
				time.AfterFunc(10*time.Second+300*time.Millisecond, func() { c.SendJSON(e.Run(cmd)) })
			}
			return true
		})
		begin := time.Now()
		out := b.Do(t.Context(), wire.CmdWriteFile, write("res://a"))
		require.Nil(t, out.Err)
		assert.Equal(t, 10*time.Second+300*time.Millisecond, time.Since(begin))
	})
}

// A reply after the deadline settles the call through the hook, once.
func TestLateRepliesSettle(t *testing.T) {
	var late []bridge.Late
	session(t, bridge.Config{OnLate: func(l bridge.Late) { late = append(late, l) }}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		var held wire.Command
		e.Intercept(func(_ *bridgetest.Conn, cmd wire.Command) bool {
			if cmd.Command == wire.CmdWriteFile {
				held = cmd
			}
			return true
		})
		out := b.Do(t.Context(), wire.CmdWriteFile, write("res://a"))
		require.True(t, out.MayHaveApplied())
		e.Conn().SendJSON(e.Run(held))
		e.Conn().SendJSON(e.Run(held))
		synctest.Wait()
		require.Len(t, late, 1)
		assert.Equal(t, wire.CmdWriteFile, late[0].Command)
		assert.Equal(t, out.ID, late[0].ID)
		assert.True(t, late[0].OK())
		assert.Equal(t, 1, b.Status().Counters.Late)

		e.Intercept(nil)
		state, answer, err := b.AskOutcome(t.Context(), out.ID, out.Session)
		require.Nil(t, err)
		assert.Equal(t, "done", state)
		assert.True(t, answer.OK())
		_, _, err = b.AskOutcome(t.Context(), out.ID, "another session")
		assert.Equal(t, wire.ReasonNoEditor, err.Reason)
		state, _, err = b.AskOutcome(t.Context(), "999", out.Session)
		require.Nil(t, err)
		assert.Equal(t, "unknown", state)
	})
}

// A caller that goes away takes its unsent call out of the queue, gives up a
// read, and waits for the provable end of an edit. The link lives on.
func TestCancellation(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		out := b.Do(ctx, wire.CmdWriteFile, write("res://never"))
		assert.Equal(t, wire.ReasonCancelled, out.Err.Reason)
		assert.False(t, out.Sent)

		e.Intercept(func(c *bridgetest.Conn, cmd wire.Command) bool {
			if cmd.Command == wire.CmdWriteFile {
				time.AfterFunc(5*time.Second, func() { c.SendJSON(e.Run(cmd)) })
			}
			return true
		})
		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		var wg sync.WaitGroup
		begin := time.Now()
		wg.Go(func() {
			out := b.Do(ctx, wire.CmdPing, nil)
			assert.Equal(t, wire.ReasonCancelled, out.Err.Reason)
			assert.True(t, out.Sent)
			assert.Equal(t, time.Second, time.Since(begin))
		})
		wg.Go(func() {
			out := b.Do(ctx, wire.CmdWriteFile, write("res://a"))
			assert.Nil(t, out.Err)
			assert.Equal(t, 5*time.Second, time.Since(begin))
		})
		wg.Wait()
		e.Intercept(nil)
		assert.True(t, b.Do(t.Context(), wire.CmdPing, nil).OK())
	})
}

func TestTheCallersDeadlineWinsWhenEarlier(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		silent(e)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		begin := time.Now()
		out := b.Do(ctx, wire.CmdPing, nil)
		assert.Equal(t, wire.ReasonDeadline, out.Err.Reason)
		assert.Equal(t, 2*time.Second, time.Since(begin))
	})
}

// Calls that wait behind a full buffer and were never sent say so, and are
// never sent later.
func TestUnsentCallsLeaveTheQueue(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		e.Drop()
		e.Hello.MaxBytes = 200
		silent(e)
		require.NoError(t, e.Connect(t.Context()))
		var wg sync.WaitGroup
		wg.Go(func() { b.Do(t.Context(), wire.CmdPing, write("res://"+string(make([]byte, 10)))) })
		synctest.Wait()
		wg.Go(func() {
			out := b.Do(t.Context(), wire.CmdWriteFile, write("res://queued"), bridge.Timeout(time.Second))
			assert.Equal(t, wire.ReasonDeadline, out.Err.Reason)
			assert.Equal(t, "not_sent", out.Err.Details["state"])
			assert.False(t, out.Sent)
			assert.False(t, out.MayHaveApplied())
		})
		ctx, cancel := context.WithCancel(t.Context())
		wg.Go(func() {
			out := b.Do(ctx, wire.CmdWriteFile, write("res://cancelled"))
			assert.Equal(t, wire.ReasonCancelled, out.Err.Reason)
			assert.False(t, out.Sent)
		})
		synctest.Wait()
		assert.Equal(t, 2, b.Status().Waiting)
		assert.Equal(t, 1, b.Status().InFlight)
		cancel()
		wg.Wait()
		assert.Len(t, e.Commands(), 1)
	})
}

// The id is known to a journal before the command can reach the editor.
func TestAcceptedComesBeforeSending(t *testing.T) {
	session(t, bridge.Config{FirstID: 41}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		var id, name string
		e.Intercept(func(*bridgetest.Conn, wire.Command) bool {
			assert.Equal(t, "41", id)
			return false
		})
		out := b.Do(t.Context(), wire.CmdWriteFile, write("res://a"), bridge.Accepted(func(i, s string) { id, name = i, s }))
		require.Nil(t, out.Err)
		assert.Equal(t, "session-1", name)
	})
}

func TestADryRunIsNotAnEdit(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		silent(e)
		begin := time.Now()
		out := b.Do(t.Context(), wire.CmdWriteFile, write("res://a"), bridge.Mutating(false))
		assert.Equal(t, 10*time.Second, time.Since(begin), "no last question")
		assert.False(t, out.MayHaveApplied())
	})
}
