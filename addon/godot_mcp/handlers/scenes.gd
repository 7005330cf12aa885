@tool
extends RefCounted
## The session: opening, closing, reloading, creating scenes; the selection.

const McpContext := preload("../context.gd")
const McpNodeClasses := preload("../node_classes.gd")
const McpParams := preload("../params.gd")
const McpPaths := preload("../paths.gd")
const McpSceneFiles := preload("../scene_files.gd")
const McpWrittenFiles := preload("../written_files.gd")


func commands() -> Dictionary:
	return {
		"cmd_create_scene": create_scene,
		"cmd_open_scene": open_scene,
		"cmd_close_scene": close_scene,
		"cmd_reload_scene": reload_scene,
		"cmd_select_nodes": select_nodes,
	}


func create_scene(ctx: McpContext, p: Dictionary) -> Dictionary:
	var path: String = McpParams.text(p, "scene_path")
	if not McpSceneFiles.is_new_file(ctx, path):
		return {}
	var type: String = McpParams.text(p, "root_type")
	var made: Dictionary = McpNodeClasses.resolve(ctx, type, false)
	if ctx.failed():
		return {}
	var name: String = McpParams.text(p, "root_name").validate_node_name()
	if name == "":
		name = _name_for(path)
	var out: Dictionary = {"scene_path": path, "root_type": type, "root_name": name, "created": true}
	if ctx.dry_run:
		return out
	var root: Node = ClassDB.instantiate(made["class"] as StringName) as Node
	root.name = name
	var scene: PackedScene = PackedScene.new()
	var error: Error = scene.pack(root)
	root.free()
	if error == OK:
		error = McpWrittenFiles.new().save_resource(scene, path)
	if error != OK:
		return ctx.fail("write_failed", {"path": path, "message": error_string(error)})
	scene = null
	EditorInterface.get_resource_filesystem().update_file(path)
	EditorInterface.open_scene_from_path(path)
	ctx.services.bases.note_new()
	ctx.services.tabs.switched()
	var opened: Node = EditorInterface.get_edited_scene_root()
	if opened == null or opened.scene_file_path != path:
		return ctx.fail("write_failed", {"path": path, "message": "the new scene did not open"})
	return out


# my_scene-2d.tscn -> MyScene2d
static func _name_for(path: String) -> String:
	var out: String = ""
	var up: bool = true
	for letter: String in path.get_file().get_basename():
		if letter.to_lower() == letter.to_upper() and not letter.is_valid_int():
			up = true
			continue
		out += letter.to_upper() if up else letter
		up = false
	return out if out != "" else "Root"


func open_scene(ctx: McpContext, p: Dictionary) -> Dictionary:
	var path: String = McpParams.text(p, "scene_path")
	if McpSceneFiles.is_project_path(path) and DirAccess.dir_exists_absolute(path):
		return ctx.fail("is_folder", {"path": path})
	if not McpSceneFiles.is_scene_path(ctx, path):
		return {}
	if not FileAccess.file_exists(path):
		return ctx.fail("file_not_found", {"path": path})
	# Right after a change of tabs the engine ignores another, without a word.
	if not ctx.dry_run and ctx.services.tabs.just_switched():
		return ctx.later(func() -> Dictionary: return open_scene(ctx, p))
	var already: bool = path in ctx.services.tabs.paths()
	# The editor reads the file anew, whatever is in memory of it.
	var mode: ResourceLoader.CacheMode = ResourceLoader.CACHE_MODE_IGNORE if ResourceLoader.has_cached(path) else ResourceLoader.CACHE_MODE_REUSE
	if not already and not McpSceneFiles.is_readable(ctx, path, mode):
		return {}
	var out: Dictionary = {"scene_path": path, "opened": true, "already_open": already}
	if not ctx.dry_run:
		EditorInterface.open_scene_from_path(path)
		ctx.services.bases.note_new()
		ctx.services.tabs.switched()
		var root: Node = EditorInterface.get_edited_scene_root()
		if root == null or root.scene_file_path != path:
			McpSceneFiles.fail_corrupt(ctx, path)
			return {}
	var missing: Array[String] = unknown_nodes(path)
	if not missing.is_empty():
		out["missing"] = missing
	return out


## Nodes of a scene file whose classes the engine does not know, or makes no nodes of.
static func unknown_nodes(path: String) -> Array[String]:
	var out: Array[String] = []
	var scene: PackedScene = load(path) as PackedScene
	if scene == null:
		return out
	var state: SceneState = scene.get_state()
	for i: int in state.get_node_count():
		var type: StringName = state.get_node_type(i)
		if type != &"" and not (ClassDB.can_instantiate(type) and ClassDB.is_parent_class(type, &"Node")):
			out.append("." if i == 0 else str(state.get_node_path(i)).trim_prefix("./"))
	return out


