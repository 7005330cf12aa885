@tool
extends RefCounted
## The WebSocket to the server: dials, introduces the editor, dials again.
##
## The server listens and the editor dials, so neither has to be started first.
## Time comes in through [method poll], in seconds.

enum McpState { WAITING, CONNECTING, OPEN, REPLACED }

const DEFAULT_URL := "ws://127.0.0.1:9080"
## Both buffers of the peer. The engine fixes them at the handshake, and a bigger
## inbound message closes the socket with 1009 (engine 4.6 experiment).
const MAX_BYTES := 32 << 20
const FIRST_DELAY := 0.5
const LONGEST_DELAY := 5.0
## A connection whose other end vanished without a word is found out after two of
## these. An editor that blocks for longer would lose a good one, hence not less.
const HEARTBEAT := 30.0
## A handshake that takes longer is given up.
const HANDSHAKE_LIMIT := 10.0

var url: String = DEFAULT_URL
var token: String = ""
var state: McpState = McpState.WAITING
## Failed attempts since the last healthy connection.
var attempts: int = 0
## What the server said when it refused, for the dock.
var refusal: String = ""
## Gives the hello message of this editor.
var hello: Callable

var _peer: WebSocketPeer = null
var _delay: float = FIRST_DELAY
var _retry_at: float = 0.0
var _started_at: float = 0.0


func _init() -> void:
	var given: String = OS.get_environment("GODOT_MCP_BRIDGE_URL")
	if given != "":
		url = given
	token = OS.get_environment("GODOT_MCP_BRIDGE_TOKEN")


## Moves the connection along; call it once a frame.
func poll(now: float) -> void:
	match state:
		McpState.REPLACED:
			return
		McpState.WAITING:
			if now >= _retry_at:
				_dial(now)
		McpState.CONNECTING:
			_peer.poll()
			match _peer.get_ready_state():
				WebSocketPeer.STATE_OPEN:
					_introduce(now)
				WebSocketPeer.STATE_CLOSED:
					_lost(now)
				_:
					if now - _started_at > HANDSHAKE_LIMIT:
						_lost(now)
		McpState.OPEN:
			_peer.poll()
			# What came before the close is still to be read.
			if _peer.get_ready_state() == WebSocketPeer.STATE_CLOSED and _peer.get_available_packet_count() == 0:
				_lost(now)


## Sleeps until a message is there, the connection ends or the time is over, and
## looks after every [param step] microseconds.
func wait(usec: int, step: int) -> void:
	if state != McpState.OPEN:
		return
	var end: int = Time.get_ticks_usec() + usec
	while _peer.get_available_packet_count() == 0 and _peer.get_ready_state() == WebSocketPeer.STATE_OPEN and Time.get_ticks_usec() < end:
		OS.delay_usec(step)
		_peer.poll()


## All messages that have arrived, in order.
func receive() -> PackedStringArray:
	var out: PackedStringArray = []
	if state == McpState.OPEN:
		while _peer.get_available_packet_count() > 0:
			out.append(_peer.get_packet().get_string_from_utf8())
	return out


## Sends one message; false when it did not leave.
func send(text: String) -> bool:
	if state != McpState.OPEN or _peer.get_ready_state() != WebSocketPeer.STATE_OPEN:
		return false
	return _peer.send_text(text) == OK


## Stops for good: another editor has the server now, and dialling again would
## take it back in turn.
func replaced() -> void:
	state = McpState.REPLACED
	_drop()


func close() -> void:
	state = McpState.REPLACED
	_drop()


func _dial(now: float) -> void:
	_peer = WebSocketPeer.new()
	_peer.inbound_buffer_size = MAX_BYTES
	_peer.outbound_buffer_size = MAX_BYTES
	# By name: it may be missing from the oldest engines.
	_peer.set(&"heartbeat_interval", HEARTBEAT)
	_started_at = now
	if _peer.connect_to_url(url) == OK:
		state = McpState.CONNECTING
	else:
		_lost(now)


func _introduce(now: float) -> void:
	state = McpState.OPEN
	_peer.set_no_delay(true)
	refusal = ""
	var sent: bool = true
	if token != "":
		sent = send(JSON.stringify({"command": "cmd_auth", "token": token}))
	if sent:
		sent = send(hello.call() as String)
	if not sent:
		_lost(now)


func _lost(now: float) -> void:
	_drop()
	attempts += 1
	state = McpState.WAITING
	_retry_at = now + _delay
	_delay = minf(_delay * 2.0, LONGEST_DELAY)


## A first command shows that the server has taken this editor.
func healthy() -> void:
	attempts = 0
	_delay = FIRST_DELAY


func _drop() -> void:
	if _peer != null:
		_peer.close()
		_peer = null
