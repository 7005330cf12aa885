package variant

// The struct types hold 32-bit components, as the official (single precision) builds of the engine do.
type (
	// Vector2 is the engine's Vector2.
	Vector2 struct{ X, Y float32 }
	// Vector2i is the engine's Vector2i.
	Vector2i struct{ X, Y int32 }
	// Vector3 is the engine's Vector3.
	Vector3 struct{ X, Y, Z float32 }
	// Vector3i is the engine's Vector3i.
	Vector3i struct{ X, Y, Z int32 }
	// Vector4 is the engine's Vector4.
	Vector4 struct{ X, Y, Z, W float32 }
	// Vector4i is the engine's Vector4i.
	Vector4i struct{ X, Y, Z, W int32 }
	// Rect2 is the engine's Rect2.
	Rect2 struct{ Position, Size Vector2 }
	// Rect2i is the engine's Rect2i.
	Rect2i struct{ Position, Size Vector2i }
	// Transform2D holds two axes and the origin.
	Transform2D struct{ X, Y, Origin Vector2 }
	// Plane is a normal and the distance from the origin along it.
	Plane struct {
		Normal Vector3
		D      float32
	}
	// Quaternion is the engine's Quaternion; its zero value is not the identity.
	Quaternion struct{ X, Y, Z, W float32 }
	// AABB is the engine's AABB.
	AABB struct{ Position, Size Vector3 }
	// Basis holds the three columns that the engine shows as properties x, y and z. The text form lists rows.
	Basis struct{ X, Y, Z Vector3 }
	// Transform3D is a basis and an origin.
	Transform3D struct {
		Basis  Basis
		Origin Vector3
	}
	// Projection holds four columns; the text form lists them one after the other.
	Projection struct{ X, Y, Z, W Vector4 }
	// Color holds linear components; values above 1 are allowed.
	Color struct{ R, G, B, A float32 }
)

// IdentityBasis is the basis of an unrotated, unscaled node.
var IdentityBasis = Basis{X: Vector3{X: 1}, Y: Vector3{Y: 1}, Z: Vector3{Z: 1}}

// Value wraps it as a [Value].
func (x Vector2) Value() Value { return Value{typ: TypeVector2, num: packF(x.X, x.Y)} }

// Value wraps it as a [Value].
func (x Vector2i) Value() Value { return Value{typ: TypeVector2i, num: packI(x.X, x.Y)} }

// Value wraps it as a [Value].
func (x Vector3) Value() Value { return Value{typ: TypeVector3, ref: x} }

// Value wraps it as a [Value].
func (x Vector3i) Value() Value { return Value{typ: TypeVector3i, ref: x} }

// Value wraps it as a [Value].
func (x Vector4) Value() Value { return Value{typ: TypeVector4, ref: x} }

// Value wraps it as a [Value].
func (x Vector4i) Value() Value { return Value{typ: TypeVector4i, ref: x} }

// Value wraps it as a [Value].
func (x Rect2) Value() Value { return Value{typ: TypeRect2, ref: x} }

// Value wraps it as a [Value].
func (x Rect2i) Value() Value { return Value{typ: TypeRect2i, ref: x} }

// Value wraps it as a [Value].
func (x Transform2D) Value() Value { return Value{typ: TypeTransform2D, ref: x} }

// Value wraps it as a [Value].
func (x Plane) Value() Value { return Value{typ: TypePlane, ref: x} }

// Value wraps it as a [Value].
func (x Quaternion) Value() Value { return Value{typ: TypeQuaternion, ref: x} }

// Value wraps it as a [Value].
func (x AABB) Value() Value { return Value{typ: TypeAABB, ref: x} }

// Value wraps it as a [Value].
func (x Basis) Value() Value { return Value{typ: TypeBasis, ref: x} }

// Value wraps it as a [Value].
func (x Transform3D) Value() Value { return Value{typ: TypeTransform3D, ref: x} }

// Value wraps it as a [Value].
func (x Projection) Value() Value { return Value{typ: TypeProjection, ref: x} }

// Value wraps it as a [Value].
func (x Color) Value() Value { return Value{typ: TypeColor, ref: x} }

func refAs[T any](v Value) (T, bool) {
	x, ok := v.ref.(T)
	return x, ok
}

// The accessors report false, with a zero result, when the value has another type.

// Vector2 gives the content; the zero one when v holds another type.
func (v Value) Vector2() (Vector2, bool) {
	if v.typ != TypeVector2 {
		return Vector2{}, false
	}
	a, b := unpackF(v.num)
	return Vector2{a, b}, true
}

// Vector2i gives the content; the zero one when v holds another type.
func (v Value) Vector2i() (Vector2i, bool) {
	if v.typ != TypeVector2i {
		return Vector2i{}, false
	}
	a, b := unpackI(v.num)
	return Vector2i{a, b}, true
}

// Vector3 gives the content; the zero one when v holds another type.
func (v Value) Vector3() (Vector3, bool) { return refAs[Vector3](v) }

// Vector3i gives the content; the zero one when v holds another type.
func (v Value) Vector3i() (Vector3i, bool) { return refAs[Vector3i](v) }

// Vector4 gives the content; the zero one when v holds another type.
func (v Value) Vector4() (Vector4, bool) { return refAs[Vector4](v) }

// Vector4i gives the content; the zero one when v holds another type.
func (v Value) Vector4i() (Vector4i, bool) { return refAs[Vector4i](v) }

// Rect2 gives the content; the zero one when v holds another type.
func (v Value) Rect2() (Rect2, bool) { return refAs[Rect2](v) }

// Rect2i gives the content; the zero one when v holds another type.
func (v Value) Rect2i() (Rect2i, bool) { return refAs[Rect2i](v) }

// Transform2D gives the content; the zero one when v holds another type.
func (v Value) Transform2D() (Transform2D, bool) { return refAs[Transform2D](v) }

// Plane gives the content; the zero one when v holds another type.
func (v Value) Plane() (Plane, bool) { return refAs[Plane](v) }

// Quaternion gives the content; the zero one when v holds another type.
func (v Value) Quaternion() (Quaternion, bool) { return refAs[Quaternion](v) }

// AABB gives the content; the zero one when v holds another type.
func (v Value) AABB() (AABB, bool) { return refAs[AABB](v) }

// Basis gives the content; the zero one when v holds another type.
func (v Value) Basis() (Basis, bool) { return refAs[Basis](v) }

// Transform3D gives the content; the zero one when v holds another type.
func (v Value) Transform3D() (Transform3D, bool) { return refAs[Transform3D](v) }

// Projection gives the content; the zero one when v holds another type.
func (v Value) Projection() (Projection, bool) { return refAs[Projection](v) }

// Color gives the content; the zero one when v holds another type.
func (v Value) Color() (Color, bool) { return refAs[Color](v) }
