package safety

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"godot-mcp/server/answer"
)

// Effect is what a rule says about a call.
type Effect string

// The effects.
const (
	Allow Effect = "allow"
	Ask   Effect = "ask"
	Deny  Effect = "deny"
)

// Effects lists the effects, mildest first.
func Effects() []Effect { return []Effect{Allow, Ask, Deny} }

func strength(e Effect) int { return slices.Index(Effects(), e) }

// Rule is one line of a layer: an effect and conditions that must all hold. An
// empty condition holds for every call.
type Rule struct {
	ID      string // as people read it
	Effect  Effect
	Tool    string // glob over exposed names
	Toolset string
	Class   Class
	Gated   *bool // irreversible or not
	// Path and Args look at the call. A rule that refuses or asks holds when one
	// of the call's paths (one of the texts of the argument) fits; one that
	// allows holds only when all of them do.
	Path string           // glob over file paths in arguments and values
	Args map[string]Match // by argument name
	// Overrides lets the rule loosen what a weaker layer says.
	Overrides bool
	Reason    string // for the caller, in a refusal
	Line      int    // in the file it comes from
}

// Match is a condition on the text of an argument: equal byte for byte, or a glob.
type Match struct {
	Text string
	Glob bool
}

func (m Match) fits(text string) bool { return m.Glob && glob(m.Text, text) || m.Text == text }

// Layer is a named list of rules. Later layers of a list are weaker.
type Layer struct {
	Name  string
	Rules []Rule
}

// Facts are what rules look at: the tool and, for a call, its final arguments.
type Facts struct {
	Spec  *Spec
	Paths []string
	// Args holds the arguments as texts: one of a scalar, one per element of a
	// list, the JSON of what is nested deeper.
	Args map[string][]string
}

