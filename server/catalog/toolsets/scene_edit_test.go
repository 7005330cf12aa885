package toolsets

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"godot-mcp/server/catalog/catalogtest"
	"godot-mcp/server/wire"
)

func TestSceneStructure(t *testing.T) {
	runCases(t, []toolCase{
		{
			tool: "godot_scene_edit_rename_node", args: `{"node_path":"A","new_name":"B"}`,
			replies: map[string]any{wire.CmdRenameNode: `{"node_path":"B2","old_name":"A","new_name":"B2","renamed":true,"changed":true` + kept + `}`},
			sent:    []string{`[cmd_rename_node {"node_path":"A","new_name":"B"}]`},
			want:    `{"node_path":"B2","old_name":"A","new_name":"B2","adjusted":true,"renamed":true,"changed":true,"undoable":true,"persisted":true,"dry_run":false}`,
		},
		{
			tool: "godot_scene_edit_rename_node", args: `{"node_path":"Inst/Child","new_name":"B","dry_run":true}`,
			replies: map[string]any{wire.CmdRenameNode: wire.Fail(wire.ReasonFromBase, "path", "Inst/Child", "source", "res://inst.tscn")},
			sent:    []string{`[cmd_rename_node {"node_path":"Inst/Child","new_name":"B"}]?`}, fails: "node_from_base_scene",
		},
		{
			tool: "godot_scene_edit_duplicate_node", args: `{"node_path":"Box"}`,
			replies: map[string]any{wire.CmdDuplicateNode: `{"node_path":"Box2","name":"Box2"` + kept + `}`},
			sent:    []string{`[cmd_duplicate_node {"node_path":"Box"}]`}, want: `{"node_path":"Box2","source_path":"Box","duplicated":true,"undoable":true}`,
		},
		{tool: "godot_scene_edit_duplicate_node", args: `{"node_path":"."}`, replies: map[string]any{wire.CmdDuplicateNode: wire.Fail(wire.ReasonIsRoot, "path", ".")}, fails: "is_scene_root"},
		{
			tool: "godot_scene_edit_move_node", args: `{"node_path":"A","new_parent_path":"/"}`,
			replies: map[string]any{wire.CmdMoveNode: `{"node_path":"A","old_path":"B/A","index":2,"changed":true` + dropped + `}`},
			sent:    []string{`[cmd_move_node {"node_path":"A","new_parent_path":".","index":-1}]`},
			want:    `{"old_path":"B/A","index":2,"moved":true,"persisted":false,"reason":"instanced_child_not_editable"}`,
		},
		{
			tool: "godot_scene_edit_move_node", args: `{"node_path":"A","new_parent_path":"A/B"}`,
			replies: map[string]any{wire.CmdMoveNode: wire.Fail(wire.ReasonIntoItself, "path", "A", "new_parent", "A/B")}, fails: "into_itself",
		},
		{
			tool: "godot_scene_edit_instance_scene", args: `{"parent_path":".","scene_path":"res://x/../e.tscn"}`, sent: []string{}, fails: "bad_res_path",
		},
		{
			tool: "godot_scene_edit_instance_scene", args: `{"parent_path":".","scene_path":"res://e.tscn","name":"E","index":0,"properties":{"visible":false}}`,
			replies: map[string]any{wire.CmdInstanceScene: `{"node_path":"E","name":"E","type":"Node2D","properties":{"visible":false}` + kept + `}`},
			sent:    []string{`[cmd_instance_scene {"parent_path":".","scene_path":"res://e.tscn","name":"E","index":0,"properties":{"visible":false}}]`},
			want:    `{"node_path":"E","scene_path":"res://e.tscn","instanced":true,"properties":{"visible":false}}`,
		},
		{
			tool: "godot_scene_edit_extract_scene", args: `{"node_path":"A","scene_path":"res://a.tscn","replace_with_instance":true,"dry_run":true}`,
			replies: map[string]any{wire.CmdExtractScene: `{"node_path":"A","scene_path":"res://a.tscn","extracted":true,"replaced":true,"node_count":3,"instance_path":"A"` + kept + `}`},
			sent:    []string{`cmd_extract_scene {"dry_run":true,"node_path":"A","replace_with_instance":true,"scene_path":"res://a.tscn"}`},
			want:    `{"extracted":false,"replaced":false,"node_count":3,"instance_path":"A","undoable":true,"dry_run":true}`,
		},
		{
			tool: "godot_scene_edit_extract_scene", args: `{"node_path":"A","scene_path":"res://a.tscn","save_current":true}`,
			replies: map[string]any{wire.CmdExtractScene: `{"node_path":"A","scene_path":"res://a.tscn","extracted":true,"saved":false` + kept + `}`},
			sent:    []string{`cmd_extract_scene {"node_path":"A","scene_path":"res://a.tscn","save_current":true}`},
			want:    `{"extracted":true,"saved":false,"undoable":false,"hint":"` + extractNotSaved + `"}`,
		},
		{tool: "godot_scene_edit_extract_scene", args: `{"node_path":"A","scene_path":"res://a.txt"}`, sent: []string{}, fails: "bad_extension"},
		{ // B028
			tool: "godot_scene_edit_extract_scene", args: `{"node_path":"A","scene_path":"res://a.tscn"}`,
			replies: map[string]any{wire.CmdExtractScene: wire.Fail(wire.ReasonFileExists, "path", "res://a.tscn")}, fails: "file_exists",
		},
	})
}

