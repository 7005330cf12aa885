package scene

import (
	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// The metadata by which the canvas editor knows how a control is edited.
const (
	metaUseAnchors = MetaPrefix + "_edit_use_anchors_"
	metaLocked     = MetaPrefix + "_edit_lock_"
)

// IsControl reports whether a node is a control; IsContainer one that lays out others.
func (e Env) IsControl(id NodeID) bool {
	n := e.Node(id)
	return n != nil && classOf(n.Class).control
}

// IsContainer reports whether a node is a container.
func (e Env) IsContainer(id NodeID) bool {
	n := e.Node(id)
	return n != nil && classdb.Inherits(n.Class, "Container")
}

// EditsAnchors reports whether moving a control in the canvas editor changes its anchors.
func (e Env) EditsAnchors(id NodeID) bool {
	v, _ := e.Node(id).Props.Get(metaUseAnchors)
	on, _ := v.Bool()
	return on
}

// EditAnchors notes on a control whether that is so. The canvas editor passes over
// controls that are hidden, locked or not in its own view (engine 4.6 experiment).
func (e Env) EditAnchors(id, root NodeID, on bool) {
	n := e.Node(id)
	if v, ok := n.Props.Get(metaLocked); ok {
		if locked, _ := v.Bool(); locked {
			return
		}
	}
	if !e.inView(n, root) {
		return
	}
	if _, has := n.Props.Get(metaUseAnchors); !has && !on {
		return
	}
	n = e.Edit(id)
	if on {
		n.Props = n.Props.With(metaUseAnchors, variant.Bool(true))
	} else {
		n.Props = n.Props.Without(metaUseAnchors)
	}
}

// KeepAnchoring gives what an action makes of a node, from one side of it to the other,
// with what was noted on the node since: no history knows of that.
func KeepAnchoring(now, from, to *Node) *Node {
	if now == nil || from == nil || to == nil {
		return to
	}
	_, noted := now.Props.Get(metaUseAnchors)
	_, was := to.Props.Get(metaUseAnchors)
	if _, other := from.Props.Get(metaUseAnchors); noted == was || other != was {
		return to
	}
	out := *to
	out.edit = nil
	if noted {
		out.Props = out.Props.With(metaUseAnchors, variant.Bool(true))
	} else {
		out.Props = out.Props.Without(metaUseAnchors)
	}
	return &out
}

// inView reports whether a canvas item is visible in the view of the edited scene.
func (e Env) inView(n *Node, root NodeID) bool {
	for ; n != nil && classOf(n.Class).canvasItem; n = e.Node(n.Parent) {
		if !e.flag(n, "visible") {
			return false
		}
	}
	for ; n != nil; n = e.Node(n.Parent) {
		if classdb.Inherits(n.Class, "CanvasLayer") && !e.flag(n, "visible") || n.ID != root && classdb.Inherits(n.Class, "Viewport") {
			return false
		}
	}
	return true
}
