@tool
extends RefCounted
## Runs steps on the live scene, all or nothing, as one undo action.

const McpContext := preload("context.gd")
const McpEdit := preload("edit.gd")
const McpParams := preload("params.gd")
const McpPersistence := preload("persistence.gd")
const McpQuiet := preload("quiet.gd")
const McpServices := preload("services.gd")
const McpVocabulary := preload("vocabulary.gd")

var services: McpServices
## Command name -> handler, filled by the router.
var table: Dictionary = {}


## A step that was sent alone: a transaction of one, with the step's own answer.
func run_step(ctx: McpContext, command: String, params: Dictionary) -> Dictionary:
	var problem: Dictionary = McpParams.problem(command, params)
	if not problem.is_empty():
		return ctx.fail("bad_params", problem)
	if ctx.need_root() == null:
		return {}
	ctx.alone = true
	ctx.predict = ctx.dry_run
	_open(ctx)
	var result: Dictionary = _step(ctx, command, params)
	_settle(ctx)
	_judge(ctx)
	_close(ctx, command)
	return {} if ctx.failed() else result


func run(ctx: McpContext, p: Dictionary) -> Dictionary:
	var steps: Array = McpParams.list(p, "steps")
	if not _checked(ctx, steps) or ctx.need_root() == null:
		return {}
	ctx.alone = steps.size() == 1
	ctx.predict = ctx.dry_run and ctx.alone
	_open(ctx)
	var results: Array[Dictionary] = _all(ctx, steps)
	_judge(ctx)
	var changed: bool = not ctx.edit.is_empty() or ctx.would_change
	_close(ctx, McpParams.text(p, "name"))
	return {} if ctx.failed() else _answer(p, results, changed, ctx.dry_run)


## Previews entries of a batch: steps go on from what the entries before them leave,
## each with a verdict of its own. [param walk] is given what runs one of them.
func preview(ctx: McpContext, walk: Callable) -> void:
	ctx.dry_run = true
	ctx.alone = false
	ctx.predict = false
	_open(ctx)
	walk.call(func(command: String, params: Dictionary) -> Dictionary: return _preview_entry(ctx, command, params))
	_close(ctx, "")


func _preview_entry(ctx: McpContext, command: String, params: Dictionary) -> Dictionary:
	var mark: int = ctx.edit.mark()
	var whole: bool = command == "cmd_transaction"
	var steps: Array = McpParams.list(params, "steps") if whole else [{"command": command, "params": params}]
	var result: Dictionary = {}
	ctx.verdicts.clear()
	if _checked(ctx, steps) and ctx.need_root() != null:
		var results: Array[Dictionary] = _all(ctx, steps)
		_judge(ctx)
		result = results[0]
		if whole and not ctx.failed():
			result = _answer(params, results, ctx.edit.mark() > mark, McpParams.flag(params, "dry_run"))
	if ctx.failed() or (whole and McpParams.flag(params, "dry_run")):
		ctx.edit.roll_back_to(mark)
	var row: Dictionary = {"ok": not ctx.failed()}
	if not ctx.failed():
		row["result"] = result
		return row
	if not whole:
		ctx.fault.erase("step")
	row.merge(ctx.fault)
	ctx.fault = {}
	return row


func _open(ctx: McpContext) -> void:
	ctx.edit = McpEdit.new()
	ctx.edit.quiet.start(ctx.root)
	ctx.refs.clear()
	ctx.verdicts.clear()
	ctx.would_change = false


# The shape of all steps is looked at before the first one runs.
func _checked(ctx: McpContext, steps: Array) -> bool:
	if steps.is_empty():
		ctx.fail("empty_batch")
	for i: int in steps.size():
		if not _check(ctx, steps[i]):
			ctx.fault["step"] = i
			break
	return not ctx.failed()


