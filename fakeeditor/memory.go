package fakeeditor

import "godot-mcp/server/wire"

// outcome is what became of a command id.
type outcome struct {
	state string // queued, running or done
	reply *wire.Reply
}

// memory keeps the last [wire.OutcomeMemory] command ids with their outcomes.
type memory struct {
	byID  map[string]*outcome
	order []string // ring of ids, next is the oldest
	next  int
}

func newMemory() *memory { return &memory{byID: make(map[string]*outcome, wire.OutcomeMemory)} }

// find gives what is remembered of an id, or nil.
func (m *memory) find(id string) *outcome { return m.byID[id] }

// arrive notes a command that has just come; the oldest one is forgotten.
func (m *memory) arrive(id string) *outcome {
	o := &outcome{state: "queued"}
	if len(m.order) < wire.OutcomeMemory {
		m.order = append(m.order, id)
	} else {
		delete(m.byID, m.order[m.next])
		m.order[m.next] = id
		m.next = (m.next + 1) % len(m.order)
	}
	m.byID[id] = o
	return o
}

// ask answers cmd_get_outcome.
func (m *memory) ask(id string) wire.GetOutcomeResult {
	o := m.find(id)
	if o == nil {
		return wire.GetOutcomeResult{State: "unknown"}
	}
	return wire.GetOutcomeResult{State: o.state, Answer: o.reply}
}
