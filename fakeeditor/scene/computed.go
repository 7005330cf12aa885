package scene

import (
	"math"
	"slices"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// Computed properties are those that the engine works out from stored ones. They
// can be read and written; a write changes what is stored. The list holds what
// people and models use: transforms of 2D and 3D nodes, and the layout of controls.

// computed gives the value of a computed property; ok is false for all others.
func (e Env) computed(n *Node, name string) (variant.Value, bool) {
	c := classOf(n.Class)
	switch {
	case name == frameCoords && isSprite(n):
		return e.coordsOf(n), true
	case c.node2d:
		return e.computed2D(n, name)
	case c.node3d:
		return e.computed3D(n, name)
	case c.control:
		return e.computedControl(n, name)
	}
	return variant.Nil, false
}

// setComputed writes a computed property; ok is false for all others. Values that
// do not have the declared type are the caller's mistake and are ignored.
func (e Env) setComputed(id NodeID, name string, v variant.Value) bool {
	n := e.Node(id)
	c := classOf(n.Class)
	switch {
	case c.node2d:
		return e.setComputed2D(n, name, v)
	case c.node3d:
		return e.setComputed3D(n, name, v)
	case c.control:
		return e.setComputedControl(n, name, v)
	}
	return false
}

func (e Env) put(id NodeID, name string, v variant.Value) {
	n := e.Edit(id)
	n.Props = e.with(n.object(), name, v)
}

func (e Env) vec2(n *Node, name string) vec2 {
	v, _ := e.value(n.object(), name)
	x, _ := v.Vector2()
	return x
}

func (e Env) float(n *Node, name string) float32 {
	v, _ := e.value(n.object(), name)
	x, _ := v.Number()
	return float32(x)
}

func (e Env) flag(n *Node, name string) bool {
	v, _ := e.value(n.object(), name)
	b, _ := v.Bool()
	return b
}

// local2 gives the transform of a canvas item in its parent.
func (e Env) local2(n *Node) xf2 {
	c := classOf(n.Class)
	switch {
	case c.node2d:
		return compose2(e.vec2(n, "position"), e.float(n, "rotation"), e.vec2(n, "scale"), e.float(n, "skew"))
	case c.control:
		pos, size := e.rect(n)
		pivot := e.vec2(n, "pivot_offset")
		ratio := e.vec2(n, "pivot_offset_ratio")
		pivot = vec2{X: pivot.X + ratio.X*size.X, Y: pivot.Y + ratio.Y*size.Y}
		t := compose2(vec2{}, e.float(n, "rotation"), e.vec2(n, "scale"), 0)
		back := basis2(t, pivot)
		t.Origin = vec2{X: pos.X + pivot.X - back.X, Y: pos.Y + pivot.Y - back.Y}
		return t
	}
	return identity2
}

// global2 gives the transform of a canvas item in the scene. The engine multiplies
// from the top down, which decides the last digits.
func (e Env) global2(n *Node) xf2 {
	p := e.Node(n.Parent)
	if p == nil || !classOf(p.Class).canvasItem || e.flag(n, "top_level") {
		return e.local2(n)
	}
	return mul2(e.global2(p), e.local2(n))
}

// above2 gives the transform of what a canvas item is placed in.
func (e Env) above2(n *Node) xf2 {
	p := e.Node(n.Parent)
	if p == nil || !classOf(p.Class).canvasItem || e.flag(n, "top_level") {
		return identity2
	}
	return e.global2(p)
}

// The engine divides in 32 bits, which differs in the last digit.
var (
	degreesPerRadian = float32(180) / float32(math.Pi)
	radiansPerDegree = float32(math.Pi) / float32(180)
)

func radToDeg(r float32) variant.Value {
	return float32Value(r * degreesPerRadian)
}

func degToRad(v variant.Value) float32 {
	d, _ := v.Number()
	return float32(d) * radiansPerDegree
}

func float32Value(f float32) variant.Value { return variant.Float(float64(f)) }

func (e Env) computed2D(n *Node, name string) (variant.Value, bool) {
	switch name {
	case "rotation_degrees":
		return radToDeg(e.float(n, "rotation")), true
	case "transform":
		return e.local2(n).Value(), true
	case "global_transform":
		return e.global2(n).Value(), true
	case "global_position":
		return e.global2(n).Origin.Value(), true
	case "global_rotation":
		return float32Value(rotation2(e.global2(n))), true
	case "global_rotation_degrees":
		return radToDeg(rotation2(e.global2(n))), true
	case "global_scale":
		return scale2(e.global2(n)).Value(), true
	case "global_skew":
		return float32Value(skew2(e.global2(n))), true
	}
	return variant.Nil, false
}

func (e Env) setComputed2D(n *Node, name string, v variant.Value) bool {
	if _, ok := e.computed2D(n, name); !ok {
		return false
	}
	number, _ := v.Number()
	vec, _ := v.Vector2()
	local, up := e.local2(n), e.above2(n)
	global := mul2(up, local)
	switch name {
	case "rotation_degrees":
		e.put(n.ID, "rotation", float32Value(degToRad(v)))
	case "transform":
		t, _ := v.Transform2D()
		e.setLocal2(n.ID, t)
	case "global_transform":
		t, _ := v.Transform2D()
		e.setLocal2(n.ID, mul2(inverse2(up), t))
	case "global_position":
		e.put(n.ID, "position", apply2(inverse2(up), vec).Value())
	case "global_rotation", "global_rotation_degrees":
		angle := float32(number)
		if name == "global_rotation_degrees" {
			angle = degToRad(v)
		}
		t := compose2(global.Origin, angle, scale2(global), skew2(global))
		e.put(n.ID, "rotation", float32Value(rotation2(mul2(inverse2(up), t))))
	case "global_scale":
		t := compose2(global.Origin, rotation2(global), vec, skew2(global))
		e.put(n.ID, "scale", scale2(mul2(inverse2(up), t)).Value())
	case "global_skew":
		t := compose2(global.Origin, rotation2(global), scale2(global), float32(number))
		e.put(n.ID, "skew", float32Value(skew2(mul2(inverse2(up), t))))
	}
	return true
}

func (e Env) setLocal2(id NodeID, t xf2) {
	e.put(id, "position", t.Origin.Value())
	e.put(id, "rotation", float32Value(rotation2(t)))
	e.put(id, "scale", scale2(t).Value())
	e.put(id, "skew", float32Value(skew2(t)))
}

func (e Env) local3(n *Node) xf3 {
	v, _ := e.value(n.object(), "transform")
	t, ok := v.Transform3D()
	if !ok {
		return identity3
	}
	return t
}

func (e Env) global3(n *Node) xf3 {
	t := e.local3(n)
	if p := e.Node(n.Parent); p != nil && classOf(p.Class).node3d && !e.flag(n, "top_level") {
		t = mul3(e.global3(p), t)
	}
	if unscaled(n.Class) {
		t.Basis = orthonormal(t.Basis)
	}
	return t
}

// unscaled reports whether the nodes of a class take no scale in the scene (engine 4.6:
// is_scale_disabled of a new one).
func unscaled(class string) bool {
	return slices.ContainsFunc([]string{"Camera3D", "Light3D", "ReflectionProbe", "VoxelGI", "AudioStreamPlayer3D"}, func(c string) bool {
		return classdb.Inherits(class, c)
	})
}

func (e Env) above3(n *Node) xf3 {
	p := e.Node(n.Parent)
	if p == nil || !classOf(p.Class).node3d || e.flag(n, "top_level") {
		return identity3
	}
	return e.global3(p)
}

func degrees3(v vec3) variant.Value {
	d := func(f float32) float32 { return f * degreesPerRadian }
	return vec3{X: d(v.X), Y: d(v.Y), Z: d(v.Z)}.Value()
}

func radians3(v vec3) vec3 {
	r := func(f float32) float32 { return f * radiansPerDegree }
	return vec3{X: r(v.X), Y: r(v.Y), Z: r(v.Z)}
}

func (e Env) computed3D(n *Node, name string) (variant.Value, bool) {
	switch name {
	case "position":
		return e.local3(n).Origin.Value(), true
	case "rotation":
		r, _ := e.angles3(n)
		return r.Value(), true
	case "rotation_degrees":
		r, _ := e.angles3(n)
		return degrees3(r), true
	case "scale":
		_, s := e.angles3(n)
		return s.Value(), true
	case "quaternion":
		return basisToQuat(e.local3(n).Basis).Value(), true
	case "basis":
		return e.local3(n).Basis.Value(), true
	case "global_transform":
		return e.global3(n).Value(), true
	case "global_basis":
		return e.global3(n).Basis.Value(), true
	case "global_position":
		return e.global3(n).Origin.Value(), true
	case "global_rotation":
		return toEuler(e.global3(n).Basis, 2).Value(), true
	case "global_rotation_degrees":
		return degrees3(toEuler(e.global3(n).Basis, 2)), true
	}
	return variant.Nil, false
}

func (e Env) setComputed3D(n *Node, name string, v variant.Value) bool {
	if name == "transform" {
		t, _ := v.Transform3D()
		e.setLocal3(n.ID, t)
		return true
	}
	if name == "rotation_order" {
		e.setOrder3(n, v)
		return true
	}
	if _, ok := e.computed3D(n, name); !ok {
		return false
	}
	vec, _ := v.Vector3()
	local := e.local3(n)
	rot, scale := e.angles3(n)
	switch name {
	case "position":
		local.Origin = vec
		e.put(n.ID, "transform", local.Value())
	case "rotation":
		e.setAngles3(n.ID, vec, scale)
	case "rotation_degrees":
		e.setAngles3(n.ID, radians3(vec), scale)
	case "scale":
		e.setAngles3(n.ID, rot, vec)
	case "quaternion":
		q, _ := v.Quaternion()
		local.Basis = scaledLocal(quatToBasis(q), scale)
		e.setLocal3(n.ID, local)
	case "basis":
		local.Basis, _ = v.Basis()
		e.setLocal3(n.ID, local)
	case "global_transform":
		t, _ := v.Transform3D()
		e.setLocal3(n.ID, mul3(inverse3(e.above3(n)), t))
	case "global_basis":
		t := e.global3(n)
		t.Basis, _ = v.Basis()
		e.setLocal3(n.ID, mul3(inverse3(e.above3(n)), t))
	case "global_position":
		t := e.global3(n)
		t.Origin = vec
		e.setLocal3(n.ID, mul3(inverse3(e.above3(n)), t))
	case "global_rotation", "global_rotation_degrees":
		if name == "global_rotation_degrees" {
			vec = radians3(vec)
		}
		t := e.global3(n)
		t.Basis = scaledLocal(fromEuler(vec, 2), scaleOf(t.Basis))
		e.setLocal3(n.ID, mul3(inverse3(e.above3(n)), t))
	}
	return true
}

// scaledLocal scales the axes of a rotation. The engine multiplies with a whole basis,
// which decides the signs of zeros.
func scaledLocal(b variant.Basis, s vec3) variant.Basis {
	return mulBasis(b, variant.Basis{X: vec3{X: s.X}, Y: vec3{Y: s.Y}, Z: vec3{Z: s.Z}})
}
