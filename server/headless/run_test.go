package headless

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func program(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "godot")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755))
	return path
}

func TestRunReadsErrorsAndExitCode(t *testing.T) {
	bin := program(t, `echo "args $*"
echo "SCRIPT ERROR: Invalid call." >&2
echo "   at: _ready (res://a.gd:3)" >&2
echo "SCRIPT ERROR: Invalid call." >&2
echo "   at: _ready (res://a.gd:3)" >&2
exit 3`)
	r, err := Run(t.Context(), Options{Bin: bin, Project: "/p", Scene: "res://m.tscn", Limit: 10 * time.Second})
	require.NoError(t, err)
	require.Equal(t, 3, r.ExitCode)
	require.False(t, r.TimedOut)
	require.Equal(t, []string{"Invalid call. (_ready (res://a.gd:3))"}, r.Errors)
	require.Contains(t, r.Output, "args --headless --path /p res://m.tscn")
}

func TestRunEndsAfterTheLimit(t *testing.T) {
	r, err := Run(t.Context(), Options{Bin: program(t, "exec sleep 60"), Project: "/p", Limit: 50 * time.Millisecond})
	require.NoError(t, err)
	require.True(t, r.TimedOut)
}

func TestRunWithoutAProgram(t *testing.T) {
	_, err := Run(t.Context(), Options{Bin: "/nowhere/godot", Project: "/p", Limit: time.Second})
	require.Error(t, err)
}

// The project's code does not see the tokens of the server.
func TestRunHidesTheServersSettings(t *testing.T) {
	t.Setenv("GODOT_MCP_AUTH_TOKEN", "hunter2")
	t.Setenv("HARMLESS", "kept")
	r, err := Run(t.Context(), Options{Bin: program(t, "env"), Project: "/p", Limit: 10 * time.Second})
	require.NoError(t, err)
	require.Contains(t, r.Output, "HARMLESS=kept")
	require.NotContains(t, r.Output, "hunter2")
}

func TestRunInAHomeOfItsOwn(t *testing.T) {
	home := filepath.Join(t.TempDir(), "state", "home")
	r, err := Run(t.Context(), Options{Bin: program(t, "echo kept > $HOME/log; echo $XDG_DATA_HOME"), Project: "/p", Home: home, Limit: 10 * time.Second})
	require.NoError(t, err)
	require.Equal(t, home+"\n", r.Output)
	require.FileExists(t, filepath.Join(home, "log"))
}
