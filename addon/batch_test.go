//go:build godot

package addon_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/wire"
)

func TestRunCommands(t *testing.T) {
	fixture(t, "main.tscn")
	quiet(t)
	cmds := []wire.StepParam{
		create(".", "R1"), create("R1", "R2"), step(wire.CmdGetNode, wire.GetNode{NodePath: "A"}), set("R1/R2", "nope", `1`), step("cmd_run_commands", map[string]any{}),
	}
	before := snapshot(t)
	dry := ask[wire.RunCommandsResult](t, wire.CmdRunCommands, wire.RunCommands{Commands: cmds, DryRun: true})
	require.Equal(t, before, snapshot(t))
	r := ask[wire.RunCommandsResult](t, wire.CmdRunCommands, wire.RunCommands{Commands: cmds})
	require.Len(t, r.Results, 5)
	for i := range r.Results {
		a, _ := json.Marshal(r.Results[i])
		b, _ := json.Marshal(dry.Results[i])
		assert.JSONEq(t, string(a), string(b), "entry %d", i)
	}
	assert.Equal(t, []bool{true, true, true, false, false}, []bool{r.Results[0].OK, r.Results[1].OK, r.Results[2].OK, r.Results[3].OK, r.Results[4].OK})
	assert.Equal(t, wire.ReasonNoProperty, r.Results[3].Reason)
	assert.Equal(t, wire.ReasonUnknownCommand, r.Results[4].Reason)
	assert.Len(t, ask[wire.RunCommandsResult](t, wire.CmdRunCommands, wire.RunCommands{Commands: []wire.StepParam{set("A", "x", `1`), create(".", "N")}, StopOnError: true}).Results, 1)
	assert.Equal(t, 2, undo(t, 9).Done)
	refuse(t, wire.ReasonEmptyBatch, wire.CmdRunCommands, wire.RunCommands{})
}

func TestTransactionRollsBack(t *testing.T) {
	fixture(t, "main.tscn")
	quiet(t)
	ask[wire.SelectNodesResult](t, wire.CmdSelectNodes, wire.SelectNodes{NodePaths: []string{"A"}})
	before := snapshot(t)
	e := refuse(t, wire.ReasonNoProperty, wire.CmdTransaction, wire.Transaction{Name: "t", Steps: []wire.StepParam{
		create(".", "X"), move("A", "X", 0), step(wire.CmdDeleteNode, wire.DeleteNode{NodePath: "Inst"}), group("X/A", "g"), editable("Edit", false, true),
		attach("Vars", ""), connect("X", "draw", "X/A", "queue_redraw"), set("X/A", "position", `[9,9]`), set("X", "nope", `1`),
	}})
	require.NotNil(t, e.Step)
	assert.Equal(t, 8, *e.Step)
	eval(t, "await plugin.get_tree().process_frame")
	require.Equal(t, before, snapshot(t))
	refuse(t, wire.ReasonEmptyBatch, wire.CmdTransaction, wire.Transaction{Name: "t"})
	e = refuse(t, wire.ReasonNotAStep, wire.CmdTransaction, wire.Transaction{Name: "t", Steps: []wire.StepParam{create(".", "X"), step(wire.CmdPing, nil)}})
	assert.Equal(t, 1, *e.Step)
	refuse(t, wire.ReasonUnknownCommand, wire.CmdTransaction, wire.Transaction{Name: "t", Steps: []wire.StepParam{step("cmd_nope", nil)}})
	refuse(t, wire.ReasonBadParams, wire.CmdTransaction, wire.Transaction{Name: "t", Steps: []wire.StepParam{step(wire.CmdCreateNode, map[string]any{"nope": 1})}})
	nothing := transact(t, "nothing", set("A", "position", `[0,0]`))
	assert.Equal(t, wire.TransactionResult{Results: nothing.Results}, nothing)
	require.Equal(t, before, snapshot(t))
}

