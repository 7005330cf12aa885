@tool
extends RefCounted
## A client of the editor's own GDScript language server: the only source of all
## errors of a script with lines and columns (engine 4.6 experiment).
##
## The server runs in this very process, so nothing may wait for it: a question is
## put, answers are read frame by frame, and the asker comes again.

const McpArguments := preload("arguments.gd")

enum McpState { IDLE, CONNECTING, INITIALIZING, READY, FOREIGN, DOWN }

## Unanswered longer than this, the server counts as down. Those who ask for a
## check wait some 2 s for it, and the compiler can still answer then.
const ANSWER_LIMIT := 1.2
## Frames that have to pass as well: the server answers in the frames of this editor,
## and those can be long.
const ANSWER_FRAMES := 30
## A refused connection is tried again after this.
const RETRY_AFTER := 1.0
## Another project's server will have the port as long as its editor runs.
const RETRY_FOREIGN_AFTER := 60.0
## An answer that nobody fetched is no longer believed after this.
const FRESH_FOR := 3.0

## The project of the server that answered, when it is not this one.
var foreign_root: String = ""

var _state: McpState = McpState.IDLE
var _peer: StreamPeerTCP = null
var _buffer: PackedByteArray = []
var _now: float = 0.0
var _since: float = 0.0
## Since the last thing that is waited for was put.
var _frames: int = 0
var _ids: int = 0
var _version: int = 0
var _open: Dictionary[String, bool] = {}
## Path -> {sha, asked, text}; sent once connected.
var _questions: Dictionary[String, Dictionary] = {}
## Path -> {sha, time, errors}.
var _answers: Dictionary[String, Dictionary] = {}


func close() -> void:
	if _peer != null:
		_peer.disconnect_from_host()
		_peer = null
	_state = McpState.IDLE
	_open.clear()
	_questions.clear()


## Whether no answer can be had, and the caller has to check otherwise.
func down() -> bool:
	return _state == McpState.DOWN


func foreign() -> bool:
	return _state == McpState.FOREIGN


## The errors of a script with this text, or null while they are not known; asks.
func errors_of(path: String, text: String, sha: String) -> Variant:
	var answer: Dictionary = _answers.get(path, {})
	if not answer.is_empty() and answer["sha"] == sha and _now - float(answer["time"]) < FRESH_FOR:
		_answers.erase(path)
		return answer["errors"]
	var question: Dictionary = _questions.get(path, {})
	if question.is_empty() or (question["sha"] != sha and not question["sent"]):
		_questions[path] = {"sha": sha, "text": text, "asked": _now, "sent": false}
	warm_up()
	_send_questions()
	return null


## Connects when that is worth a try, so that a question finds the server ready.
func warm_up() -> void:
	var wait: float = RETRY_FOREIGN_AFTER if _state == McpState.FOREIGN else RETRY_AFTER
	if _state == McpState.IDLE or (_state in [McpState.DOWN, McpState.FOREIGN] and _now - _since > wait):
		_connect()


func frame(now: float) -> void:
	_now = now
	if _peer == null:
		return
	_peer.poll()
	_frames += 1
	var late: bool = _frames > ANSWER_FRAMES and now - _since > ANSWER_LIMIT
	if late and _state in [McpState.CONNECTING, McpState.INITIALIZING]:
		_fall(McpState.DOWN)
		return
	match _peer.get_status():
		StreamPeerTCP.STATUS_CONNECTED:
			if _state == McpState.CONNECTING:
				_initialize()
			_read()
		StreamPeerTCP.STATUS_CONNECTING:
			pass
		_:
			_fall(McpState.DOWN)
	for path: String in _questions.keys():
		if _frames > ANSWER_FRAMES and now - float(_questions[path]["asked"]) > ANSWER_LIMIT:
			_fall(McpState.DOWN)
			return


func _connect() -> void:
	_close_keeping_questions()
	_peer = StreamPeerTCP.new()
	_since = _now
	_frames = 0
	var port: int = 6005
	var settings: EditorSettings = EditorInterface.get_editor_settings()
	if settings.has_setting("network/language_server/remote_port"):
		port = settings.get_setting("network/language_server/remote_port") as int
	var given: String = McpArguments.value_of("--lsp-port")
	if given != "":
		port = given.to_int()
	if _peer.connect_to_host("127.0.0.1", port) == OK:
		_state = McpState.CONNECTING
	else:
		_fall(McpState.DOWN)


