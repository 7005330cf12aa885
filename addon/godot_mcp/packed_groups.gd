@tool
extends RefCounted
## Which groups of a node a file keeps. A node does not tell which memberships are
## persistent; its packed state does.


## All groups but the editor's own, sorted.
static func all_of(node: Node) -> PackedStringArray:
	var out: PackedStringArray = []
	for group: StringName in node.get_groups():
		if not str(group).begins_with("_"):
			out.append(str(group))
	out.sort()
	return out


## The persistent ones, sorted.
static func persistent_of(node: Node) -> PackedStringArray:
	var all: PackedStringArray = all_of(node)
	if all.is_empty():
		return all
	var packed: PackedScene = PackedScene.new()
	# The packer complains about each child that another node owns.
	var printing: bool = Engine.print_error_messages
	Engine.print_error_messages = false
	var error: Error = packed.pack(node)
	Engine.print_error_messages = printing
	if error != OK or packed.get_state().get_node_count() == 0:
		return all
	var kept: PackedStringArray = packed.get_state().get_node_groups(0)
	var out: PackedStringArray = []
	for group: String in all:
		if group in kept:
			out.append(group)
	return out