// B032: switching off what holds changes needs confirm, and both the refusal
// and the preview name them.
func TestEditableChildren(t *testing.T) {
	lose := wire.Fail(wire.ReasonWouldLose, "path", "Inst", "lost", []string{"Inst/New", "Inst/C:visible", "Inst/C:scale"})
	runCases(t, []toolCase{
		{
			tool: "godot_scene_edit_set_editable_children", args: `{"node_path":"Inst"}`,
			replies: map[string]any{wire.CmdSetEditableChildren: `{"node_path":"Inst","editable":true,"source_scene":"res://i.tscn","changed":true` + kept + `}`},
			sent:    []string{`[cmd_set_editable_children {"node_path":"Inst","editable":true}]`}, want: `{"editable":true,"changed":true,"would_lose":[],"total":0}`,
		},
		{
			tool: "godot_scene_edit_set_editable_children", args: `{"node_path":"Inst","editable":false,"dry_run":true}`,
			replies: map[string]any{wire.CmdSetEditableChildren: lose},
			sent:    []string{`[cmd_set_editable_children {"node_path":"Inst","editable":false}]?`}, fails: "would_lose",
		},
		{
			tool: "godot_scene_edit_set_editable_children", args: `{"node_path":"Inst","editable":false,"confirm":"True"}`,
			replies: map[string]any{wire.CmdSetEditableChildren: `{"node_path":"Inst","editable":false,"source_scene":"res://i.tscn","changed":true,"would_lose":["Inst/New"]` + kept + `}`},
			sent:    []string{`[cmd_set_editable_children {"node_path":"Inst","editable":false,"force":true}]`}, want: `{"would_lose":["Inst/New"],"total":1,"truncated":false}`,
		},
	})
	f := call(t, catalogtest.Env(cannedEditor(map[string]any{wire.CmdSetEditableChildren: lose})), "godot_scene_edit_set_editable_children", `{"node_path":"Inst","editable":false}`).Failure
	assert.Equal(t, "confirm", f.Required)
	assert.Equal(t, wire.PreconditionFailed, f.ErrorCode)
	assert.Len(t, f.Details["lost"], 3)
	assert.Contains(t, f.Hint, "confirm true")
}

