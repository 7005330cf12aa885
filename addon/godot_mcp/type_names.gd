@tool
extends RefCounted
## Names of types as the wire writes them.


## "Vector2", "Node2D", "Variant", "int" of an entry of a property or method list.
static func of_info(info: Dictionary) -> String:
	var type: int = info.get("type", TYPE_NIL)
	if type == TYPE_NIL:
		return "Variant" if int(info.get("usage", 0)) & PROPERTY_USAGE_NIL_IS_VARIANT != 0 else "Nil"
	if type == TYPE_OBJECT and str(info.get("class_name", "")) != "":
		return str(info["class_name"])
	return type_string(type)


## "name: Type" of an argument.
static func argument(info: Dictionary) -> String:
	return "%s: %s" % [info["name"], "Variant" if info["type"] == TYPE_NIL else of_info(info)]


## The Variant type of a name, or -1.
static func type_of(name: String) -> int:
	for type: int in TYPE_MAX:
		if type_string(type) == name:
			return type
	return -1


## The resource or node class that an Object property takes.
static func object_class(info: Dictionary) -> String:
	var hint: int = info.get("hint", PROPERTY_HINT_NONE)
	if hint == PROPERTY_HINT_RESOURCE_TYPE or hint == PROPERTY_HINT_NODE_TYPE:
		var text: String = info.get("hint_string", "")
		if text != "":
			return text
	return str(info.get("class_name", ""))
