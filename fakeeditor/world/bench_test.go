package world

import (
	"fmt"
	"strings"
	"testing"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/fakeeditor/scene"
	"godot-mcp/server/wire"
)

// bigScene is a scene file with n nodes in groups of 100.
func bigScene(n int) string {
	var b strings.Builder
	b.WriteString("[gd_scene format=3 uid=\"uid://bigscene\"]\n\n[node name=\"Big\" type=\"Node2D\" unique_id=1]\n")
	for i := 1; i < n; i++ {
		parent := "."
		if i >= 100 {
			parent = fmt.Sprintf("N%d", i%100+1)
		}
		fmt.Fprintf(&b, "\n[node name=\"N%d\" type=\"Sprite2D\" parent=\"%s\" unique_id=%d]\nposition = Vector2(%d, 2)\n", i, parent, i+1, i)
	}
	return b.String()
}

func bigWorld(tb testing.TB, n int) State {
	tree := files.NewTree(map[string]string{"project.godot": "config_version=5\n", "big.tscn": bigScene(n)})
	s, err := Open(tree, Project{Path: "/big"}, files.DefaultDelays(), 1)
	if err != nil {
		tb.Fatal(err)
	}
	return mustStep(tb, s, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: "res://big.tscn"})
}

func mustStep(tb testing.TB, s State, command string, params any) State {
	next, out := Step(s, Input{Cause: "b", Command: command, Params: raw(params)})
	if out.Err != nil {
		tb.Fatal(out.Err)
	}
	return next
}

// BenchmarkSetProperty10000 is a property write in a scene of 10,000 nodes. Target: 20 µs.
func BenchmarkSetProperty10000(b *testing.B) {
	s := bigWorld(b, 10000)
	params := raw(wire.SetNodeProperty{NodePath: "N77/N5076", Property: "rotation", Value: []byte("0.5")})
	for b.Loop() {
		_, out := Step(s, Input{Cause: "b", Command: wire.CmdSetNodeProperty, Params: params})
		if out.Err != nil {
			b.Fatal(out.Err)
		}
	}
}

func BenchmarkGetProperty10000(b *testing.B) {
	s := bigWorld(b, 10000)
	params := raw(wire.GetNodeProperty{NodePath: "N77/N5076", Property: "position"})
	for b.Loop() {
		Step(s, Input{Cause: "b", Command: wire.CmdGetNodeProperty, Params: params})
	}
}

// BenchmarkFork10000 forks a world and changes a node of the fork. Target: 50 µs.
func BenchmarkFork10000(b *testing.B) {
	s := bigWorld(b, 10000)
	for b.Loop() {
		fork := s
		fork.Store = fork.Store.Begin(nil)
		fork.Store.Edit(scene.NodeID(5000)).Name = "Forked"
	}
}

// BenchmarkSave10000 saves a scene of 10,000 nodes. Target: 45 ms.
func BenchmarkSave10000(b *testing.B) {
	s := bigWorld(b, 10000)
	for b.Loop() {
		mustStep(b, s, wire.CmdSaveScene, wire.SaveScene{})
	}
}

// BenchmarkSave100000 saves a scene of 100,000 nodes. Target: 0.6 s.
func BenchmarkSave100000(b *testing.B) {
	s := bigWorld(b, 100000)
	for b.Loop() {
		mustStep(b, s, wire.CmdSaveScene, wire.SaveScene{})
	}
}

// BenchmarkOpen10000 opens a scene of 10,000 nodes. Target: 60 ms.
func BenchmarkOpen10000(b *testing.B) {
	tree := files.NewTree(map[string]string{"project.godot": "config_version=5\n", "big.tscn": bigScene(10000)})
	s, err := Open(tree, Project{Path: "/big"}, files.DefaultDelays(), 1)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		mustStep(b, s, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: "res://big.tscn"})
	}
}

func BenchmarkCreate1000(b *testing.B) {
	s := bigWorld(b, 10)
	var steps []wire.StepParam
	for i := range 1000 {
		steps = append(steps, wire.StepParam{Command: wire.CmdCreateNode, Params: raw(wire.CreateNode{ParentPath: ".", Type: "Node2D", Name: fmt.Sprintf("New%d", i)})})
	}
	params := raw(wire.Transaction{Name: "T", Steps: steps})
	for b.Loop() {
		_, out := Step(s, Input{Cause: "b", Command: wire.CmdTransaction, Params: params})
		if out.Err != nil {
			b.Fatal(out.Err)
		}
	}
}
