package task

import (
	"fmt"
	"regexp"
	"slices"
)

func errorText(format string, args ...any) error { return fmt.Errorf(format, args...) }

// Check is one line of checks.txt: ID[@GROUP] WORD ARG... Where checks have
// groups, all checks without one and all of at least one group must pass.
type Check struct {
	ID    string `json:"id"`
	Group string `json:"group,omitempty"`
	Word  string `json:"word"`
	Args  []Arg  `json:"args"`
	Line  int    `json:"line"`
}

// Arg is one argument. A positional one has only a Value; a bare comparison
// such as ==1 has no Key.
type Arg struct {
	Key   string `json:"key,omitempty"`
	Op    string `json:"op,omitempty"` // = == != <= >= < > ~=
	Value string `json:"value"`
}

// Positional are the values of the arguments without an operator.
func (c Check) Positional() []string {
	var out []string
	for _, a := range c.Args {
		if a.Op == "" {
			out = append(out, a.Value)
		}
	}
	return out
}

// Named are the arguments with an operator.
func (c Check) Named() []Arg {
	return slices.DeleteFunc(slices.Clone(c.Args), func(a Arg) bool { return a.Op == "" })
}

// Option is the value of a key, or a default.
func (c Check) Option(key, otherwise string) string {
	for _, a := range c.Args {
		if a.Key == key && a.Op != "" {
			return a.Value
		}
	}
	return otherwise
}

var (
	checkID = regexp.MustCompile(`^([a-z][a-z0-9_]*)(?:@([a-z][a-z0-9_]*))?$`)
	argForm = regexp.MustCompile(`(?s)^([A-Za-z_][A-Za-z0-9_.:/]*)?(~=|!=|==|<=|>=|=|<|>)(.*)$`)
)

func parseChecks(member, text string) ([]Check, error) {
	all, err := lines(member, text)
	if err != nil {
		return nil, err
	}
	var out []Check
	for _, l := range all {
		m := checkID.FindStringSubmatch(l.Words[0])
		if m == nil || len(l.Words) < 2 {
			return nil, errorf(member, l.Number, "a check is ID[@GROUP] WORD ARG..., the id of small letters, digits and _")
		}
		c := Check{ID: m[1], Group: m[2], Word: l.Words[1], Line: l.Number}
		for _, w := range l.Words[2:] {
			c.Args = append(c.Args, parseArg(w))
		}
		if slices.ContainsFunc(out, func(o Check) bool { return o.ID == c.ID }) {
			return nil, errorf(member, l.Number, "the id %s stands twice", c.ID)
		}
		out = append(out, c)
	}
	return out, nil
}

func parseArg(w string) Arg {
	if m := argForm.FindStringSubmatch(w); m != nil {
		return Arg{m[1], m[2], m[3]}
	}
	return Arg{Value: w}
}
