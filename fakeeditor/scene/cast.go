package scene

import (
	"math"
	"strconv"
	"strings"

	"godot-mcp/server/godot/variant"
)

// cast gives the value that the setter of an engine property gets of one of a file whose
// type is another: the engine converts anything to anything then, what cannot be
// converted to the zero of the type (engine 4.6 experiment). Other values, and those of
// properties that the class does not have, stay as they are.
func (c *class) cast(name string, v variant.Value) variant.Value {
	if _, ok := c.property(name); !ok {
		return v
	}
	if start := c.fresh(name); !start.IsNil() && start.Type() == v.Type() {
		return v // some properties are declared with another type than they take
	}
	want := c.valueType(name)
	if _, fits := variant.ConvertStrict(v, want); fits || want == variant.TypeNil || want == v.Type() {
		return v
	}
	return forced(want, v)
}

// castTo is cast for a property that no class declares: the value is of the type then.
func castTo(want variant.Type, v variant.Value) variant.Value {
	if want == v.Type() || want == variant.TypeNil {
		return v
	}
	if x, ok := variant.ConvertStrict(v, want); ok {
		return x
	}
	return forced(want, v)
}

// forced gives a value as another type that has no such value by right.
func forced(want variant.Type, v variant.Value) variant.Value {
	switch want {
	case variant.TypeBool:
		return variant.Bool(isTrue(v))
	case variant.TypeInt:
		if v.Type().IsStringLike() {
			return variant.Int(int64(asInt(v)))
		}
	case variant.TypeFloat:
		if text, ok := v.Text(); ok && v.Type() != variant.TypeNodePath {
			return variant.Float(leadingNumber(text))
		}
	case variant.TypeTransform3D:
		if b, ok := v.Basis(); ok {
			return xf3{Basis: b}.Value()
		}
		if q, ok := v.Quaternion(); ok {
			return xf3{Basis: quatToBasis(q)}.Value()
		}
	case variant.TypeString:
		if v.IsNil() {
			return variant.String("<null>")
		}
	case variant.TypeColor:
		if n, ok := v.Int(); ok {
			part := func(shift uint) float32 { return float32(uint8(n>>shift)) / math.MaxUint8 }
			return variant.Color{R: part(24), G: part(16), B: part(8), A: part(0)}.Value()
		}
	case variant.TypeVector2, variant.TypeVector3:
		if x, y, z, ok := coordinates(v); ok {
			if want == variant.TypeVector2 {
				return variant.Vector2{X: x, Y: y}.Value()
			}
			return variant.Vector3{X: x, Y: y, Z: z}.Value()
		}
	}
	return zero(want)
}

// isTrue reports whether a value is another than the zero of its type.
func isTrue(v variant.Value) bool {
	if text, ok := v.Text(); ok {
		return text != ""
	}
	return !v.IsNil() && !v.Equal(zero(v.Type()))
}

// coordinates are the first three of a vector.
func coordinates(v variant.Value) (x, y, z float32, ok bool) {
	switch v.Type() {
	case variant.TypeVector2:
		a, _ := v.Vector2()
		return a.X, a.Y, 0, true
	case variant.TypeVector2i:
		a, _ := v.Vector2i()
		return float32(a.X), float32(a.Y), 0, true
	case variant.TypeVector3:
		a, _ := v.Vector3()
		return a.X, a.Y, a.Z, true
	case variant.TypeVector3i:
		a, _ := v.Vector3i()
		return float32(a.X), float32(a.Y), float32(a.Z), true
	case variant.TypeVector4:
		a, _ := v.Vector4()
		return a.X, a.Y, a.Z, true
	}
	return 0, 0, 0, false
}

// leadingNumber gives the number that a text begins with, 0 if there is none.
func leadingNumber(text string) float64 {
	text = strings.TrimLeft(text, " \t\r\n")
	for end := len(text); end > 0; end-- {
		if strings.ContainsAny(text[:end], "xXpP_nNiI") {
			continue
		}
		if f, err := strconv.ParseFloat(text[:end], 64); err == nil {
			return f
		}
	}
	return 0
}
