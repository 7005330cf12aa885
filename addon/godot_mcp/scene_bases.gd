@tool
extends RefCounted
## What the file of each open scene held when the editor loaded or saved it last.
##
## The editor itself does not look: a save goes over whatever others wrote meanwhile,
## without a word (engine 4.6 experiment). Contents are compared, since times have whole
## seconds only and other programs set them as they like.

const McpFileState := preload("file_state.gd")
const McpResourceBases := preload("resource_bases.gd")

var _plugin: EditorPlugin = null
## Path -> what [code]file_state.gd[/code] found there.
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
			_bases[path] = McpFileState.of(path)
			McpResourceBases.ask(path)


## Whether the scene was open before the addon was and was not loaded or saved since.
func is_unknown(path: String) -> bool:
	return _unknown.has(path)


## The files hold what they held before a save, not what the editor thinks it saved.
func settle(paths: Array[String]) -> void:
	for path: String in paths:
		if _bases.has(path):
			_bases[path] = McpFileState.of(path)


## How the file differs from what the editor loaded or saved last; empty when not.
func change_of(path: String) -> Dictionary:
	return McpFileState.change(path, _bases.get(path, {}) as Dictionary)


func _on_saved(path: String) -> void:
	_unknown.erase(path)
	_bases[path] = McpFileState.of(path)


func _on_closed(path: String) -> void:
	_unknown.erase(path)
	_bases.erase(path)


func _on_changed(_root: Node) -> void:
	note_new()
