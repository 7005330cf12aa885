package toolsets

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/catalogtest"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

func sceneEditor() *catalogtest.Editor {
	e := catalogtest.New()
	catalogtest.On(e, wire.CmdGetActiveScene, func(wire.GetActiveScene) (any, error) {
		return wire.GetActiveSceneResult{IsOpen: true, Name: "Main"}, nil
	})
	catalogtest.On(e, wire.CmdCreateNode, func(p wire.CreateNode) (any, error) {
		return wire.NewNodeResult{NodePath: p.Name, Name: p.Name, Type: p.Type, Properties: p.Properties, Verdict: wire.Verdict{Persisted: true}}, nil
	})
	catalogtest.On(e, wire.CmdSetNodeProperty, func(p wire.SetNodeProperty) (any, error) {
		if p.NodePath == "Gone" {
			return nil, wire.Fail(wire.ReasonNodeNotFound, "path", "Gone", "near", []string{"Gun"})
		}
		v := wire.Verdict{Persisted: true}
		if p.NodePath == "Inst/Child" {
			v = wire.Verdict{Reason: wire.LossInstanceChild, Subject: "Inst", Source: "res://inst.tscn"}
		}
		return wire.SetNodePropertyResult{NodePath: p.NodePath, Property: p.Property, Value: p.Value, Previous: json.RawMessage("null"), Verdict: v}, nil
	})
	catalogtest.On(e, wire.CmdDeleteNode, func(p wire.DeleteNode) (any, error) {
		return wire.DeleteNodeResult{NodePath: p.NodePath, Removed: 2, Verdict: wire.Verdict{Persisted: true}}, nil
	})
	return e
}

func TestCreateNodeIsOneTransaction(t *testing.T) {
	e := sceneEditor()
	out := succeed[createNodeOut](t, catalogtest.Env(e), "godot_scene_edit_create_node",
		`{"parent_path":"","node_type":"Sprite2D","node_name":"A","properties":{"z_index":9007199254740993},"groups":"enemies","script_path":"res://a//b.gd"}`)
	assert.True(t, out.Created)
	assert.True(t, out.Persisted)
	assert.Equal(t, "9007199254740993", string(out.Properties["z_index"]))
	assert.Equal(t, []string{wire.CmdTransaction}, e.Sent())
	var tx wire.Transaction
	require.NoError(t, json.Unmarshal(e.Last().Params, &tx))
	assert.Equal(t, "Create A", tx.Name)
	assert.JSONEq(t, `{"parent_path":".","type":"Sprite2D","name":"A","properties":{"z_index":9007199254740993},"script_path":"res://a/b.gd","groups":["enemies"]}`, string(tx.Steps[0].Params))
}

func TestPreviewIsTheSameCommandWithDryRun(t *testing.T) {
	e := sceneEditor()
	out := succeed[createNodeOut](t, catalogtest.Env(e), "godot_scene_edit_create_node", `{"parent_path":".","node_type":"Node","node_name":"A","dry_run":true}`)
	assert.False(t, out.Created)
	assert.True(t, out.DryRun)
	assert.Contains(t, string(e.Last().Params), `"dry_run":true`)
	assert.False(t, e.LastOrder().Changing)
}

// Without confirm nothing is sent, also not inside a batch; a preview needs none.
func TestDeleteNeedsConfirm(t *testing.T) {
	e := sceneEditor()
	env := catalogtest.Env(e)
	f := call(t, env, "godot_scene_edit_delete_node", `{"node_path":"/root/Main/A"}`).Failure
	assert.Equal(t, "confirm", f.Required)
	assert.Empty(t, e.Sent())
	assert.True(t, succeed[deleteNodeOut](t, env, "godot_scene_edit_delete_node", `{"node_path":"A","dry_run":true}`).DryRun)
	assert.True(t, succeed[deleteNodeOut](t, env, "godot_scene_edit_delete_node", `{"node_path":"A","confirm":true}`).Deleted)
}

