package toolsets

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/catalogtest"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

var testCatalog = Catalog()

// call runs a tool and holds its answer against its output schemas.
func call(t *testing.T, env *catalog.Env, name, args string) catalog.Outcome {
	t.Helper()
	tool, ok := testCatalog.Tool(name)
	require.True(t, ok, name)
	out := testCatalog.Call(t.Context(), env, tool, json.RawMessage(args))
	published := tool.OutputSchema()
	if out.Failure != nil {
		valid(t, published, out.Failure.JSON())
		return out
	}
	valid(t, published, out.Structured)
	strict, err := catalog.StrictOutput(tool).MarshalJSON()
	require.NoError(t, err)
	valid(t, strict, out.Structured)
	return out
}

func valid(t *testing.T, schema, value json.RawMessage) {
	t.Helper()
	var js jsonschema.Schema
	require.NoError(t, json.Unmarshal(schema, &js))
	resolved, err := js.Resolve(nil)
	require.NoError(t, err)
	var v map[string]any
	require.NoError(t, json.Unmarshal(value, &v), string(value))
	require.NoError(t, resolved.Validate(v), string(value))
}

func succeed[Out any](t *testing.T, env *catalog.Env, name, args string) Out {
	t.Helper()
	out := call(t, env, name, args)
	require.Nil(t, out.Failure, "%v", out.Failure)
	var v Out
	require.NoError(t, json.Unmarshal(out.Structured, &v))
	return v
}

func TestHealthCheckWorksWithoutAnEditor(t *testing.T) {
	out := succeed[healthOut](t, catalogtest.Env(&catalogtest.Editor{}), "godot_health_check", ``)
	assert.False(t, out.BridgeConnected)
	assert.NotEmpty(t, out.Hint)
	out = succeed[healthOut](t, catalogtest.Env(catalogtest.New()), "godot_health_check", `{}`)
	assert.True(t, out.EditorAnswers)
	assert.Empty(t, out.Hint)
}

func TestServerInfo(t *testing.T) {
	e := catalogtest.New()
	catalogtest.On(e, wire.CmdGetProjectInfo, func(wire.GetProjectInfo) (any, error) {
		return wire.GetProjectInfoResult{Name: "Game", CSharp: true}, nil
	})
	catalogtest.On(e, wire.CmdGetActiveScene, func(wire.GetActiveScene) (any, error) {
		return wire.GetActiveSceneResult{IsOpen: true, Path: "res://main.tscn", Name: "Main", RootType: "Node2D"}, nil
	})
	out := succeed[serverInfoOut](t, catalogtest.Env(e), "godot_get_server_info", ``)
	assert.Equal(t, 1, out.ContractVersion)
	assert.True(t, out.Bridge.Backend.CSharpSupported)
	assert.Equal(t, "res://main.tscn", out.ActiveScene.Path)
	assert.Empty(t, out.AddonDriftWarning)
	assert.NotEmpty(t, out.NextSteps)

	h, _ := e.Hello()
	h.Commands = h.Commands[2:]
	e.SetHello(&h)
	assert.Contains(t, succeed[serverInfoOut](t, catalogtest.Env(e), "godot_get_server_info", ``).AddonDriftWarning, "cmd_add_to_group")
	e.SetHello(nil)
	out = succeed[serverInfoOut](t, catalogtest.Env(e), "godot_get_server_info", ``)
	assert.Nil(t, out.ActiveScene)
	assert.False(t, out.Bridge.Connected)
}

