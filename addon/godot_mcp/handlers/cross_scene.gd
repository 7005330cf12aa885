@tool
extends RefCounted
## Sets a property in closed scene files, on disk.

const McpAssign := preload("../assign.gd")
const McpContext := preload("../context.gd")
const McpEdit := preload("../edit.gd")
const McpHeldScenes := preload("../held_scenes.gd")
const McpNodeClasses := preload("../node_classes.gd")
const McpParams := preload("../params.gd")
const McpPaths := preload("../paths.gd")
const McpPersistence := preload("../persistence.gd")
const McpSaving := preload("saving.gd")
const McpSceneFiles := preload("../scene_files.gd")
const McpTree_ := preload("tree.gd")
const McpUnknownResources := preload("../unknown_resources.gd")
const McpWrittenFiles := preload("../written_files.gd")


func commands() -> Dictionary:
	return {"cmd_cross_scene_set_property": cross_scene_set_property}


func cross_scene_set_property(ctx: McpContext, p: Dictionary) -> Dictionary:
	var type: String = McpParams.text(p, "node_type")
	if McpParams.list(p, "scenes").is_empty():
		return ctx.fail("empty_batch")
	var rows: Array[Dictionary] = []
	# What files of a preview would hold, for those after them.
	var previewed: Dictionary[String, PackedScene] = {}
	for path: String in McpParams.list(p, "scenes"):
		rows.append(_one(ctx, path, type, McpParams.text(p, "property"), p.get("value"), previewed))
	return {"results": rows}


# One file; what goes wrong with it is told in its row. To read it as it is now gives what
# others hold of it the values of the file, so that it is tried first beside memory.
static func _one(ctx: McpContext, path: String, type: String, property: String, value: Variant, previewed: Dictionary[String, PackedScene]) -> Dictionary:
	if ctx.dry_run:
		return _set_in(ctx, true, path, type, property, value, previewed)
	var tried: Dictionary = _set_in(ctx, true, path, type, property, value, {})
	return tried if tried["modified"] == 0 else _set_in(ctx, false, path, type, property, value, {})


static func _set_in(ctx: McpContext, dry_run: bool, path: String, type: String, property: String, value: Variant, previewed: Dictionary[String, PackedScene]) -> Dictionary:
	var own: McpContext = McpContext.new()
	own.services = ctx.services
	own.dry_run = dry_run
	own.edit = McpEdit.new()
	var row: Dictionary = {"scene": path, "modified": 0, "nodes": []}
	if not McpSceneFiles.is_scene_path(own, path):
		pass
	elif path in ctx.services.tabs.paths():
		own.fail("other_scene_active", {"path": path, "active": ctx.root.scene_file_path if ctx.root != null else ""})
	elif not ClassDB.class_exists(type) and not McpTree_.is_script_class(type):
		own.fail("unknown_class", {"type": type, "near": McpNodeClasses.near(type)})
	else:
		# As the file is now: what is in memory may be older, or hold edits that nobody
		# saved. A preview leaves memory as it is.
		var mode: ResourceLoader.CacheMode = ResourceLoader.CACHE_MODE_IGNORE if own.dry_run else ResourceLoader.CACHE_MODE_REPLACE
		var held: PackedScene = null if own.dry_run else ResourceLoader.get_cached_ref(path) as PackedScene
		var scene: PackedScene = McpSceneFiles.load_scene(own, path, mode)
		if scene != null:
			if own.dry_run:
				scene = previewed.get(path, scene)
				McpHeldScenes.renew(scene, previewed)
			_edit_file(own, scene, held, path, type, property, value, row, previewed)
	if own.failed():
		row["modified"] = 0
		row["nodes"] = []
		row.merge(own.fault)
	return row


static func _edit_file(own: McpContext, scene: PackedScene, held: PackedScene, path: String, type: String, property: String, value: Variant, row: Dictionary, previewed: Dictionary[String, PackedScene]) -> void:
	var root: Node = scene.instantiate(PackedScene.GEN_EDIT_STATE_MAIN)
	if root == null:
		McpSceneFiles.fail_corrupt(own, path)
		return
	own.root = root
	if not _is_known(own, root, path):
		root.free()
		return
	var changed: Array[String] = []
	var targets: Array[McpAssign.McpTarget] = []
	own.edit.quiet.start(root)
	own.edit.quiet.hush()
	for node: Node in McpPaths.subtree(root):
		if node != root and node.owner != root:
			continue
		if not (node.is_class(type) or McpTree_._has_script_class(node, type)):
			continue
		var node_path: String = McpPaths.of(root, node)
		own.notes["path"] = node_path
		var near: Array[String] = []
		var target: McpAssign.McpTarget = McpAssign.find(own, node, property, near, true)
		if target == null:
			own.fail("unknown_property", {"path": node_path, "property": property, "near": near})
			break
		var done: Dictionary = McpAssign.set_value(own, target, value)
		if own.failed():
			break
		if done["changed"]:
			changed.append(node_path)
			targets.append(target)
	own.edit.quiet.mend()
	if not own.failed():
		_judge(own, root, targets)
	if not own.failed() and not own.dry_run and not changed.is_empty():
		_save(own, root, held, path)
	if own.dry_run and not own.failed() and not changed.is_empty():
		var packed: PackedScene = PackedScene.new()
		if packed.pack(root) == OK:
			packed.set_path_cache(path)
			# What it instances was taken from the files again.
			McpHeldScenes.renew(packed, previewed)
			previewed[path] = packed
	if own.dry_run or own.failed():
		# Resources are shared with whoever else has loaded the file.
		own.edit.roll_back()
	row["modified"] = changed.size()
	row["nodes"] = changed
	root.free()


# Whether a save of a closed file keeps all that is in it; nobody is asked here.
static func _is_known(own: McpContext, root: Node, path: String) -> bool:
	var missing: Array[String] = McpSaving.missing_nodes(root)
	if not missing.is_empty():
		own.fail("missing_nodes", {"path": path, "missing": missing})
		return false
	missing = McpUnknownResources.classes(path)
	if not missing.is_empty():
		own.fail("missing_resources", {"path": path, "missing": missing})
	return missing.is_empty()


# A file that would not hold the value of each node is left as it is.
static func _judge(own: McpContext, root: Node, targets: Array[McpAssign.McpTarget]) -> void:
	var persistence: McpPersistence = own.services.persistence
	persistence.begin()
	for target: McpAssign.McpTarget in targets:
		var verdict: Dictionary = persistence.of_file_property(target.node, target.path, target.chain, target.property, root)
		if not verdict["persisted"]:
			var details: Dictionary = {"path": McpPaths.of(root, target.node), "property": target.path, "loss": verdict["reason"]}
			if verdict.has("source"):
				details["source"] = verdict["source"]
			own.fail("not_saved", details)
			break
	persistence.begin()


# [param held] is what others had of the file, null if nobody had it in memory.
static func _save(own: McpContext, root: Node, held: PackedScene, path: String) -> void:
	var packed: PackedScene = PackedScene.new()
	var error: Error = packed.pack(root)
	if error == OK:
		packed.take_over_path(path)
		error = McpWrittenFiles.new().save_resource(packed, path)
	if error != OK:
		if held != null:
			held.take_over_path(path)
		own.fail("write_failed", {"path": path, "message": error_string(error)})
		return
	if held != null:
		McpHeldScenes.replace(held, packed, own.services.tabs.roots())
	own.services.supply.forget()
	EditorInterface.get_resource_filesystem().update_file(path)