func TestVerdictComesWithAHint(t *testing.T) {
	out := succeed[setNodePropertyOut](t, catalogtest.Env(sceneEditor()), "godot_scene_edit_set_node_property", `{"node_path":"Inst/Child","property":"position","value":{"x":1,"y":2}}`)
	assert.False(t, out.Persisted)
	assert.Equal(t, wire.LossInstanceChild, out.Reason)
	assert.Contains(t, out.Hint, "Inst")
	assert.Contains(t, out.Hint, "res://inst.tscn")
	assert.JSONEq(t, `{"x":1,"y":2}`, string(out.Value))
}

func TestEditorFailuresKeepTheirReason(t *testing.T) {
	f := call(t, catalogtest.Env(sceneEditor()), "godot_scene_edit_set_node_property", `{"node_path":"Gone","property":"a","value":null}`).Failure
	assert.Equal(t, "node_not_found", f.Reason)
	assert.Equal(t, "node_exists", f.Required)
	assert.Contains(t, f.Hint, "Gun")
	assert.Nil(t, f.Step)
}

// Paths as models invent them; only the editor knows the root's name.
func TestNodePathsAreNormalised(t *testing.T) {
	for in, want := range map[string]string{"": ".", "/": ".", "/root": ".", "/root/Main": ".", "/root/Main/A": "A", "/A": "A", "A/../B": "B", "./A": "A"} {
		e := sceneEditor()
		args, err := json.Marshal(map[string]any{"node_path": in, "property": "p", "value": 1})
		require.NoError(t, err)
		out := succeed[setNodePropertyOut](t, catalogtest.Env(e), "godot_scene_edit_set_node_property", string(args))
		assert.Equal(t, want, out.NodePath, in)
	}
}

func TestBadPathsAreNeverSent(t *testing.T) {
	for _, path := range []string{"main.tscn", "/etc/passwd", `C:\\x`, "res://../x", "res://a/../../x", "res://%2e%2e/x", "user://x"} {
		e := sceneEditor()
		f := call(t, catalogtest.Env(e), "godot_scene_edit_create_node", `{"parent_path":".","node_type":"Node","node_name":"A","script_path":"`+path+`"}`).Failure
		if assert.NotNil(t, f, path) {
			assert.Equal(t, wire.ValidationError, f.ErrorCode)
			assert.Equal(t, "script_path", f.Required)
		}
		assert.Empty(t, e.Sent())
	}
	e := sceneEditor()
	assert.Equal(t, "bad_node_path_form", call(t, catalogtest.Env(e), "godot_scene_edit_delete_node", `{"node_path":"../A","confirm":true}`).Failure.Reason)
	assert.Empty(t, e.Sent())
}

func TestLostAnswersOfEditsAreUncertain(t *testing.T) {
	e := sceneEditor()
	catalogtest.On(e, wire.CmdTransaction, func(wire.Transaction) (any, error) {
		return nil, wire.Fail(wire.ReasonDeadline, "command", "cmd_transaction", "seconds", 10)
	})
	f := call(t, catalogtest.Env(e), "godot_scene_edit_create_node", `{"parent_path":".","node_type":"Node","node_name":"A"}`).Failure
	assert.True(t, f.MayHaveApplied)
	assert.Equal(t, "uncertain", string(f.Code))
	f = call(t, catalogtest.Env(e), "godot_scene_edit_create_node", `{"parent_path":".","node_type":"Node","node_name":"A","dry_run":true}`).Failure
	assert.False(t, f.MayHaveApplied)
}

