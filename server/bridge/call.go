package bridge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"godot-mcp/server/wire"
)

// Outcome is how a call ended.
type Outcome struct {
	// ID is the envelope id, empty when the call was refused before it got
	// one. Session is the editor's that the call was made for.
	ID      string
	Session string
	// Result is the editor's result, a JSON object in valid UTF-8; nil on failure.
	Result json.RawMessage
	Err    *wire.Error
	// Sent is true as soon as a byte of the command may have left.
	Sent bool
	// Mutating is what the call was taken for: by the kind of the command, or
	// by [Mutating].
	Mutating bool
	// Log holds engine messages of a successful command (a failed one has them in Err).
	Log []string
}

// OK reports success.
func (o Outcome) OK() bool { return o.Err == nil }

// MayHaveApplied reports that a mutating command was sent and nobody knows
// whether it took effect (or will): the deadline passed, the link was lost for
// good, or the answer was not readable.
func (o Outcome) MayHaveApplied() bool {
	if o.Err == nil || !o.Sent || !o.Mutating {
		return false
	}
	switch o.Err.Reason {
	case wire.ReasonDeadline, wire.ReasonLinkLost, wire.ReasonBadReply:
		return true
	}
	return false
}

// An Option adjusts one call.
type Option func(*options)

type options struct {
	timeout  time.Duration
	mutating *bool
	accepted func(id, session string)
	id       string // reserved, for session only
	session  string
}

// Timeout replaces the deadline of 10 s. A ctx that ends earlier wins.
func Timeout(d time.Duration) Option { return func(o *options) { o.timeout = d } }

// Mutating overrides what the command's kind says, for instance for a dry run.
func Mutating(yes bool) Option { return func(o *options) { o.mutating = &yes } }

// Accepted is called with the id before the command can be sent, so that a
// journal can write it down first. It must not call the bridge.
func Accepted(f func(id, session string)) Option { return func(o *options) { o.accepted = f } }

// Reserve gives away an envelope id and names the session that a command with it
// would go to now; ok is false while no editor is connected. With [As] a journal
// can write both down before the command is made.
func (b *Bridge) Reserve() (id, session string, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.active
	if l == nil || l.gone || b.closed || b.closing {
		return "", "", false
	}
	id = strconv.FormatUint(b.nextID, 10)
	b.nextID++
	return id, l.peer.Session, true
}

// As makes the call under a reserved id, to that session and no other: when
// another editor is active by then, the call is not_applied.
func As(id, session string) Option { return func(o *options) { o.id, o.session = id, session } }

// Doer is the part of a [Bridge] that runs commands.
type Doer interface {
	Do(ctx context.Context, command string, params any, opts ...Option) Outcome
}

// Call is [Bridge.Do] with a typed result. A result of another shape is a
// bad_reply.
func Call[R any](ctx context.Context, d Doer, command string, params any, opts ...Option) (R, Outcome) {
	var r R
	out := d.Do(ctx, command, params, opts...)
	if out.Err != nil {
		return r, out
	}
	if err := json.Unmarshal(out.Result, &r); err != nil {
		out.Err, out.Result = badReply(command, err.Error()), nil
	}
	return r, out
}

type callState int

const (
	callQueued  callState = iota
	callSent              // on call.link
	callParked            // sent, link lost, waiting for the session to come back
	callSettled           // out is final
)

type call struct {
	id, command string
	frame       []byte
	session     string
	project     string
	mutating    bool
	long        bool // the caller allows more than the default deadline
	deadline    time.Time
	seconds     float64

	// Below is guarded by Bridge.mu.
	state callState
	link  *link // nil while parked
	held  int   // bytes counted in link.flying
	// unclear: its reply could not be read, and the editor is being asked.
	unclear bool
	out     Outcome
	done    chan struct{} // closed when settled
}

