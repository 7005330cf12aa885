package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"godot-mcp/evals/run"
)

// String is the figure with its interval; — where it is not known.
func (e Estimate) String() string {
	if !e.Known {
		return "—"
	}
	return fmt.Sprintf("%.2f [%.2f, %.2f]", e.Value, e.Low, e.High)
}

// rate is a count of trials; of none it tells what can still be.
func rate(n, of int) string {
	if n == 0 && of > 0 {
		return fmt.Sprintf("0/%d (≤%.1f%%)", of, 100*UpperBound(of))
	}
	return fmt.Sprintf("%d/%d", n, of)
}

// MaxInfra is the share of infrastructure faults above which a run has no
// headline.
const MaxInfra = 0.05

// TooMuchInfra says whether too many trials of an agent did not come about.
func (a Agent) TooMuchInfra() bool {
	all := a.Scored + a.Infra + a.Tainted + a.Unscored
	return float64(a.Infra) > MaxInfra*float64(all)
}

// Terminal prints the table of agents, and what went wrong most.
func Terminal(w io.Writer, agents []Agent, records []run.Record) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	k := 1
	if len(agents) > 0 {
		k = agents[0].K
	}
	fmt.Fprintf(t, "agent\ttrials\ttrusted^1\ttrusted^%d\tpass@1\tpass^%d\tharm\toverclaim\tcalls\twaste\tschema tok\tresult tok\tinfra\n", k, k)
	for _, a := range agents {
		if a.TooMuchInfra() {
			fmt.Fprintf(t, "%s\t%d\tno headline: %d of %d trials failed for reasons that are not the agent's\n", a.Name, a.Scored, a.Infra, a.Scored+a.Infra+a.Tainted+a.Unscored)
			continue
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%.1f\t%.0f%%\t%.0f\t%.0f\t%d\n",
			a.Name, a.Scored, a.Trusted1, a.TrustedK, a.Pass1, a.PassK, rate(a.Harm, a.Scored), rate(a.Overclaims, a.Scored),
			a.Calls, 100*a.Wasted, a.SchemaTokens, a.ResultTokens, a.Infra)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	worst(w, records)
	return nil
}

// worst lists findings by how often they came, with the calls of the first.
func worst(w io.Writer, records []run.Record) {
	type row struct {
		key   string
		n, of int
		first string
	}
	rows := map[string]*row{}
	of := map[string]int{}
	for _, r := range records {
		of[r.Agent+" "+r.Task]++
		if r.Outcome != run.Scored {
			key := r.Agent + "  " + r.Task + "  " + string(r.Outcome)
			if rows[key] == nil {
				rows[key] = &row{key: key, first: r.Cause}
			}
			rows[key].n++
			rows[key].of = of[r.Agent+" "+r.Task]
			continue
		}
		for _, f := range r.Grade.Findings {
			if f.Verdict != "fail" {
				continue
			}
			key := r.Agent + "  " + r.Task + "  " + f.Check
			if rows[key] == nil {
				rows[key] = &row{key: key, first: fmt.Sprintf("trial %d: %s%s", r.Trial, f.Why, refs(f.Calls, f.Effects))}
			}
			rows[key].n++
			rows[key].of = of[r.Agent+" "+r.Task]
		}
	}
	list := make([]*row, 0, len(rows))
	for _, r := range rows {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *row) int {
		if a.n != b.n {
			return b.n - a.n
		}
		return strings.Compare(a.key, b.key)
	})
	if len(list) > 0 {
		fmt.Fprintln(w, "\nwhat went wrong, most often first:")
	}
	for _, r := range list[:min(len(list), 20)] {
		fmt.Fprintf(w, "  %s  %d  %s\n", r.key, r.n, r.first)
	}
	if len(list) > 20 {
		fmt.Fprintf(w, "  and %d more\n", len(list)-20)
	}
}

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

// DiffText prints the comparison of two runs.
func DiffText(w io.Writer, d Difference) {
	fmt.Fprintf(w, "trusted, second minus first, over %d tasks: %s\n", d.Tasks, d.Estimate)
	for _, x := range []struct {
		name  string
		tasks []string
	}{{"better", d.Better}, {"worse", d.Worse}, {"only in the first", d.OnlyA}, {"only in the second", d.OnlyB}} {
		if len(x.tasks) > 0 {
			fmt.Fprintf(w, "%s: %s\n", x.name, strings.Join(x.tasks, " "))
		}
	}
}
