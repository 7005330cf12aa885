package bridge_test

import (
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

// The link breaks while an edit is under way; what the editor does next decides.
func TestALostLink(t *testing.T) {
	for _, c := range []struct {
		name    string
		applied bool                       // before the break
		after   func(e *bridgetest.Editor) // a second later
		reason  wire.Reason                // empty: the true answer
		took    time.Duration
	}{
		{"back, done", true, func(*bridgetest.Editor) {}, "", time.Second},
		{"back, never arrived", false, func(*bridgetest.Editor) {}, wire.ReasonNotApplied, time.Second},
		{"restarted", true, func(e *bridgetest.Editor) { e.Restart("session-2") }, wire.ReasonLinkLost, time.Second},
		{"other project", true, func(e *bridgetest.Editor) { e.Restart("session-2"); e.Hello.ProjectPath = "/other" }, wire.ReasonLinkLost, 10 * time.Second},
		{"back, but it cannot tell", true, func(e *bridgetest.Editor) {
			e.Intercept(func(c *bridgetest.Conn, cmd wire.Command) bool {
				c.SendJSON(wire.Reply{ID: cmd.ID, Error: wire.Fail(wire.ReasonUnknownCommand, "command", cmd.Command)})
				return true
			})
		}, wire.ReasonLinkLost, time.Second},
		{"back, then silent", true, func(e *bridgetest.Editor) { silent(e) }, wire.ReasonDeadline, 11 * time.Second},
		{"never back", true, nil, wire.ReasonLinkLost, 10 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
				e.Intercept(func(conn *bridgetest.Conn, cmd wire.Command) bool {
					if c.applied {
						e.Run(cmd)
					}
					conn.Drop()
					return true
				})
				var wg sync.WaitGroup
				if c.after != nil {
					time.AfterFunc(time.Second, func() {
						e.Intercept(nil)
						c.after(e)
						wg.Go(func() { assert.NoError(t, e.Connect(t.Context())) })
					})
				}
				begin := time.Now()
				out := b.Do(t.Context(), wire.CmdWriteFile, write("res://a"))
				assert.Equal(t, c.took, time.Since(begin))
				wg.Wait()
				assert.True(t, out.Sent)
				if c.reason == "" {
					require.Nil(t, out.Err)
					return
				}
				require.NotNil(t, out.Err)
				assert.Equal(t, c.reason, out.Err.Reason)
				assert.Equal(t, c.reason != wire.ReasonNotApplied, out.MayHaveApplied())
			})
		})
	}
}

// A command that still runs when its editor comes back is waited for.
func TestARunningCommandIsFollowed(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		begin := time.Now()
		e.Intercept(func(c *bridgetest.Conn, cmd wire.Command) bool {
			switch {
			case cmd.Command == wire.CmdWriteFile:
				time.AfterFunc(6*time.Second, func() { e.Run(cmd) })
				c.Drop()
			case time.Since(begin) < 6*time.Second:
				c.SendJSON(wire.Reply{ID: cmd.ID, OK: true, Result: []byte(`{"state":"running"}`)})
			default:
				return false
			}
			return true
		})
		time.AfterFunc(time.Second, func() { assert.NoError(t, e.Connect(t.Context())) })
		out := b.Do(t.Context(), wire.CmdWriteFile, write("res://a"))
		require.Nil(t, out.Err)
		assert.InDelta(t, 6.5, time.Since(begin).Seconds(), 0.5)
	})
}

// Outcomes that were uncertain when the call ended are learnt at the next
// connection of the same session.
func TestUncertainOutcomesAreReconciled(t *testing.T) {
	var late []bridge.Late
	session(t, bridge.Config{OnLate: func(l bridge.Late) { late = append(late, l) }}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		apply := true
		e.Intercept(func(c *bridgetest.Conn, cmd wire.Command) bool {
			if apply {
				e.Run(cmd)
			}
			c.Drop()
			return true
		})
		done := b.Do(t.Context(), wire.CmdWriteFile, write("res://a"))
		require.Equal(t, wire.ReasonLinkLost, done.Err.Reason)
		require.NoError(t, e.Connect(t.Context()))
		synctest.Wait()
		require.Empty(t, late, "the question ended with the link again")
		apply = false
		require.NoError(t, e.Connect(t.Context()))
		synctest.Wait()
		e.Intercept(nil)
		require.NoError(t, e.Connect(t.Context()))
		synctest.Wait()
		require.Len(t, late, 1)
		assert.Equal(t, done.ID, late[0].ID)
		assert.True(t, late[0].OK())
	})
}

