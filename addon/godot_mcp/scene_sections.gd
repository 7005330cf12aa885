@tool
extends RefCounted
## Which sections of a text scene or resource differ, for people and agents to read.

## How many are named of each kind of difference.
const MOST := 10


## Names under "added", "removed" and "altered", as far as there are any.
static func difference(before: String, after: String) -> Dictionary:
	var old: Dictionary[String, String] = _sections(before)
	var now: Dictionary[String, String] = _sections(after)
	var lists: Dictionary[String, PackedStringArray] = {"added": [], "removed": [], "altered": []}
	for name: String in now:
		if not old.has(name):
			lists["added"].append(name)
		elif old[name] != now[name]:
			lists["altered"].append(name)
	for name: String in old:
		if not now.has(name):
			lists["removed"].append(name)
	var out: Dictionary = {}
	for kind: String in lists:
		if not lists[kind].is_empty():
			out[kind] = Array(lists[kind].slice(0, MOST))
	return out


static func _sections(text: String) -> Dictionary[String, String]:
	var out: Dictionary[String, String] = {}
	var name: String = ""
	for line: String in text.split("\n"):
		var bare: String = line.strip_edges()
		if bare == "":
			continue
		var found: String = _name(bare)
		if found != "":
			name = found
		if name != "":
			out[name] = out.get(name, "") + line + "\n"
	return out


# The section that a line begins, "" when it begins none. A line of a text value may
# be taken for one.
static func _name(line: String) -> String:
	if line == "[resource]":
		return "resource"
	if not line.begins_with("[") or not line.ends_with("]"):
		return ""
	match line.substr(1).get_slice(" ", 0):
		"gd_scene", "gd_resource":
			return "header"
		"ext_resource":
			return "ext_resource " + _value(line, "path")
		"sub_resource":
			return "sub_resource " + _value(line, "id")
		"node":
			var parent: String = _value(line, "parent")
			if parent == "":
				return "node ."
			return "node " + ("" if parent == "." else parent + "/") + _value(line, "name")
		"connection":
			return "connection %s.%s to %s.%s" % [_value(line, "from"), _value(line, "signal"), _value(line, "to"), _value(line, "method")]
		"editable":
			return "editable " + _value(line, "path")
	return ""


static func _value(line: String, name: String) -> String:
	var at: int = line.find(" " + name + "=\"")
	if at < 0:
		return ""
	return line.substr(at + name.length() + 3).get_slice("\"", 0)
