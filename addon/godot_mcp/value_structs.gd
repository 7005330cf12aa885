@tool
extends "value_reader.gd"
## Structs and packed arrays in typed JSON, in all the forms that clients send.

const McpFields := preload("value_fields.gd")


func _struct(json: Variant, type: int) -> Variant:
	if json is String:
		return _struct_text((json as String).strip_edges(), type)
	var numbers: Array = []
	_collect(json, type, numbers)
	return null if failed() else McpFields.build(type, numbers)


func _collect(json: Variant, type: int, numbers: Array) -> void:
	var fields: Array = McpFields.FIELDS[type]
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
	# A flat array could mix up the rows and columns of these.
	var mixed: bool = type == TYPE_BASIS or type == TYPE_TRANSFORM3D
	if list.size() == McpFields.size(type) and flat and not mixed:
		for i: int in list.size():
			_component(list[i], type, numbers)
			if failed():
				_within("[%d]" % i)
				return
	elif list.size() == fields.size():
		for i: int in fields.size():
			_member(list[i], type, fields[i] as Array, numbers)
			if failed():
				_within("[%d]" % i)
				return
	else:
		_wrong(_form(type) + (" or an array of these" if mixed else " or an array of %d numbers" % McpFields.size(type)), json)


func _collect_object(object: Dictionary, type: int, fields: Array, numbers: Array) -> void:
	var known: Array = fields.map(func(f: Array) -> String: return f[0] + ("?" if type == TYPE_COLOR and f[0] == "a" else ""))
	if not _keys(object, known, type_string(type)):
		return
	for field: Array in fields:
		if object.has(field[0]):
			_member(object[field[0]], type, field, numbers)
			if failed():
				_within(_key(field[0] as String))
				return
		elif type == TYPE_COLOR and field[0] == "a":
			coerced = true
			numbers.append(1.0)


func _member(json: Variant, type: int, field: Array, numbers: Array) -> void:
	if McpFields.FIELDS.has(field[1]):
		_collect(json, field[1] as int, numbers)
	else:
		_component(json, type, numbers)


func _component(json: Variant, type: int, numbers: Array) -> void:
	var value: Variant = null
	if McpFields.whole(type):
		value = _integer(json)
		if value is int and (value < -2147483648 or value > 2147483647):
			value = _fault("%d does not fit the 32 bits of a %s" % [value, type_string(type)])
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
		if numbers.size() == McpFields.size(type) and not failed():
			coerced = true
			return McpFields.build(type, McpFields.from_text_order(type, numbers))
	return _wrong(_form(type), text)


func _packed(json: Variant, type: int) -> Variant:
	var list: Variant = _embedded(json, TYPE_ARRAY)
	if not list is Array:
		return _wrong(type_string(type) + " as an array", json)
	var out: Array = []
	var element: int = McpFields.PACKED_STRUCTS.get(type, TYPE_NIL)
	if element != TYPE_NIL:
		var numbers: Array = []
		var size: int = McpFields.size(element)
		if (list as Array).size() > 0 and not list[0] is Dictionary and not list[0] is Array and not list[0] is String:
			if (list as Array).size() % size != 0:
				return _wrong("%s as an array of %s, or a multiple of %d numbers" % [type_string(type), type_string(element), size], json)
			for i: int in (list as Array).size():
				_component(list[i], element, numbers)
				if failed():
					return _within("[%d]" % i)
			for i: int in range(0, numbers.size() if not failed() else 0, size):
				out.append(McpFields.build(element, numbers.slice(i, i + size)))
		else:
			for item: Variant in list:
				out.append(_struct(_without_type(item, element), element))
				if failed():
					return _within("[%d]" % (out.size() - 1))
	else:
		for item: Variant in list:
			out.append(_packed_item(item, type))
			if failed():
				return _within("[%d]" % (out.size() - 1))
	return null if failed() else type_convert(out, type)


func _without_type(json: Variant, type: int) -> Variant:
	if json is Dictionary and (json as Dictionary).get("type") == type_string(type):
		var rest: Dictionary = (json as Dictionary).duplicate()
		rest.erase("type")
		return rest
	return json


func _packed_item(item: Variant, type: int) -> Variant:
	match type:
		TYPE_PACKED_STRING_ARRAY:
			return item if item is String else _wrong("a string", item)
		TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_FLOAT64_ARRAY:
			return _float(item)
	var value: Variant = _integer(item)
	if value is int and type == TYPE_PACKED_BYTE_ARRAY and (value < 0 or value > 255):
		return _fault("%d does not fit a byte" % value)
	if value is int and type == TYPE_PACKED_INT32_ARRAY and (value < -2147483648 or value > 2147483647):
		return _fault("%d does not fit 32 bits" % value)
	return value


func _form(type: int) -> String:
	return "%s as %s%s" % [type_string(type), _form_of(type), " or \"#rrggbb\"" if type == TYPE_COLOR else ""]


func _form_of(type: int) -> String:
	var parts: PackedStringArray = []
	for field: Array in McpFields.FIELDS[type]:
		parts.append("\"%s\":%s" % [field[0], _form_of(field[1] as int) if McpFields.FIELDS.has(field[1]) else ".."])
	return "{%s}" % ",".join(parts)