func TestEnableToolsetGivesSchemas(t *testing.T) {
	e := catalogtest.New()
	env := catalogtest.Env(e)
	env.Gate.Toolsets, _ = safety.NewToolsets(catalog.ToolsetNames(), catalog.DefaultToolsets(), false)
	refused := call(t, env, "godot_scene_edit_create_node", `{"parent_path":".","node_type":"Node","node_name":"A"}`)
	assert.Equal(t, "toolset", refused.Failure.Required)
	assert.Contains(t, refused.Failure.Hint, "scene_edit")

	out := succeed[enableToolsetOut](t, env, "godot_enable_toolset", `{"category":"scene_edit"}`)
	assert.True(t, out.Enabled)
	assert.True(t, out.Changed)
	assert.Contains(t, string(out.Tools[0].InputSchema), `"type":"object"`)
	assert.Empty(t, out.Withheld)
	assert.True(t, succeed[disableToolsetOut](t, env, "godot_disable_toolset", `{"category":"scene_edit"}`).Changed)

	assert.Equal(t, "core_toolset", call(t, env, "godot_enable_toolset", `{"category":"core"}`).Failure.Reason)
	near := call(t, env, "godot_enable_toolset", `{"category":"scene_edits"}`).Failure
	assert.Equal(t, "unknown_toolset", near.Reason)
	assert.Contains(t, near.Hint, "scene_edit")

	// A gated toolset fails closed without an editor of a known version.
	e.SetHello(nil)
	assert.Equal(t, "bridge_connected", call(t, env, "godot_enable_toolset", `{"category":"scene_edit"}`).Failure.Required)
	e.SetHello(&wire.Hello{GodotVersion: "4.3.stable"})
	assert.Equal(t, "godot_version", call(t, env, "godot_enable_toolset", `{"category":"scene_edit"}`).Failure.Required)
}

func TestEnablingNeverGoesPastTheProfile(t *testing.T) {
	env := catalogtest.Env(catalogtest.New())
	env.Gate = safety.NewGate(safety.Core, safety.ModeReadOnly, env.Gate.Toolsets)
	out := succeed[enableToolsetOut](t, env, "godot_enable_toolset", `{"category":"scene_edit"}`)
	assert.Contains(t, out.Withheld, "godot_scene_edit_create_node")
	assert.Contains(t, out.Hint, "--profile")
	for _, tool := range out.Tools {
		assert.Equal(t, safety.ReadOnly, tool.Class)
	}
}

func TestUndoEachModeFillsOnlyItsFields(t *testing.T) {
	e := catalogtest.New()
	catalogtest.On(e, wire.CmdUndo, func(p wire.Undo) (any, error) {
		if p.DryRun {
			return wire.HistoryMoveResult{Requested: p.Count, Available: true, Next: "MCP: Create A"}, nil
		}
		return wire.HistoryMoveResult{Requested: p.Count, Done: 0, StoppedBy: wire.ReasonHumanEdit, Next: "Move Node", Available: true}, nil
	})
	env := catalogtest.Env(e)
	preview := string(call(t, env, "godot_undo", `{"dry_run":"True","count":"2"}`).Structured)
	assert.JSONEq(t, `{"dry_run":true,"requested":2,"has_undo":true,"would_undo_next":"MCP: Create A"}`, preview)
	real := succeed[undoOut](t, env, "godot_undo", ``)
	assert.Equal(t, 0, *real.Undone)
	assert.False(t, *real.NothingToUndo)
	assert.Nil(t, real.HasUndo)
	assert.Contains(t, real.Hint, "Move Node")
	assert.Equal(t, "count", call(t, env, "godot_undo", `{"count":0}`).Failure.Required)
}

func TestDescribeClassPages(t *testing.T) {
	e := catalogtest.New()
	catalogtest.On(e, wire.CmdDescribeClass, func(p wire.DescribeClass) (any, error) {
		r := wire.DescribeClassResult{ClassName: p.ClassName}
		for range 400 {
			r.Methods = append(r.Methods, wire.ClassMethod{Name: "a_method_with_a_name", Args: []string{"argument: Variant"}, ReturnType: "void"})
		}
		r.Signals = []wire.SignalInfo{{Name: "done", Args: []string{}}}
		return r, nil
	})
	env := catalogtest.Env(e)
	seen, offset := 0, 0
	for {
		args, err := json.Marshal(map[string]any{"class_name": "Node", "offset": offset})
		require.NoError(t, err)
		raw := call(t, env, "godot_describe_class", string(args))
		require.LessOrEqual(t, len(raw.Structured), catalog.MaxAnswer)
		var out describeClassOut
		require.NoError(t, json.Unmarshal(raw.Structured, &out))
		seen += out.Returned
		if !out.Truncated {
			assert.Len(t, out.Signals, 1)
			break
		}
		offset = out.NextOffset
	}
	assert.Equal(t, 401, seen)
}

