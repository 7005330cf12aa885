@tool
extends RefCounted
## What handlers share for as long as the addon runs.

const Capture := preload("capture.gd")
const Dialogs := preload("dialogs.gd")
const LanguageClient := preload("language_client.gd")
const Persistence := preload("persistence.gd")
const ScanState := preload("scan_state.gd")
const SceneMenu := preload("scene_menu.gd")
const Supply := preload("supply.gd")
const Tabs := preload("tabs.gd")
const UndoOrder := preload("undo_order.gd")

var plugin: EditorPlugin
var capture: Capture = Capture.new()
var dialogs: Dialogs = Dialogs.new()
var language: LanguageClient = LanguageClient.new()
var supply: Supply = Supply.new()
var persistence: Persistence = Persistence.new()
var scan: ScanState = ScanState.new()
var menu: SceneMenu = SceneMenu.new()
var tabs: Tabs = Tabs.new()
var order: UndoOrder = UndoOrder.new()


func start(owner: EditorPlugin) -> void:
	plugin = owner
	persistence.supply = supply
	capture.start()
	scan.start()
	order.start()
	tabs.start(owner, order)
	plugin.scene_saved.connect(_on_scene_saved)


func stop() -> void:
	plugin.scene_saved.disconnect(_on_scene_saved)
	tabs.stop()
	order.stop()
	scan.stop()
	language.close()
	capture.stop()
	plugin = null


func frame(now: float) -> void:
	scan.frame()
	language.frame(now)


func _on_scene_saved(_path: String) -> void:
	supply.forget()
