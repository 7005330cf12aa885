@tool
extends RefCounted
## Scripts that the check of one script made the engine read without loading them.
##
## The engine compiles such a script from the text that it read then, however much later
## it is first used and whatever its file holds by that time (engine 4.6 experiment: a
## class that a function of the checked script names, its own included).

static var _quoted: RegEx = RegEx.create_from_string("[\"']([^\"'\\n]+\\.gd)[\"']")


## Makes the engine forget what it read for the check of a script with this text.
static func forget(path: String, text: String) -> void:
	_forget_one(path)
	for entry: Dictionary in ProjectSettings.get_global_class_list():
		_forget_one(entry["path"] as String)
	for found: RegExMatch in _quoted.search_all(text):
		var named: String = found.get_string(1)
		_forget_one(named if named.begins_with("res://") else path.get_base_dir().path_join(named).simplify_path())


# A script that takes the path and gives it back takes what the engine keeps for it along.
static func _forget_one(path: String) -> void:
	if path.get_extension() == "gd" and not ResourceLoader.has_cached(path):
		var taker: GDScript = GDScript.new()
		taker.resource_path = path
		taker.resource_path = ""