// Do sends a command to the active editor and waits for its outcome. Params is
// a struct of package wire, a json.RawMessage object, or nil.
//
// A call that has not been sent when ctx ends or the deadline passes is taken
// out of the queue. A read that has been sent is given up. A mutating command
// that has been sent is waited for until its deadline even when ctx is
// cancelled, since only its end tells what became of it; if the link breaks
// meanwhile, the same editor session may come back and is asked. Do takes at
// most a second more than the deadline. Errors: bridge_connected, queue_full,
// too_big, bad_params, cancelled, deadline, not_applied, link_lost, bad_reply,
// and everything that an editor answers.
func (b *Bridge) Do(ctx context.Context, command string, params any, opts ...Option) Outcome {
	o := options{timeout: defaultTimeout}
	for _, opt := range opts {
		opt(&o)
	}
	info, known := wire.Lookup(command)
	mutating := !known || info.Kind != wire.KindRead
	if o.mutating != nil {
		mutating = *o.mutating
	}
	body, werr := encodeParams(command, params)
	if werr != nil {
		return Outcome{Err: werr, Mutating: mutating}
	}
	if err := ctx.Err(); err != nil {
		return Outcome{Err: wire.Fail(wire.ReasonCancelled, "command", command), Mutating: mutating}
	}
	now := time.Now()
	c := &call{
		command: command, mutating: mutating, long: o.timeout > defaultTimeout,
		deadline: now.Add(o.timeout), done: make(chan struct{}),
	}
	if d, ok := ctx.Deadline(); ok && d.Before(c.deadline) {
		c.deadline = d
	}
	c.seconds = c.deadline.Sub(now).Seconds()
	c.id, c.session = o.id, o.session
	if werr := b.enqueue(c, body, o.accepted); werr != nil {
		return Outcome{ID: c.id, Session: c.session, Err: werr, Mutating: mutating}
	}
	return b.await(ctx, c)
}

func (b *Bridge) await(ctx context.Context, c *call) Outcome {
	timer := time.NewTimer(time.Until(c.deadline))
	defer timer.Stop()
	cancelled := ctx.Done()
	for {
		select {
		case <-c.done:
			return c.out
		case <-timer.C:
			return b.expire(c)
		case <-cancelled:
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return b.expire(c)
			}
			if b.cancel(c) {
				return c.out
			}
			cancelled = nil
		}
	}
}

func encodeParams(command string, params any) (json.RawMessage, *wire.Error) {
	bad := func(message string) *wire.Error {
		return wire.Fail(wire.ReasonBadParams, "command", command, "message", message)
	}
	if params == nil {
		return json.RawMessage(`{}`), nil
	}
	body, err := json.Marshal(params)
	if err != nil {
		return nil, bad(err.Error())
	}
	if string(body) == "null" {
		return json.RawMessage(`{}`), nil
	}
	if !bytes.HasPrefix(body, []byte("{")) {
		return nil, bad("params must be an object")
	}
	return body, nil
}

// enqueue gives the call its id and puts it at the end of the queue of its
// link, or of the active one.
func (b *Bridge) enqueue(c *call, body json.RawMessage, accepted func(id, session string)) *wire.Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := c.link
	ask := l != nil
	if !ask {
		l = b.active
	}
	if l == nil || l.gone || b.closed || (b.closing && !ask) {
		return b.noEditor(c.command)
	}
	if len(b.calls) >= maxWaiting && !ask {
		return wire.Fail(wire.ReasonEditorBusy, "waiting", len(b.calls))
	}
	reserved := c.id != ""
	if reserved && l.peer.Session != c.session {
		return wire.Fail(wire.ReasonNotApplied, "command", c.command)
	}
	if !reserved {
		c.id = strconv.FormatUint(b.nextID, 10)
	}
	frame, err := json.Marshal(wire.Command{ID: c.id, Command: c.command, Params: body})
	if err != nil {
		return wire.Fail(wire.ReasonBadParams, "command", c.command, "message", err.Error())
	}
	if len(frame) > l.peer.MaxBytes {
		return wire.Fail(wire.ReasonTooBig, "command", c.command, "limit", l.peer.MaxBytes, "size", len(frame))
	}
	if !reserved {
		b.nextID++
	}
	c.frame, c.link, c.session, c.project = frame, l, l.peer.Session, l.peer.ProjectPath
	if accepted != nil {
		accepted(c.id, c.session)
	}
	b.calls[c.id] = c
	if ask {
		l.urgent = append(l.urgent, outgoing{frame: frame, call: c})
	} else {
		l.queue = append(l.queue, c)
	}
	l.wakeWriter()
	return nil
}