func TestBatchEntriesObeyTheirOwnTool(t *testing.T) {
	e := sceneEditor()
	env := catalogtest.Env(e)
	c := &catalog.Call{Env: env, Catalog: testCatalog}
	prepare := func(command, params string) (*catalog.Entry, string) {
		entries, _, f := c.PrepareEntries(t.Context(), []catalog.EntryCall{{Command: command, Params: json.RawMessage(params)}})
		if f != nil {
			return nil, f.Reason
		}
		return entries[0], ""
	}
	for _, name := range []string{"cmd_create_node", "godot_scene_edit_create_node", "scene_edit_create_node", "create_node"} {
		entry, reason := prepare(name, `{"parent_path":".","node_type":"Node","name":"A"}`)
		require.Empty(t, reason, name)
		assert.Equal(t, wire.CmdTransaction, entry.Ready.Command)
		assert.Contains(t, string(entry.Ready.Params), `"name":"Create A"`)
	}
	_, reason := prepare("delete_node", `{"node_path":"A"}`)
	assert.Equal(t, "confirm", reason)
	_, reason = prepare("create_node", `{"parent_path":".","node_type":"Node","node_name":"A","script_path":"/etc/passwd"}`)
	assert.Equal(t, "bad_res_path", reason)
	_, reason = prepare("health_check", `{}`)
	assert.Equal(t, "call_directly", reason)
	_, reason = prepare("creat_node", `{}`)
	assert.Equal(t, "unknown_entry", reason)
	c.DryRun = true
	entry, reason := prepare("delete_node", `{"node_path":"A"}`)
	require.Empty(t, reason)
	out, f := entry.Result(json.RawMessage(`{"results":[{"node_path":"A","removed":1,"persisted":true}],"committed":false,"undoable":true}`))
	require.Nil(t, f)
	assert.Contains(t, string(out), `"dry_run":true`)
	c.DryRun = false
	env.Gate = safety.NewGate(safety.Core, safety.ModeReadOnly, env.Gate.Toolsets)
	_, reason = prepare("create_node", `{"parent_path":".","node_type":"Node","node_name":"A"}`)
	assert.Equal(t, "profile", reason)
	assert.Empty(t, e.Sent())
}

// All entries are checked before the first one may cost even a read.
func TestBatchSendsNothingWhenAnyEntryIsRefused(t *testing.T) {
	e := sceneEditor()
	f := call(t, catalogtest.Env(e), "godot_composite_run_commands", `{"commands":[
		{"command":"create_node","params":{"parent_path":"/root/Main/A","node_type":"Node","node_name":"A"}},
		{"command":"delete_node","params":{"node_path":"A"}}]}`).Failure
	assert.Equal(t, "confirm", f.Required)
	assert.EqualValues(t, 1, f.Details["failed_index"])
	assert.Empty(t, e.Sent())
}

func TestValuesNameNoFileOutsideTheProject(t *testing.T) {
	for _, value := range []string{`{"resource":"user://x.tres"}`, `{"new":"AtlasTexture","properties":{"atlas":{"resource":"/etc/passwd"}}}`, `"res://../x.png"`} {
		e := sceneEditor()
		f := call(t, catalogtest.Env(e), "godot_scene_edit_set_node_property", `{"node_path":"A","property":"texture","value":`+value+`}`).Failure
		if assert.NotNil(t, f, value) {
			assert.Equal(t, "bad_res_path", f.Reason)
		}
		f = call(t, catalogtest.Env(e), "godot_scene_edit_create_node", `{"parent_path":".","node_type":"Node","node_name":"A","properties":{"texture":`+value+`}}`).Failure
		assert.NotNil(t, f, value)
		assert.Empty(t, e.Sent())
	}
}

// No tool runs what a caller writes: the names of arguments that would carry
// code, an expression or a method to call are not among those there are. What
// connect_signal names is called by the game, and a script's content is a file.
func TestNoToolRunsWhatACallerWrites(t *testing.T) {
	suspicious := regexp.MustCompile(`(?i)code|eval|expression|script_source|source_code|shell|exec|command_line|method|callable|function`)
	reviewed := []string{"godot_scene_edit_connect_signal.method_name", "godot_scene_edit_disconnect_signal.method_name"}
	for _, tool := range testCatalog.Tools() {
		// The report runs the project, whose code it is.
		assert.Equal(t, tool.Handler == "debug_workflow", tool.ExecutesCode, "%s runs code", tool.Name)
		var schema struct {
			Properties map[string]any `json:"properties"`
		}
		require.NoError(t, json.Unmarshal(tool.InputSchema(), &schema))
		for name := range schema.Properties {
			if suspicious.MatchString(name) {
				assert.Contains(t, reviewed, tool.Name+"."+name)
			}
		}
	}
}
