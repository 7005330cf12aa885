package catalog

import (
	"context"
	"encoding/json"
	"time"

	"godot-mcp/server/answer"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// Order is one command for the editor.
type Order struct {
	Command string
	Params  any
	// Changing says that the command can change something; a dry run cannot.
	Changing bool
	Timeout  time.Duration // 0: the bridge's default
	// Before is called with the envelope id and the session right before the
	// command goes out; an error forbids it. May be nil.
	Before func(id, session string) error
}

// Reply is what came of an [Order]. MayHaveApplied is true when it was sent
// and nobody knows whether it took effect.
type Reply struct {
	Result         json.RawMessage
	Err            *wire.Error
	MayHaveApplied bool
	// Refused is set when the server itself did not let the command out.
	Refused *answer.Failure
}

// Editor is the link to the editor as the tools need it.
type Editor interface {
	Do(context.Context, Order) Reply
	// Peer tells what is known of the editor without asking it.
	Peer() safety.Peer
	// Hello is the editor's introduction; ok is false while none is attached.
	Hello() (hello wire.Hello, ok bool)
}

// Failure turns a bad reply into the tool's failure; nil for a good one.
func (r Reply) Failure() *answer.Failure {
	if r.Refused != nil || r.Err == nil {
		return r.Refused
	}
	return answer.FromWire(r.Err, r.MayHaveApplied)
}
