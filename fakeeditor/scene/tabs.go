package scene

import (
	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// setTabs sets how many tabs a bar has; one that has none yet shows the first then,
// unless it may show none.
func (e Env) setTabs(id NodeID, name string, v variant.Value) bool {
	n := e.Node(id)
	if name != "tab_count" || n.Class != "TabBar" {
		return false
	}
	number, _ := v.Number()
	if number > 0 && e.number(n, "current_tab") < 0 && !e.flag(n, "deselect_enabled") {
		e.put(id, "current_tab", variant.Int(0))
	}
	return false
}

// showTabs gives the tabs of a container that is loaded what the container makes of
// them: their places, one that is shown, and the others hidden (engine 4.6 experiment).
func (e Env) showTabs(root NodeID) {
	e.Walk(root, func(n *Node) bool {
		if n.Class != "TabContainer" {
			return true
		}
		var tabs []NodeID
		for _, c := range n.Children {
			if child := e.Node(c); classOf(child.Class).control && classdb.Exists(child.Class) && !e.flag(child, "top_level") {
				tabs = append(tabs, c)
			}
		}
		current := e.number(n, "current_tab")
		if current >= len(tabs) || current < 0 && !e.flag(n, "deselect_enabled") {
			current = min(0, len(tabs)-1)
		}
		e.put(n.ID, "current_tab", variant.Int(int64(current)))
		for i, c := range tabs {
			e.put(c, MetaPrefix+"_tab_index", variant.Int(int64(i)))
			e.put(c, "visible", variant.Bool(i == current))
		}
		return true
	})
}
