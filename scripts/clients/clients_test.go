//go:build clients

package clients

import (
	"context"
	"encoding/json"
	"fmt"
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
	"godot-mcp/evals/run"
	"godot-mcp/evals/tasks"
)

// client is a command line client that is driven.
type client struct {
	name    string // of its adapter in the evals
	pkg     string // npm package and release
	command string
	model   string
	base    string // path of the model's API
	// start says how it is started on a prompt, with the server as its only
	// tools: the arguments and the environment beyond PATH and HOME.
	start func(t *testing.T, place place) (args, env []string)
}

// place is what a client is given.
type place struct {
	home, work, api, prompt, model string
	server                         []string // command line of the server
}

var all = []client{
	{name: "claude-code", pkg: "@anthropic-ai/claude-code@2.1.332", command: "claude", model: "claude-sonnet-4-5", start: startClaude},
	{name: "codex", pkg: "@openai/codex@0.171.0", command: "codex", model: "scripted", base: "/v1", start: startCodex},
	{name: "opencode", pkg: "opencode-ai@1.18.33", command: "opencode", model: "scripted", base: "/v1", start: startOpencode},
}

func startClaude(t *testing.T, p place) (args, env []string) {
	config := filepath.Join(p.work, "mcp.json")
	writeJSON(t, config, map[string]any{"mcpServers": map[string]any{"godot": map[string]any{
		"type": "stdio", "command": p.server[0], "args": p.server[1:],
	}}})
	return []string{
			"-p", p.prompt, "--model", p.model, "--mcp-config", config, "--strict-mcp-config", "--tools", "",
			"--allowedTools", "mcp__godot", "--output-format", "stream-json", "--verbose", "--no-session-persistence", "--setting-sources", "",
		}, []string{
			"ANTHROPIC_BASE_URL=" + p.api, "ANTHROPIC_API_KEY=k3y",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1",
		}
}

func startCodex(t *testing.T, p place) (args, env []string) {
	quoted := func(v any) string {
		b, err := json.Marshal(v) // TOML takes these strings and lists too
		require.NoError(t, err)
		return string(b)
	}
	write(t, filepath.Join(p.home, "config.toml"), `model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = `+quoted(p.api)+`
wire_api = "responses"
env_key = "OPENAI_API_KEY"

[mcp_servers.godot]
command = `+quoted(p.server[0])+`
args = `+quoted(p.server[1:])+`
default_tools_approval_mode = "approve"
`)
	return []string{
		"exec", "--json", "--ephemeral", "--skip-git-repo-check", "--disable", "shell_tool", "--disable", "unified_exec",
		"--disable", "multi_agent", "--disable", "apps", "--disable", "plugins", "--model", p.model, p.prompt,
	}, []string{"CODEX_HOME=" + p.home, "OPENAI_API_KEY=k3y"}
}

func startOpencode(t *testing.T, p place) (args, env []string) {
	config := filepath.Join(p.work, "opencode.json")
	writeJSON(t, config, map[string]any{
		"permission": map[string]any{"*": "deny", "godot_*": "allow"},
		"provider": map[string]any{"scripted": map[string]any{
			"npm": "@ai-sdk/openai-compatible", "options": map[string]any{"baseURL": p.api, "apiKey": "k3y"},
			"models": map[string]any{p.model: map[string]any{"tool_call": true}},
		}},
		"mcp": map[string]any{"godot": map[string]any{"type": "local", "command": p.server, "enabled": true}},
	})
	return []string{"run", "--format", "json", "--pure", "--model", "scripted/" + p.model, p.prompt}, []string{
		"OPENCODE_CONFIG=" + config, "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1",
	}
}

// TestEdit lets each client list the tools, create a node and save, and looks at
// the scene file for the effect.
func TestEdit(t *testing.T) {
	server := binary(t)
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			command := install(t, c.pkg, c.command)
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

			p := place{
				home: t.TempDir(), work: t.TempDir(), api: api.URL + c.base, model: c.model, prompt: "Add a Sprite2D called Hero to the open scene and save it.",
				server: []string{server, "serve", "--simulate", project, "--profile", "editor", "--toolsets", "inspection,scene_edit"},
			}
			args, env := c.start(t, p)
			out, err := runClient(t, p.work, append(env, "HOME="+p.home, "PATH="+os.Getenv("PATH")), command, args...)
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
		})
	}
}

