package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"godot-mcp/evals/client"
	"godot-mcp/fakeeditor"
	"godot-mcp/server"
	"godot-mcp/server/isolate"
)

func serveCommand() *cobra.Command {
	var simulate string
	cmd := &cobra.Command{
		Use:   "serve [--simulate [DIR]]",
		Short: "Serve MCP on stdin and stdout (the default) or over HTTP",
		Long: `Serve one MCP client on stdin and stdout, or several over HTTP (--http, see
godot-mcp help http), and wait for the editor on the bridge. Both protocol eras
are spoken. The log goes to stderr.

What a client may do is fixed at the start. The default profile, core, only
reads. To let an agent edit: --profile editor. Every flag has an environment
twin, shown in brackets; a flag counts more. A variable GODOT_MCP_… that is none
of them is named on stderr.

With --simulate the editor is a simulated one in the same process, on a project
folder (which it changes, as an editor would) or, without a folder, on a small
sample project in memory. It takes a free port unless --bridge-url is given.

If the bridge's port is taken, the server still answers its client, says in
every answer that no editor is connected, and tries the same port again. It
never moves to another. It ends when its input ends or nobody reads its output.`,
		Example: `  godot-mcp serve --profile editor
  godot-mcp serve --profile editor --toolsets inspection,scene_edit,scripts
  godot-mcp serve --profile full --simulate path/to/project
  godot-mcp serve --profile editor --http 9090`,
		Args: usage(func(cmd *cobra.Command, args []string) error {
			// The value of --simulate is optional, so one that stands apart
			// arrives as an argument.
			if len(args) > 0 && simulate != sample || len(args) > 1 {
				return fmt.Errorf("serve takes no argument %q", args[0])
			}
			return nil
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := config(cmd.Flags())
			if err != nil {
				return usageError{err}
			}
			for _, stray := range strays() {
				fmt.Fprintf(os.Stderr, "godot-mcp: %s\n", stray)
			}
			if cfg.Transport == server.Stdio && onTerminal(os.Stdin) {
				fmt.Fprintln(os.Stderr, "godot-mcp: waiting for an MCP client on this terminal; see godot-mcp --help")
			}
			if cmd.Flags().Changed("simulate") {
				if len(args) == 1 {
					simulate = args[0]
				}
				return serveSimulated(cmd.Context(), cfg, simulate)
			}
			return serve(cmd.Context(), cfg, nil)
		},
	}
	cmd.Flags().StringVar(&simulate, "simulate", "", "run the simulated editor in this process, on a project folder `[DIR]`")
	cmd.Flags().Lookup("simulate").NoOptDefVal = sample
	addOptions(cmd.Flags())
	return cmd
}

// addOptions defines the server's flags from its table of settings.
func addOptions(f *pflag.FlagSet) {
	for _, o := range server.Options() {
		f.String(o.Flag, "", fmt.Sprintf("%s [%s]", o.Usage, strings.Join(o.Env, ", ")))
		f.Lookup(o.Flag).Value = &named{f.Lookup(o.Flag).Value, o.Value}
		switch choice, optional := strings.CutPrefix(o.Value, "["); {
		case o.Value == "":
			f.Lookup(o.Flag).Value, f.Lookup(o.Flag).NoOptDefVal = &named{f.Lookup(o.Flag).Value, "bool"}, "true"
		case optional:
			first, _, _ := strings.Cut(choice, "|")
			f.Lookup(o.Flag).Value, f.Lookup(o.Flag).NoOptDefVal = &named{f.Lookup(o.Flag).Value, strings.Trim(o.Value, "[]")}, first
		}
	}
}

// named gives a flag the value name of its option in help texts.
type named struct {
	pflag.Value
	name string
}

func (n *named) Type() string { return n.name }

func config(f *pflag.FlagSet) (server.Config, error) {
	flags := map[string]string{}
	f.Visit(func(fl *pflag.Flag) { flags[fl.Name] = fl.Value.String() })
	cfg, err := server.Load(flags, os.Getenv)
	cfg.Version = buildVersion()
	return cfg, err
}

// strays are variables of the environment that are named like settings and
// mean nothing to any command.
func strays() []server.Stray {
	return server.Strays(os.Environ(), demoGodotEnv, scenarioGodotEnv, client.AddressEnv, client.TokenEnv)
}

// serve runs a server; editor, if any, is run beside it once the bridge has a port.
func serve(ctx context.Context, cfg server.Config, editor func(ctx context.Context, url string) error) error {
	if err := cfg.HTTP.Check(); err != nil && cfg.Transport == server.HTTP {
		return usageError{err}
	}
	if err := cfg.Isolate(); err != nil {
		return usageError{err}
	}
	s, err := server.New(cfg)
	if err != nil {
		return usageError{err}
	}
	defer s.Close()
	// A port that is taken is no reason to stop: the client gets answers that
	// say so, and the bridge tries again.
	startErr := s.Start()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if editor != nil {
		if startErr != nil {
			return startErr
		}
		url := s.Bridge().Status().URL
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			if err := editor(ctx, url); err != nil && ctx.Err() == nil {
				fmt.Fprintln(os.Stderr, "godot-mcp: simulated editor:", err)
			}
		}()
		attached(ctx, s, ended)
	}
	if cfg.Transport == server.HTTP {
		return serveHTTP(ctx, s, cfg)
	}
	err = s.ServeStdio(ctx)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	// The client is gone, so no edit is waited for.
	s.Bridge().Close()
	return err
}

// serveHTTP serves until a signal ends it.
func serveHTTP(ctx context.Context, s *server.Server, cfg server.Config) error {
	err := s.ListenHTTP(ctx, cfg.HTTP, func(url string) {
		fmt.Fprintln(os.Stderr, "godot-mcp: MCP is served at", url)
	})
	if errors.Is(err, syscall.EADDRINUSE) {
		if _, port, splitErr := net.SplitHostPort(cfg.HTTP.Addr); splitErr == nil {
			if owner := portOwner(port); owner != "" {
				return fmt.Errorf("%w; the port belongs to %s", err, owner)
			}
		}
	}
	return err
}

// attached waits a moment for the editor of this process, so that the client's
// first call finds it.
func attached(ctx context.Context, s *server.Server, ended <-chan struct{}) {
	limit := time.NewTimer(3 * time.Second)
	defer limit.Stop()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for s.Bridge().Peer() == nil {
		select {
		case <-tick.C:
		case <-ended:
			return
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// serveSimulated serves with a simulated editor of its own on a private port,
// unless a bridge address was chosen.
func serveSimulated(ctx context.Context, cfg server.Config, dir string) error {
	sim, err := simulatedConfig(dir)
	if err != nil {
		return err
	}
	if cfg.BridgeURL == server.DefaultConfig().BridgeURL {
		cfg.BridgeURL = "ws://127.0.0.1:0"
	}
	if cfg.Isolation == isolate.Strict {
		return usageError{errors.New("--isolate=strict forbids dialling, and the editor of --simulate dials from the same process; use --isolate=on, or godot-mcp simulate")}
	}
	sim.Token = cfg.BridgeToken
	return serve(ctx, cfg, func(ctx context.Context, url string) error {
		sim.BridgeURL = url
		e, err := fakeeditor.New(sim)
		if err != nil {
			return err
		}
		defer func() { _ = e.Close() }()
		return e.Run(ctx)
	})
}
