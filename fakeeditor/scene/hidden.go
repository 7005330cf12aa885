package scene

import (
	"strconv"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// hidden reports whether a property is one that a node does not have in its present
// state, so that no file keeps it (engine 4.6 experiments): the units of lights where the
// project does not use them, what a camera takes from physical attributes, and the passes
// that particles do not draw.
func (e Env) hidden(n *Node, name string) bool {
	switch name {
	case "light_temperature", "light_intensity_lux", "light_intensity_lumens":
		return classdb.Inherits(n.Class, "Light3D") && (!e.Lib.Startup().PhysicalLights ||
			name == "light_intensity_lux" && n.Class != "DirectionalLight3D" || name == "light_intensity_lumens" && n.Class == "DirectionalLight3D")
	case "fov", "near", "far", "keep_aspect":
		if !classdb.Inherits(n.Class, "Camera3D") {
			return false
		}
		v, _ := n.Props.Get("attributes")
		r := e.Res(ResOf(v))
		return r != nil && r.Class == "CameraAttributesPhysical"
	}
	pass, ok := drawPass(n, name)
	return ok && pass > e.number(n, "draw_passes")
}

// drawPass gives the number of a pass that particles draw.
func drawPass(n *Node, name string) (pass int, ok bool) {
	text, ok := strings.CutPrefix(name, "draw_pass_")
	if !ok || n.Class != "GPUParticles3D" {
		return 0, false
	}
	pass, err := strconv.Atoi(text)
	return pass, err == nil
}

// drawPasses names the passes that particles always write, also as null: those beyond the
// first, which fresh particles do not have, so that nothing is their default.
func (e Env) drawPasses(n *Node) (out []string) {
	if n.Class != "GPUParticles3D" {
		return nil
	}
	for pass := 2; pass <= min(e.number(n, "draw_passes"), 4); pass++ {
		out = append(out, "draw_pass_"+strconv.Itoa(pass))
	}
	return out
}

// setDrawPass sets how many passes particles draw, which takes the meshes of the others
// away, or the mesh of one of them.
func (e Env) setDrawPass(id NodeID, name string, v variant.Value) bool {
	n := e.Node(id)
	if pass, ok := drawPass(n, name); ok {
		return pass > e.number(n, "draw_passes")
	}
	if name != "draw_passes" || n.Class != "GPUParticles3D" {
		return false
	}
	number, _ := v.Number()
	if number < 1 {
		return true
	}
	for pass := int(number) + 1; pass <= 4; pass++ {
		edited := e.Edit(id)
		edited.Props = edited.Props.Without("draw_pass_" + strconv.Itoa(pass))
	}
	return false
}

// setIntensity sets the brightness of a light, which has one under two names.
func (e Env) setIntensity(id NodeID, name string, v variant.Value) bool {
	if name != "light_intensity_lux" && name != "light_intensity_lumens" || !classdb.Inherits(e.Node(id).Class, "Light3D") {
		return false
	}
	e.put(id, "light_intensity_lux", v)
	e.put(id, "light_intensity_lumens", v)
	return true
}
