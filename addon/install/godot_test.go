//go:build godot

package install

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEngineKeepsProjectFile is B011 on the engine: a run of the editor with
// the addon leaves project.godot alone, other people's autoloads with it, and
// what the engine put beside the addon's files goes with them.
func TestEngineKeepsProjectFile(t *testing.T) {
	bin := os.Getenv("GODOT_BIN")
	require.NotEmpty(t, bin, "GODOT_BIN names the engine")
	text := plainProject + "\n[autoload]\n\nMCPScreenshot=\"*res://own.gd\"\nMCPInputService=\"*res://own.gd\"\nMCPGameInspector=\"*res://own.gd\"\n"
	dir := newProject(t, text)
	write(t, dir, "own.gd", "extends Node\n")
	_, err := Install(dir, false)
	require.NoError(t, err)
	installed := read(t, dir, "project.godot")

	cmd := exec.CommandContext(t.Context(), bin, "--headless", "--path", dir, "--import")
	// Nobody listens there; the editor must not meet the server of a person.
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "GODOT_MCP_BRIDGE_URL=ws://127.0.0.1:1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.NotContains(t, string(out), "SCRIPT ERROR")
	assert.NotContains(t, string(out), "WARNING")
	assert.Equal(t, installed, read(t, dir, "project.godot"))
	st, err := Status(dir)
	require.NoError(t, err)
	assert.True(t, st.Current, "%+v", st)
	_, err = Uninstall(dir, false)
	require.NoError(t, err)
	assert.Equal(t, text, read(t, dir, "project.godot"))
	assert.NoDirExists(t, dir+"/addons")
}