func TestAReadOfALostLinkIsGivenUp(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		e.Intercept(func(c *bridgetest.Conn, _ wire.Command) bool { c.Drop(); return true })
		begin := time.Now()
		out := b.Do(t.Context(), wire.CmdPing, nil)
		assert.Equal(t, wire.ReasonNoEditor, out.Err.Reason)
		assert.Zero(t, time.Since(begin))
	})
}

func TestANewerEditorReplacesTheOlder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, n := bridgetest.Start(t, bridge.Config{})
		old, newer := bridgetest.NewEditor(n), bridgetest.NewEditor(n)
		newer.Hello.Session, newer.Hello.ProjectPath = "session-2", "/newer"
		require.NoError(t, old.Connect(t.Context()))
		require.NoError(t, newer.Connect(t.Context()))
		defer newer.Drop()
		<-old.Conn().Done()
		synctest.Wait()
		last := old.Notices()[len(old.Notices())-1]
		assert.False(t, *last.OK)
		assert.Equal(t, wire.PeerReplaced, last.Code)
		assert.Equal(t, "/newer", last.Details["project_path"])
		require.True(t, b.Do(t.Context(), wire.CmdPing, nil).OK())
		assert.Len(t, newer.Commands(), 1)
		assert.Equal(t, 1, b.Status().Counters.Replaced)
		assert.Equal(t, "/newer", b.Status().Peer.ProjectPath)
	})
}

// The replaced editor may still answer what it was sent, for two seconds.
func TestAReplacedEditorMayAnswer(t *testing.T) {
	for _, c := range []struct {
		delay  time.Duration
		reason wire.Reason
	}{{time.Second, ""}, {5 * time.Second, wire.ReasonLinkLost}} {
		session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
			newer := e.Sibling("session-2")
			e.Intercept(func(conn *bridgetest.Conn, cmd wire.Command) bool {
				time.AfterFunc(c.delay, func() { conn.SendJSON(e.Run(cmd)) })
				return true
			})
			var wg sync.WaitGroup
			wg.Go(func() {
				begin := time.Now()
				out := b.Do(t.Context(), wire.CmdWriteFile, write("res://a"))
				if c.reason == "" {
					assert.Nil(t, out.Err)
					return
				}
				assert.Equal(t, c.reason, out.Err.Reason)
				assert.LessOrEqual(t, time.Since(begin), 3*time.Second)
			})
			synctest.Wait()
			require.NoError(t, newer.Connect(t.Context()))
			defer newer.Drop()
			wg.Wait()
			<-e.Conn().Done()
		})
	}
}

func TestAnEqualSessionIsRefusedWhileTheFirstLives(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		twin := e.Sibling("session-1")
		err := twin.Connect(t.Context())
		require.Error(t, err)
		assert.Equal(t, wire.Fail(wire.ReasonDuplicate, "session", "session-1"), wire.AsError(err))
		<-twin.Conn().Done()
		require.True(t, b.Do(t.Context(), wire.CmdPing, nil).OK())
		assert.Len(t, e.Commands(), 1)
	})
}

// The editor's old connection hangs half open. When the same session dials
// again it gets its place back with the calls that are owed.
func TestAHalfOpenLinkGivesItsPlace(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		e.Frozen.Store(true)
		e.Intercept(func(_ *bridgetest.Conn, cmd wire.Command) bool {
			if cmd.Command == wire.CmdWriteFile {
				e.Run(cmd)
			}
			return cmd.Command == wire.CmdWriteFile
		})
		time.AfterFunc(time.Second, func() { assert.NoError(t, e.Connect(t.Context())) })
		begin := time.Now()
		out := b.Do(t.Context(), wire.CmdWriteFile, write("res://a"))
		require.Nil(t, out.Err)
		assert.Equal(t, 4*time.Second, time.Since(begin), "a second, and three for the probe")
		assert.Equal(t, 2, b.Status().Counters.Connects)
	})
}
