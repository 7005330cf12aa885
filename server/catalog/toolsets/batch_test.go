package toolsets

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/catalogtest"
	"godot-mcp/server/wire"
)

func TestBatch(t *testing.T) {
	runCases(t, []toolCase{
		{
			tool: "godot_batch_find_nodes_by_type", args: `{"node_type":"Node2D","offset":2}`,
			replies: map[string]any{wire.CmdFindNodesByType: `{"nodes":[{"path":"A","type":"Sprite2D"}],"total":5}`},
			sent:    []string{`cmd_find_nodes_by_type {"node_type":"Node2D","parent_path":".","recursive":true,"offset":2,"limit":200}`},
			want:    `{"type":"Node2D","count":1,"total":5,"returned":1,"truncated":true,"next_offset":3,"nodes":[{"path":"A","type":"Sprite2D"}]}`,
		},
		{tool: "godot_batch_find_nodes_by_type", args: `{"node_type":"Nod"}`, replies: map[string]any{wire.CmdFindNodesByType: wire.Fail(wire.ReasonUnknownClass, "type", "Nod")}, fails: "unknown_class"},
		{
			tool: "godot_batch_get_dependencies", args: `{"path":"res://a.tscn"}`,
			replies: map[string]any{wire.CmdGetDependencies: `{"path":"res://a.tscn","dependencies":[{"raw":"uid://x","path":"res://b.gd","type":"Script","exists":true}]}`},
			sent:    []string{`cmd_get_dependencies {"path":"res://a.tscn"}`}, want: `{"count":1,"total":1,"truncated":false}`,
		},
		{tool: "godot_batch_get_dependencies", args: `{"path":"a.tscn"}`, sent: []string{}, fails: "bad_res_path"},
		{
			tool: "godot_batch_cross_scene_set_property", args: `{"scenes":["res://a.tscn","res://b//c.tscn"],"node_type":"Node","property":"p","value":1,"confirm":true}`,
			replies: map[string]any{wire.CmdCrossSceneSetProperty: `{"results":[{"scene":"res://a.tscn","modified":2,"nodes":["A","B"]},{"scene":"res://b/c.tscn","modified":0,"nodes":[],"error":"CONFLICT","reason":"unsaved_changes","details":{"path":"res://b/c.tscn"}}]}`},
			sent:    []string{`cmd_cross_scene_set_property {"scenes":["res://a.tscn","res://b/c.tscn"],"node_type":"Node","property":"p","value":1}`},
			want:    `{"total_modified":2,"scenes":2,"failed":1,"undoable":false,"dry_run":false}`,
		},
		{tool: "godot_batch_cross_scene_set_property", args: `{"scenes":["res://a.tscn"],"node_type":"Node","property":"p","value":1}`, sent: []string{}, fails: "confirm"},
		{tool: "godot_batch_set_property", args: `{"property":"p","value":1}`, sent: []string{}, fails: "missing_argument"},
		{tool: "godot_batch_set_property", args: `{"property":"p","value":1,"node_paths":["A"],"node_type":"Node"}`, sent: []string{}, fails: "bad_arguments"},
		{tool: "godot_batch_set_property", args: `{"property":"p","value":1,"node_type":"Nod"}`, replies: map[string]any{wire.CmdFindNodesByType: wire.Fail(wire.ReasonUnknownClass, "type", "Nod")}, fails: "unknown_class"},
		{
			tool: "godot_batch_set_property", args: `{"property":"p","value":1,"node_type":"Label"}`, replies: map[string]any{wire.CmdFindNodesByType: `{"nodes":[],"total":0}`},
			want: `{"count":0,"applied":[],"skipped":[],"persistence":[],"undoable":false}`,
		},
	})
}

