@tool
extends RefCounted
## What an engine class has.

const McpContext := preload("../context.gd")
const McpParams := preload("../params.gd")
const McpSignals := preload("signals.gd")
const McpTree_ := preload("tree.gd")
const McpTypeNames := preload("../type_names.gd")

const NOT_PROPERTIES: int = PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP


func commands() -> Dictionary:
	return {"cmd_describe_class": describe_class}


func describe_class(ctx: McpContext, p: Dictionary) -> Dictionary:
	var name: String = McpParams.text(p, "class_name")
	if not ClassDB.class_exists(name):
		for entry: Dictionary in ProjectSettings.get_global_class_list():
			if entry["class"] == StringName(name):
				return ctx.fail("script_class", {"type": name, "path": entry["path"]})
		return ctx.fail("unknown_class", {"type": name, "near": McpTree_.near_class(name)})
	var own: bool = not McpParams.flag(p, "include_inherited")
	var private: bool = McpParams.flag(p, "include_private")
	var chain: Array[String] = []
	var parent: String = ClassDB.get_parent_class(name)
	while parent != "":
		chain.append(parent)
		parent = ClassDB.get_parent_class(parent)
	return {
		"class_name": name, "inherits": "" if chain.is_empty() else chain[0], "inherits_chain": chain,
		"can_instantiate": ClassDB.can_instantiate(name), "properties": _properties(name, own, private),
		"methods": _methods(name, own, private), "signals": _signals(name, own, private),
		"constants": _constants(name, own), "enums": _enums(name, own),
	}


static func _shown(name: String, private: bool) -> bool:
	return private or not name.begins_with("_")


static func _by_name(a: Dictionary, b: Dictionary) -> bool:
	return a["name"] < b["name"]


static func _properties(type: String, own: bool, private: bool) -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	for info: Dictionary in ClassDB.class_get_property_list(type, own):
		if info["usage"] & NOT_PROPERTIES != 0 or not _shown(info["name"] as String, private):
			continue
		var row: Dictionary = {"name": info["name"], "type": "Variant" if info["type"] == TYPE_NIL and info["usage"] & PROPERTY_USAGE_NIL_IS_VARIANT != 0 else type_string(info["type"] as int)}
		var of_class: String = McpTypeNames.object_class(info)
		if of_class != "" and info["type"] == TYPE_OBJECT:
			row["class"] = of_class
		var default: Variant = ClassDB.class_get_property_default_value(type, info["name"] as StringName)
		row["default"] = "" if default == null and not ClassDB.can_instantiate(type) else var_to_str(default if not default is Object else null)
		out.append(row)
	out.sort_custom(_by_name)
	return out


static func _methods(type: String, own: bool, private: bool) -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	for info: Dictionary in ClassDB.class_get_method_list(type, own):
		if not _shown(info["name"] as String, private):
			continue
		var args: Array[String] = []
		for argument: Dictionary in info["args"]:
			args.append(McpTypeNames.argument(argument))
		var returned: Dictionary = info["return"]
		out.append({"name": info["name"], "args": args, "return_type": McpTypeNames.of_info(returned)})
	out.sort_custom(_by_name)
	return out


static func _signals(type: String, own: bool, private: bool) -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	for info: Dictionary in ClassDB.class_get_signal_list(type, own):
		if _shown(info["name"] as String, private):
			out.append(McpSignals.describe(info))
	out.sort_custom(_by_name)
	return out


static func _constants(type: String, own: bool) -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	for name: String in ClassDB.class_get_integer_constant_list(type, own):
		var row: Dictionary = {"name": name, "value": ClassDB.class_get_integer_constant(type, name)}
		var group: String = ClassDB.class_get_integer_constant_enum(type, name, own)
		if group != "":
			row["enum"] = group
		out.append(row)
	out.sort_custom(_by_name)
	return out


static func _enums(type: String, own: bool) -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	for name: String in ClassDB.class_get_enum_list(type, own):
		out.append({"name": name, "members": Array(ClassDB.class_get_enum_constants(type, name, own))})
	out.sort_custom(_by_name)
	return out
