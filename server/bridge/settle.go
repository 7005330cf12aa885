package bridge

import (
	"math"
	"slices"

	"godot-mcp/server/wire"
)

func (b *Bridge) noEditor(command string) *wire.Error {
	return wire.Fail(wire.ReasonNoEditor, "command", command, "url", b.cfg.URL)
}

func badReply(command, message string) *wire.Error {
	return wire.Fail(wire.ReasonBadReply, "command", command, "message", message)
}

// unsent ends a call that never left.
func (b *Bridge) unsent(c *call, r wire.Reason) Outcome {
	switch r {
	case wire.ReasonNoEditor:
		return Outcome{Err: b.noEditor(c.command)}
	case wire.ReasonDeadline:
		return Outcome{Err: deadline(c, "not_sent")}
	default:
		return Outcome{Err: wire.Fail(r, "command", c.command)}
	}
}

func deadline(c *call, state string) *wire.Error {
	return wire.Fail(wire.ReasonDeadline, "command", c.command,
		"seconds", max(math.Round(c.seconds*10)/10, 0.1), "state", state)
}

// linkGone is the end of a call whose link will not come back.
func (b *Bridge) linkGone(c *call) Outcome {
	if c.state == callQueued || !c.mutating {
		// A read has no effect, so nothing is uncertain about it.
		return Outcome{Err: b.noEditor(c.command)}
	}
	return Outcome{Err: wire.Fail(wire.ReasonLinkLost, "command", c.command, "session", c.session)}
}

// settleLocked ends a call once; later ends are ignored. A call that was sent
// and whose own outcome is still open is remembered for a late answer.
func (b *Bridge) settleLocked(c *call, out Outcome) {
	if c.state == callSettled {
		return
	}
	out.ID, out.Session, out.Mutating = c.id, c.session, c.mutating
	out.Sent = c.state != callQueued
	if out.Err != nil && out.Err.Reason == wire.ReasonDeadline {
		b.count.Timeouts++
	}
	if l := c.link; l != nil {
		if c.state == callQueued {
			l.queue = slices.DeleteFunc(l.queue, func(q *call) bool { return q == c })
			l.urgent = slices.DeleteFunc(l.urgent, func(q outgoing) bool { return q.call == c })
		} else {
			l.releaseLocked(c)
		}
	}
	if out.Sent && c.command != wire.CmdGetOutcome {
		b.late.add(c, out)
	}
	c.state, c.out = callSettled, out
	c.frame = nil
	delete(b.calls, c.id)
	close(c.done)
	if c.mutating {
		b.checkDrainedLocked()
		if c.link != nil {
			c.link.checkRetiredLocked()
		}
	}
}

// cancel gives up a call whose caller has lost interest; false when the call
// has to be waited for.
func (b *Bridge) cancel(c *call) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c.state != callQueued && c.mutating {
		return c.state == callSettled
	}
	b.settleLocked(c, b.unsent(c, wire.ReasonCancelled))
	return true
}

// expire ends a call whose time is up, after one last question to the editor
// when that could tell what became of an edit.
func (b *Bridge) expire(c *call) Outcome {
	b.mu.Lock()
	l, state := c.link, c.state
	switch {
	case state == callSettled:
	case state == callQueued:
		b.settleLocked(c, b.unsent(c, wire.ReasonDeadline))
	case !c.mutating:
		b.settleLocked(c, Outcome{Err: deadline(c, "sent")})
	case state == callParked:
		b.settleLocked(c, b.linkGone(c))
	}
	settled := c.state == callSettled
	b.mu.Unlock()
	if settled {
		return c.out
	}
	answer, known, _ := b.ask(l, c, askTimeout)
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case c.state == callSettled:
	case answer.state == outcomeDone:
		b.settleLocked(c, answer.outcome)
	case c.state == callParked:
		b.settleLocked(c, b.linkGone(c))
	case known:
		// "unknown" here is no proof: the command may still be on its way.
		b.settleLocked(c, Outcome{Err: deadline(c, answer.state)})
	default:
		b.settleLocked(c, Outcome{Err: deadline(c, "sent")})
	}
	return c.out
}
