package variant

import "math"

func packF(a, b float32) uint64 {
	return uint64(math.Float32bits(a)) | uint64(math.Float32bits(b))<<32
}

func unpackF(n uint64) (float32, float32) {
	return math.Float32frombits(uint32(n)), math.Float32frombits(uint32(n >> 32))
}

func packI(a, b int32) uint64 { return uint64(uint32(a)) | uint64(uint32(b))<<32 }

func unpackI(n uint64) (int32, int32) { return int32(uint32(n)), int32(uint32(n >> 32)) }

// isIntStruct tells whether the components of a struct type are 32-bit integers.
func isIntStruct(t Type) bool {
	switch t {
	case TypeVector2i, TypeVector3i, TypeVector4i, TypeRect2i:
		return true
	}
	return false
}

// appendFloats appends the components of a float struct in the order of the engine's text form.
func appendFloats(dst []float32, v Value) []float32 {
	switch x := v.ref.(type) {
	case nil:
		a, b := unpackF(v.num)
		return append(dst, a, b)
	case Vector3:
		return append(dst, x.X, x.Y, x.Z)
	case Vector4:
		return append(dst, x.X, x.Y, x.Z, x.W)
	case Rect2:
		return append(dst, x.Position.X, x.Position.Y, x.Size.X, x.Size.Y)
	case Transform2D:
		return append(dst, x.X.X, x.X.Y, x.Y.X, x.Y.Y, x.Origin.X, x.Origin.Y)
	case Plane:
		return append(dst, x.Normal.X, x.Normal.Y, x.Normal.Z, x.D)
	case Quaternion:
		return append(dst, x.X, x.Y, x.Z, x.W)
	case AABB:
		return append(dst, x.Position.X, x.Position.Y, x.Position.Z, x.Size.X, x.Size.Y, x.Size.Z)
	case Basis:
		return appendBasis(dst, x)
	case Transform3D:
		return append(appendBasis(dst, x.Basis), x.Origin.X, x.Origin.Y, x.Origin.Z)
	case Projection:
		return append(dst, x.X.X, x.X.Y, x.X.Z, x.X.W, x.Y.X, x.Y.Y, x.Y.Z, x.Y.W,
			x.Z.X, x.Z.Y, x.Z.Z, x.Z.W, x.W.X, x.W.Y, x.W.Z, x.W.W)
	case Color:
		return append(dst, x.R, x.G, x.B, x.A)
	}
	return dst
}

func appendBasis(dst []float32, b Basis) []float32 {
	return append(dst, b.X.X, b.Y.X, b.Z.X, b.X.Y, b.Y.Y, b.Z.Y, b.X.Z, b.Y.Z, b.Z.Z)
}

// appendInts is appendFloats for the integer structs.
func appendInts(dst []int32, v Value) []int32 {
	switch x := v.ref.(type) {
	case nil:
		a, b := unpackI(v.num)
		return append(dst, a, b)
	case Vector3i:
		return append(dst, x.X, x.Y, x.Z)
	case Vector4i:
		return append(dst, x.X, x.Y, x.Z, x.W)
	case Rect2i:
		return append(dst, x.Position.X, x.Position.Y, x.Size.X, x.Size.Y)
	}
	return dst
}

// fromFloats builds a float struct from its components in text order; len(c) must be structSize[t].
func fromFloats(t Type, c []float32) Value {
	switch t {
	case TypeVector2:
		return Vector2{c[0], c[1]}.Value()
	case TypeVector3:
		return Vector3{c[0], c[1], c[2]}.Value()
	case TypeVector4:
		return Vector4{c[0], c[1], c[2], c[3]}.Value()
	case TypeRect2:
		return Rect2{Vector2{c[0], c[1]}, Vector2{c[2], c[3]}}.Value()
	case TypeTransform2D:
		return Transform2D{Vector2{c[0], c[1]}, Vector2{c[2], c[3]}, Vector2{c[4], c[5]}}.Value()
	case TypePlane:
		return Plane{Vector3{c[0], c[1], c[2]}, c[3]}.Value()
	case TypeQuaternion:
		return Quaternion{c[0], c[1], c[2], c[3]}.Value()
	case TypeAABB:
		return AABB{Vector3{c[0], c[1], c[2]}, Vector3{c[3], c[4], c[5]}}.Value()
	case TypeBasis:
		return basisFromRows(c).Value()
	case TypeTransform3D:
		return Transform3D{basisFromRows(c), Vector3{c[9], c[10], c[11]}}.Value()
	case TypeProjection:
		return Projection{Vector4{c[0], c[1], c[2], c[3]}, Vector4{c[4], c[5], c[6], c[7]},
			Vector4{c[8], c[9], c[10], c[11]}, Vector4{c[12], c[13], c[14], c[15]}}.Value()
	case TypeColor:
		return Color{c[0], c[1], c[2], c[3]}.Value()
	}
	return Value{}
}

func basisFromRows(c []float32) Basis {
	return Basis{Vector3{c[0], c[3], c[6]}, Vector3{c[1], c[4], c[7]}, Vector3{c[2], c[5], c[8]}}
}

// fromInts builds an integer struct from its components.
func fromInts(t Type, c []int32) Value {
	switch t {
	case TypeVector2i:
		return Vector2i{c[0], c[1]}.Value()
	case TypeVector3i:
		return Vector3i{c[0], c[1], c[2]}.Value()
	case TypeVector4i:
		return Vector4i{c[0], c[1], c[2], c[3]}.Value()
	case TypeRect2i:
		return Rect2i{Vector2i{c[0], c[1]}, Vector2i{c[2], c[3]}}.Value()
	}
	return Value{}
}
