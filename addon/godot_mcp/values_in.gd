@tool
extends "value_structs.gd"
## Typed JSON as Godot values; package server/godot/variant is the contract.
##
## Besides the forms that [code]values_out.gd[/code] writes, the lenient ones that
## clients send: arrays of components, JSON or a constructor inside a string,
## "#rrggbb", numbers as text. Nothing is filled in, nothing dropped, and no
## expression is evaluated: str_to_var would create objects and load files.

const McpObjects := preload("object_values.gd")
const McpTypeNames := preload("type_names.gd")

const DEEPEST := 64
const TYPE_KEY := "a Dictionary with a key \"type\" is written {\"type\":\"Dictionary\",\"entries\":[[key,value],...]}"
const MOST_PLAIN := 9007199254740992.0

var _objects: McpObjects = McpObjects.new()


## The value of the declared type; [param info] is an entry of a property list, and
## [param like] the present value, which knows the types of elements.
func decode(json: Variant, info: Dictionary, like: Variant = null, depth: int = 0) -> Variant:
	if failed():
		return null
	if depth > DEEPEST:
		return _wrong("values nested at most %d deep" % DEEPEST, json)
	var type: int = info.get("type", TYPE_NIL)
	if type == TYPE_NIL:
		return undeclared(json, depth)
	if json is Dictionary and (json as Dictionary).has("type") and type != TYPE_OBJECT:
		if type != TYPE_DICTIONARY or _names_type((json as Dictionary)["type"]):
			return _tagged_for(json as Dictionary, type, like, depth)
	match type:
		TYPE_BOOL:
			return _boolean(json)
		TYPE_INT:
			return _integer(json)
		TYPE_FLOAT:
			return _float(json)
		TYPE_STRING, TYPE_STRING_NAME, TYPE_NODE_PATH:
			if json is String:
				return type_convert(json, type)
			return _wrong("%s as a string" % type_string(type), json)
		TYPE_ARRAY:
			return _array(json, like, depth)
		TYPE_DICTIONARY:
			return _dictionary(json, like, depth)
		TYPE_OBJECT:
			return _objects.decode(json, info, self, depth)
	if McpFields.FIELDS.has(type):
		return _struct(json, type)
	if type >= TYPE_PACKED_BYTE_ARRAY:
		return _packed(json, type)
	return _wrong(type_string(type) + ", which cannot be given as JSON", json)


## The self-describing form.
func undeclared(json: Variant, depth: int = 0) -> Variant:
	if depth > DEEPEST:
		return _wrong("values nested at most %d deep" % DEEPEST, json)
	match typeof(json):
		TYPE_FLOAT:
			var number: float = json
			if number == floorf(number):
				if absf(number) > MOST_PLAIN:
					return _wrong("{\"type\":\"int\",\"value\":\"...\"} or {\"type\":\"float\",\"value\":...}", json)
				return int(number)
			return number
		TYPE_ARRAY:
			var items: Array = []
			for item: Variant in json:
				items.append(undeclared(item, depth + 1))
				if failed():
					return _within("[%d]" % (items.size() - 1))
			return items
		TYPE_DICTIONARY:
			var object: Dictionary = json
			if object.has("type"):
				return _tagged(object, depth)
			if object.has("resource") or object.has("new"):
				return _objects.decode(json, {"type": TYPE_OBJECT}, self, depth)
			var out: Dictionary = {}
			for key: String in object:
				out[key] = undeclared(object[key], depth + 1)
				if failed():
					return _within(_key(key))
			return out
	return json


func _names_type(name: Variant) -> bool:
	if not name is String:
		return false
	var text: String = name
	return McpTypeNames.type_of(text) > TYPE_NIL or text.begins_with("Array[") or text.begins_with("Dictionary[")


