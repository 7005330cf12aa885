@tool
extends RefCounted
## Canonical text of what the editor holds: equal states give equal text.

const Order := preload("order.gd")


static func look(order: Order) -> Dictionary:
	var root := EditorInterface.get_edited_scene_root()
	var out := glance(order)
	out.merge({"saved": saved(root), "reloaded": reloaded(root)})
	return out


## A look without what a save would write.
static func peek(order: Order) -> Dictionary:
	var out := glance(order)
	out["reloaded"] = reloaded(EditorInterface.get_edited_scene_root())
	return out


## A look without what a save would write or leave.
static func glance(order: Order) -> Dictionary:
	var root := EditorInterface.get_edited_scene_root()
	var out := {"live": live(root), "session": session(root)}
	out.merge(order.summary())
	return out


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
		_node(root, root, lines, Source.new(root))
	return "\n".join(lines)


## The scene as it is after a save and a load by an editor that has read nothing
## yet. It is not saved for that: a file under another name would hand out ids.
static func reloaded(root: Node) -> String:
	if root == null:
		return ""
	var packed := PackedScene.new()
	if packed.pack(root) != OK:
		return "cannot be packed"
	var apart := PackedScene.new()
	apart.set("_bundled", _with_files(packed.get("_bundled") as Dictionary, {}))
	var fresh := apart.instantiate(PackedScene.GEN_EDIT_STATE_MAIN)
	if fresh == null:
		return "cannot be loaded"
	fresh.scene_file_path = root.scene_file_path
	_show_tabs(fresh)
	var lines := PackedStringArray()
	_node(fresh, fresh, lines, Source.new(fresh, packed))
	fresh.free()
	return "\n".join(lines)


## A scene's table with the scenes that supply nodes read from their files: edits of
## their resources are in this editor's memory only. The lists of the table are those of
## the live nodes, and instantiating puts copies of resources that are local to a scene
## into them.
static func _with_files(bundled: Dictionary, read: Dictionary[String, PackedScene]) -> Dictionary:
	var out := bundled.duplicate(true)
	var values := out.get("variants", []) as Array
	for i in values.size():
		if not values[i] is PackedScene:
			continue
		var supplier := values[i] as PackedScene
		if supplier.resource_path.get_extension() not in ["tscn", "scn"]:
			continue
		var path := supplier.resource_path
		if path not in read:
			read[path] = supplier
			var fresh := ResourceLoader.load(path, "PackedScene", ResourceLoader.CACHE_MODE_IGNORE) as PackedScene
			if fresh != null:
				fresh.set("_bundled", _with_files(fresh.get("_bundled") as Dictionary, read))
				read[path] = fresh
		values[i] = read[path]
	return out


## A scene file as an editor that has read nothing yet would open it.
static func loaded(path: String) -> String:
	var packed := ResourceLoader.load(path, "PackedScene", ResourceLoader.CACHE_MODE_IGNORE_DEEP) as PackedScene
	var fresh: Node = packed.instantiate(PackedScene.GEN_EDIT_STATE_MAIN) if packed != null else null
	if fresh == null:
		return "cannot be loaded"
	fresh.scene_file_path = path
	_show_tabs(fresh)
	var text := live(fresh)
	fresh.free()
	return text


## Containers of tabs show the one that their file names when they enter the tree, which
## these here do not. When they become visible they let it be seen.
static func _show_tabs(fresh: Node) -> void:
	var containers := fresh.find_children("*", "TabContainer", true, false)
	if fresh is TabContainer:
		containers.push_front(fresh)
	for one in containers:
		var container := one as TabContainer
		var hidden := not container.visible
		if hidden:
			container.visible = true
		else:
			container.notification(CanvasItem.NOTIFICATION_VISIBILITY_CHANGED)
		container.visible = not hidden
		var tabs := container.get_children().filter(func(child: Node) -> bool: return child is Control and not (child as Control).top_level)
		var current := tabs.find_custom(func(tab: Control) -> bool: return tab.visible)
		if current < 0 and not container.deselect_enabled:
			current = mini(0, tabs.size() - 1)
		if container.current_tab != current:
			container.get_tab_bar().current_tab = current
		for i in tabs.size():
			if tabs[i].visible != (i == current):
				tabs[i].visible = i == current


## What the values of a dump are read from.
class Source:
	var root: Node
	var home := ""
	## Whether the scene was made from what a save writes.
	var fresh := false
	## Whether the property that is being written stands in the scene's own file.
	var own := false
	var _written: Dictionary[String, bool] = {}

	func _init(scene: Node, packed: PackedScene = null) -> void:
		root = scene
		home = root.scene_file_path
		fresh = packed != null
		if fresh:
			var state := packed.get_state()
			for i in state.get_node_count():
				for j in state.get_node_property_count(i):
					_written["%s %s" % [str(state.get_node_path(i)).trim_prefix("./"), state.get_node_property_name(i, j)]] = true

	func has(node: Node) -> bool:
		return node == root or root.is_ancestor_of(node)

	func enter_property(path: NodePath, property: String) -> void:
		own = "%s %s" % [path, property] in _written

	## Where a resource lives: "" in the scene itself, "FILE::" in another file.
	func home_of(resource: Resource) -> String:
		var path := resource.resource_path
		if not path.contains("::"):
			return path
		var file := path.get_slice("::", 0)
		# What another scene embeds is copied when this one refers to it itself.
		return "" if file == home or fresh and own else file + "::"


