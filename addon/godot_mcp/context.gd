@tool
extends RefCounted
## One command while it runs: the edited scene, how it is run, and its failure.
##
## GDScript has no exceptions. A function that finds a fault calls [method fail]
## and returns an empty value; callers return when [member fault] is set.

const McpVocabulary := preload("vocabulary.gd")
const McpEdit := preload("edit.gd")
const McpServices := preload("services.gd")

var services: McpServices
## The edited scene's root; null when no scene is open.
var root: Node = null
## Nothing may remain changed after the command.
var dry_run: bool = false
## A preview of one step alone: handlers say what would happen and leave the tree
## as it is, where that can be known exactly.
var predict: bool = false
## Set by a predicting handler for "this would have changed something".
var would_change: bool = false
## Whether one step is all there is to the transaction.
var alone: bool = false
## Where steps record what they do; null outside of a transaction.
var edit: McpEdit = null
## What earlier steps of the transaction made, by their "as".
var refs: Dictionary[String, Node] = {}
var fault: Dictionary = {}
## Filled in after the last step: result, node, what gives the verdict.
var verdicts: Array[Array] = []
## Facts that stay true while the command runs, kept by those who look them up.
var notes: Dictionary = {}
## Entries of property lists, and names of stored properties; see [code]assign.gd[/code].
var properties: Dictionary[String, Dictionary] = {}
var stored: Dictionary[String, PackedStringArray] = {}
## What node types stand for, as they were resolved.
var classes: Dictionary[String, Dictionary] = {}
## Paths that were looked up and are written as [method Node.get_path_to] writes them.
var plain_paths: Dictionary[String, NodePath] = {}
## Set by a handler that has to go on in a later frame; see [method later].
var next: Callable = Callable()


func fail(reason: String, details: Dictionary = {}) -> Dictionary:
	if fault.is_empty():
		fault = {"error": McpVocabulary.CODES.get(reason, "INTERNAL_ERROR"), "reason": reason}
		if not details.is_empty():
			fault["details"] = details
	return {}


func failed() -> bool:
	return not fault.is_empty()


## Goes on with [param what] in the next frame; the command stays the running one.
func later(what: Callable) -> Dictionary:
	next = what
	return {}


## Asks for the verdict on a step once all steps are done; [param node] is what it
## is about, null when that is not in the tree. Without a [param verdict] of its own
## it is the one on the node.
func judge(result: Dictionary, node: Node, verdict: Callable = Callable()) -> Dictionary:
	verdicts.append([result, node, verdict])
	return result


func need_root() -> Node:
	if root == null:
		fail("active_scene")
	return root
