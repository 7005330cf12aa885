@tool
extends RefCounted
## Instances of scenes, and their editable children.

const McpContext := preload("../context.gd")
const McpGroups := preload("../packed_groups.gd")
const McpParams := preload("../params.gd")
const McpPaths := preload("../paths.gd")
const McpPlacing := preload("../placing.gd")
const McpScriptVariables := preload("../script_variables.gd")
const McpSceneFiles := preload("../scene_files.gd")


func commands() -> Dictionary:
	return {"cmd_instance_scene": instance_scene, "cmd_set_editable_children": set_editable_children}


func instance_scene(ctx: McpContext, p: Dictionary) -> Dictionary:
	var parent: Node = McpPaths.find(ctx, McpParams.text(p, "parent_path"))
	if parent == null:
		return {}
	var path: String = McpParams.text(p, "scene_path")
	var scene: PackedScene = McpSceneFiles.load_scene(ctx, path)
	if scene == null:
		return {}
	if McpSceneFiles.contains(path, ctx.root.scene_file_path):
		return ctx.fail("cyclic_instance", {"path": path})
	var at: int = -1 if p.get("index") == null else McpPlacing.index(ctx, p, parent)
	if ctx.failed():
		return {}
	var node: Node = scene.instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE)
	if node == null:
		return ctx.fail("corrupt_file", {"path": path, "message": "the scene cannot be instantiated", "line": 0})
	ctx.edit.quiet.learn(node)
	var wanted: String = McpParams.text(p, "name")
	if wanted.validate_node_name() != "":
		node.name = wanted
	var asked: String = wanted if wanted != "" else str(node.name)
	var given: Dictionary = McpParams.object(p, "properties")
	if ctx.predict and given.is_empty():
		var name: String = McpPlacing.future_name(parent, str(node.name), node.get_class())
		var type: String = node.get_class()
		node.free()
		ctx.would_change = true
		var below: String = McpPlacing.below(ctx, parent, name)
		return ctx.judge({"node_path": below, "name": name, "renamed": name != asked, "type": type}, null, func() -> Dictionary:
			return ctx.services.persistence.of_node_with(parent, path, below, ctx.root))
	McpPlacing.add(ctx, parent, node, at)
	var out: Dictionary = {"node_path": McpPaths.of(ctx.root, node), "name": str(node.name), "renamed": str(node.name) != asked, "type": node.get_class()}
	var moved: Dictionary[String, bool] = {}
	if not given.is_empty():
		out["properties"] = McpPlacing.properties(ctx, node, out["node_path"] as String, given, moved)
	if McpParams.text(p, "as") != "":
		ctx.refs[McpParams.text(p, "as")] = node
	return ctx.judge(out, node, func() -> Dictionary:
		return McpPlacing.with_values(ctx, node, given, moved, ctx.services.persistence.of_node_with(node, path, McpPaths.of(ctx.root, node), ctx.root)))


func set_editable_children(ctx: McpContext, p: Dictionary) -> Dictionary:
	var path: String = McpParams.text(p, "node_path")
	var node: Node = McpPaths.find(ctx, path)
	if node == null:
		return {}
	if node == ctx.root or node.scene_file_path == "":
		return ctx.fail("not_an_instance", {"path": McpPaths.of(ctx.root, node)})
	var on: bool = McpParams.flag(p, "editable")
	var was: bool = ctx.root.is_editable_instance(node)
	var out: Dictionary = {
		"node_path": McpPaths.of(ctx.root, node), "editable": on, "source_scene": node.scene_file_path, "changed": on != was,
	}
	if was and not on:
		var lost: Array[String] = _would_lose(ctx, node)
		if not lost.is_empty():
			if not McpParams.flag(p, "force"):
				return ctx.fail("would_lose", {"path": out["node_path"], "lost": lost})
			out["would_lose"] = lost
	if on != was:
		ctx.edit.run(ctx.root, &"set_editable_instance", [node, on], [ctx.root, &"set_editable_instance", node, was])
	return ctx.judge(out, node, func() -> Dictionary: return ctx.services.persistence.of_editable(node, on, ctx.root))


