@tool
extends RefCounted
## Sets one property, possibly through resources and into structs ("shape:size",
## "position:x"), reads back what the setter kept, and records how to take it back.

const McpContext := preload("context.gd")
const McpDerived := preload("derived_properties.gd")
const McpDescription := preload("description.gd")
const McpFields := preload("value_fields.gd")
const McpIn := preload("values_in.gd")
const McpNear := preload("near.gd")
const McpObjects := preload("object_values.gd")
const McpOut := preload("values_out.gd")
const McpPaths := preload("paths.gd")
const McpPose := preload("pose.gd")
const McpTypeNames := preload("type_names.gd")

const NOT_PROPERTIES: int = PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP
## Node members that follow from the tree, not from a value.
const FIXED: PackedStringArray = ["name", "owner", "multiplayer", "scene_file_path"]
## The layout of a Control: each of these setters moves others of them, going back
## not always the same ones as going forth, so an undo restores all.
const LAYOUT: PackedStringArray = [
	"layout_mode", "anchors_preset", "anchor_left", "anchor_top", "anchor_right", "anchor_bottom",
	"offset_left", "offset_top", "offset_right", "offset_bottom", "grow_horizontal", "grow_vertical",
]
const PLACE: PackedStringArray = ["position", "rotation", "scale", "skew"]
const LAYOUT_MIRRORS: PackedStringArray = ["position", "size", "global_position"]

# "Class.property" -> whether the engine has no setter for it.
static var _without_setter: Dictionary[String, bool] = {}
# Entries that all objects of an engine class have in their lists, for reading.
static var _lasting: Dictionary[String, Dictionary] = {}


## Where a property path leads.
class McpTarget:
	extends RefCounted
	var node: Node
	## What has the property: the node, or the last resource of the chain.
	var object: Object
	## The path that was asked for.
	var path: String
	var property: String
	var info: Dictionary
	## Struct members after the property.
	var members: PackedStringArray = []
	var chain: Array[Resource] = []
	## The property list of the object, when it was built to find the property.
	var listed: Array[Dictionary] = []

	## Type of what the members lead to.
	var member_type: int = TYPE_NIL

	## Type of what is read and written.
	func type() -> int:
		return info["type"] if members.is_empty() else member_type

	func read() -> Variant:
		var value: Variant = object.get(property)
		for member: String in members:
			value = value[member]
		return value

	func json(value: Variant) -> Variant:
		return McpOut.tagged(value, node) if type() == TYPE_NIL else McpOut.natural(value, node)

	static func _member_type(of_type: int, member: String) -> int:
		if McpFields.FIELDS.has(of_type):
			for field: Array in McpFields.FIELDS[of_type]:
				if field[0] == member:
					return field[1]
		return TYPE_NIL


## Finds the target; null when there is no such property, with [param near] filled.
static func find(ctx: McpContext, node: Node, path: String, near: Array[String], creating: bool = false) -> McpTarget:
	var target: McpTarget = McpTarget.new()
	target.node = node
	target.object = node
	target.path = path
	var parts: PackedStringArray = path.split(":")
	for i: int in parts.size():
		target.info = _info(ctx, target, parts[i], creating and i == parts.size() - 1)
		if target.info.is_empty():
			near.assign(McpNear.close(parts[i], names_of(target.object)))
			return null
		target.property = parts[i]
		if i == parts.size() - 1:
			return target
		var value: Variant = target.object.get(parts[i])
		if value is Resource:
			target.object = value
			target.chain.append(value as Resource)
			continue
		target.members = parts.slice(i + 1)
		# What is declared may take any value: metadata, variables without a type.
		target.member_type = target.info["type"] if target.info["type"] != TYPE_NIL else typeof(value)
		for member: String in target.members:
			target.member_type = McpTarget._member_type(target.member_type, member)
			if target.member_type == TYPE_NIL:
				return null
		return target
	return null


static func names_of(object: Object) -> PackedStringArray:
	var out: PackedStringArray = []
	for info: Dictionary in object.get_property_list():
		if info["usage"] & NOT_PROPERTIES == 0:
			out.append(info["name"] as String)
	return out