func TestScriptsGroupsAndSignals(t *testing.T) {
	ends := `"source_path":"A","signal_name":"pressed","target_path":".","method_name":"go"`
	runCases(t, []toolCase{
		{
			tool: "godot_scene_edit_attach_script", args: `{"node_path":"A","script_path":"res://a.gd"}`,
			replies: map[string]any{wire.CmdAttachScript: `{"node_path":"A","script_path":"res://a.gd","previous":"res://o.gd","changed":true` + kept + `}`},
			sent:    []string{`[cmd_attach_script {"node_path":"A","script_path":"res://a.gd"}]`}, want: `{"attached":true,"previous":"res://o.gd"}`,
		},
		{
			tool: "godot_scene_edit_attach_script", args: `{"node_path":"A","script_path":""}`,
			replies: map[string]any{wire.CmdAttachScript: `{"node_path":"A","script_path":"","changed":true` + kept + `}`},
			sent:    []string{`[cmd_attach_script {"node_path":"A","script_path":""}]`}, want: `{"attached":false,"changed":true}`,
		},
		{tool: "godot_scene_edit_attach_script", args: `{"node_path":"A","script_path":"user://a.gd"}`, sent: []string{}, fails: "bad_res_path"},
		{
			tool: "godot_scene_edit_add_to_group", args: `{"node_path":"A","group":"g"}`,
			replies: map[string]any{wire.CmdAddToGroup: `{"node_path":"A","group":"g","in_group":true,"changed":true` + kept + `}`},
			sent:    []string{`[cmd_add_to_group {"node_path":"A","group":"g"}]`}, want: `{"in_group":true,"changed":true,"undoable":true}`,
		},
		{tool: "godot_scene_edit_add_to_group", args: `{"node_path":"A","group":"_x"}`, replies: map[string]any{wire.CmdAddToGroup: wire.Fail(wire.ReasonBadGroup, "group", "_x")}, fails: "bad_group"},
		{
			tool: "godot_scene_edit_remove_from_group", args: `{"node_path":"A","group":"g"}`,
			replies: map[string]any{wire.CmdRemoveFromGroup: `{"node_path":"A","group":"g","changed":true,"persisted":false,"reason":"group_from_base_scene","source":"res://b.tscn"}`},
			sent:    []string{`[cmd_remove_from_group {"node_path":"A","group":"g"}]`}, want: `{"in_group":false,"persisted":false,"reason":"group_from_base_scene"}`,
		},
		{tool: "godot_scene_edit_remove_from_group", args: `{"node_path":"A"}`, sent: []string{}, fails: "missing_argument"},
		{ // B023
			tool: "godot_scene_edit_connect_signal", args: `{` + ends + `,"flags":5,"binds":[1,"a",{"x":1,"y":2}],"unbinds":1}`,
			replies: map[string]any{wire.CmdConnectSignal: `{` + ends + `,"flags":7,"connected":true,"changed":true` + kept + `}`},
			sent:    []string{`[cmd_connect_signal {` + ends + `,"flags":5,"binds":[1,"a",{"x":1,"y":2}],"unbinds":1}]`},
			want:    `{"connected":true,"flags":7,"undoable":true,"persisted":true}`,
		},
		{ // B022
			tool: "godot_scene_edit_connect_signal", args: `{` + ends + `}`,
			replies: map[string]any{wire.CmdConnectSignal: `{` + ends + `,"flags":2,"connected":true,"changed":true` + dropped + `}`},
			want:    `{"persisted":false,"reason":"instanced_child_not_editable"}`,
		},
		{tool: "godot_scene_edit_connect_signal", args: `{` + ends + `,"binds":[{}]}`, replies: map[string]any{wire.CmdConnectSignal: wire.Fail(wire.ReasonBindNotSaved, "index", 0)}, fails: "bind_not_saveable"},
		{
			tool: "godot_scene_edit_disconnect_signal", args: `{` + ends + `,"confirm":true}`,
			replies: map[string]any{wire.CmdDisconnectSignal: `{` + ends + `,"flags":2,"connected":false,"changed":true` + kept + `}`},
			sent:    []string{`[cmd_disconnect_signal {` + ends + `}]`}, want: `{"disconnected":true,"undoable":true}`,
		},
		{tool: "godot_scene_edit_disconnect_signal", args: `{` + ends + `,"dry_run":true}`, replies: map[string]any{wire.CmdDisconnectSignal: wire.Fail(wire.ReasonNotConnected)}, fails: "signal_not_connected"},
		{
			tool: "godot_scene_edit_list_signal_connections", args: `{"node_path":"A"}`,
			replies: map[string]any{wire.CmdListSignalConnections: `{"node_path":"A","connections":[{` + `"source_path":"A","signal":"s","target_path":".","method":"m","persistent":true,"flags":2}],"signals":[{"name":"s"}]}`},
			sent:    []string{`cmd_list_signal_connections {"node_path":"A"}`},
			want:    `{"total":2,"connections":[{"source_path":"A","signal":"s","target_path":".","method":"m","persistent":true,"flags":2}],"signals":[{"name":"s","args":[]}]}`,
		},
		{tool: "godot_scene_edit_list_signal_connections", args: `{"node_path":"Gone"}`, replies: map[string]any{wire.CmdListSignalConnections: noNode}, fails: "node_not_found"},
	})
}

