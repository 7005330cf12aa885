package scene

import "godot-mcp/server/godot/variant"

// How boxes lay out the controls in them, as of the end of a frame (engine 4.6).

const boxSeparation = 4

// boxed lists the controls that a box makes room for.
func (e Env) boxed(box *Node) []*Node {
	var out []*Node
	for _, id := range box.Children {
		n := e.Node(id)
		if classOf(n.Class).control && e.flag(n, "visible") && !e.flag(n, "top_level") {
			out = append(out, n)
		}
	}
	return out
}

// boxLeast gives the minimum size of a box. It counts whole pixels.
func (e Env) boxLeast(box *Node) (least vec2, sure bool) {
	if e.saysMore(box) {
		return vec2{}, false
	}
	along, across := 0, 0
	vertical := box.Class == "VBoxContainer"
	for i, n := range e.boxed(box) {
		size, ok := e.leastSize(n)
		if !ok {
			return vec2{}, false
		}
		a, c := turned(size, vertical)
		along += a
		across = max(across, c)
		if i > 0 {
			along += boxSeparation
		}
	}
	return placed(along, across, vertical), true
}

// turned gives the sides of a size along and across a box, in whole pixels.
func turned(v vec2, vertical bool) (along, across int) {
	if vertical {
		return int(v.Y), int(v.X)
	}
	return int(v.X), int(v.Y)
}

// placed is the size, or position, that has these sides.
func placed(along, across int, vertical bool) vec2 {
	if vertical {
		return vec2{X: float32(across), Y: float32(along)}
	}
	return vec2{X: float32(along), Y: float32(across)}
}

// slot gives the place that a box gives to one of its children; sure is false if that
// is not known, or if the box leaves the child as it is.
func (e Env) slot(n *Node) (pos, size vec2, sure bool) {
	box := e.Node(n.Parent)
	if e.loading || box.Class != "VBoxContainer" && box.Class != "HBoxContainer" || e.saysMore(box) {
		return pos, size, false
	}
	if !e.shown(n) || e.flag(n, "top_level") || !e.styleOf(box).plain || e.mirrored(n) {
		return pos, size, false
	}
	_, whole, sure := e.frame(box)
	if !sure {
		return pos, size, false
	}
	spans, sure := e.stretched(box, whole)
	if !sure {
		return pos, size, false
	}
	vertical := box.Class == "VBoxContainer"
	_, across := turned(whole, vertical)
	at := 0
	for i, c := range e.boxed(box) {
		if c.ID == n.ID {
			pos, size = placed(at, 0, vertical), placed(spans[i], across, vertical)
			break
		}
		at += spans[i] + boxSeparation
	}
	least, sure := e.leastSize(n)
	pos.X, size.X = aligned(pos.X, size.X, least.X, e.flagsOf(n, "size_flags_horizontal"))
	pos.Y, size.Y = aligned(pos.Y, size.Y, least.Y, e.flagsOf(n, "size_flags_vertical"))
	return pos, size, sure
}

// KeepSlot makes the place that a box gave a control its own, as the engine does the
// moment it lays the control out. It matters when the control leaves the box.
func (e Env) KeepSlot(id NodeID) {
	n := e.Node(id)
	if !e.UnderContainer(n) {
		return
	}
	pos, size, sure := e.slot(n)
	if !sure {
		return
	}
	for i, at := range [4]float32{pos.X, pos.Y, pos.X + size.X, pos.Y + size.Y} {
		e.put(id, "anchor_"+sides[i], variant.Float(0))
		e.put(id, "offset_"+sides[i], float32Value(at))
	}
	e.put(id, "rotation", variant.Float(0))
	e.put(id, "scale", vec2{X: 1, Y: 1}.Value())
}

// slotValue gives the properties that a box sets of a control in it.
func (e Env) slotValue(n *Node, name string) (variant.Value, bool) {
	if !places(name) && name != "rotation" && name != "scale" || !e.UnderContainer(n) {
		return variant.Nil, false
	}
	pos, size, sure := e.slot(n)
	switch {
	case !sure:
		return variant.Nil, false
	case name == "scale":
		return vec2{X: 1, Y: 1}.Value(), true
	case name == "offset_left":
		return float32Value(pos.X), true
	case name == "offset_top":
		return float32Value(pos.Y), true
	case name == "offset_right":
		return float32Value(pos.X + size.X), true
	case name == "offset_bottom":
		return float32Value(pos.Y + size.Y), true
	}
	return variant.Float(0), true
}

// Size flags of Control.
const (
	sizeFill         = 1
	sizeExpand       = 2
	sizeShrinkCenter = 4
	sizeShrinkEnd    = 8
)

// flagsOf gives them; which a control has that nobody set depends on its class.
func (e Env) flagsOf(n *Node, name string) int {
	v, _ := e.value(n.object(), name)
	i, _ := v.Int()
	return int(i)
}

// stretched shares the room along a box among the controls in it.
func (e Env) stretched(box *Node, whole vec2) (spans []int, sure bool) {
	vertical := box.Class == "VBoxContainer"
	flags := "size_flags_horizontal"
	if vertical {
		flags = "size_flags_vertical"
	}
	inside := e.boxed(box)
	room, _ := turned(whole, vertical)
	room -= boxSeparation * (len(inside) - 1)
	spans = make([]int, len(inside))
	for i, n := range inside {
		least, ok := e.leastSize(n)
		if !ok || e.flagsOf(n, flags)&sizeExpand != 0 {
			// Those that expand share by ratios and rounding, which is not followed.
			return nil, false
		}
		spans[i], _ = turned(least, vertical)
		room -= spans[i]
	}
	return spans, true
}

// aligned places a control that does not fill its room.
func aligned(pos, size, least float32, flags int) (float32, float32) {
	if flags&sizeFill != 0 {
		return pos, size
	}
	switch {
	case flags&sizeShrinkEnd != 0:
		pos += size - least
	case flags&sizeShrinkCenter != 0:
		pos += float32(int((size - least) / 2))
	}
	return pos, least
}

// mirrored reports whether a control may be laid out from right to left.
func (e Env) mirrored(n *Node) bool {
	for ; n != nil && classOf(n.Class).control; n = e.Node(n.Parent) {
		if e.storedInt(n, "layout_direction", 0) != 0 {
			return true
		}
	}
	return false
}
