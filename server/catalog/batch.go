package catalog

import (
	"context"
	"encoding/json"
	"slices"

	"godot-mcp/server/answer"
	"godot-mcp/server/approval"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// BatchTool is the handler of the tool that runs batches; it cannot be an
// entry of one.
const BatchTool = "run_commands"

// EntryCall is one entry of a batch as the caller wrote it: an exposed name, a
// name without its prefix, a handler or a cmd_ alias, with that tool's arguments.
type EntryCall struct {
	Command string
	Params  json.RawMessage
}

// EntryNote is what the checks said about an entry.
type EntryNote struct {
	Tool   *Tool
	Ruling safety.Ruling
}

// Entry is one command of a batch, checked by the rules of its own tool.
type Entry struct {
	Tool  *Tool
	Ready wire.StepParam // what travels in cmd_run_commands
	plan  *planned
	dry   bool
}

// PrepareEntries runs the order of checks of its own tool on every entry and
// then plans them all. The first refusal ends it, with the entry's index;
// until every entry has passed its checks nothing is sent (then only a read,
// for paths that begin with a slash). A dry run of the batch makes every entry
// a dry run.
func (c *Call) PrepareEntries(ctx context.Context, calls []EntryCall) (entries []*Entry, failed int, f *answer.Failure) {
	flags := &batchFlags{dryRun: c.DryRun, consent: func(safety.Concern) (approval.Verdict, *answer.Failure) {
		return approval.Verdict{Approved: c.approved}, nil
	}}
	ready := make([]*prepared, len(calls))
	for i, call := range calls {
		var note *EntryNote
		ready[i], note, f = c.Catalog.checkEntry(ctx, c.Env, call, flags)
		if note != nil {
			c.entries = append(c.entries, *note)
		}
		if f != nil {
			return nil, i, f
		}
	}
	for i, p := range ready {
		e, f := c.planEntry(ctx, p)
		if f != nil {
			return nil, i, f
		}
		entries = append(entries, e)
	}
	return entries, 0, nil
}

// entryTool finds the tool of an entry, if it can be one.
func (c *Catalog) entryTool(command string) (*Tool, *answer.Failure) {
	t, f := c.Resolve(command)
	switch {
	case f != nil:
		return nil, f
	case t.Handler == BatchTool:
		return nil, answer.New(answer.NestedBatch)
	case !t.Batchable:
		return nil, answer.New(answer.CallDirectly, "tool", t.Name)
	}
	return t, nil
}

// checkEntry runs the checks of its own tool on one entry. There is a note as
// soon as the tool is known.
func (c *Catalog) checkEntry(ctx context.Context, env *Env, call EntryCall, batch *batchFlags) (*prepared, *EntryNote, *answer.Failure) {
	t, f := c.entryTool(call.Command)
	if f != nil {
		return nil, nil, f
	}
	p, d := c.prepare(ctx, env, t, renameEntryArgs(t, call.Params), batch)
	note := &EntryNote{t, d.Ruling}
	if d.Outcome == safety.Refuse {
		return nil, note, d.Failure
	}
	if p.id != "" {
		return nil, note, answer.New(answer.UnknownArgument, "param", idArg, "tool", "An entry of a batch", "valid", idArg+" of the batch itself")
	}
	if p.version != "" {
		return nil, note, answer.New(answer.UnknownArgument, "param", versionArg, "tool", "An entry of a batch", "valid", versionArg+" of the batch itself")
	}
	if p.dryRun && !batch.dryRun {
		return nil, note, answer.New(answer.UnknownArgument, "param", dryRunArg, "tool", "An entry of a batch", "valid", "dry_run of the batch itself")
	}
	return p, note, nil
}

func (c *Call) planEntry(ctx context.Context, p *prepared) (*Entry, *answer.Failure) {
	if f := p.resolveRoot(ctx, c.Editor); f != nil {
		return nil, f
	}
	plan, err := p.tool.plan(p.args)
	if err != nil {
		return nil, answer.As(err, false)
	}
	if plan.command == wire.CmdRunCommands {
		// Some tools need a batch of their own for some arguments.
		return nil, answer.New(answer.CallDirectly, "tool", p.tool.Name)
	}
	if f := safety.MissingCommands(c.Editor.Peer(), plan.commands()...); f != nil {
		return nil, f
	}
	return &Entry{Tool: p.tool, plan: plan, dry: p.dryRun, Ready: plan.entry()}, nil
}

// Result turns the editor's answer to the entry into the tool's own output.
func (e *Entry) Result(raw json.RawMessage) (json.RawMessage, *answer.Failure) {
	out, err := e.plan.result(raw, e.dry)
	if err != nil {
		return nil, answer.As(err, false)
	}
	structured, err := encode(out)
	if err != nil {
		return nil, answer.New(answer.BadResult, "tool", e.Tool.Name, "message", err.Error())
	}
	return structured, nil
}

// Failure turns what the editor says of the entry into the tool's failure. The
// index of an only step tells the caller nothing.
func (e *Entry) Failure(err *wire.Error, changing bool) *answer.Failure {
	if err != nil && len(e.plan.steps) == 1 {
		err = withoutStep(err)
	}
	return answer.FromWire(err, changing)
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
