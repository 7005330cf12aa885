@tool
extends RefCounted
## Several commands in one frame, each as if sent alone.

const McpContext := preload("../context.gd")
const McpParams := preload("../params.gd")
const McpRouter := preload("../router.gd")
const McpTransaction := preload("../transaction.gd")
const McpVocabulary := preload("../vocabulary.gd")

var router: McpRouter = null


func commands() -> Dictionary:
	return {"cmd_run_commands": run_commands}


func run_commands(ctx: McpContext, p: Dictionary) -> Dictionary:
	var entries: Array = McpParams.list(p, "commands")
	if entries.is_empty():
		return ctx.fail("empty_batch")
	if ctx.dry_run:
		return {"results": _preview(ctx, entries, McpParams.flag(p, "stop_on_error"))}
	var rows: Array[Dictionary] = []
	for entry: Variant in entries:
		rows.append(_run(entry, false))
		if McpParams.flag(p, "stop_on_error") and not rows[-1]["ok"]:
			break
	return {"results": rows}


func _run(entry: Variant, dry_run: bool) -> Dictionary:
	var ctx: McpContext = router.new_context()
	ctx.dry_run = dry_run
	var result: Dictionary = {}
	var problem: Dictionary = _problem(entry)
	if problem.is_empty():
		var command: String = entry["command"]
		var params: Variant = (entry as Dictionary).get("params")
		result = router.perform(ctx, command, params as Dictionary if params is Dictionary else {})
		if ctx.next.is_valid():
			ctx.next = Callable() # it knows the context, which would never be freed
			ctx.fail("handler_failed", {"command": command, "message": "it takes more than one frame; send it alone"})
		elif result.is_empty() and not ctx.failed():
			ctx.fail("handler_failed", {"command": command, "message": "script error; see the Output panel"})
	else:
		ctx.fail(problem["reason"] as String, problem["details"] as Dictionary)
	return _row(ctx, result)


static func _row(ctx: McpContext, result: Dictionary) -> Dictionary:
	if not ctx.failed():
		return {"ok": true, "result": result}
	var row: Dictionary = {"ok": false}
	row.merge(ctx.fault)
	return row


# Batches in batches are refused: they have one frame and one answer.
static func _problem(entry: Variant) -> Dictionary:
	if not entry is Dictionary or not (entry as Dictionary).get("command") is String:
		return {"reason": "bad_params", "details": {"message": "an entry is {\"command\":..., \"params\":{...}}", "param": "commands"}}
	if entry["command"] == "cmd_run_commands":
		return {"reason": "unknown_command", "details": {"command": "cmd_run_commands"}}
	var params: Variant = (entry as Dictionary).get("params")
	if params != null and not params is Dictionary:
		return {"reason": "bad_params", "details": {"message": "params must be an object", "param": "params"}}
	return {}


# Sessions see the present state, so they go first; then steps, and reads after a
# step, each on what the steps before it would leave.
func _preview(ctx: McpContext, entries: Array, stop: bool) -> Array[Dictionary]:
	var rows: Array[Dictionary] = []
	var inside: PackedInt32Array = []
	for i: int in entries.size():
		if _is_edit(entries[i]) or not inside.is_empty() and _is_read(entries[i]):
			inside.append(i)
			rows.append({})
		else:
			rows.append(_run(entries[i], true))
	if inside.size() == 1:
		rows[inside[0]] = _run(entries[inside[0]], true)
	elif not inside.is_empty():
		router.transaction.preview(ctx, func(run: Callable) -> void:
			for i: int in inside:
				if _is_edit(entries[i]):
					rows[i] = run.call(entries[i]["command"], _params_of(entries[i] as Dictionary))
				else:
					rows[i] = _run(entries[i], true))
	for i: int in rows.size():
		if stop and not rows[i]["ok"]:
			return rows.slice(0, i + 1)
	return rows


static func _is_edit(entry: Variant) -> bool:
	if not _problem(entry).is_empty():
		return false
	var command: String = entry["command"]
	return command == "cmd_transaction" or McpVocabulary.KINDS.get(command, "") == "step"


static func _is_read(entry: Variant) -> bool:
	return _problem(entry).is_empty() and McpVocabulary.KINDS.get(entry["command"], "") == "read"


# A step has no dry_run of its own; all of a preview is one.
static func _params_of(entry: Dictionary) -> Dictionary:
	var params: Dictionary = McpParams.object(entry, "params").duplicate()
	if entry["command"] != "cmd_transaction":
		params.erase("dry_run")
	return params
