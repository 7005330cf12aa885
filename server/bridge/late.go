package bridge

import "godot-mcp/server/wire"

// lateCall is a call that has ended, kept to tell a late reply from a
// duplicate and from one with an invented id.
type lateCall struct {
	id, command, session string
	mutating             bool
	open                 bool // its true outcome is not known yet
}

// lateLog remembers the newest maxLate calls that were sent and have ended.
type lateLog struct {
	byID map[string]*lateCall
	ring []string
	next int
}

func newLateLog() *lateLog {
	return &lateLog{byID: make(map[string]*lateCall), ring: make([]string, 0, maxLate)}
}

func (g *lateLog) add(c *call, out Outcome) {
	if len(g.ring) < maxLate {
		g.ring = append(g.ring, c.id)
	} else {
		delete(g.byID, g.ring[g.next])
		g.ring[g.next] = c.id
		g.next = (g.next + 1) % maxLate
	}
	g.byID[c.id] = &lateCall{
		id: c.id, command: c.command, session: c.session, mutating: c.mutating, open: isOpen(out),
	}
}

// isOpen reports that an outcome is the bridge's own and a reply may still tell more.
func isOpen(out Outcome) bool {
	if out.Err == nil {
		return false
	}
	switch out.Err.Reason {
	case wire.ReasonDeadline, wire.ReasonLinkLost, wire.ReasonCancelled, wire.ReasonNoEditor:
		return true
	}
	return false
}

// openOf lists the open mutating calls of a session, oldest first.
func (g *lateLog) openOf(session string) []*lateCall {
	var out []*lateCall
	for i := range g.ring {
		r := g.byID[g.ring[(g.next+i)%len(g.ring)]]
		if r.open && r.mutating && r.session == session {
			out = append(out, r)
		}
	}
	return out
}

// tellLate hands an outcome to the hook, once per call.
func (b *Bridge) tellLate(r *lateCall, out Outcome) {
	b.mu.Lock()
	tell := r.open
	r.open = false
	if tell {
		b.count.Late++
	}
	b.mu.Unlock()
	if !tell {
		b.log.Warn("bridge dropped a second reply", "command", r.command, "id", r.id)
		return
	}
	out.ID, out.Session, out.Sent, out.Mutating = r.id, r.session, true, r.mutating
	b.log.Info("late outcome", "command", r.command, "id", r.id, "ok", out.OK())
	if b.cfg.OnLate != nil {
		b.cfg.OnLate(Late{Command: r.command, Outcome: out})
	}
}
