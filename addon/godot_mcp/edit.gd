@tool
extends RefCounted
## What a transaction does to the live scene: each operation is done at once and
## recorded together with what takes it back.
##
## Undo operations run in the reverse of the order in which they were recorded, in
## a rollback here and in the editor's history alike (backward_undo_ops; without
## it the first undo of a longer action loses nodes, engine 4.6 experiment).

const McpAddedNodes := preload("added_nodes.gd")
const McpQuiet := preload("quiet.gd")
const McpTabContainers := preload("tab_containers.gd")

const PREFIX := "MCP: "
const ADDED := &"added"

## Keeps the connections of the scene from running meanwhile.
var quiet: McpQuiet = McpQuiet.new()

var _operations: Array[Array] = []
# Resources that were changed -> whether the editor counted them as edited before.
var _marks: Dictionary[Resource, bool] = {}
# Containers of tabs that were changed -> where the record says how they were before.
var _tabbed: Dictionary[TabContainer, int] = {}
# Those that came with a branch.
var _brought: Array[TabContainer] = []
# Nodes added one after the other, the end of the record as long as it grows.
var _run: McpRun = null


class McpRun:
	extends RefCounted
	var parents: Array[Node] = []
	var nodes: Array[Node] = []
	var owners: Array[Node] = []


## Puts the guard around the operations of an action, in both directions.
class McpGuard:
	extends RefCounted
	var _manager: EditorUndoRedoManager
	var _branches: Array
	var _quiet: McpQuiet = McpQuiet.new()
	var _on: bool = false

	func _init(manager: EditorUndoRedoManager, branches: Array) -> void:
		_manager = manager
		_branches = branches

	func before(operation: Array) -> void:
		var connects: bool = operation[0] == &"add_do_method" and operation[1][1] in McpQuiet.OPERATIONS
		if connects == _on:
			_turn(not connects)

	func finish() -> void:
		if _on:
			_turn(false)

	func _turn(on: bool) -> void:
		_on = on
		if on:
			_manager.add_do_method(_quiet, &"cut", _branches)
			_manager.add_undo_method(_quiet, &"mend")
		else:
			_manager.add_do_method(_quiet, &"mend")
			_manager.add_undo_method(_quiet, &"cut", _branches)


## Does [param method] of [param target] now; [param undo] is [object, method,
## arguments...], or empty when an operation recorded elsewhere covers it.
func run(target: Object, method: StringName, arguments: Array, undo: Array = []) -> void:
	_call(target, method, arguments)
	record(target, method, arguments, undo)


## Records what the caller has done already.
func record(target: Object, method: StringName, arguments: Array, undo: Array = []) -> void:
	_run = null
	_operations.append([&"add_do_method", [target, method] + arguments, undo])


## Has to come before a resource is changed. A property that is set makes the editor
## count its object as edited, and the next save write its file, also when it is set
## back (engine 4.6 experiment).
func touches(object: Object) -> void:
	var resource: Resource = object as Resource
	if resource != null and not _marks.has(resource) and EditorInterface.has_method(&"is_object_edited"):
		_marks[resource] = EditorInterface.call(&"is_object_edited", resource)


## Nothing came of the last change of this object; something may have of an earlier one.
func leaves(object: Object) -> void:
	var made: bool = _operations.any(func(one: Array) -> bool: return not (one[1] as Array).is_empty() and one[1][0] == object)
	if not made:
		_unmark(object as Resource)


func _unmark(resource: Resource) -> void:
	if resource != null and _marks.has(resource):
		EditorInterface.call(&"set_object_edited", resource, _marks[resource])


## Records only what an undo has to do.
func undo_only(undo: Array) -> void:
	_run = null
	_operations.append([&"", [], undo])


## How the tabs of [param node] are, if it has any and nothing changed them yet; to be
## asked before that, and given to [method tabs_change] when something did.
func tabs_before(node: Node) -> Array:
	var container: TabContainer = node as TabContainer
	return [] if container == null or _tabbed.has(container) else McpTabContainers.standing(container)


## Has to come before the operations that change the tabs are recorded, so that an undo
## brings them back last.
func tabs_change(before: Array) -> void:
	if not before.is_empty():
		_tabbed[before[0] as TabContainer] = _operations.size()
		undo_only([McpTabContainers.new(), &"put"] + before)


## Whether there is something to do for [method settle_tabs].
func tabs_unsettled() -> bool:
	return not _tabbed.is_empty() or not _brought.is_empty()


