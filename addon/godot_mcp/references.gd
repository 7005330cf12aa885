@tool
extends RefCounted
## What a file refers to, in the order and words of the file. The engine's own list
## leaves out the types, and gives none for scripts (engine 4.6 experiment).

const McpDependencies := preload("dependencies.gd")
const McpSceneFiles := preload("scene_files.gd")

static var _section: RegEx = RegEx.create_from_string("(?m)^\\[ext_resource ([^\\n]*)\\]\\s*$")
static var _attribute: RegEx = RegEx.create_from_string("(type|uid|path)=\"((?:[^\"\\\\]|\\\\.)*)\"")
# Comments end the line; a # inside quotes does not.
static var _comment: RegEx = RegEx.create_from_string("^((?:[^\"'#]|\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*')*)#.*$")
static var _loaded: RegEx = RegEx.create_from_string("(?:^\\s*(?:class_name\\s+\\w+\\s+)?extends\\s+|\\b(?:pre)?load\\s*\\(\\s*)(?:\"([^\"]+)\"|'([^']+)')")


## Rows of raw, path and type.
static func of(path: String) -> Array[Dictionary]:
	match path.get_extension():
		"tscn", "tres":
			return _of_text_resource(FileAccess.get_file_as_string(path))
		"gd":
			return _of_script(path, FileAccess.get_file_as_string(path))
	var out: Array[Dictionary] = []
	for entry: String in ResourceLoader.get_dependencies(path):
		var target: String = McpDependencies.path(entry)
		out.append({"raw": entry.get_slice("::", 0), "path": target, "type": _type(target)})
	return out


static func _of_text_resource(text: String) -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	for section: RegExMatch in _section.search_all(text):
		var found: Dictionary = {"type": "", "uid": "", "path": ""}
		for attribute: RegExMatch in _attribute.search_all(section.get_string(1)):
			found[attribute.get_string(1)] = attribute.get_string(2).c_unescape()
		var target: String = _known_path(found["uid"] as String)
		out.append({
			"raw": found["uid"] if found["uid"] != "" else found["path"],
			"path": target if target != "" else found["path"], "type": found["type"],
		})
	return out


# What a script extends, preloads and loads by a literal path.
static func _of_script(path: String, text: String) -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	for line: String in text.split("\n"):
		for hit: RegExMatch in _loaded.search_all(_comment.sub(line, "$1")):
			var raw: String = hit.get_string(1) + hit.get_string(2)
			var target: String = raw
			if raw.begins_with("uid://"):
				target = _known_path(raw)
			elif not raw.begins_with("res://"):
				target = path.get_base_dir().path_join(raw).simplify_path()
			out.append({"raw": raw, "path": target, "type": _type(target)})
	return out


static func _known_path(uid: String) -> String:
	if not uid.begins_with("uid://"):
		return ""
	var id: int = ResourceUID.text_to_id(uid)
	return ResourceUID.get_id_path(id) if id != ResourceUID.INVALID_ID and ResourceUID.has_id(id) else ""


static func _type(path: String) -> String:
	return EditorInterface.get_resource_filesystem().get_file_type(path)
