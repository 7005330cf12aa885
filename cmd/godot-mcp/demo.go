package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"godot-mcp/addon/install"
	"godot-mcp/fakeeditor"
	"godot-mcp/server"
	"godot-mcp/server/headless"
	"godot-mcp/server/safety"
)

// demoGodotEnv names a Godot program for the demo.
const demoGodotEnv = "GODOT_MCP_DEMO_GODOT"

func demoCommand() *cobra.Command {
	var godot string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the main job on a sample project, in one screen",
		Long: `Run an MCP client, the server and an editor on a sample project in a temporary
folder and print what happens: open a scene, look, preview an edit, make it, be
told that a save would drop an edit and mend that, be refused a delete without
confirm, undo, save, and see the difference in the scene file.

The editor is the simulated one; --godot does the same on a headless real one.
The exit code is 0 only if every step answered as it must.`,
		Example: `  godot-mcp demo
  godot-mcp demo --godot /usr/bin/godot`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p := newPaper(cmd.OutOrStdout())
			s, err := newStage(cmd.Context(), godot)
			if err != nil {
				return err
			}
			err = (&story{ctx: cmd.Context(), p: p, stage: s}).tell()
			return errors.Join(err, s.close())
		},
	}
	cmd.Flags().StringVar(&godot, "godot", os.Getenv(demoGodotEnv), "use this Godot program, headless `BIN` [GODOT_MCP_DEMO_GODOT]")
	return cmd
}

// stage is what the demo plays on: a project folder, a server, a client and an editor.
type stage struct {
	editorName string
	dir        string // temporary; holds project and, for a real editor, home
	client     *mcp.ClientSession
	srv        *server.Server
	stop       context.CancelFunc
	running    bool       // an editor was started
	ended      chan error // its end
}

func newStage(ctx context.Context, godot string) (s *stage, err error) {
	s = &stage{editorName: "the simulated editor", stop: func() {}, ended: make(chan error, 1)}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if godot != "" {
		version, err := headless.Prove(ctx, godot)
		if err != nil {
			return s, err
		}
		s.editorName = "a headless Godot " + version
	}
	if s.dir, err = os.MkdirTemp("", "godot-mcp-demo-"); err != nil {
		return s, err
	}
	for name, text := range fakeeditor.Archive(sampleProject) {
		file := s.path(name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			return s, err
		}
	}
	if err := s.serve(ctx); err != nil {
		return s, err
	}
	ctx, s.stop = context.WithCancel(ctx)
	if godot == "" {
		return s, s.simulate(ctx)
	}
	return s, s.start(ctx, godot)
}

func (s *stage) path(name string) string {
	return filepath.Join(s.dir, "project", filepath.FromSlash(name))
}

func (s *stage) serve(ctx context.Context) error {
	cfg := server.DefaultConfig()
	cfg.Version, cfg.Log, cfg.BridgeURL = buildVersion(), io.Discard, "ws://127.0.0.1:0"
	cfg.Profile, cfg.Toolsets = safety.Editor, []string{"inspection", "scene_edit"}
	var err error
	if s.srv, err = server.New(cfg); err != nil {
		return err
	}
	if err := s.srv.Start(); err != nil {
		return err
	}
	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := s.srv.MCP().Connect(ctx, theirs, nil); err != nil {
		return err
	}
	s.client, err = mcp.NewClient(&mcp.Implementation{Name: "godot-mcp-demo", Version: buildVersion()}, nil).Connect(ctx, ours, nil)
	return err
}

func (s *stage) simulate(ctx context.Context) error {
	e, err := fakeeditor.New(fakeeditor.Config{
		Folder: s.path(""), BridgeURL: s.srv.Bridge().Status().URL, OpenScenes: []string{}, Seed: 1,
	})
	if err != nil {
		return err
	}
	e.Settle()
	s.running = true
	go func() {
		err := e.Run(ctx)
		if ctx.Err() != nil {
			err = nil // it was told to end
		}
		s.ended <- errors.Join(err, e.Close())
	}()
	return s.attach(ctx, 10*time.Second)
}

// start runs a real editor with the addon on the project.
func (s *stage) start(ctx context.Context, godot string) error {
	if _, err := install.Install(s.path(""), false); err != nil {
		return err
	}
	home := filepath.Join(s.dir, "home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, godot, "--headless", "--editor", "--path", s.path(""))
	cmd.Env = append(slices.Clone(os.Environ()), "HOME="+home, "GODOT_MCP_BRIDGE_URL="+s.srv.Bridge().Status().URL)
	said := &tail{}
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = said, said, 2*time.Second
	if err := cmd.Start(); err != nil {
		return err
	}
	s.running = true
	go func() {
		err := cmd.Wait()
		if ctx.Err() != nil {
			s.ended <- nil // it was told to end
			return
		}
		s.ended <- fmt.Errorf("the editor ended (%w):\n%s", err, said)
	}()
	return s.attach(ctx, 2*time.Minute)
}

// attach waits until the editor has connected.
func (s *stage) attach(ctx context.Context, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	for s.srv.Bridge().Peer() == nil {
		select {
		case err := <-s.ended:
			s.running = false
			return err
		case <-ctx.Done():
			return fmt.Errorf("the editor did not connect: %w", ctx.Err())
		case <-look.C:
		}
	}
	return nil
}

func (s *stage) close() error {
	s.stop()
	var err error
	if s.running {
		err = <-s.ended
	}
	if s.client != nil {
		// The server goes with it; how it ended does not matter any more.
		_ = s.client.Close()
	}
	if s.srv != nil {
		s.srv.Close()
	}
	if s.dir == "" {
		return err
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}
