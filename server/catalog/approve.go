package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"godot-mcp/server/answer"
	"godot-mcp/server/approval"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// withheld stands for the value of an argument that holds a secret.
const withheld = `"[secret]"`

// Approved is what an answer says of a person's consent; it is apart from confirm,
// which the caller gives.
type Approved struct {
	By string `json:"by"`
	// Reason is the person's own. Fault says why nobody was asked, on a server that
	// goes on then.
	Reason string `json:"reason,omitempty"`
	Fault  string `json:"fault,omitempty"`
}

// survey checks the entries of a batch before anybody is asked about it. What
// a person will be asked about the whole counts as given.
func (c *Catalog) survey(ctx context.Context, env *Env, p *prepared) ([]safety.Part, *answer.Failure) {
	calls, err := p.tool.entries(p.args)
	if err != nil {
		return nil, answer.As(err, false)
	}
	flags := &batchFlags{consent: func(safety.Concern) (approval.Verdict, *answer.Failure) {
		return approval.Verdict{Approved: true}, nil
	}}
	var parts []safety.Part
	for i, call := range calls {
		entry, note, f := c.checkEntry(ctx, env, call, flags)
		if note != nil {
			p.notes = append(p.notes, *note)
		}
		if f != nil {
			return nil, AtEntry(f, i)
		}
		p.parts = append(p.parts, entry)
		parts = append(parts, safety.Part{Spec: &note.Tool.Spec, Ruling: note.Ruling})
	}
	return parts, nil
}

// AtEntry puts the index of the entry that failed into a failure of a batch.
func AtEntry(f *answer.Failure, index int) *answer.Failure {
	details := map[string]any{"failed_index": index}
	for k, v := range f.Details {
		details[k] = v
	}
	f.Details = details
	return f
}

// ask puts the call to a person with its preview. A call whose preview fails would
// fail too, so nobody is asked about it. A yes holds for what was shown: if the
// same preview says something else afterwards, or comes of another state, the call
// does not go on.
func (c *Catalog) ask(ctx context.Context, env *Env, p *prepared, why safety.Concern) (approval.Verdict, *answer.Failure) {
	state, f := stateOf(ctx, env, p, why)
	if f != nil {
		return approval.Verdict{}, f
	}
	shown, f := c.preview(ctx, env, p)
	if f != nil {
		return approval.Verdict{}, f
	}
	q := approval.Question{
		State: state, Tool: p.tool.Name, Class: string(why.Class), Irreversible: why.Irreversible, Rule: why.Why,
		Targets: p.targets, Arguments: p.shownArgs(), Preview: shown, IdempotencyID: p.id,
	}
	for _, part := range p.parts {
		q.Entries = append(q.Entries, approval.Entry{
			Tool: part.tool.Name, Class: string(part.tool.Class), Targets: part.targets, Arguments: part.shownArgs(),
		})
	}
	q.Present = env.present(ctx, p, shown)
	v, f := env.Ask(ctx, q)
	if f != nil || !v.Approved {
		return v, f
	}
	now, f := c.preview(ctx, env, p)
	if f != nil {
		return v, f
	}
	again := env.present(ctx, p, now)
	later, f := stateOf(ctx, env, p, why)
	if f != nil {
		return v, f
	}
	if !bytes.Equal(now, shown) || later != state || !q.Present.Equal(again) {
		return v, answer.New(answer.ChangedSince, "tool", p.tool.Name)
	}
	return v, nil
}

// stateOf names the state that an approval rests on beside its preview: the run of
// the editor and, for calls that remove or overwrite, the open scene and its
// history, since a path can come to mean another node that looks the same in a
// preview. Edits that undo takes back do not wait for each other like that.
func stateOf(ctx context.Context, env *Env, p *prepared, why safety.Concern) (string, *answer.Failure) {
	hello, _ := env.Editor.Hello()
	state := []any{hello.Session, hello.ProjectPath}
	if why.Class == safety.Destructive && slices.Contains(p.tool.Needs, safety.NeedBridge) {
		r := env.Editor.Do(ctx, Order{Command: wire.CmdGetActiveScene, Params: wire.GetActiveScene{}})
		if f := r.Failure(); f != nil {
			return "", f
		}
		scene, err := Result[wire.GetActiveSceneResult](r.Result)
		if err != nil {
			return "", answer.As(err, false)
		}
		state = append(state, scene.Path, scene.Name, scene.HistoryVersion)
	}
	text, err := encode(state)
	if err != nil {
		return "", answer.As(err, false)
	}
	return string(text), nil
}

// preview is the answer to the call as a dry run; nil for tools without one. It
// also ends the cleaning of paths, so that what is shown is what will run.
func (c *Catalog) preview(ctx context.Context, env *Env, p *prepared) (json.RawMessage, *answer.Failure) {
	if f := p.resolveRoot(ctx, env.Editor); f != nil {
		return nil, f
	}
	if !hasCommon(p.tool, dryRunArg) {
		return nil, nil
	}
	dry := *p
	dry.dryRun, dry.claim = true, nil
	out := c.carryOut(ctx, env, &dry, safety.Decision{Outcome: safety.Preview})
	return out.Structured, out.Failure
}

// shownArgs are the arguments without what must not be shown.
func (p *prepared) shownArgs() json.RawMessage {
	members, err := objectMembers(p.args)
	if err != nil || len(p.tool.Secret) == 0 {
		return p.args
	}
	for i, m := range members {
		if slices.Contains(p.tool.Secret, m.name) {
			members[i].value = json.RawMessage(withheld)
		}
	}
	return joinMembers(members)
}

// withConsent says in an answer that a person was asked.
func withConsent(raw json.RawMessage, c *safety.Consent) json.RawMessage {
	body, isObject := bytes.CutPrefix(bytes.TrimSpace(raw), []byte("{"))
	if c == nil || !isObject {
		return raw
	}
	a := Approved{By: c.By, Reason: answer.Shown(c.Reason)}
	if !c.Given {
		a = Approved{By: "nobody", Fault: answer.Shown(c.Reason)}
	}
	head, err := encode(a)
	if err != nil {
		return raw
	}
	out := append([]byte(`{"approval":`), head...)
	if len(bytes.TrimSpace(body)) > 1 {
		out = append(out, ',')
	}
	return append(out, body...)
}
