package safety

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Effect is what a rule says about a call.
type Effect string

// The effects.
const (
	Allow Effect = "allow"
	Ask   Effect = "ask"
	Deny  Effect = "deny"
)

// Rule is one line of a layer: an effect and conditions that must all hold. An
// empty condition holds for every call.
type Rule struct {
	ID      string
	Effect  Effect
	Tool    string // glob over exposed names
	Toolset string
	Class   Class
	Gated   *bool             // irreversible or not
	Path    string            // glob over every file path argument; one match is enough
	Args    map[string]string // argument name -> glob over its text
}

// Layer is a named list of rules. Later layers of a list are weaker.
type Layer struct {
	Name  string
	Rules []Rule
}

// Facts are what rules look at: the tool and, for a call, its final arguments.
type Facts struct {
	Spec  *Spec
	Paths []string
	// Args holds scalar arguments as text.
	Args map[string]string
}

// Ruling is the outcome of an evaluation: what, and which layer and rule said so.
type Ruling struct {
	Effect Effect `json:"effect"`
	Layer  string `json:"layer"`
	Rule   string `json:"rule"`
}

// Evaluate asks the layers in order; the first in which a rule matches decides,
// and within it deny beats ask beats allow. Nothing matched is deny.
func Evaluate(layers []Layer, f Facts) Ruling {
	for _, l := range layers {
		var best *Rule
		for i := range l.Rules {
			r := &l.Rules[i]
			if r.matches(f) && (best == nil || strength(r.Effect) > strength(best.Effect)) {
				best = r
			}
		}
		if best != nil {
			return Ruling{Effect: best.Effect, Layer: l.Name, Rule: best.ID}
		}
	}
	return Ruling{Effect: Deny, Layer: "default", Rule: "nothing matched"}
}

func strength(e Effect) int { return slices.Index([]Effect{Allow, Ask, Deny}, e) }

func (r *Rule) matches(f Facts) bool {
	s := f.Spec
	if r.Tool != "" && !glob(r.Tool, s.Name) ||
		r.Toolset != "" && r.Toolset != s.Toolset ||
		r.Class != "" && r.Class != s.Class ||
		r.Gated != nil && *r.Gated != s.Irreversible {
		return false
	}
	if r.Path != "" && !slices.ContainsFunc(f.Paths, func(p string) bool { return glob(r.Path, p) }) {
		return false
	}
	for name, pattern := range r.Args {
		if v, ok := f.Args[name]; !ok || !glob(pattern, v) {
			return false
		}
	}
	return true
}

// glob matches whole texts; * crosses slashes, since paths are matched as text.
func glob(pattern, text string) bool {
	const slash = "\x00"
	ok, err := path.Match(strings.ReplaceAll(pattern, "/", slash), strings.ReplaceAll(text, "/", slash))
	return err == nil && ok
}

// Mode is how risky a call may be; a preset of rules and nothing else.
type Mode string

// The modes.
const (
	ModeReadOnly       Mode = "read-only"
	ModeNonDestructive Mode = "non-destructive"
	ModeFull           Mode = "full"
)

// Modes lists the modes, most careful first.
func Modes() []Mode { return []Mode{ModeReadOnly, ModeNonDestructive, ModeFull} }

// ParseMode reads a mode; allow-writes is another name of full.
func ParseMode(s string) (Mode, error) {
	if s == "allow-writes" {
		return ModeFull, nil
	}
	if slices.Contains(Modes(), Mode(s)) {
		return Mode(s), nil
	}
	return "", fmt.Errorf("unknown mode %q: choose read-only, non-destructive or full", s)
}

// DefaultMode is the mode of a profile when none is given.
func DefaultMode(p Profile) Mode {
	if p == Core {
		return ModeReadOnly
	}
	return ModeFull
}

// ParseProfile reads a profile.
func ParseProfile(s string) (Profile, error) {
	if slices.Contains(Profiles(), Profile(s)) {
		return Profile(s), nil
	}
	return "", fmt.Errorf("unknown profile %q: choose core, editor, runtime or full", s)
}

// Preset is the rule layer of a mode.
func Preset(m Mode) Layer {
	l := Layer{Name: "mode " + string(m)}
	allow := map[Mode][]Class{
		ModeReadOnly:       {ReadOnly},
		ModeNonDestructive: {ReadOnly, Runtime, Mutating},
		ModeFull:           Classes(),
	}
	for _, c := range allow[m] {
		l.Rules = append(l.Rules, Rule{ID: string(m) + ": allow " + string(c), Effect: Allow, Class: c})
	}
	for _, c := range Classes() {
		if !slices.Contains(allow[m], c) {
			l.Rules = append(l.Rules, Rule{ID: string(m) + ": deny " + string(c), Effect: Deny, Class: c})
		}
	}
	return l
}
