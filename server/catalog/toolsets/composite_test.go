package toolsets

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/catalogtest"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// richScene knows nodes N…; those that begin with "Bare" have no property
// except name, and those inside Inst are not saved.
func richScene() *recorder {
	e := &recorder{Editor: catalogtest.New()}
	verdict := func(path string) wire.Verdict {
		if strings.HasPrefix(path, "Inst/") {
			return wire.Verdict{Reason: wire.LossInstanceChild, Subject: "Inst", Source: "res://i.tscn"}
		}
		return wire.Verdict{Persisted: true}
	}
	catalogtest.On(e.Editor, wire.CmdGetActiveScene, func(wire.GetActiveScene) (any, error) {
		return wire.GetActiveSceneResult{IsOpen: true, Path: "res://m.tscn", Name: "Main"}, nil
	})
	catalogtest.On(e.Editor, wire.CmdSaveScene, func(p wire.SaveScene) (any, error) {
		return wire.SaveSceneResult{Path: p.Path, Saved: !p.DryRun}, nil
	})
	catalogtest.On(e.Editor, wire.CmdCreateNode, func(p wire.CreateNode) (any, error) {
		if p.Type == "Nod" {
			return nil, wire.Fail(wire.ReasonUnknownClass, "type", "Nod", "near", []string{"Node"})
		}
		path := strings.TrimPrefix(strings.ReplaceAll(p.ParentPath, ":made", "Hero")+"/"+p.Name, "./")
		return wire.NewNodeResult{NodePath: path, Name: p.Name, Type: p.Type, Properties: p.Properties, Verdict: verdict(path)}, nil
	})
	catalogtest.On(e.Editor, wire.CmdGetNodeProperty, func(p wire.GetNodeProperty) (any, error) {
		if p.NodePath == "Gone" {
			return nil, noNode
		}
		r := wire.GetNodePropertyResult{NodePath: p.NodePath, Property: p.Property, Exists: !strings.HasPrefix(p.NodePath, "Bare")}
		if strings.Contains(p.Property, ":") || p.Property == "speed" {
			r.Exists = false
		}
		if !r.Exists {
			r.Near = []string{"name"}
		}
		return r, nil
	})
	catalogtest.On(e.Editor, wire.CmdSetNodeProperty, func(p wire.SetNodeProperty) (any, error) {
		if string(p.Value) == `"bad"` {
			return nil, wire.Fail(wire.ReasonBadValue, "property", p.Property, "expected", "float")
		}
		return wire.SetNodePropertyResult{NodePath: p.NodePath, Property: p.Property, Value: p.Value, Changed: true, Verdict: verdict(p.NodePath)}, nil
	})
	catalogtest.On(e.Editor, wire.CmdDeleteNode, func(p wire.DeleteNode) (any, error) {
		return wire.DeleteNodeResult{NodePath: p.NodePath, Removed: 1, Verdict: wire.Verdict{Persisted: true}}, nil
	})
	catalogtest.On(e.Editor, wire.CmdGetNode, func(p wire.GetNode) (any, error) {
		if p.NodePath == "Gone" {
			return nil, noNode
		}
		return wire.GetNodeResult{TreeNode: wire.TreeNode{Path: p.NodePath, Name: p.NodePath, Type: "Node"}}, nil
	})
	return e
}

func TestComposeNode(t *testing.T) {
	e := richScene()
	args := `{"parent_path":".","node_type":"Area2D","node_name":"Hero","script_path":"res://h.gd","properties":{"z_index":2},"save":true,
		"children":[{"node_type":"Sprite2D","node_name":"Look","properties":{"visible":true}},{"node_type":"Timer","node_name":"T"}]%s}`
	out := succeed[composeNodeOut](t, catalogtest.Env(e), "godot_composite_compose_node", fmt.Sprintf(args, ""))
	assert.Equal(t, []string{
		`batch[cmd_transaction {"name":"Compose Hero","steps":[` +
			`{"command":"cmd_create_node","params":{"parent_path":".","type":"Area2D","name":"Hero","properties":{"z_index":2},"script_path":"res://h.gd","as":"made"}},` +
			`{"command":"cmd_create_node","params":{"parent_path":":made","type":"Sprite2D","name":"Look","properties":{"visible":true}}},` +
			`{"command":"cmd_create_node","params":{"parent_path":":made","type":"Timer","name":"T"}}]}; cmd_save_scene {}]`,
	}, wireText(t, e))
	assert.Equal(t, composeNodeOut{
		NodePath: "Hero", Created: true, Children: []string{"Hero/Look", "Hero/T"}, ScriptAttached: true, PropertiesSet: []string{"z_index"},
		saving: saving{Saved: true}, Edited: catalog.Edited{Undoable: true, Lasting: out.Lasting},
	}, out)
	assert.True(t, out.Persisted)

	preview := succeed[composeNodeOut](t, catalogtest.Env(e), "godot_composite_compose_node", fmt.Sprintf(args, `,"dry_run":true`))
	assert.True(t, preview.DryRun)
	assert.False(t, preview.Created || preview.Saved || preview.ScriptAttached)
	assert.Equal(t, out.Children, preview.Children)
	assert.Equal(t, wireText(t, e)[0]+"?", wireText(t, e)[1])
	assert.False(t, e.LastOrder().Changing)

	for _, save := range []string{"false", "true"} {
		f := call(t, catalogtest.Env(e), "godot_composite_compose_node", `{"parent_path":".","node_type":"Node","node_name":"A","children":[{"node_type":"Nod","node_name":"B"}],"save":`+save+`}`).Failure
		assert.Equal(t, "unknown_class", f.Reason)
		assert.Equal(t, 1, *f.Step)
		assert.Contains(t, f.Hint, "nothing of it was applied")
	}
}