# A property list takes long to build, and a batch sets the same property on many
# nodes of a class; what a class and script have, their other objects have too. Who
# only reads needs nothing of it that the state of an object may change.
static func _info(ctx: McpContext, target: McpTarget, name: String, creating: bool) -> Dictionary:
	var object: Object = target.object
	target.listed = []
	if name.begins_with("metadata/"):
		var meta: String = name.trim_prefix("metadata/")
		if not meta.is_valid_ascii_identifier() or (not creating and not object.has_meta(meta)):
			return {}
		return {"name": name, "type": TYPE_NIL, "usage": PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_NIL_IS_VARIANT}
	var key: String = "%s|%s" % [_kind(object), name]
	var lasting: bool = not creating and object.get_script() == null
	if lasting and _lasting.has(key) and name in object:
		return _lasting[key]
	if not ctx.properties.has(key) or not name in object:
		target.listed = object.get_property_list()
		ctx.properties[key] = McpObjects.info_in(target.listed, name)
		# What only some objects of a class have, may be of another type in the next one.
		if lasting and not McpObjects.info_in(ClassDB.class_get_property_list(object.get_class()), name).is_empty():
			_lasting[key] = ctx.properties[key]
	return ctx.properties[key]


# What a property list depends on, as far as batches are concerned.
static func _kind(object: Object) -> String:
	var script: Script = object.get_script() as Script
	var kind: String = object.get_class() if script == null else "%s|%d" % [object.get_class(), script.get_instance_id()]
	if object is Control:
		# The parent decides which properties of the layout can be set (engine 4.6).
		var parent: Node = (object as Control).get_parent()
		return "%s|%d" % [kind, 2 if parent is Container else 1 if parent is Control else 0]
	return kind


## Sets the property and records it. Returns {previous, value, coerced, changed,
## moved}; an empty Dictionary with the fault set when it could not be.
static func set_value(ctx: McpContext, target: McpTarget, json: Variant) -> Dictionary:
	var node: Node = target.node
	if _is_fixed(target):
		return ctx.fail("read_only_property", {"path": ctx.notes["path"], "property": target.path})
	var previous: Variant = target.read()
	var reader: McpIn = McpIn.new()
	var info: Dictionary = target.info
	if not target.members.is_empty():
		info = {"type": target.type()}
	var value: Variant = null
	if is_node_reference(info):
		value = _node_value(ctx, node, json, info)
		if ctx.failed():
			return {}
	else:
		value = reader.decode(json, info, previous)
	if reader.failed():
		return _refuse(ctx, target, reader, _declared(info, previous), json)
	return put(ctx, target, value, previous, reader.coerced)


## Puts a value that is decoded already.
static func put(ctx: McpContext, target: McpTarget, value: Variant, previous: Variant, coerced: bool) -> Dictionary:
	var object: Object = target.object
	if _is_forgotten(target, value, previous):
		return ctx.fail("value_not_kept", {"property": target.path, "expected": _text(value), "got": _text(previous)})
	var before: Variant = object.get(target.property)
	var was_there: bool = target.property in object
	var stored: PackedStringArray = _stored_names(ctx, target)
	var old: Array = stored_values(object, stored)
	var solid: Node3D = object as Node3D
	var stood: McpPose = null if solid == null else McpPose.new(solid)
	var set_it: Array = [object, &"set", StringName(target.property)]
	if object is Node and target.property == McpDescription.PROPERTY:
		set_it = [McpDescription.new(), &"put", object]
	ctx.edit.touches(object)
	var tabs: Array = _tabs_before(ctx, target)
	if target.members.is_empty():
		(set_it[0] as Object).call(set_it[1] as StringName, set_it[2], value)
	else:
		object.set_indexed(NodePath(target.property + ":" + ":".join(target.members)), value)
	var stands: McpPose = null if solid == null else McpPose.new(solid)
	var turned: bool = stands != null and stands.differs_in_bits(stood)
	if turned:
		stands.settle(solid)
	var kept: Variant = target.read()
	var now: Array = stored_values(object, stored)
	var moved: bool = turned and stands.differs(stood)
	# Restored in the order in which a scene file sets them: some setters touch others.
	var also: PackedStringArray = _moved_by_undo(target)
	var changed: bool = not same(previous, kept, true)
	for i: int in stored.size():
		moved = moved or not same(old[i], now[i], true)
	var after: Variant = object.get(target.property)
	if changed or moved:
		ctx.edit.tabs_change(tabs)
		if turned:
			ctx.edit.undo_only([stood, &"take", solid])
		for i: int in range(stored.size() - 1, -1, -1):
			if stored[i] != target.property and (not same(old[i], now[i], true) or stored[i] in also):
				ctx.edit.undo_only([object, &"set", StringName(stored[i]), old[i]])
		ctx.edit.record(set_it[0] as Object, set_it[1] as StringName, [set_it[2], after], _undo_of(target, set_it, before, was_there))
		if turned:
			ctx.edit.record(stands, &"take", [solid])
		if _worked_out(target):
			for i: int in stored.size():
				if not same(old[i], now[i], true):
					ctx.edit.record(object, &"set", [StringName(stored[i]), now[i]])
	elif object is Resource:
		ctx.edit.leaves(object)
	elif turned:
		stood.take(solid)
	# What the setter made of the value is told; only a value that it dropped is a fault.
	if not same(value, kept, false) and (not changed or kept == null):
		return ctx.fail("value_not_kept", {"property": target.path, "expected": _text(value), "got": _text(kept)})
	return {"previous": previous, "value": kept, "coerced": coerced, "changed": changed, "moved": moved}


