package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/isolate"
)

// startHTTP runs serve over HTTP and gives its address.
func startHTTP(t *testing.T, env []string, args ...string) (s *served, url string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	s = &served{t: t, cmd: command(ctx, append([]string{"serve", "--http", "0"}, args...)...)}
	s.cmd.Env = append(s.cmd.Env, env...)
	s.cmd.Stderr = &s.stderr
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	address := regexp.MustCompile(`served at (http\S+)`)
	require.Eventually(t, func() bool {
		m := address.FindStringSubmatch(s.stderr.String())
		if m == nil {
			return false
		}
		url = m[1]
		return true
	}, patience, 5*time.Millisecond, "%s", &s.stderr)
	return s, url
}

// send posts a message and gives status, session and body.
func send(t *testing.T, url, token, session, body string) (status int, id, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, resp.Header.Get("Mcp-Session-Id"), string(b)
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

func toolCall(t *testing.T, name string, args any) string {
	t.Helper()
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": name, "arguments": args}})
	require.NoError(t, err)
	return string(b)
}

// The program over HTTP: who has the token is served, SIGTERM ends it with code 0,
// and neither its log nor its command line has the token.
func TestServeHTTP(t *testing.T) {
	const token = "hunter2-hunter2-hunter2"
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	s, url := startHTTP(t, []string{"GODOT_MCP_AUTH_TOKEN=" + token}, "--profile", "editor", "--simulate", "--audit", audit)
	status, _, _ := send(t, url, "", "", hello)
	assert.Equal(t, http.StatusUnauthorized, status)
	status, _, _ = send(t, url+"?token="+token, "", "", hello)
	assert.Equal(t, http.StatusBadRequest, status)
	status, id, _ := send(t, url, token, "", hello)
	assert.Equal(t, http.StatusOK, status)
	require.NotEmpty(t, id)
	_, _, text := send(t, url, token, id, toolCall(t, "godot_get_server_info", map[string]any{}))
	assert.Contains(t, text, `"transport":"http"`)
	assert.Contains(t, text, `"connected":true`)
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, s.cmd.Wait())
	written, err := os.ReadFile(audit)
	require.NoError(t, err)
	assert.Contains(t, string(written), `"transport":"http"`)
	assert.Contains(t, string(written), `"client":"test 1"`)
	assert.Contains(t, string(written), `"http_token":true`)
	assert.NotContains(t, s.stderr.String()+string(written), token)
	assert.NotContains(t, s.stderr.String()+string(written), id)
}

// A port that is taken is an error that says so; nothing else is tried.
func TestServeHTTPOnATakenPort(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = ln.Close() }()
	code, _, stderr := exitCode(t, "serve", "--http", ln.Addr().String(), "--bridge-url", "ws://127.0.0.1:0", "--log-level", "error")
	assert.Equal(t, 1, code)
	assert.Contains(t, stderr, "address already in use")
	out, err := execute(t, "doctor", "--http", ln.Addr().String(), "--bridge-url", freeURL(t))
	require.Error(t, err)
	assert.Contains(t, out, "cannot listen on "+ln.Addr().String())
}

// An isolated server does its work in the project for an editor outside, over
// HTTP, and writes its audit and its journal. Where the machine cannot isolate
// it, it does not start and says why.
func TestServeIsolated(t *testing.T) {
	for _, mode := range []isolate.Mode{isolate.On, isolate.Strict} {
		t.Run(string(mode), func(t *testing.T) {
			project, state, log := newProject(t), t.TempDir(), t.TempDir()
			audit := filepath.Join(log, "audit.jsonl")
			bridge := freeURL(t)
			args := []string{"--profile", "full", "--toolsets", "all", "--bridge-url", bridge, "--project-dir", project, "--state-dir", state, "--audit", audit, "--isolate=" + string(mode)}
			if err := isolate.Available(mode); err != nil {
				code, _, stderr := exitCode(t, append([]string{"serve"}, args...)...)
				assert.Equal(t, 2, code)
				assert.Contains(t, stderr, err.Error())
				out, doctorErr := execute(t, append([]string{"doctor"}, args...)...)
				require.Error(t, doctorErr)
				assert.Contains(t, out, err.Error())
				return
			}
			s, url := startHTTP(t, nil, args...)
			editor := command(t.Context(), "simulate", project, "--bridge-url", bridge)
			var said bytes.Buffer
			editor.Stderr = &said
			require.NoError(t, editor.Start())
			defer func() {
				_ = editor.Process.Kill()
				_ = editor.Wait()
			}()
			_, id, _ := send(t, url, "", "", hello)
			require.Eventually(t, func() bool {
				_, _, text := send(t, url, "", id, toolCall(t, "godot_health_check", map[string]any{}))
				return strings.Contains(text, `"bridge_connected":true`)
			}, patience, 20*time.Millisecond, "%s %s", &s.stderr, &said)
			_, _, text := send(t, url, "", id, toolCall(t, "godot_scripts_write", map[string]any{"script_path": "res://isolated.gd", "content": "extends Node\n", "idempotencyId": "one"}))
			assert.NotContains(t, text, `"isError":true`)
			assert.FileExists(t, filepath.Join(project, "isolated.gd"))
			_, _, text = send(t, url, "", id, toolCall(t, "godot_scripts_write", map[string]any{"script_path": "res://isolated.gd", "content": "extends Node\n", "idempotencyId": "one"}))
			assert.Contains(t, text, `"replayed":true`)
			require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
			require.NoError(t, s.cmd.Wait(), "%s", &s.stderr)
			written, err := os.ReadFile(audit)
			require.NoError(t, err)
			assert.Contains(t, string(written), `"isolate":"`+string(mode)+`"`)
			assert.Contains(t, string(written), "godot_scripts_write")
		})
	}
}

// What does not go together is refused at the start.
func TestServeIsolatedRefuses(t *testing.T) {
	project := newProject(t)
	for _, c := range []struct {
		says string
		args []string
	}{
		{"needs --project-dir", []string{"--isolate"}},
		{"needs --project-dir", []string{"--isolate=strict"}},
		{"must be on or strict", []string{"--isolate=maybe", "--project-dir", project}},
		{"cannot be used", []string{"--isolate", "--project-dir", project + "/none"}},
		{"the editor of --simulate dials", []string{"--isolate=strict", "--project-dir", project, "--simulate"}},
		{"approval webhook", []string{"--isolate=strict", "--project-dir", project, "--approval-webhook", "http://127.0.0.1:1/"}},
	} {
		code, _, stderr := exitCode(t, append([]string{"serve"}, c.args...)...)
		assert.Equal(t, 2, code, c.args)
		assert.Contains(t, stderr, c.says)
		assert.LessOrEqual(t, strings.Count(stderr, "\n"), 1, stderr)
	}
	out, err := execute(t, "doctor", project, "--bridge-url", freeURL(t))
	_ = err // the addon is not installed
	assert.Contains(t, out, "isolation")
}

// What isolation leaves open is said where it is explained.
func TestIsolationIsExplained(t *testing.T) {
	out, err := execute(t, "help", "isolation")
	require.NoError(t, err)
	assert.Contains(t, out, "The network is open.")
	assert.Contains(t, out, "the editor runs outside these bounds")
}
