package scene

import (
	"slices"
	"strconv"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// meshParts are what a mesh library keeps of an item (engine 4.6 experiment).
var meshParts = []piece{
	{name: "name", typ: variant.TypeString, start: variant.String("")},
	{name: "mesh", typ: variant.TypeObject, class: "Mesh", hint: hintResourceType, hintString: "Mesh"},
	{name: "mesh_transform", typ: variant.TypeTransform3D, start: identity3.Value(), hintString: "suffix:m"},
	{name: "mesh_cast_shadow", typ: variant.TypeInt, start: variant.Int(1), hint: hintEnum, hintString: "Off,On,Double-Sided,Shadows Only"},
	{name: "shapes", typ: variant.TypeArray, start: variant.NewArray()},
	{name: "navigation_mesh", typ: variant.TypeObject, class: "NavigationMesh", hint: hintResourceType, hintString: "NavigationMesh"},
	{name: "navigation_mesh_transform", typ: variant.TypeTransform3D, start: identity3.Value(), hintString: "suffix:m"},
	{name: "navigation_layers", typ: variant.TypeInt, start: variant.Int(1), hint: hintNavigation3D},
	{name: "preview", typ: variant.TypeObject, class: "Texture2D", hint: hintResourceType, hintString: "Texture2D"},
}

// hintNavigation3D is the hint of layers of navigation in 3D.
const hintNavigation3D = 12

// oldMeshParts are names of parts in files of before Godot 4.0.
var oldMeshParts = map[string]string{"navmesh": "navigation_mesh", "navmesh_transform": "navigation_mesh_transform"}

func describeMeshItem(_ Props, name string) (classdb.PropertyInfo, bool) {
	p := pieceOf(meshParts, slice(name, 2))
	if p == nil {
		return classdb.PropertyInfo{}, false
	}
	return p.info(name, classdb.UsageStorage|classdb.UsageEditor), true
}

// setMeshItem sets a part of an item of a mesh library, which is made with the first.
func (e Env) setMeshItem(have Props, name string, v variant.Value) Props {
	which, what := numberIn(name, 1), slice(name, 2)
	if which < 0 {
		return have
	}
	prefix := "item/" + strconv.Itoa(which) + "/"
	if _, there := have.Get(prefix + "name"); !there {
		at := len(have)
		for i, p := range slices.Backward(have) {
			if under("item/")(p.Name) && numberIn(p.Name, 1) > which {
				at = i
			}
		}
		have = slices.Insert(slices.Clone(have), at, begun(prefix, meshParts)...)
	}
	if now, old := oldMeshParts[what]; old {
		what = now
	}
	if what == "shape" {
		shape := e.ofClass(v, "Shape3D")
		return have.With(prefix+"shapes", variant.NewArray(shape, identity3.Value()))
	}
	p := pieceOf(meshParts, what)
	if p == nil {
		return have
	}
	v = p.take(v)
	switch {
	case what == "mesh_cast_shadow":
		if i := asInt(v); i < 0 || i > 3 {
			v = p.start
		}
	case what == "navigation_layers":
		i, _ := v.Int()
		v = variant.Int(int64(uint32(i)))
	case what == "shapes":
		before, _ := have.Get(prefix + what)
		v = e.meshShapes(before, v)
	case p.class != "":
		v = e.ofClass(v, p.class)
	}
	return have.With(prefix+what, v)
}

// ofClass gives a resource of a class, null for all else.
func (e Env) ofClass(v variant.Value, class string) variant.Value {
	if r := e.Res(ResOf(v)); r != nil && classdb.Inherits(r.Class, class) {
		return v
	}
	return variant.Nil
}

// meshShapes gives the shapes of an item and their places, by turns. One that is added
// without a place gets one, and is a box where it is no shape; one place too few takes the
// last shape away.
func (e Env) meshShapes(before, v variant.Value) variant.Value {
	list, _ := v.Array()
	items := slices.Clone(list.Items())
	if len(items)%2 == 1 {
		last := len(items) - 1
		if had, _ := before.Array(); had.Len() < len(items) {
			if isNull(e.ofClass(items[last], "Shape3D")) {
				items[last] = e.AddRes(Resource{Class: "BoxShape3D"}).ID.Value()
			}
			items = append(items, identity3.Value())
		} else {
			items = items[:last]
		}
	}
	var out []variant.Value
	for i := 0; i < len(items); i += 2 {
		if shape := e.ofClass(items[i], "Shape3D"); !isNull(shape) {
			out = append(out, shape, castTo(variant.TypeTransform3D, items[i+1]))
		}
	}
	return variant.NewArray(out...)
}
