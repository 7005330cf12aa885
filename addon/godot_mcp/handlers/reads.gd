@tool
extends RefCounted
## Small reads of the session.

const McpContext := preload("../context.gd")
const McpPaths := preload("../paths.gd")
const McpUndoOrder := preload("../undo_order.gd")
const McpFileWalk := preload("../file_walk.gd")


func commands() -> Dictionary:
	return {
		"cmd_ping": ping,
		"cmd_get_active_scene": get_active_scene,
		"cmd_list_scenes": list_scenes,
		"cmd_list_open_scenes": list_open_scenes,
	}


func ping(_ctx: McpContext, _p: Dictionary) -> Dictionary:
	return {"pong": true}


func get_active_scene(ctx: McpContext, _p: Dictionary) -> Dictionary:
	if ctx.root == null:
		return {"is_open": false, "modified": false, "history_version": 0}
	var out: Dictionary = {
		"is_open": true, "name": str(ctx.root.name), "root_type": ctx.root.get_class(),
		"node_count": _count(ctx.root), "modified": ctx.services.tabs.modified(ctx.services.tabs.active()),
		"history_version": McpUndoOrder.scene_history(ctx.root).get_version(), "version": ctx.services.versions.of(ctx.root),
	}
	if ctx.root.scene_file_path != "":
		out["path"] = ctx.root.scene_file_path
	return out


func list_scenes(ctx: McpContext, _p: Dictionary) -> Dictionary:
	var main: String = main_scene()
	var open: PackedStringArray = ctx.services.tabs.paths()
	var rows: Array[Dictionary] = []
	for path: String in McpFileWalk.files("res://", ["tscn", "scn"]):
		rows.append({
			"path": path, "is_main": path == main, "is_open": path in open,
			"is_active": ctx.root != null and ctx.root.scene_file_path == path,
		})
	var out: Dictionary = {"scenes": rows}
	if main != "":
		out["main_scene"] = main
	return out


func list_open_scenes(ctx: McpContext, _p: Dictionary) -> Dictionary:
	var rows: Array[Dictionary] = []
	var paths: PackedStringArray = ctx.services.tabs.paths()
	var active: int = ctx.services.tabs.active()
	for i: int in paths.size():
		rows.append({
			"path": paths[i], "name": ctx.services.tabs.name_of(i), "active": i == active,
			"modified": ctx.services.tabs.modified(i),
		})
	return {"scenes": rows}


## The project's main scene as a path; "" for none.
static func main_scene() -> String:
	var main: String = str(ProjectSettings.get_setting("application/run/main_scene", ""))
	if main.begins_with("uid://"):
		var id: int = ResourceUID.text_to_id(main)
		return ResourceUID.get_id_path(id) if ResourceUID.has_id(id) else ""
	return main


static func _count(node: Node) -> int:
	var out: int = 1
	for child: Node in node.get_children():
		out += _count(child)
	return out
