@tool
extends RefCounted
## Text files that the engine reads without a word and loses a part of with the next save.
##
## It stops at a NUL character, passes over the beginning of an assignment at the end,
## takes a header behind a broken assignment for a part of it, keeps one of two resources
## that have the same id, makes a node twice that has a value without a name, and writes
## values within a hundred others only (engine 4.6 experiments). Such files are refused as
## those are that it cannot read.

const McpDependencies := preload("dependencies.gd")

const TEXT_EXTENSIONS: PackedStringArray = ["tscn", "tres"]
# How many values may stand in each other.
const DEEPEST := 100

# A value without brackets or quotes.
static var _simple: RegEx = RegEx.create_from_string("^[ \\t]*(?:-?\\d+\\.?\\d*(?:[eE][-+]?\\d*)?|#[0-9a-fA-F]*|-?[A-Za-z_]\\w*)$")
# Texts and comments, in which no section begins.
static var _quiet: RegEx = RegEx.create_from_string("(?s)\"(?:[^\"\\\\]++|\\\\.)*+\"|;[^\\n]*+")
static var _ids: RegEx = RegEx.create_from_string("(?m)^\\[((?:ext|sub)_resource) [^\\n]*?\\bid=(?:\"([^\"]*)\"|(\\d+))")
# A value with no other inside.
static var _innermost: RegEx = RegEx.create_from_string("[\\[{][^\\[\\]{}]*+[\\]}]")
# A node whose parent is no text, or an empty one.
static var _no_parent: RegEx = RegEx.create_from_string("(?s)\\[node\\b(?:\"(?:[^\"\\\\]++|\\\\.)*+\"|\\[[^\\[\\]]*+\\]|[^\"\\[\\]])*?\\bparent\\s*=\\s*(?![&@]?\"(?!\")|NodePath\\(\\s*\"(?!\"))")


## The scene, of this one and those that it is made of, that the engine dies of when it
## reads it: a node has an empty path of its parent. "" when there is none.
static func deadly(path: String, seen: Dictionary[String, bool] = {}) -> String:
	if seen.has(path) or path.get_extension().to_lower() != "tscn" or not FileAccess.file_exists(path):
		return ""
	seen[path] = true
	var text: String = _text(FileAccess.get_file_as_bytes(path))
	if _no_parent.search(text) != null and _no_parent.search(_without_texts(text)) != null:
		return path
	for raw: String in ResourceLoader.get_dependencies(path):
		var found: String = deadly(McpDependencies.path(raw), seen)
		if found != "":
			return found
	return ""


# Byte for byte: what is looked for is ASCII, and bytes that are no UTF-8 must not show
# up as errors.
static func _text(bytes: PackedByteArray) -> String:
	return bytes.get_string_from_ascii()


# The same text, in whose texts and comments nothing reads as a section.
static func _without_texts(text: String) -> String:
	var out: PackedStringArray = []
	var at: int = 0
	for found: RegExMatch in _quiet.search_all(text):
		if found.get_string().contains("["):
			out.append(text.substr(at, found.get_start() - at))
			out.append(found.get_string().replace("[", "("))
			at = found.get_end()
	out.append(text.substr(at))
	return "".join(out)


## What is wrong with the text of the file, or of a resource file that it uses and that is
## saved with it; "" for nothing. [param sections] is how many sections of a tag the engine
## has read.
static func of(path: String, sections: Dictionary[String, int] = {}, seen: Dictionary[String, bool] = {}) -> String:
	if path.get_extension().to_lower() not in TEXT_EXTENSIONS or seen.has(path) or not FileAccess.file_exists(path):
		return ""
	seen[path] = true
	var bytes: PackedByteArray = FileAccess.get_file_as_bytes(path)
	if bytes.has(0):
		return "a NUL character"
	var text: String = _text(bytes)
	if _is_unfinished(text):
		return "the file ends within an assignment"
	if text.contains("\n=") and _quiet.sub(text, "", true).contains("\n="):
		return "a value without a name"
	for tag: String in sections:
		var begin: String = "\n[%s " % tag
		if text.count(begin) > sections[tag] and _quiet.sub(text, "", true).count(begin) > sections[tag]:
			return "a section that is a part of an assignment"
	for raw: String in ResourceLoader.get_dependencies(path):
		var used: String = McpDependencies.path(raw)
		if _is_empty(used) or used.get_extension().to_lower() == "tres" and of(used, {}, seen) != "":
			return used + " is damaged"
	var twice: String = _id_given_twice(text)
	if twice != "":
		twice = _id_given_twice(_without_texts(text))
	if twice != "":
		return "two resources with the id " + twice
	if text.count("[") + text.count("{") - text.count("\n[") > DEEPEST and _is_deep(_quiet.sub(text, "", true)):
		return "values nested too deep"
	return ""


# Of a file without any section the engine says that the end is reached, and takes that
# for the end of what it reads.
static func _is_empty(path: String) -> bool:
	return path.get_extension().to_lower() in TEXT_EXTENSIONS and FileAccess.file_exists(path) and FileAccess.get_size(path) < 4096 \
			and not _text(FileAccess.get_file_as_bytes(path)).contains("[")


static func _is_deep(text: String) -> bool:
	var left: String = text
	for level: int in DEEPEST:
		var less: String = _innermost.sub(left, "", true)
		if less.length() == left.length():
			return false
		left = less
	return left.contains("[") or left.contains("{")


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
