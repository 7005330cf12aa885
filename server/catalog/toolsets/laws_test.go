package toolsets

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/catalogtest"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// sampleArgs is a good call of every tool outside core, without confirm.
var sampleArgs = map[string]string{
	"godot_inspection_get_project_info":        `{}`,
	"godot_inspection_get_active_scene":        `{}`,
	"godot_inspection_list_scenes":             `{}`,
	"godot_inspection_get_scene_tree":          `{"node_path":"A"}`,
	"godot_inspection_get_selected_node":       `{}`,
	"godot_inspection_get_node_properties":     `{"node_path":"A"}`,
	"godot_inspection_get_node_property":       `{"node_path":"A","property":"p"}`,
	"godot_inspection_get_node_property_list":  `{"node_path":"A"}`,
	"godot_inspection_get_node_groups":         `{"node_path":"A"}`,
	"godot_inspection_snapshot_subtree":        `{"node_path":"A"}`,
	"godot_inspection_diff_snapshots":          `{"before_id":"s1","node_path":"A"}`,
	"godot_scene_edit_create_node":             `{"parent_path":"A","node_type":"Node","node_name":"B","script_path":"res://a.gd"}`,
	"godot_scene_edit_set_node_property":       `{"node_path":"A","property":"p","value":1}`,
	"godot_scene_edit_delete_node":             `{"node_path":"A"}`,
	"godot_scene_edit_rename_node":             `{"node_path":"A","new_name":"B"}`,
	"godot_scene_edit_duplicate_node":          `{"node_path":"A"}`,
	"godot_scene_edit_move_node":               `{"node_path":"A","new_parent_path":"B"}`,
	"godot_scene_edit_instance_scene":          `{"parent_path":"A","scene_path":"res://a.tscn"}`,
	"godot_scene_edit_set_editable_children":   `{"node_path":"A"}`,
	"godot_scene_edit_extract_scene":           `{"node_path":"A","scene_path":"res://a.tscn"}`,
	"godot_scene_edit_attach_script":           `{"node_path":"A","script_path":"res://a.gd"}`,
	"godot_scene_edit_add_to_group":            `{"node_path":"A","group":"g"}`,
	"godot_scene_edit_remove_from_group":       `{"node_path":"A","group":"g"}`,
	"godot_scene_edit_connect_signal":          `{"source_path":"A","signal_name":"s","target_path":"B","method_name":"m"}`,
	"godot_scene_edit_disconnect_signal":       `{"source_path":"A","signal_name":"s","target_path":"B","method_name":"m"}`,
	"godot_scene_edit_list_signal_connections": `{"node_path":"A"}`,
	"godot_scene_edit_save_scene":              `{"scene_path":"res://a.tscn"}`,
	"godot_scene_edit_save_all_scenes":         `{}`,
	"godot_scene_edit_create_scene":            `{"scene_path":"res://a.tscn","root_type":"Node"}`,
	"godot_scene_edit_open_scene":              `{"scene_path":"res://a.tscn"}`,
	"godot_scene_edit_close_scene":             `{"scene_path":"res://a.tscn"}`,
	"godot_scene_edit_reload_scene":            `{"scene_path":"res://a.tscn"}`,
	"godot_scene_edit_list_open_scenes":        `{}`,
	"godot_scene_edit_select_nodes":            `{"node_paths":["A"]}`,
	"godot_scene_edit_rescan_filesystem":       `{}`,
	"godot_composite_compose_node":             `{"parent_path":"A","node_type":"Node","node_name":"B","script_path":"res://a.gd","save":true}`,
	"godot_composite_batch_create_nodes":       `{"parent_path":"A","node_type":"Node","names":["B"],"save":true}`,
	"godot_composite_apply_node_edits":         `{"edits":[{"node_path":"A","properties":{"p":1}}],"save":true}`,
	"godot_composite_run_commands":             `{"commands":[{"command":"rename_node","params":{"node_path":"A","new_name":"B"}}]}`,
	"godot_batch_find_nodes_by_type":           `{"node_type":"Node","parent_path":"A"}`,
	"godot_batch_set_property":                 `{"property":"p","value":1,"node_paths":["A"]}`,
	"godot_batch_cross_scene_set_property":     `{"scenes":["res://a.tscn"],"node_type":"Node","property":"p","value":1}`,
	"godot_batch_get_dependencies":             `{"path":"res://a.tscn"}`,
	"godot_scripts_read":                       `{"script_path":"res://a.gd"}`,
	"godot_scripts_list":                       `{"directory":"res://"}`,
	"godot_scripts_get_for_node":               `{"node_path":"A"}`,
	"godot_scripts_write":                      `{"script_path":"res://a.gd","content":"x"}`,
	"godot_scripts_patch":                      `{"script_path":"res://a.gd","find":"b","replace":"c"}`,
	"godot_scripts_get_parse_errors":           `{"script_path":"res://a.gd"}`,
}

