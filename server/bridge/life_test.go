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

func TestPings(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		<-time.After(time.Hour)
		require.True(t, b.Status().Connected, "an idle editor stays")
		e.Frozen.Store(true)
		silent(e)
		out := b.Do(t.Context(), wire.CmdPing, nil, bridge.Timeout(55*time.Second))
		assert.Equal(t, wire.ReasonDeadline, out.Err.Reason, "a caller that expects a busy editor waits")
		<-time.After(30 * time.Second)
		assert.False(t, b.Status().Connected, "two pings without an answer")
	})
}

// Order of start never matters, and no cycle leaves anything behind.
func TestReconnectCycles(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		<-time.After(90 * time.Second)
		for i := range 20 {
			if i%2 == 0 {
				e.Drop()
			} else {
				e.Restart("session-" + string(rune('a'+i)))
			}
			<-time.After(time.Second)
			assert.False(t, b.Status().Connected)
			require.NoError(t, e.Connect(t.Context()))
			require.True(t, b.Do(t.Context(), wire.CmdPing, nil).OK(), i)
		}
		assert.Equal(t, 21, b.Status().Counters.Connects)
	})
}

func TestShutdownWaitsForEdits(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		e.Intercept(func(c *bridgetest.Conn, cmd wire.Command) bool {
			time.AfterFunc(2*time.Second, func() { c.SendJSON(e.Run(cmd)) })
			return true
		})
		var wg sync.WaitGroup
		wg.Go(func() { assert.Nil(t, b.Do(t.Context(), wire.CmdWriteFile, write("res://a")).Err) })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		begin := time.Now()
		b.Shutdown(ctx)
		assert.LessOrEqual(t, time.Since(begin), 3*time.Second)
		wg.Wait()
		assert.Equal(t, wire.ReasonNoEditor, b.Do(t.Context(), wire.CmdPing, nil).Err.Reason)
		assert.False(t, b.Status().Listening)
		b.Close()
	})
}

func TestCloseSettlesEverything(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		silent(e)
		var wg sync.WaitGroup
		wg.Go(func() {
			assert.Equal(t, wire.ReasonLinkLost, b.Do(t.Context(), wire.CmdWriteFile, write("res://a")).Err.Reason)
		})
		wg.Go(func() { assert.Equal(t, wire.ReasonNoEditor, b.Do(t.Context(), wire.CmdPing, nil).Err.Reason) })
		synctest.Wait()
		begin := time.Now()
		b.Close()
		wg.Wait()
		assert.LessOrEqual(t, time.Since(begin), time.Second)
	})
}
