@tool
extends RefCounted
## Gives those who hold the packed scene of a file another one that took its place.
##
## A state holds the scenes that it instances as objects. When another object takes over
## the path of such a scene, the old one has no path any more, and what is instanced
## from it is no instance of a file (engine 4.6 experiment). Giving the old one the path
## and the content of the new one would not do: the nodes that were made of it compare
## with its state, and the next save would write what they have as overrides.

## Values inside values, at most.
const DEPTH := 16
const HOLDERS: Array[int] = [TYPE_NIL, TYPE_OBJECT, TYPE_ARRAY, TYPE_DICTIONARY]


## Puts [param new] in the place of [param old] in the scenes that are in memory and in
## what scripts of the open scenes, [param roots], have exported.
static func replace(old: PackedScene, new: PackedScene, roots: Array[Node]) -> void:
	_in_folder(EditorInterface.get_resource_filesystem().get_filesystem(), old, new)
	for root: Node in roots:
		if root != null:
			_in_nodes(root, old, new)


## Puts scenes by their paths into one that nobody else has.
static func renew(scene: PackedScene, by_path: Dictionary[String, PackedScene]) -> void:
	var bundled: Dictionary = scene.get(&"_bundled")
	var variants: Array = bundled.get("variants", [])
	var found: bool = false
	for i: int in variants.size():
		if variants[i] is PackedScene and by_path.has((variants[i] as PackedScene).resource_path):
			variants[i] = by_path[(variants[i] as PackedScene).resource_path]
			found = true
	if found:
		bundled["variants"] = variants
		scene.set(&"_bundled", bundled)


static func _in_folder(folder: EditorFileSystemDirectory, old: PackedScene, new: PackedScene) -> void:
	if folder == null:
		return
	for i: int in folder.get_file_count():
		if folder.get_file_type(i) == &"PackedScene":
			var scene: PackedScene = ResourceLoader.get_cached_ref(folder.get_file_path(i)) as PackedScene
			if scene != null and scene != new:
				_in_state(scene, old, new)
	for i: int in folder.get_subdir_count():
		_in_folder(folder.get_subdir(i), old, new)


# The state stays the same object, with its paths and its time. That of an heir is left
# alone: what was made of the heir compares with the base that its state has.
static func _in_state(scene: PackedScene, old: PackedScene, new: PackedScene) -> void:
	var bundled: Dictionary = scene.get(&"_bundled")
	var variants: Array = bundled.get("variants", [])
	var base: int = bundled.get("base_scene", -1)
	if base >= 0 and is_same(variants[base], old):
		return
	if _in_value(variants, old, new, 0):
		bundled["variants"] = variants
		scene.set(&"_bundled", bundled)


static func _in_nodes(node: Node, old: PackedScene, new: PackedScene) -> void:
	if node.get_script() != null:
		for info: Dictionary in node.get_property_list():
			# Variables of a script that is no @tool are not marked as its own.
			if info["usage"] & PROPERTY_USAGE_STORAGE == 0 or info["type"] not in HOLDERS:
				continue
			var value: Variant = node.get(info["name"] as StringName)
			if is_same(value, old):
				node.set(info["name"] as StringName, new)
			elif _in_value(value, old, new, 0):
				node.set(info["name"] as StringName, value)
	for child: Node in node.get_children():
		_in_nodes(child, old, new)


# Whether the list or dictionary has another element now.
static func _in_value(value: Variant, old: PackedScene, new: PackedScene, depth: int) -> bool:
	var keys: Array = []
	if value is Array:
		keys = range((value as Array).size())
	elif value is Dictionary:
		keys = (value as Dictionary).keys()
	if depth > DEPTH or keys.is_empty() or value.is_read_only():
		return false
	var found: bool = false
	for key: Variant in keys:
		if is_same(value[key], old):
			value[key] = new
			found = true
		elif _in_value(value[key], old, new, depth + 1):
			found = true
	return found
