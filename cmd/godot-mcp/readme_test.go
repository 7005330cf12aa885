package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/toolsets"
	"godot-mcp/server/safety"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	return string(text)
}

// blocks gives the fenced blocks of a language.
func blocks(text, language string) []string {
	var out []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// clientCommands is what each way of connecting a client makes the client run.
func clientCommands(t *testing.T, text string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, b := range blocks(text, "json") {
		var config struct {
			Servers map[string]struct {
				Command string   `json:"command"`
				Args    []string `json:"args"`
			} `json:"mcpServers"`
		}
		require.NoError(t, json.Unmarshal([]byte(b), &config))
		for name, s := range config.Servers {
			out["json "+name] = append([]string{s.Command}, s.Args...)
		}
	}
	for _, b := range blocks(text, "toml") {
		// This much TOML is a table of JSON values.
		m := regexp.MustCompile(`\A\[mcp_servers\.(\w+)\]\ncommand = (".*")\nargs = (\[.*\])\n\z`).FindStringSubmatch(b)
		require.NotNil(t, m, b)
		var command string
		var args []string
		require.NoError(t, json.Unmarshal([]byte(m[2]), &command))
		require.NoError(t, json.Unmarshal([]byte(m[3]), &args))
		out["toml "+m[1]] = append([]string{command}, args...)
	}
	for _, b := range blocks(text, "sh") {
		if _, command, ok := strings.Cut(b, "claude mcp add godot -- "); ok {
			out["claude"] = strings.Fields(command)
		}
	}
	return out
}

// TestClientSnippets is B124: each snippet parses and starts a server on which
// an agent can edit.
func TestClientSnippets(t *testing.T) {
	commands := clientCommands(t, readme(t))
	require.Len(t, commands, 3)
	for name, words := range commands {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, "godot-mcp", words[0])
			require.Equal(t, "serve", words[1])
			t.Setenv("GODOT_MCP_BRIDGE_URL", "ws://127.0.0.1:0")
			s := startServe(t, words[2:]...)
			info := s.call("godot_get_server_info", `{}`)
			assert.Equal(t, "editor", info["profile"])
			assert.Contains(t, string(s.ask("tools/list", `{}`)), "godot_inspection_get_scene_tree")
			s.gone()
		})
	}
}

func TestReadmeCommandsExist(t *testing.T) {
	text := readme(t)
	n := 0
	for _, m := range regexp.MustCompile("(?m)(?:^|`)godot-mcp (.+?)(?: {2,}#.*)?(?:`|$)").FindAllStringSubmatch(strings.Join(blocks(text, "sh"), ""), -1) {
		typed(t, strings.TrimSpace(m[1]))
		n++
	}
	for _, m := range regexp.MustCompile("`godot-mcp ([^`]+)`").FindAllStringSubmatch(text, -1) {
		words := strings.Fields(m[1])
		if words[0] == "help" {
			words = words[1:]
		}
		c, _, err := root().Find(words)
		require.NoError(t, err, m[1])
		assert.Equal(t, words[0], strings.Fields(c.Use)[0])
		n++
	}
	assert.Greater(t, n, 6)
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	for _, m := range regexp.MustCompile("(?m)(?:^|`)make ([a-z-]+)").FindAllStringSubmatch(text, -1) {
		assert.Regexp(t, `(?m)^`+m[1]+`:`, string(makefile))
	}
	for _, m := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(text, -1) {
		assert.FileExists(t, filepath.Join("../..", m[1]))
	}
}

func TestReadmeFigures(t *testing.T) {
	text := readme(t)
	c := toolsets.Catalog()
	assert.Contains(t, text, fmt.Sprintf("%d tools in %d toolsets", len(c.Tools()), len(catalog.Toolsets())))
	for _, p := range safety.Profiles() {
		assert.Contains(t, text, "`"+string(p)+"`", "profile")
	}
	for _, m := range safety.Modes() {
		assert.Contains(t, text, string(m), "mode")
	}
	assert.LessOrEqual(t, strings.Count(text, "\n"), 100, "one page")
}

// What the README says of all tools of a kind holds for each of them.
func TestReadmePromisesHoldForEveryTool(t *testing.T) {
	for _, tool := range toolsets.Catalog().Tools() {
		var in struct {
			Properties map[string]any `json:"properties"`
		}
		require.NoError(t, json.Unmarshal(tool.InputSchema(), &in))
		changing := tool.Class == safety.Mutating || tool.Class == safety.Destructive
		if changing {
			assert.Contains(t, in.Properties, "dry_run", tool.Name)
		}
		if tool.Class == safety.Destructive {
			assert.Contains(t, in.Properties, "confirm", tool.Name)
		}
		assert.Equal(t, tool.Class == safety.ReadOnly, tool.In(safety.Core), tool.Name)
	}
}
