@tool
extends RefCounted
## The session: opening, closing, reloading, creating scenes; the selection.

const Context := preload("../context.gd")
const NodeClasses := preload("../node_classes.gd")
const Params := preload("../params.gd")
const Paths := preload("../paths.gd")
const SceneFiles := preload("../scene_files.gd")


func commands() -> Dictionary:
	return {
		"cmd_create_scene": create_scene,
		"cmd_open_scene": open_scene,
		"cmd_close_scene": close_scene,
		"cmd_reload_scene": reload_scene,
		"cmd_select_nodes": select_nodes,
	}


func create_scene(ctx: Context, p: Dictionary) -> Dictionary:
	var path: String = Params.text(p, "scene_path")
	if not is_new_file(ctx, path):
		return {}
	var type: String = Params.text(p, "root_type")
	var made: Dictionary = NodeClasses.resolve(ctx, type, false)
	if ctx.failed():
		return {}
	var name: String = Params.text(p, "root_name").validate_node_name()
	if name == "":
		name = path.get_file().get_basename().to_pascal_case().validate_node_name()
	if name == "":
		return ctx.fail("bad_node_name", {"name": Params.text(p, "root_name")})
	var out: Dictionary = {"scene_path": path, "root_type": type, "root_name": name, "created": not ctx.dry_run}
	if ctx.dry_run:
		return out
	var root: Node = ClassDB.instantiate(made["class"] as StringName) as Node
	root.name = name
	var scene: PackedScene = PackedScene.new()
	var error: Error = scene.pack(root)
	root.free()
	if error == OK:
		error = ResourceSaver.save(scene, path)
	if error != OK:
		return ctx.fail("write_failed", {"path": path, "message": error_string(error)})
	scene = null
	EditorInterface.get_resource_filesystem().update_file(path)
	EditorInterface.open_scene_from_path(path)
	ctx.services.tabs.switched()
	var opened: Node = EditorInterface.get_edited_scene_root()
	if opened == null or opened.scene_file_path != path:
		return ctx.fail("write_failed", {"path": path, "message": "the new scene did not open"})
	return out


## Whether a scene file may be made there; the fault is set when not.
static func is_new_file(ctx: Context, path: String) -> bool:
	if not SceneFiles.is_scene_path(ctx, path):
		return false
	if FileAccess.file_exists(path):
		ctx.fail("file_exists", {"path": path})
		return false
	if not DirAccess.dir_exists_absolute(path.get_base_dir()):
		ctx.fail("folder_not_found", {"path": path.get_base_dir()})
		return false
	return true


func open_scene(ctx: Context, p: Dictionary) -> Dictionary:
	var path: String = Params.text(p, "scene_path")
	if not SceneFiles.is_scene_path(ctx, path):
		return {}
	if not FileAccess.file_exists(path):
		return ctx.fail("file_not_found", {"path": path})
	var already: bool = path in ctx.services.tabs.paths()
	if not already and not SceneFiles.is_readable(ctx, path):
		return {}
	var out: Dictionary = {"scene_path": path, "opened": not ctx.dry_run, "already_open": already}
	if not ctx.dry_run:
		EditorInterface.open_scene_from_path(path)
		ctx.services.tabs.switched()
		var root: Node = EditorInterface.get_edited_scene_root()
		if root == null or root.scene_file_path != path:
			SceneFiles.fail_corrupt(ctx, path)
			return {}
	var missing: Array[String] = unknown_nodes(path)
	if not missing.is_empty():
		out["missing"] = missing
	return out


## Nodes of a scene file whose classes the engine does not know.
static func unknown_nodes(path: String) -> Array[String]:
	var out: Array[String] = []
	var scene: PackedScene = load(path) as PackedScene
	if scene == null:
		return out
	var state: SceneState = scene.get_state()
	for i: int in state.get_node_count():
		var type: StringName = state.get_node_type(i)
		if type != &"" and not ClassDB.class_exists(type):
			out.append("." if i == 0 else str(state.get_node_path(i)).trim_prefix("./"))
	return out


func close_scene(ctx: Context, p: Dictionary) -> Dictionary:
	if ctx.root == null:
		return ctx.fail("active_scene")
	var active: String = ctx.root.scene_file_path
	var path: String = Params.text(p, "scene_path")
	var paths: PackedStringArray = ctx.services.tabs.paths()
	var at: int = ctx.services.tabs.active() if path == "" else paths.find(path)
	if at < 0:
		return ctx.fail("scene_not_open", {"path": path})
	var other: bool = path != "" and path != active
	var out: Dictionary = {
		"scene_path": active if path == "" else path, "closed": not ctx.dry_run, "had_unsaved": ctx.services.tabs.modified(at),
	}
	if active != "":
		out["active_before"] = active
	if ctx.dry_run:
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


func reload_scene(ctx: Context, p: Dictionary) -> Dictionary:
	var path: String = Params.text(p, "scene_path")
	var at: int = ctx.services.tabs.paths().find(path)
	# Reloading a scene that is not open wipes the current scene's history without a
	# word (engine 4.6 experiment).
	if path == "" or at < 0:
		return ctx.fail("scene_not_open", {"path": path})
	if not FileAccess.file_exists(path):
		return ctx.fail("file_not_found", {"path": path})
	var out: Dictionary = {"scene_path": path, "reloaded": not ctx.dry_run, "had_unsaved": ctx.services.tabs.modified(at)}
	if ctx.dry_run:
		return out
	var missing: Array[String] = SceneFiles.missing_dependencies(path)
	if not missing.is_empty():
		return ctx.fail("missing_dependency", {"path": path, "missing": missing})
	# Right after a change of tabs a reload is ignored, also without a word.
	if ctx.services.tabs.just_switched():
		return ctx.later(func() -> Dictionary: return _reload(ctx, path, out))
	return _reload(ctx, path, out)


static func _reload(ctx: Context, path: String, out: Dictionary) -> Dictionary:
	EditorInterface.reload_scene_from_path(path)
	ctx.services.supply.forget()
	ctx.services.tabs.switched()
	return out


func select_nodes(ctx: Context, p: Dictionary) -> Dictionary:
	if ctx.need_root() == null:
		return {}
	var nodes: Array[Node] = []
	var paths: Array[String] = []
	for path: String in Params.list(p, "node_paths"):
		var node: Node = Paths.find(ctx, path)
		if node == null:
			return {}
		if node not in nodes:
			nodes.append(node)
			paths.append(Paths.of(ctx.root, node))
	if not ctx.dry_run:
		var selection: EditorSelection = EditorInterface.get_selection()
		selection.clear()
		for node: Node in nodes:
			selection.add_node(node)
	return {"scene_path": ctx.root.scene_file_path, "selected": paths}
