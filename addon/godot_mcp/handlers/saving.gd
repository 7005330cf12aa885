@tool
extends RefCounted
## Saving scenes.

const McpContext := preload("../context.gd")
const McpFileWalk := preload("../file_walk.gd")
const McpParams := preload("../params.gd")
const McpPaths := preload("../paths.gd")
const McpSceneBases := preload("../scene_bases.gd")
const McpSceneFiles := preload("../scene_files.gd")


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
	var over: Dictionary = ctx.services.bases.change_of(path) if active != "" else {}
	if active != "" and refused(ctx, [path], McpParams.flag(p, "overwrite_external")):
		return {}
	var out: Dictionary = {}
	if ctx.dry_run:
		# What the text will be is known only when it is written.
		var modified: bool = ctx.services.tabs.modified(ctx.services.tabs.active())
		out = {"path": path, "saved": true, "changed": not over.is_empty() or modified or not FileAccess.file_exists(path)}
	if active != "" and ctx.services.bases.is_unknown(path):
		out["base_unknown"] = true
	if not ctx.dry_run:
		out.merge(save(ctx, path))
	if not over.is_empty():
		out["overwrote"] = over
	return {} if ctx.failed() else out


## Whether a save of scenes would go over changes that the editor has not seen; the
## fault is set then. Nothing may be written before this was asked for all of them.
static func refused(ctx: McpContext, paths: Array[String], overwrite: bool) -> bool:
	var told: Dictionary = {}
	var files: Array[String] = []
	for path: String in paths:
		var change: Dictionary = ctx.services.bases.change_of(path)
		if change.is_empty() or (overwrite and McpSceneBases.can_overwrite(change)):
			continue
		files.append(path)
		if told.is_empty():
			told = change
	if files.is_empty():
		return false
	if files.size() > 1:
		told["files"] = files
	ctx.fail("changed", told)
	return true


## Saves the edited scene, under [param path] when it has none yet.
static func save(ctx: McpContext, path: String) -> Dictionary:
	if not can_write(path):
		return ctx.fail("save_failed", {"path": path, "message": error_string(ERR_FILE_CANT_WRITE)})
	var before: String = FileAccess.get_sha256(path) if FileAccess.file_exists(path) else ""
	var others: Dictionary = _cached_files(path)
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
	var after: String = FileAccess.get_sha256(path)
	var out: Dictionary = {"path": path, "saved": true, "changed": after != before, "sha256": after}
	var also: Array[String] = []
	for file: String in others:
		if FileAccess.get_sha256(file) != others[file]:
			also.append(file)
	for file: String in _resource_files(path):
		if not others.has(file):
			also.append(file)
	if not also.is_empty():
		also.sort()
		out["also"] = also
	return out


## Whether a file can be saved over. This must be known before: save_scene() answers
## OK also when the engine could not write, and the scene then counts as saved (engine
## 4.6 experiment). The engine writes a new file beside the old one, whose name is 7
## characters longer, and renames it.
static func can_write(path: String) -> bool:
	if FileAccess.file_exists(path) and FileAccess.open(path, FileAccess.READ_WRITE) == null:
		return false
	var beside: String = path + "-mcp000"
	var file: FileAccess = FileAccess.open(beside, FileAccess.WRITE)
	if file == null:
		return false
	file.close()
	DirAccess.remove_absolute(beside)
	return true


## Nodes of unknown classes in the live tree.
static func missing_nodes(root: Node) -> Array[String]:
	var out: Array[String] = []
	for node: Node in McpPaths.subtree(root):
		if node is MissingNode:
			out.append(McpPaths.of(root, node))
	return out


# Resource files that a save may write too: those that are loaded, with their digests.
static func _cached_files(but: String) -> Dictionary:
	var out: Dictionary = {}
	for path: String in _resource_files(but):
		out[path] = FileAccess.get_sha256(path)
	return out


# Files of resources that are loaded.
static func _resource_files(but: String) -> Array[String]:
	var out: Array[String] = []
	for path: String in McpFileWalk.files("res://", ["tres", "res", "material", "theme", "gdshader"]):
		if path != but and ResourceLoader.has_cached(path):
			out.append(path)
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
		broken = broken or unknown
		if paths[i] == "" or unknown:
			skipped.append(paths[i] if paths[i] != "" else ctx.services.tabs.name_of(i))
		else:
			saved.append(paths[i])
	if refused(ctx, saved, McpParams.flag(p, "overwrite_external")):
		return {}
	var out: Dictionary = {"saved": saved, "skipped": skipped}
	var over: Array[Dictionary] = []
	for path: String in saved:
		var change: Dictionary = ctx.services.bases.change_of(path)
		if not change.is_empty():
			over.append(change)
	if not over.is_empty():
		out["overwrote"] = over
	if ctx.dry_run or saved.is_empty():
		return out
	for path: String in saved:
		if not can_write(path):
			return ctx.fail("save_failed", {"path": path, "message": error_string(ERR_FILE_CANT_WRITE)})
	if broken:
		_save_one_by_one(ctx, saved)
	else:
		EditorInterface.save_all_scenes()
	for path: String in saved:
		if not FileAccess.file_exists(path):
			return ctx.fail("save_failed", {"path": path, "message": "the file was not written"})
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
