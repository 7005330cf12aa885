package scene

import (
	"math"

	"godot-mcp/server/godot/variant"
)

type (
	vec2 = variant.Vector2
	vec3 = variant.Vector3
	xf2  = variant.Transform2D
	xf3  = variant.Transform3D
)

var (
	identity2 = xf2{X: vec2{X: 1}, Y: vec2{Y: 1}}
	identity3 = xf3{Basis: variant.IdentityBasis}
)

// compose2 makes a 2D transform from its parts, in 32 bits as the engine does.
func compose2(pos vec2, rot float32, scale vec2, skew float32) xf2 {
	return xf2{
		X: vec2{X: cos32(rot) * scale.X, Y: sin32(rot) * scale.X},
		// A node that was never turned has no negative zero there.
		Y:      vec2{X: 0 - sin32(rot+skew)*scale.Y, Y: cos32(rot+skew) * scale.Y},
		Origin: pos,
	}
}

func length2(v vec2) float32 { return float32(math.Sqrt(float64(v.X*v.X + v.Y*v.Y))) }

func det2(t xf2) float32 { return t.X.X*t.Y.Y - t.X.Y*t.Y.X }

func rotation2(t xf2) float32 { return float32(math.Atan2(float64(t.X.Y), float64(t.X.X))) }

func scale2(t xf2) vec2 {
	sign := float32(1)
	if det2(t) < 0 {
		sign = -1
	}
	return vec2{X: length2(t.X), Y: sign * length2(t.Y)}
}

func skew2(t xf2) float32 {
	sign := float32(1)
	if det2(t) < 0 {
		sign = -1
	}
	lx, ly := length2(t.X), length2(t.Y)
	if lx == 0 || ly == 0 {
		return 0
	}
	dot := (t.X.X*t.Y.X + t.X.Y*t.Y.Y) / lx / ly * sign
	return float32(math.Acos(float64(max(-1, min(1, dot))))) - math.Pi/2
}

func apply2(t xf2, v vec2) vec2 {
	return vec2{X: t.X.X*v.X + t.Y.X*v.Y + t.Origin.X, Y: t.X.Y*v.X + t.Y.Y*v.Y + t.Origin.Y}
}

func basis2(t xf2, v vec2) vec2 {
	return vec2{X: t.X.X*v.X + t.Y.X*v.Y, Y: t.X.Y*v.X + t.Y.Y*v.Y}
}

func mul2(a, b xf2) xf2 {
	return xf2{X: basis2(a, b.X), Y: basis2(a, b.Y), Origin: apply2(a, b.Origin)}
}

func inverse2(t xf2) xf2 {
	d := det2(t)
	if d == 0 {
		return identity2
	}
	i := 1 / d
	out := xf2{X: vec2{X: t.Y.Y * i, Y: -t.X.Y * i}, Y: vec2{X: -t.Y.X * i, Y: t.X.X * i}}
	out.Origin = basis2(out, vec2{X: -t.Origin.X, Y: -t.Origin.Y})
	return out
}

func length3(v vec3) float32 {
	return float32(math.Sqrt(float64(v.X*v.X + v.Y*v.Y + v.Z*v.Z)))
}

func scaled3(v vec3, f float32) vec3 { return vec3{X: v.X * f, Y: v.Y * f, Z: v.Z * f} }

func det3(b variant.Basis) float32 {
	return b.X.X*(b.Y.Y*b.Z.Z-b.Z.Y*b.Y.Z) - b.Y.X*(b.X.Y*b.Z.Z-b.Z.Y*b.X.Z) + b.Z.X*(b.X.Y*b.Y.Z-b.Y.Y*b.X.Z)
}

func basis3(b variant.Basis, v vec3) vec3 {
	return vec3{
		X: b.X.X*v.X + b.Y.X*v.Y + b.Z.X*v.Z,
		Y: b.X.Y*v.X + b.Y.Y*v.Y + b.Z.Y*v.Z,
		Z: b.X.Z*v.X + b.Y.Z*v.Y + b.Z.Z*v.Z,
	}
}

func mulBasis(a, b variant.Basis) variant.Basis {
	return variant.Basis{X: basis3(a, b.X), Y: basis3(a, b.Y), Z: basis3(a, b.Z)}
}

func mul3(a, b xf3) xf3 {
	o := basis3(a.Basis, b.Origin)
	return xf3{Basis: mulBasis(a.Basis, b.Basis), Origin: vec3{X: o.X + a.Origin.X, Y: o.Y + a.Origin.Y, Z: o.Z + a.Origin.Z}}
}

