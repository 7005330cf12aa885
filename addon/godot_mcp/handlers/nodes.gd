@tool
extends RefCounted
## Nodes: create, delete, move, rename, duplicate.

const McpAssign := preload("../assign.gd")
const McpBrokenPaths := preload("../broken_paths.gd")
const McpContext := preload("../context.gd")
const McpCopier := preload("../copier.gd")
const McpNodeClasses := preload("../node_classes.gd")
const McpParams := preload("../params.gd")
const McpPaths := preload("../paths.gd")
const McpPersistence := preload("../persistence.gd")
const McpPlacing := preload("../placing.gd")
const McpRenaming := preload("../renaming.gd")
const McpScriptChange := preload("../script_change.gd")


func commands() -> Dictionary:
	return {
		"cmd_create_node": create_node,
		"cmd_delete_node": delete_node,
		"cmd_move_node": move_node,
		"cmd_rename_node": rename_node,
		"cmd_duplicate_node": duplicate_node,
	}


func create_node(ctx: McpContext, p: Dictionary) -> Dictionary:
	var parent: Node = McpPaths.find(ctx, McpParams.text(p, "parent_path"))
	if parent == null:
		return {}
	var type: String = McpParams.text(p, "type")
	var made: Dictionary = McpNodeClasses.resolve(ctx, type)
	if ctx.failed():
		return {}
	var at: int = -1
	if p.has("index") and p["index"] != null:
		at = McpPlacing.index(ctx, p, parent)
		if at < 0 and not ctx.failed():
			ctx.fail("bad_params", {"message": "index %d is outside of 0 to %d" % [at, parent.get_child_count()], "param": "index"})
	var script: Script = null
	var script_path: String = McpParams.text(p, "script_path")
	if script_path == "":
		script_path = made["script"]
	if script_path != "" and not ctx.failed():
		script = McpScriptChange.load_for(ctx, script_path, made["class"] as StringName)
	if p.has("groups"):
		for group: Variant in McpParams.list(p, "groups"):
			if group == "" or str(group).begins_with("_"):
				ctx.fail("bad_group", {"group": group})
	if ctx.failed():
		return {}
	var wanted: String = McpParams.text(p, "name")
	if wanted == "":
		wanted = type
	var node: Node = ClassDB.instantiate(made["class"] as StringName) as Node
	node.name = wanted
	if script != null:
		node.set_script(script)
	return _place(ctx, p, parent, node, at, wanted)


# Adds the node and sets it up. A preview does so beside the tree, unless values
# depend on the place; then the rollback takes it out again.
func _place(ctx: McpContext, p: Dictionary, parent: Node, node: Node, at: int, wanted: String) -> Dictionary:
	var given: Dictionary = McpParams.object(p, "properties")
	var type: String = p["type"]
	var moved: Dictionary[String, bool] = {}
	if ctx.predict and (given.is_empty() or not _depends_on_place(node, given)):
		var name: String = McpPlacing.future_name(parent, str(node.name), node.get_class())
		var foreseen: String = McpPlacing.below(ctx, parent, name)
		var kept: Dictionary = McpPlacing.properties(ctx, node, foreseen, given, moved)
		var lost: Dictionary = _lost(ctx, node, given, moved, foreseen)
		ctx.edit.roll_back()
		ctx.would_change = true
		node.free()
		return _new_result(ctx, foreseen, name, name != wanted, type, kept, null, func() -> Dictionary:
			var verdict: Dictionary = ctx.services.persistence.of_node(parent, ctx.root)
			return lost if verdict["persisted"] and not lost.is_empty() else verdict)
	McpPlacing.add(ctx, parent, node, at)
	if p.has("groups"):
		for group: String in McpParams.list(p, "groups"):
			node.add_to_group(group, true)
	if p.has("unique_name") and p["unique_name"] == true:
		node.unique_name_in_owner = true
	var called: String = node.name
	var path: String = called if parent == ctx.root else "%s/%s" % [McpPaths.found(ctx, parent, p["parent_path"] as String), called]
	var values: Dictionary = {} if given.is_empty() else McpPlacing.properties(ctx, node, path, given, moved)
	if p.has("as"):
		_remember(ctx, p, node)
	return _new_result(ctx, path, called, called != wanted, type, values, node, func() -> Dictionary:
		return McpPlacing.with_values(ctx, node, given, moved, ctx.services.persistence.of_node(node, ctx.root)))


