@tool
extends RefCounted
## Where the editor's file system scan is.
##
## is_scanning() is over when the walk is; registration of classes and imports come in a
## frame after it, and sources_changed is the last signal of a scan (engine 4.6
## experiment). With a window, every step of the progress bar draws a frame in between
## (engine 4.6, ProgressDialog), in which commands arrive: so a scan counts as finished
## only after that signal and some quiet frames.

const QUIET_FRAMES := 4

## Finished scans.
var generation: int = 0
## What the last finished scan imported.
var reimported: PackedStringArray = []

# What scans and imports there are now, for those that have no services at hand.
static var _running: bool = false
static var _importing: PackedStringArray = []

var _active: bool = false
# The signal that ends the scan has not come.
var _awaited: bool = false
# scan() did nothing: what another walk has read was not taken over yet.
var _dropped: bool = false
var _again: bool = false
var _quiet: int = 0
var _collected: PackedStringArray = []
# Written while a scan ran.
var _late: PackedStringArray = []


func start() -> void:
	var files: EditorFileSystem = EditorInterface.get_resource_filesystem()
	files.resources_reimporting.connect(_on_importing)
	files.resources_reimported.connect(_on_imported)
	files.sources_changed.connect(_on_end)
	_active = true
	_running = true


func stop() -> void:
	var files: EditorFileSystem = EditorInterface.get_resource_filesystem()
	files.resources_reimporting.disconnect(_on_importing)
	files.resources_reimported.disconnect(_on_imported)
	files.sources_changed.disconnect(_on_end)
	_running = false
	_importing = []


func scanning() -> bool:
	return _active or EditorInterface.get_resource_filesystem().is_scanning()


## Whether a source is being imported now.
static func is_importing(path: String) -> bool:
	return path in _importing


## Why a source that has not been imported cannot be used: a scan that runs may change
## that, or only another one can.
static func why_not() -> String:
	if _running or EditorInterface.get_resource_filesystem().is_scanning():
		return "importing"
	return "not_imported"


## Starts a scan; while one runs, one more is queued behind it.
func request() -> void:
	if scanning():
		_again = true
		_active = true
		_running = true
		return
	_begin()


## Notes a file that was written while a scan runs: the editor is told of it when
## that is over. update_file() does nothing meanwhile, and the next scan does not see
## a file that was written in the same second as what it knows of it (engine 4.6
## experiment).
func written(path: String) -> void:
	if scanning() and path not in _late:
		_late.append(path)


func frame() -> void:
	var files: EditorFileSystem = EditorInterface.get_resource_filesystem()
	if files.is_scanning():
		_awaited = true
	if _awaited or not _importing.is_empty():
		_active = true
		_running = true
		_quiet = 0
		return
	if _dropped:
		_begin()
		return
	if not _active:
		return
	_quiet += 1
	if _quiet < QUIET_FRAMES:
		return
	_active = false
	_running = false
	_quiet = 0
	generation += 1
	reimported = _collected
	_collected = []
	for path: String in _late:
		files.update_file(path)
		if FileAccess.file_exists(path + ".import"):
			files.reimport_files([path])
	_late = []
	if _again:
		_again = false
		_begin()


func state() -> Dictionary:
	return {
		"scanning": scanning(), "generation": generation,
		"importing": Array(_importing), "reimported": Array(reimported),
	}


func _begin() -> void:
	_active = true
	_running = true
	_quiet = 0
	_collected = []
	var files: EditorFileSystem = EditorInterface.get_resource_filesystem()
	files.scan()
	_dropped = not files.is_scanning()
	_awaited = not _dropped


func _on_end(_exist: bool) -> void:
	if not EditorInterface.get_resource_filesystem().is_scanning():
		_awaited = false


func _on_importing(paths: PackedStringArray) -> void:
	_importing = paths


func _on_imported(paths: PackedStringArray) -> void:
	_importing = []
	for path: String in paths:
		if path not in _collected:
			_collected.append(path)
	_collected.sort()
