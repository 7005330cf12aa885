@tool
extends RefCounted
## Saving scenes.

const McpContext := preload("../context.gd")
const McpFileState := preload("../file_state.gd")
const McpParams := preload("../params.gd")
const McpPaths := preload("../paths.gd")
const McpSceneFiles := preload("../scene_files.gd")
const McpUnknownResources := preload("../unknown_resources.gd")
const McpWrittenFiles := preload("../written_files.gd")


func commands() -> Dictionary:
	return {"cmd_save_scene": save_scene, "cmd_save_all_scenes": save_all_scenes}


func save_scene(ctx: McpContext, p: Dictionary) -> Dictionary:
	if ctx.need_root() == null:
		return {}
	var active: String = ctx.root.scene_file_path
	var path: String = McpParams.text(p, "path")
	if active == "":
		if path == "":
			return ctx.fail("scene_has_no_path")
		if not McpSceneFiles.is_new_file(ctx, path):
			return {}
	elif path != "" and path != active:
		return ctx.fail("other_scene_active", {"path": path, "active": active})
	else:
		path = active
	var missing: Array[String] = missing_nodes(ctx.root)
	if not missing.is_empty() and not McpParams.flag(p, "force"):
		return ctx.fail("missing_nodes", {"path": path, "missing": missing})
	missing = McpUnknownResources.classes(active)
	if not missing.is_empty() and not McpParams.flag(p, "force"):
		return ctx.fail("missing_resources", {"path": path, "missing": missing})
	var over: Array[Dictionary] = changes(ctx, [path])
	if refused(ctx, over, McpParams.flag(p, "overwrite_external")):
		return {}
	var own: bool = not over.is_empty() and over[0]["path"] == path
	var out: Dictionary = {}
	if ctx.dry_run:
		# What the text will be is known only when it is written.
		var modified: bool = ctx.services.tabs.modified(ctx.services.tabs.active())
		out = {"path": path, "saved": true, "changed": own or modified or not FileAccess.file_exists(path)}
	if active != "" and ctx.services.bases.is_unknown(path) or ctx.services.resources.edited().any(ctx.services.resources.is_unknown):
		out["base_unknown"] = true
	if not ctx.dry_run:
		out.merge(save(ctx, path))
	if own:
		out["overwrote"] = over.pop_front()
	if not over.is_empty():
		out["overwrote_also"] = over
	return {} if ctx.failed() else out


## What a save of scenes would go over: changes of their files that the editor has not
## seen, then those of edited resources and of scripts that somebody types in, which any
## save writes.
static func changes(ctx: McpContext, scenes: Array[String]) -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	for path: String in scenes:
		var change: Dictionary = ctx.services.bases.change_of(path)
		if not change.is_empty():
			out.append(change)
	if not scenes.is_empty():
		out.append_array(ctx.services.resources.changes())
		out.append_array(ctx.services.typed.changes())
	return out


## Whether a save would go over changes that may not be gone over; the fault is set
## then. Nothing may be written before this was asked for all scenes.
static func refused(ctx: McpContext, over: Array[Dictionary], overwrite: bool) -> bool:
	var files: Array[String] = []
	var told: Dictionary = {}
	for change: Dictionary in over:
		if overwrite and McpFileState.can_overwrite(change):
			continue
		files.append(change["path"])
		if told.is_empty():
			told = change.duplicate()
	if files.is_empty():
		return false
	if files.size() > 1:
		told["files"] = files
	ctx.fail("changed", told)
	return true


## Whether a save of scenes can write its files; the fault is set when not.
static func ready(ctx: McpContext, written: McpWrittenFiles, scenes: Array[String]) -> bool:
	var first: String = written.take(scenes + ctx.services.resources.edited())
	for path: String in ctx.services.typed.paths():
		if first == "" and not McpWrittenFiles.can_write(path):
			first = path
	if first != "":
		ctx.fail("save_failed", {"path": first, "message": error_string(ERR_FILE_CANT_WRITE)})
	return first == ""


