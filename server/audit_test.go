package server

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/audit"
	"godot-mcp/server/catalog/catalogtest"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// buffer is a stream that several goroutines write.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

// records are the audit lines of a stream, which may hold log lines too.
func records(t *testing.T, text string) []audit.Record {
	t.Helper()
	var out []audit.Record
	for line := range strings.Lines(text) {
		var r audit.Record
		require.NoError(t, json.Unmarshal([]byte(line), &r), line)
		if r.Event != "" {
			out = append(out, r)
		}
	}
	return out
}

func deleting() *catalogtest.Editor {
	e := catalogtest.New()
	catalogtest.On(e, wire.CmdDeleteNode, func(p wire.DeleteNode) (any, error) {
		return wire.DeleteNodeResult{NodePath: p.NodePath, Removed: 1, Verdict: wire.Verdict{Persisted: true}}, nil
	})
	return e
}

// Every call has its line: what was done, what was refused and by which stage,
// what nobody knows, and reads of resources.
func TestEveryCallHasItsLine(t *testing.T) {
	cfg := editing()
	stream := &buffer{}
	cfg.Log, cfg.Toolsets, cfg.AskExecutes = stream, []string{"core", "scene_edit", "composite"}, true
	cfg.Permissions = &safety.Layer{Name: "rules.yaml", Rules: []safety.Rule{
		{ID: "ask class destructive", Effect: safety.Ask, Class: safety.Destructive, Line: 2},
		{ID: "deny tool godot_undo", Effect: safety.Deny, Tool: "godot_undo", Line: 4},
	}}
	c := connect(t, cfg, deleting())
	c.initialize()
	c.call(1, "godot_scene_edit_delete_node", `{"node_path":"A","confirm":true}`)
	c.call(2, "godot_scene_edit_delete_node", `{"node_path":"A"}`)
	c.call(3, "godot_undo", `{}`)
	c.call(4, "godot_scene_edit_delete_node", `{"node_path":1}`)
	c.request(5, "tools/call", `{"name":"godot_nope\nx","arguments":{"password":"hunter2"}}`)
	c.call(6, "godot_composite_run_commands", `{"commands":[{"command":"delete_node","params":{"node_path":"B","confirm":true}}]}`)
	c.request(7, "resources/read", `{"uri":"godot://scene/tree"}`)
	c.call(8, "godot_scene_edit_delete_node", `{"node_path":"A","dry_run":true}`)
	got := records(t, stream.b.String())
	require.Len(t, got, 8)
	for i, want := range []audit.Record{
		{Tool: "godot_scene_edit_delete_node", Class: "destructive", Decision: "proceed", Stage: "record", Effect: "ask", Rule: "rules.yaml line 2, ask class destructive", Approver: unasked, Outcome: "ok"},
		{Tool: "godot_scene_edit_delete_node", Class: "destructive", Decision: "refuse", Stage: "confirm", Effect: "ask", Rule: "rules.yaml line 2, ask class destructive", Outcome: "PRECONDITION_FAILED", Reason: "confirm"},
		{Tool: "godot_undo", Class: "mutating", Decision: "refuse", Stage: "exposure", Outcome: "PERMISSION_DENIED", Reason: "rule"},
		{Tool: "godot_scene_edit_delete_node", Class: "destructive", Decision: "refuse", Stage: "shape", Outcome: "VALIDATION_ERROR", Reason: "wrong_type"},
		{Tool: "godot_nope\nx", Outcome: "protocol_error"},
		{Tool: "godot_composite_run_commands", Class: "mutating", Decision: "proceed", Stage: "record", Effect: "allow", Rule: "mode full, full: allow mutating", Approver: unasked, Outcome: "ok",
			Entries: []audit.Entry{{Tool: "godot_scene_edit_delete_node", Class: "destructive", Effect: "ask", Rule: "rules.yaml line 2, ask class destructive"}}},
		{Event: "read", Outcome: "ok"},
		{Tool: "godot_scene_edit_delete_node", Class: "destructive", Decision: "preview", Stage: "dry_run", Effect: "ask", Rule: "rules.yaml line 2, ask class destructive", Approver: unasked, Outcome: "ok"},
	} {
		r := got[i]
		if want.Event == "" {
			want.Event = "call"
		}
		want.Time, want.Call, want.Params, want.Duration = r.Time, r.Call, r.Params, r.Duration
		want.Profile, want.Mode, want.Transport, want.Client = "full", "full", "stdio", "t 1"
		assert.Equal(t, want, r, "line %d", i)
		assert.NotEmpty(t, r.Call)
		assert.False(t, r.Time.IsZero())
		assert.GreaterOrEqual(t, r.Duration, 0.0)
	}
	assert.NotContains(t, stream.b.String(), "hunter2")
	assert.JSONEq(t, `{"node_path":"A","confirm":true}`, string(got[0].Params))
}