// blandEditor answers every command with as little as it may.
func blandEditor() *recorder {
	e := &recorder{Editor: catalogtest.New()}
	special := map[string]string{
		wire.CmdReadFile:        `{"content":"abc"}`,
		wire.CmdGetNodeProperty: `{"exists":true}`,
		wire.CmdCheckScript:     `{"ready":true}`,
	}
	for _, c := range wire.Commands {
		if c.Name == wire.CmdTransaction || c.Name == wire.CmdRunCommands {
			continue // these run their parts
		}
		reply := json.RawMessage(special[c.Name])
		if len(reply) == 0 {
			reply = json.RawMessage(`{}`)
		}
		catalogtest.On(e.Editor, c.Name, func(json.RawMessage) (any, error) { return reply, nil })
	}
	return e
}

// blandEnv has one snapshot, s1.
func blandEnv(e *recorder) *catalog.Env {
	env := catalogtest.Env(e)
	env.Snapshots.Put(snapshot{})
	return env
}

func with(args, name, value string) string {
	var m map[string]json.RawMessage
	if err := json.Unmarshal([]byte(args), &m); err != nil {
		panic(err)
	}
	m[name] = json.RawMessage(value)
	raw, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func TestEveryToolHasASample(t *testing.T) {
	for _, tool := range testCatalog.Tools() {
		if tool.Toolset != safety.CoreToolset {
			assert.Contains(t, sampleArgs, tool.Name)
		}
	}
	for name := range sampleArgs {
		_, ok := testCatalog.Tool(name)
		assert.True(t, ok, name)
	}
}

// Answers obey their schemas (call checks that) even when the editor says
// almost nothing, and a tool sends no other commands than it declares.
func TestAnswersToALaconicEditor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, args := range sampleArgs {
			tool, _ := testCatalog.Tool(name)
			if tool.Class == safety.Destructive {
				args = with(args, "confirm", "true")
			}
			e := blandEditor()
			out := call(t, blandEnv(e), name, args)
			require.Nil(t, out.Failure, "%s: %v", name, out.Failure)
			for _, c := range e.Sent() {
				assert.True(t, tool.Batchable || slices.Contains(tool.Commands, c), "%s sends %s", name, c)
			}
		}
	})
}

// Read-only tools send reads, or previews of reads, and never as a change.
func TestReadOnlyToolsOnlyRead(t *testing.T) {
	for name, args := range sampleArgs {
		tool, _ := testCatalog.Tool(name)
		if tool.Class != safety.ReadOnly {
			continue
		}
		e := blandEditor()
		call(t, blandEnv(e), name, args)
		for _, c := range e.Sent() {
			info, _ := wire.Lookup(c)
			assert.Equal(t, wire.KindRead, info.Kind, "%s sends %s", name, c)
		}
	}
}

// In a preview whatever could change something travels with dry_run.
func TestPreviewsChangeNothing(t *testing.T) {
	for name, args := range sampleArgs {
		tool, _ := testCatalog.Tool(name)
		if tool.Class != safety.Mutating && tool.Class != safety.Destructive {
			continue
		}
		e := blandEditor()
		out := call(t, blandEnv(e), name, with(args, "dry_run", "true"))
		require.Nil(t, out.Failure, "%s: %v", name, out.Failure)
		assert.Contains(t, string(out.Structured), `"dry_run":true`, name)
		assert.NotEmpty(t, e.sent, name)
		for _, s := range e.sent {
			info, _ := wire.Lookup(s.Command)
			if info.Kind != wire.KindRead {
				assert.Contains(t, string(s.Params), `"dry_run":true`, "%s sends %s", name, s.Command)
			}
		}
	}
}

// Every changing tool tells after the fact that it may have been applied when
// the answer of its change is lost.
func TestLostChangesAreUncertain(t *testing.T) {
	for name, args := range sampleArgs {
		tool, _ := testCatalog.Tool(name)
		if tool.Class != safety.Mutating && tool.Class != safety.Destructive {
			continue
		}
		if tool.Class == safety.Destructive {
			args = with(args, "confirm", "true")
		}
		e := blandEditor()
		for _, c := range wire.Commands {
			if c.Kind == wire.KindSession && c.Name != wire.CmdRunCommands {
				catalogtest.On(e.Editor, c.Name, func(json.RawMessage) (any, error) {
					return nil, wire.Fail(wire.ReasonDeadline, "command", c.Name, "seconds", 10)
				})
			}
		}
		if name == "godot_composite_run_commands" {
			catalogtest.On(e.Editor, wire.CmdRunCommands, func(json.RawMessage) (any, error) {
				return nil, wire.Fail(wire.ReasonDeadline, "command", wire.CmdRunCommands, "seconds", 10)
			})
		}
		f := call(t, blandEnv(e), name, args).Failure
		if assert.NotNil(t, f, name) {
			assert.True(t, f.MayHaveApplied, name)
		}
	}
}

