@tool
extends RefCounted
## Typed JSON as Godot values; package server/godot/variant is the contract.
##
## Besides the forms that [code]values_out.gd[/code] writes, the lenient ones that
## clients send: arrays of components, JSON or a constructor inside a string,
## "#rrggbb", numbers as text. Nothing is filled in, nothing dropped, and no
## expression is evaluated: str_to_var would create objects and load files.

const Fields := preload("value_fields.gd")
const JsonSafe := preload("json_safe.gd")
const Objects := preload("object_values.gd")
const TypeNames := preload("type_names.gd")

const DEEPEST := 64
const MOST_PLAIN := 9007199254740992.0

## Set when some part was given in a form that had to be guessed at.
var coerced: bool = false
## What was wrong: expected, got, and for other reasons than bad_value the reason.
var problem: Dictionary = {}

var _objects: Objects = Objects.new()


func failed() -> bool:
	return not problem.is_empty()


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
	if Fields.FIELDS.has(type):
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
			return out
	return json


func _names_type(name: Variant) -> bool:
	if not name is String:
		return false
	var text: String = name
	return TypeNames.type_of(text) > TYPE_NIL or text.begins_with("Array[") or text.begins_with("Dictionary[")


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
		return _wrong("\"type\" as the name of a type", object["type"])
	var name: String = object["type"]
	if name.begins_with("Array[") and name.ends_with("]"):
		return _tagged_array(object, name.substr(6, name.length() - 7), depth)
	if name.begins_with("Dictionary[") and name.ends_with("]"):
		return _tagged_dictionary(object, name.substr(11, name.length() - 12), depth)
	var type: int = TypeNames.type_of(name)
	if type == TYPE_ARRAY:
		return _tagged_array(object, "Variant", depth)
	if type == TYPE_DICTIONARY:
		return _tagged_dictionary(object, "Variant, Variant", depth)
	if type <= TYPE_NIL or type in [TYPE_OBJECT, TYPE_RID, TYPE_CALLABLE, TYPE_SIGNAL]:
		return _wrong("the name of a type that JSON can carry", name)
	if Fields.FIELDS.has(type):
		var rest: Dictionary = object.duplicate()
		rest.erase("type")
		return _struct(rest, type)
	if type == TYPE_PACKED_BYTE_ARRAY and object.has("base64"):
		if not object["base64"] is String:
			return _wrong("base64 text", object["base64"])
		return Marshalls.base64_to_raw(object["base64"] as String)
	if not _keys(object, ["type", "value"], name):
		return null
	return decode(object["value"], {"type": type}, null, depth + 1)


func _tagged_array(object: Dictionary, element: String, depth: int) -> Variant:
	if not _keys(object, ["type", "value"], "Array"):
		return null
	if not object["value"] is Array:
		return _wrong("an array", object["value"])
	return _items(object["value"] as Array, _container_type(element), depth)


func _tagged_dictionary(object: Dictionary, types: String, depth: int) -> Variant:
	if not _keys(object, ["type", "entries"], "Dictionary"):
		return null
	var key: Dictionary = _container_type(types.get_slice(",", 0).strip_edges())
	var value: Dictionary = _container_type(types.get_slice(",", 1).strip_edges())
	var pairs: Array = []
	if object["entries"] is Dictionary:
		for name: String in object["entries"]:
			pairs.append([name, object["entries"][name]])
	elif object["entries"] is Array:
		pairs = object["entries"]
	else:
		return _wrong("an array of [key, value] pairs", object["entries"])
	return _entries(pairs, key, value, depth)


func _entries(pairs: Array, key: Dictionary, value: Dictionary, depth: int) -> Variant:
	var out: Dictionary = {}
	if key["type"] != TYPE_NIL or value["type"] != TYPE_NIL:
		out = Dictionary({}, key["type"], key["class"], key["script"], value["type"], value["class"], value["script"])
	for pair: Variant in pairs:
		if not pair is Array or (pair as Array).size() != 2:
			return _wrong("[key, value]", pair)
		var k: Variant = decode(pair[0], key, null, depth + 1)
		var v: Variant = decode(pair[1], value, null, depth + 1)
		if failed():
			return null
		if out.has(k):
			return _wrong("each key once", pair[0])
		out[k] = v
	return out


# What a declared element type is called -> type, class and script.
func _container_type(name: String) -> Dictionary:
	var out: Dictionary = {"type": TYPE_NIL, "class": &"", "script": null}
	if name in ["Variant", "Nil", ""]:
		return out
	var type: int = TypeNames.type_of(name)
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
	out["class_name"] = out["class"]
	return out


func _like_type(type: int, of_class: StringName, script: Variant) -> Dictionary:
	return {"type": type, "class": of_class, "script": script, "class_name": of_class}