# What only editable children keep: nodes added inside, values set inside.
static func _would_lose(ctx: McpContext, instance: Node) -> Array[String]:
	var out: Array[String] = []
	# Of what a save leaves out anyway nothing is lost.
	if not ctx.services.persistence.of_node(instance, ctx.root)["persisted"]:
		return out
	# As the scenes below the edited one make it: they may have changed it, too.
	var outermost: Node = instance
	while outermost.owner != null and outermost.owner != ctx.root:
		outermost = outermost.owner
	var file: String = outermost.scene_file_path
	if ctx.services.supply.source_of(outermost, ctx.root) != "":
		outermost = ctx.root
		file = ctx.services.supply.base_of(ctx.root).path
	var scene: PackedScene = load(file) as PackedScene if ResourceLoader.exists(file) else null
	var whole: Node = null if scene == null else scene.instantiate()
	var fresh: Node = null if whole == null else whole.get_node_or_null(outermost.get_path_to(instance))
	for child: Node in instance.get_children():
		if child.owner != ctx.root:
			_compare(ctx, child, null if fresh == null else fresh.get_node_or_null(NodePath(str(child.name))), out)
	if whole != null:
		whole.free()
	out.sort()
	return out


static func _compare(ctx: McpContext, node: Node, fresh: Node, out: Array[String]) -> void:
	var path: String = McpPaths.of(ctx.root, node)
	if _is_own(ctx, node):
		for one: Node in McpPaths.subtree(node):
			if _is_own(ctx, one) and ctx.services.persistence.of_node(one, ctx.root)["persisted"]:
				out.append(McpPaths.of(ctx.root, one))
		return
	var before: int = out.size()
	if fresh != null:
		var script: Script = node.get_script()
		# Variables of a script that only this scene gives begin as it says.
		var began: Dictionary = {} if script == fresh.get_script() else McpScriptVariables.names(script)
		for info: Dictionary in node.get_property_list():
			if info["usage"] & PROPERTY_USAGE_STORAGE == 0:
				continue
			var name: StringName = info["name"]
			var first: Variant = fresh.get(name)
			if began.has(name):
				first = script.get_property_default_value(name)
			if _differs(node.get(name), first, node, fresh):
				out.append("%s:%s" % [path, name])
	if out.size() == before and _has_own_group(ctx, node):
		out.append(path)
	# Of what a closed instance supplies a save keeps nothing now.
	var closed: bool = node.scene_file_path != "" and not ctx.root.is_editable_instance(node)
	for child: Node in node.get_children():
		if not closed or _is_own(ctx, child):
			_compare(ctx, child, null if fresh == null else fresh.get_node_or_null(NodePath(str(child.name))), out)


# Made by the edited scene, and not by one that it inherits from.
static func _is_own(ctx: McpContext, node: Node) -> bool:
	return node.owner == ctx.root and ctx.services.supply.source_of(node, ctx.root) == ""


static func _has_own_group(ctx: McpContext, node: Node) -> bool:
	for group: String in McpGroups.persistent_of(node):
		if ctx.services.supply.source_of_group(node, ctx.root, group) == "":
			return true
	return false


static func _differs(a: Variant, b: Variant, at: Node, fresh: Node) -> bool:
	if a is Node and b is Node:
		return at.get_path_to(a as Node) != fresh.get_path_to(b as Node)
	return not _alike(a, b)


# A resource that is local to its scene is the same as a copy of it.
static func _alike(a: Variant, b: Variant) -> bool:
	if typeof(a) != typeof(b):
		return false
	if a == b:
		return true
	if a is Array:
		if (a as Array).size() != (b as Array).size():
			return false
		for i: int in (a as Array).size():
			if not _alike(a[i], b[i]):
				return false
		return true
	if a is Dictionary:
		return _alike((a as Dictionary).keys(), (b as Dictionary).keys()) and _alike((a as Dictionary).values(), (b as Dictionary).values())
	if not (a is Resource and b is Resource):
		return false
	var one: Resource = a
	var other: Resource = b
	if not one.resource_local_to_scene or not other.resource_local_to_scene or one.get_class() != other.get_class():
		return false
	for info: Dictionary in one.get_property_list():
		if info["usage"] & PROPERTY_USAGE_STORAGE != 0 and not _alike(one.get(info["name"] as StringName), other.get(info["name"] as StringName)):
			return false
	return true