// Inside a batch nodes can be composed, but a save is an entry of its own.
func TestComposeInsideABatch(t *testing.T) {
	e := richScene()
	batch := `{"commands":[{"command":"compose_node","params":{"parent_path":".","node_type":"Node","name":"Hero","children":[{"node_type":"Node","node_name":"C"}],"save":%t}},{"command":"save_scene"}]}`
	out := succeed[runCommandsOut](t, catalogtest.Env(e), "godot_composite_run_commands", fmt.Sprintf(batch, false))
	assert.True(t, out.OKAll)
	assert.Contains(t, string(out.Results[0].Result), `"children":["Hero/C"]`)
	f := call(t, catalogtest.Env(e), "godot_composite_run_commands", fmt.Sprintf(batch, true)).Failure
	assert.Equal(t, "call_directly", f.Reason)
	assert.Len(t, e.Sent(), 1)
}

// A save that failed never reads as success, and the edit never as failed.
func TestSaveAfterAnEditIsHonest(t *testing.T) {
	args := `{"parent_path":"Inst","node_type":"Node","names":["A"],"save":true%s}`
	fail := func(err error, extra string) batchCreateOut {
		e := richScene()
		catalogtest.On(e.Editor, wire.CmdSaveScene, func(wire.SaveScene) (any, error) { return wire.SaveSceneResult{}, err })
		return succeed[batchCreateOut](t, catalogtest.Env(e), "godot_composite_batch_create_nodes", fmt.Sprintf(args, extra))
	}
	out := fail(wire.Fail(wire.ReasonSceneHasNoPath), "")
	assert.Equal(t, []string{"Inst/A"}, out.Created)
	assert.False(t, out.Saved)
	assert.Equal(t, wire.PreconditionFailed, out.SaveError)
	assert.Contains(t, out.Hint, "not editable", "the verdict's hint stays")
	assert.Contains(t, out.Hint, "The edit is applied, but the scene is not saved.")

	assert.Contains(t, fail(wire.Fail(wire.ReasonDeadline, "command", "cmd_save_scene"), "").Hint, "whether the scene is saved is not known")
	assert.Equal(t, wire.InternalError, fail(nil, "").SaveError, "an editor that says not saved")
	assert.Contains(t, fail(wire.Fail(wire.ReasonSceneHasNoPath), `,"dry_run":true`).Hint, "could not be saved after this edit")
}

// B034: any number of nodes is one undo action.
func TestBatchCreateHasNoThreshold(t *testing.T) {
	for _, n := range []int{1, 19, 20, 21, 500, 3000} {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("A%d", i))
		}
		raw, err := json.Marshal(names)
		require.NoError(t, err)
		e := richScene()
		out := call(t, catalogtest.Env(e), "godot_composite_batch_create_nodes", `{"parent_path":".","node_type":"Node","names":`+string(raw)+`}`)
		require.Nil(t, out.Failure)
		assert.LessOrEqual(t, len(out.Structured), catalog.MaxAnswer)
		var got batchCreateOut
		require.NoError(t, json.Unmarshal(out.Structured, &got))
		assert.Equal(t, []string{wire.CmdTransaction}, e.Sent())
		assert.True(t, got.Undoable)
		assert.Equal(t, n, got.Count)
		assert.Equal(t, len(got.Created) < n, got.Truncated)
	}
	runCases(t, []toolCase{
		{tool: "godot_composite_batch_create_nodes", args: `{"parent_path":".","node_type":"Node","names":[]}`, sent: []string{}, fails: "out_of_range"},
	})
}

