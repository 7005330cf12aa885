@tool
extends EditorPlugin
## The scenario runner's eyes and hands in a real editor, past the addon under
## test. Dials GODOT_MCP_LAB_URL; each text message {"id", "op", "args"} is
## answered with {"id", "ok", "result" or "error"}.

const Dump := preload("dump.gd")
const Order := preload("order.gd")
const Person := preload("person.gd")

var _peer: WebSocketPeer
var _url := ""
var _person: Person
var _order: Order
var _busy := false
## The addon under test.
var _addon: Node
## Whether the runner was ever there.
var _met := false
## Settings that the present scenario's project.godot set, to be unset by the next.
var _settings := PackedStringArray()
## The uids of the files that a scenario has had.
var _uids: Dictionary[int, bool] = {}


func _enter_tree() -> void:
	_url = OS.get_environment("GODOT_MCP_LAB_URL")
	_person = Person.new(get_undo_redo())
	_order = Order.new(get_undo_redo())
	# An editor that was restarted has the settings of the scenario before.
	_settings = _names_in(FileAccess.get_file_as_string("res://project.godot"))
	set_process(not _url.is_empty())


func _process(_delta: float) -> void:
	if _busy:
		return
	if _peer == null:
		_peer = WebSocketPeer.new()
		_peer.inbound_buffer_size = 32 << 20
		_peer.outbound_buffer_size = 32 << 20
		_peer.connect_to_url(_url)
	_peer.poll()
	var state := _peer.get_ready_state()
	if state == WebSocketPeer.STATE_CLOSED:
		if _met:
			# The runner is gone; an editor that stays would go on for ever.
			get_tree().quit()
		_peer = null
		return
	_met = _met or state == WebSocketPeer.STATE_OPEN
	_busy = true
	while state == WebSocketPeer.STATE_OPEN and _peer.get_available_packet_count() > 0:
		await _serve(_peer.get_packet().get_string_from_utf8())
		if _peer == null:
			break
	_busy = false


func _serve(text: String) -> void:
	var message: Dictionary = JSON.parse_string(text)
	var args: Array = message.get("args", [])
	var result: Variant = null
	var error := ""
	# The editor sleeps 6.9 ms a frame otherwise, and much of what is asked takes frames.
	OS.low_processor_usage_mode_sleep_usec = mini(OS.low_processor_usage_mode_sleep_usec, 300)
	match str(message.op):
		"look":
			result = Dump.look(_order)
		"glance":
			result = Dump.glance(_order)
		"peek":
			result = Dump.peek(_order)
		"load":
			result = Dump.loaded(str(args[0]))
		"human":
			error = await _person.act(PackedStringArray(args))
		"close_all":
			await _close_all()
		"sync":
			_apply_settings(str(args[0]))
			_drop_classes()
			await _scan()
			_part_with_last()
			_forget_ids()
			_note_uids()
		"scan":
			await _scan()
			_note_uids()
		"redial":
			error = _redial(args)
		"quit":
			if EditorInterface.is_playing_scene():
				EditorInterface.stop_playing_scene()
			await _layout_kept()
			get_tree().quit()
		_:
			error = "unknown op %s" % message.op
	var answer := JSON.stringify({"id": message.id, "ok": error.is_empty(), "error": error, "result": result}, "", false, true)
	for code in range(1, 32): # the engine leaves them as they are (4.6), which is no JSON
		answer = answer.replace(char(code), "\\u%04x" % code)
	_peer.send_text(answer)


## Makes the addon under test dial now, whatever the last scenario left it in; with
## [param to] another URL, with a token.
func _redial(to: Array) -> String:
	if not is_instance_valid(_addon):
		for plugin in get_tree().root.find_children("*", "EditorPlugin", true, false):
			var script: Script = plugin.get_script()
			if script != null and script.resource_path.begins_with("res://addons/godot_mcp/"):
				_addon = plugin
	if not is_instance_valid(_addon):
		return "the addon is not there"
	var link: Object = _addon.get("_hub").get("link")
	link.call("_drop")
	if not to.is_empty():
		link.set("url", to[0])
		link.set("token", to[1])
	link.set("state", 0)
	link.set("_retry_at", 0.0)
	link.set("_delay", 0.5)
	return ""


## The editor writes its open scenes half a second after the last change of them; who
## leaves by its menu has them written at once.
func _layout_kept() -> void:
	var layout := EditorInterface.get_editor_paths().get_project_settings_dir().path_join("editor_layout.cfg")
	for tenth in 30:
		var config := ConfigFile.new()
		var written := PackedStringArray()
		if config.load(layout) == OK:
			written = config.get_value("EditorNode", "open_scenes", PackedStringArray())
		if written == EditorInterface.get_open_scenes():
			return
		await get_tree().create_timer(0.1).timeout


