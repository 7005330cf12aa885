@tool
extends RefCounted
## The open project.

const McpContext := preload("../context.gd")
const McpReads := preload("reads.gd")


func commands() -> Dictionary:
	return {"cmd_get_project_info": get_project_info}


func get_project_info(_ctx: McpContext, _p: Dictionary) -> Dictionary:
	var autoloads: Array[Dictionary] = []
	var actions: Array[String] = []
	for info: Dictionary in ProjectSettings.get_property_list():
		var key: String = info["name"]
		if key.begins_with("autoload/"):
			autoloads.append(_autoload(key))
		elif key.begins_with("input/") and not key.begins_with("input/ui_"):
			# The editor's own shortcuts are input actions too, but no project's.
			if not key.trim_prefix("input/").contains("/"):
				actions.append(key.trim_prefix("input/"))
	autoloads.sort_custom(func(a: Dictionary, b: Dictionary) -> bool: return a["name"] < b["name"])
	actions.sort()
	var out: Dictionary = {
		"name": str(ProjectSettings.get_setting("application/config/name", "")),
		"project_path": ProjectSettings.globalize_path("res://").trim_suffix("/"),
		"godot_version": str(Engine.get_version_info()["string"]),
		"autoloads": autoloads, "input_actions": actions,
		"csharp_supported": ClassDB.class_exists(&"CSharpScript"), "csharp_project": _has_csharp(),
	}
	var main: String = McpReads.main_scene()
	if main != "":
		out["main_scene"] = main
	return out


static func _autoload(key: String) -> Dictionary:
	var value: String = str(ProjectSettings.get_setting(key, ""))
	var path: String = value.trim_prefix("*")
	if path.begins_with("uid://"):
		var id: int = ResourceUID.text_to_id(path)
		if ResourceUID.has_id(id):
			path = ResourceUID.get_id_path(id)
	return {"name": key.trim_prefix("autoload/"), "path": path, "singleton": value.begins_with("*")}


static func _has_csharp() -> bool:
	for file: String in DirAccess.get_files_at("res://"):
		if file.get_extension() == "csproj":
			return true
	return false
