@tool
extends RefCounted
## Keeps the scene dock from writing into rows that are gone.
##
## A description that a person changes gets into the tooltip of the node's row half a
## second later, by a timer that holds on to the row. When a command has taken the node
## away by then, or the row is another one, the editor crashes (signal 11, engine 4.6
## experiment; see description.gd for descriptions that commands change). So the timer
## is not left to run: what it waits for is done here in the next frame, if it still
## can be.

const TREE_CLASS := "SceneTreeEditor"
const UPDATE := "_update_node_tooltip"

var _timers: Array[Timer] = []


func start() -> void:
	_timers.clear()
	for tree: Node in EditorInterface.get_base_control().get_tree().root.find_children("*", TREE_CLASS, true, false):
		for child: Node in tree.get_children(true):
			if child is Timer:
				_timers.append(child)


func stop() -> void:
	_timers.clear()


## To be called before the timers of the editor run, and after anything that may
## have taken rows away.
func frame() -> void:
	for timer: Timer in _timers:
		if is_instance_valid(timer) and not timer.is_stopped():
			_settle(timer)


static func _settle(timer: Timer) -> void:
	for connection: Dictionary in timer.timeout.get_connections():
		var update: Callable = connection["callable"]
		if not str(update.get_method()).ends_with(UPDATE):
			continue
		timer.stop()
		var of: Array = update.get_bound_arguments()
		if of.size() == 2 and is_instance_valid(of[0]) and is_instance_valid(of[1]) and (of[0] as Node).is_inside_tree():
			update.call()
