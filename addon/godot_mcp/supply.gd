@tool
extends RefCounted
## What instanced scenes and the base of an inherited scene bring along: nodes,
## groups and connections that a save of the edited scene does not hold itself.
##
## The engine's packer asks the same of its "states stack". The live tree does not
## tell, so the scene files' states are read (and kept until a file changes).

const McpNodeNames := preload("node_names.gd")

## The state of one scene file, its own base scenes included.
class McpFacts:
	extends RefCounted
	var path: String = ""
	var time: int = 0
	## Node path -> groups given by this file.
	var nodes: Dictionary[String, PackedStringArray] = {}
	## "node|property" of the resources that this file gives.
	var values: Dictionary[String, bool] = {}
	## The same of every value that belongs to an element of a list.
	var elements: Dictionary[String, bool] = {}
	## "from|signal|to|method".
	var connections: Dictionary[String, bool] = {}
	## Paths of instances whose children this file makes editable.
	var editable: PackedStringArray = []
	var base: McpFacts = null

	## The path in this file of a node that stands at [param node]: one whose parent a
	## file below has no more stands under the root, by a name made of its path.
	func path_of(node: String) -> String:
		if not node.contains("#"):
			return node
		var top: String = node.get_slice("/", 0)
		for path_here: String in nodes:
			var parent: String = path_here.get_base_dir()
			if parent != "" and ("%s#%s" % [parent.replace("/", "_"), path_here.get_file()]).validate_node_name() == top:
				return path_here + node.substr(top.length())
		return node if base == null else base.path_of(node)

	func has_node(node: String) -> bool:
		return nodes.has(node) or (base != null and base.has_node(node))

	## The file that makes the node: the innermost one that speaks of it.
	func maker_of(node: String) -> String:
		var below: String = "" if base == null else base.maker_of(node)
		return below if below != "" or not nodes.has(node) else path

	## The file that says so itself, of this one and its bases; "" for none.
	func group_from(node: String, group: String) -> String:
		if nodes.has(node) and group in nodes[node]:
			return path
		return "" if base == null else base.group_from(node, group)

	func value_from(key: String) -> String:
		return path if values.has(key) else "" if base == null else base.value_from(key)

	func holds_element(key: String) -> bool:
		return elements.has(key) or base != null and base.holds_element(key)

	func connection_from(key: String) -> String:
		return path if connections.has(key) else "" if base == null else base.connection_from(key)

	func editable_from(node: String) -> String:
		return path if node in editable else "" if base == null else base.editable_from(node)


const DEEPEST_BASE := 32

var _facts: Dictionary[String, McpFacts] = {}
## Root's instance id -> path of the scene it inherits, "" for none.
var _bases: Dictionary[int, String] = {}


func forget() -> void:
	_facts.clear()
	_bases.clear()


## The scene that supplies [param node], "" for one of the edited scene's own.
func source_of(node: Node, root: Node) -> String:
	if node == root or node.owner == null:
		return ""
	for link: Array in _chain(node, root):
		var facts: McpFacts = link[0]
		if link[1] != "." and facts.has_node(link[1] as String):
			return facts.maker_of(link[1] as String) if node.owner == root else facts.path
	return ""


## Whether [param owner], an instance, supplies [param node] through its file.
func instance_has(owner: Node, node: Node) -> bool:
	if owner.scene_file_path == "":
		return false
	var facts: McpFacts = facts_of(owner.scene_file_path)
	# An unreadable file cannot contradict what the live tree says.
	return facts == null or facts.has_node(_relative(facts, owner, node))


## The scene that gives [param node] the group, the outermost one; "" for none.
func source_of_group(node: Node, root: Node, group: String) -> String:
	var out: String = ""
	for link: Array in _chain(node, root):
		var from: String = (link[0] as McpFacts).group_from(link[1] as String, group)
		if from != "":
			out = from
	return out


## The scene that gives a property of [param node] the value that it has, which is the
## outermost one; "" when none does.
func source_of_value(node: Node, root: Node, property: String) -> String:
	var out: String = ""
	for link: Array in _chain(node, root):
		var from: String = (link[0] as McpFacts).value_from("%s|%s" % [link[1], property])
		if from != "":
			out = from
	return out


## Whether a scene below gives a property of an element a value.
func holds_element(node: Node, root: Node, property: String) -> bool:
	for link: Array in _chain(node, root):
		if (link[0] as McpFacts).holds_element("%s|%s" % [link[1], property]):
			return true
	return false


## The scene that makes the connection, "" for none.
func source_of_connection(source: Node, emits: String, target: Node, method: String, root: Node) -> String:
	var x: Node = source
	while x != null:
		var facts: McpFacts = base_of(root) if x == root else facts_of(x.scene_file_path)
		if facts != null and (x == target or x.is_ancestor_of(target)):
			var key: String = "%s|%s|%s|%s" % [_relative(facts, x, source), emits, _relative(facts, x, target), method]
			var from: String = facts.connection_from(key)
			if from != "":
				return from
		if x == root:
			break
		x = x.owner
	return ""