func TestApplyNodeEdits(t *testing.T) {
	e := richScene()
	out := succeed[applyEditsOut](t, catalogtest.Env(e), "godot_composite_apply_node_edits",
		`{"edits":[{"node_path":"A","properties":{"b":1,"a":2}},{"node_path":"Inst/C","properties":{"a":3}},{"node_path":"Bare","properties":{"a":4}}]}`)
	assert.Equal(t, []string{
		`batch[cmd_get_node_property {"node_path":"A","property":"a"}; cmd_get_node_property {"node_path":"A","property":"b"}; ` +
			`cmd_get_node_property {"node_path":"Inst/C","property":"a"}; cmd_get_node_property {"node_path":"Bare","property":"a"}]?`,
		`[cmd_set_node_property {"node_path":"A","property":"a","value":2}; cmd_set_node_property {"node_path":"A","property":"b","value":1}; ` +
			`cmd_set_node_property {"node_path":"Inst/C","property":"a","value":3}]`,
	}, wireText(t, e))
	assert.Equal(t, []editedNode{{"A", []string{"a", "b"}}, {"Inst/C", []string{"a"}}}, out.EditedNodes)
	assert.Equal(t, []skippedNode{{"Bare", "a", wire.ReasonNoProperty, []string{"name"}}}, out.Skipped)
	assert.Equal(t, 2, out.Count)
	assert.Equal(t, 1, out.SkippedCount)
	assert.True(t, out.Undoable)
	assert.False(t, out.Persisted)
	require.Len(t, out.Persistence, 2)
	assert.True(t, out.Persistence[0].Persisted)
	assert.Equal(t, wire.LossInstanceChild, out.Persistence[1].Reason)
	assert.Contains(t, out.Persistence[1].Hint, "Inst")
	assert.False(t, out.Saved)
}

// What an edit itself brings into being is not skipped: the editor judges it.
func TestEditsMaySetWhatTheyMakePossible(t *testing.T) {
	e := richScene()
	succeed[applyEditsOut](t, catalogtest.Env(e), "godot_composite_apply_node_edits",
		`{"edits":[{"node_path":"A","properties":{"speed":1,"script":"res://a.gd"}},{"node_path":"B","properties":{"shape:size":1,"shape":{"new":"RectangleShape2D"}}}]}`)
	assert.Equal(t, `[cmd_set_node_property {"node_path":"A","property":"script","value":"res://a.gd"}; cmd_set_node_property {"node_path":"A","property":"speed","value":1}; `+
		`cmd_set_node_property {"node_path":"B","property":"shape","value":{"new":"RectangleShape2D"}}; cmd_set_node_property {"node_path":"B","property":"shape:size","value":1}]`, wireText(t, e)[1])
}

func TestApplyNodeEditsFails(t *testing.T) {
	e := richScene()
	env := catalogtest.Env(e)
	assert.Equal(t, "node_not_found", call(t, env, "godot_composite_apply_node_edits", `{"edits":[{"node_path":"Gone","properties":{"a":1}}]}`).Failure.Reason)
	assert.Equal(t, []string{wire.CmdRunCommands}, e.Sent())
	f := call(t, env, "godot_composite_apply_node_edits", `{"edits":[{"node_path":"A","properties":{"a":1,"b":"bad"}}]}`).Failure
	assert.Equal(t, "bad_value", f.Reason)
	assert.Equal(t, 1, *f.Step)
	out := succeed[applyEditsOut](t, env, "godot_composite_apply_node_edits", `{"edits":[{"node_path":"Bare","properties":{"a":1}}],"save":true}`)
	assert.Zero(t, out.Count)
	assert.False(t, out.Undoable)
	assert.False(t, out.Saved)
	assert.Contains(t, out.Hint, "no property")
	f = call(t, env, "godot_composite_apply_node_edits", `{"edits":[{"node_path":"A:x","properties":{"a":1}}]}`).Failure
	assert.Equal(t, "edits[0].node_path", f.Required)
}

