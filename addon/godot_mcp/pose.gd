@tool
extends RefCounted
## How a node of three dimensions stands: its transform, and the angles, the scale and
## the order of rotations that it shows.
##
## The engine keeps a basis and angles side by side and works one out from the other when
## somebody reads it, so that what a change of the order does depends on what was read
## before: it keeps the angles and turns the node, or converts the angles, or takes them
## in the old order, as for every node of a file, which gives the transform first (engine
## 4.6). A pose has read everything, and can be taken again to the last bit, whatever was
## done meanwhile.

const TRANSFORM := &"transform"
const ORDER := &"rotation_order"
const ORDERS: int = 6

# Transform, rotation, scale, order.
var _shown: Array = []
# Properties to set, one after the other: [[name, value]].
var _steps: Array[Array] = []


## Reads the pose of a node.
func _init(node: Node3D) -> void:
	_shown = _read(node)


## Whether another pose differs in a number, be it in the last digit.
func differs(other: RefCounted) -> bool:
	return _shown != other._shown


## Whether another pose differs, be it in the sign of a zero.
func differs_in_bits(other: RefCounted) -> bool:
	return var_to_bytes(_shown) != var_to_bytes(other._shown)


## Brings a node into this pose; the undo history calls this as well.
func take(node: Node3D) -> void:
	if _steps.is_empty():
		_steps = _way()
	for step: Array in _steps:
		node.set(step[0] as StringName, step[1])


## Makes sure that the pose of [param node], which this is, can be taken again: a
## quaternion leaves the scale at other digits than its transform has.
func settle(node: Node3D) -> void:
	take(node)
	_shown = _read(node)


static func _read(node: Node3D) -> Array:
	return [node.transform, node.rotation, node.scale, node.rotation_order]


# What brings any node into this pose. Angles that were set make the transform; others
# were worked out from it, mostly in the order that the node has.
func _way() -> Array[Array]:
	var order: int = _shown[3]
	var plain: Array[Array] = [[TRANSFORM, _shown[0]], [ORDER, order], [TRANSFORM, _shown[0]]]
	var ways: Array[Array] = [plain, [[TRANSFORM, _shown[0]], [ORDER, order], [&"rotation", _shown[1]], [&"scale", _shown[2]]]]
	for other: int in ORDERS:
		ways.append([[TRANSFORM, _shown[0]], [ORDER, other], [TRANSFORM, _shown[0]], [ORDER, order]])
	var probe: Node3D = Node3D.new()
	var found: Array[Array] = plain
	for exact: bool in [true, false]:
		for way: Array in ways:
			for step: Array in way:
				probe.set(step[0] as StringName, step[1])
			var reached: Array = _read(probe)
			if var_to_bytes(reached) == var_to_bytes(_shown) if exact else reached == _shown:
				found.assign(way)
				probe.free()
				return found
	probe.free()
	return found
