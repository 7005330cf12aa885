package toolsets

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/catalogtest"
	"godot-mcp/server/wire"
)

var noNode = wire.Fail(wire.ReasonNodeNotFound, "path", "Gone", "near", []string{"Gun"})

func TestInspection(t *testing.T) {
	node := `{"path":"A","name":"A","type":"Node2D","depth":1,"children":1,"script":"res://a.gd","groups":["g"],"properties":{"hp":3},"child_names":["B"]}`
	runCases(t, []toolCase{
		{
			tool: "godot_inspection_get_project_info", replies: map[string]any{wire.CmdGetProjectInfo: `{"name":"Game","project_path":"/p","godot_version":"4.6"}`},
			sent: []string{"cmd_get_project_info {}"}, want: `{"name":"Game","autoloads":[],"input_actions":[]}`,
		},
		{tool: "godot_inspection_get_project_info", args: `{"x":1}`, sent: []string{}, fails: "unknown_argument"},
		{
			tool: "godot_inspection_get_active_scene", replies: map[string]any{wire.CmdGetActiveScene: `{"is_open":false}`},
			sent: []string{"cmd_get_active_scene {}"}, want: `{"is_open":false,"modified":false}`,
		},
		{
			tool: "godot_inspection_list_scenes", args: `{"offset":1}`,
			replies: map[string]any{wire.CmdListScenes: `{"scenes":[{"path":"res://a.tscn"},{"path":"res://b.tscn","is_main":true}],"main_scene":"res://b.tscn"}`},
			sent:    []string{"cmd_list_scenes {}"},
			want:    `{"main_scene":"res://b.tscn","total":2,"returned":1,"truncated":false,"scenes":[{"path":"res://b.tscn","is_main":true,"is_open":false,"is_active":false}]}`,
		},
		{
			tool: "godot_inspection_get_selected_node", replies: map[string]any{wire.CmdGetSelectedNodes: `{"selected":[` + node + `,{"path":"C"}],"count":2}`},
			want: `{"count":2,"also":["C"],"selected":{"node_path":"A","type":"Node2D","script":"res://a.gd","groups":["g"],"properties":{"hp":3},"children":["B"],"child_count":1}}`,
		},
		{tool: "godot_inspection_get_selected_node", replies: map[string]any{wire.CmdGetSelectedNodes: `{"selected":[],"count":0}`}, want: `{"count":0}`},
		{
			tool: "godot_inspection_get_node_properties", args: `{"node_path":"A"}`, replies: map[string]any{wire.CmdGetNode: node},
			sent: []string{`cmd_get_node {"node_path":"A"}`}, want: `{"node_path":"A","properties":{"hp":3},"children":["B"]}`,
		},
		{tool: "godot_inspection_get_node_properties", args: `{"node_path":"Gone"}`, replies: map[string]any{wire.CmdGetNode: noNode}, fails: "node_not_found"},
		{
			tool: "godot_inspection_get_node_property", args: `{"node_path":"","property":"position:x"}`,
			replies: map[string]any{wire.CmdGetNodeProperty: `{"node_path":".","property":"position:x","exists":true,"type":"float","value":2.5}`},
			sent:    []string{`cmd_get_node_property {"node_path":".","property":"position:x"}`}, want: `{"value":2.5,"exists":true,"type":"float"}`,
		},
		{
			tool: "godot_inspection_get_node_property", args: `{"node_path":"A","property":"x"}`,
			replies: map[string]any{wire.CmdGetNodeProperty: `{"node_path":"A","property":"x","exists":false,"near":["y"]}`}, want: `{"value":null,"exists":false,"near":["y"]}`,
		},
		{
			tool: "godot_inspection_get_node_property", args: `{"node_path":"A","property":"x"}`,
			replies: map[string]any{wire.CmdGetNodeProperty: `{"node_path":"A","property":"x","exists":true,"value":"` + strings.Repeat("x", 30000) + `"}`}, fails: "output_limit",
		},
		{
			tool: "godot_inspection_get_node_property_list", args: `{"node_path":"A"}`,
			replies: map[string]any{wire.CmdGetNodePropertyList: `{"node_path":"A","type":"Node","properties":[{"name":"name","type":"StringName","stored":false}]}`},
			sent:    []string{`cmd_get_node_property_list {"node_path":"A"}`}, want: `{"type":"Node","total":1,"properties":[{"name":"name","type":"StringName","stored":false}]}`,
		},
		{tool: "godot_inspection_get_node_property_list", args: `{"node_path":"Gone"}`, replies: map[string]any{wire.CmdGetNodePropertyList: noNode}, fails: "node_not_found"},
		{
			tool: "godot_inspection_get_node_groups", args: `{"node_path":"A"}`,
			replies: map[string]any{wire.CmdGetNodeGroups: `{"node_path":"A","groups":[{"name":"g","persistent":true,"from_base":true}]}`},
			sent:    []string{`cmd_get_node_groups {"node_path":"A"}`}, want: `{"groups":[{"name":"g","persistent":true,"from_base":true}]}`,
		},
		{tool: "godot_inspection_get_node_groups", args: `{"node_path":"../A"}`, sent: []string{}, fails: "bad_node_path_form"},
		{tool: "godot_inspection_get_scene_tree", replies: map[string]any{wire.CmdGetSceneTree: `{"nodes":[],"total":0}`}, want: `{"tree":null,"total":0,"truncated":false}`},
		{
			tool: "godot_inspection_get_scene_tree", args: `{"node_path":"/root","max_depth":2,"lightweight":true,"limit":10,"offset":3}`,
			replies: map[string]any{wire.CmdGetSceneTree: noNode},
			sent:    []string{`cmd_get_scene_tree {"node_path":".","max_depth":2,"offset":3,"limit":10,"lightweight":true}`}, fails: "node_not_found",
		},
		{tool: "godot_inspection_get_scene_tree", args: `{"limit":501}`, sent: []string{}, fails: "out_of_range"},
	})
}