static func _node(root: Node, node: Node, lines: PackedStringArray, source: Source) -> void:
	var path := root.get_path_to(node)
	var owner := "-"
	if node.owner != null:
		owner = str(root.get_path_to(node.owner)) if root == node.owner or root.is_ancestor_of(node.owner) else "outside"
	var head := "%s %s owner=%s scene=%s editable=%s" % [path, node.get_class(), owner, node.scene_file_path,
			root.is_editable_instance(node) if node != root else false]
	# Names may have newlines, too.
	lines.append(head.replace("\n", "\\n"))
	for line in _properties(node, source, [], path):
		lines.append(("  %s %s" % [path, line]).replace("\n", "\\n"))
	var groups := PackedStringArray()
	for group in node.get_groups():
		if not str(group).begins_with("_"):
			groups.append(str(group))
	groups.sort()
	for group in groups:
		lines.append(("  %s group %s" % [path, group]).replace("\n", "\\n"))
	var links := PackedStringArray()
	for info in node.get_signal_list():
		for link in node.get_signal_connection_list(info.name):
			var target: Variant = link.callable.get_object()
			if target is Node and (target == root or root.is_ancestor_of(target)) and int(link.flags) & CONNECT_PERSIST:
				links.append(("  %s signal %s -> %s.%s flags=%d binds=%s unbinds=%d" % [path, info.name, root.get_path_to(target),
						link.callable.get_method(), int(link.flags) & ~32, _text(link.callable.get_bound_arguments(), [], source),
						link.callable.get_unbound_arguments_count()]).replace("\n", "\\n"))
	links.sort()
	lines.append_array(links)
	var names := PackedStringArray()
	for child in node.get_children():
		names.append(child.name)
	if not names.is_empty():
		lines.append(("  %s children %s" % [path, "/".join(names)]).replace("\n", "\\n"))
	for child in node.get_children():
		_node(root, child, lines, source)


static func _properties(object: Object, source: Source, seen: Array, path := NodePath()) -> PackedStringArray:
	var lines := PackedStringArray()
	for info in object.get_property_list():
		if info.name == "metadata/_missing_resources":
			continue # what the engine notes for itself of classes that it does not know
		if not int(info.usage) & PROPERTY_USAGE_STORAGE and not int(info.usage) & PROPERTY_USAGE_SCRIPT_VARIABLE:
			continue
		var value: Variant = object.get(info.name)
		if value is Node and not source.has(value):
			value = null # a deleted node that the history keeps
		if value == ClassDB.class_get_property_default_value(object.get_class(), info.name):
			continue
		if seen.is_empty():
			source.enter_property(path, info.name)
		lines.append("%s = %s" % [info.name, _text(value, seen, source)])
	return lines


static func _text(value: Variant, seen: Array, source: Source) -> String:
	if value is Node:
		return "<node %s>" % value.name if source.has(value) else "null"
	if value is Resource:
		if value in seen:
			return "<again %s>" % value.get_class()
		var where := source.home_of(value as Resource)
		if value is Script:
			return "<script %s>" % where
		if value is PackedScene:
			return "<scene %s>" % where
		if where != "" and not where.ends_with("::") and not where.ends_with(".tres"):
			return "<%s %s>" % [value.get_class(), where]
		var own := source.own
		source.own = own and (where == "" or where.ends_with("::"))
		var inside := ", ".join(_properties(value as Resource, source, seen + [value]))
		source.own = own
		return "<%s %s {%s}>" % [value.get_class(), where, inside]
	if value is Array:
		var parts := PackedStringArray()
		for element: Variant in value:
			parts.append(_text(element, seen, source))
		return "[" + ", ".join(parts) + "]"
	if value is Dictionary:
		var parts := PackedStringArray()
		for key: Variant in value:
			parts.append(_text(key, seen, source) + ": " + _text(value[key], seen, source))
		parts.sort() # files do not keep the order
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
	var source := Source.new(root)
	for key: Variant in bundled:
		if str(key).contains("id"):
			continue
		if bundled[key] is Array:
			var i := 0
			for element: Variant in bundled[key]:
				lines.append("%s %d %s" % [key, i, _text(element, [], source)])
				i += 1
		else:
			lines.append("%s %s" % [key, _text(bundled[key], [], source)])
	return "\n".join(lines)
