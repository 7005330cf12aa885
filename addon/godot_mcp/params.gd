@tool
extends RefCounted
## Checks the parameters of a command against the wire contract.

const McpVocabulary := preload("vocabulary.gd")


## Kinds that one type of value fits, and only that.
const PLAIN: Dictionary[String, int] = {
	"string": TYPE_STRING, "bool": TYPE_BOOL, "object": TYPE_DICTIONARY, "array": TYPE_ARRAY,
}

# Command -> name of a parameter -> the type that it always has.
static var _types: Dictionary[String, Dictionary] = {}


## Why [param given] are no parameters of [param command]; empty when they are.
## A null stands for an absent parameter, except where any value is meant.
static func problem(command: String, given: Dictionary) -> Dictionary:
	var known: Dictionary = McpVocabulary.PARAMS[command]
	var types: Dictionary = _types_of(command, known)
	for name: Variant in given:
		var value: Variant = given[name]
		if typeof(value) == types.get(name, TYPE_MAX):
			continue
		var kind: String = known.get(name, "")
		var ok: bool = true
		match kind:
			"any":
				continue
			"string":
				ok = value is String
			"int":
				ok = value is int or (value is float and is_finite(value) and value == floorf(value))
			"bool":
				ok = value is bool
			"object":
				ok = value is Dictionary
			"array":
				ok = value is Array
			"strings":
				ok = value is Array and (value as Array).all(func(v: Variant) -> bool: return v is String)
			_:
				return {"message": "unknown field \"%s\"" % name, "param": str(name)}
		if not ok and value != null:
			return {"message": "\"%s\" must be %s" % [name, _noun(kind)], "param": str(name)}
	return {}


static func _types_of(command: String, known: Dictionary) -> Dictionary:
	if not _types.has(command):
		var types: Dictionary = {}
		for name: String in known:
			if PLAIN.has(known[name]):
				types[name] = PLAIN[known[name]]
		_types[command] = types
	return _types[command]


static func _noun(kind: String) -> String:
	match kind:
		"string":
			return "a string"
		"int":
			return "a whole number"
		"bool":
			return "true or false"
		"object":
			return "an object"
		"strings":
			return "a list of strings"
	return "a list"


static func text(params: Dictionary, name: String) -> String:
	var value: Variant = params.get(name)
	return value if value is String else ""


static func number(params: Dictionary, name: String, default: int = 0) -> int:
	var value: Variant = params.get(name)
	return default if value == null else int(value)


static func flag(params: Dictionary, name: String) -> bool:
	return params.get(name) == true


static func list(params: Dictionary, name: String) -> Array:
	var value: Variant = params.get(name)
	return value if value is Array else []


static func object(params: Dictionary, name: String) -> Dictionary:
	var value: Variant = params.get(name)
	return value if value is Dictionary else {}
