package client

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/evals/run"
	"godot-mcp/evals/task"
	"godot-mcp/evals/tasks"
)

// TestMain plays the other programs: the client under test, and the shim that it
// starts as its server.
func TestMain(m *testing.M) {
	switch os.Getenv("EVAL_TEST_ROLE") {
	case "attach":
		if err := Attach(context.Background(), os.Getenv(AddressEnv), os.Getenv(TokenEnv), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case "client":
		os.Exit(playClient(os.Args[1], os.Args[2]))
	}
	os.Exit(m.Run())
}

// playClient is a small MCP client that behaves in one of several ways.
func playClient(mode, self string) int {
	ctx := context.Background()
	if mode == "never" {
		fmt.Println("I have no tools.")
		return 0
	}
	if mode == "crash" {
		return 3
	}
	server := exec.Command(self)
	server.Env = append(os.Environ(), "EVAL_TEST_ROLE=attach")
	c, err := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: server}, nil)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer c.Close()
	if mode == "unlisted" {
		fmt.Println("Done.")
		return 0
	}
	if _, err := c.ListTools(ctx, nil); err != nil {
		return 1
	}
	if mode == "stuck" {
		select {}
	}
	for _, call := range []*mcp.CallToolParams{
		{Name: "godot_enable_toolset", Arguments: map[string]any{"category": "scene_edit"}},
		{Name: "godot_scene_edit_rename_node", Arguments: map[string]any{"node_path": "Coin", "new_name": "Gem"}},
		{Name: "godot_scene_edit_add_to_group", Arguments: map[string]any{"node_path": "Gem", "group": "pickups"}},
		{Name: "godot_scene_edit_save_scene", Arguments: map[string]any{}},
	} {
		if res, err := c.CallTool(ctx, call); err != nil || res.IsError {
			fmt.Println("call failed", err)
			return 1
		}
	}
	fmt.Println("All done, with key " + os.Getenv("EVAL_TEST_KEY") + ".\n" + `{"outcome":"done","saved":"yes"}`)
	return 0
}

func measure(t *testing.T, mode string) (run.Record, string) {
	self, err := os.Executable()
	require.NoError(t, err)
	all, err := tasks.All()
	require.NoError(t, err)
	o := run.Options{Trials: 1, Parallel: 1, Out: run.Folder(t.TempDir()), Version: "test"}
	for _, x := range all {
		if x.ID == "toolset/just-enough" {
			o.Tasks = []*task.Task{x}
		}
	}
	a := Adapter{
		Name: mode, Argv: []string{self, mode, "{self}"}, Stream: "text", PassEnv: []string{"EVAL_TEST_KEY"},
		Env: map[string]string{"EVAL_TEST_ROLE": "client", AddressEnv: "{address}", TokenEnv: "{token}", "HOME": "{home}"},
	}
	idle := time.Duration(0)
	if mode == "stuck" {
		idle = 300 * time.Millisecond
	}
	o.Agents = []run.Agent{New(a, Options{Self: self, Idle: idle, Getenv: func(string) string { return "s3cret" }})}
	records, err := run.Run(t.Context(), o)
	require.NoError(t, err)
	require.Len(t, records, 1)
	log, err := os.ReadFile(string(o.Out) + "/t/toolset_just-enough/" + mode + "/1/agent.log")
	require.NoError(t, err)
	return records[0], string(log)
}

func TestClientOfOthers(t *testing.T) {
	r, log := measure(t, "good")
	assert.Equal(t, run.Scored, r.Outcome, "%s\n%s", r.Cause, log)
	assert.True(t, r.Trusted, "%v", r.Failed)
	assert.Equal(t, 4, r.Metrics.Calls)
	assert.Contains(t, log, "with key ***")
	assert.NotContains(t, log, "s3cret")
}

func TestFaultsOfTheClientAreNotTheModels(t *testing.T) {
	for mode, cause := range map[string]string{"never": "never_connected", "unlisted": "never_listed_tools", "crash": "client_crashed"} {
		r, log := measure(t, mode)
		assert.Equal(t, run.Infra, r.Outcome, "%s: %s", mode, log)
		assert.True(t, strings.HasPrefix(r.Cause, cause), "%s: %s", mode, r.Cause)
	}
}

func TestStuckClientIsGradedOnTheWorld(t *testing.T) {
	r, _ := measure(t, "stuck")
	assert.Equal(t, run.Scored, r.Outcome, r.Cause)
	assert.Equal(t, "agent_timeout", r.Stop)
	assert.False(t, r.Trusted)
}

func TestAdapters(t *testing.T) {
	require.Equal(t, []string{"claude-code", "codex", "opencode"}, Names())
	for _, n := range Names() {
		a, err := Load(n)
		require.NoError(t, err)
		require.Equal(t, n, a.Name)
	}
	_, err := Load("nobody")
	require.ErrorContains(t, err, "claude-code codex opencode")
}

func TestStreams(t *testing.T) {
	s := parseClaude([]byte(`{"type":"system","subtype":"init","tools":["mcp__godot__x"],"mcp_servers":[{"name":"godot","status":"connected"}]}
{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash"},{"type":"tool_use","name":"mcp__godot__godot_undo"}]}}
not json
{"type":"result","subtype":"success","result":"Done.","num_turns":3,"total_cost_usd":0.5,"usage":{"input_tokens":10,"cache_read_input_tokens":5,"output_tokens":7}}`))
	assert.Equal(t, "Done.", s.final)
	assert.True(t, s.offered)
	assert.Equal(t, []string{"Bash"}, s.foreign)
	assert.Equal(t, run.Metrics{Turns: 3, Cost: 0.5, InputTokens: 15, OutputTokens: 7}, s.use)

	s = parseCodex([]byte(`{"type":"item.completed","item":{"type":"mcp_tool_call","server":"godot","tool":"x","status":"failed","error":{"message":"MCP tool call requires approval"}}}
{"type":"item.completed","item":{"type":"agent_message","text":"Done."}}
{"type":"turn.completed","usage":{"input_tokens":3,"output_tokens":4}}`))
	assert.True(t, s.blocked)
	assert.Equal(t, "Done.", s.final)
	assert.Equal(t, 3, s.use.InputTokens)

	s = parseOpencode([]byte(`{"type":"tool_use","part":{"tool":"godot_godot_undo"}}
{"type":"text","part":{"text":"Done."}}
{"type":"step_finish","part":{"cost":0.1,"tokens":{"input":2,"output":1}}}`))
	assert.True(t, s.offered)
	assert.Empty(t, s.foreign)
	assert.Equal(t, "Done.", s.final)
}