func _close_all() -> void:
	for window in get_tree().get_nodes_in_group(&"_viewports"):
		if window is AcceptDialog and window.visible:
			window.hide()
	for i in 64:
		if EditorInterface.get_open_scene_roots().is_empty() and EditorInterface.get_edited_scene_root() == null:
			break
		EditorInterface.close_scene()
		await get_tree().process_frame
	EditorInterface.get_selection().clear()
	_forget_selections()
	# What was typed into scripts and not saved is not to be saved by the next scenario.
	for tab in EditorInterface.get_script_editor().get_open_script_editors():
		if tab.get_base_editor() is TextEdit:
			(tab.get_base_editor() as TextEdit).tag_saved_version()
	_empty_scripts()
	# The tab that is left takes the next scene; its version must be that of a new one.
	get_undo_redo().clear_history(EditorUndoRedoManager.INVALID_HISTORY, false)
	_forget_uids()


## The editor notes beside the project what was selected in a scene at a save.
func _forget_selections() -> void:
	var folder := EditorInterface.get_editor_paths().get_project_settings_dir()
	for file in DirAccess.get_files_at(folder):
		if file.contains("-editstate-"):
			DirAccess.remove_absolute(folder.path_join(file))


func _names_in(text: String) -> PackedStringArray:
	var out := PackedStringArray()
	var config := ConfigFile.new()
	if config.parse(text) == OK:
		for section in config.get_sections():
			for key in config.get_section_keys(section):
				if section != "editor_plugins":
					out.append(key if section.is_empty() else section + "/" + key)
	return out


## Makes the running editor's settings those of a project.godot text, without saving.
func _apply_settings(text: String) -> void:
	var config := ConfigFile.new()
	if config.parse(text) != OK:
		return
	var now := PackedStringArray()
	for section in config.get_sections():
		for key in config.get_section_keys(section):
			var name := key if section.is_empty() else section + "/" + key
			if name.begins_with("editor_plugins/"):
				continue
			ProjectSettings.set_setting(name, config.get_value(section, key))
			now.append(name)
	for name in _settings:
		if name not in now:
			ProjectSettings.set_setting(name, ProjectSettings.property_get_revert(name) if ProjectSettings.property_can_revert(name) else null)
	_settings = now


## The editor keeps a script that it has compiled, and with it what the script preloads:
## a scene of this scenario would be in memory in the next one already.
func _empty_scripts() -> void:
	for path in _project_files("res://"):
		if path.get_extension() == "gd" and ResourceLoader.has_cached(path):
			var script := load(path) as GDScript
			if script != null and script.source_code.contains("preload"):
				script.set_source_code("")
				script.reload(true)


## A scan does not make the editor forget the class of a file that is gone.
func _drop_classes() -> void:
	for entry in ProjectSettings.get_global_class_list():
		if not FileAccess.file_exists(str(entry.path)):
			EditorInterface.get_resource_filesystem().update_file(str(entry.path))


## What the last scenario had in memory under the same path may still be alive somewhere
## in the editor, and a scan does not make it read its file again: it gets out of the way.
func _part_with_last() -> void:
	var inside := RegEx.create_from_string("(?m)^\\[sub_resource [^\\]]*id=\"([^\"]+)\"")
	for path in _project_files("res://"):
		if path.get_extension() not in ["gd", "tscn", "tres"]:
			continue
		_part_with(path)
		if path.get_extension() != "gd":
			for found in inside.search_all(FileAccess.get_file_as_string(path)):
				_part_with(path + "::" + found.get_string(1))


func _part_with(path: String) -> void:
	if not ResourceLoader.has_cached(path):
		return
	var last := load(path)
	var script := last as GDScript
	if script == null or script not in EditorInterface.get_script_editor().get_open_scripts():
		last.resource_path = ""
	elif script.source_code != FileAccess.get_file_as_string(path):
		script.set_source_code(FileAccess.get_file_as_string(path))
		script.reload(true)


## The editor remembers for its whole life by what id a file referred to another.
func _forget_ids() -> void:
	var files := _project_files("res://")
	for path in files:
		var resource: Resource = null
		if ResourceLoader.has_cached(path):
			resource = load(path)
		else:
			resource = Resource.new()
			resource.resource_path = path
		for from in files:
			if from.get_extension() in ["tscn", "tres"]:
				resource.set_id_for_path(from, "")


## A uid that is known already would not be drawn for the same file again, also when a
## scenario has deleted the file.
func _forget_uids() -> void:
	_note_uids()
	for id in _uids:
		if ResourceUID.has_id(id):
			ResourceUID.remove_id(id)
	_uids.clear()


func _note_uids() -> void:
	for path in _project_files("res://"):
		var id := ResourceLoader.get_resource_uid(path)
		if id != ResourceUID.INVALID_ID:
			_uids[id] = true


func _project_files(folder: String) -> PackedStringArray:
	var out := PackedStringArray()
	for name in DirAccess.get_files_at(folder):
		if name.get_extension() not in ["uid", "import", "godot"]:
			out.append(folder.path_join(name))
	for name in DirAccess.get_directories_at(folder):
		if name not in ["addons", ".godot"]:
			out.append_array(_project_files(folder.path_join(name)))
	return out


func _scan() -> void:
	var files := EditorInterface.get_resource_filesystem()
	while files.is_scanning():
		await get_tree().process_frame
	files.scan()
	var quiet := 0
	while quiet < 6:
		await get_tree().process_frame
		quiet = 0 if files.is_scanning() else quiet + 1
