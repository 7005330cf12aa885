@tool
extends RefCounted
## The plain parts of typed JSON: booleans and numbers, and what is told when
## something is no value.

const McpJsonSafe := preload("json_safe.gd")

## Set when some part was given in a form that had to be guessed at.
var coerced: bool = false
## What was wrong: expected, got, and for other reasons than bad_value the reason.
var problem: Dictionary = {}


func failed() -> bool:
	return not problem.is_empty()


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
		if text.is_valid_int():
			return _fault("%s does not fit 64 bits" % describe(json))
		if text.is_valid_hex_number(true):
			coerced = true
			return text.hex_to_int()
		if text.is_valid_float() and text.to_float() == floorf(text.to_float()) and absf(text.to_float()) < 9.2e18:
			coerced = true
			return int(text.to_float())
		if text.is_valid_float():
			return _wrong(expected + ", a whole number", json)
	return _wrong(expected, json)


# The 64 bits of a double that the engine reads from no decimal text.
static func _is_bits(text: String) -> bool:
	return text.length() == 18 and text.begins_with("0x") and text[2] not in ["+", "-"] and text.substr(2).is_valid_hex_number()


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
		if _is_bits(text):
			var bits: PackedByteArray = text.substr(2).hex_decode()
			bits.reverse()
			return bits.decode_double(0)
		if text.is_valid_float():
			coerced = true
			return text.to_float()
	return _wrong("float", json)


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
	var list: String = ", ".join(want).replace("?", "")
	for name: String in object:
		if name not in want and name + "?" not in want:
			_fault("unknown key %s in %s; it has the keys %s" % [_quote(name), form, list])
			return false
	for name: String in want:
		if not name.ends_with("?") and not object.has(name):
			_fault("%s needs the key %s; it has the keys %s" % [form, _quote(name), list])
			return false
	return true


static func _clip(text: String) -> String:
	return text if text.to_utf8_buffer().size() <= 40 else text.left(40) + "…"


static func _quote(text: String) -> String:
	return JSON.stringify(_clip(text))


## Says in which part of a value the problem is; whoever calls a reader of a part
## puts its own step in front.
func _within(step: String) -> Variant:
	if problem.get("reason") == "bad_value":
		problem["at"] = step + str(problem.get("at", ""))
	return null


static func _key(name: String) -> String:
	return "." + name if name.is_valid_ascii_identifier() else "[%s]" % _quote(name)


## Notes a fault in words of its own; always null.
func _fault(message: String) -> Variant:
	if problem.is_empty():
		problem = {"reason": "bad_value", "message": message}
	return null


## Notes what was wrong; always null.
func _wrong(expected: String, got: Variant) -> Variant:
	if problem.is_empty():
		problem = {"reason": "bad_value", "expected": expected, "got": describe(got)}
	return null


func refuse(reason: String, facts: Dictionary) -> Variant:
	if problem.is_empty():
		problem = facts.duplicate()
		problem["reason"] = reason
	return null


## The details of a bad_value.
func details(property: String, expected: String, given: Variant) -> Dictionary:
	var got: String = McpJsonSafe.text(_as_sent(given))
	if got.length() > 200:
		got = got.left(200) + "…"
	var message: String = problem.get("message", "expected %s, got %s" % [problem.get("expected", expected), problem.get("got", got)])
	if problem.has("at"):
		message = "at %s: %s" % [problem["at"], message]
	return {"property": property, "expected": expected, "got": got, "message": message}


# The parser gives every number as a float; whole ones were sent without a point.
static func _as_sent(json: Variant) -> Variant:
	match typeof(json):
		TYPE_FLOAT:
			return McpJsonSafe.number(json as float) if is_finite(json as float) else json
		TYPE_ARRAY:
			return (json as Array).map(_as_sent)
		TYPE_DICTIONARY:
			var out: Dictionary = {}
			for key: Variant in json:
				out[key] = _as_sent(json[key])
			return out
	return json


static func describe(json: Variant) -> String:
	match typeof(json):
		TYPE_NIL:
			return "null"
		TYPE_BOOL:
			return "a boolean"
		TYPE_INT, TYPE_FLOAT:
			return "the number " + (str(int(json)) if json == floorf(json) and absf(json) < 1e15 else str(json))
		TYPE_STRING:
			return "the string " + _quote(json as String)
		TYPE_ARRAY:
			return "an array of %d" % (json as Array).size()
		TYPE_DICTIONARY:
			if (json as Dictionary).is_empty():
				return "an object"
			return "an object with " + _clip(", ".join((json as Dictionary).keys().map(func(k: Variant) -> String: return str(k))))
	return type_string(typeof(json))
