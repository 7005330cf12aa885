package scripts

import (
	"path"
	"slices"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/wire"
)

// A primitive is one editing tool in one manner. It gives the calls that it makes
// on a node, each with what has to come of it.
type primitive struct {
	name string
	at   func(aim) []shot
}

// A shot is one call and what has to come of it: a refusal with a reason, or an
// edit that a save loses for a reason ("" if it keeps it).
type shot struct {
	what    string
	tool    string
	args    map[string]any
	refused wire.Reason
	loss    wire.LossReason
}

// An aim is a target as it is when the calls are made.
type aim struct {
	target
	facts
	scene map[string]facts // of every node
}

type args = map[string]any

// one is a primitive that makes one call.
func one(name, tool string, with func(aim) (args, wire.Reason, wire.LossReason)) primitive {
	return primitive{name, func(a aim) []shot {
		list, refused, loss := with(a)
		return []shot{{name, tool, list, refused, loss}}
	}}
}

// losing is a primitive of which a save loses a part wherever it keeps the rest.
func (p primitive) losing(loss wire.LossReason) primitive {
	at := p.at
	p.at = func(a aim) []shot {
		shots := at(a)
		for i := range shots {
			if shots[i].loss == "" {
				shots[i].loss = loss
			}
		}
		return shots
	}
	return p
}

// change is a primitive that sets one value of a target of some class.
func change(name, class, property string, value any) primitive {
	return primitive{name, func(a aim) []shot {
		if !classdb.Inherits(a.class, class) {
			return nil
		}
		return []shot{{name, "set_node_property", args{"node_path": a.path, "property": property, "value": value}, "", a.loss}}
	}}
}

// rooted is the refusal of what cannot be done to the root or to a supplied node.
func (a aim) rooted() wire.Reason {
	switch {
	case a.is&root != 0:
		return wire.ReasonIsRoot
	case a.is&supplied != 0:
		return wire.ReasonFromBase
	}
	return ""
}

// inFront is the refusal of a place in front of what an instance supplies.
func (a aim) inFront(has trait) wire.Reason {
	if a.is&has != 0 {
		return wire.ReasonBadParams
	}
	return ""
}

func firstOf(reasons ...wire.Reason) wire.Reason {
	for _, r := range reasons {
		if r != "" {
			return r
		}
	}
	return ""
}

// matrixPrimitives are the rows of the matrix.
func matrixPrimitives() []primitive {
	return slices.Concat(addingPrimitives(), movingPrimitives(), valuePrimitives(), resourcePrimitives(), linkPrimitives(), filePrimitives(), batchPrimitives())
}

func addingPrimitives() []primitive {
	below := func(name, tool string, list args) primitive {
		return one(name, tool, func(a aim) (args, wire.Reason, wire.LossReason) {
			refused := wire.Reason("")
			if list["index"] != nil {
				refused = a.inFront(fixed)
			}
			return with(list, "parent_path", a.path), refused, a.loss
		})
	}
	copied := func(name string, list args) primitive {
		return one(name, "duplicate_node", func(a aim) (args, wire.Reason, wire.LossReason) {
			refused := wire.Reason("")
			if a.is&root != 0 {
				refused = wire.ReasonIsRoot
			}
			return with(list, "node_path", a.path), refused, a.beside
		})
	}
	return []primitive{
		below("add a node", "create_node", args{"node_type": "Node2D", "node_name": "Fresh"}),
		below("add a node with all that it may have", "create_node", args{
			"node_type": "Node2D", "node_name": "Fresh", "groups": []any{"g1"}, "unique_name": true, "script_path": "res://HERE/hero.gd",
			"properties": args{"position": []any{2, 3}, "metadata/k": args{"a": 1}, "hp": 5},
		}),
		below("add a script class", "create_node", args{"node_type": "Hero_HERE", "node_name": "Fresh"}),
		below("add a resource user", "create_node", args{"node_type": "CollisionShape2D", "node_name": "Fresh", "properties": args{
			"shape": args{"new": "CircleShape2D", "properties": args{"radius": 3}},
		}}),
		below("add a node with a number of many digits", "create_node", args{"node_type": "Gear_HERE", "node_name": "Fresh", "properties": args{"power": 1.3779649082328497e+187}}).losing(wire.LossNotExact),
		below("add a node with a plain variable", "create_node", args{"node_type": "Gear_HERE", "node_name": "Fresh", "properties": args{"plain": 4}}).losing(wire.LossNotStored),
		below("add an instance with a plain variable", "instance_scene", args{"scene_path": "res://HERE/armed.tscn", "name": "Fresh", "properties": args{"plain": 4}}).losing(wire.LossNotStored),
		below("add an instance with a part of a shape", "instance_scene", args{"scene_path": "res://HERE/wall.tscn", "name": "Fresh", "properties": args{"shape:size": []any{6, 6}}}).losing(wire.LossEmbeddedElsewhere),
		below("add a node in front", "create_node", args{"node_type": "Node2D", "node_name": "Fresh", "index": 0}),
		below("add an instance", "instance_scene", args{"scene_path": "res://HERE/base.tscn", "name": "Fresh"}),
		below("add a two-level instance with a value", "instance_scene", args{"scene_path": "res://HERE/mid.tscn", "name": "Fresh", "properties": args{"rotation": 0.5}}),
		below("add an instance in front", "instance_scene", args{"scene_path": "res://HERE/base.tscn", "name": "Fresh", "index": 0}),
		copied("duplicate", nil),
		copied("duplicate with a name", args{"node_name": "Twin"}),
		one("delete", "delete_node", func(a aim) (args, wire.Reason, wire.LossReason) {
			return args{"node_path": a.path, "confirm": true}, a.rooted(), ""
		}),
	}
}

