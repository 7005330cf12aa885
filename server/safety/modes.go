package safety

import (
	"fmt"
	"slices"
)

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
