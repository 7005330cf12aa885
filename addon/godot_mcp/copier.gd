@tool
extends RefCounted
## Copies a branch as the editor's own Duplicate does: instances stay clean instances
## of their scenes, own nodes become own nodes.
##
## Node.duplicate() loses the editor's instance state, so that a save writes type and
## groups beside instance= (engine 4.6 experiment).

const McpContext := preload("context.gd")
const McpGroups := preload("packed_groups.gd")
const McpPlacing := preload("placing.gd")
const McpQuiet := preload("quiet.gd")

var _root: Node = null
var _alone: bool = false
## Original's instance id -> copy.
var _copies: Dictionary[int, Node] = {}
## Copies that the edited root will own, parents first.
var _owned: Array[Node] = []
## Resources that are local to a scene -> what the copies share in their place.
var _locals: Dictionary[Resource, Resource] = {}
var _originals: Array[Node] = []
## Copies of instances whose children are editable.
var _editable: Array[Node] = []
# Instances bring connections with them, which must not run while they take values over.
var _quiet: McpQuiet = McpQuiet.new()
# Where connections end that were copied.
var _ends: Dictionary[Node, bool] = {}


## The copy, not yet in the tree; null when an instanced scene cannot be read.
## With [param alone] an instance becomes a scene that inherits the instanced one.
func copy(node: Node, root: Node, alone: bool = false) -> Node:
	_root = root
	_alone = alone
	return _copy(node, node)


## Once the copy is in the tree: owners, connections, references between nodes.
func finish(ctx: McpContext) -> void:
	for i: int in range(1, _owned.size()):
		McpPlacing.take_over(ctx, _owned[i], _root)
	for made: Node in _editable:
		_root.set_editable_instance(made, true)
	_quiet.mend()
	for original: Node in _originals:
		_copy_connections(original, false)
		_point_into_copy(original)
	for end: Node in _ends:
		ctx.edit.quiet.learn_end(end)


## Makes the copy the root of a scene of its own.
func finish_alone(top: Node) -> void:
	for made: Node in _owned:
		if made != top:
			made.owner = top
	for made: Node in _editable:
		if made != top:
			top.set_editable_instance(made, true)
	_quiet.mend()
	for original: Node in _originals:
		_copy_connections(original, true)
		_point_into_copy(original)


func _copy(node: Node, top: Node) -> Node:
	if node.scene_file_path != "":
		return _copy_instance(node, _alone and node == top)
	var made: Node = null
	if ClassDB.can_instantiate(node.get_class()) and not node is MissingNode:
		made = ClassDB.instantiate(node.get_class()) as Node
	else:
		made = node.duplicate(0)
	made.name = node.name
	var script: Script = node.get_script() as Script
	if script != null:
		made.set_script(script)
	_note(node, made)
	_owned.append(made)
	_copy_values(node, made)
	_copy_children(node, made, top)
	return made


func _copy_children(node: Node, made: Node, top: Node) -> void:
	for child: Node in node.get_children():
		if _copies.has(child.get_instance_id()):
			continue
		# What a tool script made for itself has no owner, and its copy makes its own.
		if child.owner == null:
			continue
		var copied: Node = _copy(child, top)
		if copied != null:
			made.add_child(copied, true)


# A fresh instance that takes over what differs, and what was added inside.
func _copy_instance(node: Node, inherit: bool) -> Node:
	var scene: PackedScene = load(node.scene_file_path) as PackedScene if ResourceLoader.exists(node.scene_file_path) else null
	if scene == null:
		return null
	var made: Node = _heir(node.scene_file_path) if inherit else scene.instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE)
	if made == null:
		return null
	_quiet.cut([made])
	made.name = node.name
	_owned.append(made)
	_match(node, made, node)
	return made


