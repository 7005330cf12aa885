@tool
extends RefCounted
## Project files on disk, as the editor looks at them: without hidden folders and
## those that a .gdignore takes out.

const OWN_FOLDER := "res://addons/godot_mcp"


## Files below [param folder] with one of the extensions (all when empty), sorted.
static func files(folder: String, extensions: Array = []) -> PackedStringArray:
	var out: PackedStringArray = []
	_walk(folder if folder.ends_with("/") else folder + "/", extensions, out)
	out.sort()
	return out


static func _walk(folder: String, extensions: Array, out: PackedStringArray) -> void:
	var dir: DirAccess = DirAccess.open(folder)
	if dir == null or dir.file_exists(".gdignore"):
		return
	for file: String in dir.get_files():
		if not file.begins_with(".") and (extensions.is_empty() or file.get_extension() in extensions):
			out.append(folder + file)
	for sub: String in dir.get_directories():
		# This addon is no part of the project's own work.
		if not sub.begins_with(".") and folder + sub != OWN_FOLDER:
			_walk(folder + sub + "/", extensions, out)
