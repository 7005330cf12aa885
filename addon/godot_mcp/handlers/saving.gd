@tool
extends RefCounted
## Saving scenes.

const McpContext := preload("../context.gd")
const McpFileWalk := preload("../file_walk.gd")
const McpParams := preload("../params.gd")
const McpPaths := preload("../paths.gd")
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
	if ctx.dry_run:
		# What the text will be is known only when it is written.
		return {"path": path, "saved": true, "changed": not FileAccess.file_exists(path) or ctx.services.tabs.modified(ctx.services.tabs.active())}
	return save(ctx, path)


## Saves the edited scene, under [param path] when it has none yet.
static func save(ctx: McpContext, path: String) -> Dictionary:
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
	if not also.is_empty():
		also.sort()
		out["also"] = also
	return out


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
	for path: String in McpFileWalk.files("res://", ["tres", "res", "material", "theme", "gdshader"]):
		if path != but and ResourceLoader.has_cached(path):
			out[path] = FileAccess.get_sha256(path)
	return out


func save_all_scenes(ctx: McpContext, _p: Dictionary) -> Dictionary:
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
	var out: Dictionary = {"saved": saved, "skipped": skipped}
	if ctx.dry_run or saved.is_empty():
		return out
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
