package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"

	"godot-mcp/server/answer"
	"godot-mcp/server/approval"
	"godot-mcp/server/journal"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// Env is what the tools of one server work with.
type Env struct {
	Editor    Editor
	Gate      *safety.Gate
	Server    ServerInfo
	Snapshots *Snapshots
	// BridgeProblem says why no editor can connect at all, such as a port that
	// another program holds; nil or empty when there is no such reason.
	BridgeProblem func() string
	// Record is asked right before the effect of a call that can change
	// something; a failure stops it. Nil records nothing.
	Record func(ctx context.Context, t *Tool) *answer.Failure
	// Journal remembers calls with an id; nil remembers none.
	Journal *journal.Keeper
	// Ask puts a question to a person and waits, beyond the time limit of the call.
	// The failure says why it could not be put. Nil when nobody approves calls.
	Ask func(context.Context, approval.Question) (approval.Verdict, *answer.Failure)
}

// ServerInfo is what the server says about itself.
type ServerInfo struct {
	Version    string
	Transport  string
	BridgeURL  string
	GodotBin   string // empty: none known
	ProjectDir string // empty: the connected editor's
	GodotHome  string // home directory of a Godot that is started; empty: the user's
}

// Call is one running call of a Run tool.
type Call struct {
	*Env
	Tool    *Tool
	Catalog *Catalog
	DryRun  bool
	// Changing decides whether a lost answer is uncertain; it is set for every
	// class but read_only, and not in a dry run.
	Changing bool
	Ruling   safety.Ruling
	// texts are the arguments as rules look at them.
	texts map[string][]string
	// approved: a person was asked about the whole of this batch, where that is
	// needed, and its entries go on from there.
	approved bool
	entries  []EntryNote
}