func TestSceneTreeNests(t *testing.T) {
	nodes := []wire.TreeNode{
		{Path: ".", Name: "Main", Type: "Node2D", Children: 2},
		{Path: "A", Name: "A", Type: "Node", Depth: 1, Children: 1, Owner: "res://a.tscn", EditableChildren: true},
		{Path: "A/B", Name: "B", Type: "Node", Depth: 2, Children: 4, Script: "res://b.gd"},
		{Path: "C", Name: "C", Type: "Node", Depth: 1, Missing: true},
	}
	e := cannedEditor(map[string]any{wire.CmdGetSceneTree: wire.GetSceneTreeResult{ScenePath: "res://m.tscn", Nodes: nodes, Total: 4}})
	out := succeed[sceneTreeOut](t, catalogtest.Env(e), "godot_inspection_get_scene_tree", `{}`)
	assert.Equal(t, []string{`cmd_get_scene_tree {"node_path":".","max_depth":-1,"offset":0,"limit":500}`}, wireText(t, e))
	assert.JSONEq(t, `{"name":"Main","type":"Node2D","path":".","children":[
		{"name":"A","type":"Node","path":"A","owner":"res://a.tscn","editable_children":true,"children":[
			{"name":"B","type":"Node","path":"A/B","script":"res://b.gd","child_count":4}]},
		{"name":"C","type":"Node","path":"C","missing":true}]}`, string(out.Tree))
	out = succeed[sceneTreeOut](t, catalogtest.Env(e), "godot_inspection_get_scene_tree", `{"lightweight":true}`)
	assert.JSONEq(t, `{"name":"Main","type":"Node2D","path":".","children":[
		{"name":"A","type":"Node","children":[{"name":"B","type":"Node","child_count":4}]},{"name":"C","type":"Node","missing":true}]}`, string(out.Tree))
}

