@tool
extends RefCounted
## Sets the description of a node past a fault of the scene dock.
##
## Half a second after a description changed, the dock redraws the tooltip in the row
## that it had for the node when it last drew it. Where that row is gone by then, as
## of a node that was removed or whose instance was closed, the editor crashes (signal
## 11, engine 4.6 experiment). So the dock does not hear of the change itself, but that
## the node has to be drawn anew, for which it looks the row up.

const PROPERTY := &"editor_description"

const _CHANGED := &"editor_description_changed"
const _DRAW := &"editor_state_changed"


## Sets it; the undo history calls this as well.
func put(node: Node, text: String) -> void:
	if node.has_signal(_CHANGED) and node.has_signal(_DRAW):
		for connection: Dictionary in node.get_signal_connection_list(_CHANGED):
			var heard: Callable = connection["callable"]
			if heard.is_valid() and heard.get_object().is_class("SceneTreeEditor"):
				node.disconnect(_CHANGED, heard)
	node.editor_description = text
	# Drawing a node connects the dock again.
	if node.has_signal(_DRAW):
		node.emit_signal(_DRAW)
