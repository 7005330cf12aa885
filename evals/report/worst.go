package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"godot-mcp/evals/grade"
	"godot-mcp/evals/run"
)

// Wrong is one thing that went wrong with one agent on one task.
type Wrong struct {
	Agent, Task string
	// Check is the failed check or finding, or the outcome of trials that do not
	// count.
	Check    string
	Severity grade.Severity
	N        int // trials
	// First is the first of them, with its reason and what it rests on.
	First          run.Record
	Why            string
	Calls, Effects []int
}

// Worst lists what went wrong, most often first.
func Worst(records []run.Record) []Wrong {
	type key struct{ agent, task, check string }
	rows := map[key]*Wrong{}
	note := func(r run.Record, f grade.Finding) {
		k := key{r.Agent, r.Task, f.Check}
		if rows[k] == nil {
			rows[k] = &Wrong{Agent: r.Agent, Task: r.Task, Check: f.Check, Severity: f.Severity, First: r, Why: f.Why, Calls: f.Calls, Effects: f.Effects}
		}
		rows[k].N++
	}
	for _, r := range records {
		if r.Outcome != run.Scored {
			note(r, grade.Finding{Check: string(r.Outcome), Why: r.Cause})
			continue
		}
		for _, f := range r.Grade.Findings {
			if f.Verdict == grade.Fail {
				note(r, f)
			}
		}
	}
	var out []Wrong
	for _, w := range rows {
		out = append(out, *w)
	}
	slices.SortFunc(out, func(a, b Wrong) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Task, b.Task), cmp.Compare(a.Check, b.Check))
	})
	return out
}

// refs names calls and effects in a text.
func refs(calls, effects []int) string {
	var parts []string
	for _, c := range calls {
		parts = append(parts, fmt.Sprintf("call %d", c))
	}
	for _, e := range effects {
		parts = append(parts, fmt.Sprintf("effect %d", e))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