func movingPrimitives() []primitive {
	rename := func(name, to string) primitive {
		return one(name, "rename_node", func(a aim) (args, wire.Reason, wire.LossReason) {
			refused := wire.Reason("")
			if a.is&supplied != 0 {
				refused = wire.ReasonFromBase
			}
			return args{"node_path": a.path, "new_name": to}, refused, a.loss
		})
	}
	// Into the first of some places that is there.
	into := func(name string, lost wire.LossReason, places ...string) primitive {
		return primitive{name, func(a aim) []shot {
			for _, p := range places {
				if _, there := a.scene[p]; !there {
					continue
				}
				refused, loss := a.rooted(), lost
				switch {
				case refused != "":
				case p == a.path || strings.HasPrefix(p, a.path+"/"):
					refused = wire.ReasonIntoItself
				case p == path.Dir(a.path):
					loss = a.loss
				case a.is&unowned != 0 && loss == "":
					loss = nobody
				}
				return []shot{{name, "move_node", args{"node_path": a.path, "new_parent_path": p}, refused, loss}}
			}
			return nil
		}}
	}
	order := func(name string, index int) primitive {
		return one(name, "move_node", func(a aim) (args, wire.Reason, wire.LossReason) {
			refused := a.rooted()
			if index == 0 {
				refused = firstOf(refused, a.inFront(behind))
			}
			return args{"node_path": a.path, "new_parent_path": path.Dir(a.path), "index": index}, refused, a.loss
		})
	}
	below := func(name string, index int) primitive {
		return one(name, "move_node", func(a aim) (args, wire.Reason, wire.LossReason) {
			refused := wire.Reason("")
			if index == 0 {
				refused = a.inFront(fixed)
			}
			return args{"node_path": "Mover", "new_parent_path": a.path, "index": index}, refused, a.loss
		})
	}
	return []primitive{
		rename("rename", "Other"),
		rename("rename to the name of a sibling", "Mover"),
		into("move below an own node", "", "Spot"),
		into("move into a closed instance", closed, "Inst/Inner", "TwoE/P/Inner", "P/Inner"),
		into("move into an open instance", "", "Edit/Inner", "TwoE/E/Inner", "E/Inner", "Inner"),
		order("reorder to the front", 0),
		order("reorder to the end", -1),
		below("move a node below it", -1),
		below("move a node below it, in front", 0),
	}
}

func filePrimitives() []primitive {
	extract := func(name string, replace bool) primitive {
		return one(name, "extract_scene", func(a aim) (args, wire.Reason, wire.LossReason) {
			refused, loss := a.rooted(), wire.LossReason("")
			if refused == wire.ReasonFromBase {
				refused = wire.ReasonMixedOwner
			}
			if replace {
				loss = a.beside
			}
			file := map[bool]string{true: "res://HERE/put.tscn", false: "res://HERE/copied.tscn"}[replace]
			return args{"node_path": a.path, "scene_path": file, "replace_with_instance": replace}, refused, loss
		})
	}
	return []primitive{extract("extract a copy", false), extract("extract and replace", true)}
}

// batchPrimitives make edits that other rows make alone by the tools for many of them.
func batchPrimitives() []primitive {
	note := args{"editor_description": "note"}
	always := func(name, tool, key string, list args) primitive {
		return one(name, tool, func(a aim) (args, wire.Reason, wire.LossReason) {
			return with(list, key, a.path), "", a.loss
		})
	}
	values := one("set values of several nodes", "apply_node_edits", func(a aim) (args, wire.Reason, wire.LossReason) {
		return args{"edits": []any{args{"node_path": a.path, "properties": note}}}, "", a.loss
	})
	same := one("set a value of several nodes", "batch_set_property", func(a aim) (args, wire.Reason, wire.LossReason) {
		return args{"node_paths": []any{a.path}, "property": "editor_description", "value": "note"}, "", a.loss
	})
	entry := one("join a group in a batch", "run_commands", func(a aim) (args, wire.Reason, wire.LossReason) {
		return args{"commands": []any{args{"command": "godot_scene_edit_add_to_group", "params": args{"node_path": a.path, "group": "g1"}}}}, "", a.loss
	})
	return []primitive{
		values, same, entry,
		always("add a branch", "compose_node", "parent_path", args{
			"node_type": "Node2D", "node_name": "Fresh", "properties": note, "script_path": "res://HERE/hero.gd",
			"children": []any{args{"node_type": "Timer", "node_name": "Kid", "properties": args{"wait_time": 3}}},
		}),
		always("add several nodes", "batch_create_nodes", "parent_path", args{"node_type": "Node2D", "names": []any{"F1", "F2"}, "properties": note}),
	}
}
