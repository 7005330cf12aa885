package scene

import (
	"slices"

	"godot-mcp/server/godot/classdb"
)

// when is a state of another property of a node: its number, or 0 and 1 for false and
// true, is, or with not is none, of some.
type when struct {
	on    string
	not   bool
	among []int
}

// is and isNot make the states of the table.
func is(on string, among ...int) when { return when{on: on, among: among} }

func isNot(on string, among ...int) when { return when{on: on, not: true, among: among} }

// conditions are the properties that nodes have in certain states only, by the class that
// declares them (engine 4.6: every boolean and enum of every class was set, and the list of
// properties read before and after).
var conditions = map[string][]when{
	"Node.process_thread_group_order":                       {isNot("process_thread_group", 0)},
	"Node.process_thread_messages":                          {isNot("process_thread_group", 0)},
	"Node3D.rotation_order":                                 {is("rotation_edit_mode", 0)},
	"Window.current_screen":                                 {is("initial_position", 3)},
	"Window.position":                                       {is("initial_position", 0)},
	"BoneAttachment3D.external_skeleton":                    {is("use_external_skeleton", 1)},
	"CPUParticles2D.emission_sphere_radius":                 {is("emission_shape", 1, 2)},
	"CPUParticles2D.emission_rect_extents":                  {is("emission_shape", 3)},
	"CPUParticles2D.emission_points":                        {is("emission_shape", 4, 5)},
	"CPUParticles2D.emission_normals":                       {is("emission_shape", 5)},
	"CPUParticles2D.emission_colors":                        {is("emission_shape", 4, 5)},
	"CPUParticles2D.emission_ring_inner_radius":             {is("emission_shape", 6)},
	"CPUParticles2D.emission_ring_radius":                   {is("emission_shape", 6)},
	"CPUParticles3D.emission_sphere_radius":                 {is("emission_shape", 1, 2)},
	"CPUParticles3D.emission_box_extents":                   {is("emission_shape", 3)},
	"CPUParticles3D.emission_points":                        {is("emission_shape", 4, 5)},
	"CPUParticles3D.emission_normals":                       {is("emission_shape", 5)},
	"CPUParticles3D.emission_ring_axis":                     {is("emission_shape", 6)},
	"CPUParticles3D.emission_ring_height":                   {is("emission_shape", 6)},
	"CPUParticles3D.emission_ring_radius":                   {is("emission_shape", 6)},
	"CPUParticles3D.emission_ring_inner_radius":             {is("emission_shape", 6)},
	"CPUParticles3D.emission_ring_cone_angle":               {is("emission_shape", 6)},
	"CPUParticles3D.orbit_velocity_min":                     {is("particle_flag_disable_z", 1)},
	"CPUParticles3D.orbit_velocity_max":                     {is("particle_flag_disable_z", 1)},
	"CSGPolygon3D.depth":                                    {is("mode", 0)},
	"CSGPolygon3D.spin_degrees":                             {is("mode", 1)},
	"CSGPolygon3D.spin_sides":                               {is("mode", 1)},
	"CSGPolygon3D.path_node":                                {is("mode", 2)},
	"CSGPolygon3D.path_interval_type":                       {is("mode", 2)},
	"CSGPolygon3D.path_interval":                            {is("mode", 2)},
	"CSGPolygon3D.path_simplify_angle":                      {is("mode", 2)},
	"CSGPolygon3D.path_rotation":                            {is("mode", 2)},
	"CSGPolygon3D.path_rotation_accurate":                   {is("mode", 2)},
	"CSGPolygon3D.path_local":                               {is("mode", 2)},
	"CSGPolygon3D.path_continuous_u":                        {is("mode", 2)},
	"CSGPolygon3D.path_u_distance":                          {is("mode", 2)},
	"CSGPolygon3D.path_joined":                              {is("mode", 2)},
	"AnimationPlayer.playback_auto_capture_duration":        {is("playback_auto_capture", 1)},
	"AnimationPlayer.playback_auto_capture_transition_type": {is("playback_auto_capture", 1)},
	"AnimationPlayer.playback_auto_capture_ease_type":       {is("playback_auto_capture", 1)},
	"FogVolume.size":                                        {isNot("shape", 4)},
	"NavigationAgent3D.keep_y_velocity":                     {is("use_3d_avoidance", 0)},
	"RetargetModifier3D.enable":                             {is("use_global_pose", 0)},
	"ProgressBar.editor_preview_indeterminate":              {is("indeterminate", 1)},
	"LookAtModifier3D.origin_bone_name":                     {is("origin_from", 1)},
	"LookAtModifier3D.origin_bone":                          {is("origin_from", 1)},
	"LookAtModifier3D.origin_external_node":                 {is("origin_from", 2)},
	"LookAtModifier3D.symmetry_limitation":                  {is("use_angle_limitation", 1)},
	"LookAtModifier3D.primary_limit_angle":                  symmetric(1),
	"LookAtModifier3D.primary_damp_threshold":               symmetric(1),
	"LookAtModifier3D.primary_positive_limit_angle":         symmetric(0),
	"LookAtModifier3D.primary_positive_damp_threshold":      symmetric(0),
	"LookAtModifier3D.primary_negative_limit_angle":         symmetric(0),
	"LookAtModifier3D.primary_negative_damp_threshold":      symmetric(0),
	"LookAtModifier3D.secondary_limit_angle":                secondary(1),
	"LookAtModifier3D.secondary_damp_threshold":             secondary(1),
	"LookAtModifier3D.secondary_positive_limit_angle":       secondary(0),
	"LookAtModifier3D.secondary_positive_damp_threshold":    secondary(0),
	"LookAtModifier3D.secondary_negative_limit_angle":       secondary(0),
	"LookAtModifier3D.secondary_negative_damp_threshold":    secondary(0),
	"SpringBoneCollision3D.position_offset":                 {isNot("bone", -1)},
	"SpringBoneCollision3D.rotation_offset":                 {isNot("bone", -1)},
}

