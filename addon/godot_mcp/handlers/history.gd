@tool
extends RefCounted
## The undo history that a person at the editor sees.

const Context := preload("../context.gd")
const Edit := preload("../edit.gd")
const Params := preload("../params.gd")
const UndoOrder := preload("../undo_order.gd")

const MOST_RECENT := 20


func commands() -> Dictionary:
	return {"cmd_undo": undo, "cmd_redo": redo, "cmd_list_history": list_history}


func undo(ctx: Context, p: Dictionary) -> Dictionary:
	return _move(ctx, p, false)


func redo(ctx: Context, p: Dictionary) -> Dictionary:
	return _move(ctx, p, true)


func _move(ctx: Context, p: Dictionary, forward: bool) -> Dictionary:
	var count: int = Params.number(p, "count")
	if count < 1:
		return ctx.fail("bad_params", {"message": "count must be at least 1", "param": "count"})
	var ahead: PackedStringArray = ctx.services.order.ahead(ctx.root, count, forward)
	var out: Dictionary = {"done": 0, "requested": count, "available": not ahead.is_empty()}
	if not ahead.is_empty():
		out["next"] = ahead[0]
	var done: int = 0
	for name: String in ahead:
		# What a person did is theirs to undo.
		if not name.begins_with(Edit.PREFIX):
			out["stopped_by"] = "human_edit"
			break
		if not ctx.dry_run:
			if not ctx.services.menu.press(forward, ctx.root):
				break
			out["last_action"] = name
		done += 1
	if not ctx.dry_run:
		out["done"] = done
		ctx.services.tabs.moved(EditorInterface.get_edited_scene_root())
	return out


func list_history(ctx: Context, _p: Dictionary) -> Dictionary:
	var order: UndoOrder = ctx.services.order
	var back: PackedStringArray = order.ahead(ctx.root, MOST_RECENT, false)
	var recent: Array[Dictionary] = []
	for name: String in back:
		recent.push_front({"name": name, "ours": name.begins_with(Edit.PREFIX)})
	var history: UndoRedo = UndoOrder.scene_history(ctx.root) if ctx.root != null else order.global_history()
	return {
		"version": 0 if history == null else history.get_version(), "has_undo": not back.is_empty(),
		"has_redo": not order.ahead(ctx.root, 1, true).is_empty(), "current_action": "" if back.is_empty() else back[0],
		"depth": order.depth(ctx.root), "recent": recent,
	}