## Saves the edited scene, under [param path] when it has none yet.
static func save(ctx: McpContext, path: String) -> Dictionary:
	var written: McpWrittenFiles = McpWrittenFiles.new()
	if not ready(ctx, written, [path]):
		return {}
	var before: String = _digest(path)
	var others: Dictionary[String, String] = {}
	for file: String in ctx.services.resources.loaded():
		others[file] = _digest(file)
	var edited: Array[String] = ctx.services.resources.edited()
	var error: Error = OK
	if ctx.root.scene_file_path == "":
		EditorInterface.save_scene_as(path)
		if ctx.root.scene_file_path != path:
			error = ERR_CANT_CREATE
	else:
		error = EditorInterface.save_scene()
	var told: Array[String] = ctx.services.dialogs.take()
	ctx.services.dialogs.begin()
	if error != OK or not FileAccess.file_exists(path):
		var message: String = told[0] if not told.is_empty() else error_string(error)
		return ctx.fail("save_failed", {"path": path, "message": message})
	if not saved_whole(ctx, written):
		return {}
	var after: String = _digest(path)
	var out: Dictionary = {"path": path, "saved": true, "changed": after != before, "sha256": after}
	var also: Array[String] = []
	for file: String in others:
		if file != path and _digest(file) != others[file]:
			also.append(file)
	ctx.services.resources.settle(edited + also)
	if not also.is_empty():
		also.sort()
		out["also"] = also
	return out


## Whether the files that a save wrote are whole. What the engine could not write gets
## its old content back and counts as unsaved again (a scene only when it is the edited
## one: no other can be marked), and the fault is set.
static func saved_whole(ctx: McpContext, written: McpWrittenFiles) -> bool:
	var broken: Array[String] = written.broken()
	if broken.is_empty():
		return true
	var lost: Array[String] = []
	for path: String in broken:
		if not written.put_back(path):
			lost.append(path)
		var resource: Resource = null
		if path not in ctx.services.tabs.paths():
			resource = ResourceLoader.get_cached_ref(path)
		if resource == null:
			if path == ctx.root.scene_file_path:
				ctx.services.tabs.committed(ctx.root)
		elif EditorInterface.has_method(&"set_object_edited"):
			EditorInterface.call(&"set_object_edited", resource, true)
	ctx.services.resources.settle(broken)
	ctx.services.bases.settle(broken)
	var details: Dictionary = {"path": broken[0], "message": error_string(ERR_FILE_CANT_WRITE)}
	if broken.size() > 1:
		details["files"] = broken
	if not lost.is_empty():
		details["lost"] = lost
	ctx.fail("save_failed", details)
	return false


# The hash of a file, "" for none.
static func _digest(path: String) -> String:
	return FileAccess.get_sha256(path) if FileAccess.file_exists(path) else ""


## Nodes of unknown classes in the live tree.
static func missing_nodes(root: Node) -> Array[String]:
	var out: Array[String] = []
	for node: Node in McpPaths.subtree(root):
		if node is MissingNode:
			out.append(McpPaths.of(root, node))
	return out


func save_all_scenes(ctx: McpContext, p: Dictionary) -> Dictionary:
	var saved: Array[String] = []
	var skipped: Array[String] = []
	var paths: PackedStringArray = ctx.services.tabs.paths()
	var roots: Array[Node] = ctx.services.tabs.roots()
	var broken: bool = false
	for i: int in paths.size():
		if not ctx.services.tabs.modified(i):
			continue
		var unknown: bool = i < roots.size() and roots[i] != null and not missing_nodes(roots[i]).is_empty()
		unknown = unknown or not McpUnknownResources.classes(paths[i]).is_empty()
		broken = broken or unknown
		if paths[i] == "" or unknown:
			skipped.append(paths[i] if paths[i] != "" else ctx.services.tabs.name_of(i))
		else:
			saved.append(paths[i])
	var over: Array[Dictionary] = changes(ctx, saved)
	if refused(ctx, over, McpParams.flag(p, "overwrite_external")):
		return {}
	var out: Dictionary = {"saved": saved, "skipped": skipped}
	if not over.is_empty():
		out["overwrote"] = over
	if ctx.dry_run or saved.is_empty():
		return out
	var written: McpWrittenFiles = McpWrittenFiles.new()
	if not ready(ctx, written, saved):
		return {}
	var edited: Array[String] = ctx.services.resources.edited()
	if broken:
		_save_one_by_one(ctx, saved)
	else:
		EditorInterface.save_all_scenes()
	for path: String in saved:
		if not FileAccess.file_exists(path):
			return ctx.fail("save_failed", {"path": path, "message": "the file was not written"})
	if not saved_whole(ctx, written):
		return {}
	ctx.services.resources.settle(edited)
	return out


# save_all_scenes() would take the scenes with unknown nodes along.
static func _save_one_by_one(ctx: McpContext, paths: Array[String]) -> void:
	var active: String = "" if ctx.root == null else ctx.root.scene_file_path
	for path: String in paths:
		EditorInterface.open_scene_from_path(path)
		EditorInterface.save_scene()
	if active != "":
		EditorInterface.open_scene_from_path(active)
	ctx.services.tabs.switched()
