// Package report makes figures and pages from stored trials.
package report

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"godot-mcp/evals/evidence"
	"godot-mcp/evals/grade"
	"godot-mcp/evals/run"
)

// Estimate is a figure with an interval of 95 %. Known is false where there are
// too few trials for it.
type Estimate struct {
	Value, Low, High float64
	Known            bool
}

// Agent is what a run says of one agent.
type Agent struct {
	Name   string
	Tasks  int
	Scored int
	// Infra, Tainted and Unscored trials are in no figure.
	Infra, Tainted, Unscored int

	Pass1, PassK       Estimate // goal met: the mean, and K trials in a row
	Trusted1, TrustedK Estimate
	K                  int

	Harm, Overclaims, Underclaims, NoReport int
	// Findings counts trials by failed check, automatic findings only.
	Findings                                  map[string]int
	Calls, SchemaTokens, ResultTokens, WallMS float64 // means per scored trial
	Turns, InputTokens, OutputTokens          float64
	Cost                                      float64 // of all trials
	Wasted                                    float64 // share of calls
	// Curve is trusted^1 to trusted^K.
	Curve []Estimate
	// Calibration counts trials by what they reported.
	Calibration []Calibration
}

// Calibration is how often an outcome was reported, and how often that was true.
type Calibration struct {
	Reported string // done, partial, not_done or none
	N, True  int
}

// UpperBound is the bound at 95 % of a rate that was seen 0 times in n trials
// (rule of three).
func UpperBound(n int) float64 { return math.Min(1, 3/float64(max(n, 1))) }

// PassHat is the chance that k trials in a row pass, estimated without bias
// from c of n: C(c,k)/C(n,k). ok is false for n < k.
func PassHat(n, c, k int) (p float64, ok bool) {
	if n < k || k < 1 {
		return 0, false
	}
	p = 1
	for i := range k {
		p *= float64(c-i) / float64(n-i)
	}
	return math.Max(0, p), true
}

// PassAt is the chance that at least one of k trials passes.
func PassAt(n, c, k int) (p float64, ok bool) {
	miss, ok := PassHat(n, n-c, k)
	return 1 - miss, ok
}

const resamples = 2000

// cell counts the trials of one agent on one task.
type cell struct{ n, goal, trusted int }

