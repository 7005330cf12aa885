package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"godot-mcp/server"
	"godot-mcp/server/safety"
)

func permissionsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "permissions",
		Short: "Say what the permission rules make of a call",
		Long: `A permission file holds rules over what the mode allows:

  rules:
    - effect: deny                       # allow, ask or deny
      path: res://addons/*               # glob; * crosses slashes
      reason: the addons are vendored    # told to the agent
    - effect: ask
      class: destructive                 # read_only, mutating, destructive, runtime
    - effect: allow
      tool: godot_scene_edit_delete_node # glob over tool names
      args:
        node_path: {glob: "Tmp/*"}       # or {equals: Tmp/A}, or just the text
      overrides: true                    # loosen what the mode says

All conditions of a rule must hold; further ones are toolset and gated (true for
tools whose effect nothing undoes). A rule that refuses or asks holds when one
of the paths of the call fits, one that allows only when all do. Among the rules
that hold, deny beats ask beats allow. The file tightens the mode and loosens it
only by a rule with overrides. A call that a rule wants a person to approve is
put to one (see godot-mcp help approval), and refused while there is nobody to
ask, unless the server runs with --ask execute.

Rules see the files that arguments name, and the script that get_for_node finds
on a node; not the open scene, nor a resource that is named by its uid. Where args
looks at a node path, callers have to write it from below the scene root. Running
the project is class runtime, also where debug_workflow, a read, does it.

A file with a mistake stops the server at its start, with the line.`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(explainCommand())
	return cmd
}

func explainCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain TOOL [ARGUMENTS]",
		Short: "Print decision, layer, rule and line for a call",
		Long: `Evaluate a call without making it, with the same settings as serve: the flags and
environment variables of serve apply. ARGUMENTS is a JSON object. Without it the
answer is for the mildest call of the tool. Listed says whether tools/list shows
it at the start; the decision is that of a server with its toolset on. The calls
of a batch are evaluated too, each by the rules of its own tool.

The exit code is 0 whatever the decision.`,
		Example: `  godot-mcp permissions explain delete_node --profile editor --permissions rules.yaml
  godot-mcp permissions explain godot_scripts_write '{"script_path":"res://a.gd","content":""}' --profile editor`,
		Args: usage(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := config(cmd.Flags())
			if err != nil {
				return usageError{err}
			}
			var raw json.RawMessage
			if len(args) > 1 {
				if raw = json.RawMessage(args[1]); !json.Valid(raw) {
					return usageError{errors.New("the arguments are not valid JSON")}
				}
			}
			e, err := server.Explain(cfg, args[0], raw)
			if err != nil {
				return usageError{err}
			}
			if asJSON {
				enc := json.NewEncoder(cmd.OutOrStdout())
				enc.SetEscapeHTML(false)
				enc.SetIndent("", "  ")
				return enc.Encode(e)
			}
			return printExplanation(cmd.OutOrStdout(), e)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	addOptions(cmd.Flags())
	return cmd
}

func printExplanation(w io.Writer, e server.Explanation) error {
	decision := string(e.Ruling.Effect)
	switch {
	case !e.Allowed:
		decision = string(safety.Deny)
	case e.Asks != "":
		decision = fmt.Sprintf("ask a person (%s), because %s", e.Asks, e.Because)
	case e.Ruling.Unasked:
		decision = "ask, and nobody is there: execute"
	}
	listed := "yes"
	switch {
	case !e.Listed && e.Allowed:
		listed = "no, its toolset is off at the start"
	case !e.Listed:
		listed = "no"
	}
	if _, err := fmt.Fprintf(w, "tool:     %s\nlisted:   %s\ndecision: %s\n", e.Tool, listed, decision); err != nil {
		return err
	}
	if e.Ruling.Layer != "" {
		line := ""
		if e.Ruling.Line > 0 {
			line = fmt.Sprintf(" line %d", e.Ruling.Line)
		}
		if _, err := fmt.Fprintf(w, "layer:    %s%s\nrule:     %s\n", e.Ruling.Layer, line, e.Ruling.Rule); err != nil {
			return err
		}
	}
	if e.Failure == nil {
		return nil
	}
	_, err := fmt.Fprintf(w, "because:  %s: %s\n", e.Stage, e.Failure.Text())
	return err
}
