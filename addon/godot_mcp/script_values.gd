@tool
extends RefCounted
## What nodes have in the variables of a script while its text changes.
##
## A script that is read anew leaves its nodes only the values of variables that it
## still has, in the same type, and that do not begin with that value now; on a @tool
## script that runs, a variable that is new is null, also when it comes back (engine 4.6
## experiments). So an undo of the change has to put the values back.

const McpPaths := preload("paths.gd")
const McpScriptVariables := preload("script_variables.gd")

## How many scripted nodes out of the tree are remembered before the dead are dropped.
const MANY := 1000

# Scripted nodes that left the tree: an undo may bring them back. Keys are instance ids.
static var _away: Dictionary[int, bool] = {}


static func start(tree: SceneTree) -> void:
	tree.node_removed.connect(_on_node_removed)


static func stop(tree: SceneTree) -> void:
	tree.node_removed.disconnect(_on_node_removed)
	_away.clear()


static func _on_node_removed(node: Node) -> void:
	if node.get_script() == null or node.owner == null:
		return
	if _away.size() >= MANY:
		for id: int in _away.keys():
			if not is_instance_id_valid(id):
				_away.erase(id)
	_away[node.get_instance_id()] = true


## [[node's instance id, {variable: [type, value]}]] of all nodes with this script or an heir of it.
static func of(script: Script) -> Array[Array]:
	var out: Array[Array] = []
	for node: Node in _users(script):
		var values: Dictionary = {}
		for info: Dictionary in McpScriptVariables.of(node):
			values[info["name"]] = [info["type"], node.get(info["name"] as StringName)]
		out.append([node.get_instance_id(), values])
	return out


## Puts back what was held of variables that the change of the text took a value from:
## those that are not as [param before] it. Others may have been set since.
static func restore(held: Array[Array], before: Array[Array]) -> void:
	var were: Dictionary = {}
	for row: Array in before:
		were[row[0]] = row[1]
	for row: Array in held:
		var node: Node = instance_from_id(row[0] as int) as Node if is_instance_id_valid(row[0] as int) else null
		if node == null:
			continue
		var had: Dictionary = were.get(row[0], {})
		var values: Dictionary = row[1]
		for name: String in values:
			var type: int = values[name][0]
			var value: Variant = values[name][1]
			if had.has(name) and had[name][0] == type and is_same(had[name][1], node.get(name)):
				continue
			if typeof(value) == TYPE_OBJECT and not is_instance_valid(value):
				continue
			node.set(name, value)


## Gives variables that are new on nodes where the script runs the values that they
## begin with.
static func begin(script: Script, before: Array[Array]) -> void:
	if not script.is_tool():
		return
	for row: Array in before:
		var node: Node = instance_from_id(row[0] as int) as Node
		for name: String in McpScriptVariables.names(node.get_script() as Script):
			var first: Variant = script.get_property_default_value(name)
			if not (row[1] as Dictionary).has(name) and node.get(name) == null and first != null:
				node.set(name, first.duplicate(true) if first is Array or first is Dictionary else first)


static func _users(script: Script) -> Array[Node]:
	var out: Array[Node] = []
	for root: Node in _roots():
		for node: Node in McpPaths.subtree(root):
			if _uses(node, script):
				out.append(node)
	for id: int in _away:
		var node: Node = instance_from_id(id) as Node if is_instance_id_valid(id) else null
		if node != null and node not in out and _uses(node, script):
			out.append(node)
	return out


static func _roots() -> Array[Node]:
	var out: Array[Node] = []
	# Before Godot 4.5 only the active scene is known.
	if EditorInterface.has_method(&"get_open_scene_roots"):
		out.assign(EditorInterface.call(&"get_open_scene_roots") as Array)
	else:
		out.append(EditorInterface.get_edited_scene_root())
	return out.filter(is_instance_valid)


static func _uses(node: Node, script: Script) -> bool:
	var at: Script = node.get_script() as Script
	while at != null and at != script:
		at = at.get_base_script()
	return at != null
