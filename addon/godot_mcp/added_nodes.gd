@tool
extends RefCounted
## Nodes that one edit adds one after the other, as a single operation of the undo
## history: an operation of its own for each costs more than the adding.
##
## What to add comes as arguments, not from members, so that a reload of this script
## leaves the history usable.


## Adds the nodes below their parents and gives them their owners.
func add(parents: Array[Node], nodes: Array[Node], owners: Array[Node]) -> void:
	for i: int in nodes.size():
		parents[i].add_child(nodes[i], true)
		nodes[i].owner = owners[i]


## Takes the nodes out again, newest first.
func remove(parents: Array[Node], nodes: Array[Node]) -> void:
	for i: int in range(nodes.size() - 1, -1, -1):
		parents[i].remove_child(nodes[i])
