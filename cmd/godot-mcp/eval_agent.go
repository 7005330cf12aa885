package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"godot-mcp/evals/agents"
	"godot-mcp/evals/client"
	"godot-mcp/evals/run"
)

// agentFlags are what agents need that are no scripts.
type agentFlags struct{ model, baseURL string }

const agentHelp = `An agent is one of

  script:NAME   a scripted agent (see eval list --agents)
  client:NAME   an MCP client: claude-code, codex, opencode, or a file that says how
                to start another one; it needs --model and, for a model that is not
                the client's own, --base-url`

// agentNamed makes an agent of its name.
func agentNamed(name string, f agentFlags) (run.Agent, error) {
	kind, rest, _ := strings.Cut(name, ":")
	switch kind {
	case "script":
		return agents.Pick(rest)
	case "client":
		a, err := client.Load(rest)
		if err != nil {
			return run.Agent{}, err
		}
		self, err := os.Executable()
		if err != nil {
			return run.Agent{}, err
		}
		return client.New(a, client.Options{Model: f.model, BaseURL: f.baseURL, Self: self, Getenv: os.Getenv}), nil
	}
	return run.Agent{}, fmt.Errorf("%q is no agent: it is script:NAME or client:NAME", name)
}

func evalAttachCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "attach",
		Short: "Be the server of a client under test (started by the client)",
		Long: `Carry MCP messages between stdin and stdout and the world of a trial. A client that
eval run has started starts this in turn, as its server; ` + client.AddressEnv + ` and
` + client.TokenEnv + ` in the environment say which world.`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return client.Attach(cmd.Context(), os.Getenv(client.AddressEnv), os.Getenv(client.TokenEnv), os.Stdin, os.Stdout)
		},
	}
}
