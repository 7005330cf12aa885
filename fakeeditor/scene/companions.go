package scene

import (
	"unicode/utf8"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// Setters of the engine that move another property of the same node along. Each
// reports whether nothing is left to be set.

// setFrame sets what a sprite shows of its sheet: a frame that the sheet has, and
// one that stays in its row and column when the sheet gets another width.
func (e Env) setFrame(id NodeID, name string, v variant.Value) bool {
	n := e.Node(id)
	if at, ok := v.Vector2i(); ok && name == frameCoords && isSprite(n) {
		if wide := e.number(n, "hframes"); at.X >= 0 && at.Y >= 0 && int(at.X) < wide && int(at.Y) < e.number(n, "vframes") {
			e.put(id, "frame", variant.Int(int64(int(at.Y)*wide+int(at.X))))
		}
		return true
	}
	if name != "frame" && name != "hframes" && name != "vframes" || !classdb.Inherits(n.Class, "Sprite2D") && !classdb.Inherits(n.Class, "Sprite3D") {
		return false
	}
	number, _ := v.Number()
	to := int(number)
	frame, wide, high := e.number(n, "frame"), e.number(n, "hframes"), e.number(n, "vframes")
	switch {
	case name == "frame":
		return to < 0 || to >= wide*high
	case to < 1:
		return true
	case name == "hframes":
		if high > 1 && to != wide {
			if row, column := frame/wide, frame%wide; column >= to {
				frame = 0
			} else {
				frame = row*to + column
			}
		}
		wide = to
	default:
		high = to
	}
	if frame >= wide*high {
		frame = 0
	}
	e.put(id, "frame", variant.Int(int64(frame)))
	return false
}

func (e Env) number(n *Node, name string) int {
	v, _ := e.value(n.object(), name)
	f, _ := v.Number()
	return int(f)
}

// setPressed sets the state of a button, which only one in toggle mode can have.
func (e Env) setPressed(id NodeID, name string, v variant.Value) bool {
	n := e.Node(id)
	if (name != "button_pressed" && name != "toggle_mode") || !classdb.Inherits(n.Class, "BaseButton") {
		return false
	}
	on, _ := v.Bool()
	switch {
	case name == "button_pressed" && !e.flag(n, "toggle_mode"):
		return true
	case name == "toggle_mode" && !on:
		e.put(id, "button_pressed", variant.Bool(false))
	}
	return false
}

// setShown sets how much of a text is shown, which a label keeps both as a number of
// characters and as their share; a text that is shown in part goes on being so.
func (e Env) setShown(id NodeID, name string, v variant.Value) bool {
	n := e.Node(id)
	if name != "visible_ratio" && name != "visible_characters" && name != "text" || !classdb.Inherits(n.Class, "Label") {
		return false
	}
	old, _ := e.value(n.object(), name)
	if old.Equal(v) {
		return true
	}
	length := func(text variant.Value) float32 {
		s, _ := text.Text()
		return float32(utf8.RuneCountInString(s))
	}
	text, _ := e.value(n.object(), "text")
	number, _ := v.Number()
	characters := func(f float32) { e.put(id, "visible_characters", variant.Int(int64(f))) }
	switch name {
	case "text":
		if ratio := e.float(n, "visible_ratio"); ratio < 1 {
			characters(length(v) * ratio)
		}
	case "visible_characters":
		ratio := float32(1)
		if l := length(text); l > 0 && number != -1 {
			ratio = float32(number) / l
		}
		e.put(id, "visible_ratio", float32Value(ratio))
	case "visible_ratio":
		if number >= 1 {
			characters(-1)
		} else {
			characters(length(text) * float32(number))
		}
	}
	return false
}

// setBoneAngle sets the angle of a bone, which is given in degrees and kept in radians.
func (e Env) setBoneAngle(id NodeID, name string, v variant.Value) bool {
	if name != "bone_angle" || !classdb.Inherits(e.Node(id).Class, "Bone2D") {
		return false
	}
	e.put(id, name, radToDeg(degToRad(v)))
	return true
}

// frameCoords is the frame of a sprite by column and row.
const frameCoords = "frame_coords"

func isSprite(n *Node) bool { return n.Class == "Sprite2D" || n.Class == "Sprite3D" }

// coordsOf gives the column and the row of the frame that a sprite shows.
func (e Env) coordsOf(n *Node) variant.Value {
	frame, wide := e.number(n, "frame"), max(1, e.number(n, "hframes"))
	return variant.Vector2i{X: int32(frame % wide), Y: int32(frame / wide)}.Value()
}