func _tagged_for(object: Dictionary, type: int, like: Variant, depth: int) -> Variant:
	var value: Variant = _tagged(object, depth)
	if failed():
		return null
	if typeof(value) == type:
		if value is Array and like is Array and (like as Array).is_typed() and not (like as Array).is_same_typed(value as Array):
			return _wrong(str(_describe_like(like)), object)
		if value is Dictionary and like is Dictionary and (like as Dictionary).is_typed() and not (like as Dictionary).is_same_typed(value as Dictionary):
			return _wrong(str(_describe_like(like)), object)
		return value
	if value is int and type == TYPE_FLOAT:
		return float(value as int)
	if typeof(value) in [TYPE_STRING, TYPE_STRING_NAME, TYPE_NODE_PATH] and type in [TYPE_STRING, TYPE_STRING_NAME, TYPE_NODE_PATH]:
		coerced = true
		return type_convert(value, type)
	return _wrong(type_string(type), object)


func _describe_like(like: Variant) -> String:
	if like is Array:
		var list: Array = like
		return "Array[%s]" % (list.get_typed_class_name() if list.get_typed_class_name() != &"" else StringName(type_string(list.get_typed_builtin())))
	return "a Dictionary of the declared types"


func _tagged(object: Dictionary, depth: int) -> Variant:
	if not object["type"] is String:
		return _fault("\"type\" must be the name of a type, got %s; %s" % [describe(object["type"]), TYPE_KEY])
	var name: String = object["type"]
	if name.begins_with("Array[") and name.ends_with("]"):
		return _tagged_array(object, name.substr(6, name.length() - 7), depth)
	if name.begins_with("Dictionary[") and name.ends_with("]"):
		return _tagged_dictionary(object, name.substr(11, name.length() - 12), depth)
	var type: int = McpTypeNames.type_of(name)
	if type == TYPE_ARRAY:
		return _tagged_array(object, "Variant", depth)
	if type == TYPE_DICTIONARY:
		return _tagged_dictionary(object, "Variant, Variant", depth)
	if type in [TYPE_RID, TYPE_CALLABLE, TYPE_SIGNAL]:
		return _fault("a %s cannot be given as JSON" % name)
	if type <= TYPE_NIL or type == TYPE_OBJECT:
		return _fault("unknown type %s; %s" % [_quote(name), TYPE_KEY])
	if McpFields.FIELDS.has(type):
		var rest: Dictionary = object.duplicate()
		rest.erase("type")
		return _struct(rest, type)
	if type == TYPE_PACKED_BYTE_ARRAY and object.has("base64"):
		if not object["base64"] is String:
			return _wrong("base64 text", object["base64"])
		return Marshalls.base64_to_raw(object["base64"] as String)
	if not _keys(object, ["type", "value"], "{\"type\":\"%s\"}" % name):
		return null
	var value: Variant = decode(object["value"], {"type": type}, null, depth + 1)
	return _within(".value") if failed() else value


func _tagged_array(object: Dictionary, element: String, depth: int) -> Variant:
	if not _keys(object, ["type", "value"], "{\"type\":\"%s\"}" % object["type"]):
		return null
	var items: Variant = null
	if object["value"] is Array:
		items = _items(object["value"] as Array, _container_type(element), depth)
	else:
		_wrong("an array", object["value"])
	return _within(".value") if failed() else items


func _tagged_dictionary(object: Dictionary, types: String, depth: int) -> Variant:
	if not _keys(object, ["type", "entries"], "{\"type\":\"%s\"}" % object["type"]):
		return null
	var key: Dictionary = _container_type(types.get_slice(",", 0).strip_edges())
	var value: Dictionary = _container_type(types.get_slice(",", 1).strip_edges())
	var out: Variant = null
	if object["entries"] is Dictionary:
		out = _members(object["entries"] as Dictionary, key, value, depth)
	elif object["entries"] is Array:
		out = _entries(object["entries"] as Array, key, value, depth)
	else:
		_wrong("an array of [key, value] pairs", object["entries"])
	return _within(".entries") if failed() else out


func _entries(pairs: Array, key: Dictionary, value: Dictionary, depth: int) -> Variant:
	var out: Dictionary = _typed_dictionary(key, value)
	for i: int in pairs.size():
		var pair: Variant = pairs[i]
		if not pair is Array or (pair as Array).size() != 2:
			_wrong("[key, value]", pair)
			return _within("[%d]" % i)
		var k: Variant = decode(pair[0], key, null, depth + 1)
		if failed():
			return _within("[%d][0]" % i)
		var v: Variant = decode(pair[1], value, null, depth + 1)
		if failed():
			return _within("[%d][1]" % i)
		if out.has(k):
			_fault("the key %s is given twice" % var_to_str(k).left(60))
			return _within("[%d]" % i)
		out[k] = v
	return out


