@tool
extends RefCounted
## Keeps a scene's own connections from running while the addon changes the scene.
##
## The editor leaves the methods of scripts alone, but calls the engine's own methods
## when a signal comes, also of nodes that are only edited: a button whose toggled is
## connected to a queue_free is gone once button_pressed was set, or shown in a preview,
## and no undo history knows of it (engine 4.6 experiment). Games connect like that, so
## nothing is refused; the connections are taken out while a step is done, previewed,
## rolled back, undone or redone, and put back with their flags and bound values. What
## the editor itself listens for goes on. Signals are not blocked instead: the scene
## dock needs most of them.
##
## Not guarded, since none of our code is around then: what opening a file makes the
## engine emit; what comes in a later frame, as when a container sorts its children or
## a node is drawn; what a person does by hand, but for an undo or redo of our actions,
## which hold the guard themselves. The methods of tool scripts run, as their authors
## want it.

## Ask for work of a later frame, and change nothing that is saved.
const HARMLESS: PackedStringArray = ["queue_redraw", "queue_sort", "update_minimum_size"]
## What has to meet the connections as they are.
const OPERATIONS: Array[StringName] = [&"connect", &"disconnect"]
const COMMANDS: PackedStringArray = ["cmd_connect_signal", "cmd_delete_node", "cmd_disconnect_signal", "cmd_duplicate_node"]

## How long a search of the scene may be used again, milliseconds. It takes two for a
## thousand nodes, and what changed since is in the undo history but for rare cases.
const FRESH: int = 1000

# The last search: root's instance id, version of its history, time, what was found.
static var _last: Array = [0, 0, 0, []]

## Whether any such connection was met.
var met: bool = false

var _root: Node = null
var _scanned: bool = false
var _hushed: bool = false
# Connections that were met, as [source, signal, callable, flags]; they may be gone since.
var _known: Array[Array] = []
# Those that are taken out now, each as often as it was connected.
var _out: Array[Array] = []


## Which scene [method hush] is about.
func start(root: Node) -> void:
	mend()
	_root = root
	_known.clear()
	_scanned = root != null and root.get_instance_id() == _last[0] and _last[1] == _version() and Time.get_ticks_msec() < _last[2]
	if _scanned:
		_note(_last[3] as Array)


## Has to follow a commit, which changes nothing here that is not known.
func committed() -> void:
	if _scanned:
		_remember(_last[2] as int)


func _remember(until: int) -> void:
	if _root == EditorInterface.get_edited_scene_root():
		_last = [_root.get_instance_id(), _version(), until, _known.duplicate()]


func _version() -> int:
	var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	var history: UndoRedo = manager.get_history_undo_redo(manager.get_object_history_id(_root))
	return -1 if history == null else history.get_version()


## Takes the connections of the scene out until [method mend]; false when they are out.
func hush() -> bool:
	if _hushed:
		return false
	_hushed = true
	if not _scanned and _root != null:
		_scanned = true
		_note(_in_branch(_root))
		_remember(Time.get_ticks_msec() + FRESH)
	for one: Array in _known:
		_take_out(one)
	return true


## Has to come before a branch that is not in the scene yet is changed.
func learn(top: Node) -> void:
	_learn(_in_branch(top))


## Has to come after a connection was made that ends in [param node].
func learn_end(node: Node) -> void:
	var found: Array[Array] = []
	_find_into(node, found)
	_learn(found)


func _learn(found: Array[Array]) -> void:
	if found.is_empty():
		return
	# Those that are connected again may have other flags now.
	_known = _known.filter(func(one: Array) -> bool: return not is_instance_valid(one[0]) or not _same_end(one, found))
	_note(found)
	if _hushed:
		for one: Array in found:
			_take_out(one)


## Takes the connections of these branches out until [method mend]; the undo history
## calls this as well. Nodes that are gone are passed over.
func cut(tops: Array) -> void:
	_hushed = true
	for top: Variant in tops:
		if is_instance_valid(top):
			for one: Array in _in_branch(top as Node):
				_take_out(one)


## Puts back what was taken out.
func mend() -> void:
	_hushed = false
	for one: Array in _out:
		# What is freed has no connections, in whatever history.
		if is_instance_valid(one[0]) and is_instance_valid((one[2] as Callable).get_object()):
			(one[0] as Object).connect(one[1] as StringName, one[2] as Callable, one[3] as int)
	_out.clear()


func _note(found: Array) -> void:
	_known.append_array(found)
	met = met or not found.is_empty()


func _take_out(one: Array) -> void:
	if not is_instance_valid(one[0]) or not is_instance_valid((one[2] as Callable).get_object()):
		return
	var source: Object = one[0]
	# One that counts its references is connected several times.
	while source.is_connected(one[1] as StringName, one[2] as Callable):
		source.disconnect(one[1] as StringName, one[2] as Callable)
		_out.append(one)


static func _same_end(one: Array, found: Array[Array]) -> bool:
	return found.any(func(other: Array) -> bool: return one[0] == other[0] and one[1] == other[1] and one[2] == other[2])


static func _in_branch(top: Node) -> Array[Array]:
	var out: Array[Array] = []
	_find_into(top, out)
	if top.get_child_count() > 0:
		for node: Node in top.find_children("*", "", true, false):
			_find_into(node, out)
	return out


static func _find_into(node: Node, out: Array[Array]) -> void:
	for connection: Dictionary in node.get_incoming_connections():
		var flags: int = connection["flags"]
		if flags & CONNECT_PERSIST == 0:
			continue
		var callable: Callable = connection["callable"]
		var method: StringName = callable.get_method()
		var emits: Signal = connection["signal"]
		if not method in HARMLESS and emits.get_object() != null and ClassDB.class_has_method(node.get_class(), method):
			out.append([emits.get_object(), emits.get_name(), callable, flags])
