@tool
extends RefCounted
## The files that a save is about to write: whether they can be written, what they
## held, and whether they are whole afterwards.
##
## The engine's save answers OK and counts the scene as saved whatever became of the
## file; when the disk is full it leaves the beginning of the new text in the place of
## the old one (engine 4.6 experiment).

## Bytes by which the files may grow together before the room is looked at again.
const MARGIN := 1 << 16

var _paths: Array[String] = []
var _held: Dictionary[String, PackedByteArray] = {}
var _room: int = 0


## Takes what the files hold; the first that cannot be written, "" when all can. The
## engine has to be asked before: it does not say afterwards.
func take(paths: Array[String]) -> String:
	var size: int = 0
	for path: String in paths:
		if not can_write(path):
			return path
		if FileAccess.file_exists(path):
			_held[path] = FileAccess.get_file_as_bytes(path)
			size += _held[path].size()
	_paths = paths
	_room = size + MARGIN
	return "" if paths.is_empty() or _fits(paths[0], _room) else paths[0]


## Files that are not what a save leaves.
func broken() -> Array[String]:
	var out: Array[String] = []
	for path: String in _paths:
		if not _is_whole(path):
			out.append(path)
	return out


## Gives a file what it held before; false when that cannot be written either.
func put_back(path: String) -> bool:
	if not _held.has(path):
		DirAccess.remove_absolute(path)
		return not FileAccess.file_exists(path)
	var bytes: PackedByteArray = _held[path]
	var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		return false
	file.store_buffer(bytes)
	file.close()
	return FileAccess.get_file_as_bytes(path) == bytes


## Saves a resource; what could not be written whole is as before.
func save_resource(resource: Resource, path: String) -> Error:
	if take([path]) != "":
		return ERR_FILE_CANT_WRITE
	var error: Error = ResourceSaver.save(resource, path)
	if error == OK and broken().is_empty():
		return OK
	put_back(path)
	return error if error != OK else ERR_FILE_CANT_WRITE


## Whether a file can be saved over. The engine writes a new file beside the old one,
## whose name is 7 characters longer, and renames it.
static func can_write(path: String) -> bool:
	if FileAccess.file_exists(path) and FileAccess.open(path, FileAccess.READ_WRITE) == null:
		return false
	return _fits(path, 0)


# Whether so many bytes can be written beside a file.
static func _fits(path: String, size: int) -> bool:
	var beside: String = path + "-mcp000"
	var file: FileAccess = FileAccess.open(beside, FileAccess.WRITE)
	if file == null:
		return false
	var bytes: PackedByteArray = []
	bytes.resize(size)
	file.store_buffer(bytes)
	file.close()
	# What is still in a buffer fails without an error at the end.
	var fits: bool = _length(beside) == size
	DirAccess.remove_absolute(beside)
	return fits


static func _length(path: String) -> int:
	var file: FileAccess = FileAccess.open(path, FileAccess.READ)
	return file.get_length() if file != null else -1


func _is_whole(path: String) -> bool:
	var size: int = _length(path)
	if size <= 0:
		return false
	# A text that is cut off at the end of a line looks whole: what grew by more than
	# was seen to fit counts as cut off when there is no room for it a second time.
	if size > _room and not _fits(path, size + 1):
		return false
	var file: FileAccess = FileAccess.open(path, FileAccess.READ)
	var start: String = file.get_buffer(mini(size, 4)).get_string_from_ascii()
	file.seek(size - mini(size, 4))
	var end: String = file.get_buffer(mini(size, 4)).get_string_from_ascii()
	if start in ["RSRC", "RSCC"]:
		return end == start
	return path.get_extension() not in ["tscn", "tres"] or (start.begins_with("[") and end.ends_with("\n"))
