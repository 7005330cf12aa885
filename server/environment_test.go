package server

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestStrays(t *testing.T) {
	for name, near := range map[string]string{
		"GODOT_MCP_PROFIL":         "GODOT_MCP_PROFILE",
		"GODOT_MCP_PORFILE":        "GODOT_MCP_PROFILE",
		"GODOT_MCP_TOOLSET":        "GODOT_MCP_TOOLSETS",
		"GODOT_MCP_BRIDGETOKEN":    "GODOT_MCP_BRIDGE_TOKEN",
		"GODOT_MCP_URL":            "GODOT_MCP_BRIDGE_URL",
		"GODOT_MCP_LOGLEVEL":       "GODOT_MCP_LOG_LEVEL",
		"GODOT_MCP_ALLOW_DESTRUCT": "GODOT_MCP_ALLOW_DESTRUCTIVE",
		"GODOT_MCP_DEMOGODOT":      "GODOT_MCP_DEMO_GODOT",
		"GODOT_MCP_QQQQQQQQ":       "",
	} {
		found := Strays([]string{"GODOT_MCP_PROFILE=full", "PATH=/bin", name + "=1", "GODOT_BIN=/godot", "GODOT_MCP_DEMO_GODOT=x", "GODOT_MCP_EMPTY="}, "GODOT_MCP_DEMO_GODOT")
		require.Len(t, found, 1, name)
		assert.Equal(t, Stray{Name: name, Near: near}, found[0])
		assert.Contains(t, found[0].String(), near)
	}
	two := Strays([]string{"GODOT_MCP_B=1", "GODOT_MCP_A=1"})
	require.Len(t, two, 2)
	assert.Equal(t, "GODOT_MCP_A", two[0].Name)
	for _, o := range Options() {
		for _, name := range o.Env {
			assert.Empty(t, Strays([]string{name + "=x"}))
		}
	}
}

func TestSlips(t *testing.T) {
	assert.Equal(t, 1, slips("PORFILE", "PROFILE"))
	assert.Equal(t, 1, slips("PROFIL", "PROFILE"))
	assert.Equal(t, 3, slips("", "ABC"))
	rapid.Check(t, func(rt *rapid.T) {
		word := rapid.StringMatching(`[A-C_]{0,6}`)
		a, b, c := word.Draw(rt, "a"), word.Draw(rt, "b"), word.Draw(rt, "c")
		require.Zero(rt, slips(a, a))
		require.Equal(rt, slips(a, b), slips(b, a))
		require.Equal(rt, a == b, slips(a, b) == 0)
		require.LessOrEqual(rt, slips(a, b), max(len(a), len(b)))
		require.LessOrEqual(rt, slips(a+c, b+c), slips(a, b))
	})
}
