@tool
extends RefCounted
## Text files that the engine reads without a word and loses a part of with the next save.
##
## It stops at a NUL character, passes over the beginning of an assignment at the end,
## takes a header behind a broken assignment for a part of it, keeps one of two resources
## that have the same id, and writes values within a hundred others only (engine 4.6
## experiments). Such files are refused as those are that it cannot read.

const TEXT_EXTENSIONS: PackedStringArray = ["tscn", "tres"]

# A value without brackets or quotes.
static var _simple: RegEx = RegEx.create_from_string("^[ \\t]*(?:-?\\d+\\.?\\d*(?:[eE][-+]?\\d*)?|#[0-9a-fA-F]*|-?[A-Za-z_]\\w*)$")
# Texts and comments, in which no section begins.
static var _quiet: RegEx = RegEx.create_from_string("(?s)\"(?:[^\"\\\\]++|\\\\.)*+\"|;[^\\n]*+")
static var _ids: RegEx = RegEx.create_from_string("(?m)^\\[((?:ext|sub)_resource) [^\\n]*?\\bid=(?:\"([^\"]*)\"|(\\d+))")
# A hundred and one brackets that are open at once, after what is closed again.
static var _deep: RegEx = RegEx.create_from_string("(?:[\\[{](?>[^\\[\\]{}]++|([\\[{](?>[^\\[\\]{}]++|(?1))*+[\\]}]))*+){101}")


## What is wrong with the text of the file, "" for nothing. [param sections] is how many
## sections of a tag the engine has read.
static func of(path: String, sections: Dictionary[String, int] = {}) -> String:
	if path.get_extension().to_lower() not in TEXT_EXTENSIONS:
		return ""
	var bytes: PackedByteArray = FileAccess.get_file_as_bytes(path)
	if bytes.has(0):
		return "a NUL character"
	var text: String = bytes.get_string_from_utf8()
	if _is_unfinished(text):
		return "the file ends within an assignment"
	for tag: String in sections:
		var begin: String = "\n[%s " % tag
		if text.count(begin) > sections[tag] and _quiet.sub(text, "", true).count(begin) > sections[tag]:
			return "a section that is a part of an assignment"
	var twice: String = _id_given_twice(text)
	if twice != "":
		return "two resources with the id " + twice
	if text.count("[") + text.count("{") - text.count("\n[") > 100 and _deep.search(_quiet.sub(text, "", true)) != null:
		return "values nested too deep"
	return ""


# The last line holds the beginning of an assignment, or something behind a value. Values
# end with a bracket or a quote, if they are no simple ones on the line of their key.
static func _is_unfinished(whole: String) -> bool:
	var text: String = whole.rstrip(" \t\r\n")
	var end: int = text.rfind("\n")
	var last: String = text.substr(end + 1)
	if last == "" or last.contains(";") or last.contains("\"") or last[-1] in [")", "]", "}"]:
		return false
	if not last.contains("="):
		return not text.substr(0, maxi(end, 0)).rstrip(" \t\r\n").ends_with("=")
	return _simple.search(last.substr(last.rfind("=") + 1)) == null


static func _id_given_twice(text: String) -> String:
	if text.count("_resource ") < 2:
		return ""
	var seen: Dictionary[String, bool] = {}
	for found: RegExMatch in _ids.search_all(text):
		var id: String = found.get_string(2) + found.get_string(3)
		var key: String = found.get_string(1) + " " + id
		if seen.has(key):
			return id
		seen[key] = true
	return ""
