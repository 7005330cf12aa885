package scene

import (
	"strconv"
	"strings"

	"godot-mcp/server/godot/variant"
)

// Before the editor packs a scene it applies the RESET animation of every mixer
// that is active and has reset_on_save, and takes it back afterwards: files hold
// the values of RESET, the live tree keeps its own (engine 4.6 experiment).

// resetters lists the mixers below root that a save resets, with their animation.
// On its way it counts the nodes that the scene itself may have made.
func (e Env) resetters(root NodeID) (out map[NodeID]*Resource, own int) {
	e.Walk(root, func(n *Node) bool {
		if n.ID == root || n.Owner == root || n.Source != "" {
			own++
		}
		if n.ID == root || !classOf(n.Class).mixer || !e.flag(n, "active") || !e.flag(n, "reset_on_save") {
			return true
		}
		if a := e.resetAnimation(n); a != nil {
			if out == nil {
				out = map[NodeID]*Resource{}
			}
			out[n.ID] = a
		}
		return true
	})
	return out, own
}

func (e Env) resetAnimation(n *Node) *Resource {
	v, ok := n.Props.Get("libraries/")
	library := e.Res(ResOf(v))
	if !ok || library == nil {
		return nil
	}
	data, _ := library.Props.Get("_data")
	d, ok := data.Dictionary()
	if !ok {
		return nil
	}
	a, _ := d.GetString("RESET")
	return e.Res(ResOf(a))
}

// applyReset gives the animated properties the values that an animation has at its start.
func (e Env) applyReset(mixer NodeID, a *Resource) {
	n := e.Node(mixer)
	base := ".."
	if v, ok := n.Props.Get("root_node"); ok {
		base, _ = v.Text()
	}
	from := e.Resolve(mixer, base)
	if from == 0 {
		return
	}
	for i := 0; ; i++ {
		track := "tracks/" + strconv.Itoa(i) + "/"
		kind, ok := a.Props.Get(track + "type")
		if !ok {
			return
		}
		if on, ok := a.Props.Get(track + "enabled"); ok && on.Equal(variant.Bool(false)) {
			continue
		}
		path, _ := a.Props.Get(track + "path")
		keys, _ := a.Props.Get(track + "keys")
		text, _ := kind.Text()
		where, _ := path.Text()
		node, property, _ := strings.Cut(where, ":")
		target := e.Node(e.Resolve(from, node))
		value, ok := firstKey(text, keys)
		if target == nil || !ok {
			continue
		}
		if property = trackProperty(text, property); property == "" {
			continue
		}
		if place, ok := e.Locate(target, property); ok {
			if value, ok := e.converted(target.object(), place.Name, value); ok {
				e.SetAt(place, value)
			}
		}
	}
}

// trackProperty gives the property that a track of a kind sets.
func trackProperty(kind, property string) string {
	switch kind {
	case "value", "bezier":
		return property
	case "position_3d":
		return "position"
	case "rotation_3d":
		return "quaternion"
	case "scale_3d":
		return "scale"
	}
	return ""
}

// firstKey gives the value of the first key of a track.
func firstKey(kind string, keys variant.Value) (variant.Value, bool) {
	if f, ok := keys.Float32s(); ok {
		const head = 2 // time and transition
		switch {
		case kind == "rotation_3d" && len(f) >= head+4:
			return variant.Quaternion{X: f[2], Y: f[3], Z: f[4], W: f[5]}.Value(), true
		case kind != "rotation_3d" && len(f) >= head+3:
			return vec3{X: f[2], Y: f[3], Z: f[4]}.Value(), true
		}
		return variant.Nil, false
	}
	d, ok := keys.Dictionary()
	if !ok {
		return variant.Nil, false
	}
	if kind == "bezier" {
		points, _ := d.GetString("points")
		if f, ok := points.Float32s(); ok && len(f) > 0 {
			return variant.Float(float64(f[0])), true
		}
		return variant.Nil, false
	}
	values, _ := d.GetString("values")
	if list, ok := values.Array(); ok && list.Len() > 0 {
		return list.Items()[0], true
	}
	return variant.Nil, false
}
