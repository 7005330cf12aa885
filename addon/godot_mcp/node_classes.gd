@tool
extends RefCounted
## What a node type on the wire stands for.

const McpContext := preload("context.gd")
const McpNear := preload("near.gd")


## {class, script}: the engine class to make, and the path of the script that a
## class_name stands for, "" for none. Empty with the fault set when it is neither.
static func resolve(ctx: McpContext, type: String, allow_script: bool = true) -> Dictionary:
	if ctx.classes.has(type):
		return ctx.classes[type]
	var out: Dictionary = {}
	if ClassDB.class_exists(type):
		out = _engine_class(ctx, type)
	else:
		out = _script_class(ctx, type, allow_script)
	if not ctx.failed():
		ctx.classes[type] = out
	return out


static func _engine_class(ctx: McpContext, type: String) -> Dictionary:
	if not ClassDB.is_parent_class(type, &"Node"):
		return ctx.fail("not_a_node_class", {"type": type, "near": near(type)})
	if not ClassDB.can_instantiate(type) or type == "MissingNode":
		return ctx.fail("not_instantiable", {"type": type})
	return {"class": StringName(type), "script": ""}


static func _script_class(ctx: McpContext, type: String, allow_script: bool) -> Dictionary:
	for entry: Dictionary in ProjectSettings.get_global_class_list():
		if entry["class"] != StringName(type):
			continue
		var path: String = entry["path"]
		if not allow_script:
			return ctx.fail("script_class", {"type": type, "path": path})
		var base: String = entry["base"]
		# A class_name may extend another one.
		while not ClassDB.class_exists(base):
			var above: Array = ProjectSettings.get_global_class_list().filter(func(e: Dictionary) -> bool: return e["class"] == StringName(base))
			if above.is_empty():
				break
			base = above[0]["base"]
		if not ClassDB.is_parent_class(base, &"Node"):
			return ctx.fail("not_a_node_class", {"type": type, "near": []})
		if not ClassDB.can_instantiate(base):
			return ctx.fail("not_instantiable", {"type": base})
		return {"class": StringName(base), "script": path}
	return ctx.fail("unknown_class", {"type": type, "near": near(type)})


static func near(type: String) -> Array[String]:
	var names: PackedStringArray = McpNear.known_classes(&"Node")
	for entry: Dictionary in ProjectSettings.get_global_class_list():
		names.append(str(entry["class"]))
	return McpNear.close(type, names)
