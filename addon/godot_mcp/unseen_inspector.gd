@tool
extends EditorInspectorPlugin
## Keeps resources out of the inspector of an editor without a window.
##
## For each resource that the inspector shows the editor asks for a thumbnail. Without
## a window nobody makes one, so the request waits for ever and the resource with it:
## what a closed scene changed in it without saving was there again in the next scene
## that used its file (engine 4.6 experiment). Nobody sees that inspector.


func _can_handle(_object: Object) -> bool:
	return true


func _parse_property(
		_object: Object, type: Variant.Type, _name: String, _hint: PropertyHint, _hint_text: String, _usage: int, _wide: bool,
) -> bool:
	return type == TYPE_OBJECT