# The root of a scene that inherits another one. Only a scene file gives a root its
# inherited state, so one is written and read.
static func _heir(path: String) -> Node:
	var temporary: String = "user://godot_mcp_heir.tscn"
	var file: FileAccess = FileAccess.open(temporary, FileAccess.WRITE)
	if file == null:
		return null
	file.store_string("[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"%s\" id=\"1\"]\n\n[node name=\"Heir\" instance=ExtResource(\"1\")]\n" % path)
	file.close()
	var scene: PackedScene = ResourceLoader.load(temporary, "", ResourceLoader.CACHE_MODE_IGNORE) as PackedScene
	DirAccess.remove_absolute(temporary)
	return null if scene == null else scene.instantiate(PackedScene.GEN_EDIT_STATE_MAIN)


func _match(node: Node, made: Node, instance: Node) -> void:
	_note(node, made)
	var script: Script = node.get_script() as Script
	if made.get_script() != script:
		made.set_script(script)
	_copy_values(node, made)
	if node != _root and node.scene_file_path != "" and _root.is_editable_instance(node):
		_editable.append(made)
	var at: int = -1
	for child: Node in node.get_children():
		if child.owner == null:
			continue
		at += 1
		var twin: Node = made.get_node_or_null(NodePath(str(child.name)))
		var supplied: bool = child.owner != _root
		if twin != null and supplied:
			_match(child, twin, instance)
		else:
			# Also what a scene around the instance adds to it: the copy stands alone.
			var copied: Node = _copy(child, instance)
			if copied != null:
				made.add_child(copied, true)
				made.move_child(copied, mini(at, made.get_child_count() - 1))


func _note(node: Node, made: Node) -> void:
	_copies[node.get_instance_id()] = made
	_originals.append(node)


func _copy_values(node: Node, made: Node) -> void:
	for info: Dictionary in node.get_property_list():
		var usage: int = info["usage"]
		var name: StringName = info["name"]
		if usage & PROPERTY_USAGE_STORAGE == 0 or name == &"script":
			continue
		var value: Variant = node.get(name)
		var has: Variant = made.get(name)
		if typeof(value) == typeof(has) and value == has:
			continue
		if value is Array or value is Dictionary:
			value = value.duplicate(true)
		elif value is Resource and (value as Resource).resource_local_to_scene:
			var local: Resource = value
			if not _locals.has(local):
				_locals[local] = local.duplicate()
			value = _locals[local]
		made.set(name, value)
	if node is Node3D:
		# Set before, the order would turn what is an instance or take the angles in the
		# order of its scene.
		(made as Node3D).rotation_order = (node as Node3D).rotation_order
		(made as Node3D).transform = (node as Node3D).transform
	for group: String in McpGroups.persistent_of(node):
		made.add_to_group(group, true)


# Connections that start in the branch; inside of it they end at the copies.
func _copy_connections(original: Node, only_inside: bool) -> void:
	var made: Node = _copies[original.get_instance_id()]
	for info: Dictionary in original.get_signal_list():
		var emits: StringName = info["name"]
		for connection: Dictionary in original.get_signal_connection_list(emits):
			if connection["flags"] & CONNECT_PERSIST == 0:
				continue
			var callable: Callable = connection["callable"]
			var target: Node = callable.get_object() as Node
			if target == null or not (target == _root or _root.is_ancestor_of(target)):
				continue
			if only_inside and not _copies.has(target.get_instance_id()):
				continue
			var end: Node = _copies.get(target.get_instance_id(), target)
			var own: Callable = Callable(end, callable.get_method())
			if callable.get_unbound_arguments_count() > 0:
				own = own.unbind(callable.get_unbound_arguments_count())
			elif callable.get_bound_arguments_count() > 0:
				own = own.bindv(callable.get_bound_arguments())
			if not made.is_connected(emits, own):
				made.connect(emits, own, connection["flags"] as int)
				_ends[end] = true


# Properties that hold nodes of the branch hold their copies in the copy.
func _point_into_copy(original: Node) -> void:
	if original.get_script() == null:
		return
	var made: Node = _copies[original.get_instance_id()]
	for info: Dictionary in original.get_property_list():
		if info["usage"] & PROPERTY_USAGE_STORAGE == 0 or info["type"] != TYPE_OBJECT:
			continue
		var value: Node = original.get(info["name"] as StringName) as Node
		if value != null:
			made.set(info["name"] as StringName, _copies.get(value.get_instance_id(), value))
