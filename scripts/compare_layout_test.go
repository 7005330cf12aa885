package scripts

import (
	"path"
	"slices"

	"godot-mcp/fakeeditor/world"
	"godot-mcp/server/godot/classdb"
)

// cannotLayOut reports whether the layout that a step leads to is one that the
// simulated editor does not know for certain.
func (st *stage) cannotLayOut(d deed, all []spot) bool {
	if loose(looseLayout, "move_node") != nil && st.left && (d.Tool == "undo" || d.Tool == "redo") && d.Args["count"] != 1 {
		return true
	}
	if loose(looseLayout, "move_node") != nil {
		if leavesContainer(d, all) && !world.Measured(st.simulated(), d.Args["node_path"].(string), true) {
			return true
		}
		if slices.ContainsFunc(d.entries(), func(e deed) bool { return leavesContainer(e, all) }) {
			return true
		}
	}
	if loose(looseFonts, "set_node_property") == nil {
		return false
	}
	if node, ok := d.laysOut(); ok && !world.Measured(st.simulated(), node, false) {
		return true
	}
	if p, _ := d.Args["property"].(string); p == "position" || p == "size" {
		node, _ := d.Args["node_path"].(string)
		if !world.Measured(st.simulated(), node, true) {
			return true
		}
	}
	return d.laysOutNew(all) || slices.ContainsFunc(d.entries(), func(e deed) bool {
		node, ok := e.laysOut()
		return ok && !sizeless(classAt(all, node)) || e.laysOutNew(all)
	})
}

// sizeless are the classes of controls whose size never follows from what they show.
func sizeless(class string) bool { return class == "Control" || class == "Panel" }

// laysOut gives the node whose way of being laid out a call chooses.
func (d deed) laysOut() (node string, ok bool) {
	p, _ := d.Args["property"].(string)
	node, _ = d.Args["node_path"].(string)
	return node, d.Tool == "set_node_property" && layoutChoice(p)
}

func layoutChoice(property string) bool {
	return property == "layout_mode" || property == "anchors_preset"
}

// laysOutNew reports whether a call chooses that for a node that it makes.
func (d deed) laysOutNew(all []spot) bool {
	props, _ := d.Args["properties"].(map[string]any)
	class, _ := d.Args["node_type"].(string)
	parent, _ := d.Args["parent_path"].(string)
	for p := range props {
		if d.Tool == "create_node" && layoutChoice(p) && !sizeless(class) && classdb.Inherits(classAt(all, parent), "Control") {
			return true
		}
	}
	return false
}

// leavesContainer reports whether a call moves a control out of a container.
func leavesContainer(d deed, all []spot) bool {
	if d.Tool != "move_node" {
		return false
	}
	node, _ := d.Args["node_path"].(string)
	parent, _ := d.Args["new_parent_path"].(string)
	return classdb.Inherits(classAt(all, node), "Control") && classdb.Inherits(classAt(all, path.Dir(node)), "Container") &&
		!classdb.Inherits(classAt(all, parent), "Container")
}

func classAt(all []spot, node string) string {
	i := slices.IndexFunc(all, func(s spot) bool { return s.path == node })
	if i < 0 {
		return ""
	}
	return all[i].class
}

// entries are the calls of a batch.
func (d deed) entries() []deed {
	var out []deed
	list, _ := d.Args["commands"].([]any)
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			args, _ := m["params"].(map[string]any)
			tool, _ := m["command"].(string)
			out = append(out, deed{Tool: tool, Args: args})
		}
	}
	edits, _ := d.Args["edits"].([]any)
	for _, e := range edits {
		if m, ok := e.(map[string]any); ok {
			props, _ := m["properties"].(map[string]any)
			for p, v := range props {
				out = append(out, deed{Tool: "set_node_property", Args: map[string]any{"node_path": m["node_path"], "property": p, "value": v}})
			}
		}
	}
	if d.Tool == "batch_set_property" {
		nodes, _ := d.Args["node_paths"].([]any)
		for _, n := range nodes {
			out = append(out, deed{Tool: "set_node_property", Args: map[string]any{"node_path": n, "property": d.Args["property"], "value": d.Args["value"]}})
		}
	}
	return out
}
