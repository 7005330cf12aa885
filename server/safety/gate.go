package safety

import (
	"slices"

	"godot-mcp/server/answer"
)

// Stage is one step of the order of checks, numbered as in the safety model.
type Stage struct {
	Number int
	Name   string
	// check refuses with a failure, ends the checks early (done), or passes.
	check func(*Gate, *Request, *Decision) (done bool)
}

// Order is the order of checks. [Gate.Check] runs this list and nothing else.
var Order = []Stage{
	{1, "shape", (*Gate).shape},
	{2, "exposure", (*Gate).exposure},
	{3, "rules", (*Gate).rules},
	{4, "idempotency", (*Gate).idempotency},
	{5, "preconditions", (*Gate).preconditions},
	{6, "dry_run", (*Gate).dryRun},
	{7, "confirm", (*Gate).confirm},
	{8, "approval", (*Gate).approval},
	{9, "record", (*Gate).record},
}

// Outcome is what a decision comes to.
type Outcome string

// The outcomes.
const (
	Refuse  Outcome = "refuse"
	Preview Outcome = "preview"
	Proceed Outcome = "proceed"
	// Replay: the recorded outcome of an earlier call is the answer.
	Replay Outcome = "replay"
	// Await: the caller has to bring a person's answer with its next request.
	Await Outcome = "await"
)

// Decision is the result of the checks as data: the outcome, the stage that
// brought it about, what the rules said, what a person said, if one was asked,
// and, for a refusal, the failure.
type Decision struct {
	Outcome Outcome
	Stage   string
	Ruling  Ruling
	Consent *Consent
	Failure *answer.Failure
}

// Request is one call on its way through the checks.
type Request struct {
	Spec *Spec
	// Shape checks and repairs the arguments; it runs as the first stage and
	// fills the fields below.
	Shape   func(*Request) *answer.Failure
	Paths   []string            // cleaned file paths, those in values too
	Args    map[string][]string // see [Facts]
	Targets []string            // values of the spec's Target parameters
	// Overwrites: the argument that the spec names so is true.
	Overwrites bool
	DryRun     bool
	Confirm    bool
	Echo       string // confirm as a text
	ID         string // idempotencyId
	// Part: the call is an entry of a batch, whose id it shares.
	Part bool
	// Recall finds what is known of the id, and claims the id for this call when
	// nothing is. In a preview it only looks. Nil when nothing is remembered.
	Recall func() (*Past, *answer.Failure)
	// Peer is asked only by calls that need the editor.
	Peer func() Peer
	// Parts checks the calls of a batch, by the rules of their own tools; nil for
	// other calls. It runs only when somebody can be asked.
	Parts func() ([]Part, *answer.Failure)
	// Ask puts the call to a person. For an entry of a batch it tells what became
	// of the batch. A failure says why there is no use in asking.
	Ask func(Concern) (Verdict, *answer.Failure)
	// Record makes sure, right before the effect of a call, that it will be
	// written down; nil for calls that are part of a recorded one.
	Record func() *answer.Failure
}

// Past is what is known of an earlier call with the same id.
type Past struct {
	Same bool // tool and arguments are the same
	// Open: its outcome is not known yet. Uncertain: it never will be.
	Open, Uncertain bool
}

// Gate is the fixed configuration of one server, and its toolset state.
type Gate struct {
	Profile  Profile
	Mode     Mode
	Layers   []Layer // strongest first; the mode's preset is the last
	Toolsets *Toolsets
	// OpenGate exposes irreversible tools although nobody approves calls.
	OpenGate bool
	// Approver names who approves calls; empty when nobody does.
	Approver string
	// FailOpen lets calls through when the approver cannot be reached.
	FailOpen bool
	// GoOn lets calls through that the rules want a person to approve, although
	// there is none; the ruling then says unasked.
	GoOn bool
	// Echo wants confirm to repeat the target instead of being true.
	Echo bool
	// RequireID wants an idempotencyId for every change.
	RequireID bool
}

// NewGate makes a gate whose only layers are those given, strongest first, and
// the preset of the mode.
func NewGate(p Profile, m Mode, t *Toolsets, layers ...Layer) *Gate {
	return &Gate{Profile: p, Mode: m, Layers: append(layers, Preset(m)), Toolsets: t}
}

// Check runs the stages in order and stops at the first that decides.
func (g *Gate) Check(r *Request) Decision { return g.run(Order, r) }

// Explain runs the stages that depend on nothing but configuration and
// arguments: what [Gate.Check] says before it looks at anything else.
func (g *Gate) Explain(r *Request) Decision {
	pure := slices.IndexFunc(Order, func(s Stage) bool { return s.Number > 3 })
	return g.run(Order[:pure], r)
}

func (g *Gate) run(stages []Stage, r *Request) Decision {
	d := Decision{Outcome: Proceed}
	for _, s := range stages {
		d.Stage = s.Name
		done := s.check(g, r, &d)
		if d.Failure != nil {
			d.Outcome = Refuse
			return d
		}
		if done {
			return d
		}
	}
	return d
}
