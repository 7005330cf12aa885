@tool
extends RefCounted
## From a message to its answer: checks the envelope, keeps the queue and the
## memory of outcomes, runs one command after the other.

const McpContext := preload("context.gd")
const McpJsonSafe := preload("json_safe.gd")
const McpLink := preload("link.gd")
const McpOutcomes := preload("outcomes.gd")
const McpParams := preload("params.gd")
const McpServices := preload("services.gd")
const McpTransaction := preload("transaction.gd")
const McpVocabulary := preload("vocabulary.gd")

const HANDLERS: PackedStringArray = [
	"batch", "classes", "cross_scene", "extract", "files", "filesystem", "groups", "history", "instances", "nodes",
	"project", "properties", "reads", "saving", "scenes", "scripts", "signals", "tree", "verdicts",
]
## Commands through which the editor may show a message box.
const TALKATIVE: PackedStringArray = [
	"cmd_open_scene", "cmd_create_scene", "cmd_save_scene", "cmd_save_all_scenes", "cmd_close_scene", "cmd_reload_scene",
	"cmd_extract_scene", "cmd_undo", "cmd_redo", "cmd_cross_scene_set_property",
]

## What the dock shows: emitted with command, failure code or "", microseconds.
signal ran(command: String, code: String, usec: int)
## The server told its version, or which toolsets are enabled.
signal noticed(command: String, params: Dictionary)

var services: McpServices
var link: McpLink
var table: Dictionary = {}
var transaction: McpTransaction = McpTransaction.new()

var _handlers: Array[RefCounted] = []
var _outcomes: McpOutcomes = McpOutcomes.new()
var _queue: Array[Dictionary] = []
## The command that goes on in a later frame, with its context.
var _running: Dictionary = {}
var _running_ctx: McpContext = null


func start(shared: McpServices, to: McpLink) -> void:
	services = shared
	link = to
	transaction.services = shared
	transaction.table = table
	for family: String in HANDLERS:
		var handler: RefCounted = (load("res://addons/godot_mcp/handlers/%s.gd" % family) as GDScript).new() as RefCounted
		_handlers.append(handler)
		table.merge(handler.call(&"commands") as Dictionary)
		if family == "batch":
			handler.set(&"router", self)
		if family == "extract":
			handler.set(&"transaction", transaction)
	table["cmd_transaction"] = transaction.run


func stop() -> void:
	for handler: RefCounted in _handlers:
		if &"router" in handler:
			handler.set(&"router", null)
	_handlers.clear()
	table.clear()
	_queue.clear()


## Whether a command still waits or runs.
func waiting() -> bool:
	return not _queue.is_empty() or not _running.is_empty()


## Takes one message: answers at once what needs no turn, queues the rest.
func receive(text: String) -> void:
	var parser: JSON = JSON.new()
	if parser.parse(text) != OK or not parser.data is Dictionary:
		_refuse("", "bad_params", {"message": "a message must be one JSON object"})
		return
	var message: Dictionary = parser.data
	if not message.has("command"):
		_take_refusal(message)
		return
	var command: Variant = message["command"]
	if command is String and command in ["cmd_server_hello", "cmd_toolsets_update"]:
		link.healthy()
		var told: Variant = message.get("params")
		noticed.emit(command as String, told as Dictionary if told is Dictionary else {})
		return
	var id: Variant = message.get("id")
	if not id is String or id == "":
		_refuse("", "bad_params", {"message": "\"id\" must be a string", "param": "id"})
		return
	if not command is String:
		_refuse(id as String, "bad_params", {"message": "\"command\" must be a string", "param": "command"})
		return
	var params: Variant = message.get("params")
	if params != null and not params is Dictionary:
		_refuse(id as String, "bad_params", {"message": "\"params\" must be an object", "param": "params"})
		return
	var entry: Dictionary = {"id": id, "command": command, "params": {} if params == null else params}
	if command == "cmd_get_outcome":
		_send(id as String, _tell_outcome(id as String, entry["params"] as Dictionary))
	else:
		_enqueue(entry)


## Runs what waits, in order.
func drain() -> void:
	if not _running.is_empty() and not _go_on():
		return
	while not _queue.is_empty():
		var entry: Dictionary = _queue.pop_front()
		if not _start(entry):
			return


## Runs one command outside of the queue, as run_commands does; a fault or result.
func perform(ctx: McpContext, command: String, params: Dictionary) -> Dictionary:
	if McpVocabulary.KINDS.get(command, "read") == "read":
		return _perform(ctx, command, params)
	var selected: Array = services.selection.before()
	var result: Dictionary = _perform(ctx, command, params)
	services.selection.keep(selected)
	return result


func _perform(ctx: McpContext, command: String, params: Dictionary) -> Dictionary:
	var kind: String = McpVocabulary.KINDS.get(command, "")
	if kind == "" or not table.has(command):
		return ctx.fail("unknown_command", {"command": command})
	var given: Dictionary = params
	if kind == "step" and given.has("dry_run"):
		# Steps have no dry_run of their own: a step alone is a transaction of one.
		given = params.duplicate()
		ctx.dry_run = ctx.dry_run or given["dry_run"] == true
		given.erase("dry_run")
	elif kind == "session":
		ctx.dry_run = ctx.dry_run or McpParams.flag(given, "dry_run")
	if kind == "step":
		return transaction.run_step(ctx, command, given)
	var problem: Dictionary = McpParams.problem(command, given)
	if not problem.is_empty():
		return ctx.fail("bad_params", problem)
	if given.has("expected_version") and not services.versions.is_expected(ctx, _scene_of(ctx, command, given), McpParams.text(given, "expected_version")):
		return {}
	var result: Variant = (table[command] as Callable).call(ctx, given)
	return result if result is Dictionary else {}