func _close_keeping_questions() -> void:
	var kept: Dictionary[String, Dictionary] = _questions.duplicate()
	close()
	for path: String in kept:
		kept[path]["sent"] = false
		kept[path]["asked"] = _now
	_questions = kept


func _fall(state: McpState) -> void:
	close()
	_state = state
	_since = _now


func _initialize() -> void:
	_state = McpState.INITIALIZING
	_since = _now
	_frames = 0
	var root: String = ProjectSettings.globalize_path("res://").trim_suffix("/")
	_ids += 1
	_write({"jsonrpc": "2.0", "id": _ids, "method": "initialize", "params": {
		"processId": OS.get_process_id(), "rootPath": root, "rootUri": "file://" + root, "capabilities": {},
	}})


func _send_questions() -> void:
	if _state != McpState.READY:
		return
	for path: String in _questions:
		var question: Dictionary = _questions[path]
		if question["sent"]:
			continue
		var uri: String = _uri(path)
		if _open.has(path):
			_write({"jsonrpc": "2.0", "method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})
		_version += 1
		_write({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {
			"uri": uri, "languageId": "gdscript", "version": _version, "text": question["text"],
		}}})
		_open[path] = true
		question["sent"] = true
		_frames = 0


func _write(message: Dictionary) -> void:
	var body: PackedByteArray = JSON.stringify(message).to_utf8_buffer()
	_peer.put_data(("Content-Length: %d\r\n\r\n" % body.size()).to_ascii_buffer() + body)


func _read() -> void:
	var waiting: int = _peer.get_available_bytes()
	if waiting > 0:
		var got: Array = _peer.get_data(waiting)
		_buffer.append_array(got[1] as PackedByteArray)
	while _state != McpState.DOWN:
		var body: PackedByteArray = _next_message()
		if body.is_empty():
			return
		var message: Variant = JSON.parse_string(body.get_string_from_utf8())
		if message is Dictionary:
			_take(message as Dictionary)


func _next_message() -> PackedByteArray:
	var head: String = _buffer.slice(0, 256).get_string_from_ascii()
	var end: int = head.find("\r\n\r\n")
	if end < 0:
		return []
	var length: int = 0
	for line: String in head.left(end).split("\r\n"):
		if line.to_lower().begins_with("content-length:"):
			length = line.get_slice(":", 1).strip_edges().to_int()
	if length <= 0 or _buffer.size() < end + 4 + length:
		return []
	var body: PackedByteArray = _buffer.slice(end + 4, end + 4 + length)
	_buffer = _buffer.slice(end + 4 + length)
	return body


func _take(message: Dictionary) -> void:
	match message.get("method", ""):
		"gdscript_client/changeWorkspace":
			# Sent when its project is not the one that was asked for.
			foreign_root = str((message.get("params", {}) as Dictionary).get("path", ""))
			var own: String = ProjectSettings.globalize_path("res://").trim_suffix("/")
			if foreign_root.trim_suffix("/").to_lower() != own.to_lower():
				_fall(McpState.FOREIGN)
			return
		"textDocument/publishDiagnostics":
			_take_diagnostics(message.get("params", {}) as Dictionary)
			return
	if _state == McpState.INITIALIZING and message.get("result") is Dictionary:
		_state = McpState.READY
		_write({"jsonrpc": "2.0", "method": "initialized", "params": {}})
		_send_questions()


func _take_diagnostics(params: Dictionary) -> void:
	for path: String in _questions.keys():
		var question: Dictionary = _questions[path]
		if not question["sent"] or _uri(path).uri_decode() != str(params.get("uri", "")).uri_decode():
			continue
		var errors: Array[Dictionary] = []
		for finding: Dictionary in params.get("diagnostics", []):
			if int(finding.get("severity", 1)) != 1:
				continue
			var start: Dictionary = (finding.get("range", {}) as Dictionary).get("start", {})
			errors.append({
				"line": int(start.get("line", 0)) + 1, "column": int(start.get("character", 0)) + 1,
				"message": str(finding.get("message", "")),
			})
		_answers[path] = {"sha": question["sha"], "time": _now, "errors": errors}
		_questions.erase(path)


static func _uri(path: String) -> String:
	var parts: PackedStringArray = []
	for part: String in ProjectSettings.globalize_path(path).split("/"):
		parts.append(part.uri_encode())
	return "file://" + "/".join(parts)
