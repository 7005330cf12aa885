package world

import "godot-mcp/server/wire"

// Handlers answers every command; it has no state of its own.
type Handlers struct{}

var _ wire.Handlers[*Tx] = Handlers{}