# What the engine drops and takes back by no other value (4.6): without frames a sprite
# has no animation any more as soon as another one is set, and takes none again; a choice
# beyond the items that are there is kept unseen, until the first ones come.
static func _is_forgotten(target: McpTarget, value: Variant, previous: Variant) -> bool:
	if target.property == "selected" and target.object is OptionButton:
		return (value as int) >= (target.object as OptionButton).item_count
	if target.property == "current_tab" and target.object is TabBar:
		return (value as int) >= (target.object as TabBar).tab_count
	return target.property == "animation" and (target.object is AnimatedSprite2D or target.object is AnimatedSprite3D) \
			and target.object.get(&"sprite_frames") == null and str(value) != str(previous)


# What an undo may move although the edit did not: a layout, and the turn of a node in 2D
# that is mirrored, whose transform is read as turned by half a circle (engine 4.6).
static func _moved_by_undo(target: McpTarget) -> PackedStringArray:
	if target.object is Control and (target.property in LAYOUT or target.property in LAYOUT_MIRRORS):
		return LAYOUT
	if target.object is Node2D and target.property in McpDerived.BY_CLASS["Node2D"]:
		return PLACE
	return []


# A tab that is shown becomes the current one, and one that is hidden leaves that to another.
static func _tabs_before(ctx: McpContext, target: McpTarget) -> Array:
	if target.object != target.node:
		return []
	return ctx.edit.tabs_before(target.node.get_parent() if target.property == "visible" else target.node)


# Properties that the engine works out from stored ones and rounds on the way there and
# back: a redo that set them alone would end at another last digit. What has a pose is
# brought back into it.
static func _worked_out(target: McpTarget) -> bool:
	if target.property.begins_with("global_"):
		return target.object is Node2D
	return target.property == "rotation_degrees" and target.object is CanvasItem


# Setting metadata to null leaves an entry behind.
static func _undo_of(target: McpTarget, set_it: Array, before: Variant, was_there: bool) -> Array:
	if target.property.begins_with("metadata/") and not was_there:
		return [target.object, &"remove_meta", target.property.trim_prefix("metadata/")]
	return set_it + [before]


static func stored_values(object: Object, names: PackedStringArray) -> Array:
	var out: Array = []
	for name: String in names:
		var value: Variant = object.get(name)
		# The object may go on writing into its own array.
		out.append(value.duplicate() if value is Array or value is Dictionary else value)
	return out


static func _stored_names(ctx: McpContext, target: McpTarget) -> PackedStringArray:
	var key: String = _kind(target.object)
	# What counts the elements of a list brings properties that each object has of its own.
	if not ctx.stored.has(key) or target.info["usage"] & PROPERTY_USAGE_ARRAY != 0:
		var names: PackedStringArray = []
		for info: Dictionary in target.object.get_property_list() if target.listed.is_empty() else target.listed:
			if info["usage"] & PROPERTY_USAGE_STORAGE != 0 and info["name"] != "script":
				names.append(info["name"] as String)
		ctx.stored[key] = names
	return ctx.stored[key]


