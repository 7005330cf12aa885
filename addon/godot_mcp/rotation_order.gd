@tool
extends RefCounted
## The order of rotations of a Node3D. The engine keeps the angles and turns the node
## only if the transform and the angles were both read since the last of them was set;
## else it converts the angles, or takes them in the old order (engine 4.6). So they are
## read before, and an undo and a redo set what follows from them.

const PROPERTY := "rotation_order"


## What belongs to a change of the order besides it, before and after: [[property,
## value]], empty for other properties and where the transform alone says all.
static func angles(object: Object, property: String) -> Array[Array]:
	var node: Node3D = object as Node3D
	if node == null or property != PROPERTY:
		return []
	var rotation: Vector3 = node.rotation
	var scale: Vector3 = node.scale
	var made: Basis = Basis.from_euler(rotation, node.rotation_order).scaled_local(scale)
	# To the last bit: a transform that a file gave is not made anew.
	if var_to_bytes(made) != var_to_bytes(node.basis):
		return []
	return [[&"rotation", rotation], [&"scale", scale]]