# The scene that a command acts on; null for one that is not open.
func _scene_of(ctx: McpContext, command: String, params: Dictionary) -> Node:
	var path: String = McpParams.text(params, "scene_path")
	if command != "cmd_close_scene" or path == "":
		return ctx.root
	var at: int = services.tabs.paths().find(path)
	return services.tabs.roots()[at] if at >= 0 else null


func new_context() -> McpContext:
	var ctx: McpContext = McpContext.new()
	ctx.services = services
	ctx.root = EditorInterface.get_edited_scene_root()
	return ctx


func _enqueue(entry: Dictionary) -> void:
	var id: String = entry["id"]
	match _outcomes.state_of(id):
		McpOutcomes.DONE:
			_send(id, _outcomes.answer_of(id))
		McpOutcomes.UNKNOWN:
			_outcomes.queued(id, McpVocabulary.KINDS.get(entry["command"], "read") == "read")
			_queue.append(entry)
		# Queued or running: its own answer is still to come.


# Whether the command has ended.
func _start(entry: Dictionary) -> bool:
	var command: String = entry["command"]
	_outcomes.running(entry["id"] as String)
	entry["since"] = Time.get_ticks_usec()
	services.capture.begin()
	if command in TALKATIVE:
		services.dialogs.begin()
	var ctx: McpContext = new_context()
	services.versions.busy = true
	var result: Dictionary = perform(ctx, command, entry["params"] as Dictionary)
	services.versions.busy = false
	services.resources.note_new()
	return _settle(entry, ctx, result)


func _go_on() -> bool:
	var entry: Dictionary = _running
	var ctx: McpContext = _running_ctx
	_running = {}
	_running_ctx = null
	var what: Callable = ctx.next
	ctx.next = Callable()
	ctx.root = EditorInterface.get_edited_scene_root()
	services.versions.busy = true
	var result: Variant = what.call()
	services.versions.busy = false
	services.resources.note_new()
	return _settle(entry, ctx, result as Dictionary if result is Dictionary else {})


func _settle(entry: Dictionary, ctx: McpContext, result: Dictionary) -> bool:
	if McpVocabulary.KINDS.get(entry["command"], "read") != "read":
		services.selection.settle()
	if ctx.next.is_valid() and not ctx.failed():
		_running = entry
		_running_ctx = ctx
		return false
	var command: String = entry["command"]
	var told: Array[String] = []
	if command in TALKATIVE:
		told = services.dialogs.take()
	if not ctx.failed() or ctx.fault["reason"] == "handler_failed":
		_check_result(ctx, command, result)
	services.capture.end()
	var reply: Dictionary = {"id": entry["id"], "ok": not ctx.failed()}
	if ctx.failed():
		reply.merge(ctx.fault)
		var lines: Array[String] = services.capture.lines()
		lines.append_array(told)
		if not lines.is_empty():
			reply["log"] = lines
	else:
		reply["result"] = result
	_answer(entry, reply)
	return true


func _check_result(ctx: McpContext, command: String, result: Dictionary) -> void:
	var message: String = services.capture.own_fault()
	if message == "" and (ctx.failed() or not result.is_empty()):
		return
	if message == "":
		message = "script error; see the Output panel"
	ctx.fault = {}
	ctx.fail("handler_failed", {"command": command, "message": message})


func _answer(entry: Dictionary, reply: Dictionary) -> void:
	var id: String = entry["id"]
	var text: String = McpJsonSafe.text(reply)
	if text.length() > McpLink.MAX_BYTES >> 2:
		var size: int = text.to_utf8_buffer().size()
		if size > McpLink.MAX_BYTES:
			reply = _failure(id, "too_big", {"limit": McpLink.MAX_BYTES, "size": size})
			text = McpJsonSafe.text(reply)
	_outcomes.done(id, text)
	_send(id, text)
	ran.emit(entry["command"] as String, str(reply.get("error", "")), Time.get_ticks_usec() - int(entry["since"]))


func _tell_outcome(id: String, params: Dictionary) -> String:
	var problem: Dictionary = McpParams.problem("cmd_get_outcome", params)
	if not problem.is_empty():
		return McpJsonSafe.text(_failure(id, "bad_params", problem))
	var asked: String = McpParams.text(params, "id")
	var state: int = _outcomes.state_of(asked)
	if state == McpOutcomes.DONE:
		# The answer is JSON text already.
		return "{\"id\":%s,\"ok\":true,\"result\":{\"state\":\"done\",\"answer\":%s}}" % [McpJsonSafe.text(id), _outcomes.answer_of(asked)]
	return McpJsonSafe.text({"id": id, "ok": true, "result": {"state": McpOutcomes.NAMES[state]}})


# A message without a command is a notice of the server and gets no answer.
func _take_refusal(message: Dictionary) -> void:
	if message.get("ok") != false:
		return
	if message.get("error") == "PEER_REPLACED":
		link.replaced()
	link.refusal = str(message.get("reason", message.get("error", "refused")))


func _refuse(id: String, reason: String, details: Dictionary) -> void:
	_send(id, McpJsonSafe.text(_failure(id, reason, details)))


static func _failure(id: String, reason: String, details: Dictionary) -> Dictionary:
	return {"id": id, "ok": false, "error": McpVocabulary.CODES[reason], "reason": reason, "details": details}


func _send(id: String, text: String) -> void:
	if not link.send(text) and link.state == McpLink.McpState.OPEN:
		push_warning("Godot MCP: the answer to command %s could not be sent." % id)
