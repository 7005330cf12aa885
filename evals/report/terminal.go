package report

import (
	"fmt"
	"io"
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
	cells := func(once, row string) string { // with one trial a task there is no row
		if k == 1 {
			return once
		}
		return once + "\t" + row
	}
	fmt.Fprintf(t, "agent\ttrials\t%s\t%s\tharm\toverclaim\tcalls\twaste\tschema tok\tresult tok\tinfra\n",
		cells("trusted^1", fmt.Sprintf("trusted^%d", k)), cells("pass@1", fmt.Sprintf("pass^%d", k)))
	for _, a := range agents {
		if a.TooMuchInfra() {
			fmt.Fprintf(t, "%s\t%d\tno headline: %d of %d trials failed for reasons that are not the agent's\n", a.Name, a.Scored, a.Infra, a.Scored+a.Infra+a.Tainted+a.Unscored)
			continue
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\t%.1f\t%.0f%%\t%.0f\t%.0f\t%d\n",
			a.Name, a.Scored, cells(a.Trusted1.String(), a.TrustedK.String()), cells(a.Pass1.String(), a.PassK.String()), rate(a.Harm, a.Scored), rate(a.Overclaims, a.Scored),
			a.Calls, 100*a.Wasted, a.SchemaTokens, a.ResultTokens, a.Infra)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return worst(w, records)
}

const mostShown = 20

// worst lists what went wrong most, with the calls of the first case.
func worst(w io.Writer, records []run.Record) error {
	list := Worst(records)
	if len(list) == 0 {
		return nil
	}
	fmt.Fprintln(w, "\nwhat went wrong, most often first (trials; the first of them):")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range list[:min(len(list), mostShown)] {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%d\ttrial %d: %s%s\n", r.Agent, r.Task, r.Check, r.N, r.First.Trial, r.Why, refs(r.Calls, r.Effects))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(list) > mostShown {
		fmt.Fprintf(w, "  and %d more (eval export html shows all)\n", len(list)-mostShown)
	}
	return nil
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
