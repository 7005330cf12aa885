@tool
extends RefCounted
## What a person does at the editor, as the editor's own docks would do it.

var _undo_redo: EditorUndoRedoManager
var _scene_menus: Array[Node] = []


func _init(undo_redo: EditorUndoRedoManager) -> void:
	_undo_redo = undo_redo


## Does one deed; returns what went wrong, or "".
func act(words: PackedStringArray) -> String:
	# Never in a frame in which the addon did something: a person sees its result first.
	await Engine.get_main_loop().process_frame
	var root := EditorInterface.get_edited_scene_root()
	var node: Node = null
	if words[0] in ["set", "file", "add", "rename", "delete", "direct", "stray"]:
		if root == null:
			return "no scene is open"
		node = root.get_node_or_null(words[1])
		if node == null:
			return "no node %s" % words[1]
	# Where a path goes on through resources, the last one is edited.
	var edited: Object = node
	if words[0] in ["set", "file"]:
		for part in words[2].split(":").slice(0, -1):
			edited = edited.get(part) as Object
			if edited == null:
				return "no resource at %s" % words[2]
		words[2] = words[2].get_slice(":", words[2].get_slice_count(":") - 1)
	# The docks do nothing when the value or the name is the same.
	if words[0] in ["set", "file"] and edited.get(words[2]) == str_to_var(words[3]) or words[0] == "rename" and node.name == words[2]:
		return ""
	match words[0]:
		"set":
			_undo_redo.create_action("Set %s" % words[2], UndoRedo.MERGE_DISABLE, root)
			_undo_redo.add_do_property(edited, words[2], str_to_var(words[3]))
			_undo_redo.add_undo_property(edited, words[2], edited.get(words[2]))
			_undo_redo.commit_action()
		"file":
			# The inspector names no context: a resource with a file is of the global history.
			_undo_redo.create_action("Set %s" % words[2])
			_undo_redo.add_do_property(edited, words[2], str_to_var(words[3]))
			_undo_redo.add_undo_property(edited, words[2], edited.get(words[2]))
			_undo_redo.commit_action()
		"direct":
			node.set(words[2], str_to_var(words[3]))
		"stray":
			var lone: Node = ClassDB.instantiate(words[2])
			lone.name = words[3]
			node.add_child(lone, true)
		"add":
			var child: Node = ClassDB.instantiate(words[2])
			child.name = words[3]
			_undo_redo.create_action("Create Node", UndoRedo.MERGE_DISABLE, root)
			_undo_redo.add_do_method(node, &"add_child", child, true)
			_undo_redo.add_do_method(child, &"set_owner", root)
			_undo_redo.add_do_reference(child)
			_undo_redo.add_undo_method(node, &"remove_child", child)
			_undo_redo.commit_action()
		"rename":
			# The docks make an action of the name that the node gets in the end.
			var old := node.name
			node.name = words[2]
			var given := node.name
			node.name = old
			if given == old:
				return ""
			_undo_redo.create_action("Rename Node", UndoRedo.MERGE_DISABLE, root)
			_undo_redo.add_do_property(node, &"name", given)
			_undo_redo.add_undo_property(node, &"name", node.name)
			_undo_redo.commit_action()
		"delete":
			_delete(root, node)
		"select":
			for path in words.slice(1):
				if not root.has_node(path):
					return "no node %s" % path
			EditorInterface.get_selection().clear()
			for path in words.slice(1):
				EditorInterface.get_selection().add_node(root.get_node(path))
		"save":
			var saved := EditorInterface.save_scene()
			if saved != OK:
				return error_string(saved)
		"type":
			var untyped: String = await _type(words[1], words[2])
			if not untyped.is_empty():
				return untyped
		"wait":
			await Engine.get_main_loop().create_timer(int(words[1]) / 1000.0).timeout
		"undo", "redo":
			var problem := _menu(words[0].capitalize())
			if not problem.is_empty():
				return problem
		"tab":
			# Right after a change of tabs the engine ignores another.
			await Engine.get_main_loop().process_frame
			EditorInterface.open_scene_from_path(words[1])
		"reload":
			await Engine.get_main_loop().process_frame
			EditorInterface.reload_scene_from_path(words[1])
		_:
			return "unknown deed %s" % words[0]
	# The titles of tabs, which tell what is modified, follow a frame later.
	for frame in 3:
		await Engine.get_main_loop().process_frame
	return ""


## Opens a script and types over all of its text.
func _type(path: String, text: String) -> String:
	EditorInterface.edit_script(load(path) as Script)
	for i in 3:
		await Engine.get_main_loop().process_frame
	var tab := EditorInterface.get_script_editor().get_current_editor()
	if tab == null or EditorInterface.get_script_editor().get_current_script().resource_path != path:
		return "%s did not open" % path
	var field := tab.get_base_editor() as TextEdit
	# The addon looks at what is open now and then.
	await Engine.get_main_loop().create_timer(1.2).timeout
	field.select_all()
	field.insert_text_at_caret(text)
	await Engine.get_main_loop().process_frame
	return ""


func _delete(root: Node, node: Node) -> void:
	var parent := node.get_parent()
	_undo_redo.create_action("Delete Node", UndoRedo.MERGE_DISABLE, root, true)
	_undo_redo.add_do_method(parent, &"remove_child", node)
	for owned: Node in [node] + node.find_children("*", "", true, false):
		if owned.owner == root:
			_undo_redo.add_undo_method(owned, &"set_owner", root)
	_undo_redo.add_undo_method(parent, &"move_child", node, node.get_index())
	_undo_redo.add_undo_method(parent, &"add_child", node, true)
	_undo_redo.add_undo_reference(node)
	_undo_redo.commit_action()


## Presses an item of the editor's Scene menu, which keeps tabs and marks right.
func _menu(text: String) -> String:
	if _scene_menus.is_empty():
		_scene_menus = EditorInterface.get_base_control().find_children("Scene", "PopupMenu", true, false)
	for menu: PopupMenu in _scene_menus:
		for i in menu.item_count:
			if menu.get_item_text(i) == text:
				menu.id_pressed.emit(menu.get_item_id(i))
				return ""
	return "no menu item %s" % text