// A page that begins deep in the tree shows where its nodes hang.
func TestSceneTreePageHasPartialAncestors(t *testing.T) {
	nodes := []wire.TreeNode{
		{Path: "A/B/D", Name: "D", Type: "Node", Depth: 3},
		{Path: "A/E", Name: "E", Type: "Node", Depth: 2},
		{Path: "F", Name: "F", Type: "Node", Depth: 1},
	}
	e := cannedEditor(map[string]any{wire.CmdGetSceneTree: wire.GetSceneTreeResult{Nodes: nodes, Total: 9}})
	out := succeed[sceneTreeOut](t, catalogtest.Env(e), "godot_inspection_get_scene_tree", `{"offset":3,"limit":3}`)
	assert.JSONEq(t, `{"path":".","partial":true,"children":[
		{"name":"A","path":"A","partial":true,"children":[
			{"name":"B","path":"A/B","partial":true,"children":[{"name":"D","type":"Node","path":"A/B/D"}]},
			{"name":"E","type":"Node","path":"A/E"}]},
		{"name":"F","type":"Node","path":"F"}]}`, string(out.Tree))
	assert.Equal(t, catalog.Page{Total: 9, Returned: 3, Truncated: true, NextOffset: 6}, out.Page)
}

// manyNodes is a wide tree of n nodes with long names.
func manyNodes(n, nameLength int) []wire.TreeNode {
	out := []wire.TreeNode{{Path: ".", Name: "Main", Type: "Node", Children: n - 1}}
	for i := 1; i < n; i++ {
		name := fmt.Sprintf("N%d%s", i, strings.Repeat("x", nameLength))
		out = append(out, wire.TreeNode{Path: name, Name: name, Type: "Node", Depth: 1, Script: "res://s.gd"})
	}
	return out
}

// B140: an answer stays below the limit and says truthfully how to go on, so
// that paging sees every node once.
func TestSceneTreeFitsAndPages(t *testing.T) {
	all := manyNodes(1200, 60)
	e := catalogtest.New()
	catalogtest.On(e, wire.CmdGetSceneTree, func(p wire.GetSceneTree) (any, error) {
		from := min(p.Offset, len(all))
		return wire.GetSceneTreeResult{Nodes: all[from:min(from+p.Limit, len(all))], Total: len(all)}, nil
	})
	seen, offset := 0, 0
	for {
		out := call(t, catalogtest.Env(e), "godot_inspection_get_scene_tree", fmt.Sprintf(`{"offset":%d}`, offset))
		require.Nil(t, out.Failure)
		assert.LessOrEqual(t, len(out.Structured), catalog.MaxAnswer)
		var page sceneTreeOut
		require.NoError(t, json.Unmarshal(out.Structured, &page))
		seen += page.Returned
		if page.NextOffset == 0 {
			break
		}
		assert.True(t, page.Truncated)
		require.Equal(t, offset+page.Returned, page.NextOffset)
		offset = page.NextOffset
	}
	assert.Equal(t, len(all), seen)

	all = manyNodes(300, 30)
	out := succeed[sceneTreeOut](t, catalogtest.Env(e), "godot_inspection_get_scene_tree", `{}`)
	assert.True(t, out.Lightweight)
	assert.True(t, out.Truncated, "details are left out")
	assert.Zero(t, out.NextOffset, "all nodes are shown")
	assert.Equal(t, 300, out.Returned)
}

