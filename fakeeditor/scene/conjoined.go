package scene

import (
	"slices"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// setConjoined sets properties that nodes keep under two names, or that follow each other
// (engine 4.6). It reports whether nothing is left to be set.
func (e Env) setConjoined(id NodeID, name string, v variant.Value) bool {
	n := e.Node(id)
	is := func(class string, names ...string) bool {
		return slices.Contains(names, name) && classdb.Inherits(n.Class, class)
	}
	if e.unheld(n, name, v) {
		return true
	}
	switch {
	case e.Forgets(n, name, v):
		e.put(id, name, variant.StringName(""))
		return true
	case is("CharacterBody2D", "up_direction"), is("CharacterBody3D", "up_direction"):
		if up, ok := upward(v); ok {
			e.put(id, name, up)
		}
		return true
	case is("Area2D", "gravity_direction", "gravity_point_center"), is("Area3D", "gravity_direction", "gravity_point_center"):
		e.put(id, "gravity_direction", v)
		e.put(id, "gravity_point_center", v)
		return true
	case is("SpringBoneCollisionCapsule3D", "radius", "height"):
		f, _ := v.Number()
		e.put(id, name, v)
		if n = e.Node(id); name == "radius" {
			e.put(id, "height", float32Value(max(e.float(n, "height"), 2*float32(f))))
		} else {
			e.put(id, "radius", float32Value(min(e.float(n, "radius"), float32(f)/2)))
		}
		return true
	case is("CanvasLayer", "offset", "rotation", "scale"):
		e.put(id, name, v)
		n = e.Node(id)
		e.put(id, "transform", compose2(e.vec2(n, "offset"), e.float(n, "rotation"), e.vec2(n, "scale"), 0).Value())
		return true
	}
	e.setSpan(n, name, v)
	// Boxes that are named for their direction keep it.
	return is("BoxContainer", "vertical") && n.Class != "BoxContainer" || is("FlowContainer", "vertical") && n.Class != "FlowContainer" ||
		is("SplitContainer", "vertical") && n.Class != "SplitContainer"
}

// setSpan moves the other end of a span that particles draw numbers from, where it would
// lie on the wrong side (engine 4.6).
func (e Env) setSpan(n *Node, name string, v variant.Value) {
	if n.Class != "CPUParticles2D" && n.Class != "CPUParticles3D" {
		return
	}
	f, ok := v.Number()
	if kind, is := strings.CutSuffix(name, "_min"); is && ok && e.float(n, kind+"_max") < float32(f) {
		e.put(n.ID, kind+"_max", v)
	}
	if kind, is := strings.CutSuffix(name, "_max"); is && ok && e.float(n, kind+"_min") > float32(f) {
		e.put(n.ID, kind+"_min", v)
	}
}