func TestSceneSession(t *testing.T) {
	file := `"scene_path":"res://a.tscn"`
	runCases(t, []toolCase{
		{
			tool: "godot_scene_edit_save_scene", replies: map[string]any{wire.CmdSaveScene: `{"path":"res://a.tscn","saved":true,"changed":true,"sha256":"ab","also":["res://r.tres"]}`},
			sent: []string{`cmd_save_scene {}`}, want: `{"path":"res://a.tscn","saved":true,"changed":true,"also":["res://r.tres"],"dry_run":false}`,
		},
		{
			tool: "godot_scene_edit_save_scene", args: `{"dry_run":true}`, replies: map[string]any{wire.CmdSaveScene: `{"path":"res://a.tscn","saved":true,"changed":true}`},
			sent: []string{`cmd_save_scene {"dry_run":true}`}, want: `{"saved":false,"dry_run":true}`,
		},
		{ // B029
			tool: "godot_scene_edit_save_scene", args: `{"scene_path":"res://b.tscn"}`,
			replies: map[string]any{wire.CmdSaveScene: wire.Fail(wire.ReasonOtherScene, "path", "res://b.tscn", "active", "res://a.tscn")},
			sent:    []string{`cmd_save_scene {"path":"res://b.tscn"}`}, fails: "other_scene_active",
		},
		{
			tool: "godot_scene_edit_save_all_scenes", replies: map[string]any{wire.CmdSaveAllScenes: `{"saved":["res://a.tscn"],"skipped":["[unsaved]"]}`},
			sent: []string{`cmd_save_all_scenes {}`}, want: `{"saved":["res://a.tscn"],"skipped":["[unsaved]"],"count":1}`,
		},
		{tool: "godot_scene_edit_save_all_scenes", replies: map[string]any{wire.CmdSaveAllScenes: wire.Fail(wire.ReasonSaveFailed, "path", "res://a.tscn")}, fails: "save_failed"},
		{
			tool: "godot_scene_edit_create_scene", args: `{` + file + `,"root_type":"Node2D"}`,
			replies: map[string]any{wire.CmdCreateScene: `{` + file + `,"root_type":"Node2D","root_name":"A","created":true}`},
			sent:    []string{`cmd_create_scene {` + file + `,"root_type":"Node2D"}`}, want: `{"created":true,"root_name":"A"}`,
		},
		{tool: "godot_scene_edit_create_scene", args: `{` + file + `,"root_type":"Hero"}`, replies: map[string]any{wire.CmdCreateScene: wire.Fail(wire.ReasonScriptClass, "type", "Hero")}, fails: "script_class"},
		{tool: "godot_scene_edit_create_scene", args: `{"scene_path":"res://a.tres","root_type":"Node"}`, sent: []string{}, fails: "bad_extension"},
		{
			tool: "godot_scene_edit_open_scene", args: `{` + file + `}`, replies: map[string]any{wire.CmdOpenSceneFile: `{` + file + `,"opened":true,"missing":["Odd"]}`},
			sent: []string{`cmd_open_scene {` + file + `}`}, want: `{"opened":true,"already_open":false,"missing":["Odd"]}`,
		},
		{tool: "godot_scene_edit_open_scene", args: `{` + file + `}`, replies: map[string]any{wire.CmdOpenSceneFile: wire.Fail(wire.ReasonFileNotFound, "path", "res://a.tscn")}, fails: "file_not_found"},
		{
			tool: "godot_scene_edit_close_scene", args: `{"confirm":true}`, replies: map[string]any{wire.CmdCloseScene: `{` + file + `,"closed":true,"had_unsaved":true,"active_before":"res://a.tscn"}`},
			sent: []string{`cmd_close_scene {}`}, want: `{"closed":true,"had_unsaved":true}`,
		},
		{tool: "godot_scene_edit_close_scene", args: `{` + file + `}`, sent: []string{}, fails: "confirm"},
		{
			tool: "godot_scene_edit_reload_scene", args: `{` + file + `,"dry_run":true}`, replies: map[string]any{wire.CmdReloadScene: `{` + file + `,"reloaded":true,"had_unsaved":true}`},
			sent: []string{`cmd_reload_scene {"dry_run":true,` + file + `}`}, want: `{"reloaded":false,"had_unsaved":true,"dry_run":true}`,
		},
		{tool: "godot_scene_edit_reload_scene", args: `{` + file + `,"confirm":true}`, replies: map[string]any{wire.CmdReloadScene: wire.Fail(wire.ReasonSceneNotOpen, "path", "res://a.tscn")}, fails: "scene_not_open"},
		{
			tool: "godot_scene_edit_list_open_scenes", replies: map[string]any{wire.CmdListOpenScenes: `{"scenes":[{"path":"","name":"Main","active":true,"modified":true}]}`},
			sent: []string{`cmd_list_open_scenes {}`}, want: `{"scenes":[{"path":"","name":"Main","active":true,"modified":true}]}`,
		},
		{tool: "godot_scene_edit_list_open_scenes", args: `{"all":true}`, sent: []string{}, fails: "unknown_argument"},
		{
			tool: "godot_scene_edit_select_nodes", args: `{"node_paths":["/A","./B"]}`,
			replies: map[string]any{wire.CmdSelectNodes: `{"scene_path":"res://a.tscn","selected":["A","B"]}`, wire.CmdGetActiveScene: `{"is_open":true,"name":"Main"}`},
			sent:    []string{`cmd_get_active_scene {}`, `cmd_select_nodes {"node_paths":["A","B"]}`}, want: `{"selected":["A","B"],"count":2}`,
		},
		{tool: "godot_scene_edit_select_nodes", args: `{"node_paths":["Gone"]}`, replies: map[string]any{wire.CmdSelectNodes: noNode}, fails: "node_not_found"},
	})
}

