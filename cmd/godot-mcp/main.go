// Command godot-mcp is the MCP server for the live Godot editor, and the
// simulated editor beside it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// version is set by the release build; otherwise the module's own.
var version = ""

func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// errSilent ends the process with code 1 when everything has been said already.
var errSilent = errors.New("")

// usageError ends the process with code 2.
type usageError struct{ error }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := root().ExecuteContext(ctx)
	stop()
	var usage usageError
	var exit exitError
	switch {
	case err == nil || errors.Is(err, context.Canceled):
	case errors.As(err, &usage):
		fmt.Fprintln(os.Stderr, "godot-mcp:", err)
		os.Exit(2)
	case errors.As(err, &exit):
		fmt.Fprintln(os.Stderr, "godot-mcp:", err)
		os.Exit(exit.code)
	default:
		if !errors.Is(err, errSilent) {
			fmt.Fprintln(os.Stderr, "godot-mcp:", err)
		}
		os.Exit(1)
	}
}

func root() *cobra.Command {
	serve := serveCommand()
	cmd := &cobra.Command{
		Use:   "godot-mcp",
		Short: "MCP server for the live Godot editor",
		Long: `godot-mcp lets an AI agent work in the Godot editor that you have open: it reads
the project, edits scenes and scripts with undo and previews, and says of every
edit whether saving will keep it.

Without a command it serves MCP on stdin and stdout, as "godot-mcp serve" does.
An MCP client starts it that way. The addon in the editor dials the server, so
it does not matter which of the two starts first:

  1. godot-mcp install-addon path/to/project
  2. tell your MCP client to run: godot-mcp serve --profile editor
  3. open the project in Godot

To try it without Godot: godot-mcp demo`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noSuchCommand,
		RunE:          serve.RunE,
		CompletionOptions: cobra.CompletionOptions{
			HiddenDefaultCmd: true,
		},
	}
	cmd.Flags().AddFlagSet(serve.Flags())
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see %s --help", err, c.CommandPath())}
	})
	cmd.AddCommand(serve, simulateCommand(), demoCommand(), scenarioCommand(), evalCommand(), toolsCommand(),
		installCommand(), uninstallCommand(), doctorCommand(), versionCommand(), permissionsCommand(), journalCommand())
	cmd.AddCommand(topics()...)
	// No templates: they would cost every server process memory (see server/bench,
	// TestNoMethodIsLookedUpByName).
	plain := (&cobra.Command{}).UsageFunc()
	cmd.SetUsageFunc(func(c *cobra.Command) error {
		if c.HasParent() {
			return plain(c)
		}
		return rootUsage(c)
	})
	return cmd
}

// rootUsage lists the commands. The settings of serve would drown them.
func rootUsage(c *cobra.Command) error {
	var commands, topics strings.Builder
	for _, sub := range c.Commands() {
		list := &commands
		switch {
		case sub.IsAdditionalHelpTopicCommand():
			list = &topics
		case !sub.IsAvailableCommand():
			continue
		}
		fmt.Fprintf(list, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
	}
	_, err := fmt.Fprintf(c.OutOrStderr(), `Usage:
  godot-mcp [command] [flags]

Commands:
%s
Topics:
%s
The flags of serve can be given without the word serve.
godot-mcp help COMMAND tells more about a command, its flags and their
environment variables; godot-mcp help TOPIC about a topic.
`, commands.String(), topics.String())
	return err
}

// noSuchCommand refuses words that name no command.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("unknown command %q", args[0])
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return usageError{errors.New(text + " See godot-mcp --help")}
}

// usage makes wrong arguments, and flags that exclude each other, end with the
// code of usage errors.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		if err == nil {
			err = cmd.ValidateFlagGroups()
		}
		if err != nil {
			return usageError{fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())}
		}
		return nil
	}
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long:  "Print the version of this program, which is also what the server tells its clients.",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "godot-mcp", buildVersion())
			return err
		},
	}
}
