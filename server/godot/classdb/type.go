package classdb

import "strconv"

// Type is a Variant type with the engine's number (Variant.Type).
type Type int

// The types that this package itself tells apart.
const (
	TypeNil    Type = 0
	TypeObject Type = 24
)

var typeNames = [...]string{
	"Nil", "bool", "int", "float", "String", "Vector2", "Vector2i", "Rect2", "Rect2i", "Vector3", "Vector3i",
	"Transform2D", "Vector4", "Vector4i", "Plane", "Quaternion", "AABB", "Basis", "Transform3D", "Projection", "Color",
	"StringName", "NodePath", "RID", "Object", "Callable", "Signal", "Dictionary", "Array", "PackedByteArray",
	"PackedInt32Array", "PackedInt64Array", "PackedFloat32Array", "PackedFloat64Array", "PackedStringArray",
	"PackedVector2Array", "PackedVector3Array", "PackedColorArray", "PackedVector4Array",
}

// String is the engine's name of the type, such as "Vector2"; "Nil" for TypeNil.
func (t Type) String() string {
	if t < 0 || int(t) >= len(typeNames) {
		return "Type(" + strconv.Itoa(int(t)) + ")"
	}
	return typeNames[t]
}
