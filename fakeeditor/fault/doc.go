// Package fault says in values what goes wrong between a server and an editor,
// and makes it happen: a [Rule] is one fault, a [Script] the faults that are
// armed, and [Wrap] puts them on a link. The simulated editor wraps its own
// link; [Proxy] stands between a real editor and the server and wraps that. So
// one scenario runs on both with the same words.
//
// # Words
//
// One rule is one line: a word, optionally the command it waits for, options.
//
//	delay-apply     the command waits (delay=D) before the editor runs it
//	delay-drop      the command waits (delay=D) and is then forgotten
//	drop-command    the command never reaches the editor
//	drop-reply      the editor runs it and the answer is lost
//	duplicate-reply the answer is sent twice
//	reorder-reply   the answer waits for the next answer (at most for=D)
//	oversized-reply the answer is longer than the limit (bytes=N)
//	malformed-reply the answer is no proper reply (as=KIND, see [Malformations])
//	disconnect      the link breaks and stays down for=D (when=before|after the command ran)
//	crash           the editor dies and starts again after for=D (when=before|after)
//	hang            the editor's main thread stands still for=D, and every link of it
//	slow            frames take frame=D, as long as for=D
//	wrong-version   the hello tells godot=V, addon=V or vocabulary=V
//	second-editor   another editor says hello and stays for=D
//	clear           disarms everything
//
// A command is a name as cmd_transaction; a step's name (cmd_create_node) also
// means a transaction with such a step. Without a command, a rule that concerns
// a command takes the next one, and disconnect, crash, hang, slow and
// second-editor happen at once. nth=N waits for the N-th match (default 1) and
// every takes all; arg.PATH=VALUE matches the parameters (of the step), by a
// dotted path, as JSON or else as text:
//
//	drop-reply cmd_transaction nth=1
//	delay-apply cmd_create_node arg.name=Player delay=31s
//	malformed-reply every as=not-json
//
// Waits pass on the time of package time, so that they are the server's: in a
// testing/synctest bubble they cost nothing.
package fault