func inverse3(t xf3) xf3 {
	b := t.Basis
	d := det3(b)
	if d == 0 {
		return identity3
	}
	i := 1 / d
	inv := variant.Basis{
		X: vec3{X: (b.Y.Y*b.Z.Z - b.Z.Y*b.Y.Z) * i, Y: (b.Z.Y*b.X.Z - b.X.Y*b.Z.Z) * i, Z: (b.X.Y*b.Y.Z - b.Y.Y*b.X.Z) * i},
		Y: vec3{X: (b.Z.X*b.Y.Z - b.Y.X*b.Z.Z) * i, Y: (b.X.X*b.Z.Z - b.Z.X*b.X.Z) * i, Z: (b.Y.X*b.X.Z - b.X.X*b.Y.Z) * i},
		Z: vec3{X: (b.Y.X*b.Z.Y - b.Z.X*b.Y.Y) * i, Y: (b.Z.X*b.X.Y - b.X.X*b.Z.Y) * i, Z: (b.X.X*b.Y.Y - b.Y.X*b.X.Y) * i},
	}
	return xf3{Basis: inv, Origin: basis3(inv, scaled3(t.Origin, -1))}
}

// scaleOf gives the lengths of the axes, with the sign of the determinant.
func scaleOf(b variant.Basis) vec3 {
	sign := float32(1)
	if det3(b) < 0 {
		sign = -1
	}
	return vec3{X: sign * length3(b.X), Y: sign * length3(b.Y), Z: sign * length3(b.Z)}
}

// fromEuler makes a rotation from Euler angles in the order of rotation_order.
func fromEuler(a vec3, order int) variant.Basis {
	cx, sx := cos32(a.X), sin32(a.X)
	cy, sy := cos32(a.Y), sin32(a.Y)
	cz, sz := cos32(a.Z), sin32(a.Z)
	x := variant.Basis{X: vec3{X: 1}, Y: vec3{Y: cx, Z: sx}, Z: vec3{Y: -sx, Z: cx}}
	y := variant.Basis{X: vec3{X: cy, Z: -sy}, Y: vec3{Y: 1}, Z: vec3{X: sy, Z: cy}}
	z := variant.Basis{X: vec3{X: cz, Y: sz}, Y: vec3{X: -sz, Y: cz}, Z: vec3{Z: 1}}
	by := [6][3]variant.Basis{{x, y, z}, {x, z, y}, {y, x, z}, {y, z, x}, {z, x, y}, {z, y, x}}
	o := by[2]
	if order >= 0 && order < len(by) {
		o = by[order]
	}
	if order == 0 {
		// The engine multiplies this order alone from the right.
		return mulBasis(o[0], mulBasis(o[1], o[2]))
	}
	return mulBasis(mulBasis(o[0], o[1]), o[2])
}

// quatToBasis and basisToQuat convert rotations.
func quatToBasis(q variant.Quaternion) variant.Basis {
	d := q.X*q.X + q.Y*q.Y + q.Z*q.Z + q.W*q.W
	if d == 0 {
		return variant.IdentityBasis
	}
	s := 2 / d
	xs, ys, zs := q.X*s, q.Y*s, q.Z*s
	wx, wy, wz := q.W*xs, q.W*ys, q.W*zs
	xx, xy, xz := q.X*xs, q.X*ys, q.X*zs
	yy, yz, zz := q.Y*ys, q.Y*zs, q.Z*zs
	return variant.Basis{
		X: vec3{X: 1 - (yy + zz), Y: xy + wz, Z: xz - wy},
		Y: vec3{X: xy - wz, Y: 1 - (xx + zz), Z: yz + wx},
		Z: vec3{X: xz + wy, Y: yz - wx, Z: 1 - (xx + yy)},
	}
}

func basisToQuat(b variant.Basis) variant.Quaternion {
	r, ok := rotationOf(b)
	if !ok {
		return variant.Quaternion{W: 1}
	}
	m := [3][3]float32{{r.X.X, r.Y.X, r.Z.X}, {r.X.Y, r.Y.Y, r.Z.Y}, {r.X.Z, r.Y.Z, r.Z.Z}}
	var q [4]float32
	if trace := m[0][0] + m[1][1] + m[2][2]; trace > 0 {
		k := sqrt32(trace + 1)
		q[3] = k * 0.5
		k = 0.5 / k
		q[0], q[1], q[2] = (m[2][1]-m[1][2])*k, (m[0][2]-m[2][0])*k, (m[1][0]-m[0][1])*k
	} else {
		i := 0
		if m[1][1] > m[0][0] {
			i = 1
		}
		if m[2][2] > m[i][i] {
			i = 2
		}
		j, k := (i+1)%3, (i+2)%3
		t := sqrt32(m[i][i] - m[j][j] - m[k][k] + 1)
		q[i] = t * 0.5
		t = 0.5 / t
		q[3], q[j], q[k] = (m[k][j]-m[j][k])*t, (m[j][i]+m[i][j])*t, (m[k][i]+m[i][k])*t
	}
	return variant.Quaternion{X: q[0], Y: q[1], Z: q[2], W: q[3]}
}

func sqrt32(v float32) float32 { return float32(math.Sqrt(float64(v))) }
