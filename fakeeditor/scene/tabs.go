package scene

import "godot-mcp/server/godot/variant"

// arrange gives the graph nodes of a branch that is loaded their slots, and the tabs of
// its containers what the containers make of them: their places, one that is shown, and
// the others hidden (engine 4.6 experiment).
func (e Env) arrange(root NodeID) {
	e.Walk(root, func(n *Node) bool {
		e.countSlots(n.ID)
		e.rootBones(n.ID)
		e.restBone(n.ID)
		if n.Class != tabContainer {
			return true
		}
		tabs := e.tabs(n.ID)
		current := e.number(n, "current_tab")
		if current >= len(tabs) || current < 0 && !e.flag(n, "deselect_enabled") {
			current = min(0, len(tabs)-1)
		}
		e.put(n.ID, "current_tab", variant.Int(int64(current)))
		e.numberTabs(tabs)
		for i, c := range tabs {
			if v, ok := n.Props.Get(titleOf(i)); ok {
				e.setTitle(n.ID, i, v)
			} else {
				e.takeTitle(n.ID, i, c)
			}
		}
		e.settleTabs(n.ID)
		return true
	})
}
