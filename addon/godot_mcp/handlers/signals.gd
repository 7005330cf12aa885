@tool
extends RefCounted
## Signal connections between nodes of the scene.

const McpContext := preload("../context.gd")
const McpEndless := preload("../endless.gd")
const McpFiring := preload("../firing.gd")
const McpIn := preload("../values_in.gd")
const McpNear := preload("../near.gd")
const McpOut := preload("../values_out.gd")
const McpParams := preload("../params.gd")
const McpPaths := preload("../paths.gd")
const McpTypeNames := preload("../type_names.gd")

## Set by the engine on connections that came with an instance.
const INHERITED := 32
const ALLOWED_FLAGS: int = CONNECT_DEFERRED | CONNECT_PERSIST | CONNECT_ONE_SHOT | CONNECT_REFERENCE_COUNTED


func commands() -> Dictionary:
	return {
		"cmd_list_signal_connections": list_signal_connections,
		"cmd_connect_signal": connect_signal,
		"cmd_disconnect_signal": disconnect_signal,
	}


func list_signal_connections(ctx: McpContext, p: Dictionary) -> Dictionary:
	var node: Node = McpPaths.find(ctx, McpParams.text(p, "node_path"))
	if node == null:
		return {}
	var rows: Array[Dictionary] = []
	var signals: Array[Dictionary] = []
	for info: Dictionary in node.get_signal_list():
		if not str(info["name"]).begins_with("_"):
			signals.append(describe(info))
		for connection: Dictionary in node.get_signal_connection_list(info["name"] as StringName):
			_add_row(ctx, connection, rows)
	for connection: Dictionary in node.get_incoming_connections():
		if (connection["signal"] as Signal).get_object() != node:
			_add_row(ctx, connection, rows)
	rows.sort_custom(func(a: Dictionary, b: Dictionary) -> bool:
		for key: String in ["source_path", "signal", "target_path", "method"]:
			if a[key] != b[key]:
				return a[key] < b[key]
		return false)
	return {"node_path": McpPaths.of(ctx.root, node), "connections": rows, "signals": signals}


func connect_signal(ctx: McpContext, p: Dictionary) -> Dictionary:
	var source: Node = McpPaths.find(ctx, McpParams.text(p, "source_path"))
	if source == null:
		return {}
	var target: Node = McpPaths.find(ctx, McpParams.text(p, "target_path"))
	if target == null:
		return {}
	var emits: String = McpParams.text(p, "signal_name")
	if not _has_signal(ctx, source, emits):
		return {}
	var method: String = McpParams.text(p, "method_name")
	if method == "" or not target.has_method(method):
		return ctx.fail("unknown_method", {
			"path": McpPaths.of(ctx.root, target), "method": method, "near": McpNear.close(method, _names(target.get_method_list())),
		})
	var flags: int = McpParams.number(p, "flags")
	var unbinds: int = McpParams.number(p, "unbinds")
	if flags < 0 or flags & ~ALLOWED_FLAGS != 0:
		return ctx.fail("bad_params", {"message": "flags adds up 1 deferred, 4 one-shot, 8 reference counted", "param": "flags"})
	var binds: Array = _binds(ctx, p)
	if ctx.failed():
		return {}
	if unbinds < 0 or (unbinds > 0 and not binds.is_empty()):
		return ctx.fail("bad_params", {"message": "a saved connection has either binds or unbinds", "param": "unbinds"})
	if not _connection(source, emits, target, method).is_empty():
		return ctx.fail("already_connected", {"signal": emits, "method": method})
	var callable: Callable = Callable(target, method)
	if unbinds > 0:
		callable = callable.unbind(unbinds)
	elif not binds.is_empty():
		callable = callable.bindv(binds)
	var all: int = flags | CONNECT_PERSIST
	if McpFiring.harms(source, emits, method):
		return ctx.fail("fires_in_editor", {"signal": emits, "method": method, "path": McpPaths.of(ctx.root, target)})
	if McpEndless.closes(source, emits, target, method, all):
		return ctx.fail("endless_connection", {"signal": emits, "method": method, "path": McpPaths.of(ctx.root, target)})
	ctx.edit.run(source, &"connect", [emits, callable, all], [source, &"disconnect", emits, callable])
	return ctx.judge(_result(ctx, source, emits, target, method, all, true), source, func() -> Dictionary:
		return ctx.services.persistence.of_connection(source, emits, target, method, ctx.root))


