@tool
extends RefCounted
## Verdicts without an edit.

const McpContext := preload("../context.gd")
const McpAssign := preload("../assign.gd")
const McpParams := preload("../params.gd")
const McpPaths := preload("../paths.gd")
const McpPersistence := preload("../persistence.gd")


func commands() -> Dictionary:
	return {"cmd_node_persistence": node_persistence}


func node_persistence(ctx: McpContext, p: Dictionary) -> Dictionary:
	var node: Node = McpPaths.find(ctx, McpParams.text(p, "node_path"))
	if node == null:
		return {}
	var rules: McpPersistence = ctx.services.persistence
	rules.begin()
	var verdict: Dictionary = {}
	match McpParams.text(p, "kind"):
		"property":
			verdict = _property(ctx, node, McpParams.text(p, "property"))
		"child", "group", "connection":
			verdict = rules.of_node(node, ctx.root)
		"delete":
			verdict = rules.of_removal(node, ctx.root)
		_:
			ctx.fail("bad_params", {"message": "kind must be property, child, group, connection or delete", "param": "kind"})
	if ctx.failed():
		return {}
	var out: Dictionary = {"node_path": McpPaths.of(ctx.root, node)}
	out.merge(verdict)
	return out


static func _property(ctx: McpContext, node: Node, property: String) -> Dictionary:
	var near: Array[String] = []
	var target: McpAssign.McpTarget = McpAssign.find(ctx, node, property, near, true)
	if target == null:
		return ctx.fail("unknown_property", {"path": McpPaths.of(ctx.root, node), "property": property, "near": near})
	if target.chain.is_empty():
		return ctx.services.persistence.of_property(node, target.property, ctx.root)
	return ctx.services.persistence.of_resource(node, target.path, target.chain, target.property, ctx.root)
