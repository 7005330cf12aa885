package safety

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
