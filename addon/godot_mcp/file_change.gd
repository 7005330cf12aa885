@tool
extends RefCounted
## One text file before and after an edit, as an action of the undo history holds it.

const McpResourceBases := preload("resource_bases.gd")
const McpScriptValues := preload("script_values.gd")

var path: String = ""
var before: String = ""
var after: String = ""
## Whether the file was there before.
var existed: bool = false
## Name of the action.
var action: String = ""
## Called with the path after each write.
var written: Callable
# What nodes had in the variables of a script before the edit.
var _values: Array[Array] = []


## The file's bytes now; null when it is not there.
func bytes_now() -> Variant:
	if FileAccess.file_exists(path):
		return FileAccess.get_file_as_bytes(path)
	return null


## The bytes that the edit leaves, or with [code]false[/code] those it found; null for no file.
func bytes_left(forward: bool) -> Variant:
	if forward:
		return after.to_utf8_buffer()
	if existed:
		return before.to_utf8_buffer()
	return null


## Writes the new text; an error of FileAccess.
func apply() -> Error:
	return _write(after, true)


## Writes the earlier text, or removes what the edit made, its .uid file included.
func take_back() -> Error:
	if existed:
		return _write(before, false)
	var error: Error = DirAccess.remove_absolute(path)
	if FileAccess.file_exists(path + ".uid"):
		DirAccess.remove_absolute(path + ".uid")
	EditorInterface.get_resource_filesystem().update_file(path)
	written.call(path)
	return error


func _write(text: String, forward: bool) -> Error:
	var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		return FileAccess.get_open_error()
	file.store_string(text)
	var error: Error = file.get_error()
	file.close()
	if error == OK:
		_tell_editor(text, forward)
	return error


# update_file() registers a class at once when the editor knows the folder (engine
# 4.6 experiment). A script that is loaded keeps its old text unless told.
func _tell_editor(text: String, forward: bool) -> void:
	var files: EditorFileSystem = EditorInterface.get_resource_filesystem()
	files.update_file(path)
	written.call(path)
	if path.get_extension() == "gd" and ResourceLoader.has_cached(path):
		var script: GDScript = load(path) as GDScript
		if script != null and script.source_code != text:
			var had: Array[Array] = McpScriptValues.of(script)
			# Setting the property would count the script as edited, and the next save of a
			# scene would write it over whatever others make of the file.
			script.set_source_code(text)
			script.reload(true)
			McpResourceBases.read_anew(path)
			McpScriptValues.begin(script, had)
			if forward:
				_values = had
			else:
				McpScriptValues.restore(_values, had)
	elif FileAccess.file_exists(path + ".import"):
		files.reimport_files([path])
