package world

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"godot-mcp/server/wire"
)

// What a container lays out is in no dump, since no file keeps it (engine 4.6).
func TestLookLeavesOutWhatAContainerSets(t *testing.T) {
	s := start(t)
	do[wire.CreateSceneResult](t, &s, wire.CmdCreateScene, wire.CreateScene{ScenePath: "res://ui.tscn", RootType: "VBoxContainer"})
	do[wire.NewNodeResult](t, &s, wire.CmdCreateNode, wire.CreateNode{ParentPath: ".", Type: "Control", Name: "In", Properties: map[string]json.RawMessage{"mouse_filter": raw(2)}})
	do[wire.NewNodeResult](t, &s, wire.CmdCreateNode, wire.CreateNode{ParentPath: "In", Type: "Control", Name: "Out"})
	live := Live(s)
	require.Contains(t, live, "  In mouse_filter = 2")
	require.NotContains(t, live, "  In anchors_preset")
	require.Contains(t, live, "  In/Out anchors_preset = 0")
}
