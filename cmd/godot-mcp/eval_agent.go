package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"godot-mcp/evals/agents"
	"godot-mcp/evals/client"
	"godot-mcp/evals/model"
	"godot-mcp/evals/run"
)

// agentFlags are what agents need that are no scripts.
type agentFlags struct {
	model, baseURL    string
	system            string // file
	maxTokens         int
	priceIn, priceOut float64
}

func (f *agentFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.model, "model", "", "`MODEL`: its name for a client, PROVIDER:NAME for --agent model")
	flags.StringVar(&f.baseURL, "base-url", "", "`URL` of the model's API")
	flags.StringVar(&f.system, "system", "", "`FILE` with a system prompt for --agent model; none if left out")
	flags.IntVar(&f.maxTokens, "max-tokens", 0, "end a trial of --agent model that has used `N` tokens")
	flags.Float64Var(&f.priceIn, "price-in", 0, "price of a million input `TOKENS`, for --max-cost")
	flags.Float64Var(&f.priceOut, "price-out", 0, "price of a million output `TOKENS`")
}

const agentHelp = `An agent is one of

  script:NAME   a scripted agent (see eval list --agents)
  client:NAME   an MCP client: claude-code, codex, opencode (each also as NAME-http,
                connected over HTTP), or a file that says how to start another
                one; it needs --model and, for a model that is not the client's
                own, --base-url
  model         the built-in loop; --model says which model, openai:NAME (any server
                that speaks Chat Completions, with --base-url) or anthropic:NAME. The
                key is taken from OPENAI_API_KEY or ANTHROPIC_API_KEY`

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
		o := client.Options{Model: f.model, BaseURL: f.baseURL, Self: self, Getenv: os.Getenv}
		return client.New(a, o), a.Ready(o)
	}
	if name == "model" {
		return modelAgent(f)
	}
	return run.Agent{}, fmt.Errorf("%q is no agent: it is script:NAME, client:NAME or model", name)
}

func modelAgent(f agentFlags) (run.Agent, error) {
	provider, name, _ := strings.Cut(f.model, ":")
	o := model.Options{
		Provider: provider, Model: name, BaseURL: f.baseURL, Key: os.Getenv(strings.ToUpper(provider) + "_API_KEY"),
		MaxTokens: f.maxTokens, PriceIn: f.priceIn, PriceOut: f.priceOut,
	}
	if f.system != "" {
		text, err := os.ReadFile(f.system)
		if err != nil {
			return run.Agent{}, err
		}
		o.System = string(text)
	}
	return model.New(o)
}

func evalAttachCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "attach",
		Short: "Be the server of a client under test (started by the client)",
		Long: `Carry MCP messages between stdin and stdout and the world of a trial. A client that
eval run has started starts this in turn, as its server; ` + client.AddressEnv + ` and
` + client.TokenEnv + ` in the environment say which world.`,
		Example: `  godot-mcp eval attach`,
		Args:    usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return client.Attach(cmd.Context(), os.Getenv(client.AddressEnv), os.Getenv(client.TokenEnv), os.Stdin, os.Stdout)
		},
	}
}
