@tool
extends RefCounted
## What ResourceLoader.get_dependencies says.


## The path in an entry of ResourceLoader.get_dependencies: "uid://x::Type::res://y"
## or the plain path; a uid that is known wins.
static func path(raw: String) -> String:
	if not raw.contains("::"):
		return raw
	var uid: String = raw.get_slice("::", 0)
	if uid.begins_with("uid://"):
		var id: int = ResourceUID.text_to_id(uid)
		if id != ResourceUID.INVALID_ID and ResourceUID.has_id(id):
			return ResourceUID.get_id_path(id)
	return raw.get_slice("::", 2) if raw.get_slice_count("::") > 2 else uid
