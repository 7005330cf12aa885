@tool
extends RefCounted
## Scene files: whether they can be read, and what they need.

const McpContext := preload("context.gd")
const McpDependencies := preload("dependencies.gd")
const McpFileFaults := preload("file_faults.gd")
const McpSceneFaults := preload("scene_faults.gd")
const McpScanState := preload("scan_state.gd")

## What the editor opens as a scene, imported ones included.
const EXTENSIONS: PackedStringArray = ["tscn", "scn", "glb", "gltf", "fbx", "blend", "dae", "escn"]
## What a new scene is saved as.
const TEXT_EXTENSION := "tscn"


## Whether a path is one of the project and of a scene; the fault is set when not.
static func is_scene_path(ctx: McpContext, path: String) -> bool:
	if not is_project_path(path):
		ctx.fail("bad_path", {"path": path})
		return false
	if path.get_extension().to_lower() not in EXTENSIONS:
		ctx.fail("not_a_scene", {"path": path})
		return false
	return true


## Whether a scene file may be made there; the fault is set when not.
static func is_new_file(ctx: McpContext, path: String) -> bool:
	if not is_project_path(path):
		ctx.fail("bad_path", {"path": path})
	elif path.get_extension() != TEXT_EXTENSION:
		ctx.fail("bad_extension", {"path": path, "want": [TEXT_EXTENSION]})
	elif not DirAccess.dir_exists_absolute(path.get_base_dir()):
		ctx.fail("folder_not_found", {"path": path.get_base_dir()})
	elif FileAccess.file_exists(path):
		ctx.fail("file_exists", {"path": path})
	elif path in ctx.services.tabs.paths():
		ctx.fail("scene_open", {"path": path})
	return not ctx.failed()


static func is_project_path(path: String) -> bool:
	return path.begins_with("res://") and path.length() > 6 and not ".." in path.trim_prefix("res://").split("/") and not path.contains("\\")


## The scene of a file, or null with the fault set.
static func load_scene(ctx: McpContext, path: String, mode: ResourceLoader.CacheMode = ResourceLoader.CACHE_MODE_REUSE) -> PackedScene:
	if not is_scene_path(ctx, path):
		return null
	if not FileAccess.file_exists(path):
		ctx.fail("file_not_found", {"path": path})
		return null
	if not is_readable(ctx, path):
		return null
	var scene: PackedScene = ResourceLoader.load(path, "", mode) as PackedScene
	if scene == null or not scene.can_instantiate():
		fail_corrupt(ctx, path)
		return null
	return scene if _can_make(ctx, path, scene) else null


## Whether the editor could open the file, without a try that shows message boxes.
static func is_readable(ctx: McpContext, path: String, mode: ResourceLoader.CacheMode = ResourceLoader.CACHE_MODE_REUSE) -> bool:
	if McpScanState.is_importing(path):
		ctx.fail("importing", {"path": path})
		return false
	if not ResourceLoader.exists(path):
		ctx.fail("not_a_scene" if path.get_extension() in ["tscn", "scn"] else McpScanState.why_not(), {"path": path})
		return false
	var missing: Array[String] = missing_dependencies(path)
	if not missing.is_empty():
		ctx.fail("missing_dependency", {"path": path, "missing": missing})
		return false
	var deadly: String = McpFileFaults.deadly(path)
	if deadly != "":
		ctx.fail("corrupt_file", {"path": deadly, "message": "a node without a parent", "line": 0})
		return false
	var resource: Resource = ResourceLoader.load(path, "", mode)
	if resource == null:
		fail_corrupt(ctx, path)
		return false
	if not resource is PackedScene:
		ctx.fail("not_a_scene", {"path": path})
		return false
	return _can_make(ctx, path, resource as PackedScene)


static func _can_make(ctx: McpContext, path: String, scene: PackedScene) -> bool:
	var missing: Array[String] = McpSceneFaults.missing_placeholders(scene)
	if not missing.is_empty():
		ctx.fail("missing_dependency", {"path": path, "missing": missing})
		return false
	var fault: Dictionary = McpSceneFaults.of(scene, path)
	if not fault.is_empty():
		ctx.fail("corrupt_file", fault)
	return fault.is_empty()


static func fail_corrupt(ctx: McpContext, path: String) -> void:
	var details: Dictionary = {"path": path, "message": "the file cannot be read", "line": 0}
	for entry: Dictionary in ctx.services.capture.entries():
		var text: String = entry["text"]
		if text.contains(path + ":"):
			details["line"] = text.get_slice(path + ":", 1).to_int()
			details["message"] = text.get_slice("Parse Error: ", 1).strip_edges() if text.contains("Parse Error: ") else text
			break
	ctx.fail("corrupt_file", details)


static func missing_dependencies(path: String) -> Array[String]:
	var out: Array[String] = []
	for raw: String in ResourceLoader.get_dependencies(path):
		var target: String = McpDependencies.path(raw)
		if not FileAccess.file_exists(target) and not ResourceLoader.exists(target):
			out.append(target)
	return out


## Whether the scene at [param path] is, or instances at any depth, [param wanted].
static func contains(path: String, wanted: String) -> bool:
	if wanted == "":
		return false
	var seen: Dictionary[String, bool] = {}
	var todo: Array[String] = [path]
	while not todo.is_empty():
		var one: String = todo.pop_back()
		if one == wanted:
			return true
		if seen.has(one) or one.get_extension() not in EXTENSIONS:
			continue
		seen[one] = true
		for raw: String in ResourceLoader.get_dependencies(one):
			todo.append(McpDependencies.path(raw))
	return false
