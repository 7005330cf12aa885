package scene

import (
	"slices"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// Layout modes of Control (an internal enum of the engine).
const (
	layoutPosition = iota
	layoutAnchors
	layoutContainer
	layoutUncontrolled
)

// UnderContainer reports whether a node is a control that a container lays out.
func (e Env) UnderContainer(n *Node) bool {
	p := e.Node(n.Parent)
	return p != nil && classOf(p.Class).container && classOf(n.Class).control
}

// choosesLayout reports whether a control can be laid out in more than one way: its
// parent is a control, but no container.
func (e Env) choosesLayout(n *Node) bool {
	p := e.Node(n.Parent)
	return p != nil && classOf(p.Class).control && !classOf(p.Class).container
}

// layoutOnly names the control properties that a file does not hold under a container.
func layoutOnly(name string) bool {
	return places(name) || strings.HasPrefix(name, "grow_") ||
		name == "anchors_preset" || containerSets(name)
}

// places names the properties that say where a control is in its parent, which under a
// container are read-only as well (engine 4.6).
func places(name string) bool {
	return strings.HasPrefix(name, "anchor_") || strings.HasPrefix(name, "offset_")
}

// containerSets names the control properties that a container overwrites whenever
// it sorts its children; under one they are read-only and not stored.
func containerSets(name string) bool {
	switch name {
	case "position", "size", "rotation", "scale", "pivot_offset", "pivot_offset_ratio":
		return true
	}
	return false
}

// nodeValue gives the value of a stored property as the engine's getter does,
// which for the layout of controls depends on the parent.
func (e Env) nodeValue(n *Node, name string) (variant.Value, bool) {
	if classOf(n.Class).control {
		switch name {
		case "layout_mode":
			return variant.Int(int64(e.layoutMode(n))), true
		case "anchors_preset":
			return variant.Int(int64(e.anchorsPreset(n))), true
		}
	}
	return e.value(n.object(), name)
}

func (e Env) layoutMode(n *Node) int {
	p := e.Node(n.Parent)
	switch {
	case p == nil || !classOf(p.Class).control:
		return layoutUncontrolled
	case classOf(p.Class).container:
		return layoutContainer
	case e.anchorsPreset(n) != 0:
		return layoutAnchors
	}
	// Of the modes that may be stored only these two make sense in a control.
	if stored := e.storedInt(n, "layout_mode", layoutPosition); stored == layoutAnchors {
		return stored
	}
	return layoutPosition
}

func (e Env) storedInt(n *Node, name string, fallback int) int {
	if v, ok := n.Props.Get(name); ok {
		if i, ok := v.Int(); ok {
			return int(i)
		}
	}
	return fallback
}

// anchorsPreset tells which preset the anchors are, -1 for none.
func (e Env) anchorsPreset(n *Node) int {
	mode := e.storedInt(n, "layout_mode", layoutPosition)
	if mode != layoutUncontrolled && mode != layoutAnchors {
		return 0
	}
	if e.storedInt(n, "anchors_preset", 0) == -1 {
		return -1
	}
	a := e.anchors(n)
	for preset, want := range presets {
		if a == want {
			return preset
		}
	}
	return -1
}

// presets are the anchors (left, top, right, bottom) of Control.LayoutPreset.
var presets = [16][4]float64{
	{0, 0, 0, 0}, {1, 0, 1, 0}, {0, 1, 0, 1}, {1, 1, 1, 1},
	{0, .5, 0, .5}, {.5, 0, .5, 0}, {1, .5, 1, .5}, {.5, 1, .5, 1},
	{.5, .5, .5, .5}, {0, 0, 0, 1}, {0, 0, 1, 0}, {1, 0, 1, 1},
	{0, 1, 1, 1}, {.5, 0, .5, 1}, {0, .5, 1, .5}, {0, 0, 1, 1},
}

var sides = [4]string{"left", "top", "right", "bottom"}

func (e Env) anchors(n *Node) (a [4]float64) { return e.four(n, "anchor_") }

func (e Env) offsets(n *Node) (a [4]float64) { return e.four(n, "offset_") }

func (e Env) four(n *Node, prefix string) (a [4]float64) {
	for i, side := range sides {
		v, _ := e.value(n.object(), prefix+side)
		a[i], _ = v.Number()
	}
	return a
}

// Parented tells a control that it has a parent now. The engine then stores the
// layout mode that the parent leaves it; while it has none, as while a file is
// read, the mode is that of the file.
func (e Env) Parented(id NodeID) {
	n := e.Node(id)
	if !classOf(n.Class).control {
		return
	}
	mode := e.layoutMode(n)
	if mode == e.storedInt(n, "layout_mode", layoutPosition) {
		return
	}
	n = e.Edit(id)
	if mode == layoutPosition {
		n.Props = n.Props.Without("layout_mode")
	} else {
		n.Props = n.Props.With("layout_mode", variant.Int(int64(mode)))
	}
}

// viewport is the size that the editor lays a root control out in when the project
// does not say otherwise.
var viewport = vec2{X: 1152, Y: 648}

// areaOf gives the size that the anchors of a control refer to.
func (e Env) areaOf(n *Node) vec2 {
	area, _ := e.measuredArea(n)
	return area
}

func (e Env) measuredArea(n *Node) (area vec2, sure bool) {
	p := e.Node(n.Parent)
	switch {
	case p == nil:
		return e.viewportSize(), true
	case classOf(p.Class).control:
		_, size, sure := e.frame(p)
		return size, sure && e.shown(p)
	case p.Class == "Sprite2D":
		if v, ok := p.Props.Get("texture"); ok && !v.IsNil() {
			return vec2{}, false
		}
		return vec2{X: 1, Y: 1}, true // what the engine gives one that shows nothing
	case classOf(p.Class).canvasItem:
		return vec2{}, p.Class != "AnimatedSprite2D" && p.Class != "TouchScreenButton"
	}
	return e.viewportSize(), classdb.Inherits(p.Class, "Node3D") || p.Class == "Node"
}

func (e Env) viewportSize() vec2 { return viewport }

// rect gives position and size of a control, as well as they are known.
func (e Env) rect(n *Node) (pos, size vec2) {
	pos, size, _ = e.frame(n)
	return pos, size
}

// frame gives position and size of a control from anchors and offsets, or from the
// container that it is in, and whether they are exact.
func (e Env) frame(n *Node) (pos, size vec2, sure bool) {
	a, o := e.anchors(n), e.offsets(n)
	sure = true
	if e.UnderContainer(n) {
		var end vec2
		if pos, end, sure = e.slot(n); sure {
			a, o = [4]float64{}, [4]float64{float64(pos.X), float64(pos.Y), float64(pos.X + end.X), float64(pos.Y + end.Y)}
		}
	}
	area, known := e.measuredArea(n)
	if a != [4]float64{} {
		sure = sure && known && !e.flag(n, "top_level")
	}
	left := float32(a[0])*area.X + float32(o[0])
	top := float32(a[1])*area.Y + float32(o[1])
	right := float32(a[2])*area.X + float32(o[2])
	bottom := float32(a[3])*area.Y + float32(o[3])
	least, known := e.leastSize(n)
	size = vec2{X: right - left, Y: bottom - top}
	pos = vec2{X: left, Y: top}
	pos.X, size.X = grown(pos.X, size.X, least.X, e.storedInt(n, "grow_horizontal", 1))
	pos.Y, size.Y = grown(pos.Y, size.Y, least.Y, e.storedInt(n, "grow_vertical", 1))
	return pos, size, sure && known && !e.mirrored(n)
}

// Layout is what a control, or a node of three dimensions, stores of where it is in its
// parent.
func (e Env) Layout(id NodeID) (out [18]float64) {
	n := e.Node(id)
	switch c := classOf(n.Class); {
	case c.node3d:
		t := e.local3(n)
		rot, scale := e.angles3(n)
		for i, v := range [6]vec3{t.Basis.X, t.Basis.Y, t.Basis.Z, t.Origin, rot, scale} {
			out[3*i], out[3*i+1], out[3*i+2] = float64(v.X), float64(v.Y), float64(v.Z)
		}
		return out
	case !c.control:
		return out
	}
	a, o := e.anchors(n), e.offsets(n)
	copy(out[:4], a[:])
	copy(out[4:8], o[:])
	out[8] = float64(e.storedInt(n, "grow_horizontal", 1))
	out[9] = float64(e.storedInt(n, "grow_vertical", 1))
	return out
}

// Measured reports whether position and size of a control are exact: they may follow
// from what is not known here, as other fonts and containers. The engine works them out
// whenever the layout is set; those that it remembers are not up to date for controls
// that are hidden.
func (e Env) Measured(id NodeID, remembered bool) bool {
	n := e.Node(id)
	if !classOf(n.Class).control {
		return true
	}
	_, _, sure := e.frame(n)
	return sure && (!remembered || e.shown(n))
}

// grown widens a span to its least size in the direction in which a control grows.
func grown(pos, size, least float32, direction int) (float32, float32) {
	if size >= least {
		return pos, size
	}
	switch direction {
	case 0:
		pos += size - least
	case 2:
		pos += (size - least) / 2
	}
	return pos, least
}

// setRect sets the offsets so that a control gets a position and a size.
func (e Env) setRect(id NodeID, pos, size vec2) {
	n := e.Node(id)
	least, _ := e.leastSize(n)
	size = vec2{X: max(size.X, least.X), Y: max(size.Y, least.Y)}
	area := e.areaOf(n)
	a := e.anchors(n)
	e.put(id, "offset_left", float32Value(pos.X-float32(a[0])*area.X))
	e.put(id, "offset_top", float32Value(pos.Y-float32(a[1])*area.Y))
	e.put(id, "offset_right", float32Value(pos.X+size.X-float32(a[2])*area.X))
	e.put(id, "offset_bottom", float32Value(pos.Y+size.Y-float32(a[3])*area.Y))
}

func (e Env) computedControl(n *Node, name string) (variant.Value, bool) {
	switch name {
	case "layout_mode", "anchors_preset":
		return e.nodeValue(n, name)
	case "position":
		pos, _ := e.rect(n)
		return pos.Value(), true
	case "size":
		_, size := e.rect(n)
		return size.Value(), true
	case "rotation_degrees":
		if v, ok := e.slotValue(n, "rotation"); ok {
			return v, true
		}
		return radToDeg(e.float(n, "rotation")), true
	case "global_position":
		return e.global2(n).Origin.Value(), true
	}
	return e.slotValue(n, name)
}

func (e Env) setComputedControl(n *Node, name string, v variant.Value) bool {
	vec, _ := v.Vector2()
	pos, size := e.rect(n)
	switch name {
	case "layout_mode":
		mode, _ := v.Int()
		e.setLayoutMode(n.ID, int(mode))
	case "anchors_preset":
		preset, _ := v.Int()
		e.setAnchorsPreset(n.ID, int(preset))
	case "position":
		e.setRect(n.ID, vec, size)
	case "size":
		e.setRect(n.ID, pos, vec)
	case "global_position":
		local := apply2(inverse2(e.above2(n)), vec)
		shift := e.local2(n).Origin
		e.setRect(n.ID, vec2{X: local.X - (shift.X - pos.X), Y: local.Y - (shift.Y - pos.Y)}, size)
	case "rotation_degrees":
		e.put(n.ID, "rotation", float32Value(degToRad(v)))
	default:
		return e.setAnchor(n, name, v)
	}
	return true
}

// setAnchor sets an anchor, which pushes the opposite one along rather than passing it
// (engine 4.6).
func (e Env) setAnchor(n *Node, name string, v variant.Value) bool {
	side := slices.Index(sides[:], strings.TrimPrefix(name, "anchor_"))
	if side < 0 || !strings.HasPrefix(name, "anchor_") {
		return false
	}
	e.put(n.ID, name, v)
	at, _ := v.Number()
	other := (side + 2) % 4
	if opposite := e.anchors(e.Node(n.ID))[other]; side < 2 && at > opposite || side >= 2 && at < opposite {
		e.put(n.ID, "anchor_"+sides[other], v)
	}
	return true
}

// setLayoutMode stores the mode; the mode of positions takes the anchors back.
func (e Env) setLayoutMode(id NodeID, mode int) {
	n := e.Edit(id)
	if mode == layoutPosition {
		n.Props = n.Props.Without("layout_mode").Without("anchors_preset")
		e.applyPreset(id, 0)
		return
	}
	n.Props = n.Props.With("layout_mode", variant.Int(int64(mode)))
}

// setAnchorsPreset chooses a preset, or -1 for anchors of one's own. In modes
// without anchors it does nothing. A preset that the anchors have already is laid out
// anew (engine 4.6).
func (e Env) setAnchorsPreset(id NodeID, preset int) {
	n := e.Edit(id)
	mode := e.storedInt(n, "layout_mode", layoutPosition)
	if mode != layoutUncontrolled && mode != layoutAnchors || preset < -1 || preset >= len(presets) {
		return
	}
	if preset == -1 {
		n.Props = n.Props.With("anchors_preset", variant.Int(-1))
		return
	}
	n.Props = n.Props.Without("anchors_preset")
	e.applyPreset(id, preset)
}

// presetCenter is the last preset that does not stretch a control.
const presetCenter = 8

// applyPreset sets anchors, offsets and growth of a preset. A control that is not
// stretched keeps the size that its offsets give it between the new anchors; one that
// is stretched one way gets the size that its class asks for in the other (engine 4.6).
func (e Env) applyPreset(id NodeID, preset int) {
	want := presets[preset]
	for i, side := range sides {
		e.put(id, "anchor_"+side, variant.Float(want[i]))
	}
	size := e.sizeNow(id)
	if preset > presetCenter {
		size, _ = e.ownLeast(e.Node(id))
	}
	span := [2]float32{size.X, size.Y}
	for axis := range 2 {
		low, high := want[axis], want[axis+2]
		var from, to float32
		if low == high {
			from = -float32(low) * span[axis]
			to = from + span[axis]
		}
		e.put(id, "offset_"+sides[axis], float32Value(from))
		e.put(id, "offset_"+sides[axis+2], float32Value(to))
	}
	e.growPreset(id, preset)
}

// sizeNow gives the size that a control has. While a scene is read, controls are in no
// tree: their size follows the offsets, from the first time that one of the layout is
// set, and the minimum size is that of this moment (engine 4.6).
func (e Env) sizeNow(id NodeID) vec2 {
	n := e.Node(id)
	if !e.loading {
		_, size := e.rect(n)
		return size
	}
	least, sized := e.leastRead[id]
	if !sized {
		return vec2{}
	}
	o := e.offsets(n)
	return vec2{X: max(float32(o[2]-o[0]), least.X), Y: max(float32(o[3]-o[1]), least.Y)}
}

// sizedBy tells a control that is read that one of its properties was set.
func (e Env) sizedBy(id NodeID, name string) {
	n := e.Node(id)
	if _, sized := e.leastRead[id]; sized || !classOf(n.Class).control {
		return
	}
	mode := e.storedInt(n, "layout_mode", layoutPosition)
	switch {
	case strings.HasPrefix(name, "offset_"), strings.HasPrefix(name, "grow_"):
	case name == "layout_mode" && mode == layoutPosition:
	case name == "anchors_preset" && (mode == layoutUncontrolled || mode == layoutAnchors):
	default:
		return
	}
	e.leastRead[id], _ = e.leastSize(n)
}

// growPreset sets the directions in which a control of a preset grows.
func (e Env) growPreset(id NodeID, preset int) {
	want := presets[preset]
	for axis, name := range [2]string{"grow_horizontal", "grow_vertical"} {
		direction := int64(1)
		switch low, high := want[axis], want[axis+2]; {
		case low == 1 && high == 1:
			direction = 0
		case low == .5, low != high:
			direction = 2
		}
		e.put(id, name, variant.Int(direction))
	}
}
