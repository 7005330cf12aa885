package catalog

import (
	"encoding/json"

	"godot-mcp/server/answer"
	"godot-mcp/server/safety"
)

// Explain runs the checks that depend on configuration and arguments only, those
// of the entries of a batch too. Asks says why a person would be asked; it is
// empty when nobody would.
func (c *Catalog) Explain(g *safety.Gate, t *Tool, raw json.RawMessage) (d safety.Decision, asks string) {
	p, d := explainOne(g, t, raw, nil)
	if d.Failure != nil {
		return d, ""
	}
	var parts []safety.Part
	if t.entries != nil {
		calls, err := t.entries(p.args)
		if err != nil {
			return refused(d, answer.As(err, false)), ""
		}
		for i, call := range calls {
			tool, f := c.entryTool(call.Command)
			if f != nil {
				return refused(d, AtEntry(f, i)), ""
			}
			_, e := explainOne(g, tool, renameEntryArgs(tool, call.Params), &batchFlags{dryRun: p.dryRun})
			if e.Failure != nil {
				return refused(e, AtEntry(e.Failure, i)), ""
			}
			parts = append(parts, safety.Part{Spec: &tool.Spec, Ruling: e.Ruling})
		}
	}
	if p.dryRun {
		return d, "" // a preview is never asked about
	}
	why, needed := g.Concerns(&t.Spec, d.Ruling, parts)
	if !needed {
		return d, ""
	}
	return d, why.Why
}

func explainOne(g *safety.Gate, t *Tool, raw json.RawMessage, batch *batchFlags) (*prepared, safety.Decision) {
	p := &prepared{tool: t}
	req := &safety.Request{Spec: &t.Spec, Part: batch != nil}
	req.Shape = func(r *safety.Request) *answer.Failure {
		if f := p.shape(r, raw, batch, g.Echo); f != nil {
			return f
		}
		return p.knownToRules(g)
	}
	d := g.Explain(req)
	p.dryRun = req.DryRun
	return p, d
}

func refused(d safety.Decision, f *answer.Failure) safety.Decision {
	d.Outcome, d.Failure = safety.Refuse, f
	return d
}
