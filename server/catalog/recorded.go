package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"godot-mcp/server/answer"
	"godot-mcp/server/journal"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// callEditor is the editor as one call sees it. Once a command of the call has
// changed something the call is carried to its end, whether or not the caller
// still waits; and with a claim every command is noted in the journal.
type callEditor struct {
	Editor
	claim   *journal.Claim // nil without an id
	version string         // of the scene as the caller knows it; empty: any
	begun   bool
}

// versioned are the commands that look at the version of the scene.
var versioned = []string{
	wire.CmdTransaction, wire.CmdRunCommands, wire.CmdSaveScene, wire.CmdExtractScene, wire.CmdCloseScene, wire.CmdSelectNodes,
}

func (e *callEditor) Do(ctx context.Context, o Order) Reply {
	if e.begun {
		var cancel context.CancelFunc
		ctx, cancel = uncancelled(ctx)
		defer cancel()
	}
	if e.version != "" && slices.Contains(versioned, o.Command) {
		o.Params = expecting(o.Params, e.version)
	}
	noted := false
	if e.claim != nil && o.Changing {
		o.Before = func(id, session string) error {
			if err := e.claim.Sending(id, session, o.Command); err != nil {
				return err
			}
			noted = true
			return nil
		}
	}
	r := e.Editor.Do(ctx, o)
	switch {
	case noted:
		e.claim.Replied(fateOf(r), r.Result, r.Err)
	case e.claim != nil && !o.Changing:
		e.claim.Looked(o.Command, r.Result, r.Err)
	}
	e.begun = e.begun || o.Changing && (r.Err == nil || r.MayHaveApplied)
	return r
}

// expecting adds the version to the parameters of a command.
func expecting(params any, version string) any {
	raw, err := json.Marshal(params)
	var fields map[string]json.RawMessage
	if err != nil || json.Unmarshal(raw, &fields) != nil || fields == nil {
		return params
	}
	text, err := json.Marshal(version)
	if err == nil {
		fields[versionArg] = text
	}
	return fields
}

// uncancelled keeps the deadline of a context and nothing else.
func uncancelled(ctx context.Context) (context.Context, context.CancelFunc) {
	free := context.WithoutCancel(ctx)
	if end, ok := ctx.Deadline(); ok {
		return context.WithDeadline(free, end)
	}
	return context.WithCancel(free)
}

func fateOf(r Reply) journal.Fate {
	switch {
	case r.Err == nil:
		return journal.Applied
	case r.MayHaveApplied:
		return journal.Unknown
	}
	switch r.Err.Reason {
	case wire.ReasonCancelled, wire.ReasonNoEditor, wire.ReasonNotApplied, wire.ReasonDeadline, wire.ReasonEditorBusy:
		return journal.Unapplied
	}
	return journal.Refused
}

// recall is the look-up of the idempotency stage.
func (p *prepared) recall(ctx context.Context, env *Env, dryRun bool) (*safety.Past, *answer.Failure) {
	claim, found, f := env.Journal.Claim(ctx, p.id, journal.Digest(p.tool.Name, p.args), p.tool.Name, dryRun)
	p.claim = claim
	if f != nil || found == nil {
		return nil, f
	}
	p.found = found
	return &safety.Past{
		Same: found.Digest == journal.Digest(p.tool.Name, p.args), Open: found.State == journal.Open, Uncertain: found.State == journal.Uncertain,
	}, nil
}

// replay is the recorded outcome of an earlier call.
func (p *prepared) replay(d safety.Decision) Outcome {
	out := Outcome{Decision: d}
	if !p.found.Failed {
		out.Structured = markReplayed(p.found.Answer)
		return out
	}
	f := &answer.Failure{}
	if err := json.Unmarshal(p.found.Answer, f); err != nil {
		f = answer.New(answer.JournalBroken, "message", err.Error())
	}
	f.Replayed = true
	out.Failure = f
	return out
}

func markReplayed(raw json.RawMessage) json.RawMessage {
	body, isObject := bytes.CutPrefix(bytes.TrimSpace(raw), []byte("{"))
	if !isObject {
		return raw
	}
	out := []byte(`{"replayed":true`)
	if len(bytes.TrimSpace(body)) > 1 {
		out = append(out, ',')
	}
	return append(out, body...)
}

// Reenact finds the answer of a call from the outcomes of its commands, without
// sending any: the tool runs again and is told what was said then. Ok is false
// when what is kept does not tell.
func (c *Catalog) Reenact(ctx context.Context, env *Env, r journal.Record) (result json.RawMessage, failure *answer.Failure, ok bool) {
	t, known := c.byName[r.Tool]
	if !known {
		return nil, nil, false
	}
	script := &scriptedEditor{Editor: env.Editor, commands: r.Commands}
	local := *env
	local.Editor, local.Journal, local.Record = script, nil, nil
	call := &Call{Env: &local, Tool: t, Catalog: c, Changing: true, approved: true}
	out, err := call.perform(ctx, &prepared{tool: t, args: r.Args})
	switch {
	case script.lost:
		return nil, nil, false
	case script.cut:
		f := answer.New(answer.Interrupted, "tool", t.Name)
		f.MayHaveApplied = true
		return nil, f, true
	case err != nil:
		return nil, asFailure(t, err), true
	}
	result, err = encode(out)
	return result, nil, err == nil
}

// scriptedEditor answers with what an editor said before.
type scriptedEditor struct {
	Editor
	commands []journal.Command
	lost     bool // what was said is not kept, or the call asks for something else
	cut      bool // the call wanted to change more than was ever sent
}

func (e *scriptedEditor) Do(_ context.Context, o Order) Reply {
	over := Reply{Err: wire.Fail(wire.ReasonNotApplied, "command", o.Command)}
	if len(e.commands) == 0 {
		e.cut, e.lost = e.cut || o.Changing, e.lost || !o.Changing
		return over
	}
	c := e.commands[0]
	e.commands = e.commands[1:]
	switch {
	case c.Name != o.Command || (c.ID != "") != o.Changing || c.Err == nil && c.Result == nil && c.Fate != journal.Unapplied:
		e.lost = true
		return over
	case c.Fate == journal.Unapplied:
		return over
	}
	return Reply{Result: c.Result, Err: c.Err}
}
