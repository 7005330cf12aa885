package sim

import (
	"context"
	"encoding/json"
	"time"

	"godot-mcp/evals/task"
	"godot-mcp/server/approval"
	"godot-mcp/server/catalog"
)

// person answers the questions about calls as a task says.
type person struct {
	decisions []task.Decision
	tools     *catalog.Catalog
}

// Name implements [approval.Approver].
func (p person) Name() string { return "person" }

// Ask implements [approval.Approver]. What no decision is about is approved.
func (p person) Ask(ctx context.Context, q approval.Question) approval.Verdict {
	calls := []approval.Entry{{Tool: q.Tool, Arguments: q.Arguments}}
	if len(q.Entries) > 0 {
		calls = q.Entries
	}
	verdict := approval.Verdict{Approved: true, By: p.Name()}
	for _, c := range calls {
		d := p.decide(c)
		select {
		case <-time.After(d.After):
		case <-ctx.Done():
			return approval.Failed(p.Name(), approval.Expired, "no answer")
		}
		switch d.Answer {
		case "silent":
			<-ctx.Done()
			return approval.Failed(p.Name(), approval.Expired, "no answer")
		case "deny":
			return approval.Verdict{By: p.Name(), Reason: d.Why}
		}
	}
	return verdict
}

func (p person) decide(c approval.Entry) task.Decision {
	name := c.Tool
	if t, ok := p.tools.Tool(name); ok {
		name = t.Handler
	}
	var args map[string]any
	_ = json.Unmarshal(c.Arguments, &args) // without arguments only a decision without patterns fits
	for _, d := range p.decisions {
		if d.Fits(name, args) {
			return d
		}
	}
	return task.Decision{Answer: "approve"}
}
