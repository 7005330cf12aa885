@tool
extends RefCounted
## Verdicts without an edit.

const Context := preload("../context.gd")
const Assign := preload("../assign.gd")
const Params := preload("../params.gd")
const Paths := preload("../paths.gd")
const Persistence := preload("../persistence.gd")


func commands() -> Dictionary:
	return {"cmd_node_persistence": node_persistence}


func node_persistence(ctx: Context, p: Dictionary) -> Dictionary:
	var node: Node = Paths.find(ctx, Params.text(p, "node_path"))
	if node == null:
		return {}
	var rules: Persistence = ctx.services.persistence
	rules.begin()
	var verdict: Dictionary = {}
	match Params.text(p, "kind"):
		"property":
			verdict = _property(ctx, node, Params.text(p, "property"))
		"child", "group", "connection":
			verdict = rules.of_node(node, ctx.root)
		"delete":
			verdict = rules.of_removal(node, ctx.root)
		_:
			ctx.fail("bad_params", {"message": "kind must be property, child, group, connection or delete", "param": "kind"})
	if ctx.failed():
		return {}
	var out: Dictionary = {"node_path": Paths.of(ctx.root, node)}
	out.merge(verdict)
	return out


static func _property(ctx: Context, node: Node, property: String) -> Dictionary:
	var near: Array[String] = []
	var target: Assign.Target = Assign.find(ctx, node, property, near, true)
	if target == null:
		return ctx.fail("unknown_property", {"path": Paths.of(ctx.root, node), "property": property, "near": near})
	if target.chain.is_empty():
		return ctx.services.persistence.of_property(node, target.property, ctx.root)
	return ctx.services.persistence.of_resource(node, target.chain, target.property, ctx.root)