// TestEvals lets each client work through tasks as eval run starts it, over
// stdio and over HTTP. The scripted model plays the oracle, so every trial is
// trusted.
func TestEvals(t *testing.T) {
	for _, c := range all {
		for _, adapter := range []string{c.name, c.name + "-http"} {
			t.Run(adapter, func(t *testing.T) {
				records, log := measure(t, c, adapter, nil, "toolset/just-enough", "timeout/late-apply")
				for _, r := range records {
					require.True(t, r.Trusted, "%s: %s %v\n%s", r.Key(), r.Cause, r.Failed, log)
				}
			})
		}
	}
}

// TestFaults lets each client meet a model that fails once. A client that gets
// over it works on and is trusted; one that does not is a fault of the
// infrastructure, never of the agent. Broken arguments are the model's own doing:
// those trials count, whatever the client makes of them.
func TestFaults(t *testing.T) {
	for _, c := range all {
		for _, f := range []fakemodel.Fault{fakemodel.TooMany, fakemodel.Broken, fakemodel.Truncated, fakemodel.BadJSON} {
			t.Run(c.name+"/"+string(f), func(t *testing.T) {
				records, log := measure(t, c, c.name+"-http", []fakemodel.Fault{"", f}, "toolset/just-enough")
				r := records[0]
				t.Logf("%s %s trusted=%v %v", r.Outcome, r.Cause, r.Trusted, r.Failed)
				switch {
				case r.Outcome == run.Scored && f == fakemodel.BadJSON:
				case r.Outcome == run.Scored:
					require.True(t, r.Trusted, "%v\n%s", r.Failed, log)
				default:
					require.Equal(t, run.Infra, r.Outcome, "%s\n%s", r.Cause, log)
				}
			})
		}
	}
}

// measure makes a trial of each task with eval run.
func measure(t *testing.T, c client, adapter string, faults []fakemodel.Fault, ids ...string) (records []run.Record, log string) {
	t.Helper()
	suite, err := tasks.All()
	require.NoError(t, err)
	command := install(t, c.pkg, c.command)
	model := &fakemodel.Model{Brain: agents.Brain(suite, nil), Faults: faults}
	api := httptest.NewServer(model)
	defer api.Close()
	out := filepath.Join(t.TempDir(), "run")
	env := []string{"PATH=" + filepath.Dir(command) + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "ANTHROPIC_API_KEY=k3y", "OPENAI_API_KEY=k3y"}
	text, err := runClient(t, t.TempDir(), env, binary(t), "eval", "run", "--agent", "client:"+adapter, "--model", c.model,
		"--base-url", api.URL+c.base, "--tasks", strings.Join(ids, ","), "--parallel", "1", "--out", out)
	records, readErr := run.Folder(out).Records()
	require.NoError(t, readErr, "%s", text)
	require.Len(t, records, len(ids), "%v\n%s", err, text)
	return records, fmt.Sprint(string(text), model.Problems(), logs(t, out))
}

// logs are what the client wrote in each trial.
func logs(t *testing.T, out string) string {
	files, err := filepath.Glob(filepath.Join(out, "t", "*", "*", "*", "agent.log"))
	require.NoError(t, err)
	var all strings.Builder
	for _, f := range files {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		all.WriteString(f + "\n" + string(b) + "\n")
	}
	return all.String()
}

const clientTimeout = 5 * time.Minute

// runClient runs a program to its end, with nothing on its input.
func runClient(t *testing.T, dir string, env []string, command string, args ...string) ([]byte, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), clientTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Dir, cmd.Env = dir, env
	return cmd.CombinedOutput()
}

func binary(t *testing.T) string {
	t.Helper()
	server := os.Getenv("GODOT_MCP_BIN")
	require.NotEmpty(t, server, "GODOT_MCP_BIN names the server binary")
	return server
}

func writeJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	write(t, path, string(b))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}
