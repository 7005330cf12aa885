@tool
extends RefCounted
## The undo history that a person at the editor sees.

const McpContext := preload("../context.gd")
const McpEdit := preload("../edit.gd")
const McpFileChange := preload("../file_change.gd")
const McpParams := preload("../params.gd")
const McpUndoOrder := preload("../undo_order.gd")

const MOST_RECENT := 20


func commands() -> Dictionary:
	return {"cmd_undo": undo, "cmd_redo": redo, "cmd_list_history": list_history}


func undo(ctx: McpContext, p: Dictionary) -> Dictionary:
	return _move(ctx, p, false)


func redo(ctx: McpContext, p: Dictionary) -> Dictionary:
	return _move(ctx, p, true)


func _move(ctx: McpContext, p: Dictionary, forward: bool) -> Dictionary:
	var count: int = McpParams.number(p, "count")
	if count < 1:
		return ctx.fail("bad_params", {"message": "count must be at least 1", "param": "count"})
	# One more than asked for: it is the next one afterwards.
	var ahead: PackedStringArray = ctx.services.order.ahead(ctx.root, count + 1, forward)
	var files: Array[McpFileChange] = ctx.services.order.files_ahead(ctx.root, count + 1, forward)
	# What a preview would have left in each file so far.
	var left: Dictionary[String, Variant] = {}
	var out: Dictionary = {"done": 0, "requested": count, "available": not ahead.is_empty()}
	for i: int in ahead.size():
		if i == count:
			out["next"] = ahead[i]
			break
		# What a person did is theirs to undo.
		if not ahead[i].begins_with(McpEdit.PREFIX):
			out["next"] = ahead[i]
			out["stopped_by"] = "human_edit"
			break
		# So is what was written to a file since, by whatever program.
		var file: McpFileChange = files[i]
		if file != null:
			if left.get(file.path, file.bytes_now()) != file.bytes_left(not forward):
				out["next"] = ahead[i]
				out["stopped_by"] = "changed"
				break
			if ctx.dry_run:
				left[file.path] = file.bytes_left(forward)
		if not ctx.dry_run and not ctx.services.menu.press(forward, ctx.root):
			out["next"] = ahead[i]
			break
		out["last_action"] = ahead[i]
		out["done"] = i + 1
	if not ctx.dry_run:
		ctx.services.tabs.moved(EditorInterface.get_edited_scene_root())
	return out


func list_history(ctx: McpContext, _p: Dictionary) -> Dictionary:
	var order: McpUndoOrder = ctx.services.order
	var back: PackedStringArray = order.ahead(ctx.root, MOST_RECENT, false)
	var recent: Array[Dictionary] = []
	for name: String in back:
		recent.push_front({"name": name, "ours": name.begins_with(McpEdit.PREFIX)})
	var history: UndoRedo = McpUndoOrder.scene_history(ctx.root) if ctx.root != null else order.global_history()
	return {
		"version": 0 if history == null else history.get_version(), "has_undo": not back.is_empty(),
		"has_redo": not order.ahead(ctx.root, 1, true).is_empty(), "current_action": "" if back.is_empty() else back[0],
		"depth": order.depth(ctx.root), "recent": recent,
	}
