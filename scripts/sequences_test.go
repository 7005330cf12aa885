package scripts

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"godot-mcp/fakeeditor"
	"godot-mcp/fakeeditor/fault"
	"godot-mcp/server"
	"godot-mcp/server/bridge/bridgetest"
)

// TestABatchIsItsEntriesOneByOne plays the same calls as one run_commands and
// one after another: the scenes, files and histories end up alike.
func TestABatchIsItsEntriesOneByOne(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ctx := context.Background()
		project := drawProject(rt)
		var sessions [2]*session
		for i := range sessions {
			s := &session{backend: &simBackend{}, flags: defaultFlags}
			require.NoError(rt, s.start(ctx, project))
			defer func() { require.NoError(rt, s.close()) }()
			_, err := s.mustSucceed(ctx, s.tool("open_scene"), map[string]any{"scene_path": "res://main.tscn"})
			require.NoError(rt, err)
			sessions[i] = s
		}
		nodes, err := sessions[0].nodes(ctx)
		require.NoError(rt, err)
		var entries []any
		var steps []step
		for range rapid.IntRange(1, 8).Draw(rt, "entries") {
			st := drawStep(rt, nodes)
			steps = append(steps, st)
			entries = append(entries, map[string]any{"command": st.Tool, "params": st.Args})
		}
		stop := rapid.Bool().Draw(rt, "stop on error")
		answer, err := sessions[0].mustSucceed(ctx, sessions[0].tool("run_commands"), map[string]any{"commands": entries, "stop_on_error": stop})
		if err != nil {
			// An entry that the checks refuse stops the whole batch before it is sent.
			return
		}
		results := answer["results"].([]any)
		for i, st := range steps {
			if i >= len(results) {
				break
			}
			res, err := sessions[1].call(ctx, sessions[1].tool(st.Tool), st.Args)
			require.NoError(rt, err)
			require.Equal(rt, results[i].(map[string]any)["ok"], !res.IsError, "entry %d: %s\n%s", i, st, pretty(results[i]))
		}
		a, err := sessions[0].backend.Look(ctx)
		require.NoError(rt, err)
		b, err := sessions[1].backend.Look(ctx)
		require.NoError(rt, err)
		require.NoError(rt, same("a batch is its entries one by one", b, a))
	})
}

// TestAtMostOnceUnderFaults makes creating calls over a link that fails in
// random ways, in virtual time, and compares every answer with the tree: a call
// that succeeded is there once, one that was not applied is not there, one with
// an open outcome is there at most once.
func TestAtMostOnceUnderFaults(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lines := []string{
			"drop-reply cmd_transaction", "drop-command cmd_transaction", "duplicate-reply cmd_transaction",
			"delay-apply cmd_transaction delay=15s", "delay-drop cmd_transaction delay=15s",
			"disconnect cmd_transaction when=before for=2s", "disconnect cmd_transaction when=after for=2s",
			"disconnect cmd_transaction when=after for=40s", "malformed-reply cmd_transaction as=not-json", "hang for=12s",
			"reorder-reply cmd_transaction for=3s",
		}
		script := rapid.SliceOfN(rapid.SampledFrom(lines), 0, 3).Draw(rt, "faults")
		n := rapid.IntRange(1, 5).Draw(rt, "calls")
		rapid.SyncTest(rt, func(rt *rapid.T) { atMostOnce(rt, script, n) })
	})
}

func atMostOnce(rt *rapid.T, script []string, n int) {
	network := bridgetest.NewNet()
	cfg, err := server.Load(map[string]string{"profile": "full", "toolsets": "all", "bridge-url": "ws://127.0.0.1:9080"}, func(string) string { return "" })
	require.NoError(rt, err)
	cfg.Log, cfg.Listen = io.Discard, network.Listen
	srv, err := server.New(cfg)
	require.NoError(rt, err)
	require.NoError(rt, srv.Start())
	ctx, cancel := context.WithCancel(context.Background())
	faults := &fault.Script{}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return network.Dial(ctx) }
	editor, err := fakeeditor.New(fakeeditor.Config{
		Project:   map[string]string{"project.godot": plainProject, "main.tscn": benchScene},
		BridgeURL: "ws://127.0.0.1:9080", Dial: dial, Seed: 1, Faults: faults, OpenScenes: []string{"res://main.tscn"},
		Clock: fakeeditor.NewTimerClock(),
	})
	require.NoError(rt, err)
	ran := make(chan error, 1)
	go func() { ran <- editor.Run(ctx) }()
	ours, theirs := mcp.NewInMemoryTransports()
	_, err = srv.MCP().Connect(ctx, theirs, nil)
	require.NoError(rt, err)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil).Connect(ctx, ours, nil)
	require.NoError(rt, err)
	time.Sleep(time.Second) // virtual: the editor has dialled by then
	for _, line := range script {
		require.NoError(rt, faults.AddLine(line))
	}

	answers := map[string]map[string]any{}
	for i := range n {
		name := fmt.Sprintf("Call%dX", i)
		res, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "godot_scene_edit_create_node", Arguments: map[string]any{
			"parent_path": ".", "node_type": "Node", "node_name": name,
		}})
		require.NoError(rt, err)
		var m map[string]any
		raw, err := json.Marshal(res.StructuredContent)
		require.NoError(rt, err)
		require.NoError(rt, json.Unmarshal(raw, &m))
		answers[name] = m
	}
	time.Sleep(2 * time.Minute) // virtual: whatever is under way has ended
	var tree struct {
		Nodes []struct{ Name string }
	}
	raw, err := editor.Do("cmd_get_scene_tree", map[string]any{"node_path": ".", "max_depth": -1, "offset": 0, "limit": 100})
	require.NoError(rt, err)
	require.NoError(rt, json.Unmarshal(raw, &tree))
	count := map[string]int{}
	for _, node := range tree.Nodes {
		for name := range answers {
			if len(node.Name) >= len(name) && node.Name[:len(name)] == name {
				count[name]++
			}
		}
	}
	for name, a := range answers {
		why := fmt.Sprintf("%s is there %d times, the answer was %s, faults %v", name, count[name], compact(a), script)
		switch {
		case a["created"] == true:
			require.Equal(rt, 1, count[name], why)
		case a["may_have_applied"] == true:
			require.LessOrEqual(rt, count[name], 1, why)
		default:
			require.Zero(rt, count[name], why)
		}
	}
	require.NoError(rt, client.Close())
	srv.Close()
	cancel()
	<-ran
	require.NoError(rt, editor.Close())
	synctest.Wait()
}