## The scene below the edited one that already makes [param instance] editable.
func source_of_editable(instance: Node, root: Node) -> String:
	for link: Array in _chain(instance, root):
		var from: String = "" if link[1] == "." else (link[0] as McpFacts).editable_from(link[1] as String)
		if from != "":
			return from
	return ""


## The scene that [param root]'s scene inherits; null for none.
func base_of(root: Node) -> McpFacts:
	var id: int = root.get_instance_id()
	if not _bases.has(id):
		_bases[id] = _read_base(root)
	return facts_of(_bases[id]) if _bases[id] != "" else null


## The facts of a scene file; null when it cannot be read.
func facts_of(path: String) -> McpFacts:
	if path == "":
		return null
	var time: int = FileAccess.get_modified_time(path)
	var known: McpFacts = _facts.get(path)
	if known != null and known.time == time:
		return known
	if not ResourceLoader.exists(path, "PackedScene"):
		return null
	var scene: PackedScene = load(path) as PackedScene
	if scene == null:
		return null
	var facts: McpFacts = _read(scene, 0)
	facts.path = path
	facts.time = time
	_facts[path] = facts
	return facts


# Every scene that takes part in [param node], with the node's path in it; from
# the node's own instance up to the base of the edited scene.
func _chain(node: Node, root: Node) -> Array[Array]:
	var out: Array[Array] = []
	var x: Node = node
	while x != null:
		var facts: McpFacts = base_of(root) if x == root else facts_of(x.scene_file_path)
		if facts != null:
			out.append([facts, _relative(facts, x, node)])
		if x == root:
			break
		x = x.owner
	return out


func _relative(facts: McpFacts, from: Node, to: Node) -> String:
	return "." if from == to else facts.path_of(str(from.get_path_to(to)))


func _read_base(root: Node) -> String:
	var state: SceneState = null
	if root.scene_file_path == "":
		# A new inherited scene has no file that would tell.
		var packed: PackedScene = PackedScene.new()
		if packed.pack(root) == OK:
			state = packed.get_state()
	elif ResourceLoader.exists(root.scene_file_path, "PackedScene"):
		var scene: PackedScene = load(root.scene_file_path) as PackedScene
		if scene != null:
			state = scene.get_state()
	if state == null or state.get_node_count() == 0 or state.get_node_instance(0) == null:
		return ""
	return state.get_node_instance(0).resource_path


func _read(scene: PackedScene, depth: int) -> McpFacts:
	var facts: McpFacts = McpFacts.new()
	var state: SceneState = scene.get_state()
	facts.path = scene.resource_path
	if state.get_node_count() > 0 and depth < DEEPEST_BASE and state.get_node_instance(0) != null:
		facts.base = _read(state.get_node_instance(0), depth + 1)
	var instances: Dictionary[String, String] = {}
	for i: int in state.get_node_count():
		var path: String = plain(state.get_node_path(i))
		if i > 0 and (state.get_node_type(i) != &"" or state.get_node_instance(i) != null):
			path = _named(path, facts, instances)
		if i > 0 and state.get_node_instance(i) != null:
			instances[path] = state.get_node_instance(i).resource_path
		facts.nodes[path] = state.get_node_groups(i)
		for j: int in state.get_node_property_count(i):
			var key: String = "%s|%s" % [path, state.get_node_property_name(i, j)]
			if state.get_node_property_value(i, j) is Resource:
				facts.values[key] = true
			if state.get_node_property_name(i, j).contains("/"):
				facts.elements[key] = true
	for i: int in state.get_connection_count():
		facts.connections["%s|%s|%s|%s" % [
			plain(state.get_connection_source(i)), state.get_connection_signal(i),
			plain(state.get_connection_target(i)), state.get_connection_method(i),
		]] = true
	for path: Variant in (scene._bundled as Dictionary).get("editable_instances", []):
		facts.editable.append(plain(path as NodePath))
	return facts


# The path that a node that this file adds gets: another name when a scene that the file
# was made for has one of that name by now (engine 4.6 experiment).
func _named(path: String, facts: McpFacts, instances: Dictionary[String, String]) -> String:
	var parent: String = path.get_base_dir()
	var above: String = ""
	for at: String in instances:
		if path.begins_with(at + "/") and at.length() > above.length():
			above = at
	var home: McpFacts = facts.base if above == "" else facts_of(instances[above])
	if home == null:
		return path
	var taken: Callable = func(name: String) -> bool:
		var sibling: String = parent.path_join(name)
		return home.has_node(sibling.trim_prefix(above + "/") if above != "" else sibling)
	return parent.path_join(McpNodeNames.free_of(path.get_file(), taken))


## A path in a scene state as other places write it.
static func plain(path: NodePath) -> String:
	var text: String = str(path)
	return "." if text == "." else text.trim_prefix("./")
