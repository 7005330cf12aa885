@tool
extends RefCounted
## Node paths in properties that a rename, a move or a removal leaves leading nowhere.
##
## The scene dock rewrites such paths when a person does the same; an undo action does
## not. Paths that begin at /root or use a unique name are not looked at.

const McpPaths := preload("paths.gd")

## How many are named.
const MOST := 20

## Class -> names of its stored node paths.
static var _known: Dictionary[StringName, PackedStringArray] = {}


## Puts the paths that will lead nowhere, once [param node] is below [param parent]
## (null: gone) under [param name], into [param out]; called before that happens.
static func note(out: Dictionary, root: Node, node: Node, parent: Node, name: String) -> void:
	if node == root or (parent == node.get_parent() and name == str(node.name)):
		return
	var broken: Array[Dictionary] = []
	for holder: Node in McpPaths.subtree(root):
		if parent == null and (holder == node or node.is_ancestor_of(holder)):
			continue
		for property: String in _properties(holder):
			var path: NodePath = holder.get(property)
			if path.is_empty() or path.is_absolute() or path.get_name_count() == 0 or str(path).contains("%"):
				continue
			if _leads(root, holder, path, null, null, "") and not _leads(root, holder, path, node, parent, name):
				broken.append({"node_path": McpPaths.of(root, holder), "property": property, "value": str(path)})
				if broken.size() == MOST:
					break
		if broken.size() == MOST:
			break
	if not broken.is_empty():
		out["broken_node_paths"] = broken


static func _leads(root: Node, from: Node, path: NodePath, moved: Node, parent: Node, name: String) -> bool:
	var at: Node = from
	for i: int in path.get_name_count():
		var step: String = path.get_name(i)
		if step == "..":
			at = parent if at == moved and moved != null else (null if at == root else at.get_parent())
		elif step != ".":
			if moved != null and at == parent and step == name:
				at = moved
			else:
				at = at.get_node_or_null(NodePath(step))
				if moved != null and at == moved:
					at = null
		if at == null:
			return false
	return true


static func _properties(node: Node) -> PackedStringArray:
	var type: StringName = node.get_class()
	if not _known.has(type):
		_known[type] = _paths_in(ClassDB.class_get_property_list(type))
	var script: Script = node.get_script()
	if script == null:
		return _known[type]
	return _known[type] + _paths_in(script.get_script_property_list())


static func _paths_in(list: Array[Dictionary]) -> PackedStringArray:
	var out: PackedStringArray = []
	for info: Dictionary in list:
		if info["type"] == TYPE_NODE_PATH and int(info["usage"]) & PROPERTY_USAGE_STORAGE != 0:
			out.append(info["name"] as String)
	return out
