package catalog

import (
	"context"
	"encoding/json"
	"slices"

	"godot-mcp/server/answer"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// BatchTool is the handler of the tool that runs batches; it cannot be an
// entry of one.
const BatchTool = "run_commands"

// Entry is one command of a batch, checked by the rules of its own tool.
type Entry struct {
	Tool  *Tool
	Ready wire.StepParam // what travels in cmd_run_commands
	plan  *planned
	dry   bool
}

// PrepareEntry resolves one entry of a batch (an exposed name, a name without
// its prefix, a handler or a cmd_ alias) and runs the order of checks of its
// own tool on it. Nothing is sent, except a read for paths that begin with a
// slash. A dry run of the batch makes every entry a dry run.
func (c *Call) PrepareEntry(ctx context.Context, command string, params json.RawMessage) (*Entry, *answer.Failure) {
	t, f := c.Catalog.resolveEntry(command)
	if f != nil {
		return nil, f
	}
	if t.Handler == BatchTool {
		return nil, answer.New(answer.NestedBatch)
	}
	if !t.Batchable {
		return nil, answer.New(answer.CallDirectly, "tool", t.Name)
	}
	params = renameEntryArgs(t, params)
	p, d := c.Catalog.prepare(c.Env, t, params, &batchFlags{dryRun: c.DryRun})
	if d.Outcome == safety.Refuse {
		return nil, d.Failure
	}
	if f := p.resolveRoot(ctx, c.Editor); f != nil {
		return nil, f
	}
	plan, err := t.plan(p.args)
	if err != nil {
		return nil, answer.As(err, false)
	}
	if f := safety.MissingCommands(c.Editor.Peer(), plan.commands()...); f != nil {
		return nil, f
	}
	e := &Entry{Tool: t, plan: plan, dry: p.dryRun, Ready: plan.entry()}
	if p.dryRun && !c.DryRun {
		return nil, answer.New(answer.UnknownArgument, "param", dryRunArg, "tool", "an entry of a batch", "valid", "dry_run of the batch itself")
	}
	return e, nil
}

// Result turns the editor's answer to the entry into the tool's own output.
func (e *Entry) Result(raw json.RawMessage) (json.RawMessage, *answer.Failure) {
	out, err := e.plan.entryResult(raw, e.dry)
	if err != nil {
		return nil, answer.As(err, false)
	}
	structured, err := encode(out)
	if err != nil {
		return nil, answer.New(answer.BadResult, "tool", e.Tool.Name, "message", err.Error())
	}
	return structured, nil
}

// renameEntryArgs maps the wire's key name to node_name, which callers that
// know the commands use in entries.
func renameEntryArgs(t *Tool, params json.RawMessage) json.RawMessage {
	s := t.inputSchema()
	members, err := objectMembers(params)
	if err != nil || s.Property("name") != nil || s.Property("node_name") == nil {
		return params
	}
	if slices.ContainsFunc(members, func(m member) bool { return m.name == "node_name" }) {
		return params
	}
	for i := range members {
		if members[i].name == "name" {
			members[i].name = "node_name"
			return joinMembers(members)
		}
	}
	return params
}
