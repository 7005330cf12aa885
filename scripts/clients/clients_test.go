//go:build clients

package clients

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"godot-mcp/evals/agents"
	"godot-mcp/evals/fakemodel"
	"godot-mcp/evals/tasks"
)

// claudeVersion is the release of Claude Code's command line client that is driven.
const claudeVersion = "2.1.332"

// TestClaudeCode lets Claude Code list the tools, create a node and save, and
// looks at the scene file for the effect.
func TestClaudeCode(t *testing.T) {
	server := os.Getenv("GODOT_MCP_BIN")
	require.NotEmpty(t, server, "GODOT_MCP_BIN names the server binary")
	claude := install(t, "@anthropic-ai/claude-code@"+claudeVersion, "claude")

	project := t.TempDir()
	write(t, filepath.Join(project, "project.godot"), "config_version=5\n\n[application]\n\nconfig/name=\"Client\"\nrun/main_scene=\"res://main.tscn\"\n")
	write(t, filepath.Join(project, "main.tscn"), "[gd_scene format=3 uid=\"uid://cl1entt3st0\"]\n\n[node name=\"Main\" type=\"Node2D\" unique_id=1]\n")

	turns := []fakemodel.Turn{
		{Tool: "open_scene", Input: map[string]any{"scene_path": "res://main.tscn"}},
		{Tool: "create_node", Input: map[string]any{"parent_path": ".", "node_type": "Sprite2D", "node_name": "Hero"}},
		{Tool: "save_scene", Input: map[string]any{}},
	}
	model := &fakemodel.Model{Brain: fakemodel.Script("Done.", turns...)}
	api := httptest.NewServer(model)
	defer api.Close()

	home, work := t.TempDir(), t.TempDir()
	config := filepath.Join(work, "mcp.json")
	b, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"godot": map[string]any{
		"type": "stdio", "command": server,
		"args": []string{"serve", "--simulate", project, "--profile", "editor", "--toolsets", "inspection,scene_edit"},
	}}})
	require.NoError(t, err)
	write(t, config, string(b))

	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, claude, "-p", "Add a Sprite2D called Hero to the open scene and save it.",
		"--model", "claude-sonnet-4-5", "--mcp-config", config, "--strict-mcp-config", "--tools", "",
		"--allowedTools", "mcp__godot", "--output-format", "stream-json", "--verbose",
		"--no-session-persistence", "--setting-sources", "")
	cmd.Dir = work
	cmd.Env = []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "ANTHROPIC_BASE_URL=" + api.URL, "ANTHROPIC_API_KEY=scripted",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1",
	}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, model.Problems(), "%s", out)
	require.Len(t, model.Results(), len(turns), "%s", out)
	for _, r := range model.Results() {
		require.NotContains(t, r, "VALIDATION_ERROR")
	}
	offered := strings.Join(model.Offered(), " ")
	require.Contains(t, offered, "godot_health_check")
	require.Contains(t, offered, "godot_scene_edit_create_node")
	scene, err := os.ReadFile(filepath.Join(project, "main.tscn"))
	require.NoError(t, err)
	require.Contains(t, string(scene), `[node name="Hero" type="Sprite2D" parent="."`)
}

// TestClaudeCodeInTheEvals lets Claude Code work through tasks as eval run
// starts it. The scripted model plays the oracle, so every trial is trusted.
func TestClaudeCodeInTheEvals(t *testing.T) {
	server := os.Getenv("GODOT_MCP_BIN")
	require.NotEmpty(t, server, "GODOT_MCP_BIN names the server binary")
	claude := install(t, "@anthropic-ai/claude-code@"+claudeVersion, "claude")
	all, err := tasks.All()
	require.NoError(t, err)
	model := &fakemodel.Model{Brain: agents.Brain(all, nil)}
	api := httptest.NewServer(model)
	defer api.Close()
	out := filepath.Join(t.TempDir(), "run")
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, server, "eval", "run", "--agent", "client:claude-code", "--model", "claude-sonnet-4-5",
		"--base-url", api.URL, "--tasks", "toolset/just-enough,timeout/late-apply", "--parallel", "1", "--out", out)
	cmd.Env = []string{"PATH=" + filepath.Dir(claude) + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "ANTHROPIC_API_KEY=scripted"}
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", text)
	lines, err := os.ReadFile(filepath.Join(out, "trials.jsonl"))
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(lines), `"trusted":true,"goal":true`), "%s\n%s\n%v", text, lines, model.Problems())
}

// install puts an npm package into the user's cache and returns its command.
func install(t *testing.T, pkg, command string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	dir := filepath.Join(cache, "godot-mcp", "clients", strings.NewReplacer("/", "_", "@", "_").Replace(pkg))
	bin := filepath.Join(dir, "node_modules", ".bin", command)
	if exec.Command(bin, "--version").Run() == nil {
		return bin
	}
	require.NoError(t, os.MkdirAll(dir, 0o755))
	out, err := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefix", dir, pkg).CombinedOutput()
	require.NoError(t, err, "npm: %s", out)
	if out, err := exec.Command(bin, "--version").CombinedOutput(); err != nil {
		// npm may hold back install scripts; this one only links the platform's binary.
		script := filepath.Join(dir, "node_modules", filepath.FromSlash(pkg[:strings.LastIndex(pkg, "@")]), "install.cjs")
		built, runErr := exec.Command("node", script).CombinedOutput()
		require.NoError(t, runErr, "%s: %s\n%s", bin, out, built)
	}
	require.NoError(t, exec.Command(bin, "--version").Run())
	return bin
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}
