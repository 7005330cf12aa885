package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"godot-mcp/server/catalog/inventory"
	"godot-mcp/server/catalog/toolsets"
)

func toolsCommand() *cobra.Command {
	var asJSON, asMarkdown bool
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "List every tool with its safety class",
		Long: `List every tool of every toolset with its safety class, generated from the
declarations that the server runs on. --markdown prints the reference: arguments,
answers, profiles and preconditions of each tool. --json is the same as data.`,
		Example: `  godot-mcp tools
  godot-mcp tools --json | jq -r '.[] | select(.class == "destructive") | .name'`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			tools := inventory.List(toolsets.Catalog())
			switch {
			case asJSON:
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetIndent("", "  ")
				e.SetEscapeHTML(false)
				return e.Encode(tools)
			case asMarkdown:
				inventory.Markdown(cmd.OutOrStdout(), tools)
			default:
				inventory.Text(cmd.OutOrStdout(), tools)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array, one object a tool")
	cmd.Flags().BoolVar(&asMarkdown, "markdown", false, "print the reference in Markdown")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	return cmd
}
