//go:build godot

package world

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRecordEngine runs all cases in a real editor (GODOT_BIN) and records what it
// saves in testdata/engine. One editor runs them all, in about ten seconds.
func TestRecordEngine(t *testing.T) {
	bin := os.Getenv("GODOT_BIN")
	require.NotEmpty(t, bin, "GODOT_BIN names the engine")
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	type job struct {
		Name  string `json:"name"`
		Scene string `json:"scene"`
		Code  string `json:"code"`
	}
	var jobs []job
	for _, c := range engineCases {
		for name, text := range engineProject(t, c) {
			write(name, text)
		}
		jobs = append(jobs, job{c.name, "res://c/" + c.name + "/" + c.scene, c.gd})
	}
	list, err := json.Marshal(jobs)
	require.NoError(t, err)
	write("jobs.json", string(list))
	write("project.godot", "config_version=5\n\n[application]\n\nconfig/name=\"Lab\"\n\n[editor_plugins]\n\nenabled=PackedStringArray(\"res://addons/recorder/plugin.cfg\")\n")
	for _, name := range []string{"plugin.cfg", "plugin.gd"} {
		text, err := os.ReadFile(filepath.Join("testdata/recorder", name))
		require.NoError(t, err)
		write("addons/recorder/"+name, string(text))
	}
	cmd := exec.Command(bin, "--headless", "--editor", "--path", dir)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	var results map[string]string
	text, err := os.ReadFile(filepath.Join(dir, "results.json"))
	require.NoError(t, err, "%s", out)
	require.NoError(t, json.Unmarshal(text, &results))
	require.NoError(t, os.MkdirAll("testdata/engine", 0o755))
	for _, c := range engineCases {
		got, ok := results[c.name]
		require.True(t, ok, "%s was not run", c.name)
		require.NoError(t, os.WriteFile(filepath.Join("testdata/engine", c.name+".txt"), []byte(normal(got)), 0o644))
	}
}