// While the audit file cannot be written no change is made; reads and previews
// go on, and changes too when it can be written again.
func TestBrokenAuditStopsChanges(t *testing.T) {
	cfg := editing()
	cfg.Toolsets = []string{"core", "scene_edit"}
	dir := filepath.Join(t.TempDir(), "logs")
	require.NoError(t, os.Mkdir(dir, 0o700))
	cfg.Audit = filepath.Join(dir, "audit.log")
	cfg.share()
	log, err := cfg.openAudit()
	require.NoError(t, err)
	e := deleting()
	s := NewWith(cfg, e)
	s.audit = log
	c := connectTo(t, s)
	c.initialize()
	require.False(t, c.call(1, "godot_scene_edit_delete_node", `{"node_path":"A","confirm":true}`).IsError)
	require.NoError(t, os.Rename(dir, dir+"-gone"))
	sent := len(e.Sent())
	r := c.call(2, "godot_scene_edit_delete_node", `{"node_path":"A","confirm":true}`)
	assert.True(t, r.IsError)
	assert.Contains(t, string(r.StructuredContent), `"required":"audit"`)
	assert.Len(t, e.Sent(), sent, "nothing was sent")
	assert.False(t, c.call(3, "godot_health_check", `{}`).IsError)
	assert.False(t, c.call(4, "godot_scene_edit_delete_node", `{"node_path":"A","dry_run":true}`).IsError)
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.False(t, c.call(5, "godot_scene_edit_delete_node", `{"node_path":"A","confirm":true}`).IsError)
	text, err := os.ReadFile(cfg.Audit)
	require.NoError(t, err)
	got := records(t, string(text))
	require.Len(t, got, 4, "the refused call and those after it have their lines")
	assert.Equal(t, "audit", got[0].Reason)
}

func TestAuditFileInsideTheProjectIsRefused(t *testing.T) {
	cfg := editing()
	cfg.ProjectDir = t.TempDir()
	cfg.Audit = filepath.Join(cfg.ProjectDir, "audit.log")
	_, err := New(cfg)
	require.ErrorContains(t, err, "inside the project")
	cfg.ProjectDir = ""
	s := NewWith(cfg, deleting())
	s.cfg.Audit = "/project/audit.log"
	f := s.record(t.Context(), nil)
	require.NotNil(t, f)
	assert.Contains(t, f.Hint, "inside the project")
	assert.False(t, within("/project", "/project-2/a"))
	assert.False(t, within("/project", "/a/project"))
}

// An open gate without anybody who approves is told twice at start: in a warning
// and in the first line of the audit file.
func TestAuditTellsHowItStarted(t *testing.T) {
	cfg := editing()
	stream := &buffer{}
	cfg.Log, cfg.AllowDestructive, cfg.Audit = stream, true, filepath.Join(t.TempDir(), "audit.log")
	cfg.StateDir, cfg.BridgeURL = t.TempDir(), "ws://127.0.0.1:0"
	s, err := New(cfg)
	require.NoError(t, err)
	s.Close()
	assert.Contains(t, stream.b.String(), `"flag":"--allow-destructive"`)
	text, err := os.ReadFile(cfg.Audit)
	require.NoError(t, err)
	first := records(t, string(text))[0]
	assert.Equal(t, audit.Start, first.Event)
	assert.Equal(t, true, first.Details["gate_open"])
	assert.Nil(t, first.Details["approval"])
}
