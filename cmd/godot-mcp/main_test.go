package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server"
)

// asCommand makes the test binary behave as godot-mcp.
const asCommand = "TEST_AS_GODOT_MCP"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		os.Exit(0)
	}
	// Settings of the person who runs the tests must not change them.
	for _, o := range server.Options() {
		for _, env := range o.Env {
			_ = os.Unsetenv(env)
		}
	}
	os.Exit(m.Run())
}

// command is the program as a process.
func command(ctx context.Context, args ...string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// execute runs a command in this process.
func execute(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	cmd := root()
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err := cmd.ExecuteContext(ctx)
	return out.String(), err
}

func exitCode(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := command(t.Context(), args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"version"}, 0, ""},
		{[]string{"nonsense"}, 2, "unknown command"},
		{[]string{"instal"}, 2, "did you mean install-addon"},
		{[]string{"--no-such-flag"}, 2, "unknown flag"},
		{[]string{"serve", "folder"}, 2, "serve takes no argument"},
		{[]string{"serve", "--simulate", "a", "b"}, 2, "serve takes no argument"},
		{[]string{"serve", "--profile", "root"}, 2, "choose core, editor, runtime or full"},
		{[]string{"serve", "--toolsets", "nope"}, 2, "unknown toolset"},
		{[]string{"serve", "--bridge-url", "http://x"}, 2, "bridge URL"},
		{[]string{"serve", "--bridge-url", "ws://0.0.0.0:9080"}, 2, "needs a bridge token"},
		{[]string{"serve", "--http", "0.0.0.0:9090"}, 2, "so a token is needed"},
		{[]string{"serve", "--http", "0.0.0.0:9090", "--auth-token", "short"}, 2, "needs at least 16 characters"},
		{[]string{"serve", "--http", "http://127.0.0.1:9090"}, 2, "must be host:port or a port"},
		{[]string{"serve", "--transport", "sse"}, 2, "must be stdio or http"},
		{[]string{"serve", "--http", "9090", "--http-origins", "*"}, 2, "allowed origin"},
		{[]string{"serve", "--simulate", "/no/such/folder"}, 1, "is no Godot project"},
		{[]string{"tools", "--json", "--markdown"}, 2, "none of the others can be"},
		{[]string{"scenario", "run"}, 2, "requires at least 1 arg"},
		{[]string{"install-addon", ""}, 2, "name the project folder"},
		{[]string{"install-addon"}, 2, "name the project folder"},
		{[]string{"install-addon", "/no/such/folder"}, 1, "is no Godot project"},
		{[]string{"demo", "--godot", "/no/such/program"}, 1, "no such file"},
		{[]string{"demo", "--godot", "/bin/true"}, 1, "is not Godot"},
	} {
		code, _, stderr := exitCode(t, c.args...)
		assert.Equal(t, c.code, code, "%v: %s", c.args, stderr)
		assert.Contains(t, stderr, c.says)
		assert.LessOrEqual(t, strings.Count(stderr, "\n"), 1, stderr)
	}
}

// walk visits every command.
func walk(c *cobra.Command, visit func(*cobra.Command)) {
	for _, child := range c.Commands() {
		if child.Name() != "help" && child.Name() != "completion" {
			visit(child)
			walk(child, visit)
		}
	}
}

var commandLine = regexp.MustCompile(`(?m)(?:^  +|: |")godot-mcp ([^"\n#|]+)`)

