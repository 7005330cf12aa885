@tool
extends EditorPlugin
## Dumps the exposed classes of the running editor, one JSON object a line, into the file that CLASSDB_OUT names.
##
## main.go enables it as a plugin of a scratch project, because some classes and properties exist, or can be
## instantiated, in an editor only, and scenes are saved there. The first line describes the engine. Only Node and
## Resource classes of the core API are instantiated: no other class can stand in a scene or resource file.

const NO_PROPERTY := PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP | PROPERTY_USAGE_CATEGORY
const HINT_LIMIT := 400


func _enter_tree() -> void:
	var file := FileAccess.open(OS.get_environment("CLASSDB_OUT"), FileAccess.WRITE)
	var version := Engine.get_version_info()
	file.store_line(JSON.stringify({
		"version": version["string"],
		"hex": version["hex"],
		"singletons": Array(Engine.get_singleton_list()),
	}))
	for name: String in ClassDB.get_class_list():
		if ClassDB.class_get_api_type(name) != ClassDB.API_NONE:
			file.store_line(JSON.stringify(_describe(name), "", false, true))
	file.close()
	get_tree().quit()


func _describe(name: String) -> Dictionary:
	var out := {
		"name": name,
		"parent": ClassDB.get_parent_class(name),
		"instantiable": ClassDB.can_instantiate(name),
		"editor": ClassDB.class_get_api_type(name) != ClassDB.API_CORE,
		"properties": _own_properties(name),
		"defaults": _inherited_defaults(name),
		"signals": _signals(name),
		"methods": _methods(name),
	}
	_constants(name, out)
	if ClassDB.class_get_api_type(name) == ClassDB.API_CORE and ClassDB.can_instantiate(name) \
			and (ClassDB.is_parent_class(name, "Node") or ClassDB.is_parent_class(name, "Resource")):
		_fresh(name, out)
	return out


func _own_properties(name: String) -> Array:
	var out := []
	for info: Dictionary in ClassDB.class_get_property_list(name, true):
		if not info["usage"] & NO_PROPERTY:
			out.append(_property(info, _default(name, info["name"])))
	return out


func _property(info: Dictionary, value: Variant) -> Array:
	var hint: String = info["hint_string"]
	if hint.length() > HINT_LIMIT:
		hint = ""
	return [info["name"], info["type"], info["class_name"], info["hint"], hint, info["usage"], value]


## The defaults that differ from those of the nearest ancestor that has any: an abstract ancestor has none.
func _inherited_defaults(name: String) -> Dictionary:
	var out := {}
	if not ClassDB.can_instantiate(name):
		return out
	var ancestor := ClassDB.get_parent_class(name)
	while ancestor != "" and not ClassDB.can_instantiate(ancestor):
		ancestor = ClassDB.get_parent_class(ancestor)
	var own := {}
	for info: Dictionary in ClassDB.class_get_property_list(name, true):
		own[info["name"]] = true
	for info: Dictionary in ClassDB.class_get_property_list(name):
		var property: String = info["name"]
		if own.has(property) or not info["usage"] & PROPERTY_USAGE_STORAGE:
			continue
		var value: Variant = _default(name, property)
		if ancestor == "" or value != _default(ancestor, property):
			out[property] = value
	return out


func _default(name: String, property: String) -> Variant:
	return _text(ClassDB.class_get_property_default_value(name, property))


## Godot text of a value; null for objects and for what has no default.
func _text(value: Variant) -> Variant:
	if value == null or value is Object:
		return null
	return var_to_str(value)


func _signals(name: String) -> Array:
	var out := []
	for info: Dictionary in ClassDB.class_get_signal_list(name, true):
		out.append([info["name"], _arguments(info)])
	return out


func _methods(name: String) -> Array:
	var out := []
	for info: Dictionary in ClassDB.class_get_method_list(name, true):
		var result: Dictionary = info["return"]
		var defaults: Array = info["default_args"]
		out.append([info["name"], info["flags"], result["type"], result["class_name"], _arguments(info),
			defaults.size(), result["usage"] & PROPERTY_USAGE_NIL_IS_VARIANT])
	return out


func _arguments(info: Dictionary) -> Array:
	var out := []
	for argument: Dictionary in info["args"]:
		out.append([argument["name"], argument["type"], argument["class_name"]])
	return out


func _constants(name: String, out: Dictionary) -> void:
	var in_enum := {}
	var enums := []
	for enumeration: String in ClassDB.class_get_enum_list(name, true):
		var values := []
		for constant: String in ClassDB.class_get_enum_constants(name, enumeration, true):
			values.append([constant, ClassDB.class_get_integer_constant(name, constant)])
			in_enum[constant] = true
		enums.append([enumeration, ClassDB.is_class_enum_bitfield(name, enumeration, true), values])
	var constants := []
	for constant: String in ClassDB.class_get_integer_constant_list(name, true):
		if not in_enum.has(constant):
			constants.append([constant, ClassDB.class_get_integer_constant(name, constant)])
	out["enums"] = enums
	out["constants"] = constants


## What an instance says about its properties that the class list does not: the ones added by the instance, each with
## the class that adds it, and the ones of the class list that it does not store.
func _fresh(name: String, out: Dictionary) -> void:
	var declared := {}
	for info: Dictionary in ClassDB.class_get_property_list(name):
		declared[info["name"]] = info["usage"]
	var object: Object = ClassDB.instantiate(name)
	var stored := {}
	var order := []
	var dynamic := []
	var owner := ""
	for info: Dictionary in object.get_property_list():
		var property: String = info["name"]
		if info["usage"] & PROPERTY_USAGE_CATEGORY:
			owner = property
		if info["usage"] & NO_PROPERTY or property == "script":
			continue
		order.append(property)
		if info["usage"] & PROPERTY_USAGE_STORAGE:
			stored[property] = true
		if not declared.has(property) or (info["usage"] & ~declared[property] & PROPERTY_USAGE_STORAGE):
			if info["usage"] & PROPERTY_USAGE_STORAGE:
				dynamic.append([owner] + _property(info, _default(name, property)) + [_text(object.get(property))])
	var conditional := []
	for property: String in declared:
		if declared[property] & PROPERTY_USAGE_STORAGE and not stored.has(property):
			conditional.append(property)
	out["order"] = order
	out["dynamic"] = dynamic
	out["conditional"] = conditional
	if object is Node:
		out["written"] = _written(object as Node)
		(object as Node).free()


## The properties that PackedScene writes for an untouched node.
func _written(node: Node) -> Array:
	var root := Node.new()
	root.add_child(node)
	node.owner = root
	var scene := PackedScene.new()
	scene.pack(root)
	var state := scene.get_state()
	var out := []
	for index: int in state.get_node_property_count(1):
		out.append([state.get_node_property_name(1, index), _text(state.get_node_property_value(1, index))])
	root.remove_child(node)
	root.free()
	return out
