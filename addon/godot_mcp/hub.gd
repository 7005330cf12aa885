@tool
extends RefCounted
## The addon's parts and how they hang together.

const McpJsonSafe := preload("json_safe.gd")
const McpLink := preload("link.gd")
const McpPump := preload("pump.gd")
const McpRouter := preload("router.gd")
const McpServices := preload("services.gd")
const McpVocabulary := preload("vocabulary.gd")

const VERSION := "0.1.0"
## A long first import must not hide the editor for ever.
const LONGEST_WAIT := 20.0

var services: McpServices = McpServices.new()
var link: McpLink = McpLink.new()
var router: McpRouter = McpRouter.new()

var _pump: McpPump = McpPump.new()
var _session: String = ""
var _started: float = -1.0
var _settled: bool = false


func start(plugin: EditorPlugin) -> void:
	_session = Crypto.new().generate_random_bytes(12).hex_encode()
	services.start(plugin)
	link.hello = _hello
	router.start(services, link)
	_pump.link = link
	_pump.router = router


func stop() -> void:
	_pump.rest()
	link.close()
	link.hello = Callable()
	router.stop()
	services.stop()


## One frame; [param now] is in seconds.
func frame(now: float) -> void:
	services.frame(now)
	if not _settled:
		# Before the first scan the editor knows no classes and has no scenes open.
		if _started < 0.0:
			_started = now
		_settled = services.scan.generation > 0 or now - _started > LONGEST_WAIT
		if _settled:
			services.language.warm_up()
		return
	_pump.frame(now)
	services.tooltips.frame()


func _hello() -> String:
	var commands: Array = router.table.keys() + ["cmd_get_outcome"]
	commands.sort()
	return McpJsonSafe.text({
		"command": "cmd_peer_hello",
		"session": _session,
		"project_path": ProjectSettings.globalize_path("res://").trim_suffix("/"),
		"project_name": str(ProjectSettings.get_setting("application/config/name", "")),
		"godot_version": str(Engine.get_version_info()["string"]),
		"addon_version": VERSION,
		"backend": "godot",
		"pid": OS.get_process_id(),
		"commands": commands,
		"vocabulary_hash": McpVocabulary.HASH,
		"max_bytes": McpLink.MAX_BYTES,
	})