func _items(list: Array, element: Dictionary, depth: int) -> Variant:
	if failed():
		return null
	var out: Array = []
	if element["type"] != TYPE_NIL:
		out = Array([], element["type"] as int, element["class"] as StringName, element["script"])
	for item: Variant in list:
		var value: Variant = decode(item, element, null, depth + 1)
		if failed():
			return null
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
	var pairs: Array = []
	for name: String in object:
		pairs.append([name, object[name]])
	return _entries(pairs, key, value, depth)


func _boolean(json: Variant) -> Variant:
	if json is bool:
		return json
	if (json is String and json in ["true", "false"]) or (json is float and (json == 0.0 or json == 1.0)):
		coerced = true
		return json is String and json == "true" or json is float and json == 1.0
	return _wrong("bool", json)


func _integer(json: Variant, expected: String = "int") -> Variant:
	if json is int:
		return json
	if json is float:
		var number: float = json
		if is_finite(number) and number == floorf(number) and absf(number) < 9.2e18:
			return int(number)
		return _wrong(expected + ", a whole number", json)
	if json is String:
		var text: String = (json as String).strip_edges()
		if text.is_valid_int() and str(text.to_int()) == text.trim_prefix("+"):
			return text.to_int()
		if text.is_valid_hex_number(true):
			coerced = true
			return text.hex_to_int()
		if text.is_valid_float() and text.to_float() == floorf(text.to_float()) and absf(text.to_float()) < 9.2e18:
			coerced = true
			return int(text.to_float())
	return _wrong(expected, json)


func _float(json: Variant) -> Variant:
	if json is float or json is int:
		return float(json)
	if json is String:
		var text: String = (json as String).strip_edges()
		match text:
			"inf":
				return INF
			"-inf":
				return -INF
			"nan":
				return NAN
			"-0":
				return -0.0
		if text.is_valid_float():
			coerced = true
			return text.to_float()
	return _wrong("float", json)


func _struct(json: Variant, type: int) -> Variant:
	if json is String:
		return _struct_text((json as String).strip_edges(), type)
	var numbers: Array = []
	_collect(json, type, numbers)
	return null if failed() else Fields.build(type, numbers)


func _collect(json: Variant, type: int, numbers: Array) -> void:
	var fields: Array = Fields.FIELDS[type]
	if json is Dictionary:
		_collect_object(json as Dictionary, type, fields, numbers)
		return
	if not json is Array:
		_wrong(_form(type), json)
		return
	var list: Array = json
	if type == TYPE_COLOR and list.size() == 3:
		coerced = true
		list = list + [1.0]
	var flat: bool = list.all(func(v: Variant) -> bool: return v is float or v is int or v is String)
	if list.size() == Fields.size(type) and flat and type != TYPE_BASIS and type != TYPE_TRANSFORM3D:
		for item: Variant in list:
			_component(item, type, numbers)
	elif list.size() == fields.size():
		for i: int in fields.size():
			_member(list[i], type, fields[i] as Array, numbers)
	else:
		_wrong("%s or an array of %d numbers" % [_form(type), Fields.size(type)], json)


func _collect_object(object: Dictionary, type: int, fields: Array, numbers: Array) -> void:
	var known: Array = fields.map(func(f: Array) -> String: return f[0])
	for name: Variant in object:
		if name not in known:
			_wrong(_form(type), object)
			return
	for field: Array in fields:
		if object.has(field[0]):
			_member(object[field[0]], type, field, numbers)
		elif type == TYPE_COLOR and field[0] == "a":
			coerced = true
			numbers.append(1.0)
		else:
			_wrong(_form(type), object)
			return


func _member(json: Variant, type: int, field: Array, numbers: Array) -> void:
	if Fields.FIELDS.has(field[1]):
		_collect(json, field[1] as int, numbers)
	else:
		_component(json, type, numbers)


func _component(json: Variant, type: int, numbers: Array) -> void:
	var value: Variant = null
	if Fields.whole(type):
		value = _integer(json)
		if value is int and (value < -2147483648 or value > 2147483647):
			value = _wrong("a number of 32 bits", json)
	else:
		value = _float(json)
	numbers.append(value)


func _struct_text(text: String, type: int) -> Variant:
	if text.begins_with("{") or text.begins_with("["):
		var inside: Variant = _embedded(text, TYPE_DICTIONARY if text.begins_with("{") else TYPE_ARRAY)
		if not inside is String:
			return _struct(inside, type)
	elif type == TYPE_COLOR and text.begins_with("#"):
		if Color.html_is_valid(text):
			return Color.html(text)
	elif text.begins_with(type_string(type) + "(") and text.ends_with(")"):
		var inner: String = text.substr(type_string(type).length() + 1).trim_suffix(")")
		var numbers: Array = []
		for part: String in inner.split(","):
			if not part.strip_edges().is_valid_float():
				return _wrong(_form(type), text)
			_component(part, type, numbers)
		if type == TYPE_COLOR and numbers.size() == 3:
			numbers.append(1.0)
		if numbers.size() == Fields.size(type) and not failed():
			coerced = true
			return Fields.build(type, Fields.from_text_order(type, numbers))
	return _wrong(_form(type), text)