## What containers of tabs do in a later frame, done now.
func settle_tabs() -> void:
	for container: TabContainer in _tabbed:
		McpTabContainers.settle(container)
	for container: TabContainer in _brought:
		McpTabContainers.settle(container)
	_brought.clear()


## Records a new node, added below [param parent] with a readable name and owned by
## [param owner]. It exists only after the edit, and is kept as long as a redo is possible.
func added(parent: Node, node: Node, owner: Node) -> void:
	if _run == null:
		_run = McpRun.new()
		_operations.append([ADDED, [_run], []])
	_run.parents.append(parent)
	_run.nodes.append(node)
	_run.owners.append(owner)
	if node.get_child_count() > 0:
		_brought.append_array(node.find_children("*", "TabContainer", true, false))
		if node is TabContainer:
			_brought.append(node as TabContainer)


## Keeps an object that exists only before the edit, as long as an undo is possible.
func keep_removed(object: Object) -> void:
	_run = null
	_operations.append([&"add_undo_reference", [object], []])


func is_empty() -> bool:
	return _operations.is_empty()


## The present end of the record, for [method roll_back_to].
func mark() -> int:
	_run = null
	return _operations.size()


## Takes back what was done since [param mark].
func roll_back_to(mark_at: int) -> void:
	_run = null
	_brought.clear()
	for container: TabContainer in _tabbed.keys():
		if _tabbed[container] >= mark_at:
			_tabbed.erase(container)
	for i: int in range(_operations.size() - 1, mark_at - 1, -1):
		_take_back(_operations[i])
	quiet.mend()
	# Nodes made on the way belong to nobody now.
	for i: int in range(mark_at, _operations.size()):
		if _operations[i][0] == ADDED:
			for node: Node in (_operations[i][1][0] as McpRun).nodes:
				node.free()
	_operations.resize(mark_at)


## Takes everything back, newest first.
func roll_back() -> void:
	roll_back_to(0)
	for resource: Resource in _marks:
		_unmark(resource)
	_marks.clear()


## Makes one action of the record in the history of [param root]'s scene.
func commit(name: String, root: Node) -> void:
	var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	for container: TabContainer in _tabbed:
		record(McpTabContainers.new(), &"put", McpTabContainers.standing(container))
	manager.create_action(PREFIX + name, UndoRedo.MERGE_DISABLE, root, true)
	var guard: McpGuard = McpGuard.new(manager, _branches(root)) if quiet.met else null
	for operation: Array in _operations:
		if guard != null:
			guard.before(operation)
		if operation[0] == ADDED:
			_commit_added(manager, operation[1][0] as McpRun)
			continue
		if operation[0] != &"":
			manager.callv(operation[0] as StringName, operation[1] as Array)
		if not (operation[2] as Array).is_empty():
			manager.callv(&"add_undo_method", operation[2] as Array)
	if guard != null:
		guard.finish()
	manager.commit_action(false)
	quiet.committed()
	_run = null
	_operations.clear()
	_marks.clear()
	_tabbed.clear()


static func _commit_added(manager: EditorUndoRedoManager, run_: McpRun) -> void:
	var all: McpAddedNodes = McpAddedNodes.new()
	manager.add_do_method(all, &"add", run_.parents, run_.nodes, run_.owners)
	manager.add_undo_method(all, &"remove", run_.parents, run_.nodes)
	for node: Node in run_.nodes:
		manager.add_do_reference(node)


# What an undo or redo may find connections in: the scene, and what is not in it then.
func _branches(root: Node) -> Array:
	var out: Array = [root]
	for operation: Array in _operations:
		if operation[0] == ADDED:
			out.append_array((operation[1][0] as McpRun).nodes)
		elif operation[0] == &"add_undo_reference":
			out.append(operation[1][0])
	return out


func _call(target: Object, method: StringName, arguments: Array) -> void:
	var mine: bool = not method in McpQuiet.OPERATIONS and quiet.hush()
	target.callv(method, arguments)
	if mine:
		quiet.mend()
	if method == &"connect":
		quiet.learn_end((arguments[1] as Callable).get_object() as Node)


func _take_back(operation: Array) -> void:
	if not (operation[2] as Array).is_empty() and operation[2][1] in McpQuiet.OPERATIONS:
		quiet.mend()
	else:
		quiet.hush()
	if operation[0] == ADDED:
		var last: McpRun = operation[1][0]
		McpAddedNodes.new().remove(last.parents, last.nodes)
		return
	var undo: Array = operation[2]
	if undo.size() >= 2:
		_call(undo[0] as Object, undo[1] as StringName, undo.slice(2))
