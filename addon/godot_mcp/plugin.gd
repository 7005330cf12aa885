@tool
extends EditorPlugin
## Lifecycle of the addon: builds the hub, drives it every frame, takes it down.
##
## Nothing is started in a run that imports or exports: such an editor quits by
## itself and must not take the link away from one that a person works in.

const McpArguments := preload("arguments.gd")
const McpDock := preload("dock.gd")
const McpHub := preload("hub.gd")
const McpUnseenInspector := preload("unseen_inspector.gd")

const UNATTENDED: PackedStringArray = [
	"--import", "--export-release", "--export-debug", "--export-pack", "--export-patch", "--doctool",
	"--build-solutions", "--convert-3to4", "--validate-conversion-3to4", "--check-only",
]

var _hub: McpHub = null
var _dock: McpDock = null
var _unseen: McpUnseenInspector = null


func _enter_tree() -> void:
	for argument: String in McpArguments.all():
		if argument in UNATTENDED:
			return
	_hub = McpHub.new()
	_hub.start(self)
	_dock = McpDock.new()
	_dock.watch(_hub)
	add_control_to_dock(DOCK_SLOT_RIGHT_BL, _dock)
	if DisplayServer.get_name() == "headless":
		_unseen = McpUnseenInspector.new()
		add_inspector_plugin(_unseen)
	# Before the editor's own timers, see dock_tooltips.gd.
	process_priority = -1
	set_process(true)


func _exit_tree() -> void:
	if _hub == null:
		return
	set_process(false)
	# A game outlives the editor that started it unless someone ends it
	# (engine 4.6 experiment), also when the editor quits.
	if EditorInterface.is_playing_scene():
		EditorInterface.stop_playing_scene()
	_dock.leave()
	remove_control_from_docks(_dock)
	_dock.queue_free()
	_dock = null
	if _unseen != null:
		remove_inspector_plugin(_unseen)
		_unseen = null
	_hub.stop()
	_hub = null


func _process(_delta: float) -> void:
	if _hub != null:
		_hub.frame(Time.get_ticks_usec() / 1e6)
