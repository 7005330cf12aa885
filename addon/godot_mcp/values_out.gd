@tool
extends RefCounted
## Godot values as typed JSON; package server/godot/variant is the contract.
##
## The natural form is for readers who know the declared type, the tagged form says
## the type itself wherever plain JSON would not give the value back.

const McpFields := preload("value_fields.gd")
const McpJsonSafe := preload("json_safe.gd")
const McpTypeNames := preload("type_names.gd")

## JSON numbers beyond this are rounded by readers that know only doubles.
const MOST_PLAIN := 1 << 53
## Up to here 32 bits hold every whole number, and no shorter text means the same one.
const MOST_WHOLE := 1 << 24
const RESERVED: PackedStringArray = ["type", "resource", "new", "value", "entries"]
## Deeper nesting is cut off: arrays can hold themselves.
const DEEPEST := 100


## [param base] is the node to which paths of nodes are relative, if any.
static func natural(value: Variant, base: Node = null, depth: int = 0) -> Variant:
	match typeof(value):
		TYPE_INT:
			return _integer(value as int)
		TYPE_FLOAT:
			return _float(value as float, false)
		TYPE_STRING_NAME, TYPE_NODE_PATH:
			return str(value)
		TYPE_PACKED_BYTE_ARRAY:
			return tagged(value, base, depth)
	if McpFields.FIELDS.has(typeof(value)):
		return _struct(value)
	if typeof(value) >= TYPE_PACKED_BYTE_ARRAY:
		return _packed(value)
	return tagged(value, base, depth)


static func tagged(value: Variant, base: Node = null, depth: int = 0) -> Variant:
	if depth > DEEPEST:
		return null
	var type: int = typeof(value)
	match type:
		TYPE_NIL, TYPE_BOOL, TYPE_STRING:
			return value
		TYPE_INT:
			return _integer(value as int)
		TYPE_FLOAT:
			return _float(value as float, true)
		TYPE_STRING_NAME, TYPE_NODE_PATH:
			return {"type": type_string(type), "value": str(value)}
		TYPE_RID, TYPE_CALLABLE, TYPE_SIGNAL:
			return {"type": type_string(type), "text": str(value)}
		TYPE_OBJECT:
			return _object(value as Object, base)
		TYPE_ARRAY:
			return _array(value as Array, base, depth)
		TYPE_DICTIONARY:
			return _dictionary(value as Dictionary, base, depth)
		TYPE_PACKED_BYTE_ARRAY:
			return {"type": "PackedByteArray", "base64": Marshalls.raw_to_base64(value as PackedByteArray)}
	if McpFields.FIELDS.has(type):
		var out: Dictionary = {"type": type_string(type)}
		out.merge(_struct(value))
		return out
	return {"type": type_string(type), "value": _packed(value)}


static func _integer(value: int) -> Variant:
	if value >= -MOST_PLAIN and value <= MOST_PLAIN:
		return value
	return {"type": "int", "value": str(value)}


# A word for what JSON numbers cannot carry, else "".
static func _word(value: float) -> String:
	if is_nan(value):
		return "nan"
	if is_inf(value):
		return "inf" if value > 0.0 else "-inf"
	if value == 0.0 and 1.0 / value < 0.0:
		return "-0"
	return ""


static func _float(value: float, undeclared: bool) -> Variant:
	var word: String = _word(value)
	if word != "":
		return {"type": "float", "value": word}
	if undeclared and value == floorf(value):
		return {"type": "float", "value": McpJsonSafe.number(value)}
	return McpJsonSafe.number(value)


static func _struct(value: Variant) -> Dictionary:
	var out: Dictionary = {}
	for field: Array in McpFields.FIELDS[typeof(value)]:
		var name: String = field[0]
		var part: Variant = value[name]
		match field[1]:
			TYPE_FLOAT:
				out[name] = _component(part as float)
			TYPE_INT:
				out[name] = part
			_:
				out[name] = _struct(part)
	return out


