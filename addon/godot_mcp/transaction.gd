@tool
extends RefCounted
## Runs steps on the live scene, all or nothing, as one undo action.

const Context := preload("context.gd")
const Edit := preload("edit.gd")
const Params := preload("params.gd")
const Services := preload("services.gd")
const Vocabulary := preload("vocabulary.gd")

var services: Services
## Command name -> handler, filled by the router.
var table: Dictionary = {}


## A step that was sent alone: a transaction of one, with the step's own answer.
func run_step(ctx: Context, command: String, params: Dictionary) -> Dictionary:
	ctx.predict = ctx.dry_run
	_open(ctx)
	var result: Dictionary = _step(ctx, command, params)
	_judge(ctx)
	_close(ctx, title(command))
	ctx.fault.erase("step")
	return {} if ctx.failed() else result


func run(ctx: Context, p: Dictionary) -> Dictionary:
	var steps: Array = Params.list(p, "steps")
	if steps.is_empty():
		return ctx.fail("empty_batch")
	ctx.predict = ctx.dry_run and steps.size() == 1
	_open(ctx)
	var results: Array[Dictionary] = []
	for i: int in steps.size():
		results.append(_entry(ctx, steps[i]))
		if ctx.failed():
			ctx.fault["step"] = i
			break
	_judge(ctx)
	var changed: bool = not ctx.edit.is_empty() or ctx.would_change
	_close(ctx, Params.text(p, "name"))
	if ctx.failed():
		return {}
	var out: Dictionary = {"results": results, "committed": changed and not ctx.dry_run, "undoable": changed}
	if changed:
		out["action"] = Edit.PREFIX + Params.text(p, "name")
	return out


## Previews steps of a batch: each on what those before it leave, each with a verdict
## of its own. [param walk] is given what runs one entry and returns its row.
func preview(ctx: Context, walk: Callable) -> void:
	ctx.dry_run = true
	ctx.predict = false
	_open(ctx)
	walk.call(func(entry: Dictionary) -> Dictionary:
		var mark: int = ctx.edit.mark()
		ctx.verdicts.clear()
		var given: Dictionary = entry.duplicate()
		if given.get("params") is Dictionary:
			given["params"] = (given["params"] as Dictionary).duplicate()
			(given["params"] as Dictionary).erase("dry_run")
		var result: Dictionary = _entry(ctx, given)
		_judge(ctx)
		if not ctx.failed():
			return {"ok": true, "result": result}
		ctx.edit.roll_back_to(mark)
		var row: Dictionary = {"ok": false}
		row.merge(ctx.fault)
		ctx.fault = {}
		return row)
	_close(ctx, "")


## What the history shows for a step that was sent alone.
static func title(command: String) -> String:
	return command.trim_prefix("cmd_").capitalize()


## Begins the record of an edit; for handlers that make more than steps.
func _open(ctx: Context) -> void:
	ctx.edit = Edit.new()
	ctx.refs.clear()
	ctx.verdicts.clear()
	ctx.would_change = false
	if ctx.dry_run:
		ctx.notes["selection"] = EditorInterface.get_selection().get_selected_nodes()


func _entry(ctx: Context, entry: Variant) -> Dictionary:
	var step: Dictionary = entry if entry is Dictionary else {}
	if not step.get("command") is String:
		return ctx.fail("bad_params", {"message": "a step is {\"command\":..., \"params\":{...}}", "param": "steps"})
	var params: Variant = step.get("params")
	if params != null and not params is Dictionary:
		return ctx.fail("bad_params", {"message": "params must be an object", "param": "params"})
	return _step(ctx, step["command"] as String, {} if params == null else params as Dictionary)


func _step(ctx: Context, command: String, params: Dictionary) -> Dictionary:
	match Vocabulary.KINDS.get(command, ""):
		"":
			return ctx.fail("unknown_command", {"command": command})
		"read", "session":
			return ctx.fail("not_a_step", {"command": command})
	var problem: Dictionary = Params.problem(command, params)
	if not problem.is_empty():
		return ctx.fail("bad_params", problem)
	if ctx.root == null:
		return ctx.fail("active_scene")
	var result: Variant = (table[command] as Callable).call(ctx, params)
	if not ctx.failed():
		_check_handler(ctx, command, result)
	return result if result is Dictionary else {}


# A script error ends the function it happens in and gives its caller an empty
# value, which must not pass for an answer.
func _check_handler(ctx: Context, command: String, result: Variant) -> void:
	var message: String = services.capture.own_fault()
	if message == "" and result is Dictionary and not (result as Dictionary).is_empty():
		return
	ctx.fail("handler_failed", {"command": command, "message": message if message != "" else "script error; see the Output panel"})


func _judge(ctx: Context) -> void:
	if ctx.failed():
		return
	services.persistence.begin()
	for pair: Array in ctx.verdicts:
		(pair[0] as Dictionary).merge((pair[1] as Callable).call() as Dictionary)
	services.persistence.begin()
	var message: String = services.capture.own_fault()
	if message != "":
		ctx.fail("handler_failed", {"message": message})


func _close(ctx: Context, name: String) -> void:
	if ctx.failed() or ctx.dry_run:
		ctx.edit.roll_back()
		if ctx.notes.has("selection"):
			_select(ctx.notes["selection"] as Array)
			ctx.notes.erase("selection")
		return
	if not ctx.edit.is_empty():
		ctx.edit.commit(name, ctx.root)
		services.tabs.committed(ctx.root)


# A node that left the tree for a moment was dropped from the selection.
static func _select(nodes: Array) -> void:
	var selection: EditorSelection = EditorInterface.get_selection()
	if selection.get_selected_nodes() == nodes:
		return
	selection.clear()
	for node: Variant in nodes:
		if is_instance_valid(node):
			selection.add_node(node as Node)
