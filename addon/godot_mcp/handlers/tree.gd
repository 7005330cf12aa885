@tool
extends RefCounted
## Reads of the scene tree.

const McpContext := preload("../context.gd")
const McpGroups := preload("../packed_groups.gd")
const McpAssign := preload("../assign.gd")
const McpNear := preload("../near.gd")
const McpNodeClasses := preload("../node_classes.gd")
const McpParams := preload("../params.gd")
const McpPaths := preload("../paths.gd")
const McpScriptVariables := preload("../script_variables.gd")
const McpOut := preload("../values_out.gd")

const MOST_CHILD_NAMES := 200
const MOST_SELECTED := 50
const MOST_NODES := 10000
const TRANSFORM: PackedStringArray = ["position", "rotation", "scale"]


func commands() -> Dictionary:
	return {
		"cmd_get_scene_tree": get_scene_tree,
		"cmd_get_node": get_node,
		"cmd_get_selected_nodes": get_selected_nodes,
		"cmd_snapshot_subtree": snapshot_subtree,
		"cmd_find_nodes_by_type": find_nodes_by_type,
	}


func get_scene_tree(ctx: McpContext, p: Dictionary) -> Dictionary:
	var limit: int = McpParams.number(p, "limit")
	var offset: int = McpParams.number(p, "offset")
	var depth: int = McpParams.number(p, "max_depth")
	if limit < 1 or limit > MOST_NODES or offset < 0 or depth < -1:
		return ctx.fail("bad_params", {"message": "limit must be 1 to %d, offset at least 0, max_depth at least -1" % MOST_NODES})
	if ctx.root == null:
		return {"nodes": [], "total": 0}
	var top: Node = McpPaths.find(ctx, McpParams.text(p, "node_path"))
	if top == null:
		return {}
	var rows: Array[Dictionary] = []
	var walk: McpWalk = McpWalk.new()
	walk.first = offset
	walk.last = offset + limit
	walk.most = depth
	walk.light = McpParams.flag(p, "lightweight")
	walk.visit(top, McpPaths.of(ctx.root, top), 0, ctx, rows)
	return _with_scene(ctx, {"version": ctx.services.versions.of(ctx.root), "nodes": rows, "total": walk.seen})


## A walk in tree order that describes one page of what it meets.
class McpWalk:
	extends RefCounted
	var first: int = 0
	var last: int = 0
	var most: int = -1
	var light: bool = false
	var seen: int = 0

	func visit(node: Node, path: String, depth: int, ctx: McpContext, rows: Array[Dictionary]) -> void:
		if seen >= first and seen < last:
			rows.append(row(node, path, depth, light, ctx))
		seen += 1
		if most >= 0 and depth >= most:
			return
		var below: String = "" if path == "." else path + "/"
		for child: Node in node.get_children():
			visit(child, below + str(child.name), depth + 1, ctx, rows)

	static func row(node: Node, path: String, depth: int, light_view: bool, ctx: McpContext) -> Dictionary:
		var out: Dictionary = {
			"path": path, "name": str(node.name), "type": type_of(node), "depth": depth, "children": node.get_child_count(),
		}
		if not light_view:
			var script: Script = node.get_script() as Script
			if script != null:
				out["script"] = "built-in" if script.resource_path == "" or script.resource_path.contains("::") else script.resource_path
			var owner: String = source(node, ctx)
			if owner != "":
				out["owner"] = owner
			if node.scene_file_path != "" and node != ctx.root and ctx.root.is_editable_instance(node):
				out["editable_children"] = true
		if node.unique_name_in_owner:
			out["unique_name"] = true
		if node != ctx.root and node.owner == null:
			out["unowned"] = true
		if node is MissingNode:
			out["missing"] = true
		return out

	static func type_of(node: Node) -> String:
		var missing: MissingNode = node as MissingNode
		return missing.original_class if missing != null and missing.original_class != "" else node.get_class()

	# The scene file a node comes from: for an instance the instanced one.
	static func source(node: Node, ctx: McpContext) -> String:
		if node == ctx.root:
			return ""
		if node.scene_file_path != "":
			return node.scene_file_path
		if node.owner != null and node.owner != ctx.root:
			return node.owner.scene_file_path
		return ctx.services.supply.source_of(node, ctx.root)


func get_node(ctx: McpContext, p: Dictionary) -> Dictionary:
	var node: Node = McpPaths.find(ctx, McpParams.text(p, "node_path"))
	return {} if node == null else _describe(ctx, node)


func get_selected_nodes(ctx: McpContext, _p: Dictionary) -> Dictionary:
	var rows: Array[Dictionary] = []
	var count: int = 0
	for node: Node in EditorInterface.get_selection().get_selected_nodes():
		if ctx.root == null or not (node == ctx.root or ctx.root.is_ancestor_of(node)):
			continue
		count += 1
		if rows.size() < MOST_SELECTED:
			rows.append(_describe(ctx, node))
	return {"selected": rows, "count": count}


