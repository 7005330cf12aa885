@tool
extends RefCounted
## The version of each open scene: it changes with whatever others than this addon do
## to the scene, so that a caller can tell whether it still knows it.
##
## Edits count by the signals of the undo history; what is changed without it is not
## seen by anybody. Each load of a scene has a history of its own.

const McpContext := preload("context.gd")

## How many changes are named.
const MOST := 10

## Set while a command of the addon runs: what happens then is its doing.
var busy: bool = false

var _run: String = ""
## History id -> what others did, oldest first.
var _others: Dictionary[int, PackedStringArray] = {}
## History id -> version of the history.
var _seen: Dictionary[int, int] = {}


func start() -> void:
	_run = "%08x" % (randi() & 0xffffffff)
	var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	manager.history_changed.connect(_on_history_changed)
	manager.version_changed.connect(_on_version_changed)


func stop() -> void:
	var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	manager.history_changed.disconnect(_on_history_changed)
	manager.version_changed.disconnect(_on_version_changed)


func of(root: Node) -> String:
	var id: int = _id(root)
	return _text(id, _others.get(id, PackedStringArray()).size())


## Whether the scene of [param root] has the version that a caller expects; the fault
## is set when not.
func is_expected(ctx: McpContext, root: Node, expected: String) -> bool:
	if expected == "" or root == null or of(root) == expected:
		return true
	var id: int = _id(root)
	var all: PackedStringArray = _others.get(id, PackedStringArray())
	var changes: PackedStringArray = ["another scene, or loaded anew"]
	for known: int in all.size():
		if _text(id, known) == expected:
			changes = all.slice(maxi(known, all.size() - MOST))
	ctx.fail("human_edit", {"path": root.scene_file_path, "expected_version": expected, "version": of(root), "changes": Array(changes)})
	return false


func _text(id: int, count: int) -> String:
	return "%s.%d.%d" % [_run, id, count]


static func _id(root: Node) -> int:
	return EditorInterface.get_editor_undo_redo().get_object_history_id(root)


# A commit. One that is merged into the action before it leaves the version as it is.
func _on_history_changed() -> void:
	var root: Node = EditorInterface.get_edited_scene_root()
	if root == null:
		return
	var id: int = _id(root)
	var moved: bool = _moved(id)
	var global_moved: bool = _moved(EditorUndoRedoManager.GLOBAL_HISTORY)
	var history: UndoRedo = EditorInterface.get_editor_undo_redo().get_history_undo_redo(id)
	if not busy and history != null and (moved or not global_moved) and history.get_current_action() >= 0:
		_note(id, history.get_current_action_name())


# An undo or redo, or a commit that was noted already.
func _on_version_changed() -> void:
	var root: Node = EditorInterface.get_edited_scene_root()
	if root == null:
		return
	var id: int = _id(root)
	var before: int = _seen.get(id, 1)
	_moved(EditorUndoRedoManager.GLOBAL_HISTORY)
	if not _moved(id) or busy:
		return
	var history: UndoRedo = EditorInterface.get_editor_undo_redo().get_history_undo_redo(id)
	if history.get_version() > before:
		_note(id, "Redo " + history.get_current_action_name())
	elif history.get_current_action() + 1 < history.get_history_count():
		_note(id, "Undo " + history.get_action_name(history.get_current_action() + 1))


func _moved(id: int) -> bool:
	var history: UndoRedo = EditorInterface.get_editor_undo_redo().get_history_undo_redo(id)
	if history == null or history.get_version() == _seen.get(id, 1):
		return false
	_seen[id] = history.get_version()
	return true


func _note(id: int, what: String) -> void:
	var all: PackedStringArray = _others.get(id, PackedStringArray())
	all.append(what)
	_others[id] = all
