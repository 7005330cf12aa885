package scene

import (
	"math"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// leasts are the smallest parts that vectors keep.
var leasts = map[string]float32{
	"Decal.size": 0.001, "FogVolume.size": 0, "VoxelGI.size": 1, "Parallax2D.repeat_size": 0, "ParallaxLayer.motion_mirroring": 0,
}

// atLeast gives a vector with parts that are not below a limit.
func atLeast(v variant.Value, least float32) variant.Value {
	if x, ok := v.Vector2(); ok {
		x.X, x.Y = max(x.X, least), max(x.Y, least)
		return x.Value()
	}
	if x, ok := v.Vector3(); ok {
		x.X, x.Y, x.Z = max(x.X, least), max(x.Y, least), max(x.Z, least)
		return x.Value()
	}
	return v
}

// upward gives the direction of a vector; ok is false for one without.
func upward(v variant.Value) (variant.Value, bool) {
	if x, ok := v.Vector2(); ok {
		length := float32(math.Sqrt(float64(x.X*x.X + x.Y*x.Y)))
		x.X, x.Y = x.X/length, x.Y/length
		return x.Value(), length != 0
	}
	x, ok := v.Vector3()
	if !ok {
		return v, false
	}
	length := float32(math.Sqrt(float64(x.X*x.X + x.Y*x.Y + x.Z*x.Z)))
	x.X, x.Y, x.Z = x.X/length, x.Y/length, x.Z/length
	return x.Value(), length != 0
}

// trims are the flags for the edges of lines that wrapped text keeps.
func trims(v variant.Value) variant.Value {
	const all = 0xe0
	i, _ := v.Int()
	return variant.Int(i & all)
}

// Forgets reports whether a sprite without frames is to get another animation: it has
// none then, and takes none again (engine 4.6).
func (e Env) Forgets(n *Node, name string, v variant.Value) bool {
	if name != "animation" || n.Class != "AnimatedSprite2D" && n.Class != "AnimatedSprite3D" {
		return false
	}
	frames, _ := e.value(n.object(), "sprite_frames")
	now, _ := e.value(n.object(), name)
	return e.Res(ResOf(frames)) == nil && !now.Equal(v)
}

// unheld reports whether a node does not take a value in the state that it is in.
func (e Env) unheld(n *Node, name string, v variant.Value) bool {
	is := func(class string) bool { return classdb.Inherits(n.Class, class) }
	of := func(name string) *Resource { r, _ := e.value(n.object(), name); return e.Res(ResOf(r)) }
	switch name {
	case "frame":
		return (is("AnimatedSprite2D") || is("AnimatedSprite3D")) && of("sprite_frames") == nil
	case "playing", "stream_paused":
		on, _ := v.Bool()
		return on && (is("AudioStreamPlayer") || is("AudioStreamPlayer2D") || is("AudioStreamPlayer3D")) && of("stream") == nil
	case "filename_filter":
		return is("FileDialog") // it takes what its field shows, and no property shows that
	case "progress_ratio":
		parent := e.Node(n.Parent)
		return (is("PathFollow2D") || is("PathFollow3D")) && (parent == nil || parent.Class != "Path2D" && parent.Class != "Path3D")
	case "setting_count", "chain_count":
		i, ok := v.Int()
		return ok && i < 0
	case "center_of_mass":
		return (is("RigidBody2D") || is("RigidBody3D")) && e.number(n, "center_of_mass_mode") == 0
	case "cell_size":
		x, ok := v.Vector3()
		return ok && is("GridMap") && min(x.X, x.Y, x.Z) < 0.001
	case "zoom":
		x, ok := v.Vector2()
		return ok && is("Camera2D") && (x.X == 0 || x.Y == 0)
	case "inertia":
		x, ok := v.Vector3()
		return ok && is("RigidBody3D") && min(x.X, x.Y, x.Z) < 0
	}
	return false
}