func TestSnapshotAndDiff(t *testing.T) {
	before := `{"scene_path":"res://m.tscn","nodes":[
		{"path":".","type":"Node","groups":[]},
		{"path":"A","type":"Node2D","properties":{"position":{"x":1,"y":2},"hp":1},"groups":["g"]},
		{"path":"B","type":"Node","groups":[]}]}`
	after := `{"scene_path":"res://m.tscn","nodes":[
		{"path":".","type":"Node"},
		{"path":"A","type":"Node2D","properties":{"position":{"y":2,"x":1},"hp":2,"z":1},"groups":["g","h"]},
		{"path":"C","type":"Node"}]}`
	e := cannedEditor(map[string]any{wire.CmdSnapshotSubtree: &[]any{before, after, after, after}})
	env := catalogtest.Env(e)
	s := succeed[snapshotOut](t, env, "godot_inspection_snapshot_subtree", `{"properties":["z"],"max_depth":3}`)
	assert.Equal(t, "s1", s.SnapshotID)
	assert.Len(t, s.Snapshot, 3)
	assert.Equal(t, `cmd_snapshot_subtree {"node_path":".","properties":["z"],"max_depth":3,"limit":1000}`, wireText(t, e)[0])

	d := succeed[diffOut](t, env, "godot_inspection_diff_snapshots", `{"before_id":"s1","after_id":null}`)
	assert.Equal(t, wireText(t, e)[0], wireText(t, e)[1], "the scene is read again as the snapshot was")
	assert.Equal(t, []wire.FoundNode{{Path: "B", Type: "Node"}}, d.Removed)
	assert.Equal(t, []wire.FoundNode{{Path: "C", Type: "Node"}}, d.Added)
	var changed []string
	for _, c := range d.Changed {
		changed = append(changed, fmt.Sprintf("%s %s %s %s", c.Node, c.Property, c.Before, c.After))
	}
	assert.Equal(t, []string{"A hp 1 2", "A z null 1", `A groups ["g"] ["g","h"]`}, changed)

	assert.Equal(t, "s2", succeed[snapshotOut](t, env, "godot_inspection_snapshot_subtree", `{}`).SnapshotID)
	d = succeed[diffOut](t, env, "godot_inspection_diff_snapshots", `{"before_id":"s1","after_id":"s2","node_path":"A"}`)
	assert.Empty(t, d.Added)
	assert.Empty(t, d.Removed)
	assert.Len(t, d.Changed, 2, "z was asked for in one of the two only")
	same := succeed[diffOut](t, env, "godot_inspection_diff_snapshots", `{"before_id":"s2","after_id":"s2"}`)
	assert.Zero(t, same.Total)

	assert.Equal(t, "unknown_snapshot", call(t, env, "godot_inspection_diff_snapshots", `{"before_id":"s9"}`).Failure.Reason)
	e.SetHello(nil)
	assert.Zero(t, succeed[diffOut](t, env, "godot_inspection_diff_snapshots", `{"before_id":"s2","after_id":"s2"}`).Total, "two kept snapshots need no editor")
	assert.Equal(t, "bridge_connected", call(t, env, "godot_inspection_diff_snapshots", `{"before_id":"s2"}`).Failure.Required)
}

func TestSnapshotFailures(t *testing.T) {
	big := wire.SnapshotSubtreeResult{Nodes: slices.Repeat([]wire.SnapshotNode{{Path: strings.Repeat("p", 100), Type: "Node"}}, 300)}
	e := cannedEditor(map[string]any{wire.CmdSnapshotSubtree: big})
	f := call(t, catalogtest.Env(e), "godot_inspection_snapshot_subtree", `{}`).Failure
	assert.Equal(t, "too_big", f.Reason)
	assert.Equal(t, wire.ValidationError, f.ErrorCode)
	assert.Contains(t, f.Hint, "max_depth")

	replies := []any{wire.SnapshotSubtreeResult{ScenePath: "res://a.tscn"}, wire.SnapshotSubtreeResult{ScenePath: "res://b.tscn"}}
	env := catalogtest.Env(cannedEditor(map[string]any{wire.CmdSnapshotSubtree: &replies}))
	succeed[snapshotOut](t, env, "godot_inspection_snapshot_subtree", `{}`)
	assert.Equal(t, "other_scene_active", call(t, env, "godot_inspection_diff_snapshots", `{"before_id":"s1"}`).Failure.Reason)
}

// A long difference comes in pages that compare the same two states.
func TestDiffPages(t *testing.T) {
	var many []wire.SnapshotNode
	for i := range 2000 {
		many = append(many, wire.SnapshotNode{Path: fmt.Sprintf("Node%d", i), Type: "Node"})
	}
	e := cannedEditor(map[string]any{wire.CmdSnapshotSubtree: &[]any{wire.SnapshotSubtreeResult{}, wire.SnapshotSubtreeResult{Nodes: many}}})
	env := catalogtest.Env(e)
	succeed[snapshotOut](t, env, "godot_inspection_snapshot_subtree", `{}`)
	first := succeed[diffOut](t, env, "godot_inspection_diff_snapshots", `{"before_id":"s1"}`)
	require.NotEmpty(t, first.AfterID)
	seen, next := len(first.Added), first.NextOffset
	for next > 0 {
		d := succeed[diffOut](t, env, "godot_inspection_diff_snapshots", fmt.Sprintf(`{"before_id":"s1","after_id":%q,"offset":%d}`, first.AfterID, next))
		seen, next = seen+len(d.Added), d.NextOffset
	}
	assert.Equal(t, len(many), seen)
	assert.Len(t, e.Sent(), 2)
}
