@tool
extends RefCounted
## Puts nodes into the edited tree and takes them out, with what an undo needs.

const McpContext := preload("context.gd")
const McpAssign := preload("assign.gd")
const McpNodeNames := preload("node_names.gd")
const McpParams := preload("params.gd")
const McpPaths := preload("paths.gd")

## What a container takes from its children besides their layout.
const TURNS: PackedStringArray = ["rotation", "scale"]


## The "index" below [param parent], -1 for last; the fault is set when it is out of
## range, or when a save would not keep the place. [param own] is the node that is to
## have it, when it stands there already.
static func index(ctx: McpContext, p: Dictionary, parent: Node, own: Node = null) -> int:
	var at: int = McpParams.number(p, "index", -1)
	var siblings: int = parent.get_child_count() - (1 if own != null else 0)
	if at < -1 or at > siblings:
		ctx.fail("bad_params", {"message": "index %d is outside of 0 to %d" % [at, siblings], "param": "index"})
	elif not ctx.services.persistence.keeps_place(parent, at, ctx.root, own):
		ctx.fail("bad_params", {
			"message": "a scene keeps no place in front of the children that an instance supplies; leave index out", "param": "index",
		})
	return at


## Adds a new node below [param parent], owned by the edited root as a save wants it.
static func add(ctx: McpContext, parent: Node, node: Node, at: int) -> void:
	ctx.edit.quiet.learn(node)
	ctx.edit.tabs_change(ctx.edit.tabs_before(parent))
	var mine: bool = ctx.edit.quiet.hush()
	parent.add_child(node, true)
	node.owner = ctx.root
	if mine:
		ctx.edit.quiet.mend()
	ctx.edit.added(parent, node, ctx.root)
	if at >= 0 and at < parent.get_child_count() - 1:
		ctx.edit.run(parent, &"move_child", [node, at])


## Sets the owner of a node that was just added.
static func take_over(ctx: McpContext, node: Node, root: Node) -> void:
	node.owner = root
	ctx.edit.record(node, &"set_owner", [root])


## The owners that a removal of [param node] takes away: removing clears those that
## are outside of the branch (engine 4.6 experiment).
static func owners(node: Node) -> Array[Array]:
	var out: Array[Array] = []
	for one: Node in McpPaths.subtree(node):
		if one.owner != null and one.owner != node and not node.is_ancestor_of(one.owner):
			out.append([one, one.owner])
	return out


## Takes a branch out of the tree; an undo brings it back with its owners.
static func remove(ctx: McpContext, node: Node) -> void:
	var parent: Node = node.get_parent()
	ctx.edit.tabs_change(ctx.edit.tabs_before(parent))
	# In the reverse of the order in which an undo has to do it.
	for pair: Array in owners(node):
		ctx.edit.undo_only([pair[0], &"set_owner", pair[1]])
	ctx.edit.undo_only([parent, &"move_child", node, node.get_index()])
	ctx.edit.run(parent, &"remove_child", [node], [parent, &"add_child", node, true])
	ctx.edit.keep_removed(node)


# A container lays its children out in a later frame, so what an undo has to restore is
# not seen to change now. Recorded first, since it has to come last.
static func _keep_layout(ctx: McpContext, control: Control) -> void:
	for name: StringName in TURNS:
		ctx.edit.undo_only([control, &"set", name, control.get(name)])
	for i: int in range(McpAssign.LAYOUT.size() - 1, -1, -1):
		var name: StringName = McpAssign.LAYOUT[i]
		ctx.edit.undo_only([control, &"set", name, control.get(name)])


## Gives a node another place among its siblings.
static func reorder(ctx: McpContext, node: Node, at: int) -> void:
	var parent: Node = node.get_parent()
	ctx.edit.tabs_change(ctx.edit.tabs_before(parent))
	ctx.edit.run(parent, &"move_child", [node, at], [parent, &"move_child", node, node.get_index()])


