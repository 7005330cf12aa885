@tool
extends RefCounted
## The open scenes and whether they have unsaved edits.
##
## No API tells the latter; the tab titles do ("name(*)"), one frame late. So what
## the addon itself did in this frame is kept until the titles have caught up.

const McpUndoOrder := preload("undo_order.gd")

## A version that no history has.
const NEVER := -1

var _plugin: EditorPlugin = null
var _order: McpUndoOrder = null
var _bar: TabBar = null
var _frame: int = -1
var _switched: int = -1
var _modified_now: Dictionary[int, bool] = {}
## Scene root's instance id -> history version at the last save.
var _saved_versions: Dictionary[int, int] = {}
## Instance id of the root in front, 0 for none.
var _front: int = 0
## Path of a scene that is not in front any more -> instance id of its root.
var _behind: Dictionary[String, int] = {}
## Those of them that had unsaved edits then.
var _unsaved_behind: Dictionary[String, bool] = {}
## Instance ids of roots without a path, behind, that have unsaved edits.
var _nameless_behind: Dictionary[int, bool] = {}


func start(plugin: EditorPlugin, order: McpUndoOrder) -> void:
	_plugin = plugin
	_order = order
	plugin.scene_saved.connect(_on_scene_saved)
	plugin.scene_changed.connect(_on_scene_changed)
	plugin.scene_closed.connect(_on_scene_closed)
	_on_scene_changed(EditorInterface.get_edited_scene_root())


func stop() -> void:
	_plugin.scene_saved.disconnect(_on_scene_saved)
	_plugin.scene_changed.disconnect(_on_scene_changed)
	_plugin.scene_closed.disconnect(_on_scene_closed)
	_plugin = null


## Paths of the open scenes in tab order; "" for one that was never saved.
func paths() -> PackedStringArray:
	return EditorInterface.get_open_scenes()


## The roots in tab order; null where the engine does not tell (before Godot 4.5
## only the active one is known).
func roots() -> Array[Node]:
	var out: Array[Node] = []
	if EditorInterface.has_method(&"get_open_scene_roots"):
		out.assign(EditorInterface.call(&"get_open_scene_roots") as Array)
		return out
	var current: Node = EditorInterface.get_edited_scene_root()
	for path: String in paths():
		out.append(current if current != null and current.scene_file_path == path else null)
	return out


## The tab of the edited scene, -1 for none.
func active() -> int:
	var current: Node = EditorInterface.get_edited_scene_root()
	if current == null:
		return -1
	return roots().find(current)


func name_of(index: int) -> String:
	var all: Array[Node] = roots()
	if index < all.size() and all[index] != null:
		return str(all[index].name)
	return _title(index).trim_suffix("(*)")


func modified(index: int) -> bool:
	var all: Array[Node] = roots()
	if _frame == Engine.get_process_frames() and index >= 0 and index < all.size() and all[index] != null:
		var id: int = all[index].get_instance_id()
		if _modified_now.has(id):
			return _modified_now[id]
	return _title(index).ends_with("(*)")


## After a commit of the addon. The engine compares version numbers only: save,
## undo, new action would count as clean.
func committed(root: Node) -> void:
	if McpUndoOrder.scene_history(root).get_version() == _saved_versions.get(root.get_instance_id(), 1):
		EditorInterface.mark_scene_as_unsaved()
	_note(root, true)


## After an undo or redo.
func moved(root: Node) -> void:
	if root != null:
		var version: int = McpUndoOrder.scene_history(root).get_version()
		_note(root, version != _saved_versions.get(root.get_instance_id(), 1))


func _on_scene_saved(path: String) -> void:
	for root: Node in roots():
		if root != null and root.scene_file_path == path:
			var id: int = root.get_instance_id()
			_saved_versions[id] = McpUndoOrder.scene_history(root).get_version()
			_unsaved_behind.erase(path)
			_note(root, false)


# A scene that comes to the front is made anew if what it instances has changed on
# disk. Edits that nobody saved are in it still, but the engine counts it as saved, and
# closing it would throw them away without a question (experiment, 4.6.3).
func _on_scene_changed(root: Node) -> void:
	_note_behind()
	_note_nameless(root)
	_front = 0 if root == null else root.get_instance_id()
	if root == null:
		return
	var path: String = root.scene_file_path
	var anew: bool = _behind.get(path, _front) != _front and _unsaved_behind.has(path)
	if path == "":
		anew = _was_made_anew()
	if anew:
		EditorInterface.mark_scene_as_unsaved()
		_saved_versions[_front] = NEVER
		_note(root, true)
	_on_scene_closed(path)


func _on_scene_closed(path: String) -> void:
	_behind.erase(path)
	_unsaved_behind.erase(path)


# Whether the root in front, which has no path, stands for one that is gone.
func _was_made_anew() -> bool:
	if _nameless_behind.erase(_front):
		return false
	var here: Array[Node] = roots()
	for id: int in _nameless_behind.keys():
		if not is_instance_id_valid(id) or here.find(instance_from_id(id)) == -1:
			_nameless_behind.erase(id)
			return true
	return false


func _note_behind() -> void:
	var left: Node = instance_from_id(_front) as Node if is_instance_id_valid(_front) else null
	var at: int = -1 if left == null else roots().find(left)
	if at == -1 or left.scene_file_path == "":
		return
	_behind[left.scene_file_path] = _front
	if modified(at):
		_unsaved_behind[left.scene_file_path] = true


# No signal tells that a scene got its first root, so all are looked at.
func _note_nameless(front: Node) -> void:
	var all: Array[Node] = roots()
	for i: int in all.size():
		if all[i] != null and all[i] != front and all[i].scene_file_path == "" and modified(i):
			_nameless_behind[all[i].get_instance_id()] = true


func _note(root: Node, modified_now: bool) -> void:
	if _frame != Engine.get_process_frames():
		_frame = Engine.get_process_frames()
		_modified_now.clear()
	_modified_now[root.get_instance_id()] = modified_now


func _title(index: int) -> String:
	if _bar == null or not is_instance_valid(_bar):
		for tabs: Node in EditorInterface.get_base_control().find_children("*", "EditorSceneTabs", true, false):
			for bar: Node in tabs.find_children("*", "TabBar", true, false):
				_bar = bar as TabBar
	if _bar == null or index < 0 or index >= _bar.tab_count:
		return ""
	return _bar.get_tab_title(index)


## Notes that the active tab changed in this frame.
func switched() -> void:
	_switched = Engine.get_process_frames()


## Whether the active tab changed in this frame.
func just_switched() -> bool:
	return _switched == Engine.get_process_frames()
