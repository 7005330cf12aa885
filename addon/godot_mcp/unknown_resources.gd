@tool
extends RefCounted
## Resources in a scene's file whose class the editor does not know. It keeps what it can
## of them in memory, and a save drops what refers to them from metadata and from nodes
## of unknown classes (engine 4.6 experiment).


## The unknown classes that a scene's file names, sorted; also those of the text
## resources that it uses.
static func classes(path: String) -> Array[String]:
	var out: Array[String] = []
	if not path.ends_with(".tscn") or not FileAccess.file_exists(path):
		return out
	var text: String = FileAccess.get_file_as_string(path)
	for line: String in _sections(text, "sub_resource"):
		_note(out, _value(line, "type"))
	for line: String in _sections(text, "ext_resource"):
		_note(out, _value(line, "type"))
		var used: String = _value(line, "path")
		if used.ends_with(".tres") and FileAccess.file_exists(used):
			_note(out, _value(_head(used), "type"))
	out.sort()
	return out


static func _note(out: Array[String], type: String) -> void:
	if type != "" and not ClassDB.class_exists(type) and type not in out:
		out.append(type)


# The first lines of the sections of a kind.
static func _sections(text: String, tag: String) -> PackedStringArray:
	var out: PackedStringArray = []
	var begin: String = "\n[" + tag + " "
	var at: int = text.find(begin)
	while at >= 0:
		out.append(text.substr(at + 1, text.find("\n", at + 1) - at - 1))
		at = text.find(begin, at + 1)
	return out


static func _head(path: String) -> String:
	var file: FileAccess = FileAccess.open(path, FileAccess.READ)
	return file.get_line() if file != null else ""


static func _value(line: String, key: String) -> String:
	var begin: String = " " + key + "=\""
	return line.get_slice(begin, 1).get_slice("\"", 0) if line.contains(begin) else ""