// Ask sends one command and decodes its result into result (a pointer, or nil).
// The error is an [answer.Failure].
func (c *Call) Ask(ctx context.Context, command string, params, result any) error {
	info, _ := wire.Lookup(command)
	r := c.Editor.Do(ctx, Order{Command: command, Params: params, Changing: c.Changing && info.Kind != wire.KindRead})
	if f := r.Failure(); f != nil {
		return f
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(r.Result, result); err != nil {
		return answer.New(answer.BadResult, "tool", c.Tool.Name, "message", err.Error())
	}
	return nil
}

// Reached says what the rules make of a file that the call came to by itself. It
// came there with its arguments, and with a value of one that it found besides, as
// the path of the selected node.
func (c *Call) Reached(path, arg, value string) *answer.Failure {
	texts := maps.Clone(c.texts)
	if texts == nil {
		texts = map[string][]string{}
	}
	if !slices.Contains(texts[arg], value) {
		texts[arg] = append(slices.Clone(texts[arg]), value)
	}
	return c.Gate.Reached(safety.Facts{Spec: &c.Tool.Spec, Paths: []string{path}, Args: texts})
}

// Outcome is what a call came to: structured content, or a failure. Decision
// is the safety model's, for audit and tests.
type Outcome struct {
	Structured json.RawMessage
	Failure    *answer.Failure
	Decision   safety.Decision
	Entries    []EntryNote // of a batch, as far as they were checked
}

// prepared is a call on its way through the checks.
type prepared struct {
	tool   *Tool
	args   json.RawMessage     // cleaned, without the common arguments
	texts  map[string][]string // the same, as rules look at them
	dryRun bool
	loose  []string // node path arguments that began with a slash
	id     string   // the caller's idempotencyId
	// version of the scene that the caller has read; empty: any
	version string
	written []string // clean file paths of a tool that writes files
	claim   *journal.Claim
	found   *journal.Found
	// of a call that a person is asked about
	targets []string
	parts   []*prepared
	notes   []EntryNote
}

// prepare runs the order of checks on one call.
func (c *Catalog) prepare(ctx context.Context, env *Env, t *Tool, raw json.RawMessage, batch *batchFlags) (*prepared, safety.Decision) {
	p := &prepared{tool: t}
	req := &safety.Request{Spec: &t.Spec, Peer: env.Editor.Peer}
	if batch == nil {
		if env.Record != nil {
			req.Record = func() *answer.Failure { return env.Record(ctx, t) }
		}
		if env.Journal != nil {
			req.Recall = func() (*safety.Past, *answer.Failure) { return p.recall(ctx, env, req.DryRun) }
		}
	}
	if req.Part = batch != nil; req.Part {
		req.Ask = batch.consent
	} else if env.Ask != nil {
		req.Ask = func(why safety.Concern) (approval.Verdict, *answer.Failure) { return c.ask(ctx, env, p, why) }
		if t.entries != nil {
			req.Parts = func() ([]safety.Part, *answer.Failure) { return c.survey(ctx, env, p) }
		}
	}
	req.Shape = func(r *safety.Request) *answer.Failure {
		if f := p.shape(r, raw, batch, env.Gate.Echo); f != nil {
			return f
		}
		if f := p.knownToRules(env.Gate); f != nil {
			return f
		}
		p.targets = r.Targets
		if f := env.inProject(r.Paths); f != nil || !t.WritesDisk {
			return f
		}
		return env.mayWrite(p.written)
	}
	d := env.Gate.Check(req)
	p.dryRun = req.DryRun
	return p, d
}

// projectDir is the folder that the editor has open, else the one that is set.
func (e *Env) projectDir() string {
	if hello, ok := e.Editor.Hello(); ok && hello.ProjectPath != "" {
		return hello.ProjectPath
	}
	return e.Server.ProjectDir
}

// mayWrite looks at the files that a tool would write.
func (e *Env) mayWrite(paths []string) *answer.Failure {
	for _, path := range paths {
		if f := safety.MayWrite(e.projectDir(), path); f != nil {
			return f
		}
	}
	return nil
}

// inProject follows the links on the way to each path.
func (e *Env) inProject(paths []string) *answer.Failure {
	if len(paths) == 0 {
		return nil
	}
	dir := e.projectDir()
	for _, path := range paths {
		if err := safety.InProject(dir, path); err != nil {
			return answer.New(answer.LinkOutside, "path", path, "why", err.Error())
		}
	}
	return nil
}

// Call runs a tool: checks, then one command or the tool's own work.
func (c *Catalog) Call(ctx context.Context, env *Env, t *Tool, raw json.RawMessage) Outcome {
	p, d := c.prepare(ctx, env, t, raw, nil)
	if p.claim != nil {
		defer p.claim.Release()
	}
	switch d.Outcome {
	case safety.Refuse, safety.Await:
		return Outcome{Decision: d, Failure: d.Failure, Entries: p.notes}
	case safety.Replay:
		return p.replay(d)
	}
	out := c.carryOut(ctx, env, p, d)
	if p.claim != nil {
		p.claim.Finish(out.Structured, out.Failure)
	}
	out.Structured = withConsent(out.Structured, d.Consent)
	return out
}

// carryOut does what passed all checks.
func (c *Catalog) carryOut(ctx context.Context, env *Env, p *prepared, d safety.Decision) Outcome {
	t, out := p.tool, Outcome{Decision: d}
	if out.Failure = p.resolveRoot(ctx, env.Editor); out.Failure != nil {
		return out
	}
	local := *env
	local.Editor = &callEditor{Editor: env.Editor, claim: p.claim, version: p.version}
	if p.claim != nil {
		p.claim.Args(p.args)
	}
	call := &Call{
		Env: &local, Tool: t, Catalog: c, DryRun: p.dryRun, Changing: t.Class != safety.ReadOnly && !p.dryRun,
		Ruling: d.Ruling, approved: d.Consent != nil, texts: p.texts,
	}
	result, err := call.perform(ctx, p)
	out.Entries = call.entries
	if err != nil {
		out.Failure = asFailure(t, err)
		return out
	}
	if out.Structured, err = encode(result); err != nil {
		out.Failure = answer.New(answer.BadResult, "tool", t.Name, "message", err.Error())
	} else if len(out.Structured) > MaxAnswer && t.Class == safety.ReadOnly {
		// The last guard; tools page by themselves. An edit that was made is
		// told however long the answer is.
		out.Structured, out.Failure = nil, answer.New(answer.OutputLimit, "limit", MaxAnswer)
	}
	return out
}

func (c *Call) perform(ctx context.Context, p *prepared) (any, error) {
	t, env := c.Tool, c.Env
	if t.run != nil {
		return t.run(ctx, c, p.args)
	}
	plan, err := t.plan(p.args)
	if err != nil {
		return nil, err
	}
	if f := safety.MissingCommands(env.Editor.Peer(), plan.commands()...); f != nil {
		return nil, f
	}
	command, params := plan.outgoing(p.dryRun)
	r := env.Editor.Do(ctx, Order{Command: command, Params: params, Changing: c.Changing, Timeout: t.Timeout})
	if f := r.Failure(); f != nil {
		if len(plan.steps) == 1 && r.Refused == nil {
			f = answer.FromWire(withoutStep(r.Err), r.MayHaveApplied)
		}
		return nil, f
	}
	return plan.result(r.Result, p.dryRun)
}

// withoutStep drops the index of the only step: it tells the caller nothing.
func withoutStep(e *wire.Error) *wire.Error {
	c := *e
	c.Step = nil
	return &c
}

// asFailure names the end of ctx for what it is.
func asFailure(t *Tool, err error) *answer.Failure {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		seconds := "the allowed"
		if t.Timeout > 0 {
			seconds = strconv.FormatFloat(t.Timeout.Seconds(), 'f', -1, 64)
		}
		return answer.New(answer.CallDeadline, "tool", t.Name, "seconds", seconds)
	case errors.Is(err, context.Canceled):
		return answer.New(answer.CallCancelled, "tool", t.Name)
	}
	return answer.As(err, false)
}
