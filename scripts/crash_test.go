package scripts

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server"
	"godot-mcp/server/journal"
)

// asServer makes the test binary a server; its value is the settings.
const asServer = "GODOT_MCP_TEST_AS_SERVER"

// serverSettings are the flags of a server process, and the step of a journaled
// call at which it kills itself.
type serverSettings struct {
	Flags map[string]string
	Die   string
}

func TestMain(m *testing.M) {
	if text := os.Getenv(asServer); text != "" {
		if err := serveAndDie(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func serveAndDie(text string) error {
	var set serverSettings
	if err := json.Unmarshal([]byte(text), &set); err != nil {
		return err
	}
	cfg, err := server.Load(set.Flags, func(string) string { return "" })
	if err != nil {
		return err
	}
	cfg.Step = func(step string) {
		if step == set.Die {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	s, err := server.New(cfg)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Start(); err != nil {
		return err
	}
	return s.ServeStdio(context.Background())
}

// mortal is a server process with its client.
type mortal struct {
	t      *testing.T
	cmd    *exec.Cmd
	client *mcp.ClientSession
}

// crashWorld is an editor whose servers come and go on one port.
type crashWorld struct {
	t       *testing.T
	backend Backend
	flags   map[string]string
	now     *mortal
}

const crashScene = "[gd_scene format=3]\n\n[node name=\"Main\" type=\"Node2D\"]\n\n[node name=\"A\" type=\"Node2D\" parent=\".\"]\n"

func newCrashWorld(t *testing.T, backend Backend, die string, more ...string) *crashWorld {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	url := "ws://" + ln.Addr().String()
	require.NoError(t, ln.Close())
	w := &crashWorld{t: t, backend: backend, flags: map[string]string{
		"profile": "full", "toolsets": "all", "bridge-url": url, "state-dir": t.TempDir(), "log-level": "error", "call-timeout": "20",
	}}
	for _, m := range more {
		name, value, _ := strings.Cut(m, "=")
		w.flags[name] = value
	}
	w.start(die)
	require.NoError(t, backend.Open(t.Context(), map[string][]byte{"project.godot": []byte(plainProject), "main.tscn": []byte(crashScene)}, url, ""))
	t.Cleanup(func() {
		w.now.kill()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		assert.NoError(t, backend.Reset(ctx))
	})
	w.attached()
	w.must("godot_scene_edit_open_scene", `{"scene_path":"res://main.tscn"}`)
	return w
}

func (w *crashWorld) start(die string) {
	text, err := json.Marshal(serverSettings{w.flags, die})
	require.NoError(w.t, err)
	exe, err := os.Executable()
	require.NoError(w.t, err)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), asServer+"="+string(text))
	cmd.Stderr = io.Discard
	client, err := mcp.NewClient(&mcp.Implementation{Name: "crash", Version: "1"}, nil).Connect(w.t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	require.NoError(w.t, err)
	w.now = &mortal{t: w.t, cmd: cmd, client: client}
}

func (m *mortal) kill() {
	_ = m.cmd.Process.Kill()
	_ = m.client.Close()
}

// attached waits until the editor is connected to the server.
func (w *crashWorld) attached() {
	w.until("the editor is attached", func() bool {
		answer, failed, err := w.call("godot_health_check", `{}`)
		return err == nil && !failed && answer["editor_answers"] == true
	})
}

func (w *crashWorld) until(what string, ok func() bool) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			w.t.Fatalf("waited a minute for: %s", what)
		}
	}
}

func (w *crashWorld) call(tool, args string) (answer map[string]any, failed bool, err error) {
	res, err := w.now.client.CallTool(w.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		return nil, false, err
	}
	answer, err = structured(res)
	return answer, res.IsError, err
}

func (w *crashWorld) must(tool, args string) map[string]any {
	w.t.Helper()
	answer, failed, err := w.call(tool, args)
	require.NoError(w.t, err)
	require.False(w.t, failed, "%s: %s", tool, pretty(answer))
	return answer
}

func (w *crashWorld) steps() int {
	w.t.Helper()
	l, err := w.backend.Look(w.t.Context())
	require.NoError(w.t, err)
	return l.Steps
}

// The calls of the crash tests: one that is one command, one that reads first.
const (
	createOnce = `{"parent_path":".","node_type":"Node","node_name":"Once","idempotencyId":"id-1"}`
	editOnce   = `{"edits":[{"node_path":"A","properties":{"position":{"x":7,"y":8},"nope":1}}],"idempotencyId":"id-1"}`
)

var crashCalls = []struct{ tool, args, other, command string }{
	{"godot_scene_edit_create_node", createOnce, `{"parent_path":".","node_type":"Node","node_name":"Twice","idempotencyId":"id-1"}`, "cmd_create_node"},
	{"godot_composite_apply_node_edits", editOnce, `{"edits":[{"node_path":"A","properties":{"position":{"x":7,"y":9}}}],"idempotencyId":"id-1"}`, "cmd_set_node_property"},
}

// crashCase kills the server at one step of a call and repeats the call with a
// new server: the effect is there exactly once and the answer is the one that
// the first server would have given.
func crashCase(t *testing.T, backend Backend, step string, c struct{ tool, args, other, command string }) {
	w := newCrashWorld(t, backend, step)
	before := w.steps()
	died := make(chan error, 1)
	call := func() {
		_, _, err := w.call(c.tool, c.args)
		died <- err
	}
	made := func() bool { return w.steps() == before+1 }
	switch step {
	case "sent":
		require.NoError(t, backend.Fault(t.Context(), "delay-apply "+c.command+" delay=700ms"))
		go call()
		w.until("the command is on its way", func() bool { return len(fired(backend)) > 0 })
		w.now.kill()
	case "applied":
		require.NoError(t, backend.Fault(t.Context(), "drop-reply "+c.command))
		go call()
		w.until("the effect is there", made)
		w.now.kill()
	default:
		go call()
	}
	require.Error(t, <-died, "the server died before it could answer")
	w.now.kill()

	w.start("")
	w.attached()
	answer := w.must(c.tool, c.args)
	require.Equal(t, before+1, w.steps(), "the effect is there exactly once")
	switch step {
	case journal.StepBefore, journal.StepIntent:
		assert.NotContains(t, answer, "replayed", "nothing had been done")
	case "sent": // either; what was done is what the answer says
	default:
		assert.Equal(t, true, answer["replayed"])
	}
	assert.Equal(t, false, answer["dry_run"])
	assert.Equal(t, true, answer["persisted"])
	if c.tool == "godot_scene_edit_create_node" {
		assert.Equal(t, "Once", answer["node_path"])
	} else {
		assert.EqualValues(t, 1, answer["skipped_count"], "the answer tells what it would have told: %s", pretty(answer))
	}
	again := w.must(c.tool, c.args)
	delete(answer, "replayed")
	assert.Equal(t, true, again["replayed"])
	delete(again, "replayed")
	assert.Equal(t, answer, again)
	refused, failed, err := w.call(c.tool, c.other)
	require.NoError(t, err)
	assert.True(t, failed)
	assert.Equal(t, "id_reused", refused["reason"])
	assert.Equal(t, "conflict", refused["code"])
	require.Equal(t, before+1, w.steps())
}

// fired lists the faults that a backend has carried out.
func fired(b Backend) []string { return b.(interface{ Fired() []string }).Fired() }

var crashSteps = []string{journal.StepBefore, journal.StepIntent, "sent", "applied", journal.StepReplied, journal.StepRecorded}

func crashEverywhere(t *testing.T, backend func() Backend) {
	for _, c := range crashCalls {
		for _, step := range crashSteps {
			t.Run(c.command+"/"+strings.ReplaceAll(step, " ", "_"), func(t *testing.T) { crashCase(t, backend(), step, c) })
		}
	}
	t.Run("editor_dies", func(t *testing.T) { editorDies(t, backend()) })
	t.Run("link_cut", func(t *testing.T) { linkCut(t, backend()) })
	t.Run("late_reply", func(t *testing.T) { lateReply(t, backend()) })
}

// The editor that had the command is gone: nobody can tell, and the server says so.
func editorDies(t *testing.T, backend Backend) {
	w := newCrashWorld(t, backend, "")
	require.NoError(t, backend.Fault(t.Context(), "crash cmd_create_node when=after for=200ms"))
	first, failed, err := w.call("godot_scene_edit_create_node", createOnce)
	require.NoError(t, err)
	require.True(t, failed, pretty(first))
	assert.Equal(t, true, first["may_have_applied"])
	w.attached()
	answer, failed, err := w.call("godot_scene_edit_create_node", createOnce)
	require.NoError(t, err)
	require.True(t, failed, pretty(answer))
	assert.Equal(t, "UNCERTAIN", answer["error"])
	assert.Equal(t, "outcome_unknown", answer["reason"])
	assert.Equal(t, true, answer["may_have_applied"])
	w.must("godot_inspection_get_active_scene", `{}`)
}

// A link that breaks after the effect costs the caller nothing, and a repeat is
// answered from the journal.
func linkCut(t *testing.T, backend Backend) {
	w := newCrashWorld(t, backend, "")
	before := w.steps()
	require.NoError(t, backend.Fault(t.Context(), "disconnect cmd_create_node when=after for=200ms"))
	answer := w.must("godot_scene_edit_create_node", createOnce)
	assert.Equal(t, "Once", answer["node_path"])
	w.attached()
	assert.Equal(t, true, w.must("godot_scene_edit_create_node", createOnce)["replayed"])
	assert.Equal(t, before+1, w.steps())
}

// A call that ran out of time is not made again by a repeat; the repeat waits for
// the outcome and tells it.
func lateReply(t *testing.T, backend Backend) {
	w := newCrashWorld(t, backend, "", "call-timeout=1")
	before := w.steps()
	require.NoError(t, backend.Fault(t.Context(), "delay-apply cmd_create_node delay=2500ms"))
	first, failed, err := w.call("godot_scene_edit_create_node", createOnce)
	require.NoError(t, err)
	require.True(t, failed)
	assert.Equal(t, true, first["may_have_applied"])
	waits := 0
	w.until("the outcome is known", func() bool {
		answer, failed, err := w.call("godot_scene_edit_create_node", createOnce)
		require.NoError(t, err)
		if failed {
			waits++
			require.Equal(t, "unsettled", answer["reason"], pretty(answer))
			return false
		}
		assert.Equal(t, true, answer["replayed"])
		return true
	})
	assert.Positive(t, waits)
	assert.Equal(t, before+1, w.steps())
}

func TestCrashes(t *testing.T) {
	crashEverywhere(t, func() Backend { return &simBackend{} })
}
