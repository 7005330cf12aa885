@tool
extends RefCounted
## Message boxes that a command made the editor show.
##
## Nobody may be there to close them, and the editor tells some faults in no other
## way (engine 4.6 experiment). What was open before belongs to a person.

var _before: Array[AcceptDialog] = []


func begin() -> void:
	_before = _visible()


## Reads and closes what is new.
func take() -> Array[String]:
	var out: Array[String] = []
	for dialog: AcceptDialog in _visible():
		if dialog in _before:
			continue
		var text: String = dialog.title
		if dialog.dialog_text != "":
			text = "%s: %s" % [text, dialog.dialog_text]
		out.append(text)
		dialog.hide()
	_before = []
	return out


# Every window that is in the tree is in this group of the engine's, shown or not.
# Looking through the whole editor for dialogs takes 12 ms (engine 4.6 experiment).
static func _visible() -> Array[AcceptDialog]:
	var out: Array[AcceptDialog] = []
	for node: Node in EditorInterface.get_base_control().get_tree().get_nodes_in_group(&"_viewports"):
		var dialog: AcceptDialog = node as AcceptDialog
		if dialog != null and dialog.visible:
			out.append(dialog)
	return out
