package scene

import (
	"slices"
	"strconv"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// boneParts are what a skeleton keeps of a bone, besides metadata (engine 4.6 experiment).
var boneParts = []piece{
	{name: "name", typ: variant.TypeString, start: variant.String("")},
	{name: "parent", typ: variant.TypeInt, start: variant.Int(-1)},
	{name: "rest", typ: variant.TypeTransform3D, start: identity3.Value()},
	{name: "enabled", typ: variant.TypeBool, start: variant.Bool(true)},
	{name: "position", typ: variant.TypeVector3, start: vec3{}.Value()},
	{name: "rotation", typ: variant.TypeQuaternion, start: variant.Quaternion{W: 1}.Value()},
	{name: "scale", typ: variant.TypeVector3, start: vec3{X: 1, Y: 1, Z: 1}.Value()},
}

// describeBone tells that the pose of a bone that is turned off is only to be read.
func describeBone(have Props, name string) (classdb.PropertyInfo, bool) {
	what := slice(name, 2)
	p := pieceOf(boneParts, what)
	if p == nil {
		p = &piece{}
	}
	usage := classdb.UsageStorage
	shown, _ := have.Get("show_rest_only")
	on, _ := have.Get("bones/" + strconv.Itoa(numberIn(name, 1)) + "/enabled")
	restOnly, _ := shown.Bool()
	enabled, _ := on.Bool()
	switch what {
	case "rest":
		usage |= classdb.UsageReadOnly
	case "enabled":
		if restOnly {
			usage |= classdb.UsageReadOnly
		}
	case "position", "rotation", "scale":
		if restOnly || !enabled {
			usage |= classdb.UsageReadOnly
		}
	}
	return p.info(name, usage), true
}

// setBone sets a part of a bone of a skeleton. The name of the bone behind the last makes
// one; parts of bones that are not there are lost.
func (e Env) setBone(have Props, name string, v variant.Value) Props {
	count := countOf(have, "bones/", "name")
	which, what := numberIn(name, 1), slice(name, 2)
	prefix := "bones/" + strconv.Itoa(which) + "/"
	if which == count && what == "name" {
		text, _ := castTo(variant.TypeString, v).Text()
		taken := slices.ContainsFunc(have, func(p Prop) bool {
			return strings.HasPrefix(p.Name, "bones/") && strings.HasSuffix(p.Name, "/name") && p.Value.Equal(variant.String(text))
		})
		if text == "" || strings.ContainsAny(text, ":/") || taken {
			return have
		}
		return behind(have, "bones/", begun(prefix, boneParts)...).With(prefix+"name", variant.String(text))
	}
	if which < 0 || which >= count {
		return have
	}
	switch p := pieceOf(boneParts, what); {
	case what == "bone_meta":
		key := prefix + "bone_meta/" + slice(name, 3)
		if _, there := have.Get(key); there && !v.IsNil() {
			return have.With(key, v)
		}
		if v.IsNil() {
			return have.Without(key)
		}
		return behind(have, prefix, Prop{key, v})
	case what == "pose" || what == "bound_children":
		return posed(have, prefix, what, v)
	case p == nil || what == "name":
		return have
	case what == "parent":
		parent := asInt(castTo(variant.TypeInt, v))
		if parent < -1 || parent == which {
			return have
		}
		if parent >= count && !e.loading {
			parent = -1
		}
		return have.With(prefix+what, variant.Int(int64(parent)))
	default:
		return have.With(prefix+what, p.take(v))
	}
}

// posed gives a bone the pose of a file of Godot 3, which begins at its rest. Such a file
// does not hold a pose that is the rest, but always the children that are bound to a bone.
func posed(have Props, prefix, what string, v variant.Value) Props {
	value, _ := have.Get(prefix + "rest")
	t, _ := value.Transform3D()
	if what == "pose" {
		pose, _ := castTo(variant.TypeTransform3D, v).Transform3D()
		t = mul3(t, pose)
	} else {
		moved := slices.ContainsFunc(boneParts[4:], func(p piece) bool {
			now, _ := have.Get(prefix + p.name)
			return !now.Equal(p.start)
		})
		if moved || t == identity3 {
			return have
		}
	}
	return have.With(prefix+"position", t.Origin.Value()).
		With(prefix+"rotation", basisToQuat(t.Basis).Value()).
		With(prefix+"scale", scaleOf(t.Basis).Value())
}

// rootBones takes parents that are not there from the bones of a skeleton that is loaded.
func (e Env) rootBones(id NodeID) {
	n := e.Node(id)
	if !classdb.Inherits(n.Class, "Skeleton3D") {
		return
	}
	count := countOf(n.Props, "bones/", "name")
	for i := range count {
		name := "bones/" + strconv.Itoa(i) + "/parent"
		if v, _ := n.Props.Get(name); asInt(v) >= count {
			edited := e.Edit(id)
			edited.Props = edited.Props.With(name, variant.Int(-1))
		}
	}
}
