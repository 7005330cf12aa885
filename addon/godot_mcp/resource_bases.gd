@tool
extends RefCounted
## What the files of loaded resources held when the editor read or wrote them last.
##
## The save of any scene writes every resource that is edited, whichever scene uses it,
## and goes over whatever others wrote meanwhile (engine 4.6 experiment). No signal tells
## that a resource is loaded, so what is new in memory is noted after each command and
## now and then. A resource that was let go and loaded again is another object.

const McpDependencies := preload("dependencies.gd")
const McpFileState := preload("file_state.gd")
const McpFileWalk := preload("file_walk.gd")
const McpSceneFiles := preload("scene_files.gd")

## Seconds between two looks at what people and plugins have loaded.
const BETWEEN_LOOKS := 1.0
## Files up to this many bytes are looked into for edited parts at every save.
const MOST_SEARCHED := 1 << 18
const HOLDERS: Array[int] = [TYPE_OBJECT, TYPE_ARRAY, TYPE_DICTIONARY]

# Files that commands load, which the editor need not have scanned.
static var _asked: Dictionary[String, bool] = {}
# Files that the addon wrote and gave to what is loaded of them, as they were then.
static var _given: Dictionary[String, Dictionary] = {}

var _plugin: EditorPlugin = null
## Path -> what [code]file_state.gd[/code] found there, and "object": instance id.
var _bases: Dictionary[String, Dictionary] = {}
## Files that were loaded before the addon ran: nobody knows what the editor read.
var _unknown: Dictionary[String, bool] = {}
## Files that may hold resources, as far as they are known here.
var _files: Dictionary[String, bool] = {}
var _listed: bool = false
var _count: int = -1
var _next_look: float = 0.0


func start(plugin: EditorPlugin) -> void:
	_plugin = plugin
	note_new(true)
	for path: String in _bases:
		_unknown[path] = true
	plugin.resource_saved.connect(_on_resource_saved)
	plugin.scene_saved.connect(_on_scene_saved)
	var files: EditorFileSystem = EditorInterface.get_resource_filesystem()
	files.filesystem_changed.connect(_on_filesystem_changed)
	files.resources_reload.connect(_on_reloaded)


func stop() -> void:
	var files: EditorFileSystem = EditorInterface.get_resource_filesystem()
	files.filesystem_changed.disconnect(_on_filesystem_changed)
	files.resources_reload.disconnect(_on_reloaded)
	_plugin.resource_saved.disconnect(_on_resource_saved)
	_plugin.scene_saved.disconnect(_on_scene_saved)
	_plugin = null


func frame(now: float) -> void:
	if now >= _next_look:
		_next_look = now + BETWEEN_LOOKS
		note_new()


## A command loads this file.
static func ask(path: String) -> void:
	_asked[path] = true


## The addon wrote this file, and what is loaded of it has the new content.
static func read_anew(path: String) -> void:
	_given[path] = McpFileState.of(path)


## Takes up what is in memory since the last time, and drops what has left it.
func note_new(whatever_the_count: bool = false) -> void:
	var count: int = int(Performance.get_monitor(Performance.OBJECT_RESOURCE_COUNT))
	if count == _count and _asked.is_empty() and _given.is_empty() and not whatever_the_count:
		return
	_count = count
	if not _listed:
		_listed = true
		_list(EditorInterface.get_resource_filesystem().get_filesystem())
	for path: String in _asked:
		_add_with_dependencies(path)
	_asked.clear()
	for path: String in _files:
		_note(path)
	for path: String in _given:
		if _bases.has(path):
			_given[path]["object"] = _bases[path]["object"]
			_bases[path] = _given[path]
			_unknown.erase(path)
	_given.clear()


## Whether the file was read before the addon ran, and not since.
func is_unknown(path: String) -> bool:
	return _unknown.has(path)


## Loaded files that hold resources.
func loaded() -> PackedStringArray:
	note_new(true)
	return PackedStringArray(_bases.keys())


## Files that the save of any scene writes now, sorted. Engines before 4.5 do not tell
## what is edited: none, or with [param unsure] all that are loaded.
func edited(unsure: bool = false) -> Array[String]:
	var out: Array[String] = []
	for path: String in loaded():
		var resource: Resource = ResourceLoader.get_cached_ref(path)
		if _is_edited(resource, path, int(_bases[path]["size"]) <= MOST_SEARCHED, unsure) and _is_saved(path):
			out.append(path)
	out.sort()
	return out


