package bridge

import (
	"encoding/json"
	"fmt"

	"godot-mcp/server/wire"
)

// receive is the end of one text message of an editor: it settles the call it
// belongs to, tells a late outcome, or is dropped with a line in the log.
func (b *Bridge) receive(l *link, data []byte) {
	m := decodeReply(data)
	if m.control != "" {
		b.drop(l, "control message "+m.control+" after the hello", data)
		return
	}
	b.deliver(l, m, data)
}

func (b *Bridge) receiveOversized(l *link, head []byte, size int) {
	m := message{id: scanID(head), problem: fmt.Sprintf("the reply has %d bytes, the limit is %d", size, b.cfg.MaxBytes)}
	b.deliver(l, m, head)
}

func (b *Bridge) deliver(l *link, m message, data []byte) {
	b.mu.Lock()
	c := b.calls[m.id]
	switch {
	case c == nil:
		r := b.late.byID[m.id]
		b.mu.Unlock()
		if r == nil || r.session != l.peer.Session {
			b.drop(l, "a reply to no known command", data)
			return
		}
		b.tellLate(r, m.outcome(r.command))
		return
	case c.session != l.peer.Session || c.state == callQueued || c.state == callParked:
		// Nobody can answer what was not sent to him.
		b.mu.Unlock()
		b.drop(l, "a reply to a command of another link", data)
		return
	}
	defer b.mu.Unlock()
	if m.problem != "" {
		b.count.BadReplies++
		b.noteLocked(c.command + ": " + m.problem)
		b.log.Warn("bad reply", "command", c.command, "id", c.id, "problem", m.problem)
		if c.mutating && !c.unclear {
			// The editor remembers the answer that did not arrive whole.
			c.unclear = true
			go b.clarify(l, c, m.outcome(c.command))
			return
		}
	} else {
		b.count.Replies++
	}
	b.settleLocked(c, m.outcome(c.command))
}

// clarify asks what became of an edit whose reply could not be read; the unreadable
// one counts when that cannot be learnt either.
func (b *Bridge) clarify(l *link, c *call, unreadable Outcome) {
	answer, known, _ := b.ask(l, c, askTimeout)
	b.mu.Lock()
	defer b.mu.Unlock()
	if known && answer.state == outcomeDone {
		unreadable = answer.outcome
	}
	if c.link == l {
		b.settleLocked(c, unreadable)
	}
}

// drop logs a message that ends no call. Its text may be large or hostile, so
// only the beginning is shown.
func (b *Bridge) drop(l *link, why string, data []byte) {
	b.mu.Lock()
	b.count.Dropped++
	b.noteLocked("dropped " + why)
	b.mu.Unlock()
	b.quiet.Warn("bridge dropped "+why, "project", l.peer.ProjectPath, "message", fmt.Sprintf("%.120q", data))
}

func notice(command string, params any) []byte {
	p, err := json.Marshal(params)
	if err != nil {
		panic(err) // plain strings always marshal
	}
	n, err := json.Marshal(wire.Notice{Command: command, Params: p})
	if err != nil {
		panic(err)
	}
	return n
}

func toolsetsNotice(enabled []string) []byte {
	return notice(wire.NoticeToolsets, wire.ToolsetsUpdate{Enabled: enabled})
}
