package variant

// Type is the type of a [Value]. The numbers are those of the engine's TYPE_* constants.
type Type uint8

// The types in the engine's order (TYPE_NIL is 0).
const (
	TypeNil Type = iota
	TypeBool
	TypeInt
	TypeFloat
	TypeString
	TypeVector2
	TypeVector2i
	TypeRect2
	TypeRect2i
	TypeVector3
	TypeVector3i
	TypeTransform2D
	TypeVector4
	TypeVector4i
	TypePlane
	TypeQuaternion
	TypeAABB
	TypeBasis
	TypeTransform3D
	TypeProjection
	TypeColor
	TypeStringName
	TypeNodePath
	TypeRID
	TypeObject
	TypeCallable
	TypeSignal
	TypeDictionary
	TypeArray
	TypePackedByteArray
	TypePackedInt32Array
	TypePackedInt64Array
	TypePackedFloat32Array
	TypePackedFloat64Array
	TypePackedStringArray
	TypePackedVector2Array
	TypePackedVector3Array
	TypePackedColorArray
	TypePackedVector4Array

	// TypeMax is the number of types, not a type.
	TypeMax
)

var typeNames = [TypeMax]string{
	"Nil", "bool", "int", "float", "String",
	"Vector2", "Vector2i", "Rect2", "Rect2i", "Vector3", "Vector3i",
	"Transform2D", "Vector4", "Vector4i", "Plane", "Quaternion", "AABB", "Basis", "Transform3D", "Projection",
	"Color", "StringName", "NodePath", "RID", "Object", "Callable", "Signal", "Dictionary", "Array",
	"PackedByteArray", "PackedInt32Array", "PackedInt64Array", "PackedFloat32Array", "PackedFloat64Array",
	"PackedStringArray", "PackedVector2Array", "PackedVector3Array", "PackedColorArray", "PackedVector4Array",
}

var typeConsts = [TypeMax]string{
	"TYPE_NIL", "TYPE_BOOL", "TYPE_INT", "TYPE_FLOAT", "TYPE_STRING",
	"TYPE_VECTOR2", "TYPE_VECTOR2I", "TYPE_RECT2", "TYPE_RECT2I", "TYPE_VECTOR3", "TYPE_VECTOR3I",
	"TYPE_TRANSFORM2D", "TYPE_VECTOR4", "TYPE_VECTOR4I", "TYPE_PLANE", "TYPE_QUATERNION", "TYPE_AABB", "TYPE_BASIS",
	"TYPE_TRANSFORM3D", "TYPE_PROJECTION",
	"TYPE_COLOR", "TYPE_STRING_NAME", "TYPE_NODE_PATH", "TYPE_RID", "TYPE_OBJECT", "TYPE_CALLABLE", "TYPE_SIGNAL",
	"TYPE_DICTIONARY", "TYPE_ARRAY",
	"TYPE_PACKED_BYTE_ARRAY", "TYPE_PACKED_INT32_ARRAY", "TYPE_PACKED_INT64_ARRAY", "TYPE_PACKED_FLOAT32_ARRAY",
	"TYPE_PACKED_FLOAT64_ARRAY", "TYPE_PACKED_STRING_ARRAY", "TYPE_PACKED_VECTOR2_ARRAY", "TYPE_PACKED_VECTOR3_ARRAY",
	"TYPE_PACKED_COLOR_ARRAY", "TYPE_PACKED_VECTOR4_ARRAY",
}

var typeByName = func() map[string]Type {
	m := make(map[string]Type, TypeMax)
	for t := range TypeMax {
		m[typeNames[t]] = t
	}
	return m
}()

// String gives the engine's name of the type, e.g. "Vector2i", "int", "Nil".
func (t Type) String() string {
	if t < TypeMax {
		return typeNames[t]
	}
	return "invalid"
}

// Const gives the name of the engine's constant, e.g. "TYPE_VECTOR2I".
func (t Type) Const() string {
	if t < TypeMax {
		return typeConsts[t]
	}
	return "TYPE_MAX"
}

// TypeByName finds a type by the engine's name ("int", "PackedByteArray").
func TypeByName(name string) (Type, bool) {
	t, ok := typeByName[name]
	return t, ok
}

// IsNumber tells whether the type is int or float.
func (t Type) IsNumber() bool { return t == TypeInt || t == TypeFloat }

// IsStringLike tells whether a String and this type are the same dictionary key when the text is equal.
func (t Type) IsStringLike() bool { return t == TypeString || t == TypeStringName }

// IsPacked tells whether the type is one of the ten packed arrays.
func (t Type) IsPacked() bool { return t >= TypePackedByteArray && t < TypeMax }

// IsStruct tells whether the type is made of a fixed number of numeric components.
func (t Type) IsStruct() bool { return t < TypeMax && structSize[t] != 0 }

// structSize is the number of components of each struct type, 0 for all others.
var structSize = [TypeMax]int{
	TypeVector2: 2, TypeVector2i: 2, TypeRect2: 4, TypeRect2i: 4, TypeVector3: 3, TypeVector3i: 3, TypeTransform2D: 6,
	TypeVector4: 4, TypeVector4i: 4, TypePlane: 4, TypeQuaternion: 4, TypeAABB: 6, TypeBasis: 9, TypeTransform3D: 12,
	TypeProjection: 16, TypeColor: 4,
}