static func _depends_on_place(node: Node, given: Dictionary) -> bool:
	if node is Control:
		return true
	for name: String in given:
		if name.begins_with("global_") or name.contains("path") or name.contains(":"):
			return true
		for info: Dictionary in node.get_property_list():
			if info["name"] == name and info["type"] == TYPE_OBJECT:
				return true
	return false


# Why a save would lose the first of some values of a node that is in no tree, empty if
# it keeps all; no value is a resource.
static func _lost(ctx: McpContext, node: Node, given: Dictionary, moved: Dictionary[String, bool], path: String) -> Dictionary:
	if ctx.failed():
		return {}
	var names: Array = given.keys()
	names.sort()
	for name: String in names:
		if not moved.has(name) and not McpPersistence.is_stored(node, name):
			return McpPersistence.lost("property_not_stored", path)
		if not McpPersistence.is_exact(node, name):
			return McpPersistence.lost("number_not_exact", path)
	return {}


static func _new_result(
		ctx: McpContext, path: String, name: String, renamed: bool, type: String, values: Dictionary, node: Node, verdict: Callable = Callable(),
) -> Dictionary:
	var out: Dictionary = {"node_path": path, "name": name, "renamed": renamed, "type": type}
	if not values.is_empty():
		out["properties"] = values
	return ctx.judge(out, node, verdict)


static func _remember(ctx: McpContext, p: Dictionary, node: Node) -> void:
	var name: String = McpParams.text(p, "as")
	if name != "":
		ctx.refs[name] = node


func delete_node(ctx: McpContext, p: Dictionary) -> Dictionary:
	var node: Node = _movable(ctx, McpParams.text(p, "node_path"))
	if node == null:
		return {}
	var branch: Array[Node] = McpPaths.subtree(node)
	var out: Dictionary = {
		"node_path": McpPaths.of(ctx.root, node), "removed": branch.size(), "disconnected": _connections_into(branch, ctx.root),
	}
	McpBrokenPaths.note(out, ctx.root, node, null, "")
	if ctx.predict:
		ctx.would_change = true
	else:
		McpPlacing.remove(ctx, node)
	return ctx.judge(out, null, func() -> Dictionary: return {"persisted": true})


# A node that the scene itself holds, and that may be somewhere else or gone.
static func _movable(ctx: McpContext, path: String) -> Node:
	var node: Node = McpPaths.find(ctx, path)
	if node == null:
		return null
	if node == ctx.root:
		ctx.fail("is_scene_root", {"path": "."})
		return null
	var source: String = ctx.services.supply.source_of(node, ctx.root)
	if source != "":
		ctx.fail("node_from_base_scene", {"path": McpPaths.of(ctx.root, node), "source": source})
		return null
	return node


static func _connections_into(branch: Array[Node], root: Node) -> int:
	var inside: Dictionary[int, bool] = {}
	for node: Node in branch:
		inside[node.get_instance_id()] = true
	var out: int = 0
	for node: Node in branch:
		for connection: Dictionary in node.get_incoming_connections():
			var source: Node = (connection["signal"] as Signal).get_object() as Node
			if source == null or inside.has(source.get_instance_id()) or connection["flags"] & CONNECT_PERSIST == 0:
				continue
			if source == root or root.is_ancestor_of(source):
				out += 1
	return out


func move_node(ctx: McpContext, p: Dictionary) -> Dictionary:
	if McpPaths.find(ctx, McpParams.text(p, "node_path")) == null:
		return {}
	var parent: Node = McpPaths.find(ctx, McpParams.text(p, "new_parent_path"))
	if parent == null:
		return {}
	var node: Node = _movable(ctx, McpParams.text(p, "node_path"))
	if node == null:
		return {}
	if parent == node or node.is_ancestor_of(parent):
		return ctx.fail("into_itself", {"path": McpPaths.of(ctx.root, node), "new_parent": McpPaths.of(ctx.root, parent)})
	var same: bool = parent == node.get_parent()
	var last: int = parent.get_child_count() - (1 if same else 0)
	var at: int = McpPlacing.index(ctx, p, parent, node if same else null)
	if ctx.failed():
		return {}
	if at < 0:
		at = last
	var old_path: String = McpPaths.of(ctx.root, node)
	var out: Dictionary = {"node_path": old_path, "old_path": old_path, "index": at, "changed": not same or at != node.get_index()}
	if out["changed"]:
		if not same:
			McpBrokenPaths.note(out, ctx.root, node, parent, McpPlacing.future_name(parent, str(node.name), node.get_class()))
		if ctx.predict:
			ctx.would_change = true
			return _predicted_move(ctx, node, parent, same, out)
		if same:
			McpPlacing.reorder(ctx, node, at)
		else:
			McpPlacing.move(ctx, node, parent, at)
		out["node_path"] = McpPaths.of(ctx.root, node)
	return ctx.judge(out, node)


