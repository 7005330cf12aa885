@tool
extends RefCounted
## Which action the editor's own Undo and Redo would take next.
##
## The editor keeps one history per scene and a global one, and undoes the newer of
## the two newest actions. It orders them by time stamps that no script can read, so
## the order is noted here as actions are committed. Actions from before the addon
## was there count as oldest.

const McpFileChange := preload("file_change.gd")
const GLOBAL := 0

# What the global history's actions write, by its version right after the action.
# Weak, so that a text goes when the history drops its action.
var _files: Dictionary[int, WeakRef] = {}
var _stamps: Dictionary[int, PackedInt64Array] = {}
var _versions: Dictionary[int, int] = {}
var _next: int = 1


func start() -> void:
	var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	manager.history_changed.connect(_on_history_changed)
	manager.version_changed.connect(_on_version_changed)


func stop() -> void:
	var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	manager.history_changed.disconnect(_on_history_changed)
	manager.version_changed.disconnect(_on_version_changed)


## The history of a scene, by its root.
static func scene_history(root: Node) -> UndoRedo:
	var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	return manager.get_history_undo_redo(manager.get_object_history_id(root))


## Names of the actions that [param count] undos (or redos) would take, in order.
func ahead(root: Node, count: int, forward: bool) -> PackedStringArray:
	var out: PackedStringArray = []
	for at: Vector2i in _walk(root, count, forward):
		out.append(_history(at.x).get_action_name(at.y))
	return out


## The files that these actions write, in the same order; null for any other action.
func files_ahead(root: Node, count: int, forward: bool) -> Array[McpFileChange]:
	var out: Array[McpFileChange] = []
	for at: Vector2i in _walk(root, count, forward):
		out.append(_file_of(at.y) if at.x == GLOBAL else null)
	return out


## Remembers that the global history's newest action writes this file.
func note_file(change: McpFileChange) -> void:
	_files[global_history().get_version()] = weakref(change)


# Versions count with the position, also when the history has dropped its oldest actions.
func _file_of(index: int) -> McpFileChange:
	var history: UndoRedo = global_history()
	var known: WeakRef = _files.get(history.get_version() - history.get_current_action() + index)
	var change: McpFileChange = null if known == null else known.get_ref() as McpFileChange
	return change if change != null and change.action == history.get_action_name(index) else null


# The next actions as pairs of a history's id and an index in it.
func _walk(root: Node, count: int, forward: bool) -> Array[Vector2i]:
	var cursors: Array[PackedInt64Array] = []
	for id: int in _ids(root):
		var history: UndoRedo = _history(id)
		if history == null:
			continue
		var current: int = history.get_current_action()
		cursors.append(PackedInt64Array([id, current + 1 if forward else current, history.get_history_count()]))
	var out: Array[Vector2i] = []
	while out.size() < count:
		var best: int = -1
		for i: int in cursors.size():
			var at: int = cursors[i][1]
			if at < 0 or at >= cursors[i][2]:
				continue
			if best < 0 or _takes(cursors[i], cursors[best], forward):
				best = i
		if best < 0:
			break
		out.append(Vector2i(cursors[best][0], cursors[best][1]))
		cursors[best][1] += 1 if forward else -1
	return out


## How many actions can be undone.
func depth(root: Node) -> int:
	var out: int = 0
	for id: int in _ids(root):
		var history: UndoRedo = _history(id)
		if history != null:
			out += history.get_current_action() + 1
	return out


# Whether a goes before b; on equal stamps a scene's action goes before a global one in an undo.
func _takes(a: PackedInt64Array, b: PackedInt64Array, forward: bool) -> bool:
	var left: int = _stamp(a[0], a[1])
	var right: int = _stamp(b[0], b[1])
	return left < right if forward else left >= right


func _stamp(id: int, index: int) -> int:
	var known: PackedInt64Array = _stamps.get(id, PackedInt64Array())
	return known[index] if index < known.size() else 0


func _ids(root: Node) -> PackedInt64Array:
	var out: PackedInt64Array = [GLOBAL]
	if root != null:
		var id: int = EditorInterface.get_editor_undo_redo().get_object_history_id(root)
		if id != GLOBAL:
			out.append(id)
	return out


func _history(id: int) -> UndoRedo:
	return EditorInterface.get_editor_undo_redo().get_history_undo_redo(id)


# A commit: the history whose version moved has a new newest action.
func _on_history_changed() -> void:
	for id: int in _ids(EditorInterface.get_edited_scene_root()):
		var history: UndoRedo = _history(id)
		if history == null or history.get_version() == _versions.get(id, 1):
			continue
		_versions[id] = history.get_version()
		var stamps: PackedInt64Array = _stamps.get(id, PackedInt64Array())
		var current: int = history.get_current_action()
		stamps.resize(current + 1)
		if current >= 0:
			stamps[current] = _next
			_next += 1
		_stamps[id] = stamps


# An undo or redo: the order stays.
func _on_version_changed() -> void:
	for id: int in _ids(EditorInterface.get_edited_scene_root()):
		var history: UndoRedo = _history(id)
		if history != null:
			_versions[id] = history.get_version()


func global_history() -> UndoRedo:
	return _history(GLOBAL)