func TestHelpNeedsNoREADME(t *testing.T) {
	out, err := execute(t, "--help")
	require.NoError(t, err)
	var texts []string
	walk(root(), func(c *cobra.Command) {
		assert.NotEmpty(t, c.Short, c.Name())
		if c.HasParent() && !c.Parent().HasParent() {
			assert.Contains(t, out, "  "+c.Name()+" ")
		}
		if c.HasSubCommands() {
			return
		}
		assert.Greater(t, len(c.Long), 60, c.CommandPath())
		if c.Name() != "version" && c.Runnable() {
			assert.Contains(t, c.Example, c.CommandPath())
		}
		for line := range strings.Lines(c.Long) {
			assert.LessOrEqual(t, len(line), 90, "%s: %s", c.CommandPath(), line)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) { assert.NotEmpty(t, f.Usage, "%s --%s", c.CommandPath(), f.Name) })
		texts = append(texts, c.Example, c.Long)
	})
	texts = append(texts, root().Long)
	// What the texts tell people to type is understood.
	n := 0
	for _, text := range texts {
		for _, m := range commandLine.FindAllStringSubmatch(text, -1) {
			n++
			typed(t, m[1])
		}
	}
	assert.Greater(t, n, 12)
}

// typed checks a command line without running it.
func typed(t *testing.T, line string) {
	t.Helper()
	c, rest, err := root().Find(strings.Fields(line))
	require.NoError(t, err, line)
	require.NoError(t, c.ParseFlags(rest), line)
	if !slices.Contains(rest, "--help") {
		assert.NoError(t, c.ValidateArgs(c.Flags().Args()), line)
	}
}

func TestEveryServeFlagNamesItsVariable(t *testing.T) {
	out, err := execute(t, "serve", "--help")
	require.NoError(t, err)
	for _, o := range server.Options() {
		assert.Contains(t, out, "--"+o.Flag+" "+strings.Trim(o.Value, "[]"))
		for _, env := range o.Env {
			assert.Contains(t, out, env)
		}
		assert.Regexp(t, `GODOT_MCP_`+strings.ToUpper(strings.ReplaceAll(o.Flag, "-", "_")), o.Env[0])
	}
}

func TestTools(t *testing.T) {
	for _, args := range [][]string{{"tools"}, {"tools", "--json"}, {"tools", "--markdown"}} {
		out, err := execute(t, args...)
		require.NoError(t, err)
		assert.Contains(t, out, "godot_scene_edit_delete_node")
		assert.Contains(t, out, "destructive")
	}
}

func TestVersion(t *testing.T) {
	out, err := execute(t, "version")
	require.NoError(t, err)
	assert.Regexp(t, `^godot-mcp \S+\n$`, out)
}

const plainProject = "config_version=5\n\n[application]\n\nconfig/name=\"Test\"\n"

func newProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "project.godot"), []byte(plainProject), 0o644))
	return dir
}

func TestInstallAddon(t *testing.T) {
	dir := newProject(t)
	out, err := execute(t, "install-addon", dir)
	require.NoError(t, err)
	assert.Contains(t, out, "enabled in project.godot")
	out, err = execute(t, "install-addon", dir)
	require.NoError(t, err)
	assert.Contains(t, out, "nothing was changed")

	plugin := filepath.Join(dir, "addons", "godot_mcp", "plugin.gd")
	require.NoError(t, os.WriteFile(plugin, []byte("# mine\n"), 0o644))
	for _, command := range []string{"install-addon", "uninstall-addon"} {
		_, err = execute(t, command, dir)
		require.ErrorContains(t, err, "plugin.gd")
	}
	out, err = execute(t, "install-addon", dir, "--force")
	require.NoError(t, err)
	backup := regexp.MustCompile(`kept as (.*)\n`).FindStringSubmatch(out)
	require.NotNil(t, backup, out)
	mine, err := os.ReadFile(filepath.Join(backup[1], "plugin.gd"))
	require.NoError(t, err)
	assert.Equal(t, "# mine\n", string(mine))

	out, err = execute(t, "uninstall-addon", dir)
	require.NoError(t, err)
	assert.Contains(t, out, "is gone from")
	text, err := os.ReadFile(filepath.Join(dir, "project.godot"))
	require.NoError(t, err)
	assert.Equal(t, plainProject, string(text))
	out, err = execute(t, "uninstall-addon", dir)
	require.NoError(t, err)
	assert.Contains(t, out, "nothing was changed")
}
