@tool
extends RefCounted
## Connections that would keep the editor busy for ever. The engine works off what
## asks for a redraw or a sort within one round, and a round that asks for itself
## again never ends; a one-shot connection does not end it, since the editor keeps
## those (experiment, 4.6.3).

const SIGNALS: Dictionary = {&"queue_redraw": [&"draw"], &"queue_sort": [&"sort_children", &"pre_sort_children"]}


## Whether a new connection closes a circle of such requests.
static func closes(source: Node, emits: StringName, target: Node, method: StringName, flags: int) -> bool:
	if not emits in SIGNALS.get(method, []):
		return false
	if source == target:
		# While a node draws it takes no request for itself.
		return flags & CONNECT_DEFERRED != 0
	var seen: Dictionary = {target: true}
	var open: Array[Node] = [target]
	while not open.is_empty():
		var node: Node = open.pop_back()
		if node == source:
			return true
		for next: Node in _asked_by(node, method):
			if not seen.has(next):
				seen[next] = true
				open.append(next)
	return false


static func _asked_by(node: Node, method: StringName) -> Array[Node]:
	var out: Array[Node] = []
	for emits: StringName in SIGNALS[method]:
		if not node.has_signal(emits):
			continue
		for connection: Dictionary in node.get_signal_connection_list(emits):
			var flags: int = connection["flags"]
			var callable: Callable = connection["callable"]
			var target: Node = callable.get_object() as Node
			if flags & CONNECT_PERSIST != 0 and target != null and callable.get_method() == method:
				out.append(target)
	return out
