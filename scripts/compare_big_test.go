package scripts

import (
	"strings"

	"godot-mcp/server/godot/classdb"
)

// bigDeeds are the steps beyond single edits, by kind.
var bigDeeds map[string]func(y yard, all []spot, live string) deed

func init() {
	bigDeeds = map[string]func(y yard, all []spot, live string) deed{
		"undo": func(y yard, _ []spot, _ string) deed {
			return deed{Tool: "undo", Args: map[string]any{"count": 1 + y.rng.IntN(3)}}
		},
		"redo": func(y yard, _ []spot, _ string) deed {
			return deed{Tool: "redo", Args: map[string]any{"count": 1 + y.rng.IntN(3)}}
		},
		"save": func(y yard, _ []spot, _ string) deed {
			if y.chance(20) {
				return deed{Tool: "save_all_scenes", Args: map[string]any{}}
			}
			return deed{Tool: "save_scene", Args: map[string]any{}}
		},
		"open": func(y yard, _ []spot, _ string) deed {
			return deed{Tool: "open_scene", Args: map[string]any{"scene_path": y.path(y.one(someScenes...))}}
		},
		"close": func(yard, []spot, string) deed {
			return deed{Tool: "close_scene", Args: map[string]any{"confirm": true}}
		},
		"reload": func(y yard, _ []spot, _ string) deed {
			return deed{Tool: "reload_scene", Args: map[string]any{"scene_path": y.path(y.one(someScenes...)), "confirm": true}}
		},
		"select": func(y yard, all []spot, _ string) deed {
			paths := []any{}
			for range y.rng.IntN(5) {
				paths = append(paths, y.node(all))
			}
			return deed{Tool: "select_nodes", Args: map[string]any{"node_paths": paths}}
		},
		"human": yard.drawHuman,
		"batch": yard.drawBatch,
		"run_commands": func(y yard, _ []spot, live string) deed {
			var entries []any
			for range 1 + y.rng.IntN(4) {
				d := y.drawDeed(live, 1)
				entries = append(entries, map[string]any{"command": d.Tool, "params": d.Args})
			}
			return deed{Tool: "run_commands", Args: map[string]any{"commands": entries, "stop_on_error": y.chance(50)}}
		},
		"extract": func(y yard, all []spot, _ string) deed {
			args := map[string]any{"node_path": y.node(all), "scene_path": y.path(y.one("out1.tscn", "out2.tscn"))}
			if y.chance(60) {
				args["replace_with_instance"] = true
			}
			return deed{Tool: "extract_scene", Args: args}
		},
		"files": yard.drawFiles,
		"cross": func(y yard, _ []spot, _ string) deed {
			scenes := []any{y.path("inh2.tscn"), y.path("space.tscn")}
			if loose(looseShared, "cross_scene_set_property") == nil || *compareTabs {
				scenes = []any{y.path(y.one("inh2.tscn", "space.tscn", "inh.tscn")), y.path(y.one("ui.tscn", "base.tscn", "mid.tscn"))}
			}
			return deed{Tool: "cross_scene_set_property", Args: map[string]any{
				"scenes":    scenes,
				"node_type": y.one("Node2D", "Control", "Timer"), "property": y.one("process_priority", "visible"), "value": 1, "confirm": true,
			}}
		},
	}
}

