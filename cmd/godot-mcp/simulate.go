package main

import (
	_ "embed"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"godot-mcp/fakeeditor"
)

// sample stands for "no folder given": the project in sample.txtar.
const sample = "(sample project)"

//go:embed sample.txtar
var sampleProject []byte

// simulatedConfig opens a folder, or the sample project, in a simulated editor.
func simulatedConfig(dir string) (fakeeditor.Config, error) {
	if dir == "" || dir == sample {
		return fakeeditor.Config{Project: fakeeditor.Archive(sampleProject), Clock: fakeeditor.NewTimerClock()}, nil
	}
	folder, err := filepath.Abs(dir)
	if err != nil {
		return fakeeditor.Config{}, err
	}
	if _, err := os.Stat(filepath.Join(folder, "project.godot")); err != nil {
		return fakeeditor.Config{}, fmt.Errorf("%s is no Godot project: it has no project.godot", folder)
	}
	return fakeeditor.Config{Folder: folder, Clock: fakeeditor.NewTimerClock()}, nil
}

func simulateCommand() *cobra.Command {
	var url, token string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "simulate [DIR]",
		Short: "Run only the simulated editor; it dials a server as the addon does",
		Long: `Run the simulated editor on a project folder (which it changes, as an editor
would) or on a small sample project in memory. It dials the server's bridge and
dials again whenever the link is lost, until it is interrupted or another editor
takes its place.`,
		Example: `  godot-mcp serve --profile editor     # in one terminal, from your MCP client
  godot-mcp simulate path/to/project   # in another, in place of Godot`,
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := ""
			if len(args) == 1 {
				dir = args[0]
			}
			cfg, err := simulatedConfig(dir)
			if err != nil {
				return err
			}
			cfg.BridgeURL, cfg.Token, cfg.Seed = url, token, seed
			cfg.Logger = slog.New(slog.NewTextHandler(os.Stderr, nil))
			e, err := fakeeditor.New(cfg)
			if err != nil {
				return err
			}
			defer func() { _ = e.Close() }()
			if err := e.Run(cmd.Context()); cmd.Context().Err() == nil {
				return err
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&url, "bridge-url", envOr("GODOT_MCP_BRIDGE_URL", "ws://127.0.0.1:9080"), "`URL` of the server to dial [GODOT_MCP_BRIDGE_URL]")
	cmd.Flags().StringVar(&token, "bridge-token", os.Getenv("GODOT_MCP_BRIDGE_TOKEN"), "`TEXT` to present as the secret; better set in the environment [GODOT_MCP_BRIDGE_TOKEN]")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "`N` decides everything that is left to chance (0: a random seed)")
	return cmd
}

func envOr(name, value string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return value
}
