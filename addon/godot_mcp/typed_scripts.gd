@tool
extends RefCounted
## Scripts whose text somebody is typing in the script editor and has not saved.
##
## The save of any scene writes them too, over whatever others wrote into their files
## meanwhile (engine 4.6 experiment). What a text began with is what the editor showed
## when it counted as saved last.

const McpFileState := preload("file_state.gd")

## Seconds between two looks at what people have opened.
const BETWEEN_LOOKS := 1.0

## Instance id of a script editor's tab -> "version" of its text that counts as saved,
## and "base", what [code]file_state.gd[/code] says of a file with that text.
var _tabs: Dictionary[int, Dictionary] = {}
var _next_look: float = 0.0


func frame(now: float) -> void:
	if now >= _next_look:
		_next_look = now + BETWEEN_LOOKS
		note()


## Takes up the texts that are saved now.
func note() -> void:
	var open: Dictionary[int, Dictionary] = {}
	var texts: Dictionary[String, TextEdit] = _open()
	for path: String in texts:
		var text: TextEdit = texts[path]
		var id: int = text.get_instance_id()
		var version: int = text.get_saved_version()
		if _tabs.has(id) and _tabs[id]["version"] == version and _tabs[id]["path"] == path:
			open[id] = _tabs[id]
		elif text.get_version() == version:
			open[id] = {"path": path, "version": version, "base": _base(path, text.text)}
		else:
			# Typed into before it was seen: the script is still as it was read.
			var script: Script = ResourceLoader.get_cached_ref(path)
			open[id] = {"path": path, "version": version, "base": _base(path, script.source_code)}
	_tabs = open


## The files that the save of any scene writes now, sorted.
func paths() -> Array[String]:
	var out: Array[String] = []
	var open: Dictionary[String, TextEdit] = _open()
	for path: String in open:
		if open[path].get_version() != open[path].get_saved_version():
			out.append(path)
	out.sort()
	return out


## Changes of these files by others, that such a save would go over.
func changes() -> Array[Dictionary]:
	note()
	var out: Array[Dictionary] = []
	var open: Dictionary[String, TextEdit] = _open()
	for path: String in paths():
		var change: Dictionary = McpFileState.change(path, _tabs[open[path].get_instance_id()]["base"] as Dictionary)
		if not change.is_empty():
			change["resource"] = true
			out.append(change)
	return out


# The text fields of the open scripts that have files, by path.
static func _open() -> Dictionary[String, TextEdit]:
	var out: Dictionary[String, TextEdit] = {}
	var editor: ScriptEditor = EditorInterface.get_script_editor()
	var scripts: Array[Script] = editor.get_open_scripts()
	var tabs: Array[ScriptEditorBase] = []
	# Other texts have tabs too, and no script.
	for tab: ScriptEditorBase in editor.get_open_script_editors():
		if tab.is_class("ScriptTextEditor"):
			tabs.append(tab)
	if tabs.size() != scripts.size():
		return out
	for i: int in tabs.size():
		var path: String = scripts[i].resource_path
		var text: TextEdit = tabs[i].get_base_editor() as TextEdit
		if text != null and path.begins_with("res://") and not path.contains("::"):
			out[path] = text
	return out


# What a file that holds a text is. The editor drops carriage returns.
static func _base(path: String, text: String) -> Dictionary:
	var now: Dictionary = McpFileState.of(path)
	if now["sha256"] != "" and FileAccess.get_file_as_string(path).replace("\r", "") == text.replace("\r", ""):
		return now
	return {
		"how": now["how"] if now["how"] == "link" else "", "sha256": text.sha256_text(), "size": text.to_utf8_buffer().size(), "modified": 0,
	}