func symmetric(how int) []when {
	return []when{is("use_angle_limitation", 1), is("symmetry_limitation", how)}
}

func secondary(how int) []when { return append(symmetric(how), is("use_secondary_rotation", 1)) }

// beginnings are what properties start with that a fresh node of their class does not
// have, so that the class table knows nothing of it, where it is not zero (engine 4.6).
var beginnings = map[string]string{
	"CPUParticles2D.emission_sphere_radius": "1.0", "CPUParticles2D.emission_rect_extents": "Vector2(1, 1)",
	"CPUParticles2D.emission_ring_inner_radius": "0.8", "CPUParticles2D.emission_ring_radius": "1.0",
	"CPUParticles3D.emission_sphere_radius": "1.0", "CPUParticles3D.emission_box_extents": "Vector3(1, 1, 1)",
	"CPUParticles3D.emission_ring_axis": "Vector3(0, 0, 1)", "CPUParticles3D.emission_ring_height": "1.0",
	"CPUParticles3D.emission_ring_radius": "1.0", "CPUParticles3D.emission_ring_cone_angle": "90.0",
	"CSGPolygon3D.spin_degrees": "360.0", "CSGPolygon3D.spin_sides": "8", "CSGPolygon3D.path_interval": "1.0",
	"CSGPolygon3D.path_rotation": "2", "CSGPolygon3D.path_continuous_u": "true", "CSGPolygon3D.path_u_distance": "1.0",
	"LookAtModifier3D.origin_bone": "-1", "LookAtModifier3D.symmetry_limitation": "true",
	"LookAtModifier3D.primary_limit_angle": "6.2831855", "LookAtModifier3D.primary_damp_threshold": "1.0",
	"LookAtModifier3D.primary_positive_limit_angle": "3.1415927", "LookAtModifier3D.primary_positive_damp_threshold": "1.0",
	"LookAtModifier3D.primary_negative_limit_angle": "3.1415927", "LookAtModifier3D.primary_negative_damp_threshold": "1.0",
	"LookAtModifier3D.secondary_limit_angle": "6.2831855", "LookAtModifier3D.secondary_damp_threshold": "1.0",
	"LookAtModifier3D.secondary_positive_limit_angle": "3.1415927", "LookAtModifier3D.secondary_positive_damp_threshold": "1.0",
	"LookAtModifier3D.secondary_negative_limit_angle": "3.1415927", "LookAtModifier3D.secondary_negative_damp_threshold": "1.0",
	"CollisionShape2D.debug_color": "Color(0, 0.6, 0.7, 0.42)", "CollisionShape3D.debug_color": "Color(0, 0.6, 0.7, 0.42)",
	"CollisionPolygon3D.debug_color": "Color(0, 0.6, 0.7, 0.42)",
}

// governors are the properties that conditions are about.
var governors = func() map[string]bool {
	out := map[string]bool{}
	for _, list := range conditions {
		for _, w := range list {
			out[w.on] = true
		}
	}
	return out
}()

// absent are the properties that some classes inherit and never have.
var absent = []string{
	"CanvasItem.clip_children", "Light3D.light_projector", "Light3D.light_size", "Light3D.distance_fade_enabled",
	"Light3D.distance_fade_begin", "Light3D.distance_fade_shadow", "Light3D.distance_fade_length", "Light3D.light_angular_distance",
	"AcceptDialog.dialog_text", "Button.text", "Button.icon", "Node2D.position", "Range.exp_edit", "SkeletonModifier3D.influence",
	"BoxContainer.vertical", "FlowContainer.vertical", "SplitContainer.vertical",
}

// conditionsOf gives the conditions for the properties of a class.
func conditionsOf(props []classdb.PropertyInfo) map[string][]when {
	out := map[string][]when{}
	for _, p := range props {
		if list, ok := conditions[p.Owner+"."+p.Name]; ok {
			out[p.Name] = list
		}
		if p.Conditional && slices.Contains(absent, p.Owner+"."+p.Name) {
			out[p.Name] = []when{{}}
		}
	}
	return out
}

// Present reports whether a node has a property that a class table lists, as far as that
// follows from the node's other properties; set says that it holds a value for it.
func (e Env) Present(n *Node, p Property, set bool) bool {
	if p.Export != nil {
		return true
	}
	if e.hidden(n, p.Name) {
		return false
	}
	list, known := classOf(n.Class).conditions[p.Name]
	if !known {
		return set || !p.Conditional
	}
	for _, w := range list {
		if w.on == "" {
			return false
		}
		v, _ := e.value(n.object(), w.on)
		f, ok := v.Number()
		if b, is := v.Bool(); is {
			f, ok = 0, true
			if b {
				f = 1
			}
		}
		if ok && slices.Contains(w.among, int(f)) == w.not {
			return false
		}
	}
	return true
}

// arisen names the properties that a fresh node of the class does not have and this one
// does. Nothing is their default, so a file keeps them with any value.
func (e Env) arisen(n *Node) (out []string) {
	c := classOf(n.Class)
	if !slices.ContainsFunc(n.Props, func(x Prop) bool { return governors[x.Name] }) {
		return nil
	}
	for name := range c.conditions {
		p := c.props[c.index[name]]
		if p.Conditional && !p.HasDefault && p.Usage&classdb.UsageStorage != 0 {
			if e.Present(n, Property{PropertyInfo: p}, false) {
				out = append(out, p.Name)
			}
		}
	}
	return out
}
