@tool
extends RefCounted
## Puts a script on a node or takes it off.

const McpContext := preload("context.gd")
const McpScriptVariables := preload("script_variables.gd")

const EXTENSIONS: PackedStringArray = ["gd", "cs"]


## The script at [param path], if it may stand on a node of class [param type].
static func load_for(ctx: McpContext, path: String, type: StringName) -> Script:
	if path.get_extension() not in EXTENSIONS:
		ctx.fail("bad_extension", {"path": path, "want": Array(EXTENSIONS)})
		return null
	if not FileAccess.file_exists(path):
		ctx.fail("file_not_found", {"path": path})
		return null
	var resource: Resource = load(path) if ResourceLoader.exists(path) else null
	var script: Script = resource as Script
	if script == null:
		ctx.fail("wrong_resource_type", {
			"property": "script", "expected": "Script", "resource": path,
			"got": "a file that is no resource" if resource == null else resource.get_class(),
		})
		return null
	var base: StringName = script.get_instance_base_type()
	if base == &"":
		var details: Dictionary = {"path": path, "message": "the script does not compile", "line": 0}
		for entry: Dictionary in ctx.services.capture.entries():
			if entry["file"] == path:
				details["message"] = entry["text"]
				details["line"] = entry["line"]
				break
		ctx.fail("corrupt_file", details)
		return null
	if not ClassDB.is_parent_class(type, base):
		ctx.fail("wrong_resource_type", {"property": "script", "expected": str(type), "got": str(base), "resource": path})
		return null
	return script


## {script, previous, changed}: paths, "" for none.
static func attach(ctx: McpContext, node: Node, path: String) -> Dictionary:
	var script: Script = null
	if path != "":
		script = load_for(ctx, path, node.get_class())
		if script == null:
			return {}
	var old: Script = node.get_script() as Script
	var out: Dictionary = {
		"script": "" if script == null else script.resource_path,
		"previous": "" if old == null else old.resource_path, "changed": script != old,
	}
	if script == old:
		return out
	if ctx.predict:
		ctx.would_change = true
		return out
	# Taking a script off loses the values of its variables.
	for info: Dictionary in McpScriptVariables.of(node):
		ctx.edit.undo_only([node, &"set", StringName(info["name"] as String), node.get(info["name"] as StringName)])
	ctx.edit.run(node, &"set_script", [script], [node, &"set_script", old])
	return out
