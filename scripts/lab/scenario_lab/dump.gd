@tool
extends RefCounted
## Canonical text of what the editor holds: equal states give equal text.


static func look(undo_redo: EditorUndoRedoManager) -> Dictionary:
	var root := EditorInterface.get_edited_scene_root()
	var steps := 0
	var last := ""
	var ids := [EditorUndoRedoManager.GLOBAL_HISTORY]
	if root != null:
		ids.append(undo_redo.get_object_history_id(root))
	for id: int in ids:
		var history := undo_redo.get_history_undo_redo(id)
		if history == null:
			continue
		steps += history.get_current_action() + 1
		if history.get_current_action() >= 0:
			last = history.get_current_action_name()
	return {"live": live(root), "saved": saved(root), "steps": steps, "last": last, "session": session(root)}


static func session(root: Node) -> String:
	var lines := PackedStringArray()
	for path in EditorInterface.get_open_scenes():
		lines.append("open %s" % path)
	lines.append("active %s" % (root.scene_file_path if root != null else "-"))
	for node in EditorInterface.get_selection().get_selected_nodes():
		lines.append("selected %s" % (root.get_path_to(node) if root != null else node.name))
	return "\n".join(lines)


static func live(root: Node) -> String:
	var lines := PackedStringArray()
	if root != null:
		_node(root, root, lines)
	return "\n".join(lines)


static func _node(root: Node, node: Node, lines: PackedStringArray) -> void:
	var path := root.get_path_to(node)
	var owner := "-"
	if node.owner != null:
		owner = str(root.get_path_to(node.owner)) if root == node.owner or root.is_ancestor_of(node.owner) else "outside"
	lines.append("%s %s owner=%s scene=%s editable=%s" % [path, node.get_class(), owner, node.scene_file_path,
			root.is_editable_instance(node) if node != root else false])
	for line in _properties(node):
		lines.append("  %s %s" % [path, line])
	var groups := PackedStringArray()
	for group in node.get_groups():
		if not str(group).begins_with("_"):
			groups.append(str(group))
	groups.sort()
	if not groups.is_empty():
		lines.append("  %s groups %s" % [path, ",".join(groups)])
	var links := PackedStringArray()
	for info in node.get_signal_list():
		for link in node.get_signal_connection_list(info.name):
			var target: Variant = link.callable.get_object()
			if target is Node and (target == root or root.is_ancestor_of(target)) and int(link.flags) & CONNECT_PERSIST:
				links.append("  %s signal %s -> %s.%s flags=%d binds=%s unbinds=%d" % [path, info.name, root.get_path_to(target),
						link.callable.get_method(), link.flags, link.callable.get_bound_arguments(), link.callable.get_unbound_arguments_count()])
	links.sort()
	lines.append_array(links)
	for child in node.get_children():
		_node(root, child, lines)


static func _properties(object: Object, seen: Array = []) -> PackedStringArray:
	var lines := PackedStringArray()
	for info in object.get_property_list():
		if not int(info.usage) & PROPERTY_USAGE_STORAGE and not int(info.usage) & PROPERTY_USAGE_SCRIPT_VARIABLE:
			continue
		var value: Variant = object.get(info.name)
		if value == ClassDB.class_get_property_default_value(object.get_class(), info.name):
			continue
		lines.append("%s = %s" % [info.name, _text(value, seen)])
	return lines


static func _text(value: Variant, seen: Array) -> String:
	if value is Node:
		return "<node %s>" % value.name
	if value is Resource:
		if value in seen:
			return "<again %s>" % value.get_class()
		if value is Script:
			return "<script %s>" % value.resource_path
		var path: String = value.resource_path
		var where := path if not path.contains("::") else path.get_slice("::", 0) + "::"
		if value is PackedScene:
			return "<scene %s>" % where
		return "<%s %s {%s}>" % [value.get_class(), where, ", ".join(_properties(value, seen + [value]))]
	if value is Array:
		var parts := PackedStringArray()
		for element: Variant in value:
			parts.append(_text(element, seen))
		return "[" + ", ".join(parts) + "]"
	if value is Dictionary:
		var parts := PackedStringArray()
		for key: Variant in value:
			parts.append(_text(key, seen) + ": " + _text(value[key], seen))
		return "{" + ", ".join(parts) + "}"
	return var_to_str(value)


## What a save would put into the file, without writing one: the packed scene's
## own table, since saving to another path would hand out ids.
static func saved(root: Node) -> String:
	if root == null:
		return ""
	var packed := PackedScene.new()
	if packed.pack(root) != OK:
		return "cannot be packed"
	var bundled: Dictionary = packed.get("_bundled")
	var lines := PackedStringArray()
	for key: Variant in bundled:
		if str(key).contains("id"):
			continue
		if bundled[key] is Array:
			var i := 0
			for element: Variant in bundled[key]:
				lines.append("%s %d %s" % [key, i, _text(element, [])])
				i += 1
		else:
			lines.append("%s %s" % [key, _text(bundled[key], [])])
	return "\n".join(lines)
