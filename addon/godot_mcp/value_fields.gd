@tool
extends RefCounted
## The struct types of Variant as objects of numbers: names of members in order, and
## how to build a value from its numbers.

## Type -> [member, type of the member], TYPE_FLOAT or TYPE_INT for a number.
const FIELDS: Dictionary = {
	TYPE_VECTOR2: [["x", TYPE_FLOAT], ["y", TYPE_FLOAT]],
	TYPE_VECTOR2I: [["x", TYPE_INT], ["y", TYPE_INT]],
	TYPE_VECTOR3: [["x", TYPE_FLOAT], ["y", TYPE_FLOAT], ["z", TYPE_FLOAT]],
	TYPE_VECTOR3I: [["x", TYPE_INT], ["y", TYPE_INT], ["z", TYPE_INT]],
	TYPE_VECTOR4: [["x", TYPE_FLOAT], ["y", TYPE_FLOAT], ["z", TYPE_FLOAT], ["w", TYPE_FLOAT]],
	TYPE_VECTOR4I: [["x", TYPE_INT], ["y", TYPE_INT], ["z", TYPE_INT], ["w", TYPE_INT]],
	TYPE_QUATERNION: [["x", TYPE_FLOAT], ["y", TYPE_FLOAT], ["z", TYPE_FLOAT], ["w", TYPE_FLOAT]],
	TYPE_COLOR: [["r", TYPE_FLOAT], ["g", TYPE_FLOAT], ["b", TYPE_FLOAT], ["a", TYPE_FLOAT]],
	TYPE_RECT2: [["position", TYPE_VECTOR2], ["size", TYPE_VECTOR2]],
	TYPE_RECT2I: [["position", TYPE_VECTOR2I], ["size", TYPE_VECTOR2I]],
	TYPE_AABB: [["position", TYPE_VECTOR3], ["size", TYPE_VECTOR3]],
	TYPE_PLANE: [["normal", TYPE_VECTOR3], ["d", TYPE_FLOAT]],
	TYPE_TRANSFORM2D: [["x", TYPE_VECTOR2], ["y", TYPE_VECTOR2], ["origin", TYPE_VECTOR2]],
	TYPE_BASIS: [["x", TYPE_VECTOR3], ["y", TYPE_VECTOR3], ["z", TYPE_VECTOR3]],
	TYPE_TRANSFORM3D: [["basis", TYPE_BASIS], ["origin", TYPE_VECTOR3]],
	TYPE_PROJECTION: [["x", TYPE_VECTOR4], ["y", TYPE_VECTOR4], ["z", TYPE_VECTOR4], ["w", TYPE_VECTOR4]],
}

## Packed arrays of structs -> type of their elements.
const PACKED_STRUCTS: Dictionary = {
	TYPE_PACKED_VECTOR2_ARRAY: TYPE_VECTOR2, TYPE_PACKED_VECTOR3_ARRAY: TYPE_VECTOR3,
	TYPE_PACKED_VECTOR4_ARRAY: TYPE_VECTOR4, TYPE_PACKED_COLOR_ARRAY: TYPE_COLOR,
}


## How many numbers a struct has.
static func size(type: int) -> int:
	var out: int = 0
	for field: Array in FIELDS[type]:
		out += 1 if not FIELDS.has(field[1]) else size(field[1] as int)
	return out


static func whole(type: int) -> bool:
	return type in [TYPE_VECTOR2I, TYPE_VECTOR3I, TYPE_VECTOR4I, TYPE_RECT2I]


## The struct with these numbers, in the order of [constant FIELDS].
static func build(type: int, n: Array) -> Variant:
	match type:
		TYPE_VECTOR2:
			return Vector2(n[0], n[1])
		TYPE_VECTOR2I:
			return Vector2i(n[0], n[1])
		TYPE_VECTOR3:
			return _v3(n, 0)
		TYPE_VECTOR3I:
			return Vector3i(n[0], n[1], n[2])
		TYPE_VECTOR4:
			return _v4(n, 0)
		TYPE_VECTOR4I:
			return Vector4i(n[0], n[1], n[2], n[3])
		TYPE_QUATERNION:
			return Quaternion(n[0], n[1], n[2], n[3])
		TYPE_COLOR:
			return Color(n[0], n[1], n[2], n[3])
		TYPE_RECT2:
			return Rect2(n[0], n[1], n[2], n[3])
		TYPE_RECT2I:
			return Rect2i(n[0], n[1], n[2], n[3])
		TYPE_AABB:
			return AABB(_v3(n, 0), _v3(n, 3))
		TYPE_PLANE:
			return Plane(n[0], n[1], n[2], n[3])
		TYPE_TRANSFORM2D:
			return Transform2D(Vector2(n[0], n[1]), Vector2(n[2], n[3]), Vector2(n[4], n[5]))
		TYPE_BASIS:
			return Basis(_v3(n, 0), _v3(n, 3), _v3(n, 6))
		TYPE_TRANSFORM3D:
			return Transform3D(_v3(n, 0), _v3(n, 3), _v3(n, 6), _v3(n, 9))
		TYPE_PROJECTION:
			return Projection(_v4(n, 0), _v4(n, 4), _v4(n, 8), _v4(n, 12))
	return null


## The numbers of a constructor's text come row by row where a Basis is in it.
static func from_text_order(type: int, n: Array) -> Array:
	if type != TYPE_BASIS and type != TYPE_TRANSFORM3D:
		return n
	var out: Array = n.duplicate()
	for row: int in 3:
		for column: int in 3:
			out[column * 3 + row] = n[row * 3 + column]
	return out


static func _v3(n: Array, at: int) -> Vector3:
	return Vector3(n[at], n[at + 1], n[at + 2])


static func _v4(n: Array, at: int) -> Vector4:
	return Vector4(n[at], n[at + 1], n[at + 2], n[at + 3])