func TestReadResource(t *testing.T) {
	e := catalogtest.New()
	catalogtest.On(e, wire.CmdGetSceneTree, func(p wire.GetSceneTree) (any, error) {
		var r wire.GetSceneTreeResult
		for range p.Limit {
			r.Nodes = append(r.Nodes, wire.TreeNode{Path: "A/Node", Name: "Node", Type: "Node2D", Depth: p.MaxDepth})
		}
		r.Total = 10_000
		return r, nil
	})
	catalogtest.On(e, wire.CmdGetSelectedNodes, func(wire.GetSelectedNodes) (any, error) {
		return wire.GetSelectedNodesResult{Selected: []wire.GetNodeResult{{Groups: []string{strings.Repeat("x", 40_000)}}}, Count: 1}, nil
	})
	env := catalogtest.Env(e)
	var tree sceneTreeResource
	out := succeed[readResourceOut](t, env, "godot_read_resource", `{"uri":"godot://scene/tree/2"}`)
	require.NoError(t, json.Unmarshal(out.Content, &tree))
	assert.True(t, tree.Truncated)
	assert.Equal(t, 2, tree.Nodes[0].Depth)
	assert.LessOrEqual(t, len(out.Content), catalog.MaxAnswer)
	selected := succeed[readResourceOut](t, env, "godot_read_resource", `{"uri":"godot://node/selected"}`)
	assert.Contains(t, string(selected.Content), `"truncated":true`)
	for _, bad := range []string{"godot://nope", "godot://scene/tree/x", "godot://scene/tree/-2", "file:///etc/passwd"} {
		assert.Equal(t, "unknown_resource", call(t, env, "godot_read_resource", `{"uri":"`+bad+`"}`).Failure.Reason)
	}
}

func TestDebugWorkflowDegrades(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := succeed[debugOut](t, catalogtest.Env(&catalogtest.Editor{}), "godot_debug_workflow", ``)
		assert.NotEmpty(t, out.Parse.SkippedReason)
		assert.NotEmpty(t, out.RunSkipped)
		assert.False(t, out.Parse.OK)

		e := catalogtest.New()
		catalogtest.On(e, wire.CmdGetSceneTree, func(wire.GetSceneTree) (any, error) { return wire.GetSceneTreeResult{}, nil })
		catalogtest.On(e, wire.CmdGetScanState, func(wire.GetScanState) (any, error) { return wire.ScanState{Scanning: true}, nil })
		catalogtest.On(e, wire.CmdListFiles, func(wire.ListFiles) (any, error) {
			return wire.ListFilesResult{Files: []string{"res://a.gd", "res://b.gd"}, Total: 2}, nil
		})
		polls := 0
		catalogtest.On(e, wire.CmdCheckScript, func(p wire.CheckScript) (any, error) {
			polls++
			if polls < 3 {
				return wire.CheckScriptResult{Path: p.Path, Reason: wire.ReasonDiagnostics}, nil
			}
			return wire.CheckScriptResult{Path: p.Path, Ready: true, Errors: []wire.ScriptError{{Line: 3, Message: "bad"}}}, nil
		})
		out = succeed[debugOut](t, catalogtest.Env(e), "godot_debug_workflow", `{"scene":"res://main.tscn"}`)
		assert.True(t, out.Parse.RescanPending)
		assert.Equal(t, 2, out.Parse.Checked)
		assert.Contains(t, out.Findings, "parse error: res://a.gd:3 bad")
		assert.Contains(t, out.RunSkipped, "GODOT_MCP_GODOT_BIN")
	})
}

func TestToolsBySafetyClassListsWhatCanBeCalled(t *testing.T) {
	env := catalogtest.Env(catalogtest.New())
	env.Gate = safety.NewGate(safety.Core, safety.ModeReadOnly, env.Gate.Toolsets)
	out := succeed[classesOut](t, env, "godot_list_tools_by_safety_class", ``)
	assert.Empty(t, out.Mutating)
	assert.Contains(t, out.ReadOnly, "godot_health_check")
	assert.Positive(t, out.NotExposed)
}

func TestCancelledCallSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tool, _ := testCatalog.Tool("godot_list_history")
	out := testCatalog.Call(ctx, catalogtest.Env(catalogtest.New()), tool, nil)
	assert.Equal(t, wire.Cancelled, out.Failure.ErrorCode)
}
