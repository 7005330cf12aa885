package world

import (
	"encoding/json"
	"fmt"

	"godot-mcp/server/wire"
)

// Causes that are no command ids.
const (
	CauseHuman    = "human"
	CauseImporter = "importer"
)

// Input is one thing that happens to the editor: a command, or a person's edit
// expressed as the same command with CauseHuman.
type Input struct {
	Cause   string
	Command string
	Params  json.RawMessage
}

// Output is the answer: a result, or an error (then the state did not change, but for
// the current node of the scene dock).
type Output struct {
	Result json.RawMessage
	Err    *wire.Error
}

// Step applies one input. It is pure: equal states and inputs give equal
// answers, and the old state stays usable.
func Step(s State, in Input) (next State, out Output) {
	defer func() {
		// A fault of a handler is an answer, as in the addon; the state stays.
		if p := recover(); p != nil {
			next, out = s, Output{Err: wire.Fail(wire.ReasonHandlerFailed, "command", in.Command, "message", fmt.Sprint(p))}
		}
	}()
	tx := Begin(s, in.Cause)
	if err := tx.expected(in); err != nil {
		return s, Output{Err: wire.AsError(err)}
	}
	result, err := wire.Dispatch[*Tx](Handlers{}, tx, in.Command, in.Params)
	if err != nil {
		return tx.forgetLead(s), Output{Err: wire.AsError(err)}
	}
	tx.State = tx.forgetLead(tx.State)
	tx.keepSelected()
	tx.tellDocks(s)
	tx.settleSelection(s)
	text, err := json.Marshal(result)
	if err != nil {
		return s, Output{Err: wire.Fail(wire.ReasonHandlerFailed, "command", in.Command, "message", err.Error())}
	}
	return tx.Freeze(), Output{Result: text}
}