// Failures per scene keep their code and say what to do.
func TestCrossSceneErrors(t *testing.T) {
	e := cannedEditor(map[string]any{wire.CmdCrossSceneSetProperty: wire.CrossSceneSetPropertyResult{Results: []wire.CrossSceneResult{
		{Scene: "res://a.tscn", Error: wire.Fail(wire.ReasonUnsaved, "path", "res://a.tscn")},
	}}})
	out := succeed[crossSceneOut](t, catalogtest.Env(e), "godot_batch_cross_scene_set_property", `{"scenes":"res://a.tscn","node_type":"Node","property":"p","value":null,"dry_run":true}`)
	assert.Equal(t, wire.Conflict, out.Results[0].Error)
	assert.Equal(t, wire.ReasonUnsaved, out.Results[0].Reason)
	assert.Equal(t, openSceneHint, out.Results[0].Hint)
	assert.Equal(t, 1, out.Failed)
	assert.True(t, out.DryRun)
}

func TestBatchSetProperty(t *testing.T) {
	e := richScene()
	out := succeed[batchSetOut](t, catalogtest.Env(e), "godot_batch_set_property", `{"property":"visible","value":false,"node_paths":["A","Bare1","A","Inst/C"]}`)
	assert.Equal(t, []string{
		`batch[cmd_get_node_property {"node_path":"A","property":"visible"}; cmd_get_node_property {"node_path":"Bare1","property":"visible"}; cmd_get_node_property {"node_path":"Inst/C","property":"visible"}]?`,
		`[cmd_set_node_property {"node_path":"A","property":"visible","value":false}; cmd_set_node_property {"node_path":"Inst/C","property":"visible","value":false}]`,
	}, wireText(t, e))
	assert.Equal(t, []string{"A", "Inst/C"}, out.Applied)
	assert.Equal(t, "Bare1", out.Skipped[0].NodePath)
	assert.Equal(t, wire.ReasonNoProperty, out.Skipped[0].Why)
	assert.True(t, out.Undoable)
	assert.False(t, out.Persisted)
	assert.Equal(t, wire.LossInstanceChild, out.Persistence[1].Reason)

	out = succeed[batchSetOut](t, catalogtest.Env(e), "godot_batch_set_property", `{"property":"visible","value":false,"node_paths":["A"],"dry_run":true}`)
	assert.True(t, out.DryRun)
	assert.Equal(t, `[cmd_set_node_property {"node_path":"A","property":"visible","value":false}]?`, wireText(t, e)[3])
	assert.Equal(t, "bad_value", call(t, catalogtest.Env(e), "godot_batch_set_property", `{"property":"visible","value":"bad","node_paths":["A"]}`).Failure.Reason)
}

// B034: one undo action whatever the number; the answer stays bounded and
// tells of the node that is not kept although it stands last.
func TestBatchSetPropertyOnMany(t *testing.T) {
	const n = 2500
	e := richScene()
	catalogtest.On(e.Editor, wire.CmdFindNodesByType, func(p wire.FindNodesByType) (any, error) {
		r := wire.FindNodesByTypeResult{Total: n}
		for i := p.Offset; i < min(n, p.Offset+p.Limit); i++ {
			path := fmt.Sprintf("Group/Node%d", i)
			if i == n-1 {
				path = "Inst/Last"
			}
			r.Nodes = append(r.Nodes, wire.FoundNode{Path: path, Type: "Node2D"})
		}
		return r, nil
	})
	out := call(t, catalogtest.Env(e), "godot_batch_set_property", `{"property":"visible","value":false,"node_type":"Node2D"}`)
	require.Nil(t, out.Failure)
	assert.LessOrEqual(t, len(out.Structured), catalog.MaxAnswer)
	var got batchSetOut
	require.NoError(t, json.Unmarshal(out.Structured, &got))
	assert.Equal(t, n, got.Count)
	assert.True(t, got.Undoable)
	assert.True(t, got.Truncated)
	assert.False(t, got.Persisted)
	assert.Equal(t, "Inst/Last", got.Persistence[0].NodePath)
	transactions := 0
	for _, c := range e.Sent() {
		if c == wire.CmdTransaction {
			transactions++
		}
	}
	assert.Equal(t, 1, transactions)
}
