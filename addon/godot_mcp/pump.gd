@tool
extends RefCounted
## What happens in one frame of the editor: read everything that has arrived, run
## it in order, answer, and choose how long the editor may sleep.
##
## The editor sleeps 6.9 ms a frame (100 ms without focus), which would be the
## latency of every command. While commands come it sleeps here instead, where a
## message wakes it. Focus changes reset the engine's value, hence it is set again
## every frame (engine 4.6 experiments).

## How long a frame waits for a message while commands come.
const BUSY_WAIT_USEC := 700
const IDLE_AFTER := 2.0
## How often such a wait looks: right after a message, when the next one often
## follows at once, and later. Looking costs more than the sleep between.
const EAGER_LOOK_USEC := 20
const LOOK_USEC := 200
const EAGER_FOR := 0.05

const McpLink := preload("link.gd")
const McpRouter := preload("router.gd")

var link: McpLink
var router: McpRouter

var _running: bool = false
var _busy_until: float = -1.0
var _fast: bool = false


func frame(now: float) -> void:
	link.poll(now)
	if now < _busy_until and not _running and not router.waiting():
		link.wait(BUSY_WAIT_USEC, EAGER_LOOK_USEC if _busy_until - now > IDLE_AFTER - EAGER_FOR else LOOK_USEC)
	var got: PackedStringArray = link.receive()
	for text: String in got:
		router.receive(text)
	if got.size() > 0 or router.waiting():
		_busy_until = now + IDLE_AFTER
	_pace(now)
	# Saving in a windowed editor runs the main loop inside a command (engine 4.6
	# experiment): then this is a frame within a command, and only reading is safe.
	if _running:
		return
	_running = true
	router.drain()
	_running = false


## Gives the editor its own pace back.
func rest() -> void:
	if not _fast:
		return
	_fast = false
	OS.low_processor_usage_mode_sleep_usec = _idle_sleep()


func _pace(now: float) -> void:
	if now < _busy_until:
		_fast = true
		if OS.low_processor_usage_mode_sleep_usec > 1:
			OS.low_processor_usage_mode_sleep_usec = 1
	else:
		rest()


func _idle_sleep() -> int:
	var settings: EditorSettings = EditorInterface.get_editor_settings()
	var key: String = "interface/editor/low_processor_mode_sleep_usec"
	var window: Window = EditorInterface.get_base_control().get_window()
	if DisplayServer.get_name() != "headless" and window != null and not window.has_focus():
		key = "interface/editor/unfocused_low_processor_mode_sleep_usec"
	if settings.has_setting(key):
		return settings.get_setting(key) as int
	return 6900