# A 32-bit number as the shortest text that reads back to the same 32 bits.
static func _component(value: float) -> Variant:
	if value == floorf(value) and absf(value) <= MOST_WHOLE:
		if value == 0.0 and 1.0 / value < 0.0:
			return "-0"
		return int(value)
	var word: String = _word(value)
	if word != "":
		return word
	return McpJsonSafe.MARK + var_to_str(value).trim_suffix(".0") + McpJsonSafe.MARK


static func _packed(value: Variant) -> Array:
	var out: Array = []
	match typeof(value):
		TYPE_PACKED_INT64_ARRAY:
			for n: int in value:
				if n >= -MOST_PLAIN and n <= MOST_PLAIN: # absi(-1 << 63) is negative
					out.append(n)
				else:
					out.append(str(n))
		TYPE_PACKED_FLOAT32_ARRAY:
			for f: float in value:
				out.append(_component(f))
		TYPE_PACKED_FLOAT64_ARRAY:
			for f: float in value:
				var word: String = _word(f)
				out.append(McpJsonSafe.number(f) if word == "" else word)
		TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_STRING_ARRAY:
			out = Array(value)
		_:
			for part: Variant in value:
				out.append(_struct(part))
	return out


static func _array(value: Array, base: Node, depth: int) -> Variant:
	var out: Array = []
	if not value.is_typed():
		for item: Variant in value:
			out.append(tagged(item, base, depth + 1))
		return out
	var type: int = value.get_typed_builtin()
	for item: Variant in value:
		out.append(_element(item, type, base, depth + 1))
	return {"type": container_name(value), "value": out}


## The type of a typed array or dictionary.
static func container_name(value: Variant) -> String:
	if value is Array:
		var array: Array = value
		return "Array[%s]" % _type_name(array.get_typed_builtin(), array.get_typed_class_name(), array.get_typed_script() as Script)
	var dictionary: Dictionary = value
	return "Dictionary[%s, %s]" % [
		_type_name(dictionary.get_typed_key_builtin(), dictionary.get_typed_key_class_name(), dictionary.get_typed_key_script() as Script),
		_type_name(dictionary.get_typed_value_builtin(), dictionary.get_typed_value_class_name(), dictionary.get_typed_value_script() as Script),
	]


static func _element(item: Variant, type: int, base: Node, depth: int) -> Variant:
	return natural(item, base, depth) if typeof(item) == type else tagged(item, base, depth)


static func _dictionary(value: Dictionary, base: Node, depth: int) -> Variant:
	var plain: bool = not value.is_typed()
	for key: Variant in value:
		plain = plain and key is String and key not in RESERVED
	if plain:
		var out: Dictionary = {}
		for key: String in value:
			out[key] = tagged(value[key], base, depth + 1)
		return out
	var key_type: int = value.get_typed_key_builtin()
	var value_type: int = value.get_typed_value_builtin()
	var entries: Array = []
	for key: Variant in value:
		entries.append([_element(key, key_type, base, depth + 1), _element(value[key], value_type, base, depth + 1)])
	if not value.is_typed():
		return {"type": "Dictionary", "entries": entries}
	return {"type": container_name(value), "entries": entries}


static func _type_name(type: int, of_class: StringName, script: Script) -> String:
	if type == TYPE_NIL:
		return "Variant"
	if script != null and script.resource_path != "":
		return script.resource_path
	if type == TYPE_OBJECT and of_class != &"":
		return of_class
	return type_string(type)


static func _object(value: Object, base: Node) -> Variant:
	if not is_instance_valid(value):
		return null
	var resource: Resource = value as Resource
	if resource != null:
		return _resource(resource)
	var node: Node = value as Node
	if node != null and base != null:
		return {"type": "NodePath", "value": str(base.get_path_to(node))}
	return {"type": "Object", "text": value.get_class()}


# By its path, "" while no file names it, and uid if the file has one.
static func _resource(resource: Resource) -> Dictionary:
	var path: String = resource.resource_path
	var out: Dictionary = {"resource": path}
	if path != "" and not path.contains("::"):
		var id: int = ResourceLoader.get_resource_uid(path)
		if id != ResourceUID.INVALID_ID:
			out["uid"] = ResourceUID.id_to_text(id)
	out["class"] = resource.get_class()
	return out
