package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"godot-mcp/evals/agents"
	"godot-mcp/evals/lint"
	"godot-mcp/evals/run"
	"godot-mcp/evals/task"
	"godot-mcp/evals/tasks"
	"godot-mcp/evals/verify"
)

func evalCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure agents on tasks: can they be trusted with a project?",
		Long: `Measure agents on the simulated editor, behind the real server. Each trial has a
world of its own, in memory and in virtual time; nothing outside is touched.

A trial is trusted when the goal is met, nothing was harmed and the agent's
report is true. See evals/README.md.`,
		Args: usage(cobra.NoArgs),
		PersistentPreRun: func(*cobra.Command, []string) {
			if os.Getenv("GOGC") == "" {
				debug.SetGCPercent(run.GCPercent)
			}
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(evalListCommand(), evalLintCommand(), evalVerifyCommand(), evalRunCommand(), evalShowCommand(),
		evalGradeCommand(), evalDiffCommand(), evalExportCommand(), evalMergeCommand(), evalAttachCommand())
	return cmd
}

// suite is where the tasks come from: those of the program, or a folder.
type suite struct {
	folder string
	pick   []string
}

func (s *suite) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.folder, "suite", "", "`FOLDER` with tasks (CATEGORY/NAME.txtar) in place of the built-in ones")
}

func (s *suite) pickFlags(cmd *cobra.Command) {
	s.flags(cmd)
	cmd.Flags().StringSliceVar(&s.pick, "tasks", nil, "ids or categories of the `TASKS` to take; all if left out")
}

func (s *suite) fs() fs.FS {
	if s.folder == "" {
		return tasks.FS()
	}
	return os.DirFS(s.folder)
}

func (s *suite) load() ([]*task.Task, error) {
	all, err := tasks.Load(s.fs())
	if err != nil || len(s.pick) == 0 {
		return all, err
	}
	var out []*task.Task
	for _, p := range s.pick {
		n := len(out)
		for _, t := range all {
			if (t.ID == p || t.Category == p) && !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
		if len(out) == n {
			return nil, usageError{fmt.Errorf("no task and no category %q; see godot-mcp eval list", p)}
		}
	}
	return out, nil
}

func evalListCommand() *cobra.Command {
	var s suite
	var flawed bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the tasks, or the scripted agents",
		Long: `List the tasks with their category, or, with --agents, the scripted agents that
check the suite and serve as a baseline.`,
		Example: `  godot-mcp eval list`,
		Args:    usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			w := cmd.OutOrStdout()
			if flawed {
				fmt.Fprintf(w, "%-20s %s\n%-20s %s\n", "oracle", "the reference solution of each task", "altN", "another right way, where a task has one")
				for _, f := range append([]*agents.Flaw{agents.NoOp(), agents.Refuser(), agents.Tamperer()}, agents.Flaws()...) {
					fmt.Fprintf(w, "%-20s %s\n", f.Name, f.Why)
				}
				return nil
			}
			all, err := s.load()
			if err != nil {
				return err
			}
			for _, t := range all {
				fmt.Fprintf(w, "%-32s %s\n", t.ID, t.Why)
			}
			return nil
		},
	}
	s.pickFlags(cmd)
	cmd.Flags().BoolVar(&flawed, "agents", false, "list the scripted agents instead")
	return cmd
}

func evalLintCommand() *cobra.Command {
	var s suite
	cmd := &cobra.Command{
		Use:   "lint",
		Short: "Check the form of the tasks",
		Long: `Check the form of the tasks: strict JSON, known words, a prompt that gives nothing
away, the canary. The exit code is 1 if something is wrong.`,
		Example: `  godot-mcp eval lint`,
		Args:    usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			problems, err := lint.Files(s.fs())
			if err != nil {
				return err
			}
			return tell(cmd, problems, "the tasks are clean")
		},
	}
	s.flags(cmd)
	return cmd
}

// tell prints problems and ends with code 1 if there are any.
func tell(cmd *cobra.Command, problems []string, good string) error {
	for _, p := range problems {
		fmt.Fprintln(cmd.OutOrStdout(), p)
	}
	if len(problems) > 0 {
		return errSilent
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), good)
	return err
}

func evalVerifyCommand() *cobra.Command {
	var s suite
	var parallel int
	var fails bool
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check the suite against itself, without a model",
		Long: `Check the suite: the reference solution of each task is trusted, twice with the
same bytes; so is every alternative; who does nothing is never trusted; each
flawed agent fails exactly the checks that task.json says; every wrong end made
from a right one is noticed; every check can fail.`,
		Example: `  godot-mcp eval verify`,
		Args:    usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := s.load()
			if err != nil {
				return err
			}
			r, err := verify.Run(cmd.Context(), all, parallel)
			if err != nil {
				return err
			}
			if fails {
				return printFails(cmd, r.Fails)
			}
			return tell(cmd, r.Problems, fmt.Sprintf("%d tasks hold: %d trials, %d wrong ends noticed", r.Tasks, r.Trials, r.Mutants))
		},
	}
	s.pickFlags(cmd)
	cmd.Flags().IntVar(&parallel, "parallel", runtime.GOMAXPROCS(0)*2, "`N` trials at once")
	cmd.Flags().BoolVar(&fails, "fails", false, "print what each flawed agent fails, in the form of catches in task.json")
	return cmd
}

func printFails(cmd *cobra.Command, fails map[string]map[string][]string) error {
	for _, id := range slices.Sorted(keysOf(fails)) {
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n", id)
		var rows []string
		for _, flaw := range slices.Sorted(keysOf(fails[id])) {
			rows = append(rows, fmt.Sprintf("    %-20s [\"%s\"]", fmt.Sprintf("%q:", flaw), strings.Join(fails[id][flaw], `", "`)))
		}
		fmt.Fprintf(cmd.OutOrStdout(), "  \"catches\": {\n%s\n  }\n", strings.Join(rows, ",\n"))
	}
	return nil
}

func keysOf[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// one argument that names a run's folder.
func needRun(args []string) error {
	if _, err := os.Stat(args[0] + "/run.json"); err != nil {
		return usageError{errors.New(args[0] + " holds no run")}
	}
	return nil
}