func close_scene(ctx: McpContext, p: Dictionary) -> Dictionary:
	if ctx.root == null:
		return ctx.fail("active_scene")
	var active: String = ctx.root.scene_file_path
	var path: String = McpParams.text(p, "scene_path")
	var paths: PackedStringArray = ctx.services.tabs.paths()
	var at: int = ctx.services.tabs.active() if path == "" else paths.find(path)
	if at < 0:
		return ctx.fail("scene_not_open", {"path": path})
	var other: bool = path != "" and path != active
	var out: Dictionary = {
		"scene_path": active if path == "" else path, "closed": true, "had_unsaved": ctx.services.tabs.modified(at),
	}
	if active != "":
		out["active_before"] = active
	if ctx.dry_run:
		var next: String = _active_without(paths, at, ctx.services.tabs.active())
		if next != "":
			out["active_after"] = next
		return out
	# The engine's call closes the active tab, whatever it is.
	if other:
		EditorInterface.open_scene_from_path(path)
		ctx.services.tabs.switched()
	EditorInterface.call(&"close_scene")
	if other and active != "":
		EditorInterface.open_scene_from_path(active)
	ctx.services.tabs.switched()
	var now: Node = EditorInterface.get_edited_scene_root()
	if now != null and now.scene_file_path != "":
		out["active_after"] = now.scene_file_path
	return out


# The tab that becomes active when the one at [param at] is closed.
static func _active_without(paths: PackedStringArray, at: int, active: int) -> String:
	if at != active:
		return paths[active]
	if at > 0:
		return paths[at - 1]
	return paths[1] if paths.size() > 1 else ""


func reload_scene(ctx: McpContext, p: Dictionary) -> Dictionary:
	var path: String = McpParams.text(p, "scene_path")
	var at: int = ctx.services.tabs.paths().find(path)
	# Reloading a scene that is not open wipes the current scene's history without a
	# word (engine 4.6 experiment).
	if path == "" or at < 0:
		return ctx.fail("scene_not_open", {"path": path})
	if not FileAccess.file_exists(path):
		return ctx.fail("file_not_found", {"path": path})
	var out: Dictionary = {"scene_path": path, "reloaded": true, "had_unsaved": ctx.services.tabs.modified(at)}
	if not McpSceneFiles.is_readable(ctx, path, ResourceLoader.CACHE_MODE_IGNORE):
		return {}
	if ctx.dry_run:
		return out
	# The inspector still holds a node that has just been selected; when a reload takes
	# it away the editor crashes now and then (engine 4.6 experiment).
	var kept: Array[String] = []
	for node: Node in EditorInterface.get_selection().get_selected_nodes():
		kept.append(McpPaths.of(ctx.root, node))
	if not kept.is_empty():
		ctx.services.selection.choose([])
		return ctx.later(func() -> Dictionary:
			return ctx.later(func() -> Dictionary: return _reload(ctx, path, out, kept)))
	# Right after a change of tabs a reload is ignored, also without a word.
	if ctx.services.tabs.just_switched():
		return ctx.later(func() -> Dictionary: return _reload(ctx, path, out, kept))
	return _reload(ctx, path, out, kept)


static func _reload(ctx: McpContext, path: String, out: Dictionary, kept: Array[String]) -> Dictionary:
	# The engine makes the reloaded scene the active one.
	var active: String = "" if ctx.root == null else ctx.root.scene_file_path
	EditorInterface.reload_scene_from_path(path)
	ctx.services.bases.note_new()
	ctx.services.supply.forget()
	ctx.services.tabs.switched()
	if active == "" or active == path:
		_select_again(ctx, kept)
		return out
	# In this frame the editor would not switch back.
	return ctx.later(func() -> Dictionary:
		EditorInterface.open_scene_from_path(active)
		ctx.services.tabs.switched()
		_select_again(ctx, kept)
		return out)


static func _select_again(ctx: McpContext, paths: Array[String]) -> void:
	var root: Node = EditorInterface.get_edited_scene_root()
	var nodes: Array[Node] = []
	for path: String in paths:
		var node: Node = null if root == null else root.get_node_or_null(path)
		if node != null:
			nodes.append(node)
	if not nodes.is_empty():
		ctx.services.selection.choose(nodes)


func select_nodes(ctx: McpContext, p: Dictionary) -> Dictionary:
	if ctx.need_root() == null:
		return {}
	var nodes: Array[Node] = []
	var paths: Array[String] = []
	for path: String in McpParams.list(p, "node_paths"):
		var node: Node = McpPaths.find(ctx, path)
		if node == null:
			return {}
		if node not in nodes:
			nodes.append(node)
			paths.append(McpPaths.of(ctx.root, node))
	if not ctx.dry_run:
		ctx.services.selection.choose(nodes)
	return {"scene_path": ctx.root.scene_file_path, "selected": paths}
