@tool
extends RefCounted
## Nodes that one edit adds one after the other, as a single operation of the undo
## history: an operation of its own for each costs more than the adding.
##
## What to add comes as arguments, not from members, so that a reload of this script
## leaves the history usable. The editor calls what a scene connects, and so a node may
## have been freed past the history; the others go on without it.


## Adds the nodes below their parents and gives them their owners.
func add(parents: Array[Node], nodes: Array[Node], owners: Array[Node]) -> void:
	for i: int in nodes.size():
		if is_instance_valid(parents[i]) and is_instance_valid(nodes[i]):
			parents[i].add_child(nodes[i], true)
			nodes[i].owner = owners[i]


## Takes the nodes out again, newest first.
func remove(parents: Array[Node], nodes: Array[Node]) -> void:
	for i: int in range(nodes.size() - 1, -1, -1):
		if is_instance_valid(parents[i]) and is_instance_valid(nodes[i]):
			parents[i].remove_child(nodes[i])
