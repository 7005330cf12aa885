@tool
extends RefCounted
## JSON text that every reader takes.
##
## JSON.stringify leaves most control characters raw, writes U+000B as "\v" and
## prints floats with 15 digits or with a long tail (engine 4.6 experiment).
## [method number] and [method text] together mend that.

## Encloses a number that goes into the text as it stands. Private-use characters
## around digits: what a person writes cannot be taken for it by accident.
const MARK := "\ue000"

static var _marked: RegEx = RegEx.create_from_string("\"\ue000(-?[0-9.e+-]+)\ue000\"")
static var _raw: RegEx = RegEx.create_from_string("[\\x01-\\x1f\\x7f]")
static var _vertical: RegEx = RegEx.create_from_string("(?<!\\\\)((?:\\\\\\\\)*)\\\\v")

static var _scientific_is_exact: bool = String.num_scientific(0.123456789).length() > 9


## The text of a JSON value whose floats went through [method number].
static func text(value: Variant) -> String:
	var out: String = JSON.stringify(value, "", false, true)
	if out.contains(MARK):
		out = _marked.sub(out, "$1", true)
	if out.contains("\\v"):
		out = _vertical.sub(out, "$1\\u000b", true)
	if _raw.search(out) != null:
		for code: int in range(1, 32):
			out = out.replace(String.chr(code), "\\u%04x" % code)
		out = out.replace(String.chr(127), "\\u007f")
	return out


## A finite float as JSON: an int when it is whole, else the shortest text that
## reads back to the same double.
static func number(value: float) -> Variant:
	if value == floorf(value) and absf(value) < 9007199254740992.0:
		return int(value)
	return MARK + shortest(value) + MARK


## The shortest decimal text of a double. Before Godot 4.5 num_scientific stops at
## six digits. It is not read back here: the engine's own reader may be off by a unit
## in the last place, other readers are not.
static func shortest(value: float) -> String:
	if _scientific_is_exact:
		return String.num_scientific(value)
	var digits: String = var_to_str(value)
	if digits.to_float() == value:
		return digits
	return String.num(value, 17 - floori(log(absf(value)) / log(10.0)))
