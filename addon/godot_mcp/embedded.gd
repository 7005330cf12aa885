@tool
extends RefCounted
## Finds a resource inside another file by the path that the file gives it.
##
## The cache alone does not do: a file that nobody has loaded is not in it, and a
## save of another file that refers to the resource gives it a new path (engine 4.6).


static func find(path: String) -> Resource:
	if ResourceLoader.has_cached(path):
		return load(path) as Resource
	var file: String = path.get_slice("::", 0)
	if not FileAccess.file_exists(file) or not ResourceLoader.exists(file):
		return null
	# Held until the end: what is inside lives no longer than the whole.
	var holder: Resource = load(file)
	if ResourceLoader.has_cached(path):
		return load(path) as Resource
	return _search(_held_by(holder), path.get_slice("::", 1), holder, [])


static func _held_by(holder: Resource) -> Array:
	if not holder is PackedScene:
		return [holder]
	var out: Array = []
	var state: SceneState = (holder as PackedScene).get_state()
	for i: int in state.get_node_count():
		for j: int in state.get_node_property_count(i):
			out.append(state.get_node_property_value(i, j))
	return out


static func _search(values: Array, id: String, holder: Resource, seen: Array[Resource]) -> Resource:
	for value: Variant in values:
		var inside: Array = []
		if value is Array:
			inside = value
		elif value is Dictionary:
			inside = (value as Dictionary).values()
		elif value is Resource and not value in seen:
			var resource: Resource = value
			seen.append(resource)
			if resource.resource_scene_unique_id == id:
				return resource
			# What has a file of its own is no part of this one.
			if resource == holder or resource.resource_path == "" or resource.resource_path.contains("::"):
				for info: Dictionary in resource.get_property_list():
					if info["usage"] & PROPERTY_USAGE_STORAGE != 0 and info["type"] in [TYPE_OBJECT, TYPE_ARRAY, TYPE_DICTIONARY]:
						inside.append(resource.get(info["name"] as StringName))
		var found: Resource = _search(inside, id, holder, seen)
		if found != null:
			return found
	return null
