package scene

import (
	"math"

	"godot-mcp/server/godot/variant"
)

// rotationOf gives the rotation in a basis, as the engine works it out: the axes made
// orthonormal one after the other, turned over if they mirror. false for a basis
// without one.
func rotationOf(b variant.Basis) (variant.Basis, bool) {
	if s := scaleOf(b); s.X == 0 || s.Y == 0 || s.Z == 0 {
		return b, false
	}
	r := orthonormal(b)
	if det3(r) < 0 {
		r = variant.Basis{X: scaled3(r.X, -1), Y: scaled3(r.Y, -1), Z: scaled3(r.Z, -1)}
	}
	return r, true
}

func orthonormal(b variant.Basis) variant.Basis {
	x := unit3(b.X)
	y := unit3(minus3(b.Y, scaled3(x, dot3(x, b.Y))))
	z := unit3(minus3(minus3(b.Z, scaled3(x, dot3(x, b.Z))), scaled3(y, dot3(y, b.Z))))
	return variant.Basis{X: x, Y: y, Z: z}
}

func dot3(a, b vec3) float32 { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }

func minus3(a, b vec3) vec3 { return vec3{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }

func unit3(v vec3) vec3 {
	l := length3(v)
	if l == 0 {
		return vec3{}
	}
	return vec3{X: v.X / l, Y: v.Y / l, Z: v.Z / l}
}

// toEuler gives the angles of the rotation in a basis, in an order of Node3D.rotation_order.
func toEuler(b variant.Basis, order int) vec3 {
	r, ok := rotationOf(b)
	if !ok {
		return vec3{}
	}
	return eulerOf(r, order)
}

// Each order has one angle that an element of the matrix gives alone; where that is a
// right angle the other two are not told apart, and one of them is zero (engine 4.6).
func eulerOf(b variant.Basis, order int) vec3 {
	const right, near = math.Pi / 2, 1 - 1e-5
	at := func(row, column int) float32 {
		c := [3]vec3{b.X, b.Y, b.Z}[column]
		return [3]float32{c.X, c.Y, c.Z}[row]
	}
	zero := func(elements ...[2]int) bool {
		for _, e := range elements {
			if at(e[0], e[1]) != 0 {
				return false
			}
		}
		return true
	}
	switch order {
	case 0: // XYZ
		switch s := at(0, 2); {
		case s >= near:
			return vec3{X: atan32(at(2, 1), at(1, 1)), Y: right}
		case s <= -near:
			return vec3{X: atan32(at(2, 1), at(1, 1)), Y: -right}
		case zero([2]int{1, 0}, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 1}) && at(1, 1) == 1:
			return vec3{Y: atan32(s, at(0, 0))}
		default:
			return vec3{X: atan32(-at(1, 2), at(2, 2)), Y: asin32(s), Z: atan32(-at(0, 1), at(0, 0))}
		}
	case 1: // XZY
		switch s := at(0, 1); {
		case s >= near:
			return vec3{X: -atan32(at(1, 2), at(2, 2)), Z: -right}
		case s <= -near:
			return vec3{X: -atan32(at(1, 2), at(2, 2)), Z: right}
		default:
			return vec3{X: atan32(at(2, 1), at(1, 1)), Y: atan32(at(0, 2), at(0, 0)), Z: asin32(-s)}
		}
	case 3: // YZX
		switch s := at(1, 0); {
		case s >= near:
			return vec3{X: atan32(at(2, 1), at(2, 2)), Z: right}
		case s <= -near:
			return vec3{X: atan32(at(2, 1), at(2, 2)), Z: -right}
		default:
			return vec3{X: atan32(-at(1, 2), at(1, 1)), Y: atan32(-at(2, 0), at(0, 0)), Z: asin32(s)}
		}
	case 4: // ZXY
		switch s := at(2, 1); {
		case s >= near:
			return vec3{X: right, Y: atan32(at(0, 2), at(0, 0))}
		case s <= -near:
			return vec3{X: -right, Y: atan32(at(0, 2), at(0, 0))}
		default:
			return vec3{X: asin32(s), Y: atan32(-at(2, 0), at(2, 2)), Z: atan32(-at(0, 1), at(1, 1))}
		}
	case 5: // ZYX
		switch s := at(2, 0); {
		case s >= near:
			return vec3{Y: -right, Z: -atan32(at(0, 1), at(1, 1))}
		case s <= -near:
			return vec3{Y: right, Z: -atan32(at(0, 1), at(1, 1))}
		default:
			return vec3{X: atan32(at(2, 1), at(2, 2)), Y: asin32(-s), Z: atan32(at(1, 0), at(0, 0))}
		}
	}
	switch s := at(1, 2); { // YXZ, the default
	case s >= near:
		return vec3{X: -right, Y: -atan32(at(0, 1), at(0, 0))}
	case s <= -near:
		return vec3{X: right, Y: atan32(at(0, 1), at(0, 0))}
	case zero([2]int{1, 0}, [2]int{0, 1}, [2]int{0, 2}, [2]int{2, 0}) && at(0, 0) == 1:
		return vec3{X: atan32(-s, at(1, 1))}
	default:
		return vec3{X: asin32(-s), Y: atan32(at(0, 2), at(2, 2)), Z: atan32(at(1, 0), at(1, 1))}
	}
}

func atan32(y, x float32) float32 { return float32(math.Atan2(float64(y), float64(x))) }

func asin32(v float32) float32 { return float32(math.Asin(max(-1, min(1, float64(v))))) }
