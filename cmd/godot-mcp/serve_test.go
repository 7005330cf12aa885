package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/bridge/bridgetest"
	"godot-mcp/server/wire"
)

// patience is far above the second in which a server must be gone; how long it
// took is logged and measured by the benchmarks.
const patience = 30 * time.Second

// served is a godot-mcp serve process and its client. Every line of its stdout
// is held to be a JSON-RPC message (B125).
type served struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	lines  *bufio.Reader
	stderr syncBuffer
	id     int
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func startServe(t *testing.T, args ...string) *served {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	s := &served{t: t, cmd: command(ctx, append([]string{"serve", "--log-level", "debug"}, args...)...)}
	var err error
	s.in, err = s.cmd.StdinPipe()
	require.NoError(t, err)
	s.out, err = s.cmd.StdoutPipe()
	require.NoError(t, err)
	s.cmd.Stderr = &s.stderr
	require.NoError(t, s.cmd.Start())
	s.lines = bufio.NewReader(s.out)
	s.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	s.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return s
}

func (s *served) write(line string) {
	s.t.Helper()
	_, err := io.WriteString(s.in, line+"\n")
	require.NoError(s.t, err)
}

// ask sends a request and reads up to its answer.
func (s *served) ask(method, params string) json.RawMessage {
	s.t.Helper()
	s.id++
	s.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, s.id, method, params))
	for {
		line, err := s.lines.ReadBytes('\n')
		require.NoError(s.t, err, "%s", s.stderr.String())
		var m struct {
			Version string `json:"jsonrpc"`
			ID      int
			Result  json.RawMessage
		}
		require.NoError(s.t, json.Unmarshal(line, &m), "%s", line)
		require.Equal(s.t, "2.0", m.Version)
		if m.ID == s.id {
			require.NotEmpty(s.t, m.Result, "%s", line)
			return m.Result
		}
	}
}

// call gives the structured content of a tool's answer.
func (s *served) call(tool, args string) map[string]any {
	s.t.Helper()
	var r struct{ StructuredContent map[string]any }
	require.NoError(s.t, json.Unmarshal(s.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args)), &r))
	return r.StructuredContent
}

// gone waits for the end of the process after the input was closed.
func (s *served) gone() {
	s.t.Helper()
	begin := time.Now()
	require.NoError(s.t, s.in.Close())
	rest, err := io.ReadAll(s.lines)
	require.NoError(s.t, err)
	for line := range strings.Lines(string(rest)) {
		require.True(s.t, json.Valid([]byte(line)), line)
	}
	require.NoError(s.t, s.cmd.Wait(), "%s", s.stderr.String())
	s.t.Logf("gone after %v", time.Since(begin).Round(time.Millisecond))
}

// connect makes an editor connect; the port may take a moment to be bound.
func connect(t *testing.T, url string) *bridgetest.Editor {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		e := bridgetest.NewTCPEditor(url)
		err := e.Connect(ctx)
		if err == nil {
			t.Cleanup(e.Drop)
			return e
		}
		require.NoError(t, ctx.Err(), "%v", err)
	}
}

// hang makes a call that the editor never answers.
func hang(t *testing.T, s *served, url, command, tool, args string) {
	t.Helper()
	e := connect(t, url)
	arrived := make(chan struct{})
	e.Intercept(func(_ *bridgetest.Conn, cmd wire.Command) bool {
		if cmd.Command == command {
			close(arrived)
		}
		return cmd.Command == command
	})
	s.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, args))
	<-arrived
}

