package lint

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/evals/tasks"
)

func TestTasksAreClean(t *testing.T) {
	problems, err := Files(tasks.FS())
	require.NoError(t, err)
	assert.Empty(t, problems)
}

// TestEachRuleBites breaks a good task in one place at a time.
func TestEachRuleBites(t *testing.T) {
	good, err := tasks.Text("build/player")
	require.NoError(t, err)
	for _, c := range []struct{ old, new, want string }{
		{`"schema": "evals/1"`, `"schema": "evals/2"`, "schema is"},
		{`"version": 1`, `"version": 0`, "version begins at 1"},
		{`"split": "public"`, `"split": "open"`, "split is"},
		{`"split": "public"`, `"splitt": "public"`, "unknown field"},
		{`"version": 1`, `"version": 1, "version": 1`, "stands twice"},
		{"do not train on this file", "train", "canary must be"},
		{"Save the scene when you are done.", "Step 1: use create_node.", "the prompt names the tool create_node"},
		{"Save the scene when you are done.", "Step 1: save.", "the prompt lists steps"},
		{"Save the scene when you are done.", "This is an eval.", "the prompt says"},
		{"disk.shape res://level.tscn", "disk.shap res://level.tscn", "there is no word"},
		{"covers=32x48", "cover=32x48", "no option"},
		{"player disk.node", "collateral disk.node", "automatic finding"},
		{"call create_node parent_path=.", "call make_node parent_path=.", "there is no tool make_node"},
		{"enable scene_edit\n", "enable scenes\n", "there is no toolset scenes"},
		{"-- checks.txt --", "-- check.txt --", "unknown member"},
		{"-- project/level.tscn --", "-- project/../level.tscn --", "does not lie inside"},
		{"settle Player\n", "settle\n", "settle wants NODE"},
		{"settle Player\n", "if ok ~ 3: save\n", "no operator"},
		{`"open": ["res://level.tscn"]`, `"open": ["res://no.tscn"]`, "there is no res://no.tscn"},
		{`"profile": "editor"`, `"profile": "all"`, "server:"},
		{"# one composed", "-- one composed --\n#", "unknown member"},
	} {
		require.Contains(t, good, c.old)
		bad := strings.Replace(good, c.old, c.new, 1)
		problems, err := Files(fstest.MapFS{"build/player.txtar": {Data: []byte(bad)}})
		require.NoError(t, err)
		assert.Contains(t, strings.Join(problems, "\n"), c.want, "%s → %s", c.old, c.new)
	}
}