## Gives a branch another parent, with all its owners.
static func move(ctx: McpContext, node: Node, parent: Node, at: int) -> void:
	var old_parent: Node = node.get_parent()
	var kept: Array[Array] = owners(node)
	var old_name: String = node.name
	ctx.edit.tabs_change(ctx.edit.tabs_before(old_parent))
	ctx.edit.tabs_change(ctx.edit.tabs_before(parent))
	if node is Control and parent is TabContainer and not old_parent is TabContainer:
		# It hides what becomes a tab.
		ctx.edit.undo_only([node, &"set", &"visible", (node as Control).visible])
	if node is Control and parent is Container:
		_keep_layout(ctx, node as Control)
	for pair: Array in kept:
		ctx.edit.undo_only([pair[0], &"set_owner", pair[1]])
	ctx.edit.undo_only([old_parent, &"move_child", node, node.get_index()])
	ctx.edit.run(old_parent, &"remove_child", [node], [old_parent, &"add_child", node, true])
	parent.add_child(node, true)
	if node.name != StringName(old_name):
		ctx.edit.undo_only([node, &"set_name", old_name])
	ctx.edit.record(parent, &"add_child", [node, true], [parent, &"remove_child", node])
	if at >= 0 and at < parent.get_child_count() - 1:
		ctx.edit.run(parent, &"move_child", [node, at])
	for pair: Array in kept:
		(pair[0] as Node).owner = pair[1] as Node
		ctx.edit.record(pair[0] as Node, &"set_owner", [pair[1]])


## Sets the properties given with a new node; {name: value read back}.
## [param moved] is filled with those that changed something else that a file stores.
static func properties(ctx: McpContext, node: Node, path: String, given: Dictionary, moved: Dictionary[String, bool] = {}) -> Dictionary:
	var out: Dictionary = {}
	ctx.notes["path"] = path
	for name: String in _in_order(given):
		if name == "script":
			ctx.fail("bad_params", {"message": "\"script\" has a parameter of its own", "param": "properties"})
			return {}
		var near: Array[String] = []
		var target: McpAssign.McpTarget = McpAssign.find(ctx, node, name, near, true)
		if target == null:
			ctx.fail("unknown_property", {"path": path, "property": name, "near": near})
			return {}
		var done: Dictionary = McpAssign.set_value(ctx, target, given[name])
		if ctx.failed():
			return {}
		out[name] = target.json(done["value"])
		if done["moved"]:
			moved[name] = true
	return out


# By name, but what counts elements comes first, since it makes them: "item_count"
# before "item_0/text".
static func _in_order(given: Dictionary) -> Array:
	var names: Array = given.keys()
	names.sort()
	var counts: Array = names.filter(func(name: String) -> bool: return name.ends_with("_count"))
	return counts + names.filter(func(name: String) -> bool: return not name.ends_with("_count"))


## A new node, judged by [param verdict], and the values that were given with it: what
## is lost first, by name, is told.
static func with_values(ctx: McpContext, node: Node, given: Dictionary, moved: Dictionary[String, bool], verdict: Dictionary) -> Dictionary:
	var names: Array = given.keys()
	names.sort()
	var near: Array[String] = []
	for name: String in names:
		var target: McpAssign.McpTarget = McpAssign.find(ctx, node, name, near, true) if verdict["persisted"] else null
		if target == null:
			continue
		if target.chain.is_empty():
			verdict = ctx.services.persistence.of_property(node, target.property, ctx.root, moved.has(name))
		else:
			verdict = ctx.services.persistence.of_resource(node, name, target.chain, target.property, ctx.root)
	return verdict


## The name a new node is going to have below [param parent].
static func future_name(parent: Node, wanted: String, fallback: String) -> String:
	return McpNodeNames.free_name(parent, wanted if wanted.validate_node_name() != "" else fallback)


## A child path below a node that may be the root.
static func below(ctx: McpContext, parent: Node, name: String) -> String:
	return name if parent == ctx.root else "%s/%s" % [McpPaths.of(ctx.root, parent), name]
