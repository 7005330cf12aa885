@tool
extends RefCounted
## Group memberships.

const McpContext := preload("../context.gd")
const McpGroups := preload("../packed_groups.gd")
const McpParams := preload("../params.gd")
const McpPaths := preload("../paths.gd")


func commands() -> Dictionary:
	return {
		"cmd_get_node_groups": get_node_groups,
		"cmd_add_to_group": add_to_group,
		"cmd_remove_from_group": remove_from_group,
	}


func get_node_groups(ctx: McpContext, p: Dictionary) -> Dictionary:
	var node: Node = McpPaths.find(ctx, McpParams.text(p, "node_path"))
	if node == null:
		return {}
	var kept: PackedStringArray = McpGroups.persistent_of(node)
	var rows: Array[Dictionary] = []
	for group: String in McpGroups.all_of(node):
		var from_base: bool = ctx.services.supply.source_of_group(node, ctx.root, group) != ""
		var row: Dictionary = {"name": group, "persistent": group in kept or from_base}
		if from_base:
			row["from_base"] = true
		rows.append(row)
	return {"node_path": McpPaths.of(ctx.root, node), "groups": rows}


func add_to_group(ctx: McpContext, p: Dictionary) -> Dictionary:
	var node: Node = _find(ctx, p)
	if node == null:
		return {}
	var group: String = McpParams.text(p, "group")
	var member: bool = node.is_in_group(group)
	var kept: bool = member and is_persistent(ctx, node, group)
	if not kept:
		if member:
			ctx.edit.run(node, &"remove_from_group", [group], [node, &"add_to_group", group, false])
		ctx.edit.run(node, &"add_to_group", [group, true], [node, &"remove_from_group", group])
	var out: Dictionary = {
		"node_path": McpPaths.of(ctx.root, node), "group": group, "in_group": true, "changed": not kept,
	}
	return ctx.judge(out, node)


func remove_from_group(ctx: McpContext, p: Dictionary) -> Dictionary:
	var node: Node = _find(ctx, p)
	if node == null:
		return {}
	var group: String = McpParams.text(p, "group")
	var member: bool = node.is_in_group(group)
	if member:
		var kept: bool = is_persistent(ctx, node, group)
		ctx.edit.run(node, &"remove_from_group", [group], [node, &"add_to_group", group, kept])
	var out: Dictionary = {
		"node_path": McpPaths.of(ctx.root, node), "group": group, "in_group": false, "changed": member,
	}
	return ctx.judge(out, node, func() -> Dictionary: return ctx.services.persistence.of_group_end(node, group, ctx.root))


static func is_persistent(ctx: McpContext, node: Node, group: String) -> bool:
	return ctx.services.supply.source_of_group(node, ctx.root, group) != "" or group in McpGroups.persistent_of(node)


static func _find(ctx: McpContext, p: Dictionary) -> Node:
	var node: Node = McpPaths.find(ctx, McpParams.text(p, "node_path"))
	var group: String = McpParams.text(p, "group")
	# The editor's own groups begin with an underscore.
	if node != null and (group == "" or group.begins_with("_")):
		ctx.fail("bad_group", {"group": group})
		return null
	return node
