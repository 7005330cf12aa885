@tool
extends RefCounted
## What became of the last commands: the answer to an id that comes twice, and to
## cmd_get_outcome.
##
## Ids differ between runs of the server (it counts from the time of its start).

const MOST := 1000
## Answers of reads are forgotten first when all together are longer than this:
## a read can be repeated without harm, an edit cannot.
const MOST_CHARACTERS := 32 << 20

enum { UNKNOWN, QUEUED, RUNNING, DONE }

const NAMES: PackedStringArray = ["unknown", "queued", "running", "done"]

var _entries: Dictionary[String, McpEntry] = {}
var _characters: int = 0


class McpEntry:
	extends RefCounted
	var state: int = 1
	var read: bool = false
	## The reply as it was sent.
	var answer: String = ""


func state_of(id: String) -> int:
	var entry: McpEntry = _entries.get(id)
	return UNKNOWN if entry == null else entry.state


func answer_of(id: String) -> String:
	var entry: McpEntry = _entries.get(id)
	return "" if entry == null else entry.answer


func queued(id: String, read: bool) -> void:
	var entry: McpEntry = McpEntry.new()
	entry.read = read
	_entries[id] = entry
	if _entries.size() > MOST:
		_forget_oldest()


func running(id: String) -> void:
	var entry: McpEntry = _entries.get(id)
	if entry != null:
		entry.state = RUNNING


func done(id: String, answer: String) -> void:
	var entry: McpEntry = _entries.get(id)
	if entry == null:
		return
	entry.state = DONE
	entry.answer = answer
	_characters += answer.length()
	if _characters > MOST_CHARACTERS:
		_forget_reads(id)


# Dictionaries keep the order of insertion, so the first done one is the oldest.
func _forget_oldest() -> void:
	for id: String in _entries:
		if _entries[id].state == DONE:
			_erase(id)
			return


func _forget_reads(but: String) -> void:
	for id: String in _entries.keys():
		if _characters <= MOST_CHARACTERS:
			return
		var entry: McpEntry = _entries[id]
		if entry.read and entry.state == DONE and id != but:
			_erase(id)


func _erase(id: String) -> void:
	_characters -= _entries[id].answer.length()
	_entries.erase(id)