func TestDestructiveToolsSendNothingWithoutConfirm(t *testing.T) {
	n := 0
	for name, args := range sampleArgs {
		tool, _ := testCatalog.Tool(name)
		if tool.Class != safety.Destructive {
			continue
		}
		n++
		e := blandEditor()
		env := blandEnv(e)
		for _, a := range []string{args, with(args, "confirm", "false"), with(args, "confirm", "null")} {
			f := call(t, env, name, a).Failure
			require.NotNil(t, f, name)
			assert.Equal(t, "confirm", f.Required, name)
		}
		batch := fmt.Sprintf(`{"commands":[{"command":%q,"params":%s}]}`, name, args)
		f := call(t, env, "godot_composite_run_commands", batch).Failure
		require.NotNil(t, f, name)
		assert.Contains(t, []string{"confirm", "call_directly"}, f.Reason, name)
		assert.Empty(t, e.Sent(), name)
	}
	assert.Equal(t, 5, n)
}

// hostileFile and hostileNode draw paths that must never reach an editor.
func hostileFile(t *rapid.T) string {
	inside := rapid.StringMatching(`[a-z]{0,3}/?[a-z]{0,3}`).Draw(t, "inside")
	return rapid.SampledFrom([]string{
		inside, "/" + inside, `C:\` + inside, "file:///" + inside, "user://" + inside, "uid://" + inside, "RES://" + inside,
		"res://../" + inside, "res://" + inside + "/../../..", "res://" + inside + "/%2e%2e/x", `res://..\` + inside,
		"res://" + inside + "\x00", "res://" + inside + "\n", "res://a:b", "res://.../" + inside, "res://\u202e" + inside, " res://" + inside,
	}).Draw(t, "path")
}

func hostileNode(t *rapid.T) string {
	inside := rapid.StringMatching(`[A-Z][a-z]{0,3}`).Draw(t, "inside")
	return rapid.SampledFrom([]string{
		"..", "../" + inside, inside + "/../../" + inside, "/root/../" + inside, "/root/../..", inside + "\x00", inside + ":position", inside + "\u2028",
	}).Draw(t, "node")
}

// putPath sets a path argument, which may lie in a list ("a[]", "a[].b").
func putPath(args, param, path string) string {
	value := string(quote(path))
	top, rest, isList := strings.Cut(param, "[]")
	switch {
	case !isList:
		return with(args, top, value)
	case rest == "":
		return with(args, top, `["ok",`+value+`]`)
	}
	return with(args, top, fmt.Sprintf(`[{%q:%s,"properties":{}}]`, rest[1:], value))
}

func TestHostilePathsNeverReachTheEditor(t *testing.T) {
	type target struct {
		tool  *catalog.Tool
		param safety.PathParam
	}
	var targets []target
	for _, name := range slices.Sorted(maps.Keys(sampleArgs)) {
		tool, _ := testCatalog.Tool(name)
		for _, p := range tool.Paths {
			targets = append(targets, target{tool, p})
		}
	}
	require.Greater(t, len(targets), 40)
	rapid.Check(t, func(rt *rapid.T) {
		target := rapid.SampledFrom(targets).Draw(rt, "target")
		path := ""
		if target.param.Kind == safety.FilePath {
			path = hostileFile(rt)
		} else {
			path = hostileNode(rt)
		}
		if path == "" {
			rt.Skip("an empty path has a meaning of its own")
		}
		args := putPath(sampleArgs[target.tool.Name], target.param.Name, path)
		if target.tool.Class == safety.Destructive {
			args = with(args, "confirm", "true")
		}
		e := blandEditor()
		for name, a := range map[string]string{
			target.tool.Name:               args,
			"godot_composite_run_commands": fmt.Sprintf(`{"commands":[{"command":%q,"params":%s}]}`, target.tool.Name, args),
		} {
			tool, _ := testCatalog.Tool(name)
			out := testCatalog.Call(t.Context(), blandEnv(e), tool, json.RawMessage(a))
			require.NotNil(rt, out.Failure, "%s %s", name, a)
			require.Equal(rt, wire.ValidationError, out.Failure.ErrorCode)
		}
		require.Empty(rt, e.Sent())
	})
}

// An argument that no tool has is refused with the valid names, unsent.
func TestUnknownArgumentsAreRefused(t *testing.T) {
	for name, args := range sampleArgs {
		e := blandEditor()
		f := call(t, blandEnv(e), name, with(args, "no_such_argument", "1")).Failure
		if assert.NotNil(t, f, name) {
			assert.Equal(t, "unknown_argument", f.Reason, name)
		}
		assert.Empty(t, e.Sent(), name)
	}
}

// The budgets count what every client keeps in its context: name, description
// and input schema.
func TestListBudgets(t *testing.T) {
	size := map[string]int{}
	for _, tool := range testCatalog.Tools() {
		raw, err := encodeText(map[string]any{"name": tool.Name, "description": tool.Description, "inputSchema": tool.InputSchema()})
		require.NoError(t, err)
		size[tool.Toolset] += len(raw) + 1
	}
	total := 0
	for _, n := range size {
		total += n
	}
	t.Log(size, total)
	assert.LessOrEqual(t, size["core"]+size["inspection"], 14_000)
	assert.LessOrEqual(t, total, 45_000)
}
