// Package wire is the contract between the server and an editor, real or
// simulated: the envelope, the closed error vocabulary and every command with
// the shape of its parameters and its answer.
//
// One JSON object travels in one WebSocket text message. The server sends a
// [Command] and the editor answers it with one [Reply] that carries the same
// id. The editor introduces itself with [Hello]; the server sends [Notice]
// values that are never answered.
//
// Commands come in three kinds. A read leaves project, scenes and history as
// they were. A step is one undoable edit; steps run only inside a transaction
// (a step sent on its own is a transaction of one). A session command changes
// what undo does not cover, or the session itself, and takes dry_run.
//
// The command list, the Dispatch function and the Handlers interface in
// vocabulary_gen.go are generated from the `//wire:` marks in this package;
// the addon's command list is generated from the same marks.
package wire

//go:generate go run ./internal/gen