// B089: a save that would destroy nodes asks for confirm.
func TestSaveWithMissingNodes(t *testing.T) {
	e := cannedEditor(map[string]any{wire.CmdSaveScene: &[]any{
		wire.Fail(wire.ReasonMissingNodes, "path", "res://a.tscn", "missing", []string{"Odd"}), `{"path":"res://a.tscn","saved":true}`,
	}})
	f := call(t, catalogtest.Env(e), "godot_scene_edit_save_scene", `{}`).Failure
	assert.Equal(t, "confirm", f.Required)
	assert.Contains(t, f.Hint, "Odd")
	assert.True(t, succeed[saveSceneOut](t, catalogtest.Env(e), "godot_scene_edit_save_scene", `{"confirm":true}`).Saved)
	assert.Equal(t, `cmd_save_scene {"force":true}`, wireText(t, e)[1])
}

// B101, B107: the answer waits for scan and imports, and tells when it did not.
func TestRescan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := `{"scanning":true,"generation":1,"importing":["res://a.png"]}`
		e := cannedEditor(map[string]any{
			wire.CmdRescanFilesystem: busy,
			wire.CmdGetScanState:     &[]any{busy, busy, `{"scanning":false,"generation":2,"reimported":["res://a.png"]}`},
		})
		begin := time.Now()
		out := succeed[rescanOut](t, catalogtest.Env(e), "godot_scene_edit_rescan_filesystem", `{}`)
		assert.Equal(t, 3*rescanPause, time.Since(begin))
		assert.Equal(t, rescanOut{Scanned: true, Generation: 2, DurationMS: 300, Importing: []string{}, Reimported: []string{"res://a.png"}}, out)
		assert.Equal(t, []string{"cmd_rescan_filesystem {}", "cmd_get_scan_state {}", "cmd_get_scan_state {}", "cmd_get_scan_state {}"}, wireText(t, e))

		e = cannedEditor(map[string]any{wire.CmdRescanFilesystem: busy, wire.CmdGetScanState: busy})
		out = succeed[rescanOut](t, catalogtest.Env(e), "godot_scene_edit_rescan_filesystem", `{"wait_ms":1000}`)
		assert.False(t, out.Scanned)
		assert.True(t, out.Scanning)
		assert.Equal(t, []string{"res://a.png"}, out.Importing)

		e.SetHello(nil)
		assert.Equal(t, "bridge_connected", call(t, catalogtest.Env(e), "godot_scene_edit_rescan_filesystem", `{}`).Failure.Required)
	})
}
