package client

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/evals/run"
	"godot-mcp/evals/sim"
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
	var way mcp.Transport
	if url := os.Getenv("EVAL_TEST_URL"); url != "" {
		way = &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer(os.Getenv("EVAL_TEST_TOKEN"))}}
	} else {
		server := exec.Command(self)
		server.Env = append(os.Environ(), "EVAL_TEST_ROLE=attach")
		way = &mcp.CommandTransport{Command: server}
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil).Connect(ctx, way, nil)
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

// bearer adds a token to requests.
type bearer string

// RoundTrip implements [http.RoundTripper].
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// overHTTP makes an adapter's client reach its world over HTTP.
func overHTTP(a *Adapter) {
	a.Env["EVAL_TEST_URL"], a.Env["EVAL_TEST_TOKEN"] = "{url}", "{token}"
}

func measure(t *testing.T, mode string, change ...func(*Adapter)) (run.Record, string) {
	records, log := measureMany(t, mode, 1, change...)
	return records[0], log
}

// measureMany makes so many trials at once.
func measureMany(t *testing.T, mode string, trials int, change ...func(*Adapter)) ([]run.Record, string) {
	self, err := os.Executable()
	require.NoError(t, err)
	all, err := tasks.All()
	require.NoError(t, err)
	o := run.Options{Trials: trials, Parallel: trials, Out: run.Folder(t.TempDir()), Version: "test"}
	for _, x := range all {
		if x.ID == "toolset/just-enough" {
			o.Tasks = []*task.Task{x}
		}
	}
	a := Adapter{
		Name: mode, Argv: []string{self, mode, "{self}"}, Stream: "text", PassEnv: []string{"EVAL_TEST_KEY"},
		Env: map[string]string{"EVAL_TEST_ROLE": "client", AddressEnv: "{address}", TokenEnv: "{token}", "HOME": "{home}"},
	}
	for _, f := range change {
		f(&a)
	}
	idle := time.Duration(0)
	if mode == "stuck" {
		idle = 300 * time.Millisecond
	}
	o.Agents = []run.Agent{New(a, Options{Self: self, Idle: idle, Getenv: func(string) string { return "s3cret" }})}
	records, err := run.Run(t.Context(), o)
	require.NoError(t, err)
	require.Len(t, records, trials)
	log, err := os.ReadFile(string(o.Out) + "/t/toolset_just-enough/" + mode + "/1/agent.log")
	require.NoError(t, err)
	return records, string(log)
}

func TestClientOfOthers(t *testing.T) {
	r, log := measure(t, "good")
	assert.Equal(t, run.Scored, r.Outcome, "%s\n%s", r.Cause, log)
	assert.True(t, r.Trusted, "%v", r.Failed)
	assert.Equal(t, 4, r.Metrics.Calls)
	assert.Contains(t, log, "with key ***")
	assert.NotContains(t, log, "s3cret")
}

// TestClientsOverHTTP: each of several clients at once finds its own world by
// its token.
func TestClientsOverHTTP(t *testing.T) {
	records, log := measureMany(t, "good", 4, overHTTP)
	for _, r := range records {
		assert.Equal(t, run.Scored, r.Outcome, "%s\n%s", r.Cause, log)
		assert.True(t, r.Trusted, "%v", r.Failed)
		assert.Equal(t, 4, r.Metrics.Calls)
	}
}

func TestFaultsOfTheClientAreNotTheModels(t *testing.T) {
	for _, way := range []func(*Adapter){func(*Adapter) {}, overHTTP} {
		for mode, cause := range map[string]string{"never": "never_connected", "unlisted": "never_listed_tools", "crash": "client_crashed"} {
			r, log := measure(t, mode, way)
			assert.Equal(t, run.Infra, r.Outcome, "%s: %s", mode, log)
			assert.True(t, strings.HasPrefix(r.Cause, cause), "%s: %s", mode, r.Cause)
		}
	}
}

func TestStuckClientIsGradedOnTheWorld(t *testing.T) {
	for _, way := range []func(*Adapter){func(*Adapter) {}, overHTTP} {
		r, _ := measure(t, "stuck", way)
		assert.Equal(t, run.Scored, r.Outcome, r.Cause)
		assert.Equal(t, "agent_timeout", r.Stop)
		assert.False(t, r.Trusted)
	}
}

// TestFrontKnowsItsTokens: without a token of a world that there is, nothing is served.
func TestFrontKnowsItsTokens(t *testing.T) {
	f := &front{}
	url, end, err := f.add("here", sim.NewWeb("here"), func() {})
	require.NoError(t, err)
	again, endOther, err := f.add("there", sim.NewWeb("there"), func() {})
	require.NoError(t, err)
	assert.Equal(t, url, again, "all worlds have one address")
	for _, header := range []string{"", "Bearer", "Bearer elsewhere", "here"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("{}"))
		require.NoError(t, err)
		r.Header.Set("Authorization", header)
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		assert.Equal(t, http.StatusUnauthorized, res.StatusCode, header)
	}
	end()
	endOther()
	_, err = http.Post(url, "application/json", nil)
	assert.Error(t, err, "nobody listens any more")
}

func TestAdapters(t *testing.T) {
	require.Equal(t, []string{"claude-code", "claude-code-http", "codex", "codex-http", "opencode", "opencode-http"}, Names())
	for _, n := range Names() {
		a, err := Load(n)
		require.NoError(t, err)
		require.Equal(t, n, a.Name)
		require.Equal(t, strings.HasSuffix(n, "-http"), a.HTTP())
	}
	a := Adapter{Name: "a", Argv: []string{"no-such-program", "{model}"}}
	require.ErrorContains(t, a.Ready(Options{}), "needs --model")
	require.ErrorContains(t, a.Ready(Options{Model: "m"}), "no program no-such-program on PATH")
	a.Argv[0] = "go"
	require.NoError(t, a.Ready(Options{Model: "m"}))
	_, err := Load("nobody")
	require.ErrorContains(t, err, "claude-code claude-code-http codex")
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
