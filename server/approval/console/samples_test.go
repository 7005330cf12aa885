package console_test

import (
	"encoding/json"

	"godot-mcp/server/approval"
)

type obj = map[string]any

// samples are questions as the server asks them; the previews are what the
// tools answered to a dry run on the simulated editor.
func samples() []approval.Question {
	return []approval.Question{
		{
			ID: "q-close", Tool: "godot_scene_edit_close_scene", Class: "destructive", Irreversible: true, Client: "claude-code 2.1.0",
			Targets: []string{"res://level.tscn"}, Rule: "nothing undoes this tool's effect",
			Arguments: raw(obj{"scene_path": "res://level.tscn"}),
			Preview:   raw(obj{"dry_run": true, "scene_path": "res://level.tscn", "closed": false, "had_unsaved": true, "active_before": "res://level.tscn"}),
		},
		{
			ID: "q-set", Tool: "godot_scene_edit_set_node_property", Class: "mutating", Client: "claude-code 2.1.0",
			Targets: []string{"Player"}, Rule: "permissions.yaml line 4: ask for scene_edit",
			Arguments: json.RawMessage(`{"node_path":"Player","property":"position","value":{"x":10,"y":20}}`),
			Preview:   json.RawMessage(`{"node_path":"Player","property":"position","type":"Vector2","value":{"x":10,"y":20},"previous":{"x":64,"y":128},"changed":true,"set":false,"dry_run":true,"undoable":true,"persisted":true}`),
		},
		{
			ID: "q-patch", Tool: "godot_scripts_patch", Class: "mutating", Client: "codex 0.9", Targets: []string{"res://player.gd"}, Rule: "permissions.yaml line 9: ask for scripts",
			Arguments: raw(obj{"script_path": "res://player.gd", "find": "\tvelocity = Input.get_vector(\"ui_left\", \"ui_right\", \"ui_up\", \"ui_down\") * speed\n\tmove_and_slide()\n", "replace": "\tvar direction := Input.get_vector(\"ui_left\", \"ui_right\", \"ui_up\", \"ui_down\")\n\tvelocity = direction.normalized() * speed\n\tmove_and_slide()\n"}),
			Preview:   raw(obj{"dry_run": true, "script_path": "res://player.gd", "replacements": 1, "changed": true, "sha256": "df96", "previous_sha256": "2192", "undoable": true, "rescan_pending": false}),
		},
		{
			ID: "q-many", Tool: "godot_batch_set_property", Class: "mutating", Client: "codex 0.9", Targets: []string{"visible"}, Rule: "permissions.yaml line 4: ask for batch",
			Arguments: raw(obj{"node_type": "Node2D", "property": "visible", "value": false}),
			Preview: json.RawMessage(`{"property":"visible","applied":[".","Player","Enemy","Enemy/Sprite"],"skipped":[],"count":4,"skipped_count":0,"persistence":[{"node_path":".","persisted":true},{"node_path":"Player","persisted":true},{"node_path":"Enemy","persisted":true},
				{"node_path":"Enemy/Sprite","persisted":false,"reason":"instanced_child_not_editable"}],"dry_run":true,"undoable":true,"persisted":false,"reason":"instanced_child_not_editable",
				"hint":"\"Enemy\" belongs to an instance of res://enemy.tscn whose children are not editable, so a save drops this change."}`),
		},
		{
			ID: "q-batch", Tool: "godot_composite_run_commands", Class: "destructive", Client: "claude-code 2.1.0", Targets: []string{"Player/Shape", "res://level.tscn"}, Rule: "mode full: ask for destructive calls",
			Arguments: raw(obj{"commands": []obj{{"command": "delete_node", "params": obj{"node_path": "Player/Shape"}}, {"command": "save_scene", "params": obj{}}}}),
			Entries: []approval.Entry{
				{Tool: "godot_scene_edit_delete_node", Class: "destructive", Targets: []string{"Player/Shape"}, Arguments: raw(obj{"node_path": "Player/Shape"})},
				{Tool: "godot_scene_edit_save_scene", Class: "mutating", Arguments: raw(obj{})},
			},
			Preview: raw(obj{"dry_run": true, "ok_all": true, "count": 2, "results": []obj{
				{"command": "godot_scene_edit_delete_node", "ok": true, "result": obj{"node_path": "Player/Shape", "removed": 2, "disconnected": 1, "deleted": false, "dry_run": true, "undoable": true, "persisted": true}},
				{"command": "godot_scene_edit_save_scene", "ok": true, "result": obj{"dry_run": true, "path": "res://level.tscn", "saved": false}},
			}}),
		},
	}
}

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
