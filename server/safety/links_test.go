package safety

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/answer"
)

func TestInProject(t *testing.T) {
	dir := t.TempDir()
	project, outside := filepath.Join(dir, "project"), filepath.Join(dir, "outside")
	for _, d := range []string{filepath.Join(project, "real", "deep"), outside, filepath.Join(dir, "project2")} {
		require.NoError(t, os.MkdirAll(d, 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(outside, "x.gd"), nil, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(project, "real", "x.gd"), nil, 0o644))
	for name, target := range map[string]string{
		"out": outside, "outrel": "../outside", "file.gd": "../outside/x.gd", "sibling": "../project2",
		"in": "real", "inabs": filepath.Join(project, "real"), "nowhere": "../outside/new.gd", "real/up": "../..", "self": ".",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(project, name)))
	}
	require.NoError(t, os.Symlink(project, filepath.Join(dir, "alias")))
	for _, root := range []string{project, filepath.Join(dir, "alias")} {
		for _, good := range []string{"res://", "res://real/x.gd", "res://real/none.gd", "res://none/none/none.gd", "res://in/x.gd", "res://in/new.gd", "res://inabs/x.gd", "res://self/real/x.gd"} {
			assert.NoError(t, InProject(root, good), good)
		}
		for _, bad := range []string{"res://out/x.gd", "res://out", "res://out/new.gd", "res://outrel/a/b/c.gd", "res://file.gd", "res://sibling/x", "res://nowhere", "res://real/up/outside/x.gd", "res://self/out/x.gd"} {
			assert.Error(t, InProject(root, bad), bad)
		}
	}
	assert.NoError(t, InProject("", "res://out/x.gd"))
	assert.NoError(t, InProject(filepath.Join(dir, "elsewhere"), "res://out/x.gd"))
}

// Where nothing may be written, whatever name leads there.
func TestMayWrite(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "addons", "godot_mcp"), 0o755))
	require.NoError(t, os.Symlink("addons", filepath.Join(dir, "alias")))
	for _, p := range []string{"res://addons/godot_mcp/a.gd", "res://ADDONS/Godot_MCP/a.gd", "res://addons/godot_mcp", "res://alias/godot_mcp/new/a.gd"} {
		f := MayWrite(dir, p)
		require.NotNil(t, f, p)
		require.Equal(t, string(answer.OwnAddon), f.Reason, p)
		require.Equal(t, "path", f.Required)
	}
	listener, err := net.Listen("unix", filepath.Join(dir, "socket.gd"))
	require.NoError(t, err)
	defer func() { require.NoError(t, listener.Close()) }()
	for _, p := range []string{"res://socket.gd", "res://socket.gd/a.gd"} {
		f := MayWrite(dir, p)
		require.NotNil(t, f, p)
		require.Equal(t, string(answer.ReadOnlyPath), f.Reason, p)
		require.Contains(t, f.Hint, "a socket")
	}
	require.Equal(t, string(answer.BadResPath), MayWrite("", "res://"+strings.Repeat("a", 241)).Reason)
	for _, p := range []string{"res://a.gd", "res://addons/godot_mcp_more/a.gd", "res://alias/b/c.gd", "res://" + strings.Repeat("a", 240)} {
		require.Nil(t, MayWrite(dir, p), p)
		require.Nil(t, MayWrite("", p), p)
		require.Nil(t, MayWrite(filepath.Join(dir, "gone"), p), p)
	}
}
