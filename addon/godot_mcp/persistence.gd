@tool
extends RefCounted
## Whether saving the scene as it stands would keep an edit, and if not, why.
##
## The engine's save drops data without a word, so the rules are kept here; they
## were found by saving and reloading some 90 cases in engine 4.6.

const McpPaths := preload("paths.gd")
const McpSupply := preload("supply.gd")
const McpDerived := preload("derived_properties.gd")

const KEPT: Dictionary = {"persisted": true}

var supply: McpSupply
## Verdicts on nodes, while the tree cannot change; see [method begin].
var _known: Dictionary[int, Dictionary] = {}
## "node|property" of what a save would write, once that was asked.
var _written: Dictionary[String, bool] = {}


## Drops what was found before the tree changed.
func begin() -> void:
	_known.clear()
	_written.clear()


static func lost(reason: String, subject: String, source: String = "") -> Dictionary:
	var out: Dictionary = {"persisted": false, "reason": reason}
	if subject != "":
		out["subject"] = subject
	if source != "":
		out["source"] = source
	return out


## A node, and with it what is set on it. It is saved when its owner is the edited
## root, or an instance with editable children that supplies it, and every node
## above it is too: the packer does not go below a node that it leaves out.
func of_node(node: Node, root: Node) -> Dictionary:
	if node == root:
		return KEPT
	if not is_instance_valid(node):
		return lost("node_not_owned", "")
	var id: int = node.get_instance_id()
	if _known.has(id):
		return _known[id]
	var inside: bool = root.is_ancestor_of(node)
	# The outermost node that is left out decides: the ones below it cannot be
	# saved before that one is.
	var verdict: Dictionary = of_node(node.get_parent(), root) if inside else KEPT
	if not verdict["persisted"]:
		pass
	elif not inside or node.owner == null:
		verdict = lost("node_not_owned", McpPaths.of(root, node))
	elif node.owner != root:
		if not root.is_ancestor_of(node.owner) or not supply.instance_has(node.owner, node):
			verdict = lost("node_not_owned", McpPaths.of(root, node))
		elif not root.is_editable_instance(node.owner):
			verdict = lost("instanced_child_not_editable", McpPaths.of(root, node.owner), node.owner.scene_file_path)
	_known[id] = verdict
	return verdict


## Whether the node is there again after a reload, saved or supplied by what is.
func returns(node: Node, root: Node) -> Dictionary:
	if node == root:
		return KEPT
	if supply.source_of(node, root) == "":
		return of_node(node, root)
	return KEPT if node.owner == root else returns(node.owner, root)


## A property of a node. [param stored] says that setting it changed something
## that a file stores.
func of_property(node: Node, property: String, root: Node, stored: bool = false) -> Dictionary:
	var verdict: Dictionary = of_node(node, root)
	if not verdict["persisted"]:
		return verdict
	if _is_as_begun(node, property) and not is_stored(node, property):
		return lost("property_not_stored", McpPaths.of(root, node)) if supply.holds_element(node, root, property) else KEPT
	# A variable may have gone with its script in a later step.
	if not is_stored(node, property) if not stored else not property.contains("/") and not property in node:
		return lost("property_not_stored", McpPaths.of(root, node))
	var value: Variant = node.get(property)
	if value is Resource:
		return of_reference(node, value as Resource, root)
	return KEPT if is_exact(node, property) else lost("number_not_exact", McpPaths.of(root, node))


## Whether a file that holds the property gives the value back as it is.
static func is_exact(object: Object, property: String) -> bool:
	return reads_back(object.get(property)) or not _is_listed_as_stored(object, property)


