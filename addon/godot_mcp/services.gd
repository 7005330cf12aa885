@tool
extends RefCounted
## What handlers share for as long as the addon runs.

const McpCapture := preload("capture.gd")
const McpDialogs := preload("dialogs.gd")
const McpDockTooltips := preload("dock_tooltips.gd")
const McpKeptSelection := preload("kept_selection.gd")
const McpLanguageClient := preload("language_client.gd")
const McpPersistence := preload("persistence.gd")
const McpSceneBases := preload("scene_bases.gd")
const McpResourceBases := preload("resource_bases.gd")
const McpScanState := preload("scan_state.gd")
const McpSceneMenu := preload("scene_menu.gd")
const McpSceneVersions := preload("scene_versions.gd")
const McpSupply := preload("supply.gd")
const McpScriptValues := preload("script_values.gd")
const McpTabs := preload("tabs.gd")
const McpTypedScripts := preload("typed_scripts.gd")
const McpUndoOrder := preload("undo_order.gd")

var plugin: EditorPlugin
var capture: McpCapture = McpCapture.new()
var dialogs: McpDialogs = McpDialogs.new()
var tooltips: McpDockTooltips = McpDockTooltips.new()
var language: McpLanguageClient = McpLanguageClient.new()
var supply: McpSupply = McpSupply.new()
var persistence: McpPersistence = McpPersistence.new()
var scan: McpScanState = McpScanState.new()
var menu: McpSceneMenu = McpSceneMenu.new()
var tabs: McpTabs = McpTabs.new()
var order: McpUndoOrder = McpUndoOrder.new()
var bases: McpSceneBases = McpSceneBases.new()
var resources: McpResourceBases = McpResourceBases.new()
var typed: McpTypedScripts = McpTypedScripts.new()
var selection: McpKeptSelection = McpKeptSelection.new()
var versions: McpSceneVersions = McpSceneVersions.new()


func start(owner: EditorPlugin) -> void:
	plugin = owner
	persistence.supply = supply
	capture.start()
	scan.start()
	order.start()
	tabs.start(owner, order)
	bases.start(owner)
	resources.start(owner)
	versions.start()
	selection.start()
	tooltips.start()
	McpScriptValues.start(owner.get_tree())
	plugin.scene_saved.connect(_on_scene_saved)


func stop() -> void:
	plugin.scene_saved.disconnect(_on_scene_saved)
	McpScriptValues.stop(plugin.get_tree())
	tooltips.stop()
	selection.stop()
	versions.stop()
	resources.stop()
	bases.stop()
	tabs.stop()
	order.stop()
	scan.stop()
	language.close()
	capture.stop()
	plugin = null


func frame(now: float) -> void:
	tooltips.frame()
	scan.frame()
	resources.frame(now)
	typed.frame(now)
	language.frame(now)


func _on_scene_saved(_path: String) -> void:
	supply.forget()
