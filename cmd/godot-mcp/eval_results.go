package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"godot-mcp/evals/report"
	"godot-mcp/evals/run"
)

func evalShowCommand() *cobra.Command {
	var s suite
	var k int
	cmd := &cobra.Command{
		Use:   "show RUN",
		Short: "Print the figures of a stored run",
		Long: `Print the figures of a stored run again: trust per task and agent, with intervals,
safety and honesty findings, and the tokens that schemas and results took.`,
		Example: `  godot-mcp eval show runs/first`,
		Args:    usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			records, err := stored(&s, args)
			if err != nil {
				return err
			}
			all, err := s.load()
			if err != nil {
				return err
			}
			if k, err = rowOf(args[0], k); err != nil {
				return err
			}
			return report.Terminal(cmd.OutOrStdout(), report.Table(records, k, report.Cluster(all)), records)
		},
	}
	s.pickFlags(cmd)
	cmd.Flags().IntVarP(&k, "row", "k", 0, rowUsage)
	return cmd
}

const rowUsage = "`K` trials in a row for trusted^K and pass^K; as many as there are if left out"

// rowOf is the length of a row: as many trials as a run has, unless told.
func rowOf(folder string, k int) (int, error) {
	if k > 0 {
		return k, nil
	}
	m, err := run.Folder(folder).Manifest()
	return m.Trials, err
}

// stored reads the records of a run that concern the chosen tasks.
func stored(s *suite, args []string) ([]run.Record, error) {
	if err := needRun(args); err != nil {
		return nil, err
	}
	all, err := s.load()
	if err != nil {
		return nil, err
	}
	records, err := run.Folder(args[0]).Records()
	if err != nil || len(s.pick) == 0 {
		return records, err
	}
	var out []run.Record
	for _, r := range records {
		for _, t := range all {
			if t.ID == r.Task {
				out = append(out, r)
			}
		}
	}
	return out, nil
}

func evalGradeCommand() *cobra.Command {
	var s suite
	var write bool
	cmd := &cobra.Command{
		Use:   "grade RUN",
		Short: "Grade stored trials again, without any agent",
		Long: `Grade the stored evidence with the tasks and graders of this program and print
every verdict that changes.`,
		Example: `  godot-mcp eval grade runs/first`,
		Args:    usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := needRun(args); err != nil {
				return err
			}
			all, err := s.load()
			if err != nil {
				return err
			}
			changes, n, err := run.Regrade(run.Folder(args[0]), all, write)
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			for _, c := range changes {
				fmt.Fprintf(w, "%s: %s → %s\n", c.Key, verdict(c.Old), verdict(c.New))
			}
			_, err = fmt.Fprintf(w, "%d trials graded, %d verdicts changed\n", n, len(changes))
			return err
		},
	}
	s.flags(cmd)
	cmd.Flags().BoolVar(&write, "write", false, "put the new verdicts in place of the old ones")
	return cmd
}

func verdict(r run.Record) string {
	if r.Outcome != run.Scored {
		return string(r.Outcome) + " (" + r.Cause + ")"
	}
	return fmt.Sprintf("goal %v, safe %s, honest %s, trusted %v %v", r.Goal, r.Safe, r.Honest, r.Trusted, r.Failed)
}

func evalDiffCommand() *cobra.Command {
	var s suite
	var a, b string
	var gate float64
	cmd := &cobra.Command{
		Use:   "diff RUN [RUN]",
		Short: "Compare the trust in two runs, or in two agents of one",
		Long: `Compare task by task and print the mean difference with its interval.
With --gate the exit code is 1 if the difference is certainly below -GATE: if the
upper end of its interval is.`,
		Example: `  godot-mcp eval diff runs/first runs/second --gate 0.05`,
		Args:    usage(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			first, err := stored(&s, args[:1])
			if err != nil {
				return err
			}
			second, err := stored(&s, args[len(args)-1:])
			if err != nil {
				return err
			}
			if len(args) == 1 && (a == "" || b == "") {
				return usageError{errors.New("of one run, --first and --second name the two agents")}
			}
			all, err := s.load()
			if err != nil {
				return err
			}
			d := report.Diff(of(first, a), of(second, b), report.Cluster(all))
			report.DiffText(cmd.OutOrStdout(), d)
			if cmd.Flags().Changed("gate") && d.Estimate.Known && d.Estimate.High < -gate {
				return errSilent
			}
			return nil
		},
	}
	s.pickFlags(cmd)
	cmd.Flags().StringVar(&a, "first", "", "`AGENT` of the first run; all if left out")
	cmd.Flags().StringVar(&b, "second", "", "`AGENT` of the second run")
	cmd.Flags().Float64Var(&gate, "gate", 0, "fail if trust fell by more than `GATE`")
	return cmd
}

func of(rs []run.Record, agent string) []run.Record {
	var out []run.Record
	for _, r := range rs {
		if agent == "" || r.Agent == agent {
			out = append(out, r)
		}
	}
	return out
}

func evalExportCommand() *cobra.Command {
	var s suite
	var k int
	cmd := &cobra.Command{
		Use:   "export FORMAT RUN",
		Short: "Write a run as junit (XML) or html (one page)",
		Long: `Write a stored run in another form to stdout: junit for continuous integration,
html as one page without outside references, to be opened in a browser.`,
		Example:   `  godot-mcp eval export html runs/first`,
		Args:      usage(cobra.ExactArgs(2)),
		ValidArgs: []string{"junit", "html"},
		RunE: func(cmd *cobra.Command, args []string) error {
			records, err := stored(&s, args[1:])
			if err != nil {
				return err
			}
			all, err := s.load()
			if err != nil {
				return err
			}
			if k, err = rowOf(args[1], k); err != nil {
				return err
			}
			exports := map[string]func(io.Writer) error{
				"junit": func(w io.Writer) error {
					return report.JUnit(w, records, report.Table(records, k, report.Cluster(all)))
				},
				"html": func(w io.Writer) error { return report.HTML(w, run.Folder(args[1]), all, k) },
			}
			f := exports[args[0]]
			if f == nil {
				return usageError{fmt.Errorf("there is no format %q; there are junit and html", args[0])}
			}
			return f(cmd.OutOrStdout())
		},
	}
	s.flags(cmd)
	cmd.Flags().IntVarP(&k, "row", "k", 0, rowUsage)
	return cmd
}

func evalMergeCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "merge SHARD...",
		Short: "Join the shards of a run",
		Long: `Join the shards of a run into one, as if it had been run in one place. The shards
must have the same tasks, agents and settings.`,
		Example: `  godot-mcp eval merge --out runs/all runs/shard0 runs/shard1`,
		Args:    usage(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			var parts []run.Folder
			for _, a := range args {
				if err := needRun([]string{a}); err != nil {
					return err
				}
				parts = append(parts, run.Folder(a))
			}
			n, missing, err := run.Merge(run.Folder(out), parts)
			if err != nil {
				return err
			}
			return tell(cmd, prefixed("missing: ", missing), fmt.Sprintf("%d trials", n))
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "`FOLDER` of the whole run")
	_ = cmd.MarkFlagRequired("out")
	return cmd
}

func prefixed(prefix string, all []string) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = prefix + s
	}
	return out
}