// B001: every entry obeys its own tool before the first byte goes out.
func TestRunCommandsPolicy(t *testing.T) {
	e := richScene()
	env := catalogtest.Env(e)
	run := func(args string) catalog.Outcome { return call(t, env, "godot_composite_run_commands", args) }
	create := `{"command":"create_node","params":{"parent_path":".","node_type":"Node","node_name":"A"}}`
	for entry, reason := range map[string]string{
		`{"command":"delete_node","params":{"node_path":"A"}}`:                              "confirm",
		`{"command":"cmd_attach_script","params":{"node_path":"A","script_path":"/etc/x"}}`: "bad_res_path",
		`{"command":"composite_run_commands","params":{"commands":[]}}`:                     "nested_batch",
		`{"command":"diff_snapshots","params":{"before_id":"s1"}}`:                          "call_directly",
		`{"command":"delete_nodes"}`:                                                        "unknown_entry",
		`{"command":"create_node","params":{"node":1}}`:                                     "unknown_argument",
	} {
		f := run(`{"commands":[` + create + `,` + entry + `]}`).Failure
		if assert.NotNil(t, f, entry) {
			assert.Equal(t, reason, f.Reason, entry)
			assert.Equal(t, 1, f.Details["failed_index"], entry)
		}
	}
	env.Gate.Toolsets, _ = safety.NewToolsets(catalog.ToolsetNames(), []string{"composite"}, false)
	assert.Equal(t, "toolset", run(`{"commands":[`+create+`]}`).Failure.Reason)
	assert.Empty(t, e.Sent())
}

func TestRunCommands(t *testing.T) {
	commands := `{"commands":[
		{"command":"godot_scene_edit_create_node","params":{"parent_path":".","node_type":"Node","name":"A"}},
		{"command":"cmd_get_node_properties","params":{"node_path":"Gone"}},
		{"command":"scene_edit_delete_node","params":"{\"node_path\":\"B\",\"confirm\":true}"}]%s}`
	e := richScene()
	env := catalogtest.Env(e)
	out := succeed[runCommandsOut](t, env, "godot_composite_run_commands", fmt.Sprintf(commands, ""))
	assert.Equal(t, []string{`batch[cmd_transaction {"name":"Create A","steps":[{"command":"cmd_create_node","params":{"parent_path":".","type":"Node","name":"A"}}]}; cmd_get_node {"node_path":"Gone"}; cmd_transaction {"name":"Delete B","steps":[{"command":"cmd_delete_node","params":{"node_path":"B"}}]}]`}, wireText(t, e))
	assert.False(t, out.OKAll)
	assert.Equal(t, 2, out.Count)
	assert.Equal(t, 1, *out.AbortedAt)
	assert.Equal(t, 1, *out.SkippedCount)
	assert.Contains(t, out.Hint, "did not run")
	assert.Contains(t, string(out.Results[0].Result), `"created":true`)
	assert.Equal(t, "node_not_found", out.Results[1].Reason)
	assert.Equal(t, []int{1}, out.Failed)

	out = succeed[runCommandsOut](t, env, "godot_composite_run_commands", fmt.Sprintf(commands, `,"stop_on_error":false`))
	assert.Equal(t, 3, out.Count)
	assert.Nil(t, out.AbortedAt)
	assert.Empty(t, out.Hint)
	assert.True(t, out.Results[2].OK)

	out = succeed[runCommandsOut](t, env, "godot_composite_run_commands", `{"dry_run":true,"commands":[{"command":"delete_node","params":{"node_path":"B"}}]}`)
	assert.Equal(t, []string{"godot_scene_edit_delete_node"}, out.Planned)
	assert.Contains(t, string(out.Results[0].Result), `"dry_run":true`)
	assert.True(t, strings.HasSuffix(wireText(t, e)[2], "]?"))
	assert.False(t, e.LastOrder().Changing)

	succeed[runCommandsOut](t, env, "godot_composite_run_commands", `{"commands":[{"command":"get_node_properties","params":{"node_path":"A"}}]}`)
	assert.False(t, e.LastOrder().Changing, "reads change nothing")
}

func TestRunCommandsAnswerIsBounded(t *testing.T) {
	for _, n := range []int{100, 1000} {
		var entries []string
		for range n {
			entries = append(entries, `{"command":"get_node_properties","params":{"node_path":"A"}}`)
		}
		entries[n-1] = `{"command":"get_node_properties","params":{"node_path":"Gone"}}`
		for _, extra := range []string{"", `,"dry_run":true`} {
			out := call(t, catalogtest.Env(richScene()), "godot_composite_run_commands", `{"commands":[`+strings.Join(entries, ",")+`]`+extra+`}`)
			require.Nil(t, out.Failure)
			assert.LessOrEqual(t, len(out.Structured), catalog.MaxAnswer)
			var got runCommandsOut
			require.NoError(t, json.Unmarshal(out.Structured, &got))
			assert.Equal(t, n, got.Count)
			assert.True(t, got.Truncated || n == 100)
			assert.Equal(t, []int{n - 1}, got.Failed)
		}
	}
}
