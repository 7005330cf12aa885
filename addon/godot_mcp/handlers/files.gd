@tool
extends RefCounted
## Text files of the project.

const McpContext := preload("../context.gd")
const McpEdit := preload("../edit.gd")
const McpFileChange := preload("../file_change.gd")
const McpFileWalk := preload("../file_walk.gd")
const McpParams := preload("../params.gd")
const McpReferences := preload("../references.gd")
const McpSceneFiles := preload("../scene_files.gd")


func commands() -> Dictionary:
	return {
		"cmd_read_file": read_file,
		"cmd_write_file": write_file,
		"cmd_list_files": list_files,
		"cmd_get_dependencies": get_dependencies,
	}


func read_file(ctx: McpContext, p: Dictionary) -> Dictionary:
	var path: String = McpParams.text(p, "path")
	var bytes: Variant = _text_bytes(ctx, path)
	if bytes == null:
		return {}
	var content: PackedByteArray = bytes
	return {"path": path, "content": content.get_string_from_utf8(), "size": content.size(), "sha256": _sha(content)}


# The bytes of a text file; null with the fault set.
static func _text_bytes(ctx: McpContext, path: String) -> Variant:
	if not McpSceneFiles.is_project_path(path):
		ctx.fail("bad_path", {"path": path})
		return null
	if DirAccess.dir_exists_absolute(path):
		ctx.fail("is_folder", {"path": path})
		return null
	if not FileAccess.file_exists(path):
		ctx.fail("file_not_found", {"path": path})
		return null
	var bytes: PackedByteArray = FileAccess.get_file_as_bytes(path)
	if bytes.has(0) or not _is_utf8(bytes):
		ctx.fail("binary_file", {"path": path})
		return null
	return bytes


# The engine reports bad UTF-8 only as an error message, so the bytes are looked at.
static func _is_utf8(bytes: PackedByteArray) -> bool:
	var i: int = 0
	var size: int = bytes.size()
	while i < size:
		var b: int = bytes[i]
		var more: int = 0
		if b < 0x80:
			i += 1
			continue
		elif b >= 0xc2 and b < 0xe0:
			more = 1
		elif b >= 0xe0 and b < 0xf0:
			more = 2
		elif b >= 0xf0 and b < 0xf5:
			more = 3
		else:
			return false
		if i + more >= size:
			return false
		for j: int in more:
			if bytes[i + 1 + j] & 0xc0 != 0x80:
				return false
		i += more + 1
	return true


static func _sha(bytes: PackedByteArray) -> String:
	var hashing: HashingContext = HashingContext.new()
	hashing.start(HashingContext.HASH_SHA256)
	if not bytes.is_empty():
		hashing.update(bytes)
	return hashing.finish().hex_encode()


func write_file(ctx: McpContext, p: Dictionary) -> Dictionary:
	var path: String = McpParams.text(p, "path")
	if not McpSceneFiles.is_project_path(path) or path.ends_with("/"):
		return ctx.fail("bad_path", {"path": path})
	if DirAccess.dir_exists_absolute(path):
		return ctx.fail("is_folder", {"path": path})
	if _below_file(path):
		return ctx.fail("bad_path", {"path": path})
	var change: McpFileChange = McpFileChange.new()
	change.path = path
	change.written = ctx.services.scan.written
	change.after = McpParams.text(p, "content")
	change.existed = FileAccess.file_exists(path)
	var out: Dictionary = {
		"path": path, "created": not change.existed, "changed": true, "sha256": _sha(change.after.to_utf8_buffer()),
	}
	var previous: String = ""
	if change.existed:
		if McpParams.flag(p, "must_be_new"):
			return ctx.fail("file_exists", {"path": path})
		var bytes: Variant = _text_bytes(ctx, path)
		if bytes == null:
			return {}
		change.before = (bytes as PackedByteArray).get_string_from_utf8()
		previous = _sha(bytes as PackedByteArray)
		out["previous_sha256"] = previous
		out["changed"] = previous != out["sha256"]
	var expected: String = McpParams.text(p, "expected_sha256")
	if expected != "" and expected != previous:
		return ctx.fail("changed", {"path": path, "expected_sha256": expected, "sha256": previous})
	out["undoable"] = out["changed"]
	out["rescan_pending"] = not _is_ignored(path) and (_is_unknown_folder(path) or ctx.services.scan.scanning())
	if ctx.dry_run:
		return out
	if out["changed"]:
		_write(ctx, change)
	else:
		EditorInterface.get_resource_filesystem().update_file(path)
		ctx.services.scan.written(path)
	if ctx.failed():
		return {}
	if out["rescan_pending"]:
		ctx.services.scan.request()
	return out


