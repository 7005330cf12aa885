package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Tests named after the reports in scripts/cases/README.md that only a process
// can show.

// lineClient is a raw line client of a server process; every line of its output has
// to be one JSON-RPC message.
type lineClient struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

func startServer(t *testing.T, env []string, args ...string) *lineClient {
	t.Helper()
	c := &lineClient{t: t, cmd: command(t.Context(), append([]string{"serve"}, args...)...)}
	c.cmd.Env = append(c.cmd.Env, env...)
	var err error
	c.in, err = c.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := c.cmd.StdoutPipe()
	require.NoError(t, err)
	c.out = bufio.NewReader(out)
	require.NoError(t, c.cmd.Start())
	t.Cleanup(func() { _ = c.cmd.Process.Kill() })
	c.request("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *lineClient) send(line string) {
	c.t.Helper()
	_, err := io.WriteString(c.in, line+"\n")
	require.NoError(c.t, err)
}

// next reads one line of output.
func (c *lineClient) next() map[string]any {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	require.NoError(c.t, err)
	var m map[string]any
	require.NoError(c.t, json.Unmarshal([]byte(line), &m), "not JSON: %q", line)
	require.Equal(c.t, "2.0", m["jsonrpc"], line)
	return m
}

func (c *lineClient) request(method, params string) map[string]any {
	c.t.Helper()
	c.id++
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.id, method, params))
	for {
		if m := c.next(); m["id"] == float64(c.id) {
			return m
		}
	}
}

// call gives the structured answer of a tool.
func (c *lineClient) call(tool, args string) map[string]any {
	c.t.Helper()
	m := c.request("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args))
	result, ok := m["result"].(map[string]any)
	require.True(c.t, ok, "%v", m)
	answer, _ := result["structuredContent"].(map[string]any)
	return answer
}

func (c *lineClient) end() {
	c.t.Helper()
	require.NoError(c.t, c.in.Close())
	rest, err := io.ReadAll(c.out)
	require.NoError(c.t, err)
	for line := range strings.Lines(string(rest)) {
		require.True(c.t, json.Valid([]byte(line)), "not JSON: %q", line)
	}
	require.NoError(c.t, c.cmd.Wait())
}

// A server that listens on every address without a secret does not start.
func TestB008OnlyLoopbackWithoutAToken(t *testing.T) {
	code, stdout, stderr := exitCode(t, "serve", "--bridge-url", "ws://0.0.0.0:0")
	assert.Equal(t, 2, code)
	assert.Empty(t, stdout)
	assert.Contains(t, stderr, "token")

	c := startServer(t, nil, "--bridge-url", "ws://127.0.0.1:0")
	url := c.call("godot_health_check", `{}`)["bridge_url"].(string)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(url, "ws://"))
	require.NoError(t, err)
	addrs, err := net.InterfaceAddrs()
	require.NoError(t, err)
	for _, a := range addrs {
		ip, _, err := net.ParseCIDR(a.String())
		require.NoError(t, err)
		if ip.IsLoopback() || ip.To4() == nil {
			continue
		}
		conn, err := net.Dial("tcp", net.JoinHostPort(ip.String(), port))
		if err == nil {
			_ = conn.Close()
		}
		assert.Error(t, err, "%s answers on %s", url, ip)
	}
	c.end()
}

// A program that is no Godot is asked for its version and for nothing else.
func TestB010TheProgramProvesItself(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "project.godot"), []byte("config_version=5\n"), 0o644))
	program, asked := filepath.Join(dir, "program"), filepath.Join(dir, "asked")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho \"$@\" >> "+asked+"\necho something else\n"), 0o755))
	c := startServer(t, nil, "--bridge-url", "ws://127.0.0.1:0", "--profile", "full", "--project-dir", dir, "--godot-bin", program)
	answer := c.call("godot_debug_workflow", `{}`)
	c.end()
	assert.NotContains(t, answer, "run")
	assert.Contains(t, answer["run_skipped_reason"], "something else")
	got, err := os.ReadFile(asked)
	require.NoError(t, err)
	assert.Equal(t, "--version\n", strings.ReplaceAll(string(got), "--headless ", ""))
}

// When the client goes the server goes, and the next one has the port.
func TestB055TheServerEndsWithItsClient(t *testing.T) {
	url := freeURL(t)
	for range 3 {
		c := startServer(t, nil, "--bridge-url", url)
		answer := c.call("godot_health_check", `{}`)
		assert.Equal(t, url, answer["bridge_url"])
		assert.NotContains(t, answer, "bridge_problem")
		c.end()
	}
}

// Nobody reads the output any more: the server ends by itself.
func TestB056NobodyReadsTheOutput(t *testing.T) {
	cmd := command(t.Context(), "serve", "--bridge-url", "ws://127.0.0.1:0")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	_, err = io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n")
	require.NoError(t, err)
	_, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.NoError(t, out.Close())
	_ = cmd.Wait() // it returns: stdin is still open
	assert.True(t, cmd.ProcessState.Exited() || cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled())
}