func snapshot_subtree(ctx: McpContext, p: Dictionary) -> Dictionary:
	var top: Node = McpPaths.find(ctx, McpParams.text(p, "node_path"))
	if top == null:
		return {}
	var limit: int = McpParams.number(p, "limit")
	var nodes: Array[Node] = []
	_collect(top, 0, McpParams.number(p, "max_depth"), nodes)
	if nodes.size() > limit:
		return ctx.fail("too_big", {"limit": limit, "size": nodes.size()})
	var rows: Array[Dictionary] = []
	var near: Array[String] = []
	for node: Node in nodes:
		var values: Dictionary = _script_variables(node)
		for property: String in _places(node) + McpParams.list(p, "properties"):
			var target: McpAssign.McpTarget = McpAssign.find(ctx, node, property, near)
			if target != null:
				values[property] = target.json(target.read())
		rows.append({
			"path": McpPaths.of(ctx.root, node), "type": McpWalk.type_of(node), "properties": values,
			"groups": _kept_groups(ctx, node),
		})
	return _with_scene(ctx, {"nodes": rows})


# Under a container they say how the container laid its children out, at a frame of its
# own choice, and a save drops them: no change that somebody made.
static func _places(node: Node) -> Array:
	return [] if node is Control and node.get_parent() is Container else Array(TRANSFORM)


# A base scene's groups are persistent too; the packer of the heir leaves them out.
static func _kept_groups(ctx: McpContext, node: Node) -> Array:
	var kept: PackedStringArray = McpGroups.persistent_of(node)
	return Array(McpGroups.all_of(node)).filter(func(group: String) -> bool:
		return group in kept or ctx.services.supply.source_of_group(node, ctx.root, group) != "")


func find_nodes_by_type(ctx: McpContext, p: Dictionary) -> Dictionary:
	var top: Node = McpPaths.find(ctx, McpParams.text(p, "parent_path"))
	if top == null:
		return {}
	var type: String = McpParams.text(p, "node_type")
	var by_script: bool = false
	if not ClassDB.class_exists(type):
		by_script = is_script_class(type)
		if not by_script:
			return ctx.fail("unknown_class", {"type": type, "near": McpNodeClasses.near(type)})
	elif type != "Node" and not ClassDB.is_parent_class(type, "Node"):
		return ctx.fail("not_a_node_class", {"type": type, "near": McpNodeClasses.near(type)})
	var limit: int = McpParams.number(p, "limit")
	var offset: int = McpParams.number(p, "offset")
	if limit < 1 or limit > MOST_NODES or offset < 0:
		return ctx.fail("bad_params", {"message": "limit must be 1 to %d and offset at least 0" % MOST_NODES})
	var nodes: Array[Node] = []
	_collect(top, 0, -1 if McpParams.flag(p, "recursive") else 1, nodes)
	var found: Array[Dictionary] = []
	var total: int = 0
	for node: Node in nodes:
		if not (_has_script_class(node, type) if by_script else node.is_class(type)):
			continue
		if total >= offset and found.size() < limit:
			found.append({"path": McpPaths.of(ctx.root, node), "type": McpWalk.type_of(node)})
		total += 1
	return {"nodes": found, "total": total}


static func is_script_class(name: String) -> bool:
	for entry: Dictionary in ProjectSettings.get_global_class_list():
		if entry["class"] == StringName(name):
			return true
	return false


## Engine and script classes with a name close to [param name].
static func near_class(name: String) -> Array[String]:
	var names: PackedStringArray = []
	for known: String in ClassDB.get_class_list():
		# Internal classes are listed too, but nobody can use them.
		if not ClassDB.has_method(&"class_get_api_type") or ClassDB.call(&"class_get_api_type", known) != 4:
			names.append(known)
	for entry: Dictionary in ProjectSettings.get_global_class_list():
		names.append(str(entry["class"]))
	return McpNear.close(name, names)


static func _has_script_class(node: Node, type: String) -> bool:
	var script: Script = node.get_script() as Script
	while script != null:
		if script.get_global_name() == StringName(type):
			return true
		script = script.get_base_script()
	return false


static func _collect(node: Node, depth: int, most: int, out: Array[Node]) -> void:
	out.append(node)
	if most >= 0 and depth >= most:
		return
	for child: Node in node.get_children():
		_collect(child, depth + 1, most, out)


static func _with_scene(ctx: McpContext, out: Dictionary) -> Dictionary:
	if ctx.root.scene_file_path != "":
		out["scene_path"] = ctx.root.scene_file_path
	return out


static func _describe(ctx: McpContext, node: Node) -> Dictionary:
	var out: Dictionary = McpWalk.row(node, McpPaths.of(ctx.root, node), 0, false, ctx)
	out["groups"] = Array(McpGroups.all_of(node))
	out["properties"] = _script_variables(node)
	var names: Array[String] = []
	for child: Node in node.get_children():
		if names.size() < MOST_CHILD_NAMES:
			names.append(str(child.name))
	out["child_names"] = names
	return out


static func _script_variables(node: Node) -> Dictionary:
	var out: Dictionary = {}
	for info: Dictionary in McpScriptVariables.of(node):
		var value: Variant = node.get(info["name"] as StringName)
		out[info["name"]] = McpOut.tagged(value, node) if info["type"] == TYPE_NIL else McpOut.natural(value, node)
	return out