func _packed(json: Variant, type: int) -> Variant:
	var list: Variant = _embedded(json, TYPE_ARRAY)
	if not list is Array:
		return _wrong(type_string(type) + " as an array", json)
	var out: Array = []
	var element: int = Fields.PACKED_STRUCTS.get(type, TYPE_NIL)
	if element != TYPE_NIL:
		var numbers: Array = []
		var size: int = Fields.size(element)
		if (list as Array).size() > 0 and not list[0] is Dictionary and not list[0] is Array and not list[0] is String:
			if (list as Array).size() % size != 0:
				return _wrong("a multiple of %d numbers" % size, json)
			for item: Variant in list:
				_component(item, element, numbers)
			for i: int in range(0, numbers.size() if not failed() else 0, size):
				out.append(Fields.build(element, numbers.slice(i, i + size)))
		else:
			for item: Variant in list:
				out.append(decode(item, {"type": element}))
	else:
		for item: Variant in list:
			out.append(_packed_item(item, type))
	return null if failed() else type_convert(out, type)


func _packed_item(item: Variant, type: int) -> Variant:
	match type:
		TYPE_PACKED_STRING_ARRAY:
			return item if item is String else _wrong("a string", item)
		TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_FLOAT64_ARRAY:
			return _float(item)
	var value: Variant = _integer(item)
	if value is int and type == TYPE_PACKED_BYTE_ARRAY and (value < 0 or value > 255):
		return _wrong("a byte", item)
	if value is int and type == TYPE_PACKED_INT32_ARRAY and (value < -2147483648 or value > 2147483647):
		return _wrong("a number of 32 bits", item)
	return value


# JSON that came inside a string, as some clients send arrays and objects.
func _embedded(json: Variant, type: int) -> Variant:
	if not json is String:
		return json
	var text: String = (json as String).strip_edges()
	if not text.begins_with("[" if type == TYPE_ARRAY else "{"):
		return json
	var parser: JSON = JSON.new()
	if parser.parse(text) != OK or typeof(parser.data) != type:
		return json
	coerced = true
	return parser.data


func _keys(object: Dictionary, want: Array, form: String) -> bool:
	for name: Variant in object:
		if name not in want:
			_wrong("%s with the keys %s" % [form, ", ".join(want)], object)
			return false
	for name: String in want:
		if not object.has(name):
			_wrong("%s with the keys %s" % [form, ", ".join(want)], object)
			return false
	return true


func _form(type: int) -> String:
	return "%s as %s" % [type_string(type), _form_of(type)]


func _form_of(type: int) -> String:
	var parts: PackedStringArray = []
	for field: Array in Fields.FIELDS[type]:
		parts.append("\"%s\":%s" % [field[0], _form_of(field[1] as int) if Fields.FIELDS.has(field[1]) else ".."])
	return "{%s}" % ",".join(parts)


## Notes what was wrong; always null.
func _wrong(expected: String, got: Variant) -> Variant:
	if problem.is_empty():
		problem = {"reason": "bad_value", "expected": expected, "got": describe(got)}
	return null


func refuse(reason: String, details: Dictionary) -> Variant:
	if problem.is_empty():
		problem = details.duplicate()
		problem["reason"] = reason
	return null


## The details of a bad_value.
func details(property: String, expected: String, given: Variant) -> Dictionary:
	var got: String = JsonSafe.text(given)
	if got.length() > 200:
		got = got.left(200) + "…"
	return {
		"property": property, "expected": expected, "got": got,
		"message": "expected %s, got %s" % [problem.get("expected", expected), problem.get("got", got)],
	}


static func describe(json: Variant) -> String:
	match typeof(json):
		TYPE_NIL:
			return "null"
		TYPE_BOOL:
			return "a boolean"
		TYPE_INT, TYPE_FLOAT:
			return "the number " + (str(int(json)) if json == floorf(json) and absf(json) < 1e15 else str(json))
		TYPE_STRING:
			return "the string \"%s\"" % (json as String).left(60)
		TYPE_ARRAY:
			return "an array of %d" % (json as Array).size()
		TYPE_DICTIONARY:
			if (json as Dictionary).is_empty():
				return "an object"
			return ("an object with " + ", ".join((json as Dictionary).keys().map(func(k: Variant) -> String: return str(k)))).left(120)
	return type_string(typeof(json))
