package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server"
)

func rulesFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "rules.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func TestPermissionsExplain(t *testing.T) {
	file := rulesFile(t, "rules:\n  - effect: deny\n    path: res://addons/*\n  - effect: ask\n    class: destructive\n")
	explain := func(args ...string) server.Explanation {
		out, err := execute(t, append([]string{"permissions", "explain", "--json", "--profile", "editor", "--permissions", file}, args...)...)
		require.NoError(t, err, out)
		var e server.Explanation
		require.NoError(t, json.Unmarshal([]byte(out), &e), out)
		return e
	}
	e := explain("write_script", `{"script_path":"res://addons/a.gd","content":""}`)
	assert.False(t, e.Allowed)
	assert.Equal(t, "rules", e.Stage)
	assert.Equal(t, "rules.yaml", e.Ruling.Layer)
	assert.Equal(t, 2, e.Ruling.Line)
	assert.Equal(t, "deny path res://addons/*", e.Ruling.Rule)
	e = explain("godot_scripts_write", `{"script_path":"res://a.gd","content":""}`)
	assert.True(t, e.Allowed)
	assert.Equal(t, "mode full", e.Ruling.Layer)
	e = explain("delete_node")
	assert.Equal(t, "approver", e.Failure.Required)
	e = explain("delete_node", "--ask", "execute")
	assert.True(t, e.Allowed)
	assert.False(t, e.Listed, "its toolset is off at the start")
	assert.True(t, e.Ruling.Unasked)

	out, err := execute(t, "permissions", "explain", "delete_node", "--permissions", file)
	require.NoError(t, err)
	assert.Contains(t, out, "decision: deny\n")
	assert.Contains(t, out, "--profile editor")
	_, err = execute(t, "permissions", "explain", "wrie_script")
	require.ErrorContains(t, err, "near: godot_scripts_write")
	_, err = execute(t, "permissions", "explain", "write_script", "{")
	require.ErrorContains(t, err, "not valid JSON")
}

// A faulty permission file stops the start with code 2 and names the line.
func TestFaultyPermissionFileStopsTheStart(t *testing.T) {
	for text, want := range map[string]string{
		"rules:\n  - effect: deny\n    tool: godot_nope\n": "rules.yaml line 3: there is no tool",
		"rules:\n  - efect: deny\n":                        "rules.yaml line 2: unknown key",
	} {
		cmd := command(t.Context(), "serve", "--permissions", rulesFile(t, text))
		out, err := cmd.CombinedOutput()
		require.Error(t, err)
		assert.Equal(t, 2, cmd.ProcessState.ExitCode(), "%s", out)
		assert.Contains(t, string(out), want)
	}
	cmd := command(t.Context(), "serve", "--permissions", filepath.Join(t.TempDir(), "none.yaml"))
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	assert.Equal(t, 2, cmd.ProcessState.ExitCode(), "%s", out)
}

// Explain says that a person would be asked, and why.
func TestExplainShowsWhoIsAsked(t *testing.T) {
	file := rulesFile(t, "rules:\n  - effect: ask\n    tool: godot_describe_class\n  - effect: allow\n    tool: godot_scripts_*\n    overrides: true\n")
	explain := func(args ...string) string {
		out, err := execute(t, append([]string{"permissions", "explain", "--profile", "editor", "--permissions", file, "--approval-webhook", "http://127.0.0.1:1"}, args...)...)
		require.NoError(t, err, out)
		return out
	}
	assert.Contains(t, explain("delete_node", `{"node_path":"A"}`), "decision: ask a person (webhook), because it is destructive\n")
	assert.Contains(t, explain("describe_class"), "decision: ask a person (webhook), because rules.yaml line 2")
	assert.Contains(t, explain("close_scene"), "because nothing undoes it")
	assert.Contains(t, explain("write_script"), "decision: allow\n")
	assert.Contains(t, explain("list_history"), "decision: allow\n")
	out, err := execute(t, "help", "approval")
	require.NoError(t, err)
	assert.Contains(t, out, "HMAC-SHA256")
}

// The calls of a batch are judged by the rules of their own tools, as when it is made.
func TestExplainLooksIntoABatch(t *testing.T) {
	file := rulesFile(t, "rules:\n  - effect: deny\n    path: res://vendor/*\n")
	explain := func(args ...string) server.Explanation {
		out, err := execute(t, append([]string{"permissions", "explain", "--json", "--profile", "editor", "--permissions", file, "run_commands"}, args...)...)
		require.NoError(t, err, out)
		var e server.Explanation
		require.NoError(t, json.Unmarshal([]byte(out), &e), out)
		return e
	}
	read := `{"command":"get_active_scene","params":{}}`
	write := `{"command":"write_script","params":{"script_path":"res://a.gd","content":""}}`
	vendor := `{"command":"write_script","params":{"script_path":"res://vendor/a.gd","content":""}}`
	e := explain(`{"commands":[` + read + `,` + vendor + `]}`)
	assert.False(t, e.Allowed)
	assert.Equal(t, "rules", e.Stage)
	assert.Equal(t, 2, e.Ruling.Line)
	assert.InDelta(t, 1, e.Failure.Details["failed_index"], 0)
	assert.True(t, explain(`{"commands":[`+read+`,`+write+`]}`).Allowed)
	assert.False(t, explain(`{"commands":[{"command":"run_commands","params":{"commands":[]}}]}`).Allowed)
	assert.False(t, explain(`{"commands":[{"command":"nope"}]}`).Allowed)
	assert.Equal(t, "console", explain(`{"commands":[`+write+`]}`, "--approval", "console").Asks)
	assert.Empty(t, explain(`{"commands":[`+read+`]}`, "--approval", "console").Asks)
	assert.Empty(t, explain(`{"commands":[`+write+`],"dry_run":true}`, "--approval", "console").Asks)
}
