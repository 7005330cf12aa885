@tool
extends RefCounted
## The arguments that this editor was started with.

const PROCESS := "/proc/self/cmdline"


## The engine keeps those to itself that it has understood, such as --import and
## --lsp-port (engine 4.6 experiment), so the system is asked where it tells.
static func all() -> PackedStringArray:
	var file: FileAccess = null
	if OS.get_name() == "Linux":
		file = FileAccess.open(PROCESS, FileAccess.READ)
	if file == null:
		return OS.get_cmdline_args()
	var out: PackedStringArray = []
	var word: PackedByteArray = []
	for byte: int in file.get_buffer(1 << 16):
		if byte != 0:
			word.append(byte)
			continue
		out.append(word.get_string_from_utf8())
		word.clear()
	return out


## The value after an option; "" when it was not given.
static func value_of(option: String) -> String:
	var given: PackedStringArray = all()
	var at: int = given.find(option)
	return given[at + 1] if at >= 0 and at + 1 < given.size() else ""