// Ruling is the outcome of an evaluation: what, and which layer and rule said so.
type Ruling struct {
	Effect Effect `json:"effect"`
	Layer  string `json:"layer"`
	Rule   string `json:"rule"`
	Line   int    `json:"line,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Overrides: a rule allows it that loosens what the weaker layers say.
	Overrides bool `json:"overrides,omitempty"`
	// Unasked: the rules wanted a person to be asked, there was none, and the
	// server was started to go on then.
	Unasked bool `json:"unasked,omitempty"`
}

// String says where the ruling comes from.
func (r Ruling) String() string {
	if r.Line == 0 {
		return r.Layer + ", " + r.Rule
	}
	return fmt.Sprintf("%s line %d, %s", r.Layer, r.Line, r.Rule)
}

// Evaluate asks every layer; in each, deny beats ask beats allow. A stronger
// layer tightens what the weaker ones came to, and loosens it only by a rule
// that overrides. Nothing matched is deny.
func Evaluate(layers []Layer, f Facts) Ruling {
	return combine(layers, func(l *Layer) []*Rule {
		return []*Rule{strictest(l, func(r *Rule) bool { return r.onTool(f.Spec) && r.onCall(f) })}
	})
}

// Mildest is the mildest that [Evaluate] can come to for any call of a tool:
// deny means that no arguments help. Conditions on arguments are taken one at
// a time, so of several that contradict each other it may expect too much, never
// too little.
func Mildest(layers []Layer, s *Spec) Ruling {
	return combine(layers, func(l *Layer) []*Rule {
		certain := func(r *Rule) bool { return r.onTool(s) && !r.conditional() }
		out := []*Rule{strictest(l, certain)}
		for i := range l.Rules {
			if r := &l.Rules[i]; r.onTool(s) && r.conditional() && r.canApply(s) {
				out = append(out, strictest(l, func(o *Rule) bool { return o == r || certain(o) }))
			}
		}
		return out
	})
}

// combine goes from the weakest layer to the strongest. Choices names the
// rules of a layer one of which may decide; nil is none. The mildest result wins.
func combine(layers []Layer, choices func(*Layer) []*Rule) Ruling {
	now := Ruling{Effect: Deny, Layer: "default", Rule: "nothing matched"}
	decided := false
	for i := len(layers) - 1; i >= 0; i-- {
		l := &layers[i]
		best := Ruling{}
		some := false
		for _, r := range choices(l) {
			next := now
			if r != nil && (!decided || r.Overrides || strength(r.Effect) >= strength(now.Effect)) {
				next = Ruling{Effect: r.Effect, Layer: l.Name, Rule: r.ID, Line: r.Line, Reason: r.Reason, Overrides: r.Overrides && r.Effect == Allow}
			}
			if best.Effect == "" || strength(next.Effect) < strength(best.Effect) {
				best = next
			}
			some = some || r != nil
		}
		now, decided = best, decided || some
	}
	return now
}

// strictest finds the rule of a layer that decides among those that hold.
func strictest(l *Layer, holds func(*Rule) bool) *Rule {
	var best *Rule
	for i := range l.Rules {
		r := &l.Rules[i]
		if !holds(r) {
			continue
		}
		if best == nil || strength(r.Effect) > strength(best.Effect) || r.Effect == best.Effect && r.Overrides && !best.Overrides {
			best = r
		}
	}
	return best
}

// conditional says whether the rule looks at the arguments of a call.
func (r *Rule) conditional() bool { return r.Path != "" || len(r.Args) > 0 }

func (r *Rule) onTool(s *Spec) bool {
	return (r.Tool == "" || glob(r.Tool, s.Name)) && (r.Toolset == "" || r.Toolset == s.Toolset) &&
		(r.Class == "" || r.Class == s.Class) && (r.Gated == nil || *r.Gated == s.Irreversible)
}

// canApply says whether calls of the tool have what the rule looks at.
func (r *Rule) canApply(s *Spec) bool {
	if r.Path != "" && !s.Values && !slices.ContainsFunc(s.Paths, func(p PathParam) bool { return p.Kind == FilePath }) {
		return false
	}
	for name := range r.Args {
		if !slices.Contains(s.Args, name) {
			return false
		}
	}
	return true
}

func (r *Rule) onCall(f Facts) bool {
	if r.Path != "" {
		paths, pattern := f.Paths, r.Path
		if r.Effect != Allow {
			// Some file systems take two spellings for one file.
			paths, pattern = lower(paths), strings.ToLower(pattern)
		}
		if !r.among(paths, Match{pattern, true}) {
			return false
		}
	}
	for name, m := range r.Args {
		if !r.among(f.Args[name], m) {
			return false
		}
	}
	return true
}

func (r *Rule) among(texts []string, m Match) bool {
	if r.Effect != Allow {
		return slices.ContainsFunc(texts, m.fits)
	}
	return len(texts) > 0 && !slices.ContainsFunc(texts, func(t string) bool { return !m.fits(t) })
}

func lower(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = strings.ToLower(t)
	}
	return out
}

// glob matches whole texts; * crosses slashes, since paths are matched as text.
func glob(pattern, text string) bool {
	const slash = "\x00"
	ok, err := path.Match(strings.ReplaceAll(pattern, "/", slash), strings.ReplaceAll(text, "/", slash))
	return err == nil && ok
}

// LooksAt says whether a rule has a condition on an argument of a tool.
func (g *Gate) LooksAt(s *Spec, arg string) bool {
	return slices.ContainsFunc(g.Layers, func(l Layer) bool {
		return slices.ContainsFunc(l.Rules, func(r Rule) bool {
			_, conditional := r.Args[arg]
			return conditional && r.Matches(s)
		})
	})
}

// Reached says what the rules make of what a call came to by itself: files, such as
// the script of a node it was given, with the arguments that it has. Nobody can be
// asked any more, so what a rule wants asked is refused.
func (g *Gate) Reached(f Facts) *answer.Failure {
	r := Evaluate(g.Layers, f)
	if r.Effect == Allow || r.Effect == Ask && g.GoOn && g.Approver == "" {
		return nil
	}
	return refusedBy(r, f.Spec)
}

// Matches says whether a rule can concern a tool at all, whatever the arguments.
func (r *Rule) Matches(s *Spec) bool { return r.onTool(s) && r.canApply(s) }