# An object whose keys are those of the Dictionary.
func _members(object: Dictionary, key: Dictionary, value: Dictionary, depth: int) -> Variant:
	var out: Dictionary = _typed_dictionary(key, value)
	for name: String in object:
		var k: Variant = decode(name, key, null, depth + 1)
		var v: Variant = decode(object[name], value, null, depth + 1)
		if failed():
			return _within(_key(name))
		if out.has(k):
			_fault("the key %s is given twice" % var_to_str(k).left(60))
			return _within(_key(name))
		out[k] = v
	return out


static func _typed_dictionary(key: Dictionary, value: Dictionary) -> Dictionary:
	if key["type"] == TYPE_NIL and value["type"] == TYPE_NIL:
		return {}
	return Dictionary({}, key["type"], key["class"], key["script"], value["type"], value["class"], value["script"])


# What a declared element type is called -> type, class and script.
func _container_type(name: String) -> Dictionary:
	var out: Dictionary = {"type": TYPE_NIL, "class": &"", "script": null}
	if name in ["Variant", "Nil", ""]:
		return out
	var type: int = McpTypeNames.type_of(name)
	if type > TYPE_NIL:
		out["type"] = type
		return out
	out["type"] = TYPE_OBJECT
	if name.begins_with("res://") or name.begins_with("uid://"):
		var script: Script = load(name) as Script
		if script == null:
			_wrong("the path of a script", name)
			return out
		out["script"] = script
		out["class"] = script.get_instance_base_type()
	elif ClassDB.class_exists(name):
		out["class"] = StringName(name)
	else:
		_wrong("the name of a type", name)
	out["class_name"] = _called(out["class"] as StringName, out["script"])
	return out


func _like_type(type: int, of_class: StringName, script: Variant) -> Dictionary:
	return {"type": type, "class": of_class, "script": script, "class_name": _called(of_class, script)}


# What elements have to be: of a script if there is one, else of a class.
static func _called(of_class: StringName, script: Variant) -> StringName:
	var wanted: Script = script as Script
	if wanted == null:
		return of_class
	return wanted.get_global_name() if wanted.get_global_name() != &"" else StringName(wanted.resource_path)


func _items(list: Array, element: Dictionary, depth: int) -> Variant:
	if failed():
		return null
	var out: Array = []
	if element["type"] != TYPE_NIL:
		out = Array([], element["type"] as int, element["class"] as StringName, element["script"])
	for item: Variant in list:
		var value: Variant = decode(item, element, null, depth + 1)
		if failed():
			return _within("[%d]" % out.size())
		out.append(value)
	return out


func _array(json: Variant, like: Variant, depth: int) -> Variant:
	var list: Variant = _embedded(json, TYPE_ARRAY)
	if not list is Array:
		return _wrong("Array as an array", json)
	var element: Dictionary = _like_type(TYPE_NIL, &"", null)
	if like is Array and (like as Array).is_typed():
		var typed: Array = like
		element = _like_type(typed.get_typed_builtin(), typed.get_typed_class_name(), typed.get_typed_script())
	return _items(list as Array, element, depth)


func _dictionary(json: Variant, like: Variant, depth: int) -> Variant:
	var object: Variant = _embedded(json, TYPE_DICTIONARY)
	if not object is Dictionary:
		return _wrong("Dictionary as an object", json)
	var key: Dictionary = _like_type(TYPE_NIL, &"", null)
	var value: Dictionary = key
	if like is Dictionary and (like as Dictionary).is_typed():
		var typed: Dictionary = like
		key = _like_type(typed.get_typed_key_builtin(), typed.get_typed_key_class_name(), typed.get_typed_key_script())
		value = _like_type(typed.get_typed_value_builtin(), typed.get_typed_value_class_name(), typed.get_typed_value_script())
	return _members(object as Dictionary, key, value, depth)