## Changes of files by others that the save of any scene would go over, by path. What
## cannot be told to be unedited counts as edited.
func changes() -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	var paths: PackedStringArray = loaded()
	paths.sort()
	for path: String in paths:
		var change: Dictionary = McpFileState.change(path, _bases[path])
		if not change.is_empty() and _is_edited(ResourceLoader.get_cached_ref(path), path, true, true) and _is_saved(path):
			change["resource"] = true
			out.append(change)
	return out


## The editor has written these files, or read them anew.
func settle(paths: Array[String]) -> void:
	for path: String in paths:
		_unknown.erase(path)
		if _bases.has(path):
			_base(path, _bases[path]["object"] as int)


# Whether the engine saves a resource of this file at all: no scene, and nothing imported.
static func _is_saved(path: String) -> bool:
	return not ResourceLoader.get_cached_ref(path) is PackedScene and not FileAccess.file_exists(path + ".import")


# Whether the editor counts the resource, or a part that lives in its file, as edited.
# [param unsure] is the answer of an engine that does not tell.
static func _is_edited(resource: Resource, home: String, search: bool, unsure: bool) -> bool:
	if resource == null:
		return false
	if not EditorInterface.has_method(&"is_object_edited"):
		return unsure
	return _any_edited(resource, home, search, {})


static func _any_edited(value: Variant, home: String, search: bool, seen: Dictionary) -> bool:
	if value is Array:
		for element: Variant in value:
			if _any_edited(element, home, search, seen):
				return true
	elif value is Dictionary:
		for key: Variant in value:
			if _any_edited(key, home, search, seen) or _any_edited(value[key], home, search, seen):
				return true
	elif value is Resource and not seen.has(value):
		var resource: Resource = value
		var path: String = resource.resource_path
		# What has no path yet is saved with what is edited around it, or not at all.
		if path != "" and path != home and not path.begins_with(home + "::"):
			return false
		seen[resource] = true
		if path != "" and EditorInterface.call(&"is_object_edited", resource):
			return true
		if not search:
			return false
		# The surfaces of a mesh are big, and reading them takes long.
		for info: Dictionary in resource.get_property_list():
			if info["usage"] & PROPERTY_USAGE_STORAGE != 0 and info["type"] in HOLDERS and not (resource is Mesh and info["type"] == TYPE_ARRAY):
				if _any_edited(resource.get(info["name"] as StringName), home, search, seen):
					return true
	return false


func _note(path: String) -> void:
	var resource: Resource = ResourceLoader.get_cached_ref(path)
	if resource == null:
		_bases.erase(path)
		_unknown.erase(path)
	elif not _bases.has(path) or _bases[path]["object"] != resource.get_instance_id():
		_unknown.erase(path)
		_base(path, resource.get_instance_id())


func _base(path: String, object: int) -> void:
	var base: Dictionary = McpFileState.of(path)
	base["object"] = object
	_bases[path] = base


func _list(folder: EditorFileSystemDirectory) -> void:
	if folder == null:
		return
	for i: int in folder.get_file_count():
		if folder.get_file_type(i) not in [&"", &"PackedScene", &"TextFile"]:
			_files[folder.get_file_path(i)] = true
	for i: int in folder.get_subdir_count():
		if folder.get_subdir(i).get_path().trim_suffix("/") != McpFileWalk.OWN_FOLDER:
			_list(folder.get_subdir(i))


func _add_with_dependencies(path: String) -> void:
	var todo: Array[String] = [path]
	var seen: Dictionary[String, bool] = {}
	while not todo.is_empty():
		var one: String = todo.pop_back()
		if seen.has(one) or not FileAccess.file_exists(one):
			continue
		seen[one] = true
		if one.get_extension() not in McpSceneFiles.EXTENSIONS:
			_files[one] = true
		for raw: String in ResourceLoader.get_dependencies(one):
			todo.append(McpDependencies.path(raw))


func _on_filesystem_changed() -> void:
	_listed = false
	_count = -1


# A scan has found the files changed, and the editor reads them again.
func _on_reloaded(paths: PackedStringArray) -> void:
	settle(Array(Array(paths), TYPE_STRING, &"", null) as Array[String])


func _on_resource_saved(resource: Resource) -> void:
	settle([resource.resource_path])


# The engine writes the edited resources right after this signal.
func _on_scene_saved(_path: String) -> void:
	settle.call_deferred(edited(true))
