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
	node.name = free
	ctx.edit.record(node, &"set_name", [node.name], [node, &"set_name", old])
	out["new_name"] = str(node.name)
	return out