// TestServeEndsWithItsInput is B055: the process goes, its port is free at
// once, and the next server takes it.
func TestServeEndsWithItsInput(t *testing.T) {
	url := freeURL(t)
	for name, prepare := range map[string]func(*served){
		"without an editor": func(*served) {},
		"with an editor":    func(*served) { connect(t, url) },
		"with a read under way": func(s *served) {
			hang(t, s, url, wire.CmdGetProjectInfo, "godot_inspection_get_project_info", `{}`)
		},
		"with an edit under way": func(s *served) {
			hang(t, s, url, wire.CmdUndo, "godot_undo", `{}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := startServe(t, "--bridge-url", url, "--profile", "editor")
			prepare(s)
			s.gone()
			ln, err := net.Listen("tcp", strings.TrimPrefix(url, "ws://"))
			require.NoError(t, err, "the port is not free")
			require.NoError(t, ln.Close())
		})
	}
}

// TestServeEndsWhenTheClientDies is B056: nobody reads stdout any more.
func TestServeEndsWhenTheClientDies(t *testing.T) {
	for name, die := range map[string]func(*served){
		"output first": func(s *served) { require.NoError(t, s.out.Close()) },
		"both at once": func(s *served) { require.NoError(t, s.out.Close()); require.NoError(t, s.in.Close()) },
		"while it asks": func(s *served) {
			require.NoError(t, s.out.Close())
			s.write(`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := startServe(t, "--simulate")
			begin := time.Now()
			die(s)
			require.NoError(t, s.cmd.Wait(), "%s", s.stderr.String())
			used := s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime()
			t.Logf("gone after %v, %v of CPU time in all", time.Since(begin).Round(time.Millisecond), used)
		})
	}
}

// TestServeOnATakenPort is B058 and B059: the server answers, names the port,
// and does not move to another; when the port is free again it takes it.
func TestServeOnATakenPort(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	url := "ws://" + ln.Addr().String()
	s := startServe(t, "--bridge-url", url)
	health := s.call("godot_health_check", `{}`)
	assert.Equal(t, false, health["bridge_connected"])
	assert.Equal(t, url, health["bridge_url"])
	assert.Contains(t, s.stderr.String(), "address already in use")
	require.NoError(t, ln.Close())
	connect(t, url)
	assert.Equal(t, true, s.call("godot_health_check", `{}`)["bridge_connected"])
	s.gone()
}

// TestServeBesideAnotherServer is B047: the one without the port says who has it.
func TestServeBesideAnotherServer(t *testing.T) {
	url := freeURL(t)
	first := startServe(t, "--bridge-url", url)
	connect(t, url)
	second := startServe(t, "--bridge-url", url)
	health := second.call("godot_health_check", `{}`)
	assert.Equal(t, false, health["bridge_connected"])
	assert.Contains(t, health["bridge_problem"], fmt.Sprintf("process %d", first.cmd.Process.Pid))
	assert.Equal(t, true, first.call("godot_health_check", `{}`)["bridge_connected"])
	second.gone()
	first.gone()
}

// The environment and the flags reach the server, and a flag counts more.
func TestServeSettings(t *testing.T) {
	t.Setenv("GODOT_MCP_PROFILE", "full")
	t.Setenv("GODOT_MCP_MODE", "read-only")
	s := startServe(t, "--mode", "non-destructive", "--simulate")
	info := s.call("godot_get_server_info", `{}`)
	assert.Equal(t, "full", info["profile"])
	assert.Equal(t, "non-destructive", info["mode"])
	s.gone()
}

// A signal ends the process, and the client learns first what became of its call.
func TestServeAnswersBeforeASignalEndsIt(t *testing.T) {
	url := freeURL(t)
	s := startServe(t, "--bridge-url", url, "--profile", "editor")
	hang(t, s, url, wire.CmdUndo, "godot_undo", `{}`)
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	line, err := s.lines.ReadString('\n')
	require.NoError(t, err, "%s", s.stderr.String())
	assert.Contains(t, line, `"id":99`)
	assert.Contains(t, line, `"may_have_applied":true`)
	_, err = s.lines.ReadString('\n')
	require.ErrorIs(t, err, io.EOF)
	require.NoError(t, s.cmd.Wait(), "%s", s.stderr.String())
}

func TestServeNamesMisspeltSettings(t *testing.T) {
	t.Setenv("GODOT_MCP_PORFILE", "full")
	t.Setenv("GODOT_MCP_MODE", "read-only")
	s := startServe(t, "--simulate")
	assert.Equal(t, "core", s.call("godot_get_server_info", `{}`)["profile"])
	s.gone()
	said := s.stderr.String()
	assert.Contains(t, said, "godot-mcp: GODOT_MCP_PORFILE in the environment is no setting and does nothing; did you mean GODOT_MCP_PROFILE?\n")
	assert.Equal(t, 1, strings.Count(said, "is no setting"), said)
}
