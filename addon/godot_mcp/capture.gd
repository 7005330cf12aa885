@tool
extends RefCounted
## Engine messages of the running command, with or without the engine's Logger.

const SCRIPT := 2
const SHADER := 3
const WARNING := 1
const OWN_FOLDER := "res://addons/godot_mcp/"
## Printed by a command that went well: the thumbnail of a save without a display,
## and a further dialog while an earlier one is still open.
const HARMLESS: PackedStringArray = [
	"Parameter \"t\" is null.",
	"Attempting to parent and popup a dialog that already has a parent",
	"another exclusive child",
]

var available: bool = false

var _log: Object = null
var _kept: Array[Dictionary] = []


func start() -> void:
	if not ClassDB.class_exists(&"Logger"):
		return
	_log = (load("res://addons/godot_mcp/engine_log.gd") as GDScript).new()
	OS.call(&"add_logger", _log)
	available = true


func stop() -> void:
	if _log != null:
		OS.call(&"remove_logger", _log)
		_log = null
	available = false


## Begins a command.
func begin() -> void:
	_kept.clear()
	if _log != null:
		_log.call(&"take")
		_log.call(&"collect", true)


func end() -> void:
	if _log != null:
		_log.call(&"collect", false)


## All entries of this command so far.
func entries() -> Array[Dictionary]:
	if _log != null:
		_kept.append_array(_log.call(&"take") as Array)
	return _kept


## Whether this command has printed nothing so far. Asked after every step of a
## transaction, and nearly always true.
func is_quiet() -> bool:
	return _kept.is_empty() and (_log == null or _log.get(&"waiting") == 0)


## The first error of this addon's own code, "" when there is none. An aborted
## function gives its caller an empty value, so only the log tells.
func own_fault() -> String:
	if is_quiet():
		return ""
	for entry: Dictionary in entries():
		if entry["kind"] == SCRIPT and (entry["file"] as String).begins_with(OWN_FOLDER):
			return "%s (%s:%d)" % [entry["text"], (entry["file"] as String).get_file(), entry["line"]]
	return ""


## Errors worth telling, oldest first.
func lines() -> Array[String]:
	var out: Array[String] = []
	for entry: Dictionary in entries():
		var text: String = entry["text"]
		if entry["kind"] == WARNING or _is_harmless(text):
			continue
		if (entry["file"] as String).begins_with("res://"):
			text = "%s:%d - %s" % [entry["file"], entry["line"], text]
		if text not in out and out.size() < 20:
			out.append(text.left(500))
	return out


func _is_harmless(text: String) -> bool:
	for known: String in HARMLESS:
		if text.contains(known):
			return true
	return false
