@tool
extends RefCounted
## Properties of nodes: reading, listing, setting.

const McpAssign := preload("../assign.gd")
const McpContext := preload("../context.gd")
const McpNear := preload("../near.gd")
const McpParams := preload("../params.gd")
const McpPaths := preload("../paths.gd")
const McpScriptChange := preload("../script_change.gd")
const McpScriptVariables := preload("../script_variables.gd")
const McpOut := preload("../values_out.gd")
const McpTypeNames := preload("../type_names.gd")


func commands() -> Dictionary:
	return {
		"cmd_get_node_property": get_node_property,
		"cmd_get_node_property_list": get_node_property_list,
		"cmd_set_node_property": set_node_property,
	}


func get_node_property(ctx: McpContext, p: Dictionary) -> Dictionary:
	var node: Node = McpPaths.find(ctx, McpParams.text(p, "node_path"))
	if node == null:
		return {}
	var property: String = McpParams.text(p, "property")
	var near: Array[String] = []
	var target: McpAssign.McpTarget = McpAssign.find(ctx, node, property, near)
	var out: Dictionary = {"node_path": McpPaths.of(ctx.root, node), "property": property, "exists": target != null}
	if target != null:
		out["type"] = type_string(target.type())
		out["value"] = target.json(target.read())
		return out
	out["value"] = null
	if not near.is_empty():
		out["near"] = near
	return out


func get_node_property_list(ctx: McpContext, p: Dictionary) -> Dictionary:
	var node: Node = McpPaths.find(ctx, McpParams.text(p, "node_path"))
	if node == null:
		return {}
	var rows: Array[Dictionary] = []
	var declared: Dictionary = McpScriptVariables.names(node.get_script() as Script)
	for info: Dictionary in node.get_property_list():
		var usage: int = info["usage"]
		if usage & McpAssign.NOT_PROPERTIES != 0:
			continue
		var row: Dictionary = {"name": info["name"], "type": type_string(info["type"] as int)}
		if info["type"] == TYPE_OBJECT:
			var of_class: String = McpTypeNames.object_class(info)
			if of_class != "":
				row["class"] = of_class
		if info["hint"] != PROPERTY_HINT_NONE:
			row["hint"] = info["hint"]
		if info["hint_string"] != "":
			row["hint_string"] = info["hint_string"]
		row["stored"] = usage & PROPERTY_USAGE_STORAGE != 0
		if declared.has(info["name"]):
			row["script"] = true
		rows.append(row)
	return {"node_path": McpPaths.of(ctx.root, node), "type": node.get_class(), "properties": rows}


func set_node_property(ctx: McpContext, p: Dictionary) -> Dictionary:
	var node: Node = McpPaths.find(ctx, McpParams.text(p, "node_path"))
	if node == null:
		return {}
	var property: String = McpParams.text(p, "property")
	if property == "script":
		return _set_script(ctx, node, p.get("value"))
	var path: String = McpPaths.of(ctx.root, node)
	ctx.notes["path"] = path
	var near: Array[String] = []
	var target: McpAssign.McpTarget = McpAssign.find(ctx, node, property, near, true)
	if target == null:
		return ctx.fail("unknown_property", {"path": path, "property": property, "near": near})
	var done: Dictionary = McpAssign.set_value(ctx, target, p.get("value"))
	if ctx.failed():
		return {}
	var out: Dictionary = {
		"node_path": path, "property": property, "type": type_string(target.type()),
		"value": target.json(done["value"]), "previous": target.json(done["previous"]),
	}
	if done["coerced"]:
		out["coerced"] = true
	out["changed"] = done["changed"]
	# A class of the engine does not change what it stores of a property that is set alone.
	var stored: bool = done["moved"] or (ctx.alone and node.get_script() == null and target.info["usage"] & PROPERTY_USAGE_STORAGE != 0)
	return ctx.judge(out, node, func() -> Dictionary:
		if target.chain.is_empty():
			return ctx.services.persistence.of_property(node, target.property, ctx.root, stored)
		return ctx.services.persistence.of_resource(node, target.path, target.chain, target.property, ctx.root))


func _set_script(ctx: McpContext, node: Node, value: Variant) -> Dictionary:
	var location: Variant = value
	if value is Dictionary and (value as Dictionary).has("resource"):
		location = (value as Dictionary)["resource"]
	if location != null and not location is String:
		return ctx.fail("bad_value", {"property": "script", "expected": "Script", "got": JSON.stringify(value)})
	var path: String = "" if location == null else location as String
	if path.get_extension() not in McpScriptChange.EXTENSIONS and ResourceLoader.exists(path):
		return ctx.fail("wrong_resource_type", {"property": "script", "expected": "Script", "got": load(path).get_class(), "resource": path})
	var done: Dictionary = McpScriptChange.attach(ctx, node, path)
	if ctx.failed():
		return {}
	var out: Dictionary = {
		"node_path": McpPaths.of(ctx.root, node), "property": "script", "type": "Object",
		"value": _script_json(done["script"] as String), "previous": _script_json(done["previous"] as String),
		"changed": done["changed"],
	}
	return ctx.judge(out, node, func() -> Dictionary:
		return ctx.services.persistence.of_node_with(node, done["script"] as String, McpPaths.of(ctx.root, node), ctx.root))


static func _script_json(path: String) -> Variant:
	if path == "":
		return null
	return McpOut.natural(load(path))
