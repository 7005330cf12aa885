@tool
extends RefCounted
## What the file of each open scene held when the editor loaded or saved it last.
##
## The editor itself does not look: a save goes over whatever others wrote meanwhile,
## without a word (engine 4.6 experiment). Contents are compared, since times have whole
## seconds only and other programs set them as they like.

const McpSceneSections := preload("scene_sections.gd")

## Texts up to this many bytes are kept, to tell later what changed.
const MOST_KEPT := 1 << 18

var _plugin: EditorPlugin = null
## Path -> how, sha256, size, modified, and text where it is kept.
var _bases: Dictionary[String, Dictionary] = {}
## Scenes that were open before the addon was: nobody knows what the editor read.
var _unknown: Dictionary[String, bool] = {}


func start(plugin: EditorPlugin) -> void:
	_plugin = plugin
	note_new()
	for path: String in _bases:
		_unknown[path] = true
	plugin.scene_saved.connect(_on_saved)
	# Closing and reloading alike; a reloaded scene is noted anew.
	plugin.scene_closed.connect(_on_closed)
	plugin.scene_changed.connect(_on_changed)


func stop() -> void:
	_plugin.scene_saved.disconnect(_on_saved)
	_plugin.scene_closed.disconnect(_on_closed)
	_plugin.scene_changed.disconnect(_on_changed)
	_plugin = null


## Takes up the scenes that have been opened since.
func note_new() -> void:
	for path: String in EditorInterface.get_open_scenes():
		if path != "" and not _bases.has(path):
			_bases[path] = _look(path)


## Whether the scene was open before the addon was and was not loaded or saved since.
func is_unknown(path: String) -> bool:
	return _unknown.has(path)


## How the file differs from what the editor loaded or saved last; empty when not.
func change_of(path: String) -> Dictionary:
	var base: Dictionary = _bases.get(path, {})
	if base.is_empty():
		return {}
	var now: Dictionary = _look(path)
	var how: String = now["how"]
	if how == base["how"] and now["sha256"] == base["sha256"]:
		return {}
	if how == "" or (how == "link" and base["how"] == "link"):
		how = "content"
	var out: Dictionary = {
		"path": path, "how": how, "expected_sha256": base["sha256"], "expected_size": base["size"],
		"expected_modified": base["modified"], "size": now["size"],
	}
	if now["sha256"] != "":
		out["sha256"] = now["sha256"]
		out["modified"] = now["modified"]
	if base.has("text") and now.has("text"):
		out.merge(McpSceneSections.difference(base["text"] as String, now["text"] as String))
	return out


## Whether a save may go over such a change at all: not where a folder stands now, and
## not through a link, at whose end somebody else's file would be written.
static func can_overwrite(change: Dictionary) -> bool:
	return change["how"] in ["content", "deleted"]


# What stands at a path now. "how" is empty for a plain file.
static func _look(path: String) -> Dictionary:
	var out: Dictionary = {"how": "", "sha256": "", "size": 0, "modified": 0}
	if DirAccess.dir_exists_absolute(path):
		out["how"] = "folder"
		return out
	if not FileAccess.file_exists(path):
		out["how"] = "deleted"
		return out
	var folder: DirAccess = DirAccess.open(path.get_base_dir())
	if folder != null and folder.is_link(path.get_file()):
		out["how"] = "link"
	out["sha256"] = FileAccess.get_sha256(path)
	out["modified"] = FileAccess.get_modified_time(path)
	var file: FileAccess = FileAccess.open(path, FileAccess.READ)
	out["size"] = file.get_length() if file != null else 0
	if path.get_extension() == "tscn" and out["size"] <= MOST_KEPT:
		out["text"] = FileAccess.get_file_as_string(path)
	return out


func _on_saved(path: String) -> void:
	_unknown.erase(path)
	_bases[path] = _look(path)


func _on_closed(path: String) -> void:
	_unknown.erase(path)
	_bases.erase(path)


func _on_changed(_root: Node) -> void:
	note_new()
