// Package verify checks the suite against itself, without a model: the right
// solutions are trusted, every flawed agent fails exactly what its tasks say, and
// no check is there that nothing can fail.
package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"godot-mcp/evals/agents"
	"godot-mcp/evals/evidence"
	"godot-mcp/evals/grade"
	"godot-mcp/evals/sim"
	"godot-mcp/evals/task"
)

// Result is what the gates found. Problems is empty when all hold.
type Result struct {
	Tasks, Trials, Mutants int
	Problems               []string
	// Fails are the failing checks by agent and task, for every flawed agent.
	Fails map[string]map[string][]string
}

type verifier struct {
	mu     sync.Mutex
	result Result
	failed map[string]map[string]bool // task → checks that something failed
}

func (v *verifier) problem(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.result.Problems = append(v.result.Problems, fmt.Sprintf(format, args...))
}

func (v *verifier) note(t *task.Task, g grade.Grade) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, c := range g.Failed() {
		if v.failed[t.ID] == nil {
			v.failed[t.ID] = map[string]bool{}
		}
		v.failed[t.ID][c] = true
	}
}

// Run goes through all gates. The error is one of the machinery.
func Run(ctx context.Context, tasks []*task.Task, parallel int) (Result, error) {
	v := &verifier{failed: map[string]map[string]bool{}, result: Result{Tasks: len(tasks), Fails: map[string]map[string][]string{}}}
	byID := map[string]*task.Task{}
	for _, t := range tasks {
		byID[t.ID] = t
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(parallel)
	for _, t := range tasks {
		g.Go(func() error { return v.solutions(ctx, t) })
		g.Go(func() error { return v.tamper(ctx, t) })
		g.Go(func() error { return v.twins(ctx, t, byID[t.Twin]) })
		for _, f := range append(agents.Flaws(), agents.NoOp(), agents.Refuser()) {
			g.Go(func() error { return v.flaw(ctx, t, f) })
		}
	}
	if err := g.Wait(); err != nil {
		return v.result, err
	}
	for _, t := range tasks {
		v.coverage(t)
	}
	for _, f := range agents.Flaws() {
		if !slices.ContainsFunc(tasks, func(t *task.Task) bool { return len(t.Catches[f.Name]) > 0 }) {
			v.problem("no task catches %s", f.Name)
		}
	}
	slices.Sort(v.result.Problems)
	return v.result, nil
}

func (v *verifier) trial(ctx context.Context, t *task.Task, a sim.Agent) (*evidence.Evidence, grade.Grade, error) {
	ev, err := sim.Run(ctx, t, a)
	if err != nil {
		return nil, grade.Grade{}, fmt.Errorf("%s: %w", t.ID, err)
	}
	v.mu.Lock()
	v.result.Trials++
	v.mu.Unlock()
	g := grade.Of(t, ev)
	for _, f := range g.Findings {
		if f.Verdict == grade.Unscored {
			v.problem("%s: %s", t.ID, f.Why)
		}
	}
	return ev, g, nil
}

// solutions: the oracle is trusted, twice with the same bytes, and so is every
// alternative; every wrong end made from the oracle's is told from it.
func (v *verifier) solutions(ctx context.Context, t *task.Task) error {
	var stored [2][]byte
	var right *evidence.Evidence
	groups := map[string]bool{}
	for i := range stored {
		ev, g, err := v.trial(ctx, t, agents.Scripted(agents.Oracle, nil))
		if err != nil {
			return err
		}
		v.trusted(t, "oracle", ev, g, groups)
		if stored[i], err = json.Marshal(ev); err != nil {
			return err
		}
		right = ev
	}
	if !bytes.Equal(stored[0], stored[1]) {
		v.problem("%s: two runs of the oracle differ", t.ID)
	}
	if len(right.Calls) != t.OracleCalls {
		v.problem("%s: the oracle makes %d calls, task.json says %d", t.ID, len(right.Calls), t.OracleCalls)
	}
	for _, alt := range t.Alts {
		ev, g, err := v.trial(ctx, t, agents.Scripted(agents.Alternative(alt.Name), nil))
		if err != nil {
			return err
		}
		v.trusted(t, alt.Name, ev, g, groups)
		v.kill(t, alt.Name, ev)
	}
	for _, c := range t.Checks {
		if c.Group != "" && !groups[c.Group] {
			v.problem("%s: no solution ends as %s", t.ID, c.Group)
		}
	}
	v.kill(t, "oracle", right)
	return nil
}

// kill: every wrong end made from a right one is told from it.
func (v *verifier) kill(t *task.Task, name string, right *evidence.Evidence) {
	for _, m := range mutants(right) {
		g := grade.Of(t, m.ev)
		v.note(t, g)
		v.mu.Lock()
		v.result.Mutants++
		v.mu.Unlock()
		if g.Trusted {
			v.problem("%s: nothing notices that after %s the %s", t.ID, name, m.name)
		}
	}
}

func (v *verifier) trusted(t *task.Task, name string, ev *evidence.Evidence, g grade.Grade, groups map[string]bool) {
	if !g.Trusted || len(g.Failed()) > 0 {
		v.problem("%s: %s is not trusted: %s", t.ID, name, explain(ev, g))
	}
	if why := grade.Tampering(ev); why != "" {
		v.problem("%s: %s is taken for a tamperer: %s", t.ID, name, why)
	}
	for _, f := range g.Findings {
		if f.Group != "" && f.Verdict == grade.Pass {
			groups[f.Group] = true
		}
	}
}

// tamper: who reaches for the measurement gains nothing, and is noticed.
func (v *verifier) tamper(ctx context.Context, t *task.Task) error {
	ev, g, err := v.trial(ctx, t, agents.Scripted(agents.Oracle, agents.Tamperer()))
	if err != nil {
		return err
	}
	if !g.Trusted || len(g.Failed()) > 0 {
		v.problem("%s: the verdict of the tamperer is not that of the oracle: %s", t.ID, explain(ev, g))
	}
	if grade.Tampering(ev) == "" {
		v.problem("%s: nothing notices the tamperer", t.ID)
	}
	return nil
}

func explain(ev *evidence.Evidence, g grade.Grade) string {
	var parts []string
	for _, f := range g.Findings {
		if f.Verdict == grade.Fail {
			parts = append(parts, f.Check+": "+f.Why)
		}
	}
	if ev.Stop != evidence.Done {
		parts = append(parts, string(ev.Stop)+": "+ev.FinalText)
	}
	return strings.Join(parts, "; ")
}

// flaw: a flawed agent fails exactly the checks that the task says.
func (v *verifier) flaw(ctx context.Context, t *task.Task, f *agents.Flaw) error {
	_, g, err := v.trial(ctx, t, agents.Scripted(agents.Oracle, f))
	if err != nil {
		return err
	}
	v.note(t, g)
	failed := g.Failed()
	if f.Name == "no-op" || f.Name == "refuser" {
		if g.Trusted {
			v.problem("%s: %s is trusted", t.ID, f.Name)
		}
		return nil
	}
	v.mu.Lock()
	if len(failed) > 0 {
		if v.result.Fails[t.ID] == nil {
			v.result.Fails[t.ID] = map[string][]string{}
		}
		v.result.Fails[t.ID][f.Name] = failed
	}
	v.mu.Unlock()
	want := slices.Sorted(slices.Values(t.Catches[f.Name]))
	if !slices.Equal(want, failed) {
		v.problem("%s: %s fails %v, task.json says %v", t.ID, f.Name, failed, want)
	}
	return nil
}

// twins: where two tasks differ in their faults only, the oracle of one solves
// the other too: it decides by what it sees.
func (v *verifier) twins(ctx context.Context, t, twin *task.Task) error {
	switch {
	case t.Twin == "":
		return nil
	case twin == nil:
		v.problem("%s: there is no task %s", t.ID, t.Twin)
		return nil
	case t.Prompt != twin.Prompt || !maps.Equal(t.Project, twin.Project):
		return nil
	}
	swapped := *twin
	swapped.Oracle = t.Oracle
	ev, g, err := v.trial(ctx, &swapped, agents.Scripted(agents.Oracle, nil))
	if err == nil && !g.Trusted {
		v.problem("%s: the oracle does not solve its twin %s: %s", t.ID, twin.ID, explain(ev, g))
	}
	return err
}

// general are flaws that concern nearly every task.
var general = []string{"never-saver", "hedger", "understater", "stray-maker", "success-claimer"}

// coverage: what catches names exists, some particular flaw is caught, and each
// check can fail.
func (v *verifier) coverage(t *task.Task) {
	names := grade.Findings()
	for _, c := range t.Checks {
		names = append(names, c.ID)
		if c.Word != "collateral.allow" && !v.failed[t.ID][c.ID] {
			v.problem("%s: nothing fails check %s", t.ID, c.ID)
		}
	}
	particular := false
	flaws := agents.Flaws()
	for name, checks := range t.Catches {
		if !slices.ContainsFunc(flaws, func(f *agents.Flaw) bool { return f.Name == name }) {
			v.problem("%s: there is no flawed agent %s", t.ID, name)
		}
		particular = particular || !slices.Contains(general, name)
		for _, c := range checks {
			if !slices.Contains(names, c) {
				v.problem("%s: there is no check %s", t.ID, c)
			}
		}
	}
	if !particular {
		v.problem("%s: no particular flaw is caught", t.ID)
	}
}