## Whether the engine reads a value from the text that it writes of it: it takes some
## numbers of many digits, or with large exponents, for a neighbour (engine 4.6). A
## number that is one of 32 bits is written and read as such.
static func reads_back(value: Variant) -> bool:
	match typeof(value):
		TYPE_FLOAT:
			var number: float = value
			return is_nan(number) or PackedFloat32Array([number])[0] == number or str_to_var(var_to_str(number)) == number
		TYPE_PACKED_FLOAT64_ARRAY:
			for number: float in value as PackedFloat64Array:
				if not reads_back(number):
					return false
		TYPE_ARRAY:
			for element: Variant in value as Array:
				if not reads_back(element):
					return false
		TYPE_DICTIONARY:
			for key: Variant in value as Dictionary:
				if not reads_back(key) or not reads_back(value[key]):
					return false
	return true


## A property of a node of a scene that is no tab's: its file alone is written.
func of_file_property(node: Node, path: String, chain: Array[Resource], property: String, root: Node) -> Dictionary:
	for resource: Resource in chain:
		if resource.resource_path != "" and not resource.resource_path.contains("::"):
			return lost("embedded_in_other_resource", McpPaths.of(root, node), resource.resource_path)
	return of_property(node, property, root) if chain.is_empty() else of_resource(node, path, chain, property, root)


## Whether a file holds the property, or other properties that it only mirrors.
static func is_stored(object: Object, property: String) -> bool:
	return _is_listed_as_stored(object, property) or McpDerived.mirrors(object, property)


static func _is_listed_as_stored(object: Object, property: String) -> bool:
	if property.begins_with("metadata/") or property == "script":
		return true
	for info: Dictionary in object.get_property_list():
		if info["name"] == property:
			return info["usage"] & PROPERTY_USAGE_STORAGE != 0
	return false


# What an element of a list begins with needs no file: the engine says of it that it is
# not stored (4.6).
static func _is_as_begun(node: Node, property: String) -> bool:
	if not property.contains("/") or not property in node or not node.property_can_revert(property):
		return false
	var value: Variant = node.get(property)
	var begun: Variant = node.property_get_revert(property)
	return typeof(value) == typeof(begun) and value == begun or value == null and begun == null


## A reference from a node to a resource: written by path, so the file must exist.
func of_reference(node: Node, resource: Resource, root: Node) -> Dictionary:
	var path: String = resource.resource_path
	if path == "" or path.contains("::"):
		return KEPT
	if not FileAccess.file_exists(path):
		return lost("resource_file_missing", McpPaths.of(root, node), path)
	return of_file(path, McpPaths.of(root, node))


## A reference to a file is written with its uid, and a load follows the uid.
static func of_file(path: String, subject: String) -> Dictionary:
	var uid: int = ResourceLoader.get_resource_uid(path)
	if uid == ResourceUID.INVALID_ID or not ResourceUID.has_id(uid):
		return KEPT
	var at: String = ResourceUID.get_id_path(uid)
	return KEPT if at == path or not FileAccess.file_exists(at) else lost("uid_of_another_file", subject, at)


## A node that refers to a file: an instance to its scene, a node to its script.
func of_node_with(node: Node, file: String, subject: String, root: Node) -> Dictionary:
	var verdict: Dictionary = of_node(node, root)
	return of_file(file, subject) if verdict["persisted"] and file != "" and not file.contains("::") else verdict


## An edit inside resources that hang on a property of a node, outermost first. It
## is written with the innermost one that has a file, or else with the property: then
## what decides is whether this scene writes that, wherever the resource lived before.
func of_resource(node: Node, path: String, chain: Array[Resource], property: String, root: Node) -> Dictionary:
	if not is_stored(chain.back(), property):
		return lost("property_not_stored", McpPaths.of(root, node))
	var verdict: Dictionary = _of_holder(node, path, chain, root)
	if verdict["persisted"] and not is_exact(chain.back(), property):
		return lost("number_not_exact", McpPaths.of(root, node))
	return verdict


