package scene

import (
	"math"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// Limits that the generated probes did not see, since they tried no nothing, or no node of
// the classes in question (engine 4.6: the numbers and vectors of every class of nodes were
// set and read back).
const (
	// positive are numbers that are above nothing, or stay as they were.
	positive = `
	AudioStreamPlayer.pitch_scale AudioStreamPlayer2D.pitch_scale AudioStreamPlayer3D.pitch_scale AudioStreamPlayer2D.max_distance
	CPUParticles2D.lifetime CPUParticles3D.lifetime GPUParticles2D.lifetime GPUParticles3D.lifetime GPUParticles2D.trail_lifetime
	GPUParticles3D.trail_lifetime CSGPolygon3D.depth CSGSphere3D.radius Camera3D.size LightmapGI.texel_scale LineEdit.caret_blink_interval
	TextEdit.caret_blink_interval OpenXRCompositionLayerCylinder.radius OpenXRCompositionLayerCylinder.aspect_ratio
	OpenXRCompositionLayerCylinder.central_angle OpenXRCompositionLayerEquirect.radius OpenXRCompositionLayerEquirect.central_horizontal_angle
	PhysicalBone3D.mass RigidBody2D.mass RigidBody3D.mass Skeleton3D.motion_scale Timer.wait_time Window.content_scale_factor
	`
	// unsigned are kept as numbers of 32 bits.
	unsigned = `
	CollisionObject2D.collision_layer CollisionObject2D.collision_mask CollisionObject3D.collision_layer CollisionObject3D.collision_mask
	CSGShape3D.collision_layer CSGShape3D.collision_mask CanvasItem.visibility_layer Light3D.light_cull_mask Light3D.shadow_caster_mask
	GPUParticlesAttractor3D.cull_mask GPUParticlesCollision3D.cull_mask Viewport.canvas_cull_mask
	`
)

// wideNumbers are kept in 64 bits.
const wideNumbers = "IterateIK3D.min_distance IterateIK3D.angular_delta_limit"

// addLimits adds them to those of the probes.
func addLimits(out map[string]limit) {
	for _, name := range strings.Fields(positive) {
		out[name] = limit{kind: refuse, least: math.SmallestNonzeroFloat64, most: math.Inf(1)}
	}
	for _, name := range strings.Fields(unsigned) {
		out[name] = limit{kind: wrap32}
	}
	above := math.Inf(1)
	for name, l := range map[string]limit{
		"AnimationMixer.audio_max_polyphony":                  {refuse, 0, above},
		"AudioStreamPlayer3D.emission_angle_degrees":          {refuse, 0, 90},
		"CharacterBody3D.floor_snap_length":                   {refuse, 0, above},
		"CSGCylinder3D.sides":                                 {refuse, 3, above},
		"CSGTorus3D.sides":                                    {refuse, 3, above},
		"GPUParticles2D.trail_sections":                       {refuse, 2, above},
		"GridMap.cell_octant_size":                            {refuse, 1, above},
		"HTTPRequest.download_chunk_size":                     {refuse, 256, 1 << 24},
		"LightmapGI.max_texture_size":                         {refuse, 2048, above},
		"NavigationAgent2D.avoidance_priority":                {refuse, 0, 1},
		"NavigationAgent3D.avoidance_priority":                {refuse, 0, 1},
		"OpenXRCompositionLayerCylinder.fallback_segments":    {refuse, 1, above},
		"OpenXRCompositionLayerEquirect.fallback_segments":    {refuse, 1, above},
		"OpenXRCompositionLayerEquirect.upper_vertical_angle": {refuse, math.SmallestNonzeroFloat64, math.Pi / 2},
		"OpenXRCompositionLayerEquirect.lower_vertical_angle": {refuse, math.SmallestNonzeroFloat64, math.Pi / 2},
		"PhysicalBone3D.friction":                             {refuse, 0, 1},
		"PhysicalBone3D.bounce":                               {refuse, 0, 1},
		"PopupMenu.submenu_popup_delay":                       {clamp, 0.01, above},
		"Viewport.scaling_3d_scale":                           {clamp, 0.1, 2},
		"Viewport.fsr_sharpness":                              {clamp, 0, above},
		"TextEdit.scroll_v_scroll_speed":                      {refuse, 1, above},
		"PointLight2D.texture_scale":                          {clamp, float64(smallest), above},
	} {
		out[name] = l
	}
}

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
