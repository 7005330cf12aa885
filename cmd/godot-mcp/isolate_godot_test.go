//go:build godot

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/isolate"
)

// A real Godot that an isolated server starts runs the game inside the bounds: it
// writes to the project and reads nothing of the person's home directory.
func TestAnIsolatedGameRuns(t *testing.T) {
	require.NotEmpty(t, godotBin, "GODOT_BIN names the engine")
	require.NoError(t, isolate.Available(isolate.On))
	project, secret := newProject(t), filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("hunter2"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(project, "main.gd"), []byte(`extends Node
func _ready():
	var secret = FileAccess.open("`+secret+`", FileAccess.READ)
	print("secret ", "closed" if secret == null else secret.get_as_text())
	var f = FileAccess.open("res://written.txt", FileAccess.WRITE)
	print("project ", "closed" if f == null else "open")
	get_tree().quit()
`), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(project, "main.tscn"), []byte(`[gd_scene load_steps=2 format=3]

[ext_resource type="Script" path="res://main.gd" id="1"]

[node name="Main" type="Node"]
script = ExtResource("1")
`), 0o600))
	for mode, says := range map[string][]string{"off": {"secret hunter2", "project open"}, "on": {"secret closed", "project open"}} {
		_, url := startHTTP(t, nil, "--profile", "full", "--bridge-url", "ws://127.0.0.1:0", "--project-dir", project, "--state-dir", t.TempDir(), "--godot-bin", godotBin, "--isolate="+mode)
		_, id, _ := send(t, url, "", "", hello)
		status, _, text := send(t, url, "", id, toolCall(t, "godot_debug_workflow", map[string]any{"scene": "res://main.tscn", "timeout_seconds": 20}))
		require.Equal(t, http.StatusOK, status)
		for _, want := range says {
			assert.Contains(t, text, want, mode)
		}
	}
}
