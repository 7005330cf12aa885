package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"godot-mcp/addon/install"
	"godot-mcp/server"
	"godot-mcp/server/bridge"
)

func doctorCommand() *cobra.Command {
	var smoke bool
	cmd := &cobra.Command{
		Use:   "doctor [DIR]",
		Short: "Look at everything the server needs and say what was found",
		Long: `Look at this program, the names of its settings in the environment, the bridge's
port, HTTP if it is served, whether this machine can isolate the server, the
project (DIR, --project-dir or the current folder), the addon in it, and every
place where a Godot program may be, and say what was found at each. Programs are
only asked for their version.

The exit code is 1 when something that is needed is broken. It takes the same
settings as serve, so run it with the flags or the environment of your client.

With --smoke it only starts a server on a simulated editor, as an MCP client
would, initializes it, lists the tools and makes one call.`,
		Example: `  godot-mcp doctor path/to/project
  godot-mcp doctor --smoke`,
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := config(cmd.Flags())
			if err != nil {
				return usageError{err}
			}
			p := newPaper(cmd.OutOrStdout())
			if smoke {
				return smokeTest(cmd.Context(), p)
			}
			d := &doctor{p: p}
			d.program()
			d.environment()
			d.bridge(cfg)
			d.http(cfg)
			d.isolation(cfg)
			d.project(cfg, args)
			d.godot(cmd.Context(), cfg)
			return d.verdict()
		},
	}
	cmd.Flags().BoolVar(&smoke, "smoke", false, "start a server on a simulated editor and make one call")
	addOptions(cmd.Flags())
	return cmd
}

// doctor prints what it finds and counts what is broken.
type doctor struct {
	p      *paper
	broken []string
}

func (d *doctor) ok(what, format string, args ...any) {
	d.p.row(good, "ok", what, fmt.Sprintf(format, args...))
}

func (d *doctor) note(what, format string, args ...any) {
	d.p.row(warn, "note", what, fmt.Sprintf(format, args...))
}

func (d *doctor) bad(what, format string, args ...any) {
	d.broken = append(d.broken, what)
	d.p.row(bad, "BAD", what, fmt.Sprintf(format, args...))
}

func (d *doctor) verdict() error {
	if len(d.broken) > 0 {
		d.p.line("\nBroken: %s.", strings.Join(d.broken, ", "))
		return errSilent
	}
	d.p.line("\nNothing is broken.")
	return nil
}

func (d *doctor) program() {
	revision := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = ", revision " + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	d.ok("program", "godot-mcp %s, addon %s, %s %s/%s%s", buildVersion(), install.Embedded().Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, revision)
}

// environment tells of settings that are misspelt.
func (d *doctor) environment() {
	for _, stray := range strays() {
		d.note("environment", "%s", stray)
	}
}

// bridge takes the port for a moment, as a server would.
func (d *doctor) bridge(cfg server.Config) {
	b, err := bridge.New(bridge.Config{URL: cfg.BridgeURL, Token: cfg.BridgeToken, Version: cfg.Version})
	if err != nil {
		d.bad("bridge", "%v", err)
		return
	}
	err = b.Start()
	status := b.Status()
	b.Close()
	switch {
	case err == nil:
		d.ok("bridge", "%s is free; no server is running", cfg.BridgeURL)
	case status.Owner != nil:
		o := status.Owner
		editor := "no editor is connected to it"
		if o.Project != "" {
			editor = "the editor of " + o.Project + " is connected to it"
		}
		d.note("bridge", "%s is held by godot-mcp %s, process %d since %s; %s", cfg.BridgeURL, o.Version, o.PID, o.Since.Local().Format(time.DateTime), editor)
	default:
		who := ""
		if u, parseErr := url.Parse(cfg.BridgeURL); parseErr == nil {
			if owner := portOwner(u.Port()); owner != "" {
				who = "; it belongs to " + owner
			}
		}
		d.bad("bridge", "cannot listen on %s: %v%s", cfg.BridgeURL, err, who)
	}
}

func (d *doctor) project(cfg server.Config, args []string) {
	dir, source := cfg.ProjectDir, "--project-dir"
	if len(args) > 0 {
		dir, source = args[0], "the argument"
	}
	if dir == "" {
		here, err := os.Getwd()
		if err == nil {
			_, err = os.Stat(filepath.Join(here, "project.godot"))
		}
		if err != nil {
			d.note("project", "none was named and the current folder is none; see godot-mcp doctor DIR")
			return
		}
		dir, source = here, "the current folder"
	}
	st, err := install.Status(dir)
	if err != nil {
		d.bad("project", "%v", err)
		return
	}
	d.ok("project", "%s (%s)", folder(dir), source)
	run := "godot-mcp install-addon " + dir
	want := install.Embedded().Version()
	switch {
	case !st.Installed:
		d.bad("addon", "not installed; run: %s", run)
	case len(st.Missing) > 0:
		d.bad("addon", "%s lacks %s; run: %s", known(st.Version), paths(st.Missing), run)
	case !st.Enabled:
		d.bad("addon", "%s is there, but project.godot does not enable it; run: %s", known(st.Version), run)
	case len(st.Changes) > 0:
		d.note("addon", "%s with files that a person changed: %s", known(st.Version), paths(st.Changes))
	case !st.Current:
		d.note("addon", "%s, while this program brings %s with other files; run: %s", known(st.Version), want, run)
	default:
		d.ok("addon", "%s, enabled, as this program brings it", st.Version)
	}
}

func known(version string) string {
	if version == "" {
		return "a version that cannot be read"
	}
	return version
}

// paths names at most five files.
func paths(list []install.Change) string {
	var names []string
	for i, c := range list {
		if i == 5 {
			names = append(names, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		names = append(names, c.Path)
	}
	return strings.Join(names, ", ")
}

func (d *doctor) godot(ctx context.Context, cfg server.Config) {
	chosen := cfg.GodotBin
	if chosen == server.DefaultConfig().GodotBin {
		chosen = "" // nobody chose it
	}
	found := candidates(ctx, chosen)
	var usable *candidate
	for i, c := range found {
		if c.Problem == "" && usable == nil {
			usable = &found[i]
		}
	}
	for _, c := range found {
		where := c.Path
		if c.Source != "PATH" || c.Path != "godot" && c.Path != "godot4" {
			where += " (" + c.Source + ")"
		}
		switch {
		case c.Problem == "":
			d.ok("godot", "%s: %s", where, c.Version)
		case chosen != "":
			d.bad("godot", "%s: %s", where, c.Problem)
		default:
			d.p.row(dim, "-", "godot", where+": "+c.Problem)
		}
	}
	switch {
	case usable == nil && chosen == "":
		d.bad("godot", "no Godot 4.4 or newer was found; name one with --godot-bin or GODOT_MCP_GODOT_BIN")
	case usable != nil && chosen == "" && usable.Path != cfg.GodotBin:
		d.note("godot", "the server looks on the PATH only; for headless runs set GODOT_MCP_GODOT_BIN=%s", usable.Path)
	}
}

var errSmoke = errors.New("the smoke test failed")

// smokeFailure says which step of the smoke test failed.
func smokeFailure(step string, err error) error {
	return fmt.Errorf("%w at %s: %w", errSmoke, step, err)
}
