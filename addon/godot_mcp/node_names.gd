@tool
extends RefCounted
## The engine's rules for node names, to say beforehand what a name becomes.


## The name that [param wanted] becomes below [param parent]; [param own] is the
## node that is to have it, when it is there already.
static func free_name(parent: Node, wanted: String, own: Node = null) -> String:
	return free_of(wanted.validate_node_name(), func(name: String) -> bool: return _taken(parent, name, own))


## The name that [param name] becomes where [param taken] says which ones are.
static func free_of(name: String, taken: Callable) -> String:
	if not taken.call(name):
		return name
	var digits: String = ""
	var stem: String = name
	while stem != "" and stem[-1] >= "0" and stem[-1] <= "9":
		digits = stem[-1] + digits
		stem = stem.left(-1)
	var separator: String = _separator()
	if digits == "" or not stem.ends_with(separator):
		stem = name + separator
		digits = ""
	while true:
		digits = "2" if digits == "" else _next(digits)
		if not taken.call(stem + digits):
			break
	return stem + digits


# "09" -> "10", "99" -> "100": the width is kept as long as it suffices.
static func _next(digits: String) -> String:
	var i: int = digits.length() - 1
	var out: String = ""
	while i >= 0 and digits[i] == "9":
		out = "0" + out
		i -= 1
	if i < 0:
		return "1" + out
	return digits.left(i) + str(digits[i].to_int() + 1) + out


static func _separator() -> String:
	match ProjectSettings.get_setting("editor/naming/node_name_num_separator", 0):
		1:
			return " "
		2:
			return "_"
		3:
			return "-"
	return ""


static func _taken(parent: Node, name: String, own: Node) -> bool:
	if parent == null:
		return false
	for child: Node in parent.get_children(true):
		if child != own and child.name == StringName(name):
			return true
	return false
