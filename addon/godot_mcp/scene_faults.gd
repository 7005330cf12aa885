@tool
extends RefCounted
## Scenes that the engine loads but cannot make nodes of.
##
## A node section without a name is read without a word, and the editor dies as soon as
## it makes the node (engine 4.6 experiment). So loaded scenes are looked through before.

# Where the parts of a node stand in the packed list, from its first number.
const NAME := 3
const PROPERTIES := 5
const BEFORE_PROPERTIES := 6
# The upper bits of the number of a name are the place among the siblings.
const NAME_MASK := (1 << 18) - 1


## The file of the first scene, of this one and those it is made of, that has a node
## without a name; "" when there is none.
static func nameless(scene: PackedScene, path: String, seen: Dictionary[PackedScene, bool] = {}) -> String:
	if scene == null or seen.has(scene):
		return ""
	seen[scene] = true
	if _has_nameless(scene):
		return path
	var state: SceneState = scene.get_state()
	for i: int in state.get_node_count():
		var part: PackedScene = state.get_node_instance(i)
		var placeholder: String = state.get_node_instance_placeholder(i)
		if placeholder != "" and ResourceLoader.exists(placeholder):
			part = ResourceLoader.load(placeholder) as PackedScene
		var found: String = "" if part == null else nameless(part, part.resource_path, seen)
		if found != "":
			return found
	return ""


# SceneState cannot be asked: it reads the name of any node as if there were one.
static func _has_nameless(scene: PackedScene) -> bool:
	var bundle: Dictionary = scene.get(&"_bundled")
	var names: PackedStringArray = bundle.get("names", PackedStringArray())
	var nodes: PackedInt32Array = bundle.get("nodes", PackedInt32Array())
	var at: int = 0
	for i: int in bundle.get("node_count", 0) as int:
		if at + PROPERTIES >= nodes.size():
			return true
		var name: int = nodes[at + NAME] & NAME_MASK
		if name >= names.size() or names[name] == "":
			return true
		at += BEFORE_PROPERTIES + 2 * nodes[at + PROPERTIES]
		if at >= nodes.size():
			return true
		at += 1 + nodes[at]
	return false
