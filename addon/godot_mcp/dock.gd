@tool
extends VBoxContainer
## A read-only view of the link for the person at the editor.

const McpHub := preload("hub.gd")
const McpLink := preload("link.gd")

const MOST_ROWS := 30

var _hub: McpHub = null
var _state: Label = Label.new()
var _versions: Label = Label.new()
var _toolsets: Label = Label.new()
var _log: ItemList = ItemList.new()
var _shown: String = ""
var _server_version: String = ""


func _init() -> void:
	name = "Godot MCP"
	for label: Label in [_state, _versions, _toolsets]:
		label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
		add_child(label)
	_log.size_flags_vertical = Control.SIZE_EXPAND_FILL
	_log.custom_minimum_size = Vector2(0, 120)
	add_child(_log)
	_toolsets.text = "Toolsets: unknown"


func watch(hub: McpHub) -> void:
	_hub = hub
	_hub.router.ran.connect(_on_ran)
	_hub.router.noticed.connect(_on_noticed)
	set_process(true)


func _process(_delta: float) -> void:
	if _hub == null:
		return
	var text: String = _describe()
	if text != _shown:
		_shown = text
		_state.text = text
		_versions.text = "Server %s, addon %s, Godot %s" % [
			_server_version if _server_version != "" else "unknown", McpHub.VERSION, Engine.get_version_info()["string"],
		]


## Shows nothing more; the hub goes away.
func leave() -> void:
	set_process(false)
	_hub = null


func _describe() -> String:
	var link: McpLink = _hub.link
	match link.state:
		McpLink.McpState.OPEN:
			return "Connected to %s" % link.url
		McpLink.McpState.REPLACED:
			return "Replaced by another editor. Reload the plugin to take the server back."
	var text: String = "Not connected to %s" % link.url
	if link.attempts > 0:
		text += " (%d attempts)" % link.attempts
	if link.refusal != "":
		text += "\nThe server refused: %s" % link.refusal
	return text


func _on_ran(command: String, code: String, usec: int) -> void:
	var row: int = _log.add_item("%s  %s  %.1f ms" % [command.trim_prefix("cmd_"), code if code != "" else "ok", usec / 1000.0], null, false)
	_log.set_item_tooltip_enabled(row, false)
	while _log.item_count > MOST_ROWS:
		_log.remove_item(0)


func _on_noticed(command: String, params: Dictionary) -> void:
	if command == "cmd_server_hello":
		_server_version = str(params.get("version", ""))
		_shown = ""
	else:
		var enabled: Variant = params.get("enabled")
		var names: PackedStringArray = []
		if enabled is Array:
			for one: Variant in enabled:
				names.append(str(one))
		_toolsets.text = "Toolsets: %s" % (", ".join(names) if not names.is_empty() else "none")
