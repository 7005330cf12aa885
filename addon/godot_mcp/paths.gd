@tool
extends RefCounted
## Node paths of the wire: relative to the edited root, never out of it.

const McpContext := preload("context.gd")
const McpNear := preload("near.gd")


## The node that [param path] names, or null with the fault set.
static func find(ctx: McpContext, path: String) -> Node:
	var root: Node = ctx.root
	if root == null:
		ctx.fail("active_scene")
		return null
	if path == ".":
		return root
	# A batch names the same parent again and again.
	if ctx.plain_paths.has(path):
		var known: Node = root.get_node_or_null(ctx.plain_paths[path])
		return known if known != null else _missing(ctx, path)
	var start: Node = root
	var rest: String = path
	if path.begins_with(":"):
		var name: String = path.substr(1).get_slice("/", 0)
		rest = path.substr(1 + name.length()).trim_prefix("/")
		start = ctx.refs.get(name)
		if start == null or not is_instance_valid(start) or not (start == root or root.is_ancestor_of(start)):
			ctx.fail("unknown_reference", {"path": path})
			return null
	if not _stays_inside(rest, path):
		ctx.fail("bad_node_path", {"path": path})
		return null
	var node: Node = start if rest == "" else start.get_node_or_null(NodePath(rest))
	if node == null or not (node == root or root.is_ancestor_of(node)):
		return _missing(ctx, path)
	if start == root and str(root.get_path_to(node)) == path:
		ctx.plain_paths[path] = NodePath(path)
	return node


## The path of a node that [param given] has just found.
static func found(ctx: McpContext, node: Node, given: String) -> String:
	return given if ctx.plain_paths.has(given) else of(ctx.root, node)


## The path of a node below the edited root, or a note of where it was.
static func of(root: Node, node: Node) -> String:
	if node == root:
		return "."
	if root.is_ancestor_of(node):
		return str(root.get_path_to(node))
	return str(node.name)


## Below [param top] in tree order, [param top] first.
static func subtree(top: Node) -> Array[Node]:
	var out: Array[Node] = []
	_walk(top, out)
	return out


static func _walk(node: Node, out: Array[Node]) -> void:
	out.append(node)
	for child: Node in node.get_children():
		_walk(child, out)


static func _stays_inside(rest: String, path: String) -> bool:
	if rest == "":
		return path != ""
	if rest.begins_with("/") or rest.contains(":"):
		return false
	var parts: PackedStringArray = rest.split("/")
	return ".." not in parts and "%" not in parts


static func _missing(ctx: McpContext, path: String) -> Node:
	var paths: PackedStringArray = []
	for node: Node in subtree(ctx.root):
		paths.append(of(ctx.root, node))
		if paths.size() >= McpNear.MOST_CANDIDATES:
			break
	ctx.fail("node_not_found", {"path": path, "near": McpNear.close(path, paths)})
	return null
