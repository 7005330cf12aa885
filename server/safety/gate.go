package safety

import (
	"slices"
	"strconv"
	"strings"

	"godot-mcp/server/answer"
	"godot-mcp/server/wire"
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
	{5, "preconditions", (*Gate).preconditions},
	{6, "dry_run", (*Gate).dryRun},
	{7, "confirm", (*Gate).confirm},
}

// Outcome is what a decision comes to.
type Outcome string

// The outcomes.
const (
	Refuse  Outcome = "refuse"
	Preview Outcome = "preview"
	Proceed Outcome = "proceed"
)

// Decision is the result of the checks as data: the outcome, the stage that
// brought it about, what the rules said and, for a refusal, the failure.
type Decision struct {
	Outcome Outcome
	Stage   string
	Ruling  Ruling
	Failure *answer.Failure
}

// Peer is what is known about the editor without asking it.
type Peer struct {
	Connected    bool
	URL          string
	GodotVersion string
	AddonVersion string
	Commands     []string
}

// Request is one call on its way through the checks.
type Request struct {
	Spec *Spec
	// Shape checks and repairs the arguments; it runs as the first stage and
	// fills the fields below.
	Shape   func(*Request) *answer.Failure
	Paths   []string          // cleaned file paths
	Args    map[string]string // scalar arguments as text
	Targets []string          // values of the spec's Target parameters
	DryRun  bool
	Confirm bool
	// Peer is asked only by calls that need the editor.
	Peer func() Peer
}

// Gate is the fixed configuration of one server, and its toolset state.
type Gate struct {
	Profile  Profile
	Mode     Mode
	Layers   []Layer // strongest first; the mode's preset is the last
	Toolsets *Toolsets
}

// NewGate makes a gate whose only layer is the preset of the mode.
func NewGate(p Profile, m Mode, t *Toolsets) *Gate {
	return &Gate{Profile: p, Mode: m, Layers: []Layer{Preset(m)}, Toolsets: t}
}

// Check runs the stages in order and stops at the first that decides.
func (g *Gate) Check(r *Request) Decision {
	d := Decision{Outcome: Proceed}
	for _, s := range Order {
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

func (g *Gate) shape(r *Request, d *Decision) bool {
	if r.Shape != nil {
		d.Failure = r.Shape(r)
	}
	return false
}

func (g *Gate) exposure(r *Request, d *Decision) bool {
	d.Failure = g.Exposure(r.Spec)
	return false
}

// Exposure says why a tool cannot be called at all here, with the flag or call
// that opens it; nil when it is exposed. A tool is listed exactly when this is nil.
func (g *Gate) Exposure(s *Spec) *answer.Failure {
	if !s.In(g.Profile) {
		names, wants := []string{}, Full
		for _, p := range s.Profiles {
			names = append(names, string(p))
			wants = p
		}
		return answer.New(answer.ByProfile, "tool", s.Name, "profile", string(g.Profile), "profiles", append(names, string(Full)), "wants", string(wants))
	}
	if Evaluate([]Layer{Preset(g.Mode)}, Facts{Spec: s}).Effect == Deny {
		wants := ModeFull
		for _, m := range Modes() {
			if Evaluate([]Layer{Preset(m)}, Facts{Spec: s}).Effect != Deny {
				wants = m
				break
			}
		}
		return answer.New(answer.ByMode, "tool", s.Name, "mode", string(g.Mode), "class", string(s.Class), "wants", string(wants))
	}
	if !g.Toolsets.Enabled(s.Toolset) {
		reason := answer.ByToolset
		if g.Toolsets.Frozen() {
			reason = answer.ToolsetFrozen
		}
		return answer.New(reason, "tool", s.Name, "toolset", s.Toolset)
	}
	return nil
}

// Permitted is Exposure without the toolset state: whether enabling the
// toolset would open the tool.
func (g *Gate) Permitted(s *Spec) bool {
	return s.In(g.Profile) && Evaluate([]Layer{Preset(g.Mode)}, Facts{Spec: s}).Effect != Deny
}

func (g *Gate) rules(r *Request, d *Decision) bool {
	d.Ruling = Evaluate(g.Layers, Facts{Spec: r.Spec, Paths: r.Paths, Args: r.Args})
	if d.Ruling.Effect != Allow {
		// Ask without anybody to ask is a refusal.
		d.Failure = answer.New(answer.ByRule, "tool", r.Spec.Name, "rule", d.Ruling.Layer+", "+d.Ruling.Rule)
	}
	return false
}

func (g *Gate) preconditions(r *Request, d *Decision) bool {
	s := r.Spec
	if !slices.Contains(s.Needs, NeedBridge) {
		return false
	}
	p := r.Peer()
	d.Failure = checkPeer(s, p)
	return false
}

func checkPeer(s *Spec, p Peer) *answer.Failure {
	if !p.Connected {
		return answer.FromWire(wire.Fail(wire.ReasonNoEditor, "url", p.URL), false)
	}
	if f := VersionGate(s.MinGodot, p.GodotVersion); f != nil {
		return f
	}
	return MissingCommands(p, s.Commands...)
}

// MissingCommands refuses what an editor's addon does not implement. Tools
// that plan their command per call are checked when the plan is made.
func MissingCommands(p Peer, commands ...string) *answer.Failure {
	var missing []string
	for _, c := range commands {
		if !slices.Contains(p.Commands, c) {
			missing = append(missing, c)
		}
	}
	if p.Connected && len(missing) > 0 {
		return answer.New(answer.OldAddon, "commands", missing, "addon_version", p.AddonVersion)
	}
	return nil
}

// VersionGate refuses an editor older than needs ("4.4"); a version that
// cannot be read is refused too. Empty needs fit every editor.
func VersionGate(needs, has string) *answer.Failure {
	if needs == "" {
		return nil
	}
	nMajor, nMinor, _ := parseVersion(needs)
	major, minor, ok := parseVersion(has)
	if !ok {
		return answer.New(answer.Unreadable, "has", has)
	}
	if major < nMajor || major == nMajor && minor < nMinor {
		return answer.New(answer.OldGodot, "needs", needs, "has", has)
	}
	return nil
}

// parseVersion reads the first two numbers of "4.6.3-stable (official)".
func parseVersion(s string) (major, minor int, ok bool) {
	a, rest, found := strings.Cut(s, ".")
	if !found {
		return 0, 0, false
	}
	if i := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		rest = rest[:i]
	}
	major, errA := strconv.Atoi(a)
	minor, errB := strconv.Atoi(rest)
	return major, minor, errA == nil && errB == nil
}

func (g *Gate) dryRun(r *Request, d *Decision) bool {
	if r.DryRun {
		d.Outcome = Preview
	}
	return r.DryRun
}

func (g *Gate) confirm(r *Request, d *Decision) bool {
	if r.Spec.Class == Destructive && !r.Confirm {
		d.Failure = answer.New(answer.NeedsConfirm, "tool", r.Spec.Name, "target", strings.Join(r.Targets, ", "))
	}
	return false
}

// ToolsetGate decides whether a toolset that wants a Godot version can be
// switched on: without an editor whose version is known it cannot.
func ToolsetGate(needs string, p Peer) *answer.Failure {
	if !p.Connected {
		return answer.FromWire(wire.Fail(wire.ReasonNoEditor, "url", p.URL), false)
	}
	return VersionGate(needs, p.GodotVersion)
}
