package server

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/approval"
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
		"a page":      {settings{"GODOT_MCP_APPROVAL": "console", "GODOT_MCP_APPROVAL_CONSOLE": "127.0.0.1:0"}, "console", 5 * time.Minute},
		"required":    {settings{"GODOT_MCP_APPROVAL_REQUIRE": "true"}, "elicitation", 5 * time.Minute},
		"not":         {settings{"GODOT_MCP_APPROVAL_REQUIRE": "false"}, "", 0},
		"chosen":      {settings{"GODOT_MCP_APPROVAL": "elicitation", "GODOT_MCP_APPROVAL_WEBHOOK": "https://a.example"}, "elicitation", 5 * time.Minute},
		"nobody":      {settings{"GODOT_MCP_APPROVAL": "none", "GODOT_MCP_APPROVAL_REQUIRE": "1", "GODOT_MCP_APPROVAL_FAIL_OPEN": "1", "GODOT_MCP_APPROVAL_OPEN": "1"}, "", 0},
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
		"no loopback":     {"GODOT_MCP_APPROVAL": "console", "GODOT_MCP_APPROVAL_CONSOLE": "0.0.0.0:1"},
		"page for nobody": {"GODOT_MCP_APPROVAL_CONSOLE": "127.0.0.1:0"},
		"unknown":         {"GODOT_MCP_APPROVAL": "yes"},
		"no time":         {"GODOT_MCP_APPROVAL_TIMEOUT": "0"},
		"NaN time":        {"GODOT_MCP_APPROVAL_TIMEOUT": "NaN"},
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

// The page is there from the start; its link is said whatever the log level.
func TestTheConsoleOfAServer(t *testing.T) {
	var log bytes.Buffer
	cfg := editing()
	cfg.StateDir, cfg.BridgeURL, cfg.Log, cfg.LogLevel = t.TempDir(), "ws://127.0.0.1:0", &log, slog.LevelError
	cfg.Approval.By = byConsole
	s, err := New(cfg)
	require.NoError(t, err)
	defer s.Close()
	var line struct{ Link string }
	require.NoError(t, json.Unmarshal(log.Bytes(), &line), log.String())
	page, token, found := strings.Cut(line.Link, "#")
	require.True(t, found)
	assert.NotEmpty(t, token)
	res, err := http.Get(page)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, http.StatusOK, res.StatusCode)
	verdict := make(chan approval.Verdict)
	go func() {
		v, _ := s.env.Ask(t.Context(), approval.Question{Tool: "t", Arguments: json.RawMessage(`{}`)})
		verdict <- v
	}()
	require.Eventually(t, func() bool { return s.queue.Waiting() == 1 }, 10*time.Second, time.Millisecond)
	s.Close()
	v := <-verdict
	assert.False(t, v.Approved)
	cfg.Approval.Console = strings.TrimSuffix(strings.TrimPrefix(page, "http://"), "/")
	other, err := New(cfg)
	require.NoError(t, err)
	_, err = New(cfg)
	require.Error(t, err, "a page that cannot be served stops the start")
	other.Close()
}
