package scripts

import (
	"slices"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/wire"
)

// The primitives that set values, and those that join and link.

func valuePrimitives() []primitive {
	variable := func(name, property string, value any, lost wire.LossReason) primitive {
		return one(name, "set_node_property", func(a aim) (args, wire.Reason, wire.LossReason) {
			refused, loss := wire.Reason(""), a.loss
			// Of a script that is no tool the editor has the exported variables only, of one
			// that does not compile only what the file gives it.
			script, held := a.values["script"], a.values[property] != ""
			faulty := strings.Contains(script, "broken.gd") || strings.Contains(script, "torn.gd")
			if script == "" || lost != "" && !strings.Contains(script, "tool.gd") || faulty && !held {
				refused = wire.ReasonNoProperty
			}
			if loss == "" {
				loss = lost
			}
			return args{"node_path": a.path, "property": property, "value": value}, refused, loss
		})
	}
	script := func(name, file string) primitive {
		return one(name, "attach_script", func(a aim) (args, wire.Reason, wire.LossReason) {
			refused := wire.Reason("")
			if file != "" && !classdb.Inherits(a.class, "Node2D") {
				refused = wire.ReasonWrongResource
			}
			return args{"node_path": a.path, "script_path": file}, refused, a.loss
		})
	}
	return []primitive{
		change("set a stored property", "Node", "editor_description", "note"),
		change("set a property to its default", "Node", "process_mode", 0),
		change("set metadata", "Node", "metadata/k", args{"a": 1}),
		change("give a unique name", "Node", "unique_name_in_owner", true),
		change("hide it", "CanvasItem", "visible", false),
		change("set a position", "Node2D", "position", []any{9, 9}),
		change("set a part of a value", "Node2D", "position:x", 9),
		change("set the value that the base has", "Sprite2D", "position", []any{1, 2}),
		change("set a computed property", "Node2D", "global_position", []any{50, 60}),
		change("set a derived property", "Node2D", "rotation_degrees", 45),
		change("set a wait", "Timer", "wait_time", 3),
		change("set a size", "Control", "size", []any{30, 20}),
		variable("set an exported variable", "hp", 9, ""),
		change("set metadata with a number of many digits", "Node", "metadata/k", args{"type": "float", "value": 1.3779649082328497e+187}).losing(wire.LossNotExact),
		variable("set an exported node", "target", "Spot", ""),
		variable("set a plain variable", "plain", 4, wire.LossNotStored),
		script("attach a script", "res://HERE/hero.gd"),
		script("take the script off", ""),
	}
}

func resourcePrimitives() []primitive {
	inside := func(name, class, property string, value any) primitive {
		return primitive{name, func(a aim) []shot {
			resource, _, _ := strings.Cut(property, ":")
			held, has := a.values[resource]
			if !classdb.Inherits(a.class, class) || !has {
				return nil
			}
			refused, loss := wire.Reason(""), a.loss
			switch {
			case strings.Contains(held, "CircleShape2D"):
				refused = wire.ReasonNoProperty
			case strings.Contains(held, ".tres"):
				loss = ""
			case a.is&supplied != 0:
				loss = wire.LossEmbeddedElsewhere
			}
			return []shot{{name, "set_node_property", args{"node_path": a.path, "property": property, "value": value}, refused, loss}}
		}}
	}
	return []primitive{
		inside("edit inside a shape", "CollisionShape2D", "shape:size", []any{6, 6}),
		inside("edit a part inside a shape", "CollisionShape2D", "shape:size:x", 6),
		inside("edit inside a theme", "Control", "theme:default_font_size", 30),
		inside("edit inside a style", "Panel", "theme_override_styles/panel:bg_color", []any{1, 0, 0, 1}),
		change("put a new shape", "CollisionShape2D", "shape", args{"new": "CircleShape2D", "properties": args{"radius": 3}}),
		change("put a shape of another file", "CollisionShape2D", "shape", args{"resource": "res://HERE/wide.tres"}),
		change("put the shape of another scene", "CollisionShape2D", "shape", args{"resource": "res://HERE/base.tscn::RectangleShape2D_base1"}),
		change("take a shape away", "CollisionShape2D", "shape", nil),
		change("put a new texture", "Sprite2D", "texture", args{"new": "GradientTexture2D"}),
		change("put a new theme", "Control", "theme", args{"new": "Theme"}),
		change("put a style of another file", "Panel", "theme_override_styles/panel", args{"resource": "res://HERE/box.tres::StyleBoxFlat_1a2b3"}),
		change("take a theme away", "Control", "theme", nil),
	}
}

