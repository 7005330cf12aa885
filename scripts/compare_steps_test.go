package scripts

import (
	"slices"
	"strings"

	"godot-mcp/server/godot/classdb"
)

// A deed is one step of a sequence: a tool call, or what a person does.
type deed struct {
	Tool  string
	Args  map[string]any
	Human []string
}

// line is the deed as a line of a scenario.
func (d deed) line() string {
	if d.Human != nil {
		words := make([]string, len(d.Human))
		for i, w := range d.Human {
			words[i] = quoted(w)
		}
		return "human " + strings.Join(words, " ")
	}
	return d.Tool + " " + quoted(compact(d.Args))
}

func quoted(w string) string {
	if w != "" && !strings.ContainsAny(w, " '\"#${}[]\t\\") {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", "''") + "'"
}

// spot is a node of the edited scene as the dump tells it.
type spot struct {
	path, class, owner string
	own                bool // made by the edited scene
}

// spots reads the nodes from a dump.
func spots(live string) []spot {
	var out []spot
	for l := range strings.SplitSeq(live, "\n") {
		i := strings.Index(l, " owner=")
		if i < 0 || strings.HasPrefix(l, "  ") {
			continue
		}
		head, tail := l[:i], l[i+len(" owner="):]
		j := strings.LastIndexByte(head, ' ')
		k := strings.Index(tail, " scene=")
		if j < 0 || k < 0 {
			continue
		}
		s := spot{path: head[:j], class: head[j+1:], owner: tail[:k]}
		s.own = s.owner == "." || s.path == "."
		out = append(out, s)
	}
	return out
}

var (
	someNames  = []string{"A", "B", "N0", "Sprite", "Foo9", "Ü", "x y", "Inner", "Node2D"}
	someGroups = []string{"g1", "g2", "base_group", "base_root", "mid_group", "own"}
	someKinds  = []string{"Node2D", "Sprite2D", "Timer", "Control", "Label", "VBoxContainer", "CollisionShape2D", "Node3D", "Button", "Node", "Area2D", "Camera2D", "Path2D", "Panel"}
	someScenes = []string{"main.tscn", "main.tscn", "main.tscn", "inh.tscn", "inh2.tscn", "base.tscn", "mid.tscn", "ui.tscn", "space.tscn", "space.tscn", "arm.tscn", "inh3.tscn"}
)

// someValues are values for properties, by the class that has them. Not all fit.
var someValues = map[string]map[string][]any{
	"Node": {
		"process_mode": {0, 1, 3, 4}, "unique_name_in_owner": {true, false}, "editor_description": {"", "note\nmore"}, "process_priority": {0, -5, 7},
		"metadata/k": {map[string]any{"a": 1}, "t", nil}, "hp": {0, 3, 8}, "tag": {"", "boss"}, "speed": {2.25, 1.5}, "target": {".", nil},
		"marks": {[]any{3}, []any{1, 2}, []any{}}, "plain": {5}, "text": {"", "hi", "a \"q\""}, "no_such": {1}, "name": {"X"}, "table": {map[string]any{"b": 1, "a": []any{2}}},
	},
	"CanvasItem":       {"visible": {true, false}, "modulate": {"#ff8800", []any{1, 1, 1, 1}}, "z_index": {0, 4, -3}, "self_modulate": {"red"}, "top_level": {true, false}},
	"Node2D":           {"position": {map[string]any{"x": 3, "y": 4.5}, []any{0, 0}, "bad"}, "rotation": {0, 0.1, 1.5}, "scale": {[]any{2, 2}, []any{1, 1}, []any{-1, 2}}, "position:x": {7.5, 0}, "rotation_degrees": {90, 33.3}, "skew": {0.25}, "global_position": {[]any{10, 20}}, "transform": {[]any{1, 0, 0, 1, 5, 5}}},
	"Sprite2D":         {"frame": {0, 1}, "hframes": {1, 4}, "flip_h": {true, false}, "centered": {false}, "offset": {[]any{1, 1}}},
	"CollisionShape2D": {"shape": {map[string]any{"new": "CircleShape2D", "properties": map[string]any{"radius": 7}}, nil, "WIDE", "FOREIGN"}, "shape:size": {[]any{8, 8}, []any{4, 4}}, "disabled": {true, false}, "shape:radius": {3}},
	"Timer":            {"wait_time": {0.5, 1, -1}, "one_shot": {true, false}, "autostart": {true}},
	"Control": {
		"custom_minimum_size": {[]any{10, 10}, []any{0, 0}}, "anchors_preset": {15, 0, 8}, "layout_mode": {0, 1}, "offset_left": {12, 0}, "size_flags_horizontal": {3, 1},
		"tooltip_text": {"tip", ""}, "mouse_filter": {2, 0}, "theme_override_colors/font_color": {"#00ff00", nil}, "anchor_right": {0.5, 1}, "rotation": {0.5}, "pivot_offset": {[]any{3, 3}},
	},
	"Label":  {"text": {"", "hi", "a\nb"}, "horizontal_alignment": {1, 0}, "autowrap_mode": {2}, "visible_ratio": {0.5}},
	"Button": {"text": {"Go!", ""}, "disabled": {true, false}, "toggle_mode": {true}, "button_pressed": {true}},
	"Range":  {"value": {50, 200, -5}, "max_value": {300, 100}, "min_value": {10, 0}, "step": {0.01, 5}},
	"Node3D": {
		"position": {[]any{1, 2, 3}, []any{0, 0, 0}}, "rotation": {[]any{0, 1.5, 0}, []any{0.3, 7, -0.2}}, "rotation:x": {0.4, 0}, "scale": {[]any{2, 2, 2}, []any{1, -3, 1}},
		"rotation_degrees": {[]any{0, 45, 0}, []any{90, 10, 20}}, "visible": {true, false}, "rotation_order": {0, 1, 2, 3, 4, 5, 6}, "quaternion": {[]any{0.5, 0.5, 0.5, 0.5}},
		"transform": {someBasis(1, 0, 0, 0, 1, 0, 0, 0, 1), someBasis(0.36, -0.8, 0.48, 0.48, 0.6, 0.64, -0.8, 0, 0.6)}, "global_position": {[]any{5, 0, 5}},
	},
	"RigidBody3D":    {"mass": {1, 5, -1}, "gravity_scale": {0.5}, "linear_velocity": {[]any{1, 0, 0}}, "freeze": {true}},
	"MeshInstance3D": {"mesh": {map[string]any{"new": "SphereMesh", "properties": map[string]any{"radius": 2}}, nil}, "mesh:size": {[]any{3, 3, 3}}},
	"Camera3D":       {"fov": {75, 90, 200}, "current": {true, false}, "near": {0.1, 1}, "projection": {1, 0}},
	"Camera2D":       {"zoom": {[]any{2, 2}, []any{1, 1}}, "limit_left": {-100}, "enabled": {false, true}},
	"Light3D":        {"light_energy": {2, 1}, "light_color": {"#ffeecc"}, "omni_range": {9}, "shadow_enabled": {true}},
	"Area2D":         {"collision_layer": {1, 3}, "gravity": {100}, "monitoring": {false, true}},
}

// someBasis is a transform of three dimensions with these axes.
func someBasis(n ...float64) []any {
	return []any{[]any{n[0:3], n[3:6], n[6:9]}, []any{4, 4, 4}}
}

// drawDeed draws the next step for a scene that looks like this.
func (y yard) drawDeed(live string, depth int) deed {
	all := spots(live)
	if len(all) == 0 {
		return deed{Tool: "open_scene", Args: map[string]any{"scene_path": y.path(y.one(someScenes...))}}
	}
	kinds := []string{
		"create_node", "create_node", "set", "set", "set", "set", "set", "set", "delete_node", "rename_node", "move_node", "move_node", "duplicate_node",
		"add_to_group", "remove_from_group", "instance_scene", "set_editable_children", "connect_signal", "disconnect_signal", "attach_script", "read", "read",
	}
	if depth == 0 {
		kinds = append(kinds, "undo", "undo", "redo", "save", "open", "close", "reload", "human", "human", "batch", "run_commands", "select", "extract", "files", "cross")
	}
	kind := y.one(kinds...)
	if f, ok := bigDeeds[kind]; ok {
		return f(y, all, live)
	}
	d := y.drawEdit(kind, all)
	if d.Args["dry_run"] == nil && depth == 0 && y.chance(6) && kind != "read" {
		d.Args["dry_run"] = true
	}
	return d
}

func (y yard) node(all []spot) string { return all[y.rng.IntN(len(all))].path }

// drawEdit draws one edit or read of the scene.
func (y yard) drawEdit(kind string, all []spot) deed {
	var args map[string]any
	tool := kind
	switch kind {
	case "create_node":
		args = map[string]any{"parent_path": y.node(all), "node_type": y.one(append(someKinds, "Hero_"+y.name)...), "node_name": y.one(someNames...)}
		if y.chance(20) {
			args["index"] = y.rng.IntN(4)
		}
		if y.chance(20) {
			args["groups"] = []any{y.one(someGroups...)}
		}
		if y.chance(10) {
			args["unique_name"] = true
		}
		if y.chance(20) {
			class := args["node_type"].(string)
			if p, v, ok := y.drawValue(class); ok {
				args["properties"] = map[string]any{p: v}
			}
		}
	case "set":
		tool = "set_node_property"
		s := all[y.rng.IntN(len(all))]
		p, v, _ := y.drawValue(s.class)
		args = map[string]any{"node_path": s.path, "property": p, "value": v}
	case "delete_node":
		args = map[string]any{"node_path": y.node(all), "confirm": true}
	case "rename_node":
		args = map[string]any{"node_path": y.node(all), "new_name": y.one(someNames...)}
	case "move_node":
		args = map[string]any{"node_path": y.node(all), "new_parent_path": y.node(all), "index": y.rng.IntN(5) - 1}
	case "duplicate_node":
		args = map[string]any{"node_path": y.node(all)}
		if y.chance(30) {
			args["node_name"] = y.one(someNames...)
		}
	case "add_to_group", "remove_from_group":
		args = map[string]any{"node_path": y.node(all), "group": y.one(someGroups...)}
	case "instance_scene":
		args = map[string]any{"parent_path": y.node(all), "scene_path": y.path(y.one("base.tscn", "mid.tscn", "inh.tscn", "ui.tscn", "main.tscn", "arm.tscn", "inh3.tscn"))}
		if y.chance(50) {
			args["name"] = y.one(someNames...)
		}
		if y.chance(20) {
			args["index"] = y.rng.IntN(4)
		}
	case "set_editable_children":
		args = map[string]any{"node_path": y.node(all), "editable": y.chance(60)}
		if y.chance(60) {
			args["confirm"] = true
		}
	case "connect_signal", "disconnect_signal":
		args = map[string]any{
			"source_path": y.node(all), "signal_name": y.one("tree_entered", "timeout", "hit", "draw", "renamed", "pressed"),
			"target_path": y.node(all), "method_name": y.one("queue_redraw", "queue_free", "_on_hit", "on_timeout"),
		}
		if kind == "disconnect_signal" {
			args["confirm"] = true
		} else if y.chance(30) {
			args["flags"] = []int{1, 4, 5}[y.rng.IntN(3)]
		} else if y.chance(20) {
			args["binds"] = []any{"x", 3}
		}
	case "attach_script":
		args = map[string]any{"node_path": y.node(all), "script_path": y.one(y.path("hero.gd"), y.path("note.gd"), "")}
	case "read":
		return y.drawRead(all)
	default:
		panic(kind)
	}
	return deed{Tool: tool, Args: args}
}

// drawValue draws a property and a value for a node of a class.
func (y yard) drawValue(class string) (string, any, bool) {
	var from []string
	for c := range someValues {
		if classdb.Inherits(class, c) || c == "Node" {
			from = append(from, c)
		}
	}
	slices.Sort(from)
	props := someValues[y.one(from...)]
	names := make([]string, 0, len(props))
	for p := range props {
		names = append(names, p)
	}
	slices.Sort(names)
	p := y.one(names...)
	v := props[p][y.rng.IntN(len(props[p]))]
	switch text, _ := v.(string); text {
	case "WIDE":
		v = map[string]any{"resource": y.path("wide.tres")}
	case "FOREIGN":
		v = map[string]any{"resource": y.path("base.tscn") + "::RectangleShape2D_base1"}
	}
	return p, v, true
}

func (y yard) drawRead(all []spot) deed {
	n := y.node(all)
	reads := []deed{
		{Tool: "get_scene_tree", Args: map[string]any{}},
		{Tool: "get_node_properties", Args: map[string]any{"node_path": n}},
		{Tool: "get_node_property_list", Args: map[string]any{"node_path": n}},
		{Tool: "get_node_groups", Args: map[string]any{"node_path": n}},
		{Tool: "list_signal_connections", Args: map[string]any{"node_path": n}},
		{Tool: "find_nodes_by_type", Args: map[string]any{"node_type": y.one("Node2D", "Timer", "Control", "Hero_"+y.name)}},
		{Tool: "list_open_scenes", Args: map[string]any{}},
		{Tool: "list_history", Args: map[string]any{}},
		{Tool: "get_active_scene", Args: map[string]any{}},
		{Tool: "get_selected_node", Args: map[string]any{}},
		{Tool: "list_scenes", Args: map[string]any{}},
		{Tool: "get_dependencies", Args: map[string]any{"path": y.path(y.one("main.tscn", "inh.tscn", "ui.tscn", "hero.gd"))}},
		{Tool: "get_script_for_node", Args: map[string]any{"node_path": n}},
		{Tool: "describe_class", Args: map[string]any{"class_name": y.one(someKinds...)}},
		{Tool: "get_project_info", Args: map[string]any{}},
	}
	d := reads[y.rng.IntN(len(reads))]
	if y.chance(30) {
		class := "Node"
		if i := slices.IndexFunc(all, func(s spot) bool { return s.path == n }); i >= 0 {
			class = all[i].class
		}
		if p, _, ok := y.drawValue(class); ok {
			d = deed{Tool: "get_node_property", Args: map[string]any{"node_path": n, "property": p}}
		}
	}
	return d
}
