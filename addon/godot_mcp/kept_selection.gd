@tool
extends RefCounted
## Keeps what is selected, and how selected controls are edited, over commands.
##
## The engine drops a node from the selection when it leaves the tree, also when it comes
## back at once. After any rename the scene dock selects its current node alone, at the
## end of the frame. And once a frame, when the selection has changed, the toolbar of
## controls writes to them whether moving them changes their anchors, past the undo
## history (engine 4.6 experiments). A command must do none of that to a person's work.
##
## What is selected in a tab that comes to the front again is what the inspector's history
## has in front, several nodes by their paths, and the history hears of a selection only
## once a frame, too. So the docks are told at once: the next command may show another tab.

const META := &"_edit_use_anchors_"

## How often a command has set the selection.
var _chosen: int = 0
var _root: Node = null
var _nodes: Array[Node] = []
## Selected control -> whether it has the metadata.
var _noted: Dictionary[Control, bool] = {}
## The frame until which a change of the selection is of a command.
var _until: int = -1


func start() -> void:
	EditorInterface.get_selection().selection_changed.connect(_on_selection_changed)


func stop() -> void:
	EditorInterface.get_selection().selection_changed.disconnect(_on_selection_changed)
	_let_go()


## Sets the selection for a command that is about it.
func choose(nodes: Array[Node]) -> void:
	_chosen += 1
	_select(nodes)
	_tell()


## What [method keep] has to know from before a command.
func before() -> Array:
	var nodes: Array[Node] = EditorInterface.get_selection().get_selected_nodes()
	var root: Node = EditorInterface.get_edited_scene_root()
	return [root, nodes, _chosen, _paths_of(root, nodes)]


## Selects again what a command took out of the selection but left in the scene, and has
## the docks hear of new paths.
func keep(state: Array) -> void:
	var root: Node = EditorInterface.get_edited_scene_root()
	if root == null or root != state[0] or state[2] != _chosen:
		return
	var wanted: Array[Node] = _still(state[1] as Array, root)
	if EditorInterface.get_selection().get_selected_nodes() != wanted:
		_select(wanted)
		_tell()
	elif _paths_of(root, wanted) != state[3]:
		_tell()


## Holds on to that until the editor has answered to the command, in this frame.
func settle() -> void:
	_note()
	if _nodes.size() > 1:
		# What the dock does comes before it, since it was put off first.
		_hold.call_deferred()


func _note() -> void:
	_let_go()
	_root = EditorInterface.get_edited_scene_root()
	_until = Engine.get_process_frames()
	for node: Node in EditorInterface.get_selection().get_selected_nodes():
		_nodes.append(node)
		if node is Control:
			_noted[node as Control] = node.has_meta(META)


func _tell() -> void:
	_note()
	EditorInterface.get_selection().selection_changed.emit()


func _hold() -> void:
	var root: Node = EditorInterface.get_edited_scene_root()
	if root == null or root != _root or _until != Engine.get_process_frames():
		return
	var wanted: Array[Node] = _still(_nodes, root)
	if EditorInterface.get_selection().get_selected_nodes() != wanted:
		_select(wanted)
		EditorInterface.get_selection().selection_changed.emit()
		# The engine tells it again, in the next frame.
		_until += 1


# Comes after the toolbar, which was there first.
func _on_selection_changed() -> void:
	if Engine.get_process_frames() > _until or EditorInterface.get_selection().get_selected_nodes() != _nodes:
		return
	for control: Control in _noted:
		if control.has_meta(META) == _noted[control]:
			continue
		if _noted[control]:
			control.set_meta(META, true)
		else:
			control.remove_meta(META)


func _let_go() -> void:
	_root = null
	_nodes.clear()
	_noted.clear()


static func _still(nodes: Array, root: Node) -> Array[Node]:
	var out: Array[Node] = []
	for node: Variant in nodes:
		if is_instance_valid(node) and (node == root or root.is_ancestor_of(node as Node)):
			out.append(node)
	return out


static func _paths_of(root: Node, nodes: Array[Node]) -> Array[NodePath]:
	var out: Array[NodePath] = []
	if root != null and nodes.size() > 1:
		for node: Node in nodes:
			out.append(root.get_path_to(node))
	return out


static func _select(nodes: Array[Node]) -> void:
	var selection: EditorSelection = EditorInterface.get_selection()
	selection.clear()
	for node: Node in nodes:
		selection.add_node(node)
