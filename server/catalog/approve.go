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
// same preview says something else afterwards, the call does not go on.
func (c *Catalog) ask(ctx context.Context, env *Env, p *prepared, why safety.Concern) (approval.Verdict, *answer.Failure) {
	shown, f := c.preview(ctx, env, p)
	if f != nil {
		return approval.Verdict{}, f
	}
	before, _ := env.Editor.Hello()
	q := approval.Question{
		Tool: p.tool.Name, Class: string(why.Class), Irreversible: why.Irreversible, Rule: why.Why,
		Targets: p.targets, Arguments: p.shownArgs(), Preview: shown, IdempotencyID: p.id,
	}
	for _, part := range p.parts {
		q.Entries = append(q.Entries, approval.Entry{
			Tool: part.tool.Name, Class: string(part.tool.Class), Targets: part.targets, Arguments: part.shownArgs(),
		})
	}
	q.Files = env.replaced(ctx, append([]*prepared{p}, p.parts...))
	v, f := env.Ask(ctx, q)
	if f != nil || !v.Approved {
		return v, f
	}
	now, f := c.preview(ctx, env, p)
	if f != nil {
		return v, f
	}
	after, _ := env.Editor.Hello()
	if !bytes.Equal(now, shown) || !sameEditor(before, after) {
		return v, answer.New(answer.ChangedSince, "tool", p.tool.Name)
	}
	return v, nil
}

// maxShownFile bounds a file whose present text is shown to a person.
const maxShownFile = 1 << 20

// newText are the arguments of tools that write a text file.
var newText = []string{"content", "find"}

// replaced are the texts that calls would replace, where the editor gives them: a
// preview says that a file changes, and a person wants to see how.
func (e *Env) replaced(ctx context.Context, calls []*prepared) []approval.File {
	var out []approval.File
	for _, p := range calls {
		if !p.tool.WritesDisk || !slices.ContainsFunc(newText, func(name string) bool { return slices.Contains(p.tool.Args, name) }) {
			continue
		}
		args := map[string]json.RawMessage{}
		if json.Unmarshal(p.args, &args) != nil {
			continue
		}
		for _, param := range p.tool.Spec.Paths {
			var path string
			if param.Kind != safety.FilePath || json.Unmarshal(args[param.Name], &path) != nil || path == "" ||
				slices.ContainsFunc(out, func(f approval.File) bool { return f.Path == path }) {
				continue
			}
			r := e.Editor.Do(ctx, Order{Command: wire.CmdReadFile, Params: wire.ReadFile{Path: path}})
			var file wire.ReadFileResult
			// A file that is not there yet, or is no text, has nothing to show.
			if r.Failure() == nil && json.Unmarshal(r.Result, &file) == nil && len(file.Content) <= maxShownFile {
				out = append(out, approval.File{Path: path, Text: file.Content})
			}
		}
	}
	return out
}

// sameEditor says whether two introductions are of one run of one editor.
func sameEditor(a, b wire.Hello) bool {
	return a.Session == b.Session && a.ProjectPath == b.ProjectPath
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
