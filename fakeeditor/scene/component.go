package scene

import (
	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

func classType(v variant.Value) classdb.Type { return classdb.Type(v.Type()) }

// component gives a part of a struct value, or an entry of a dictionary.
func component(v variant.Value, name string) (variant.Value, bool) {
	f := func(x float32) (variant.Value, bool) { return variant.Float(float64(x)), true }
	i := func(x int32) (variant.Value, bool) { return variant.Int(int64(x)), true }
	switch v.Type() {
	case variant.TypeVector2:
		x, _ := v.Vector2()
		return pick(name, "xy", []float32{x.X, x.Y}, f)
	case variant.TypeVector3:
		x, _ := v.Vector3()
		return pick(name, "xyz", []float32{x.X, x.Y, x.Z}, f)
	case variant.TypeVector4:
		x, _ := v.Vector4()
		return pick(name, "xyzw", []float32{x.X, x.Y, x.Z, x.W}, f)
	case variant.TypeQuaternion:
		x, _ := v.Quaternion()
		return pick(name, "xyzw", []float32{x.X, x.Y, x.Z, x.W}, f)
	case variant.TypeColor:
		x, _ := v.Color()
		return pick(name, "rgba", []float32{x.R, x.G, x.B, x.A}, f)
	case variant.TypeVector2i:
		x, _ := v.Vector2i()
		return pick(name, "xy", []int32{x.X, x.Y}, i)
	case variant.TypeVector3i:
		x, _ := v.Vector3i()
		return pick(name, "xyz", []int32{x.X, x.Y, x.Z}, i)
	case variant.TypeVector4i:
		x, _ := v.Vector4i()
		return pick(name, "xyzw", []int32{x.X, x.Y, x.Z, x.W}, i)
	case variant.TypeDictionary:
		d, _ := v.Dictionary()
		return d.GetString(name)
	}
	if parts := structParts(v); parts != nil {
		for _, p := range parts {
			if p.name == name {
				return p.value, true
			}
		}
	}
	return variant.Nil, false
}

func pick[T any](name, letters string, values []T, wrap func(T) (variant.Value, bool)) (variant.Value, bool) {
	for i := range letters {
		if name == letters[i:i+1] {
			return wrap(values[i])
		}
	}
	return variant.Nil, false
}

type part struct {
	name  string
	value variant.Value
}

// structParts lists the parts of structs that are made of other structs.
func structParts(v variant.Value) []part {
	switch v.Type() {
	case variant.TypeRect2:
		x, _ := v.Rect2()
		return []part{{"position", x.Position.Value()}, {"size", x.Size.Value()}}
	case variant.TypeRect2i:
		x, _ := v.Rect2i()
		return []part{{"position", x.Position.Value()}, {"size", x.Size.Value()}}
	case variant.TypeAABB:
		x, _ := v.AABB()
		return []part{{"position", x.Position.Value()}, {"size", x.Size.Value()}}
	case variant.TypeTransform2D:
		x, _ := v.Transform2D()
		return []part{{"x", x.X.Value()}, {"y", x.Y.Value()}, {"origin", x.Origin.Value()}}
	case variant.TypeTransform3D:
		x, _ := v.Transform3D()
		return []part{{"basis", x.Basis.Value()}, {"origin", x.Origin.Value()}}
	case variant.TypeBasis:
		x, _ := v.Basis()
		return []part{{"x", x.X.Value()}, {"y", x.Y.Value()}, {"z", x.Z.Value()}}
	case variant.TypePlane:
		x, _ := v.Plane()
		return []part{{"normal", x.Normal.Value()}, {"d", variant.Float(float64(x.D))}}
	case variant.TypeProjection:
		x, _ := v.Projection()
		return []part{{"x", x.X.Value()}, {"y", x.Y.Value()}, {"z", x.Z.Value()}, {"w", x.W.Value()}}
	}
	return nil
}

// near reports whether all numbers of two structs are the same within the engine's
// tolerance.
func near(a, b variant.Value) bool {
	letters := map[variant.Type]string{
		variant.TypeVector2: "xy", variant.TypeVector3: "xyz", variant.TypeVector4: "xyzw", variant.TypeQuaternion: "xyzw", variant.TypeColor: "rgba",
	}[a.Type()]
	for i := range letters {
		x, _ := component(a, letters[i:i+1])
		y, _ := component(b, letters[i:i+1])
		if different(x, y) {
			return false
		}
	}
	parts, others := structParts(a), structParts(b)
	for i := range parts {
		if different(parts[i].value, others[i].value) && !near(parts[i].value, others[i].value) {
			return false
		}
	}
	return len(letters)+len(parts) > 0
}

// withComponents gives a value with one part replaced.
func withComponents(v variant.Value, names []string, to variant.Value) (variant.Value, bool) {
	old, ok := component(v, names[0])
	if !ok {
		return v, false
	}
	if len(names) > 1 {
		if to, ok = withComponents(old, names[1:], to); !ok {
			return v, false
		}
	}
	if v.Type() == variant.TypeDictionary {
		d, _ := v.Dictionary()
		entries := append([]variant.Entry(nil), d.Entries()...)
		for i, e := range entries {
			if t, ok := e.Key.Text(); ok && t == names[0] {
				entries[i].Value = to
			}
		}
		return variant.NewTypedDictionary(d.Key, d.Val, entries...), true
	}
	return assemble(v, names[0], to)
}

// assemble puts a part into a struct.
func assemble(v variant.Value, name string, to variant.Value) (variant.Value, bool) {
	n, _ := to.Number()
	f := float32(n)
	whole, _ := to.Int()
	i := int32(whole)
	set := func(letters string, fields ...*float32) {
		for k := range letters {
			if letters[k:k+1] == name {
				*fields[k] = f
			}
		}
	}
	setInt := func(letters string, fields ...*int32) {
		for k := range letters {
			if letters[k:k+1] == name {
				*fields[k] = i
			}
		}
	}
	switch v.Type() {
	case variant.TypeVector2:
		x, _ := v.Vector2()
		set("xy", &x.X, &x.Y)
		return x.Value(), true
	case variant.TypeVector3:
		x, _ := v.Vector3()
		set("xyz", &x.X, &x.Y, &x.Z)
		return x.Value(), true
	case variant.TypeVector4:
		x, _ := v.Vector4()
		set("xyzw", &x.X, &x.Y, &x.Z, &x.W)
		return x.Value(), true
	case variant.TypeQuaternion:
		x, _ := v.Quaternion()
		set("xyzw", &x.X, &x.Y, &x.Z, &x.W)
		return x.Value(), true
	case variant.TypeColor:
		x, _ := v.Color()
		set("rgba", &x.R, &x.G, &x.B, &x.A)
		return x.Value(), true
	case variant.TypeVector2i:
		x, _ := v.Vector2i()
		setInt("xy", &x.X, &x.Y)
		return x.Value(), true
	case variant.TypeVector3i:
		x, _ := v.Vector3i()
		setInt("xyz", &x.X, &x.Y, &x.Z)
		return x.Value(), true
	case variant.TypeVector4i:
		x, _ := v.Vector4i()
		setInt("xyzw", &x.X, &x.Y, &x.Z, &x.W)
		return x.Value(), true
	}
	return assembleNested(v, name, to)
}

func assembleNested(v variant.Value, name string, to variant.Value) (variant.Value, bool) {
	switch v.Type() {
	case variant.TypeRect2:
		x, _ := v.Rect2()
		setVec2(name, to, "position", &x.Position, "size", &x.Size)
		return x.Value(), true
	case variant.TypeRect2i:
		x, _ := v.Rect2i()
		if p, ok := to.Vector2i(); ok && name == "position" {
			x.Position = p
		} else if ok {
			x.Size = p
		}
		return x.Value(), true
	case variant.TypeAABB:
		x, _ := v.AABB()
		setVec3(name, to, "position", &x.Position, "size", &x.Size)
		return x.Value(), true
	case variant.TypeTransform2D:
		x, _ := v.Transform2D()
		setVec2(name, to, "x", &x.X, "y", &x.Y)
		setVec2(name, to, "origin", &x.Origin, "", nil)
		return x.Value(), true
	case variant.TypeTransform3D:
		x, _ := v.Transform3D()
		if b, ok := to.Basis(); ok && name == "basis" {
			x.Basis = b
		}
		setVec3(name, to, "origin", &x.Origin, "", nil)
		return x.Value(), true
	case variant.TypeBasis:
		x, _ := v.Basis()
		setVec3(name, to, "x", &x.X, "y", &x.Y)
		setVec3(name, to, "z", &x.Z, "", nil)
		return x.Value(), true
	case variant.TypePlane:
		x, _ := v.Plane()
		setVec3(name, to, "normal", &x.Normal, "", nil)
		if n, ok := to.Number(); ok && name == "d" {
			x.D = float32(n)
		}
		return x.Value(), true
	case variant.TypeProjection:
		x, _ := v.Projection()
		if c, ok := to.Vector4(); ok {
			switch name {
			case "x":
				x.X = c
			case "y":
				x.Y = c
			case "z":
				x.Z = c
			case "w":
				x.W = c
			}
		}
		return x.Value(), true
	}
	return v, false
}

func setVec2(name string, to variant.Value, a string, x *vec2, b string, y *vec2) {
	v, ok := to.Vector2()
	switch {
	case ok && name == a:
		*x = v
	case ok && name == b && y != nil:
		*y = v
	}
}

func setVec3(name string, to variant.Value, a string, x *vec3, b string, y *vec3) {
	v, ok := to.Vector3()
	switch {
	case ok && name == a:
		*x = v
	case ok && name == b && y != nil:
		*y = v
	}
}
