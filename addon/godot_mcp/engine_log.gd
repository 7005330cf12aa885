@tool
extends Logger
## Collects what the engine prints as errors while a command runs. The Logger class
## is there from Godot 4.5 on, so this script is loaded only where it exists.
##
## Messages may come from any thread.

enum { ERROR, WARNING, SCRIPT, SHADER, PRINTED }

## Lines that wait for [method take]; may be read without the lock.
var waiting: int = 0

var _mutex: Mutex = Mutex.new()
var _lines: Array[Dictionary] = []
var _collecting: bool = false


func collect(on: bool) -> void:
	_mutex.lock()
	_collecting = on
	_mutex.unlock()


## What was collected since the last call: kind, text, file, line.
func take() -> Array[Dictionary]:
	_mutex.lock()
	var out: Array[Dictionary] = _lines
	_lines = []
	waiting = 0
	_mutex.unlock()
	return out


func _log_error(function: String, file: String, line: int, code: String, rationale: String, _notify: bool, kind: int, _traces: Array[ScriptBacktrace]) -> void:
	_add(kind, rationale if rationale != "" else code, file, line, function)


func _log_message(message: String, error: bool) -> void:
	if error:
		_add(PRINTED, message.strip_edges(), "", 0, "")


func _add(kind: int, text: String, file: String, line: int, function: String) -> void:
	_mutex.lock()
	if _collecting and _lines.size() < 1000:
		_lines.append({"kind": kind, "text": text, "file": file, "line": line, "function": function})
		waiting = _lines.size()
	_mutex.unlock()
