// Package bridge is the server's end of the link to a Godot editor. The server
// listens, the editor dials; the server initiates every command.
//
//	Do ─► queue ─► writer ─► WebSocket ─► editor
//	 ▲      (in order)                      │
//	 └── call ◄── decoder ◄── reader ◄──────┘
//
// One editor is active. A call has one of three ends: the editor's own answer,
// proof that nothing was done (never sent, or the editor says so after a
// reconnect), or an honest "unknown" ([wire.ReasonLinkLost], [wire.ReasonDeadline]
// after sending, [wire.ReasonBadReply]). The bridge never sends a command twice,
// so no fault of the link can double an effect.
//
// Everything that waits uses package time, so the whole bridge runs inside a
// testing/synctest bubble over an in-memory listener.
package bridge
