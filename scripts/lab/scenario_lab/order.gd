@tool
extends RefCounted
## Which action of the global and of the scene's history is the newest: the engine
## keeps time stamps that no script can read, so the commits are counted here.

var _undo_redo: EditorUndoRedoManager
var _versions := {}
var _stamps := {}
var _next := 1


func _init(undo_redo: EditorUndoRedoManager) -> void:
	_undo_redo = undo_redo
	undo_redo.history_changed.connect(_on_change.bind(true))
	undo_redo.version_changed.connect(_on_change.bind(false))


## The histories that can be undone now: the global one and that of the scene.
func ids() -> Array[int]:
	var out: Array[int] = [EditorUndoRedoManager.GLOBAL_HISTORY]
	var root := EditorInterface.get_edited_scene_root()
	if root != null and _undo_redo.get_object_history_id(root) not in out:
		out.append(_undo_redo.get_object_history_id(root))
	return out


## {steps, last, tops}: how many actions can be undone, the newest one's name, and
## the newest of each history that has one.
func summary() -> Dictionary:
	var steps := 0
	var last := ""
	var newest := -1
	var tops := PackedStringArray()
	for id in ids():
		var history := _undo_redo.get_history_undo_redo(id)
		var at := history.get_current_action() if history != null else -1
		steps += at + 1
		if at < 0:
			continue
		tops.append("%s %d %s" % ["global" if id == EditorUndoRedoManager.GLOBAL_HISTORY else "scene", at, history.get_action_name(at)])
		var stamps: Array = _stamps.get(id, [])
		var stamp: int = stamps[at] if at < stamps.size() else 0
		if stamp > newest:
			newest = stamp
			last = history.get_action_name(at)
	return {"steps": steps, "last": last, "tops": tops}


func _on_change(committed: bool) -> void:
	for id in ids():
		var history := _undo_redo.get_history_undo_redo(id)
		if history == null:
			continue
		if committed and history.get_version() != _versions.get(id, 1):
			var stamps: Array = _stamps.get_or_add(id, [])
			stamps.resize(history.get_current_action() + 1)
			if not stamps.is_empty():
				stamps[-1] = _next
				_next += 1
		_versions[id] = history.get_version()