func disconnect_signal(ctx: McpContext, p: Dictionary) -> Dictionary:
	var source: Node = McpPaths.find(ctx, McpParams.text(p, "source_path"))
	if source == null:
		return {}
	var target: Node = McpPaths.find(ctx, McpParams.text(p, "target_path"))
	if target == null:
		return {}
	var emits: String = McpParams.text(p, "signal_name")
	if not _has_signal(ctx, source, emits):
		return {}
	var method: String = McpParams.text(p, "method_name")
	var found: Dictionary = _connection(source, emits, target, method)
	if found.is_empty():
		return ctx.fail("signal_not_connected", {"signal": emits, "method": method})
	var callable: Callable = found["callable"]
	var flags: int = found["flags"]
	ctx.edit.run(source, &"disconnect", [emits, callable], [source, &"connect", emits, callable, flags])
	return ctx.judge(_result(ctx, source, emits, target, method, flags & ~INHERITED, false), source, func() -> Dictionary:
		return ctx.services.persistence.of_connection_end(source, emits, target, method, ctx.root))


## A signal as {name, args}.
static func describe(info: Dictionary) -> Dictionary:
	var args: Array[String] = []
	for argument: Dictionary in info["args"]:
		args.append(McpTypeNames.argument(argument))
	return {"name": str(info["name"]), "args": args}


static func _result(ctx: McpContext, source: Node, emits: String, target: Node, method: String, flags: int, connected: bool) -> Dictionary:
	return {
		"source_path": McpPaths.of(ctx.root, source), "signal_name": emits, "target_path": McpPaths.of(ctx.root, target),
		"method_name": method, "flags": flags, "connected": connected, "changed": true,
	}


static func _has_signal(ctx: McpContext, source: Node, emits: String) -> bool:
	if emits != "" and source.has_signal(emits):
		return true
	ctx.fail("unknown_signal", {
		"path": McpPaths.of(ctx.root, source), "signal": emits, "near": McpNear.close(emits, _open_names(source.get_signal_list())),
	})
	return false


static func _names(list: Array[Dictionary]) -> PackedStringArray:
	var out: PackedStringArray = []
	for entry: Dictionary in list:
		out.append(str(entry["name"]))
	return out


# Without the editor's own.
static func _open_names(list: Array[Dictionary]) -> PackedStringArray:
	return _names(list.filter(func(entry: Dictionary) -> bool: return not str(entry["name"]).begins_with("_")))


static func _binds(ctx: McpContext, p: Dictionary) -> Array:
	var out: Array = []
	var given: Array = McpParams.list(p, "binds")
	for i: int in given.size():
		# A save could not bring an object back.
		if _holds_object(given[i]):
			ctx.fail("bind_not_saveable", {"index": i})
			return []
		var reader: McpIn = McpIn.new()
		out.append(reader.undeclared(given[i]))
		if reader.failed():
			ctx.fail("bad_value", reader.details("binds", "a value", given[i]))
			return []
	return out


static func _holds_object(json: Variant) -> bool:
	if json is Array:
		return (json as Array).any(_holds_object)
	if json is Dictionary:
		var object: Dictionary = json
		return object.has("resource") or object.has("new") or object.values().any(_holds_object)
	return false


static func _connection(source: Node, emits: String, target: Node, method: String) -> Dictionary:
	if emits == "" or not source.has_signal(emits):
		return {}
	for connection: Dictionary in source.get_signal_connection_list(emits):
		var callable: Callable = connection["callable"]
		if callable.get_object() == target and callable.get_method() == StringName(method):
			return connection
	return {}


# The editor listens to nodes too; what it connects is no part of the scene.
static func _add_row(ctx: McpContext, connection: Dictionary, rows: Array[Dictionary]) -> void:
	var callable: Callable = connection["callable"]
	var source: Node = (connection["signal"] as Signal).get_object() as Node
	var target: Node = callable.get_object() as Node
	# The engine's own connections end in C++ methods ("Control::_size_changed").
	if source == null or target == null or callable.get_method() == &"" or str(callable.get_method()).contains("::"):
		return
	for end: Node in [source, target]:
		if end != ctx.root and not ctx.root.is_ancestor_of(end):
			return
	var emits: String = (connection["signal"] as Signal).get_name()
	var flags: int = connection["flags"]
	var row: Dictionary = {
		"source_path": McpPaths.of(ctx.root, source), "signal": emits, "target_path": McpPaths.of(ctx.root, target),
		"method": str(callable.get_method()), "persistent": flags & CONNECT_PERSIST != 0, "flags": flags & ~INHERITED,
	}
	if callable.get_bound_arguments_count() > 0:
		var binds: Array = []
		for value: Variant in callable.get_bound_arguments():
			binds.append(McpOut.tagged(value))
		row["binds"] = binds
	var unbinds: int = callable.get_unbound_arguments_count()
	if unbinds > 0:
		row["unbinds"] = unbinds
	if ctx.services.supply.source_of_connection(source, emits, target, str(callable.get_method()), ctx.root) != "":
		row["from_base"] = true
	rows.append(row)