## Whether two values are the same; without [param exact] as far as 32-bit numbers
## and the engine's own normal forms go.
static func same(a: Variant, b: Variant, exact: bool) -> bool:
	var left: int = typeof(a)
	var right: int = typeof(b)
	if left != right:
		if left in [TYPE_INT, TYPE_FLOAT] and right in [TYPE_INT, TYPE_FLOAT]:
			return is_equal_approx(a as float, b as float)
		if left in [TYPE_STRING, TYPE_STRING_NAME, TYPE_NODE_PATH] and right in [TYPE_STRING, TYPE_STRING_NAME, TYPE_NODE_PATH]:
			return str(a) == str(b)
		# A freed or absent object reads as null.
		return (a == null and right == TYPE_OBJECT and not is_instance_valid(b)) or (b == null and left == TYPE_OBJECT and not is_instance_valid(a))
	if exact:
		return is_same(a, b) or a == b
	match left:
		TYPE_FLOAT:
			return a == b or is_equal_approx(a as float, b as float) or (is_nan(a as float) and is_nan(b as float))
		TYPE_NODE_PATH:
			return a == b or str(a).simplify_path() == str(b).simplify_path()
		TYPE_VECTOR2, TYPE_VECTOR3, TYPE_VECTOR4, TYPE_RECT2, TYPE_TRANSFORM2D, TYPE_PLANE, TYPE_QUATERNION, TYPE_AABB, TYPE_BASIS, TYPE_TRANSFORM3D, TYPE_COLOR:
			return a == b or a.is_equal_approx(b)
	return a == b


static func _is_fixed(target: McpTarget) -> bool:
	if target.info["usage"] & PROPERTY_USAGE_READ_ONLY != 0:
		return true
	if target.object == target.node and target.property in FIXED:
		return true
	return _has_no_setter(target.object.get_class(), target.property) and not target.object.has_method(&"_set")


static func _has_no_setter(type: String, property: String) -> bool:
	var key: String = "%s.%s" % [type, property]
	if not _without_setter.has(key):
		var known: bool = ClassDB.has_method(&"class_get_property_setter") and ClassDB.class_exists(type)
		known = known and not McpObjects.info_in(ClassDB.class_get_property_list(type), property).is_empty()
		_without_setter[key] = known and ClassDB.call(&"class_get_property_setter", type, property) == &""
	return _without_setter[key]


static func _refuse(ctx: McpContext, target: McpTarget, reader: McpIn, declared: String, json: Variant) -> Dictionary:
	var problem: Dictionary = reader.problem
	if problem["reason"] == "bad_value":
		return ctx.fail("bad_value", reader.details(target.path, declared, json))
	var details: Dictionary = problem.duplicate()
	details.erase("reason")
	if problem["reason"] == "wrong_resource_type":
		details["property"] = target.path
	return ctx.fail(problem["reason"] as String, details)


# The declared type as messages name it; the present value knows the types of elements.
static func _declared(info: Dictionary, like: Variant) -> String:
	if info["type"] == TYPE_NIL:
		return "a value"
	if (like is Array and (like as Array).is_typed()) or (like is Dictionary and (like as Dictionary).is_typed()):
		return McpOut.container_name(like)
	var of_class: String = McpTypeNames.object_class(info) if info["type"] == TYPE_OBJECT else ""
	return of_class if of_class != "" else type_string(info["type"] as int)


# A value as Godot text; an object by its path or class.
static func _text(value: Variant) -> String:
	if not value is Object:
		return var_to_str(value)
	var resource: Resource = value as Resource
	if resource != null:
		return "Resource(\"%s\")" % resource.resource_path if resource.resource_path != "" else resource.get_class()
	return (value as Object).get_class()


static func is_node_reference(info: Dictionary) -> bool:
	return info["type"] == TYPE_OBJECT and info.get("hint", 0) == PROPERTY_HINT_NODE_TYPE


# A property that holds a node: its path, from the node that has the property.
static func _node_value(ctx: McpContext, node: Node, json: Variant, info: Dictionary) -> Node:
	var text: Variant = json
	if json is Dictionary and (json as Dictionary).get("type") == "NodePath":
		text = (json as Dictionary).get("value")
	if text == null:
		return null
	if text == "":
		return null
	if not text is String:
		ctx.fail("bad_value", {"property": info["name"], "expected": info.get("hint_string", "Node"), "got": JSON.stringify(json)})
		return null
	var found: Node = node.get_node_or_null(NodePath(text as String)) if node.is_inside_tree() else null
	if found == null or not (found == ctx.root or ctx.root.is_ancestor_of(found)):
		found = McpPaths.find(ctx, text as String)
		if found == null:
			return null
	if not McpObjects.fits(found, info.get("hint_string", "") as String):
		ctx.fail("bad_value", {"property": info["name"], "expected": info["hint_string"], "got": found.get_class()})
		return null
	return found
