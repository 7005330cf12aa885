package server

import (
	"encoding/json"
	"errors"
	"net"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/bridge"
	"godot-mcp/server/bridge/bridgetest"
	"godot-mcp/server/wire"
)

// overBridge connects a client to a server whose bridge is real, with a
// scripted editor at its other end.
func overBridge(t *testing.T) (*client, *bridgetest.Editor) {
	t.Helper()
	b, n := bridgetest.Start(t, bridge.Config{})
	e := bridgetest.NewEditor(n)
	bridgetest.On(e, wire.CmdTransaction, func(tx wire.Transaction) (wire.TransactionResult, error) {
		var p wire.SetNodeProperty
		if err := wire.DecodeParams(tx.Steps[0].Params, &p); err != nil {
			return wire.TransactionResult{}, err
		}
		r, err := json.Marshal(wire.SetNodePropertyResult{NodePath: p.NodePath, Property: p.Property, Value: p.Value, Previous: json.RawMessage("0"), Verdict: wire.Verdict{Persisted: true}})
		return wire.TransactionResult{Results: []json.RawMessage{r}, Committed: !tx.DryRun, Undoable: true}, err
	})
	require.NoError(t, e.Connect(t.Context()))
	cfg := editing()
	cfg.DefaultToolsets = []string{"all"}
	c := connectTo(t, newOver(cfg, b))
	c.initialize()
	return c, e
}

const setProperty = `{"node_path":"A","property":"z_index","value":9007199254740993}`

func TestAnEditTravelsToTheEditorAndBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, e := overBridge(t)
		r := c.call(1, "godot_scene_edit_set_node_property", setProperty)
		assert.False(t, r.IsError)
		assert.Contains(t, string(r.StructuredContent), `"value":9007199254740993`)
		assert.Contains(t, r.Content[0]["text"], `"value":9007199254740993`)
		require.Len(t, e.Commands(), 1)
		require.NoError(t, c.in.Close())
		require.NoError(t, <-c.ended)
	})
}

// A frozen editor: the edit is uncertain, a read has timed out.
func TestAFrozenEditorIsNeverASuccessOrAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, e := overBridge(t)
		e.Intercept(func(*bridgetest.Conn, wire.Command) bool { return true })
		r := c.call(1, "godot_scene_edit_set_node_property", setProperty)
		assert.True(t, r.IsError)
		assert.Contains(t, string(r.StructuredContent), `"may_have_applied":true`)
		assert.Contains(t, string(r.StructuredContent), `"code":"uncertain"`)
		r = c.call(2, "godot_list_history", `{}`)
		assert.Contains(t, string(r.StructuredContent), `"code":"timeout"`)
		assert.NotContains(t, string(r.StructuredContent), "may_have_applied")
		require.NoError(t, c.in.Close())
		require.NoError(t, <-c.ended)
	})
}

// The editor's dock is told which toolsets are on.
func TestToolsetsArePushedToTheEditor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, e := overBridge(t)
		c.call(1, "godot_disable_toolset", `{"category":"batch"}`)
		synctest.Wait()
		var last wire.ToolsetsUpdate
		for _, n := range e.Notices() {
			if n.Command == wire.NoticeToolsets {
				require.NoError(t, json.Unmarshal(n.Params, &last))
			}
		}
		assert.Contains(t, last.Enabled, "scene_edit")
		assert.NotContains(t, last.Enabled, "batch")
		require.NoError(t, c.in.Close())
		require.NoError(t, <-c.ended)
	})
}

// A port that somebody else holds is named where an agent looks first.
func TestABusyPortIsExplained(t *testing.T) {
	b, err := bridge.New(bridge.Config{Listen: func(string, string) (net.Listener, error) { return nil, errors.New("address already in use") }})
	require.NoError(t, err)
	t.Cleanup(b.Close)
	s := newOver(testConfig(), b)
	require.Error(t, s.Start())
	c := connectTo(t, s)
	c.initialize()
	assert.Contains(t, string(c.call(1, "godot_health_check", `{}`).StructuredContent), "address already in use")
	assert.Contains(t, string(c.call(2, "godot_get_server_info", `{}`).StructuredContent), "--bridge-url")
}
