package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"godot-mcp/scripts"
)

func scenarioCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "scenario",
		Short: "Run scenario files",
		Args:  usage(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(scenarioRunCommand())
	return cmd
}

// scenarioGodotEnv names a Godot program for scenarios.
const scenarioGodotEnv = "GODOT_MCP_SCENARIO_GODOT"

func scenarioRunCommand() *cobra.Command {
	var godot string
	var compare, update, verbose, times bool
	cmd := &cobra.Command{
		Use:   "run FILE|FOLDER...",
		Short: "Run scenarios on the simulated editor, a real one, or both",
		Long: `Run scenarios: txtar files whose first part is a script of calls, expectations
and mishaps, and whose members are the project. The verbs are described in the
package documentation of scripts (go doc godot-mcp/scripts).

By default they run on the simulated editor. --godot runs them on a headless
real editor; --compare runs both side by side and demands equal answers and files.
The exit code is 0 if every scenario passed.`,
		Example: `  godot-mcp scenario run scripts/
  godot-mcp scenario run my.txtar --godot /usr/bin/godot --compare`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			var files []string
			for _, a := range args {
				info, err := os.Stat(a)
				if err != nil {
					return err
				}
				if !info.IsDir() {
					files = append(files, a)
					continue
				}
				found, err := scripts.Find(a)
				if err != nil {
					return err
				}
				files = append(files, found...)
			}
			o := scripts.Options{Files: files, Update: update}
			switch {
			case compare && godot == "":
				return usageError{errors.New("--compare needs --godot BIN")}
			case compare:
				o.Editors = scripts.Both
			case godot != "":
				o.Editors = scripts.Godot
			}
			o.GodotBin = godot
			runner, err := scripts.NewRunner(o)
			if err != nil {
				return usageError{err}
			}
			t := &scripts.Terminal{Out: cmd.OutOrStdout(), All: verbose, Times: times}
			runner.Run(t)
			if err := runner.Close(); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d passed, %d failed%s\n", t.Passed(), len(t.Failed()),
				strings.Join(append([]string{""}, t.Failed()...), "\n  "))
			if len(t.Failed()) > 0 || t.Passed() == 0 {
				return errSilent
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&godot, "godot", os.Getenv(scenarioGodotEnv), "run on this Godot program, headless `BIN`")
	cmd.Flags().BoolVar(&compare, "compare", false, "run on the simulated and the real editor and compare")
	cmd.Flags().BoolVar(&update, "update", false, "rewrite the expected members of the files")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print every step")
	cmd.Flags().BoolVar(&times, "times", false, "print how long each part took, too")
	return cmd
}