static func _check(ctx: McpContext, entry: Variant) -> bool:
	var step: Dictionary = entry if entry is Dictionary else {}
	if not step.get("command") is String:
		ctx.fail("bad_params", {"message": "a step is {\"command\":..., \"params\":{...}}", "param": "steps"})
		return false
	var command: String = step["command"]
	var kind: String = McpVocabulary.KINDS.get(command, "")
	if kind != "step":
		ctx.fail("unknown_command" if kind == "" else "not_a_step", {"command": command})
		return false
	var params: Variant = step.get("params")
	if params != null and not params is Dictionary:
		ctx.fail("bad_params", {"message": "params must be an object", "param": "params"})
		return false
	var problem: Dictionary = McpParams.problem(command, {} if params == null else params as Dictionary)
	if not problem.is_empty():
		ctx.fail("bad_params", problem)
		return false
	return true


func _all(ctx: McpContext, steps: Array) -> Array[Dictionary]:
	var results: Array[Dictionary] = []
	for i: int in steps.size():
		var step: Dictionary = steps[i]
		results.append(_step(ctx, step["command"] as String, McpParams.object(step, "params")))
		if not ctx.fault.is_empty():
			ctx.fault["step"] = i
			break
	_settle(ctx)
	return results


static func _settle(ctx: McpContext) -> void:
	if ctx.edit.tabs_unsettled():
		ctx.edit.quiet.hush()
		ctx.edit.settle_tabs()
	ctx.edit.quiet.mend()


func _step(ctx: McpContext, command: String, params: Dictionary) -> Dictionary:
	if command in McpQuiet.COMMANDS:
		ctx.edit.quiet.mend()
	else:
		ctx.edit.quiet.hush()
	var result: Variant = (table[command] as Callable).call(ctx, params)
	var out: Dictionary = result if result is Dictionary else {}
	# A script error ends the function it happens in and gives its caller an empty
	# value, which must not pass for an answer.
	if ctx.fault.is_empty() and (out.is_empty() or not services.capture.is_quiet()):
		_blame_handler(ctx, command, out)
	return out


func _blame_handler(ctx: McpContext, command: String, result: Dictionary) -> void:
	var message: String = services.capture.own_fault()
	if message != "" or result.is_empty():
		ctx.fail("handler_failed", {"command": command, "message": message if message != "" else "script error; see the Output panel"})


static func _answer(p: Dictionary, results: Array[Dictionary], changed: bool, dry_run: bool) -> Dictionary:
	var out: Dictionary = {"results": results, "committed": changed and not dry_run, "undoable": changed}
	if out["committed"]:
		out["action"] = McpEdit.PREFIX + McpParams.text(p, "name")
	return out


func _judge(ctx: McpContext) -> void:
	if ctx.failed():
		return
	services.persistence.begin()
	# Whose children are kept when the edited root owns them.
	var keeper: Node = null
	for entry: Array in ctx.verdicts:
		var node: Node = entry[1]
		var verdict: Callable = entry[2]
		if keeper != null and verdict.is_null() and node.get_parent() == keeper and node.owner == ctx.root:
			(entry[0] as Dictionary).merge(McpPersistence.KEPT)
			continue
		# What a later step removed has nothing to keep or lose.
		if node != null and node != ctx.root and not ctx.root.is_ancestor_of(node):
			(entry[0] as Dictionary).merge(McpPersistence.KEPT)
		elif verdict.is_null():
			var own: Dictionary = services.persistence.of_node(node, ctx.root)
			(entry[0] as Dictionary).merge(own)
			keeper = node.get_parent() if own["persisted"] and node != ctx.root else null
		else:
			(entry[0] as Dictionary).merge(verdict.call() as Dictionary)
	services.persistence.begin()
	var message: String = services.capture.own_fault()
	if message != "":
		ctx.fail("handler_failed", {"message": message})


func _close(ctx: McpContext, name: String) -> void:
	# These know the context, which knows them: neither, nor the resources that they
	# hold, would ever be freed.
	ctx.verdicts.clear()
	if ctx.failed() or ctx.dry_run:
		ctx.edit.roll_back()
		return
	if not ctx.edit.is_empty():
		ctx.edit.commit(name, ctx.root)
		services.tabs.committed(ctx.root)