// Table makes the figures of all agents, by name. K is the length of a row.
// cluster names what belongs together (a task and its twin); nil takes each
// task for itself.
func Table(records []run.Record, k int, cluster func(task string) string) []Agent {
	byAgent := map[string][]run.Record{}
	for _, r := range records {
		byAgent[r.Agent] = append(byAgent[r.Agent], r)
	}
	var out []Agent
	for name, rs := range byAgent {
		out = append(out, figures(name, rs, k, cluster))
	}
	slices.SortFunc(out, func(a, b Agent) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// noReport stands in place of an outcome.
const noReport = "none"

// automatic says whether a failed check is a finding of every task.
func automatic(r run.Record, check string) bool {
	for _, f := range r.Grade.Findings {
		if f.Check == check {
			return f.Family == "safety" || f.Family == "honesty"
		}
	}
	return false
}

func figures(name string, rs []run.Record, k int, cluster func(string) string) Agent {
	a := Agent{Name: name, K: k, Findings: map[string]int{}}
	for _, outcome := range append(slices.Clone(evidence.Outcomes), noReport) {
		a.Calibration = append(a.Calibration, Calibration{Reported: outcome})
	}
	cells := map[string]*cell{}
	calls := 0.0
	for _, r := range rs {
		a.Cost += r.Metrics.Cost
		switch r.Outcome {
		case run.Infra:
			a.Infra++
			continue
		case run.Tainted:
			a.Tainted++
			continue
		case run.Unscored:
			a.Unscored++
			continue
		}
		a.Scored++
		c := cells[r.Task]
		if c == nil {
			c = &cell{}
			cells[r.Task] = c
		}
		c.n++
		c.goal += one(r.Goal)
		c.trusted += one(r.Trusted)
		i := slices.IndexFunc(a.Calibration, func(c Calibration) bool { return c.Reported == cmp.Or(r.Reported, noReport) })
		if i >= 0 {
			a.Calibration[i].N++
			a.Calibration[i].True += one(r.Honest == grade.Honest)
		}
		a.Harm += one(r.Safe == "harm")
		a.Overclaims += one(r.Honest == "overclaim")
		a.Underclaims += one(r.Honest == "underclaim")
		a.NoReport += one(r.Honest == "no_report")
		for _, f := range r.Failed {
			if automatic(r, f) {
				a.Findings[f]++
			}
		}
		m := r.Metrics
		calls += float64(m.Calls)
		a.Wasted += float64(m.Wasted)
		a.SchemaTokens += float64(m.SchemaTokens)
		a.ResultTokens += float64(m.ResultTokens)
		a.Turns += float64(m.Turns)
		a.InputTokens += float64(m.InputTokens)
		a.OutputTokens += float64(m.OutputTokens)
		a.WallMS += float64(r.WallMS)
	}
	n := math.Max(1, float64(a.Scored))
	a.Wasted /= math.Max(1, calls)
	a.Calls = calls / n
	for _, f := range []*float64{&a.SchemaTokens, &a.ResultTokens, &a.WallMS, &a.Turns, &a.InputTokens, &a.OutputTokens} {
		*f /= n
	}
	a.Tasks = len(cells)
	groups := clusters(cells, cluster)
	goal := func(c *cell) int { return c.goal }
	trusted := func(c *cell) int { return c.trusted }
	a.Pass1, a.PassK = estimate(groups, goal, 1), estimate(groups, goal, k)
	for i := range max(1, k) {
		a.Curve = append(a.Curve, estimate(groups, trusted, i+1))
	}
	a.Trusted1, a.TrustedK = a.Curve[0], a.Curve[len(a.Curve)-1]
	return a
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func clusters(cells map[string]*cell, cluster func(string) string) [][]*cell {
	by := map[string][]*cell{}
	var names []string
	for _, t := range slices.Sorted(mapKeys(cells)) {
		key := t
		if cluster != nil {
			key = cluster(t)
		}
		if by[key] == nil {
			names = append(names, key)
		}
		by[key] = append(by[key], cells[t])
	}
	var out [][]*cell
	for _, n := range names {
		out = append(out, by[n])
	}
	return out
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// estimate is the mean of pass^k over tasks, with a bootstrap interval over
// clusters. The seed is fixed: equal records give equal figures.
func estimate(groups [][]*cell, count func(*cell) int, k int) Estimate {
	mean := func(pick func(i int) []*cell) (float64, bool) {
		sum, n := 0.0, 0
		for i := range groups {
			for _, c := range pick(i) {
				p, ok := PassHat(c.n, count(c), k)
				if !ok {
					return 0, false
				}
				sum += p
				n++
			}
		}
		return sum / math.Max(1, float64(n)), n > 0
	}
	var e Estimate
	if e.Value, e.Known = mean(func(i int) []*cell { return groups[i] }); !e.Known {
		return e
	}
	r := rand.New(rand.NewPCG(1, 2))
	draws := make([]float64, resamples)
	for d := range draws {
		draws[d], _ = mean(func(int) []*cell { return groups[r.IntN(len(groups))] })
	}
	slices.Sort(draws)
	e.Low, e.High = draws[resamples*25/1000], draws[resamples*975/1000-1]
	return e
}

// Difference is the paired difference of two agents, or of one agent in two
// runs: trusted in B minus trusted in A, per task that both have.
type Difference struct {
	Tasks         int
	Estimate      Estimate
	Better, Worse []string
	OnlyA, OnlyB  []string
}

// Diff compares the trust of two sets of records, task by task.
func Diff(a, b []run.Record, cluster func(string) string) Difference {
	count := func(rs []run.Record) map[string]*cell {
		out := map[string]*cell{}
		for _, r := range rs {
			if r.Outcome != run.Scored {
				continue
			}
			if out[r.Task] == nil {
				out[r.Task] = &cell{}
			}
			out[r.Task].n++
			out[r.Task].trusted += one(r.Trusted)
		}
		return out
	}
	x, y := count(a), count(b)
	var d Difference
	by := map[string][]float64{}
	for _, t := range slices.Sorted(mapKeys(x)) {
		if y[t] == nil {
			d.OnlyA = append(d.OnlyA, t)
			continue
		}
		diff := float64(y[t].trusted)/float64(y[t].n) - float64(x[t].trusted)/float64(x[t].n)
		key := t
		if cluster != nil {
			key = cluster(t)
		}
		by[key] = append(by[key], diff)
		d.Tasks++
		if diff > 0 {
			d.Better = append(d.Better, t)
		} else if diff < 0 {
			d.Worse = append(d.Worse, t)
		}
	}
	for _, t := range slices.Sorted(mapKeys(y)) {
		if x[t] == nil {
			d.OnlyB = append(d.OnlyB, t)
		}
	}
	d.Estimate = bootstrap(by)
	return d
}

func bootstrap(by map[string][]float64) Estimate {
	names := slices.Sorted(mapKeys(by))
	mean := func(pick func(i int) []float64) float64 {
		sum, n := 0.0, 0
		for i := range names {
			for _, v := range pick(i) {
				sum += v
				n++
			}
		}
		return sum / math.Max(1, float64(n))
	}
	e := Estimate{Known: len(names) > 0}
	if !e.Known {
		return e
	}
	e.Value = mean(func(i int) []float64 { return by[names[i]] })
	r := rand.New(rand.NewPCG(1, 2))
	draws := make([]float64, resamples)
	for d := range draws {
		draws[d] = mean(func(int) []float64 { return by[names[r.IntN(len(names))]] })
	}
	slices.Sort(draws)
	e.Low, e.High = draws[resamples*25/1000], draws[resamples*975/1000-1]
	return e
}
