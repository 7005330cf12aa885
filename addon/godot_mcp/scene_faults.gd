@tool
extends RefCounted
## Scenes that the engine loads but cannot make nodes of, or makes others of than the
## file holds, so that the next save loses those.
##
## A node section without a name, or with an empty path of its parent, is read without a
## word, and the editor dies as soon as it makes the node (engine 4.6 experiments). So
## loaded scenes are looked through before.

const McpFileFaults := preload("file_faults.gd")

# Where the parts of a node stand in the packed list, from its first number.
const PARENT := 0
const TYPE := 2
const NAME := 3
const INSTANCE := 4
const PROPERTIES := 5
const BEFORE_PROPERTIES := 6
# The upper bits of the number of a name are the place among the siblings.
const NAME_MASK := (1 << 18) - 1
const NO_TYPE := 0x7FFFFFFF
# Of the number of a parent: it is that of a path. Of an instance: it is a placeholder.
const IS_OTHER := 1 << 30
const OTHER_MASK := (1 << 24) - 1


## The first fault of this scene or of those that it is made of, as the details of the
## failure: path and message; empty for none.
static func of(scene: PackedScene, path: String, seen: Dictionary[PackedScene, bool] = {}) -> Dictionary:
	if scene == null or seen.has(scene):
		return {}
	seen[scene] = true
	var bundle: Dictionary = scene.get(&"_bundled")
	var message: String = _of_nodes(bundle)
	if message == "":
		var connections: int = bundle.get("conn_count", 0)
		var editable: Array = bundle.get("editable_instances", [])
		message = McpFileFaults.of(path, {"node": bundle.get("node_count", 0), "connection": connections, "editable": editable.size()})
	var state: SceneState = scene.get_state()
	var parts: Array[PackedScene] = []
	if message == "":
		for i: int in state.get_node_count():
			var part: PackedScene = state.get_node_instance(i)
			var placeholder: String = state.get_node_instance_placeholder(i)
			if placeholder != "" and ResourceLoader.exists(placeholder):
				part = ResourceLoader.load(placeholder) as PackedScene
				if part == null:
					message = "a placeholder of what is no scene"
			if part != null:
				parts.append(part)
	if message != "":
		return {"path": path, "message": message, "line": 0}
	for part: PackedScene in parts:
		var found: Dictionary = of(part, part.resource_path, seen)
		if not found.is_empty():
			return found
	return {}


## The scenes that the placeholders of a scene stand for and that are not there.
static func missing_placeholders(scene: PackedScene) -> Array[String]:
	var out: Array[String] = []
	var state: SceneState = scene.get_state()
	for i: int in state.get_node_count():
		var placeholder: String = state.get_node_instance_placeholder(i)
		if placeholder != "" and not ResourceLoader.exists(placeholder):
			out.append(placeholder)
	return out


# SceneState cannot be asked: it reads the name of any node as if there were one.
static func _of_nodes(bundle: Dictionary) -> String:
	var names: PackedStringArray = bundle.get("names", PackedStringArray())
	var nodes: PackedInt32Array = bundle.get("nodes", PackedInt32Array())
	var paths: Array = bundle.get("node_paths", [])
	var values: Array = bundle.get("variants", [])
	var at: int = 0
	for i: int in bundle.get("node_count", 0) as int:
		if at + PROPERTIES >= nodes.size():
			return "a node that is cut off"
		var name: int = nodes[at + NAME] & NAME_MASK
		if name >= names.size() or names[name] == "":
			return "a node without a name"
		var parent: int = nodes[at + PARENT]
		var type: int = nodes[at + TYPE]
		var instance: int = nodes[at + INSTANCE]
		if i == 0 and parent != -1:
			return "a root with a parent"
		if i == 0 and type == NO_TYPE and not bundle.has("base_scene"):
			return "a root without a type"
		if i > 0 and (parent == -1 or parent & IS_OTHER and str(paths[parent & OTHER_MASK]) == ""):
			return "a node without a parent"
		if type != NO_TYPE and (type >= names.size() or names[type] == ""):
			return "a node without a type"
		if instance >= 0 and not instance & IS_OTHER and not values[instance & OTHER_MASK] is PackedScene:
			return "an instance of what is no scene"
		at += BEFORE_PROPERTIES + 2 * nodes[at + PROPERTIES]
		if at >= nodes.size():
			return "a node that is cut off"
		at += 1 + nodes[at]
	return ""