// An address that cannot be had is told in the answers, with the system's reason.
func TestB058AnAddressThatCannotBeHad(t *testing.T) {
	// 192.0.2.0/24 is for documentation; no machine has it.
	c := startServer(t, []string{"GODOT_MCP_BRIDGE_TOKEN=secret-for-a-test"}, "--bridge-url", "ws://192.0.2.1:9080")
	answer := c.call("godot_health_check", `{}`)
	assert.Equal(t, false, answer["bridge_connected"])
	assert.Contains(t, answer["bridge_problem"], "cannot assign requested address")
	c.end()
}

// A port that was asked for is used or reported, never exchanged for another.
func TestB059ThePortThatWasAskedFor(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer ln.Close()
	_, port, _ := net.SplitHostPort(ln.Addr().String())
	c := startServer(t, []string{"GODOT_MCP_BRIDGE_URL=ws://127.0.0.1:" + port})
	answer := c.call("godot_health_check", `{}`)
	assert.Equal(t, "ws://127.0.0.1:"+port, answer["bridge_url"])
	assert.Contains(t, answer["bridge_problem"], port)
	c.end()

	url := freeURL(t)
	c = startServer(t, []string{"GODOT_MCP_BRIDGE_URL=" + url})
	answer = c.call("godot_health_check", `{}`)
	assert.Equal(t, url, answer["bridge_url"])
	assert.NotContains(t, answer, "bridge_problem")
	c.end()
}

// The first start talks to nobody: whoever would be asked is a trap.
func TestB116TheFirstStartNeedsNoNetwork(t *testing.T) {
	trap, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer trap.Close()
	caught := make(chan string, 16)
	go func() {
		for {
			conn, err := trap.Accept()
			if err != nil {
				close(caught)
				return
			}
			caught <- conn.RemoteAddr().String()
			_ = conn.Close()
		}
	}()
	proxy := "http://" + trap.Addr().String()
	c := startServer(t, []string{"HTTP_PROXY=" + proxy, "HTTPS_PROXY=" + proxy, "ALL_PROXY=" + proxy, "HOME=" + t.TempDir()}, "--simulate")
	answer := c.call("godot_get_server_info", `{}`)
	assert.Contains(t, answer, "version")
	c.end()
	require.NoError(t, trap.Close())
	for from := range caught {
		t.Errorf("a connection from %s", from)
	}
}

// Nothing but messages on stdout: with the most talkative log, on bad lines,
// failing tools and a program that prints. The client checks every line.
func TestB125OnlyMessagesOnStdout(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "project.godot"), []byte("config_version=5\n"), 0o644))
	program := filepath.Join(dir, "godot")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\ncase \"$*\" in *--version*) echo 4.6.3.stable;; *) echo DEBUG noise; echo more >&2; printf '\\033[31mred\\033[0m\\n';; esac\n"), 0o755))
	c := startServer(t, []string{"DEBUG=1"}, "--simulate", "--profile", "full", "--toolsets", "all", "--log-level", "debug", "--godot-bin", program, "--project-dir", dir)
	c.send("not a message")
	assert.Contains(t, c.next(), "error")
	c.send("\x00\x1b[31m")
	assert.Contains(t, c.next(), "error")
	assert.Contains(t, c.request("no/such/method", `{}`), "error")
	assert.Contains(t, c.request("tools/call", `{"name":"no_such_tool"}`), "error")
	c.call("godot_debug_workflow", `{"timeout_seconds":5}`)
	c.call("godot_scene_edit_create_node", `{"parent_path":"Nope","node_type":"Node","node_name":"x"}`)
	c.call("godot_scene_edit_set_node_property", `{"node_path":".","property":"name","value":"\u0001"}`)
	list := c.request("tools/list", `{}`)["result"].(map[string]any)["tools"].([]any)
	for _, tool := range list {
		c.call(tool.(map[string]any)["name"].(string), `{"dry_run":true}`)
	}
	c.end()
}

// A line beyond the limit is answered and the server goes on.
func TestB052ALineBeyondTheLimit(t *testing.T) {
	c := startServer(t, nil, "--simulate", "--profile", "full", "--toolsets", "all")
	c.send(`{"jsonrpc":"2.0","id":"big","method":"tools/call","params":{"name":"godot_scripts_write","arguments":{"script_path":"res://big.gd","content":"` + strings.Repeat("x", 33<<20) + `"}}}`)
	m := c.next()
	require.Contains(t, m, "error", "%.200v", m)
	assert.Regexp(t, `(?i)long|limit|large|big`, m["error"].(map[string]any)["message"])
	assert.Contains(t, c.call("godot_scripts_read", `{"script_path":"res://big.gd"}`)["reason"], "not_found")
	c.end()
}
