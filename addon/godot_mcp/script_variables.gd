@tool
extends RefCounted
## The variables that a script gives to a node.
##
## A script that is no @tool stands on the node as a placeholder, and the property
## list of the node then does not mark what the script declares (engine 4.6
## experiment); so the script itself is asked for the names. One that does not compile
## has none, and the list marks what the node keeps for it.

const NOT_VARIABLES: int = PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP


## The rows of [method Object.get_property_list] that are variables of the script.
static func of(node: Node) -> Array[Dictionary]:
	var out: Array[Dictionary] = []
	var declared: Dictionary = names(node.get_script() as Script)
	if node.get_script() == null:
		return out
	for info: Dictionary in node.get_property_list():
		var usage: int = info["usage"]
		if (declared.has(info["name"]) or usage & PROPERTY_USAGE_SCRIPT_VARIABLE) and usage & NOT_VARIABLES == 0:
			out.append(info)
	return out


## The names that a script and its bases declare, as keys.
static func names(script: Script) -> Dictionary:
	var out: Dictionary = {}
	if script != null:
		for info: Dictionary in script.get_script_property_list():
			if info["usage"] & NOT_VARIABLES == 0:
				out[info["name"]] = true
	return out