// survives is why a node would not be there again; one that is supplied always is.
func (a aim) survives() wire.LossReason {
	if a.is&supplied != 0 {
		return ""
	}
	return a.loss
}

func linkPrimitives() []primitive {
	join := one("join a group", "add_to_group", func(a aim) (args, wire.Reason, wire.LossReason) {
		return args{"node_path": a.path, "group": "g1"}, "", a.loss
	})
	leave := primitive{"leave a group", func(a aim) []shot {
		var out []shot
		for _, g := range append(slices.Clone(a.groups), "none") {
			loss := wire.LossReason("")
			if strings.HasPrefix(g, "base_") || strings.HasPrefix(g, "mid_") {
				loss = wire.LossGroupFromBase
			}
			out = append(out, shot{"leave " + g, "remove_from_group", args{"node_path": a.path, "group": g}, "", loss})
		}
		return out
	}}
	connect := func(name string, ends func(aim) (from, to string, loss wire.LossReason), more args) primitive {
		return one(name, "connect_signal", func(a aim) (args, wire.Reason, wire.LossReason) {
			from, to, loss := ends(a)
			list := args{"source_path": from, "signal_name": "tree_entered", "target_path": to, "method_name": "request_ready"}
			for k, v := range more {
				list[k] = v
			}
			return list, "", loss
		})
	}
	cut := primitive{"disconnect", func(a aim) []shot {
		var out []shot
		for _, l := range a.linksOf() {
			loss := wire.LossReason("")
			if l.signal == "timeout" && (l.to == "." || strings.HasPrefix(l.from, l.to+"/")) {
				loss = wire.LossConnectionFromBase
			}
			out = append(out, shot{"disconnect " + l.from + "." + l.signal + " from " + l.to, "disconnect_signal", args{
				"source_path": l.from, "signal_name": l.signal, "target_path": l.to, "method_name": l.method, "confirm": true,
			}, "", loss})
		}
		return append(out, shot{"disconnect what is not connected", "disconnect_signal", args{
			"source_path": a.path, "signal_name": "renamed", "target_path": ".", "method_name": "queue_free", "confirm": true,
		}, wire.ReasonNotConnected, ""})
	}}
	editable := func(name string, on bool) primitive {
		return one(name, "set_editable_children", func(a aim) (args, wire.Reason, wire.LossReason) {
			refused, loss := wire.Reason(""), a.loss
			switch {
			case a.is&instance == 0:
				refused = wire.ReasonNotAnInstance
			case !on && loss == "" && a.is&supplied != 0 && strings.HasSuffix(a.path, "E"):
				loss = wire.LossFromBase
			}
			return args{"node_path": a.path, "editable": on, "confirm": true}, refused, loss
		})
	}
	return []primitive{
		join, leave,
		connect("connect it to the root", func(a aim) (string, string, wire.LossReason) { return a.path, ".", a.loss }, nil),
		connect("connect it to itself, with more", func(a aim) (string, string, wire.LossReason) { return a.path, a.path, a.loss }, args{"flags": 1, "binds": []any{"x"}}),
		connect("connect it without its argument", func(a aim) (string, string, wire.LossReason) { return a.path, ".", a.loss }, args{"signal_name": "child_exiting_tree", "unbinds": 1}),
		connect("connect an own node to it", func(a aim) (string, string, wire.LossReason) { return "Mover", a.path, a.survives() }, nil),
		cut,
		editable("open it", true),
		editable("close it", false),
	}
}
