@tool
extends RefCounted
## The editor's own Undo and Redo, as its Scene menu does them.
##
## Undoing through the UndoRedo object changes the scene behind the manager's back:
## tabs keep the wrong save mark and the manager prints errors (engine 4.6
## experiment). Pressing the menu item does what Ctrl+Z does.

var _popup: PopupMenu = null


## Undoes (or redoes) one action; false when there is no way to.
func press(redo: bool, root: Node) -> bool:
	var id: int = _item("Redo" if redo else "Undo")
	if id >= 0:
		_popup.id_pressed.emit(id)
		return true
	if root == null:
		return false
	# No menu to be found: the scene's own history, and a mark that is on the safe side.
	var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	var history: UndoRedo = manager.get_history_undo_redo(manager.get_object_history_id(root))
	var done: bool = history.redo() if redo else history.undo()
	EditorInterface.mark_scene_as_unsaved()
	return done


func _item(text: String) -> int:
	if _popup == null or not is_instance_valid(_popup):
		_popup = _find()
	if _popup == null:
		return -1
	var by_key: int = -1
	for i: int in _popup.item_count:
		if _popup.get_item_text(i) == text:
			return _popup.get_item_id(i)
		if _has_key(_popup.get_item_shortcut(i), text == "Redo"):
			by_key = _popup.get_item_id(i)
	return by_key


# In a translated editor the text differs; the keys do not.
static func _has_key(shortcut: Shortcut, shift: bool) -> bool:
	if shortcut == null:
		return false
	for event: Variant in shortcut.events:
		var key: InputEventKey = event as InputEventKey
		if key != null and key.is_command_or_control_pressed() and key.shift_pressed == shift:
			if key.keycode == KEY_Z or key.physical_keycode == KEY_Z:
				return true
	return false


static func _find() -> PopupMenu:
	var base: Control = EditorInterface.get_base_control()
	for bar: Node in base.find_children("*", "MenuBar", true, false):
		for child: Node in bar.get_children():
			var popup: PopupMenu = child as PopupMenu
			if popup != null and popup.name == &"Scene":
				return popup
	for child: Node in base.find_children("Scene", "PopupMenu", true, false):
		return child as PopupMenu
	return null
