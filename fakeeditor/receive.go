package fakeeditor

import (
	"context"
	"encoding/json"
	"time"

	"godot-mcp/fakeeditor/fault"
	"godot-mcp/server/wire"
)

// receive takes one message of the server: a notice, a question for an outcome,
// or a command for the queue. accepted is false for a refusal of this editor.
func (e *Editor) receive(m *fault.Middle, msg []byte) (accepted bool, err error) {
	var in struct {
		wire.Command
		OK    *bool     `json:"ok"`
		Error wire.Code `json:"error"`
	}
	if json.Unmarshal(msg, &in) != nil {
		return true, e.answer(m, reply("", nil, wire.Fail(wire.ReasonBadParams, "message", "not a JSON object")))
	}
	if in.Command.Command == "" && in.OK != nil {
		e.note(string(in.Error))
		if in.Error == wire.PeerReplaced {
			return false, ErrReplaced
		}
		return false, nil
	}
	if e.cfg.Observe != nil {
		e.cfg.Observe(in.Command)
	}
	switch in.Command.Command {
	case wire.NoticeServerHello, wire.NoticeToolsets:
		e.note(in.Command.Command)
		return true, nil
	case wire.CmdGetOutcome:
		return true, e.answer(m, e.outcomeOf(in.Command))
	case "":
		return true, e.answer(m, reply(in.ID, nil, wire.Fail(wire.ReasonBadParams, "message", "a command is missing", "param", "command")))
	}
	return true, e.enqueue(m, in.Command)
}

func (e *Editor) note(name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.link.notices = append(e.link.notices, name)
}

func (e *Editor) outcomeOf(c wire.Command) *wire.Reply {
	var p wire.GetOutcome
	if err := wire.DecodeParams(c.Params, &p); err != nil {
		return reply(c.ID, nil, wire.AsError(err))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	text, err := json.Marshal(e.link.memory.ask(p.ID))
	return reply(c.ID, text, wire.AsError(err))
}

// enqueue puts a command into the queue. An id that came before is answered from
// memory, or by the run that is still to come.
func (e *Editor) enqueue(m *fault.Middle, c wire.Command) error {
	e.mu.Lock()
	e.received++
	if o := e.link.memory.find(c.ID); o != nil && c.ID != "" {
		done := o.reply
		e.mu.Unlock()
		if done == nil {
			return nil
		}
		return e.answer(m, done)
	}
	e.link.queue = append(e.link.queue, &queued{c, e.link.memory.arrive(c.ID), m})
	e.mu.Unlock()
	e.rouse()
	return nil
}

// adopt takes a command that came before its connection broke. It is known as
// queued at once, as in an editor that has read it and is busy, and runs later.
func (e *Editor) adopt(msg []byte, wait time.Duration) {
	var c wire.Command
	if json.Unmarshal(msg, &c) != nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.link.memory.find(c.ID) != nil {
		return
	}
	e.received++
	q, starts := &queued{c, e.link.memory.arrive(c.ID), nil}, e.starts
	time.AfterFunc(wait, func() {
		e.mu.Lock()
		if e.starts == starts { // it did not crash meanwhile
			e.link.queue = append(e.link.queue, q)
		}
		e.mu.Unlock()
		e.rouse()
	})
}

func (e *Editor) rouse() {
	select {
	case e.link.wake <- struct{}{}:
	default:
	}
}

// answer sends a reply on the connection that asked. A failed send is the
// server's to find out: the outcome is remembered.
func (e *Editor) answer(m *fault.Middle, r *wire.Reply) error {
	if m == nil {
		return nil
	}
	return send(context.Background(), m, r)
}