func TestThousandNodes(t *testing.T) {
	fixture(t, "main.tscn")
	quiet(t)
	for _, n := range []int{1000, 10000} {
		var steps []wire.StepParam
		for i := range n {
			steps = append(steps, create("A", fmt.Sprintf("N%d", i)))
		}
		start := time.Now()
		r := transact(t, "many", steps...)
		t.Logf("%d nodes in one call: %v", n, time.Since(start))
		require.Len(t, r.Results, n)
		assert.Equal(t, float64(n+1), eval(t, "return root.get_node('A').get_child_count()"))
		undo(t, 1)
		assert.Equal(t, 1.0, eval(t, "return root.get_node('A').get_child_count()"))
	}
	closeAll(t)
}

// The same id is answered from memory, and what became of it can be asked.
func TestOutcomes(t *testing.T) {
	fixture(t, "main.tscn")
	ctx := deadline(t)
	send := func(id string) wire.Reply {
		c, err := shared.link.Send(ctx, id, []byte(`{"id":"`+id+`","command":"cmd_create_node","params":{"parent_path":".","type":"Node","name":"Once"}}`))
		require.NoError(t, err)
		return <-c
	}
	first := send("o1")
	require.Equal(t, first, send("o1"))
	assert.Equal(t, false, eval(t, "return root.has_node('Once2')"))
	o := ask[wire.GetOutcomeResult](t, wire.CmdGetOutcome, wire.GetOutcome{ID: "o1"})
	assert.Equal(t, "done", o.State)
	assert.JSONEq(t, string(first.Result), string(o.Answer.Result))
	assert.Equal(t, "unknown", ask[wire.GetOutcomeResult](t, wire.CmdGetOutcome, wire.GetOutcome{ID: "never"}).State)
	for i := range 1001 {
		ask[wire.PingResult](t, wire.CmdPing, map[string]any{})
		_ = i
	}
	assert.Equal(t, "unknown", ask[wire.GetOutcomeResult](t, wire.CmdGetOutcome, wire.GetOutcome{ID: "o1"}).State)
	// Bad envelopes are answered, not dropped.
	for _, bad := range []string{`{"id":"b1","command":7}`, `{"id":"b1","command":"cmd_ping","params":[1]}`} {
		c, err := shared.link.Send(ctx, "b1", []byte(bad))
		require.NoError(t, err)
		assert.Equal(t, wire.ReasonBadParams, (<-c).Reason)
	}
	c, err := shared.link.Send(ctx, "", []byte(`{nonsense`))
	require.NoError(t, err)
	assert.Equal(t, wire.ReasonBadParams, (<-c).Reason)
}

func TestLatency(t *testing.T) {
	fixture(t, "main.tscn")
	measure := func(f func()) time.Duration {
		var best time.Duration = time.Hour
		for range 200 {
			s := time.Now()
			f()
			best = min(best, time.Since(s))
		}
		return best
	}
	i := 0
	t.Logf("ping %v", measure(func() { reply(t, wire.CmdPing, nil) }))
	t.Logf("read %v", measure(func() {
		reply(t, wire.CmdGetNodeProperty, wire.GetNodeProperty{NodePath: "A", Property: "position"})
	}))
	t.Logf("write %v", measure(func() {
		i++
		reply(t, wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: "A", Property: "position", Value: raw(fmt.Sprintf("[%d,1]", i))})
	}))
}

// Several megabytes travel both ways.
func TestBigMessages(t *testing.T) {
	closeAll(t)
	text := strings.Repeat("# äöü line of a long file\n", 200_000)
	w := ask[wire.WriteFileResult](t, wire.CmdWriteFile, wire.WriteFile{Path: "res://v/big.txt", Content: text})
	assert.True(t, w.Changed)
	assert.Equal(t, text, ask[wire.ReadFileResult](t, wire.CmdReadFile, wire.ReadFile{Path: "res://v/big.txt"}).Content)
	undo(t, 1)
	put(t, "v/huge.txt", strings.Repeat("x", 33<<20))
	refuse(t, wire.ReasonTooBig, wire.CmdReadFile, wire.ReadFile{Path: "res://v/huge.txt"})
	eval(t, "DirAccess.remove_absolute('res://v/huge.txt')")
}
