// Package approval carries questions about calls to people and their answers
// back. It asks and reports; package safety decides when a person is needed and
// what an answer, or none, means for the call.
//
// There are three ways, of which a server has one: a program of the person's
// (package webhook), a page of the server (package console), and the client's own
// dialogue, which lives with the protocol in package server; package ticket seals
// what such a client brings back. Package catalog makes the question: the final
// arguments, the answer of the same call as a dry run, and the state both rest on,
// to which the answer is held.
package approval

import (
	"context"
	"encoding/json"
	"time"

	"godot-mcp/server/safety"
)

// Question is one call that waits for a person.
type Question struct {
	// ID is random and cannot be guessed. ID, Asked, Until and Client are set when
	// the question is put.
	ID     string    `json:"id"`
	Asked  time.Time `json:"asked"`
	Until  time.Time `json:"until"` // after that the call is denied
	Client string    `json:"client,omitempty"`
	Tool   string    `json:"tool"`
	Class  string    `json:"class"`
	// Irreversible: nothing that the editor has takes the call back.
	Irreversible bool     `json:"irreversible,omitempty"`
	Targets      []string `json:"targets,omitempty"` // what the call acts on
	Rule         string   `json:"rule"`              // why a person is asked
	// Arguments are the final ones, with secrets taken out.
	Arguments json.RawMessage `json:"arguments"`
	// Preview is the answer to the same call as a dry run; nil when the tool has
	// no preview.
	Preview json.RawMessage `json:"preview,omitempty"`
	// Entries are the calls of a batch.
	Entries []Entry `json:"entries,omitempty"`
	// Present is what the call would replace, as it is now.
	Present Present `json:"present,omitzero"`
	// IdempotencyID is the id under which the call will be remembered.
	IdempotencyID string `json:"idempotency_id,omitempty"`
	// State is what of the project the preview rests on; a yes holds only while it
	// is the same. People are not shown it.
	State string `json:"-"`
}

// Entry is one call of a batch that waits as a whole.
type Entry struct {
	Tool      string          `json:"tool"`
	Class     string          `json:"class"`
	Targets   []string        `json:"targets,omitempty"`
	Arguments json.RawMessage `json:"arguments"`
}

// Verdict is what came of a question, as package safety judges it.
type Verdict = safety.Verdict

// FaultKind is how the way to a person failed.
type FaultKind = safety.FaultKind

// The kinds of faults.
const (
	Unreachable = safety.Unreachable
	Expired     = safety.Expired
	Malformed   = safety.Malformed
	Unable      = safety.Unable
	Stale       = safety.Stale
)

// Failed is the verdict of a fault.
func Failed(by string, kind FaultKind, reason string) Verdict {
	return Verdict{By: by, Reason: reason, Fault: true, Kind: kind}
}

// Approver asks a person about one call and returns when there is an answer or
// the context ends. A fault on the way is never an approval.
type Approver interface {
	Name() string
	Ask(context.Context, Question) Verdict
}