func _of_holder(node: Node, path: String, chain: Array[Resource], root: Node) -> Dictionary:
	for i: int in range(chain.size() - 1, -1, -1):
		var file: String = chain[i].resource_path
		if file == "" or file.contains("::"):
			continue
		# A file that is gone is written anew, if there is a folder for it.
		if not DirAccess.dir_exists_absolute(file.get_base_dir()):
			return lost("resource_file_missing", McpPaths.of(root, node), file)
		if FileAccess.file_exists(file + ".import"):
			return lost("embedded_in_other_resource", McpPaths.of(root, node), file)
		return KEPT
	var own: String = path.get_slice(":", 0)
	var source: String = supply.source_of_value(node, root, own)
	# Of a resource that is local to its scene an instance has a copy, which only the file
	# of this scene can hold.
	var home: String = chain[0].resource_path
	var copied: bool = home == "" or chain[0].resource_local_to_scene and not home.begins_with(source + "::")
	if source != "" and not copied and not writes(node, own, root):
		return lost("embedded_in_other_resource", McpPaths.of(root, node), source)
	return of_node(node, root)


## Whether a save of the scene writes the property of the node. Only the packer can
## tell: it compares with the value that the node had when its instance was made,
## which may live nowhere else any more.
func writes(node: Node, property: String, root: Node) -> bool:
	if _written.is_empty():
		_written[""] = true
		var packed: PackedScene = PackedScene.new()
		if packed.pack(root) == OK:
			var state: SceneState = packed.get_state()
			for i: int in state.get_node_count():
				for j: int in state.get_node_property_count(i):
					_written["%s|%s" % [McpSupply.plain(state.get_node_path(i)), state.get_node_property_name(i, j)]] = true
	return _written.has("%s|%s" % [McpPaths.of(root, node), property])


## The end of a membership.
func of_group_end(node: Node, group: String, root: Node) -> Dictionary:
	var source: String = supply.source_of_group(node, root, group)
	if source != "":
		return lost("group_from_base_scene", McpPaths.of(root, node), source)
	return KEPT


## A persistent connection: it is saved with its source; the target only has to be
## there again.
func of_connection(source: Node, emits: String, target: Node, method: String, root: Node) -> Dictionary:
	# With its target a later step removed the connection.
	if target != root and not root.is_ancestor_of(target):
		return KEPT
	if supply.source_of_connection(source, emits, target, method, root) != "":
		return KEPT
	var verdict: Dictionary = of_node(source, root)
	return verdict if not verdict["persisted"] else returns(target, root)


## The end of a connection.
func of_connection_end(source: Node, emits: String, target: Node, method: String, root: Node) -> Dictionary:
	var from: String = supply.source_of_connection(source, emits, target, method, root)
	if from != "":
		return lost("connection_from_base_scene", McpPaths.of(root, source), from)
	return KEPT


## The removal of a node.
func of_removal(node: Node, root: Node) -> Dictionary:
	var source: String = supply.source_of(node, root)
	if source != "":
		return lost("node_from_base_scene", McpPaths.of(root, node), source)
	return KEPT


## Whether a file keeps the place at an index below [param parent]; [param own] is
## the node that is to have it, when it stands there already. Below an instance's root
## the file holds no index for the edited scene's own nodes, so they end up behind
## the supplied ones (engine 4.6 experiment).
func keeps_place(parent: Node, at: int, root: Node, own: Node) -> bool:
	if at < 0 or parent == root or parent.scene_file_path == "" or parent.owner != root or supply.base_of(root) != null:
		return true
	var i: int = 0
	for child: Node in parent.get_children():
		if child == own:
			continue
		if i >= at and supply.source_of(child, root) != "":
			return false
		i += 1
	return true


## The Editable Children flag of an instance.
func of_editable(instance: Node, on: bool, root: Node) -> Dictionary:
	var verdict: Dictionary = of_node(instance, root)
	if verdict["persisted"] and not on:
		var source: String = supply.source_of_editable(instance, root)
		if source != "":
			return lost("node_from_base_scene", McpPaths.of(root, instance), source)
	return verdict
