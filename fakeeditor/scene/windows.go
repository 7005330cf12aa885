package scene

import (
	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// showWindows gives the windows of the edited scene what the editor makes of them when it
// shows the scene (engine 4.6 experiment, without a display): those that are visible draw
// their fonts for the zoom of the view, none is smaller than it has to be, and dialogs
// close at once, since the editor has the focus.
func (e Env) showWindows(root NodeID) {
	e.Walk(root, func(n *Node) bool {
		if !classdb.Inherits(n.Class, "Window") {
			return true
		}
		id := n.ID
		size, _ := e.value(n.object(), "size")
		least, _ := e.value(n.object(), "min_size")
		if s, ok := size.Vector2i(); ok {
			l, _ := least.Vector2i()
			if l.X > s.X || l.Y > s.Y {
				e.put(id, "size", variant.Vector2i{X: max(s.X, l.X), Y: max(s.Y, l.Y)}.Value())
			}
		}
		if !e.flag(n, "visible") {
			return true
		}
		e.put(id, "oversampling_override", variant.Float(1))
		if classdb.Inherits(n.Class, "AcceptDialog") {
			e.put(id, "visible", variant.Bool(false))
		}
		return true
	})
}
