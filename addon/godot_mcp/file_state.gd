@tool
extends RefCounted
## What stands at a path at one moment, and how that differs from what is there later.

const McpSceneSections := preload("scene_sections.gd")

## Texts up to this many bytes are kept, to tell later what changed.
const MOST_KEPT := 1 << 18


## how, sha256, size, modified, and text where it is kept. "how" is empty for a plain
## file, else deleted, folder or link.
static func of(path: String) -> Dictionary:
	var out: Dictionary = {"how": "", "sha256": "", "size": 0, "modified": 0}
	if DirAccess.dir_exists_absolute(path):
		out["how"] = "folder"
		return out
	if not FileAccess.file_exists(path):
		out["how"] = "deleted"
		return out
	var folder: DirAccess = DirAccess.open(path.get_base_dir())
	if folder != null and folder.is_link(path.get_file()):
		out["how"] = "link"
	out["sha256"] = FileAccess.get_sha256(path)
	out["modified"] = FileAccess.get_modified_time(path)
	var file: FileAccess = FileAccess.open(path, FileAccess.READ)
	out["size"] = file.get_length() if file != null else 0
	if path.get_extension() in ["tscn", "tres"] and out["size"] <= MOST_KEPT:
		out["text"] = FileAccess.get_file_as_string(path)
	return out


## How a file differs from what it was; empty when not, or when that is not known.
static func change(path: String, base: Dictionary) -> Dictionary:
	if base.is_empty():
		return {}
	var now: Dictionary = of(path)
	var how: String = now["how"]
	if how == base["how"] and now["sha256"] == base["sha256"]:
		return {}
	if how == "" or (how == "link" and base["how"] == "link"):
		how = "content"
	var out: Dictionary = {
		"path": path, "how": how, "expected_sha256": base["sha256"], "expected_size": base["size"],
		"expected_modified": base["modified"], "size": now["size"],
	}
	if now["sha256"] != "":
		out["sha256"] = now["sha256"]
		out["modified"] = now["modified"]
	if base.has("text") and now.has("text"):
		out.merge(McpSceneSections.difference(base["text"] as String, now["text"] as String))
	return out


## Whether a save may go over such a change at all: not where a folder stands now, and
## not through a link, at whose end somebody else's file would be written.
static func can_overwrite(change_: Dictionary) -> bool:
	return change_["how"] in ["content", "deleted"]
