// Package answer is what a tool says when it did not do what was asked, and
// how it says whether an edit lasts.
//
// Every failure is one [Failure]: an error code, the second vocabulary's code,
// a hint that names the next call, and closed tokens a program can act on.
// Reasons come from an editor ([wire.Reason]) or from the server ([Reason]);
// the table of hints has one entry for each, and no hint is written elsewhere.
package answer

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"

	"godot-mcp/server/wire"
)

// Code is the second vocabulary for the kind of a failure. Closed list.
type Code string

// The codes.
const (
	InvalidInput     Code = "invalid_input"
	NotFound         Code = "not_found"
	Conflict         Code = "conflict"
	PermissionDenied Code = "permission_denied"
	Unsupported      Code = "unsupported"
	Unavailable      Code = "unavailable"
	Timeout          Code = "timeout"
	Uncertain        Code = "uncertain"
	Cancelled        Code = "cancelled"
	Internal         Code = "internal"
)

// Codes lists the second vocabulary.
func Codes() []Code {
	return []Code{InvalidInput, NotFound, Conflict, PermissionDenied, Unsupported, Unavailable, Timeout, Uncertain, Cancelled, Internal}
}

// Failure is the one failure object of every tool, as text and as structured
// content. Its zero value is not a valid failure; make one with [New] or
// [FromWire].
type Failure struct {
	ErrorCode wire.Code `json:"error"`
	Code      Code      `json:"code"`
	Hint      string    `json:"hint"`
	// Required is the token of the thing that is missing, or the parameter
	// that is wrong.
	Required string `json:"required,omitempty"`
	// Reason is a [wire.Reason] or a [Reason].
	Reason string `json:"reason,omitempty"`
	// Retry says that the same call can work later without any change.
	Retry        bool `json:"retry,omitempty"`
	RetryAfterMS int  `json:"retry_after_ms,omitempty"`
	// MayHaveApplied says that the effect may be there although no answer came.
	MayHaveApplied bool           `json:"may_have_applied,omitempty"`
	Details        map[string]any `json:"details,omitempty"`
	// Step is the index of the step of one edit that failed.
	Step *int `json:"step,omitempty"`
	// Replayed says that this is the recorded outcome of an earlier call with
	// the same idempotencyId.
	Replayed bool `json:"replayed,omitempty"`
	// Log holds engine messages caught while the command ran, oldest first.
	Log []string `json:"log,omitempty"`
}

// New makes a failure of a server-side reason with alternating detail names
// and values.
func New(r Reason, details ...any) *Failure {
	e := entries[string(r)]
	f := &Failure{ErrorCode: e.code, Reason: string(r), Required: e.required, Retry: e.retryMS > 0, RetryAfterMS: e.retryMS}
	if len(details) > 1 {
		f.Details = make(map[string]any, len(details)/2)
		for i := 0; i+1 < len(details); i += 2 {
			name, _ := details[i].(string)
			f.Details[name] = details[i+1]
		}
	}
	return f.finish(e)
}

// FromWire makes a failure of what an editor or the bridge reported. Changing
// says whether the command could have changed something: then a lost answer is
// uncertain and never failed.
func FromWire(err error, changing bool) *Failure {
	w := wire.AsError(err)
	if w == nil {
		return nil
	}
	e, ok := entries[string(w.Reason)]
	if !ok {
		e = entries[string(wire.ReasonHandlerFailed)]
	}
	f := &Failure{
		ErrorCode: w.Code, Reason: string(w.Reason), Required: e.required,
		Retry: e.retryMS > 0, RetryAfterMS: e.retryMS,
		Details: maps.Clone(w.Details), Step: w.Step, Log: w.Log,
	}
	if !knownCode(f.ErrorCode) {
		f.ErrorCode = wire.InternalError
	}
	if changing && unanswered[w.Reason] {
		f.MayHaveApplied = true
		f.Retry, f.RetryAfterMS = false, 0
	}
	return f.finish(e)
}

// unanswered are the reasons after which a sent command may still have run.
var unanswered = map[wire.Reason]bool{
	wire.ReasonDeadline: true, wire.ReasonLinkLost: true, wire.ReasonBadReply: true,
}

// finish fills the code, a required parameter name and the hint.
func (f *Failure) finish(e entry) *Failure {
	f.Code = codeFor(f.ErrorCode, f.Required, f.MayHaveApplied)
	if e.param != "" {
		if p, ok := f.Details[e.param].(string); ok && p != "" {
			f.Required = p
		}
	}
	f.Details = boundDetails(f.Details)
	f.Hint = render(e.hintFor(f.Details), f.Details)
	if f.Hint == "" {
		f.Hint = render(entries[string(wire.ReasonHandlerFailed)].hint, f.Details)
	}
	if f.MayHaveApplied {
		f.Hint += " " + mayHaveApplied
	}
	if f.Step != nil {
		f.Hint = render("Step {step|?} of this edit failed and nothing of it was applied. ", map[string]any{"step": *f.Step}) + f.Hint
	}
	return f
}

const mayHaveApplied = "The change may have been applied: read the state again before you repeat it."

// Text is the form for clients that show only text: `CODE: hint [required=token]`.
func (f *Failure) Text() string {
	var b strings.Builder
	b.WriteString(string(f.ErrorCode))
	b.WriteString(": ")
	b.WriteString(f.Hint)
	if f.Required != "" {
		b.WriteString(" [required=" + f.Required + "]")
	}
	return b.String()
}

// JSON is the structured form.
func (f *Failure) JSON() json.RawMessage {
	b, err := json.Marshal(f)
	if err != nil {
		// Only a detail can fail to encode; the failure itself must arrive.
		g := *f
		g.Details = nil
		b, _ = json.Marshal(&g)
	}
	return b
}

func codeFor(c wire.Code, required string, mayHaveApplied bool) Code {
	if mayHaveApplied {
		return Uncertain
	}
	switch c {
	case wire.ValidationError:
		return InvalidInput
	case wire.ResourceNotFound:
		return NotFound
	case wire.Conflict:
		return Conflict
	case wire.PermissionDenied, wire.ApprovalDenied:
		return PermissionDenied
	case wire.Unsupported:
		return Unsupported
	case wire.PreconditionFailed:
		if required == "confirm" || required == "force" {
			return InvalidInput
		}
		return Unavailable
	case wire.BridgeDisconnected:
		return Unavailable
	case wire.Timeout:
		return Timeout
	case wire.Cancelled:
		return Cancelled
	case wire.Uncertain:
		return Uncertain
	}
	return Internal
}

func knownCode(c wire.Code) bool {
	switch c {
	case wire.ValidationError, wire.ResourceNotFound, wire.Conflict, wire.PermissionDenied, wire.ApprovalDenied,
		wire.Unsupported, wire.PreconditionFailed, wire.BridgeDisconnected, wire.Timeout, wire.Cancelled,
		wire.Uncertain, wire.InternalError:
		return true
	}
	return false
}

// Error implements error with the text form.
func (f *Failure) Error() string { return f.Text() }

// As finds a failure in err's chain, or makes one: a wire error becomes its
// failure, anything else is a fault of the server. Changing is as in [FromWire].
func As(err error, changing bool) *Failure {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*Failure](err); ok {
		return f
	}
	return FromWire(err, changing)
}
