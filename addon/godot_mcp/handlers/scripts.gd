@tool
extends RefCounted
## Scripts on nodes, and the errors of a script.

const McpContext := preload("../context.gd")
const McpParams := preload("../params.gd")
const McpPaths := preload("../paths.gd")
const McpScriptChange := preload("../script_change.gd")
const McpShallowScripts := preload("../shallow_scripts.gd")


func commands() -> Dictionary:
	return {"cmd_attach_script": attach_script, "cmd_check_script": check_script}


func attach_script(ctx: McpContext, p: Dictionary) -> Dictionary:
	var node: Node = McpPaths.find(ctx, McpParams.text(p, "node_path"))
	if node == null:
		return {}
	var done: Dictionary = McpScriptChange.attach(ctx, node, McpParams.text(p, "script_path"))
	if ctx.failed():
		return {}
	var out: Dictionary = {"node_path": McpPaths.of(ctx.root, node), "script_path": done["script"]}
	if done["previous"] != "":
		out["previous"] = done["previous"]
	out["changed"] = done["changed"]
	return ctx.judge(out, node, func() -> Dictionary:
		return ctx.services.persistence.of_node_with(node, out["script_path"] as String, McpPaths.of(ctx.root, node), ctx.root))


func check_script(ctx: McpContext, p: Dictionary) -> Dictionary:
	var path: String = McpParams.text(p, "path")
	if not path.begins_with("res://"):
		return ctx.fail("bad_path", {"path": path})
	if path.get_extension() != "gd":
		return ctx.fail("bad_extension", {"path": path, "want": ["gd"]})
	if DirAccess.dir_exists_absolute(path):
		return ctx.fail("is_folder", {"path": path})
	if not FileAccess.file_exists(path):
		return ctx.fail("file_not_found", {"path": path})
	var bytes: PackedByteArray = FileAccess.get_file_as_bytes(path)
	var text: String = bytes.get_string_from_utf8()
	var sha: String = FileAccess.get_sha256(path)
	var found: Variant = ctx.services.language.errors_of(path, text, sha)
	var out: Dictionary = {"path": path, "ready": true, "level": "language_server"}
	if found == null:
		if not ctx.services.language.foreign() and not ctx.services.language.down():
			return {"path": path, "ready": false, "reason": "diagnostics_pending", "errors": [], "sha256": sha}
		out["level"] = "compile"
		found = _compile(ctx, path, text)
		if found == null:
			# Nothing here tells errors: the language server is another project's.
			return ctx.fail("lsp_project", {"root": ctx.services.language.foreign_root})
	McpShallowScripts.forget(path, text)
	out["errors"] = found
	out["sha256"] = sha
	var pending: Array[String] = _unregistered(path, text)
	if not pending.is_empty():
		out["pending_registration"] = pending
	return out


# The compiler's own findings: the first syntax error or all of the analyzer's.
static func _compile(ctx: McpContext, path: String, text: String) -> Variant:
	if not ctx.services.capture.available:
		return null
	var seen: int = ctx.services.capture.entries().size()
	var script: GDScript = GDScript.new()
	script.source_code = text
	var result: Error = script.reload()
	var errors: Array[Dictionary] = []
	# The throwaway has not the file's path, so it hides the file's own class.
	var own_class: String = _class_name_of(text)
	var hides: String = "" if _registered_path(own_class) != path else 'Class "%s" hides a global script class.' % own_class
	var entries: Array[Dictionary] = ctx.services.capture.entries()
	for entry: Dictionary in entries.slice(seen):
		if entry["kind"] == ctx.services.capture.SCRIPT:
			var own: String = (entry["file"] as String)
			var message: String = (entry["text"] as String).trim_prefix("Parse Error: ").replace(own, path)
			if message == hides:
				result = OK
				continue
			errors.append({"line": entry["line"], "column": 0, "message": message})
	if result != OK and errors.is_empty():
		errors.append({"line": 1, "column": 0, "message": error_string(result)})
	return errors


# The script's own class_name, while the editor has not registered it. A name that
# another file declares as well is no matter of waiting.
static func _unregistered(path: String, text: String) -> Array[String]:
	var name: String = _class_name_of(text)
	var registered: String = _registered_path(name)
	if name == "" or registered == path:
		return []
	if FileAccess.file_exists(registered) and _class_name_of(FileAccess.get_file_as_string(registered)) == name:
		return []
	return [name]


static func _registered_path(name: String) -> String:
	for entry: Dictionary in ProjectSettings.get_global_class_list():
		if entry["class"] == StringName(name):
			return entry["path"]
	return ""


static func _class_name_of(text: String) -> String:
	for line: String in text.split("\n"):
		if line.begins_with("class_name "):
			return line.trim_prefix("class_name ").strip_edges().get_slice(" ", 0).get_slice("#", 0)
	return ""
