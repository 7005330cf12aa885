package bridge_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/bridge"
	"godot-mcp/server/bridge/bridgetest"
	"godot-mcp/server/wire"
)

func TestACallIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, n := bridgetest.Start(t, bridge.Config{Version: "1.2.3", FirstID: 7})
		b.SetToolsets([]string{"core"})
		e := bridgetest.NewEditor(n)
		require.NoError(t, e.Connect(t.Context()))
		defer e.Drop()

		r, out := bridge.Call[wire.PingResult](t.Context(), b, wire.CmdPing, wire.Ping{})
		require.Nil(t, out.Err)
		assert.True(t, r.Pong)
		assert.Equal(t, "7", out.ID)
		assert.Equal(t, "session-1", out.Session)

		b.SetToolsets([]string{"core", "scripts"})
		synctest.Wait()
		notes := e.Notices()
		require.Len(t, notes, 3)
		assert.JSONEq(t, `{"version":"1.2.3"}`, string(notes[0].Params))
		assert.JSONEq(t, `{"enabled":["core"]}`, string(notes[1].Params))
		assert.JSONEq(t, `{"enabled":["core","scripts"]}`, string(notes[2].Params))

		s := b.Status()
		assert.True(t, s.Listening)
		assert.Equal(t, "/project", s.Peer.ProjectPath)
		assert.Empty(t, s.Peer.Missing())
		assert.Equal(t, bridge.Counters{Connects: 1, Sent: 1, Replies: 1}, s.Counters)
	})
}

func TestNoEditorIsSaidAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := bridgetest.Start(t, bridge.Config{})
		begin := time.Now()
		out := b.Do(t.Context(), wire.CmdSaveScene, wire.SaveScene{})
		require.NotNil(t, out.Err)
		assert.Equal(t, wire.ReasonNoEditor, out.Err.Reason)
		assert.False(t, out.Sent)
		assert.Zero(t, time.Since(begin))
	})
}

var _ = context.Background
var _ = json.Marshal
