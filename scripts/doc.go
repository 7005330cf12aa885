// Package scripts runs the scenarios: one suite for two editors.
//
// A scenario is a txtar file, scripts/<feature>/<case>.txtar. Its first lines
// say in prose what it shows. The rest are commands, one a line (the language
// is that of go-internal/testscript: quotes are single, a leading ! expects
// failure, # begins a comment, [sim] and [godot] guard a line), and the
// members are the project's files as they are on disk before the editor opens
// it. A project without a project.godot gets a plain one named "Scenario".
//
// Every scenario starts a real server with an MCP client in the same process
// and one editor: the simulated one (default), a headless Godot (-godot BIN),
// or both side by side (-compare), where each call goes to both and answers
// and files must be equal, apart from what each has by nature: its port, session,
// project folder, build of the engine and times of files.
//
// # Calls
//
//	mcp call TOOL ARG...      call a tool that must succeed; stdout is its answer
//	mcp fails TOOL ARG...     call a tool that must fail; stdout is the failure object
//	mcp preview TOOL ARG...   mcp call with dry_run=true
//	mcp refused NAME ARG...   a call that must be a protocol error; stdout is its message
//	mcp read URI              read a resource; stdout is its text
//	mcp list                  stdout is the names of the listed tools, one a line
//
// TOOL is the tool's own name (create_node) or the exposed one. An ARG is
// key=value; the value is JSON if it parses as JSON and text otherwise; a
// single ARG that is a JSON object is all arguments. Loosened calls, each of
// which must say why in a comment on its line:
//
//	mcp call-loose KEY,KEY... TOOL ARG...   -compare ignores these answer keys
//	mcp fails-loose KEY,KEY... TOOL ARG...  … of a failure, details included
//	mcp call-raw TOOL ARG...                the laws below are not checked
//
// # A person who approves calls
//
//	approver MANNER [REASON]    the server asks a person (by webhook) before a call
//	                            changes something; from now on the answer is approve,
//	                            deny, hang (none), malformed, fail (status 503) or
//	                            redirect; a dialogue can also be closed (cancel). The
//	                            first must precede any call.
//	approver elicitation REVISION
//	                            the person is the client's user instead, asked in
//	                            the way of that protocol revision; before any call
//	approver meanwhile VERB …   while the next question waits, a person does this in
//	                            the editor, as human does
//	asked N [TOOL|total]        N questions (about TOOL) since the last mcp verb began,
//	                            or since the scenario began. Undo and redo of the laws
//	                            are asked about too.
//	question KEY OP VALUE       look at the first question of the last mcp verb, as
//	                            expect does (action, safety_class, params, preview,
//	                            task_context)
//
// # Looking at answers
//
//	expect KEY OP VALUE   look at the last answer. KEY is a dotted path with
//	                      indices (nodes.0.path, results.#  is a length). OP is
//	                      ==, !=, has (text or list contains), matches (regular
//	                      expression), <, >, exists, absent (no VALUE).
//	keep NAME KEY         remember a part of the last answer; the argument @NAME of
//	                      a later call is that
//	received N            the editor has got N commands since the last mcp verb began
//	received N total      … since the scenario began
//
// # The project and the editor
//
//	open PATH             open a scene (as mcp call open_scene)
//	save                  save the edited scene; stdout is the diff of its file
//	undo [N], redo [N]    as the tool; must do N steps
//	disk cat PATH         stdout is a project file
//	disk has PATH REGEXP  a line of it matches; ! for none
//	disk write PATH FILE  write a file from outside the editor, from a member or $WORK file
//	disk rewrite PATH FILE   the same within the second in which the file changed last
//	disk rm PATH          remove one from outside
//	disk mkdir PATH       make a folder from outside
//	disk link PATH TARGET make a symbolic link; TARGET may be outside/NAME (see folder)
//	disk pipe PATH        make a named pipe, which is no file
//	disk same PATH        the file has the bytes it had at the start of the scenario
//	human VERB ARG...     what a person does in the editor meanwhile; VERB is
//	                      set NODE PROPERTY VALUE (Godot text), add PARENT TYPE NAME,
//	                      rename NODE NAME, delete NODE, select NODE..., save,
//	                      undo, redo, tab PATH, reload PATH, file NODE PROPERTY VALUE
//	                      (of a resource with a file: the global history), direct
//	                      NODE PROPERTY VALUE (no undo), stray PARENT TYPE NAME (a node without
//	                      owner, no undo), wait MILLISECONDS, type SCRIPT TEXT
//	                      (in the script editor, not saved)
//	fault WORDS           what goes wrong on the link; see package fakeeditor/fault
//	editor stop|start     the editor goes away and comes back
//	folder                the project lies in a real folder on the simulator too, and
//	                      the members outside/… in one beside it, which nothing may
//	                      read or change; must precede any call
//	lines FILE            send the lines of a member to the server on a connection of
//	                      their own, as they are; stdout is what came back
//	http FILE             send a member to the server over HTTP, as it is but for line
//	                      ends and a missing length; @session in it is the id that
//	                      the last answer gave. stdout is the status and what came back
//	intruder [KEY=VALUE]... FILE
//	                      dial the server as an editor would, with origin=, host=,
//	                      path= or bearer= in the handshake, and do the lines of FILE:
//	                      JSON is sent, hear waits for a message, hello [session=S]
//	                      [project=P], serve JSON, big N, binary TEXT
//	server FLAG...        start the server anew with these flags (default:
//	                      --profile full --toolsets all --allow-destructive);
//	                      must precede any call
//
// # Attacks
//
// The scenarios in scripts/attacks each try to get something that the server must
// not give, and say in a line "# Would gain: …" what that would have been.
//
// # What the runner checks by itself
//
// For every `mcp call` of a changing tool, without any line in the scenario:
// a preview first, which must change nothing and predict the answer; then the
// call; a call that says persisted and changed must change what a save would
// write and one that says persisted false must not; one undo restores the tree
// exactly, one redo repeats it. For every read: nothing changes. For every
// answer: it obeys the tool's output schema. `mcp call-raw` leaves this out.
package scripts
