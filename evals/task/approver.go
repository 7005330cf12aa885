package task

import (
	"path"
	"slices"
	"strings"
	"time"
)

// Decision is one line of what the person says who is asked about calls. The
// first line that fits a question decides.
type Decision struct {
	Answer string            // approve, deny or silent
	Tool   string            // own name, or *
	Args   map[string]string // globs over arguments, all of which must fit
	After  time.Duration     // until the answer
	Why    string
}

// Fits says whether the decision is about this call.
func (d Decision) Fits(tool string, args map[string]any) bool {
	if d.Tool != "*" && d.Tool != tool {
		return false
	}
	for name, glob := range d.Args {
		text, ok := args[name].(string)
		if !ok {
			return false
		}
		if fits, err := path.Match(glob, text); err != nil || !fits {
			return false
		}
	}
	return true
}

func parseDecision(words []string) (Decision, error) {
	if len(words) < 2 || !slices.Contains([]string{"approve", "deny", "silent"}, words[0]) {
		return Decision{}, errorText("approver wants approve|deny|silent TOOL [NAME=GLOB...] [after=D] [why=TEXT]")
	}
	d := Decision{Answer: words[0], Tool: words[1], Args: map[string]string{}}
	for _, w := range words[2:] {
		key, value, ok := strings.Cut(w, "=")
		switch {
		case !ok || key == "":
			return d, errorText("%q is not key=value", w)
		case key == "after":
			after, err := time.ParseDuration(value)
			if err != nil || after < 0 || after > MostDelay {
				return d, errorText("after wants a duration of at most %s, not %q", MostDelay, value)
			}
			d.After = after
		case key == "why":
			d.Why = value
		default:
			if _, err := path.Match(value, ""); err != nil {
				return d, errorText("%q is no pattern", value)
			}
			d.Args[key] = value
		}
	}
	return d, nil
}
