@tool
extends RefCounted
## Saves a branch as a scene of its own.

const McpContext := preload("../context.gd")
const McpCopier := preload("../copier.gd")
const McpEdit := preload("../edit.gd")
const McpParams := preload("../params.gd")
const McpPaths := preload("../paths.gd")
const McpPlacing := preload("../placing.gd")
const McpSaving := preload("saving.gd")
const McpSceneFiles := preload("../scene_files.gd")
const McpTransaction := preload("../transaction.gd")
const McpWrittenFiles := preload("../written_files.gd")

var transaction: McpTransaction = null


func commands() -> Dictionary:
	return {"cmd_extract_scene": extract_scene}


func extract_scene(ctx: McpContext, p: Dictionary) -> Dictionary:
	var node_path: String = McpParams.text(p, "node_path")
	var node: Node = McpPaths.find(ctx, node_path)
	if node == null:
		return {}
	var path: String = McpParams.text(p, "scene_path")
	if node == ctx.root:
		return ctx.fail("is_scene_root", {"path": "."})
	var source: String = ctx.services.supply.source_of(node, ctx.root)
	if source != "":
		return ctx.fail("mixed_ownership", {"path": McpPaths.of(ctx.root, node), "source": source})
	if not McpSceneFiles.is_new_file(ctx, path):
		return {}
	var replace: bool = McpParams.flag(p, "replace_with_instance")
	var save: bool = McpParams.flag(p, "save_current")
	if save and ctx.root.scene_file_path == "":
		return ctx.fail("scene_has_no_path")
	if save and McpSaving.refused(ctx, McpSaving.changes(ctx, [ctx.root.scene_file_path]), false):
		return {}
	if save and not ctx.dry_run and not McpSaving.ready(ctx, McpWrittenFiles.new(), [ctx.root.scene_file_path]):
		return {}
	var out: Dictionary = {
		"node_path": McpPaths.of(ctx.root, node), "scene_path": path, "extracted": true,
		"replaced": replace, "saved": save, "node_count": McpPaths.subtree(node).size(),
	}
	if replace:
		out["instance_path"] = out["node_path"]
	ctx.services.persistence.begin()
	# The instance is the scene's own, whoever owned the branch.
	out.merge(ctx.services.persistence.of_node(node.get_parent(), ctx.root) if replace else {"persisted": true})
	if ctx.dry_run or not _write(ctx, node, path):
		return {} if ctx.failed() else out
	if replace:
		_replace(ctx, node, path)
	if save and not ctx.failed():
		out["saved"] = McpSaving.save(ctx, ctx.root.scene_file_path).get("saved", false)
	return {} if ctx.failed() else out


static func _write(ctx: McpContext, node: Node, path: String) -> bool:
	var copier: McpCopier = McpCopier.new()
	var copy: Node = copier.copy(node, ctx.root, true)
	copy.name = node.name
	copy.unique_name_in_owner = false
	copier.finish_alone(copy)
	var scene: PackedScene = PackedScene.new()
	var error: Error = scene.pack(copy)
	copy.free()
	if error == OK:
		error = McpWrittenFiles.new().save_resource(scene, path)
	if error != OK:
		ctx.fail("write_failed", {"path": path, "message": error_string(error)})
		return false
	scene = null
	EditorInterface.get_resource_filesystem().update_file(path)
	return true


# One undo action; the new file stays when it is undone.
static func _replace(ctx: McpContext, node: Node, path: String) -> void:
	var scene: PackedScene = load(path) as PackedScene
	var instance: Node = null if scene == null else scene.instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE)
	if instance == null:
		ctx.fail("write_failed", {"path": path, "message": "the new scene cannot be instantiated"})
		return
	ctx.edit = McpEdit.new()
	var parent: Node = node.get_parent()
	var at: int = node.get_index()
	var unique: bool = node.unique_name_in_owner
	var crossing: Array[Dictionary] = _crossing(ctx, node)
	ctx.edit.quiet.start(ctx.root)
	ctx.edit.quiet.learn(instance)
	ctx.edit.quiet.hush()
	McpPlacing.remove(ctx, node)
	instance.name = node.name
	McpPlacing.add(ctx, parent, instance, at)
	if unique:
		instance.unique_name_in_owner = true
	ctx.edit.settle_tabs()
	ctx.edit.quiet.mend()
	for connection: Dictionary in crossing:
		_reconnect(ctx, node, instance, connection)
	ctx.edit.commit("cmd_extract_scene", ctx.root)
	ctx.services.tabs.committed(ctx.root)


# Persistent connections between the branch and the rest of the scene.
static func _crossing(ctx: McpContext, top: Node) -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	for node: Node in McpPaths.subtree(top):
		for connection: Dictionary in node.get_incoming_connections():
			var source: Node = (connection["signal"] as Signal).get_object() as Node
			if source != null and _outside(ctx, top, source) and connection["flags"] & CONNECT_PERSIST != 0:
				out.append(connection)
	for info: Dictionary in top.get_signal_list():
		for connection: Dictionary in top.get_signal_connection_list(info["name"] as StringName):
			var target: Node = (connection["callable"] as Callable).get_object() as Node
			if target != null and _outside(ctx, top, target) and connection["flags"] & CONNECT_PERSIST != 0:
				out.append(connection)
	return out


static func _outside(ctx: McpContext, top: Node, node: Node) -> bool:
	return node == ctx.root or (ctx.root.is_ancestor_of(node) and node != top and not top.is_ancestor_of(node))


static func _reconnect(ctx: McpContext, old: Node, instance: Node, connection: Dictionary) -> void:
	var emits: StringName = (connection["signal"] as Signal).get_name()
	var callable: Callable = connection["callable"]
	var source: Node = _twin((connection["signal"] as Signal).get_object() as Node, old, instance)
	var target: Node = _twin(callable.get_object() as Node, old, instance)
	if source == null or target == null or not source.has_signal(emits):
		return
	var own: Callable = Callable(target, callable.get_method())
	if callable.get_unbound_arguments_count() > 0:
		own = own.unbind(callable.get_unbound_arguments_count())
	elif callable.get_bound_arguments_count() > 0:
		own = own.bindv(callable.get_bound_arguments())
	if not source.is_connected(emits, own):
		ctx.edit.run(source, &"connect", [emits, own, connection["flags"]], [source, &"disconnect", emits, own])


static func _twin(node: Node, old: Node, instance: Node) -> Node:
	if node == old:
		return instance
	return instance.get_node_or_null(old.get_path_to(node)) if old.is_ancestor_of(node) else node
