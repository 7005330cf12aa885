@tool
extends RefCounted
## Renames a node.

const McpBrokenPaths := preload("broken_paths.gd")
const McpContext := preload("context.gd")
const McpNodeNames := preload("node_names.gd")
const McpPaths := preload("paths.gd")


## {old_name, new_name, changed}; the name is what the engine made of it.
static func rename(ctx: McpContext, node: Node, wanted: String) -> Dictionary:
	var source: String = ctx.services.supply.source_of(node, ctx.root)
	if source != "":
		return ctx.fail("node_from_base_scene", {"path": McpPaths.of(ctx.root, node), "source": source})
	if wanted == "" or wanted.validate_node_name() == "":
		return ctx.fail("bad_node_name", {"name": wanted})
	var old: String = node.name
	var parent: Node = null if node == ctx.root else node.get_parent()
	var free: String = McpNodeNames.free_name(parent, wanted, node)
	if free == old:
		return {"old_name": old, "new_name": old, "changed": false}
	var out: Dictionary = {"old_name": old, "new_name": free, "changed": true}
	McpBrokenPaths.note(out, ctx.root, node, node.get_parent(), free)
	if ctx.predict:
		ctx.would_change = true
		return out
	# The engine takes the mark off and does not give it back with the old name.
	if node.unique_name_in_owner and _is_unique_of_other(node, free):
		ctx.edit.run(node, &"set_unique_name_in_owner", [false], [node, &"set_unique_name_in_owner", true])
	node.name = free
	ctx.edit.record(node, &"set_name", [node.name], [node, &"set_name", old])
	out["new_name"] = str(node.name)
	return out


# Whether another node of the same owner has a name as its scene-unique one.
static func _is_unique_of_other(node: Node, name: String) -> bool:
	if node.owner == null:
		return false
	var other: Node = node.owner.get_node_or_null("%" + name)
	return other != null and other != node and other.owner == node.owner
