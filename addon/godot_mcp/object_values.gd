@tool
extends RefCounted
## Objects in typed JSON: resources by path, and new ones by class and properties.
##
## Apart from values_in.gd because this is what loads files.

const McpEmbedded := preload("embedded.gd")
const McpFileFaults := preload("file_faults.gd")
const McpNear := preload("near.gd")
const McpResourceBases := preload("resource_bases.gd")
const McpTypeNames := preload("type_names.gd")
const McpScanState := preload("scan_state.gd")


func decode(json: Variant, info: Dictionary, reader: Object, depth: int) -> Variant:
	var wanted: String = McpTypeNames.object_class(info)
	match typeof(json):
		TYPE_NIL:
			return null
		TYPE_STRING:
			var text: String = (json as String).strip_edges()
			if text.begins_with("res://") or text.begins_with("uid://"):
				return _load(text, wanted, reader)
			if text.begins_with("{"):
				var parsed: Variant = JSON.parse_string(text)
				if parsed is Dictionary:
					reader.set(&"coerced", true)
					return decode(parsed, info, reader, depth)
		TYPE_DICTIONARY:
			var object: Dictionary = json
			if object.get("resource") is String:
				return _load(object["resource"] as String, wanted, reader)
			if object.get("new") is String:
				return _make(object, wanted, reader, depth)
	var what: String = wanted if wanted != "" else "Object"
	return reader.call(&"refuse", "bad_value", {
		"expected": what + " as {\"resource\":\"res://...\"}, {\"new\":\"Class\",\"properties\":{...}} or null",
		"got": reader.call(&"describe", json),
	})


## Whether an object of [param given] may stand where one of [param wanted] (a list
## of classes with commas) is declared.
static func fits(given: Object, wanted: String) -> bool:
	if wanted == "":
		return true
	var script: Script = given.get_script() as Script
	for one: String in wanted.split(","):
		if one.begins_with("-"):
			continue
		if given.is_class(one):
			return true
		var s: Script = script
		while s != null:
			if s.get_global_name() == StringName(one) or s.resource_path == one:
				return true
			s = s.get_base_script()
	return false


func _load(location: String, wanted: String, reader: Object) -> Variant:
	var path: String = location
	if location.begins_with("uid://"):
		var id: int = ResourceUID.text_to_id(location)
		if not ResourceUID.has_id(id):
			return reader.call(&"refuse", "file_not_found", {"path": location})
		path = ResourceUID.get_id_path(id)
	var resource: Resource = null
	if path.contains("::"):
		resource = McpEmbedded.find(path)
		if resource == null:
			return reader.call(&"refuse", "file_not_found", {"path": path})
	elif not FileAccess.file_exists(path):
		return reader.call(&"refuse", "file_not_found", {"path": path})
	elif McpScanState.is_importing(path):
		return reader.call(&"refuse", "importing", {"path": path})
	elif not ResourceLoader.exists(path):
		var reason: String = McpScanState.why_not() if _importable(path) else "wrong_resource_type"
		return reader.call(&"refuse", reason, _mismatch(path, wanted, "a file that is no resource") if reason == "wrong_resource_type" else {"path": path})
	elif McpFileFaults.deadly(path) == "":
		resource = load(path) as Resource
	McpResourceBases.ask(path.get_slice("::", 0))
	if resource == null or McpFileFaults.of(path) != "":
		return reader.call(&"refuse", "corrupt_file", {"path": path})
	if not fits(resource, wanted):
		return reader.call(&"refuse", "wrong_resource_type", _mismatch(path, wanted, resource.get_class()))
	return resource


static func _mismatch(path: String, wanted: String, got: String) -> Dictionary:
	return {"expected": wanted if wanted != "" else "Resource", "got": got, "resource": path}


# Whether the editor would import the file, so that a scan is all that is missing.
static func _importable(path: String) -> bool:
	if FileAccess.file_exists(path + ".import"):
		return true
	var extension: String = path.get_extension().to_lower()
	for known: PackedStringArray in [
		PackedStringArray(["png", "jpg", "jpeg", "webp", "svg", "bmp", "tga", "exr", "hdr", "ktx", "dds", "wav", "ogg", "mp3"]),
		PackedStringArray(["ttf", "otf", "woff", "woff2", "fnt", "font", "gltf", "glb", "obj", "dae", "fbx", "blend", "csv"]),
	]:
		if extension in known:
			return true
	return false


func _make(object: Dictionary, wanted: String, reader: Object, depth: int) -> Variant:
	var name: String = object["new"]
	for key: Variant in object:
		if key not in ["new", "properties"]:
			return reader.call(&"refuse", "bad_value", {"expected": "{\"new\":\"Class\",\"properties\":{...}}", "got": reader.call(&"describe", object)})
	var made: Resource = _instantiate(name, reader)
	if made == null:
		return null
	if not fits(made, wanted):
		return reader.call(&"refuse", "wrong_resource_type", _mismatch("", wanted, name))
	var properties: Variant = object.get("properties", {})
	if properties == null:
		return made
	if not properties is Dictionary:
		return reader.call(&"refuse", "bad_value", {"expected": "\"properties\" as an object", "got": reader.call(&"describe", properties)})
	for property: String in properties:
		var info: Dictionary = info_of(made, property)
		if info.is_empty():
			var names: PackedStringArray = []
			for known: Dictionary in made.get_property_list():
				names.append(known["name"] as String)
			return reader.call(&"refuse", "unknown_property", {"property": property, "path": name, "near": McpNear.close(property, names)})
		var value: Variant = reader.call(&"decode", properties[property], info, made.get(property), depth + 1)
		if reader.call(&"failed"):
			return reader.call(&"_within", ".properties" + str(reader.call(&"_key", property)))
		made.set(property, value)
	return made


func _instantiate(name: String, reader: Object) -> Resource:
	if ClassDB.class_exists(name):
		if not ClassDB.is_parent_class(name, &"Resource"):
			reader.call(&"refuse", "wrong_resource_type", _mismatch("", "Resource", name))
			return null
		if not ClassDB.can_instantiate(name):
			reader.call(&"refuse", "not_instantiable", {"type": name})
			return null
		return ClassDB.instantiate(name) as Resource
	for entry: Dictionary in ProjectSettings.get_global_class_list():
		if entry["class"] != StringName(name):
			continue
		var script: Script = load(entry["path"] as String) as Script
		if script != null and ClassDB.is_parent_class(script.get_instance_base_type(), &"Resource"):
			var made: Resource = ClassDB.instantiate(script.get_instance_base_type()) as Resource
			made.set_script(script)
			return made
		reader.call(&"refuse", "wrong_resource_type", _mismatch(entry["path"] as String, "Resource", name))
		return null
	reader.call(&"refuse", "unknown_class", {"type": name, "near": McpNear.close(name, McpNear.known_classes(&"Resource"))})
	return null


## The property list's entry of a property, empty when there is none.
static func info_of(object: Object, property: String) -> Dictionary:
	return info_in(object.get_property_list(), property)


## A property's entry of a list, empty when there is none.
static func info_in(list: Array[Dictionary], property: String) -> Dictionary:
	for info: Dictionary in list:
		if info["name"] == property and info["usage"] & (PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP) == 0:
			return info
	return {}
