@tool
extends EditorPlugin
## Runs snippets of GDScript that a test sends, past the addon under test.
## Each text message {"id", "code"} is answered with {"id", "result" or "error"}.

var _peer: WebSocketPeer = null
var _busy: bool = false


func _process(_delta: float) -> void:
	var url: String = OS.get_environment("ADDON_LAB_URL")
	if url == "" or _busy:
		return
	if _peer == null:
		_peer = WebSocketPeer.new()
		_peer.inbound_buffer_size = 1 << 24
		_peer.outbound_buffer_size = 1 << 24
		_peer.connect_to_url(url)
	_peer.poll()
	if _peer.get_ready_state() == WebSocketPeer.STATE_CLOSED:
		_peer = null
		return
	_busy = true
	while _peer.get_ready_state() == WebSocketPeer.STATE_OPEN and _peer.get_available_packet_count() > 0:
		await _serve(_peer.get_packet().get_string_from_utf8())
	_busy = false


func _serve(text: String) -> void:
	var message: Dictionary = JSON.parse_string(text)
	var script: GDScript = GDScript.new()
	script.source_code = "@tool\nextends RefCounted\nvar plugin: EditorPlugin\nvar root: Node\nfunc run() -> Variant:\n"
	for line: String in (message["code"] as String).split("\n"):
		script.source_code += "\t" + line + "\n"
	script.source_code += "\treturn null\n"
	var answer: Dictionary = {"id": message["id"]}
	if script.reload() != OK:
		answer["error"] = "the snippet does not compile"
	else:
		var runner: RefCounted = script.new()
		runner.set("plugin", self)
		runner.set("root", EditorInterface.get_edited_scene_root())
		answer["result"] = await runner.call("run")
	_peer.send_text((load("res://addons/godot_mcp/json_safe.gd") as GDScript).call("text", answer) as String)