static func _predicted_move(ctx: McpContext, node: Node, parent: Node, same: bool, out: Dictionary) -> Dictionary:
	if same:
		return ctx.judge(out, node)
	out["node_path"] = McpPlacing.below(ctx, parent, McpPlacing.future_name(parent, str(node.name), node.get_class()))
	return ctx.judge(out, node, func() -> Dictionary:
		var verdict: Dictionary = ctx.services.persistence.of_node(parent, ctx.root)
		if verdict["persisted"] and node.owner == null:
			return McpPersistence.lost("node_not_owned", out["node_path"] as String)
		return verdict)


func rename_node(ctx: McpContext, p: Dictionary) -> Dictionary:
	var node: Node = McpPaths.find(ctx, McpParams.text(p, "node_path"))
	if node == null:
		return {}
	var wanted: String = McpParams.text(p, "new_name")
	var done: Dictionary = McpRenaming.rename(ctx, node, wanted)
	if ctx.failed():
		return {}
	var path: String = McpPaths.of(ctx.root, node)
	if ctx.predict and node != ctx.root and done["changed"]:
		path = McpPlacing.below(ctx, node.get_parent(), done["new_name"] as String)
	var out: Dictionary = {
		"node_path": path, "old_name": done["old_name"], "new_name": done["new_name"],
		"renamed": done["new_name"] != wanted, "changed": done["changed"],
	}
	if done.has("broken_node_paths"):
		out["broken_node_paths"] = done["broken_node_paths"]
	if not ctx.predict:
		return ctx.judge(out, node)
	return ctx.judge(out, node, func() -> Dictionary:
		var verdict: Dictionary = ctx.services.persistence.of_node(node, ctx.root)
		# The node has its old name still, and the verdict may be about the node itself.
		if verdict.get("subject") == McpPaths.of(ctx.root, node):
			verdict = verdict.duplicate()
			verdict["subject"] = path
		return verdict)


func duplicate_node(ctx: McpContext, p: Dictionary) -> Dictionary:
	var node: Node = McpPaths.find(ctx, McpParams.text(p, "node_path"))
	if node == null:
		return {}
	if node == ctx.root:
		return ctx.fail("is_scene_root", {"path": "."})
	var parent: Node = node.get_parent()
	var wanted: String = McpParams.text(p, "name")
	var name: String = McpPlacing.future_name(parent, wanted if wanted != "" else str(node.name), str(node.name))
	var renamed: bool = wanted != "" and name != wanted
	if ctx.predict:
		ctx.would_change = true
		var below: String = McpPlacing.below(ctx, parent, name)
		return _new_result(ctx, below, name, renamed, node.get_class(), {}, null, func() -> Dictionary:
			return ctx.services.persistence.of_node_with(parent, node.scene_file_path, below, ctx.root))
	var copier: McpCopier = McpCopier.new()
	var copy: Node = copier.copy(node, ctx.root)
	if copy == null:
		return ctx.fail("corrupt_file", {"path": node.scene_file_path})
	copy.name = name
	var at: int = node.get_index() + 1
	if not ctx.services.persistence.keeps_place(parent, at, ctx.root, null):
		at = -1
	McpPlacing.add(ctx, parent, copy, at)
	copier.finish(ctx)
	ctx.edit.quiet.learn(copy)
	_remember(ctx, p, copy)
	return _new_result(ctx, McpPaths.of(ctx.root, copy), str(copy.name), renamed, copy.get_class(), {}, copy, func() -> Dictionary:
		return ctx.services.persistence.of_node_with(copy, copy.scene_file_path, McpPaths.of(ctx.root, copy), ctx.root))
