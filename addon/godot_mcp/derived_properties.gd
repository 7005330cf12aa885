@tool
extends RefCounted
## Properties that no file holds but that mirror stored ones, so that setting them
## is kept all the same: a node's global_position is its position in other words.

const BY_CLASS: Dictionary = {
	"Node2D": [
		"transform", "rotation_degrees", "global_position", "global_rotation", "global_rotation_degrees",
		"global_scale", "global_skew", "global_transform",
	],
	"Node3D": [
		"position", "rotation", "rotation_degrees", "scale", "quaternion", "basis", "global_position",
		"global_rotation", "global_rotation_degrees", "global_transform", "global_basis",
	],
	"Sprite2D": ["frame_coords"],
	"Sprite3D": ["frame_coords"],
	"Control": ["position", "size", "global_position", "rotation_degrees"],
}


static func mirrors(object: Object, property: String) -> bool:
	for type: String in BY_CLASS:
		if object.is_class(type) and property in (BY_CLASS[type] as Array):
			return true
	return false
