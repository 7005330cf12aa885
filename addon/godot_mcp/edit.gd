@tool
extends RefCounted
## What a transaction does to the live scene: each operation is done at once and
## recorded together with what takes it back.
##
## Undo operations run in the reverse of the order in which they were recorded, in
## a rollback here and in the editor's history alike (backward_undo_ops; without
## it the first undo of a longer action loses nodes, engine 4.6 experiment).

const PREFIX := "MCP: "

var _operations: Array[Array] = []


## Does [param method] of [param target] now; [param undo] is [object, method,
## arguments...], or empty when an operation recorded elsewhere covers it.
func run(target: Object, method: StringName, arguments: Array, undo: Array = []) -> void:
	target.callv(method, arguments)
	record(target, method, arguments, undo)


## Records what the caller has done already.
func record(target: Object, method: StringName, arguments: Array, undo: Array = []) -> void:
	_operations.append([&"add_do_method", [target, method] + arguments, undo])


## Records only what an undo has to do.
func undo_only(undo: Array) -> void:
	_operations.append([&"", [], undo])


## Keeps an object that exists only after the edit, as long as a redo is possible.
func keep_added(object: Object) -> void:
	_operations.append([&"add_do_reference", [object], []])


## Keeps an object that exists only before the edit, as long as an undo is possible.
func keep_removed(object: Object) -> void:
	_operations.append([&"add_undo_reference", [object], []])


func is_empty() -> bool:
	return _operations.is_empty()


## The present end of the record, for [method roll_back_to].
func mark() -> int:
	return _operations.size()


## Takes back what was done since [param mark].
func roll_back_to(mark_at: int) -> void:
	for i: int in range(_operations.size() - 1, mark_at - 1, -1):
		_take_back(_operations[i][2])
	# Nodes made on the way belong to nobody now.
	for i: int in range(mark_at, _operations.size()):
		if _operations[i][0] == &"add_do_reference" and _operations[i][1][0] is Node:
			(_operations[i][1][0] as Node).free()
	_operations.resize(mark_at)


## Takes everything back, newest first.
func roll_back() -> void:
	roll_back_to(0)


## Makes one action of the record in the history of [param root]'s scene.
func commit(name: String, root: Node) -> void:
	var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	manager.create_action(PREFIX + name, UndoRedo.MERGE_DISABLE, root, true)
	for operation: Array in _operations:
		if operation[0] != &"":
			manager.callv(operation[0] as StringName, operation[1] as Array)
		if not (operation[2] as Array).is_empty():
			manager.callv(&"add_undo_method", operation[2] as Array)
	manager.commit_action(false)
	_operations.clear()


func _take_back(undo: Array) -> void:
	if undo.size() >= 2:
		(undo[0] as Object).callv(undo[1] as StringName, undo.slice(2))