# A file stands where a folder of the path would have to be.
static func _below_file(path: String) -> bool:
	var folder: String = path.get_base_dir()
	while folder != "res://" and folder != "":
		if FileAccess.file_exists(folder):
			return true
		folder = folder.get_base_dir()
	return false


static func _write(ctx: McpContext, change: McpFileChange) -> void:
	var folder: String = change.path.get_base_dir()
	var error: Error = OK
	if not DirAccess.dir_exists_absolute(folder):
		error = DirAccess.make_dir_recursive_absolute(folder)
	if error == OK:
		error = change.apply()
	if error != OK:
		ctx.fail("write_failed", {"path": change.path, "message": error_string(error)})
		return
	# An object outside of any scene: the action goes into the global history.
	var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	change.action = McpEdit.PREFIX + "Write " + change.path
	manager.create_action(change.action, UndoRedo.MERGE_DISABLE, change)
	manager.add_do_method(change, &"apply")
	manager.add_undo_method(change, &"take_back")
	manager.commit_action(false)
	ctx.services.order.note_file(change)


# Whether the editor looks past a file, so that no scan will find it.
static func _is_ignored(path: String) -> bool:
	if path.get_file().begins_with("."):
		return true
	var folder: String = path.get_base_dir()
	while folder != "res://" and folder != "":
		if folder.get_file().begins_with(".") or FileAccess.file_exists(folder.path_join(".gdignore")):
			return true
		folder = folder.get_base_dir()
	return false


# The editor takes note of a file only in folders that it has scanned.
static func _is_unknown_folder(path: String) -> bool:
	var folder: String = path.get_base_dir()
	if not folder.ends_with("/"):
		folder += "/"
	return EditorInterface.get_resource_filesystem().get_filesystem_path(folder) == null


func list_files(ctx: McpContext, p: Dictionary) -> Dictionary:
	var folder: String = McpParams.text(p, "directory")
	if folder != "res://" and not McpSceneFiles.is_project_path(folder):
		return ctx.fail("bad_path", {"path": folder})
	var limit: int = McpParams.number(p, "limit")
	var offset: int = McpParams.number(p, "offset")
	if offset < 0 or limit < 1:
		return ctx.fail("bad_params", {"message": "offset must not be negative and limit must be at least 1"})
	if not DirAccess.dir_exists_absolute(folder):
		return ctx.fail("folder_not_found", {"path": folder})
	var all: PackedStringArray = McpFileWalk.files(folder, McpParams.list(p, "extensions"))
	return {"files": Array(all.slice(mini(offset, all.size()), mini(offset + limit, all.size()))), "total": all.size()}


func get_dependencies(ctx: McpContext, p: Dictionary) -> Dictionary:
	var path: String = McpParams.text(p, "path")
	if not McpSceneFiles.is_project_path(path):
		return ctx.fail("bad_path", {"path": path})
	if not FileAccess.file_exists(path):
		return ctx.fail("file_not_found", {"path": path})
	var rows: Array[Dictionary] = []
	for found: Dictionary in McpReferences.of(path):
		# Whether a file outside the project is there is nobody's to know by this.
		var at: String = found["path"]
		rows.append({
			"raw": found["raw"], "path": at, "type": found["type"],
			"exists": McpSceneFiles.is_project_path(at) and FileAccess.file_exists(at),
		})
	return {"path": path, "dependencies": rows}
