package world

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"godot-mcp/server/wire"
)

func transaction(steps []wire.StepParam, dry bool) json.RawMessage {
	return raw(wire.Transaction{Name: "T", Steps: steps, DryRun: dry})
}

// Undo to the start gives the start's bytes, redo to the end the end's.
func TestUndoAndRedoGiveTheBytesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := genStart(t)
		_, first := Look(s)
		count := 0
		for range rapid.IntRange(1, 5).Draw(t, "actions") {
			steps := genSteps(t, s)
			if len(steps) == 0 {
				continue
			}
			next, out := Step(s, Input{Cause: "1", Command: wire.CmdTransaction, Params: transaction(steps, false)})
			require.Nil(t, out.Err)
			if next.Stamp > s.Stamp {
				count++
			}
			s = next
		}
		live, last := Look(s)
		if count == 0 {
			return
		}
		back := run(t, s, wire.CmdUndo, wire.Undo{Count: count})
		_, text := Look(back)
		require.Equal(t, first, text)
		again := run(t, back, wire.CmdRedo, wire.Redo{Count: count})
		liveAgain, text := Look(again)
		require.Equal(t, last, text)
		require.Equal(t, live, liveAgain)
	})
}

// A preview changes nothing and says what the real run says.
func TestPreviewIsTheRealRunTakenBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := genStart(t)
		for range rapid.IntRange(1, 4).Draw(t, "actions") {
			steps := []wire.StepParam{genStep(t, s)}
			if rapid.Bool().Draw(t, "more") {
				steps = append(steps, genStep(t, s))
			}
			before := look(s)
			same, dry := Step(s, Input{Cause: "1", Command: wire.CmdTransaction, Params: transaction(steps, true)})
			require.Equal(t, before, look(same))
			require.Equal(t, before, look(s))
			next, real := Step(s, Input{Cause: "1", Command: wire.CmdTransaction, Params: transaction(steps, false)})
			require.Equal(t, before, look(s))
			require.Equal(t, dry.Err, real.Err)
			if real.Err != nil {
				require.Equal(t, before, look(next))
				continue
			}
			var a, b wire.TransactionResult
			require.NoError(t, json.Unmarshal(dry.Result, &a))
			require.NoError(t, json.Unmarshal(real.Result, &b))
			require.Equal(t, a.Results, b.Results)
			require.False(t, a.Committed)
			s = next
		}
	})
}

// A transaction leaves what its steps leave one by one.
func TestTransactionIsItsStepsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := genStart(t)
		steps := genSteps(t, s)
		if len(steps) == 0 {
			return
		}
		one := s
		for _, p := range steps {
			next, out := Step(one, Input{Cause: "1", Command: p.Command, Params: p.Params})
			require.Nil(t, out.Err)
			one = next
		}
		all, out := Step(s, Input{Cause: "1", Command: wire.CmdTransaction, Params: transaction(steps, false)})
		require.Nil(t, out.Err)
		liveOne, savedOne := Look(one)
		liveAll, savedAll := Look(all)
		require.Equal(t, liveOne, liveAll)
		require.Equal(t, savedOne, savedAll)
	})
}

// Reads leave the state as it was.
func TestReadsChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := genStart(t)
		for _, p := range genSteps(t, s) {
			s, _ = Step(s, Input{Cause: "1", Command: p.Command, Params: p.Params})
		}
		before := look(s)
		node := rapid.SampledFrom(paths(s)).Draw(t, "node")
		for _, q := range reads(node) {
			next, out := Step(s, Input{Cause: "r", Command: q.Command, Params: q.Params})
			require.Nil(t, out.Err, "%s", q.Command)
			require.Equal(t, before, look(next), "%s", q.Command)
		}
	})
}

// reads are all read commands with parameters that fit.
func reads(node string) []wire.StepParam {
	return []wire.StepParam{
		{Command: wire.CmdPing}, {Command: wire.CmdGetProjectInfo}, {Command: wire.CmdGetActiveScene}, {Command: wire.CmdListScenes},
		{Command: wire.CmdListOpenScenes}, {Command: wire.CmdGetSelectedNodes}, {Command: wire.CmdListHistory}, {Command: wire.CmdGetScanState},
		{Command: wire.CmdGetSceneTree, Params: raw(wire.GetSceneTree{NodePath: ".", MaxDepth: -1, Limit: 100})},
		{Command: wire.CmdGetNode, Params: raw(wire.GetNode{NodePath: node})},
		{Command: wire.CmdGetNodeProperty, Params: raw(wire.GetNodeProperty{NodePath: node, Property: "position"})},
		{Command: wire.CmdGetNodePropertyList, Params: raw(wire.GetNodePropertyList{NodePath: node})},
		{Command: wire.CmdGetNodeGroups, Params: raw(wire.GetNodeGroups{NodePath: node})},
		{Command: wire.CmdSnapshotSubtree, Params: raw(wire.SnapshotSubtree{NodePath: node, MaxDepth: -1, Limit: 100, Properties: []string{"visible"}})},
		{Command: wire.CmdListSignalConnections, Params: raw(wire.ListSignalConnections{NodePath: node})},
		{Command: wire.CmdFindNodesByType, Params: raw(wire.FindNodesByType{Type: "Node2D", ParentPath: ".", Recursive: true, Limit: 10})},
		{Command: wire.CmdNodePersistence, Params: raw(wire.NodePersistence{NodePath: node, Kind: "child"})},
		{Command: wire.CmdDescribeClass, Params: raw(wire.DescribeClass{ClassName: "Node2D", IncludeInherited: true})},
		{Command: wire.CmdReadFile, Params: raw(wire.ReadFile{Path: "res://all.gd"})},
		{Command: wire.CmdListFiles, Params: raw(wire.ListFiles{Directory: "res://", Extensions: []string{"tscn"}, Limit: 10})},
		{Command: wire.CmdGetDependencies, Params: raw(wire.GetDependencies{Path: "res://main.tscn"})},
		{Command: wire.CmdCheckScript, Params: raw(wire.CheckScript{Path: "res://all.gd"})},
	}
}
