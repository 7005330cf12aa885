package bridge

import (
	"context"
	"encoding/json"
	"time"

	"godot-mcp/server/wire"
)

// What an editor says about an earlier command.
const (
	outcomeUnknown = "unknown"
	outcomeQueued  = "queued"
	outcomeRunning = "running"
	outcomeDone    = "done"
)

// outcomeAnswer is [wire.GetOutcomeResult] with the answer checked like any reply.
type outcomeAnswer struct {
	state   string
	outcome Outcome
}

// ask puts cmd_get_outcome before everything that is queued on the link. The
// error is the failure of the question itself; known is false then.
func (b *Bridge) ask(l *link, about *call, limit time.Duration) (answer outcomeAnswer, known bool, err *wire.Error) {
	body, err := encodeParams(wire.CmdGetOutcome, wire.GetOutcome{ID: about.id})
	if err != nil {
		return answer, false, err
	}
	q := &call{
		command: wire.CmdGetOutcome, link: l, done: make(chan struct{}),
		deadline: time.Now().Add(limit), seconds: limit.Seconds(),
	}
	if err := b.enqueue(q, body, nil); err != nil {
		return answer, false, err
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-q.done:
	case <-about.done: // the true reply came first
		b.mu.Lock()
		b.settleLocked(q, b.unsent(q, wire.ReasonCancelled))
		b.mu.Unlock()
	case <-timer.C:
		b.expire(q)
	}
	if q.out.Err != nil {
		return answer, false, q.out.Err
	}
	answer, err = readOutcome(about.id, about.command, q.out.Result)
	return answer, err == nil, err
}

func readOutcome(id, command string, result json.RawMessage) (outcomeAnswer, *wire.Error) {
	var r struct {
		State  string          `json:"state"`
		Answer json.RawMessage `json:"answer"`
	}
	if err := json.Unmarshal(result, &r); err != nil {
		return outcomeAnswer{}, badReply(wire.CmdGetOutcome, err.Error())
	}
	a := outcomeAnswer{state: r.State}
	switch r.State {
	case outcomeUnknown, outcomeQueued, outcomeRunning:
	case outcomeDone:
		m := decodeReply(r.Answer)
		if m.problem == "" && m.id != id {
			m.problem = "the remembered answer has another id"
		}
		a.outcome = m.outcome(command)
	default:
		return a, badReply(wire.CmdGetOutcome, "state must be unknown, queued, running or done")
	}
	return a, nil
}

// resume follows a call whose session came back on l until its outcome is
// known, l breaks, or the call ends otherwise.
func (b *Bridge) resume(l *link, c *call) {
	for delay := 50 * time.Millisecond; ; delay = min(2*delay, time.Second) {
		answer, known, err := b.ask(l, c, defaultTimeout)
		b.mu.Lock()
		switch {
		case c.state == callSettled || c.link != l:
			b.mu.Unlock()
			return
		case known && answer.state == outcomeDone:
			b.settleLocked(c, answer.outcome)
		case known && answer.state == outcomeUnknown:
			// The same process answers and its old connection is gone, so
			// the command can no longer arrive.
			b.settleLocked(c, Outcome{Err: wire.Fail(wire.ReasonNotApplied, "command", c.command)})
		case err != nil && err.Reason == wire.ReasonUnknownCommand:
			b.settleLocked(c, b.linkGone(c))
		}
		b.mu.Unlock()
		timer := time.NewTimer(delay)
		select {
		case <-c.done:
		case <-l.ctx.Done():
		case <-timer.C:
			continue
		}
		timer.Stop()
		return
	}
}

// reconcile asks a session that came back about calls that ended without a
// known outcome, and hands what it learns to [Config.OnLate].
func (b *Bridge) reconcile(l *link, open []*lateCall) {
	for _, r := range open {
		answer, known, _ := b.ask(l, &call{id: r.id, command: r.command, done: make(chan struct{})}, defaultTimeout)
		if l.ctx.Err() != nil {
			return
		}
		if !known || (answer.state != outcomeDone && answer.state != outcomeUnknown) {
			continue // its reply may still come by itself
		}
		if answer.state == outcomeUnknown {
			answer.outcome = Outcome{Err: wire.Fail(wire.ReasonNotApplied, "command", r.command)}
		}
		b.tellLate(r, answer.outcome)
	}
}

// AskOutcome asks the active editor what became of an earlier command of this
// server run. Only the session that the command was sent to knows. For a done
// command answer holds its outcome.
func (b *Bridge) AskOutcome(ctx context.Context, id, session string) (state string, answer Outcome, err *wire.Error) {
	p := b.Peer()
	if p == nil || p.Session != session {
		return "", Outcome{}, b.noEditor(wire.CmdGetOutcome)
	}
	out := b.Do(ctx, wire.CmdGetOutcome, wire.GetOutcome{ID: id})
	if out.Err != nil {
		return "", Outcome{}, out.Err
	}
	if out.Session != session {
		return "", Outcome{}, b.noEditor(wire.CmdGetOutcome)
	}
	a, err := readOutcome(id, wire.CmdGetOutcome, out.Result)
	if err != nil {
		return "", Outcome{}, err
	}
	a.outcome.ID, a.outcome.Session, a.outcome.Sent, a.outcome.Mutating = id, session, true, true
	return a.state, a.outcome, nil
}