// drawHuman draws what a person does. A person can do what a tool refuses, such
// as deleting a node of an instance; only what docks allow is drawn.
func (y yard) drawHuman(all []spot, live string) deed {
	inherited := strings.Contains(live, "/inh") && strings.HasPrefix(live, ". ") && strings.Contains(strings.SplitN(live, "\n", 2)[0], "/inh")
	var own []spot
	for _, s := range all {
		if s.own && s.path != "." {
			own = append(own, s)
		}
	}
	verbs := []string{"set", "add", "undo", "redo", "save", "tab", "select"}
	if !inherited && len(own) > 0 {
		verbs = append(verbs, "rename", "delete", "set", "add")
	}
	switch verb := y.one(verbs...); verb {
	case "set":
		if len(own) == 0 {
			return deed{Human: []string{"save"}}
		}
		s := own[y.rng.IntN(len(own))]
		p, v := "editor_description", `"by hand"`
		switch {
		case classdb.Inherits(s.class, "Node2D") && y.chance(60):
			p, v = "position", y.one("Vector2(1, 1)", "Vector2(20, 0.5)")
		case classdb.Inherits(s.class, "CanvasItem") && y.chance(60):
			p, v = "modulate", y.one("Color(1, 0, 0, 1)", "Color(1, 1, 1, 1)")
		}
		return deed{Human: []string{"set", s.path, p, v}}
	case "add":
		parent := "."
		if len(own) > 0 && y.chance(60) {
			parent = own[y.rng.IntN(len(own))].path
		}
		return deed{Human: []string{"add", parent, y.one("Node2D", "Timer", "Label"), y.one("ByHand", "Hand2")}}
	case "rename":
		return deed{Human: []string{"rename", own[y.rng.IntN(len(own))].path, y.one("Renamed", "Other", "N1")}}
	case "select":
		words := []string{"select"}
		for range y.rng.IntN(4) {
			words = append(words, y.node(all))
		}
		return deed{Human: words}
	case "delete":
		return deed{Human: []string{"delete", own[y.rng.IntN(len(own))].path}}
	case "tab":
		return deed{Human: []string{"tab", y.path(y.one(someScenes...))}}
	default:
		return deed{Human: []string{verb}}
	}
}

func (y yard) drawBatch(all []spot, _ string) deed {
	switch y.rng.IntN(4) {
	case 0:
		args := map[string]any{
			"parent_path": y.node(all), "node_type": y.one(someKinds...), "node_name": y.one(someNames...),
			"children": []any{map[string]any{"node_type": y.one(someKinds...), "node_name": y.one(someNames...)}, map[string]any{"node_type": "Node2D", "node_name": "A"}},
		}
		if y.chance(40) {
			args["script_path"] = y.path("hero.gd")
		}
		if y.chance(20) {
			args["save"] = true
		}
		return deed{Tool: "compose_node", Args: args}
	case 1:
		return deed{Tool: "batch_create_nodes", Args: map[string]any{"parent_path": y.node(all), "node_type": y.one(someKinds...), "names": []any{y.one(someNames...), y.one(someNames...), "Q"}}}
	case 2:
		s := all[y.rng.IntN(len(all))]
		p, v, _ := y.drawValue(s.class)
		args := map[string]any{"property": p, "value": v}
		switch {
		case layoutChoice(p):
			args["node_paths"] = []any{s.path} // the classes of others may not be drawn
		case y.chance(50):
			args["node_type"] = s.class
		default:
			args["node_paths"] = []any{s.path, y.node(all)}
		}
		return deed{Tool: "batch_set_property", Args: args}
	}
	var edits []any
	for range 1 + y.rng.IntN(3) {
		s := all[y.rng.IntN(len(all))]
		p, v, _ := y.drawValue(s.class)
		edits = append(edits, map[string]any{"node_path": s.path, "properties": map[string]any{p: v}})
	}
	return deed{Tool: "apply_node_edits", Args: map[string]any{"edits": edits}}
}

func (y yard) drawFiles(_ []spot, _ string) deed {
	script := y.path(y.one("new1.gd", "new2.gd", "note.gd"))
	switch y.rng.IntN(6) {
	case 0:
		return deed{Tool: "write_script", Args: map[string]any{"script_path": script, "content": y.one("extends Node\n", "extends Node2D\n\n@export var n := 1\n")}}
	case 1:
		return deed{Tool: "patch_script", Args: map[string]any{"script_path": script, "find": y.one("pass", "return", "nowhere"), "replace": y.one("return", "pass")}}
	case 2:
		return deed{Tool: "read_script", Args: map[string]any{"script_path": script}}
	case 3:
		return deed{Tool: "list_scripts", Args: map[string]any{"directory": "res://" + y.name}}
	case 4:
		return deed{Tool: "create_scene", Args: map[string]any{"scene_path": y.path(y.one("new1.tscn", "new_two.tscn", "main.tscn")), "root_type": y.one("Node2D", "Control", "Node3D")}}
	}
	return deed{Tool: "snapshot_subtree", Args: map[string]any{"node_path": "."}}
}
