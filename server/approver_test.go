package server

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog/catalogtest"
)

func TestChoosingAnApprover(t *testing.T) {
	type settings = map[string]string
	load := func(s settings) (Config, error) {
		return Load(nil, func(name string) string { return s[name] })
	}
	for what, tc := range map[string]struct {
		env     settings
		by      string
		timeout time.Duration
	}{
		"nothing":     {settings{}, "", 0},
		"a webhook":   {settings{"GODOT_MCP_APPROVAL_WEBHOOK": "https://a.example/x"}, "webhook", 30 * time.Second},
		"required":    {settings{"GODOT_MCP_APPROVAL_REQUIRE": "true"}, "elicitation", 5 * time.Minute},
		"not":         {settings{"GODOT_MCP_APPROVAL_REQUIRE": "false"}, "", 0},
		"chosen":      {settings{"GODOT_MCP_APPROVAL": "elicitation", "GODOT_MCP_APPROVAL_WEBHOOK": "https://a.example"}, "elicitation", 5 * time.Minute},
		"nobody":      {settings{"GODOT_MCP_APPROVAL": "none", "GODOT_MCP_APPROVAL_REQUIRE": "1"}, "", 0},
		"open, slow":  {settings{"GODOT_MCP_APPROVAL_WEBHOOK": "http://127.0.0.1:1", "GODOT_MCP_APPROVAL_FAIL_OPEN": "true", "GODOT_MCP_APPROVAL_TIMEOUT": "2.5"}, "webhook", 2500 * time.Millisecond},
		"not so open": {settings{"GODOT_MCP_APPROVAL_FAIL_OPEN": "false"}, "", 0},
	} {
		c, err := load(tc.env)
		require.NoError(t, err, what)
		assert.Equal(t, tc.by, c.Approval.name(), what)
		g, _ := c.gate()
		assert.Equal(t, tc.by, g.Approver, what)
		assert.Equal(t, what == "open, slow", g.FailOpen)
		if tc.by != "" {
			assert.Equal(t, tc.timeout, c.Approval.timeout(), what)
		}
		s := NewWith(c, catalogtest.New())
		assert.Equal(t, tc.by != "", s.env.Ask != nil, what)
		s.Close()
	}
	for what, env := range map[string]settings{
		"two":             {"GODOT_MCP_APPROVAL_REQUIRE": "true", "GODOT_MCP_APPROVAL_WEBHOOK": "https://a.example"},
		"no address":      {"GODOT_MCP_APPROVAL": "webhook"},
		"bad address":     {"GODOT_MCP_APPROVAL_WEBHOOK": "a.example"},
		"open to nothing": {"GODOT_MCP_APPROVAL_FAIL_OPEN": "true"},
		"open elsewhere":  {"GODOT_MCP_APPROVAL": "elicitation", "GODOT_MCP_APPROVAL_FAIL_OPEN": "true"},
		"unknown":         {"GODOT_MCP_APPROVAL": "yes"},
		"no time":         {"GODOT_MCP_APPROVAL_TIMEOUT": "0"},
		"odd token":       {"GODOT_MCP_APPROVAL_TOKEN": "a b", "GODOT_MCP_APPROVAL_WEBHOOK": "https://a.example"},
		"unclear":         {"GODOT_MCP_APPROVAL_REQUIRE": "maybe"},
	} {
		_, err := load(env)
		assert.Error(t, err, what)
	}
}

func TestWebhooksOverTheNetworkWantTLS(t *testing.T) {
	for url, unsafe := range map[string]bool{
		"https://a.example": false, "http://127.0.0.1:1": false, "http://[::1]:1": false, "http://localhost": false,
		"http://a.example": true, "http://10.0.0.1": true,
	} {
		a := Approval{By: byWebhook, Webhook: url}
		assert.Equal(t, unsafe, a.unsafeWebhook(), url)
	}
}
