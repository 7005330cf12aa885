package world

import (
	"encoding/json"
	"fmt"

	"pgregory.net/rapid"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/fakeeditor/scene"
	"godot-mcp/server/wire"
)

// paths lists the nodes of the edited scene.
func paths(s State) []string {
	tx := Begin(s, "t")
	e, tab, err := tx.active()
	if err != nil {
		return []string{"."}
	}
	var out []string
	walk(e, e.Node(tab.Root), ".", 0, -1, func(_ *scene.Node, path string, _ int) bool {
		out = append(out, path)
		return true
	})
	return out
}

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

var (
	someTypes  = []string{"Node2D", "Node", "Sprite2D", "Label", "Control", "Timer", "VBoxContainer", "Button", "CollisionShape2D", "All", "Node3D"}
	someNames  = []string{"New", "A", "Thing", "B2", "x y", "Сцена"}
	someGroups = []string{"g1", "base_group", "base_root_group", "zz"}
)

// someValues are properties with values that fit them, most of them.
var someValues = []struct{ property, value string }{
	{"position", `{"x":3,"y":4}`}, {"position:x", `7.5`}, {"rotation", `0.5`}, {"rotation_degrees", `90`}, {"scale", `[2,2]`},
	{"global_position", `{"x":10,"y":20}`}, {"modulate", `"#ff8800"`}, {"visible", `false`}, {"visible", `true`}, {"text", `"hello"`},
	{"process_mode", `3`}, {"unique_name_in_owner", `true`}, {"metadata/k", `{"a":1}`}, {"shape:size", `{"x":8,"y":8}`},
	{"shape", `{"new":"RectangleShape2D","properties":{"size":{"type":"Vector2","x":2,"y":3}}}`}, {"shape", `"res://x.tres"`}, {"shape", `null`},
	{"hp", `5`}, {"hp", `3`}, {"speed", `2.5`}, {"tgt", `"."`}, {"wait_time", `2`}, {"editor_description", `"note"`}, {"z_index", `4`},
	{"layout_mode", `1`}, {"anchors_preset", `15`}, {"size", `{"x":100,"y":50}`}, {"offset_left", `12`}, {"no_such", `1`}, {"position", `"bad"`},
}

// genStep draws one step, with parameters that usually fit the scene.
func genStep(t *rapid.T, s State) wire.StepParam {
	all := paths(s)
	node := func(label string) string { return rapid.SampledFrom(all).Draw(t, label) }
	one := func(label string, from []string) string { return rapid.SampledFrom(from).Draw(t, label) }
	step := func(command string, params any) wire.StepParam {
		return wire.StepParam{Command: command, Params: raw(params)}
	}
	switch rapid.IntRange(0, 13).Draw(t, "kind") {
	case 0, 1:
		p := wire.CreateNode{ParentPath: node("parent"), Type: one("type", someTypes), Name: one("name", someNames)}
		if rapid.Bool().Draw(t, "grouped") {
			p.Groups = []string{one("group", someGroups)}
		}
		if rapid.Bool().Draw(t, "placed") {
			i := rapid.IntRange(0, 3).Draw(t, "index")
			p.Index = &i
		}
		return step(wire.CmdCreateNode, p)
	case 2:
		return step(wire.CmdInstanceScene, wire.InstanceScene{ParentPath: node("parent"), ScenePath: one("scene", []string{"res://base.tscn", "res://inh.tscn"})})
	case 3:
		return step(wire.CmdDuplicateNode, wire.DuplicateNode{NodePath: node("node")})
	case 4:
		return step(wire.CmdDeleteNode, wire.DeleteNode{NodePath: node("node")})
	case 5:
		return step(wire.CmdMoveNode, wire.MoveNode{NodePath: node("node"), NewParentPath: node("to"), Index: rapid.IntRange(-1, 3).Draw(t, "index")})
	case 6:
		return step(wire.CmdRenameNode, wire.RenameNode{NodePath: node("node"), NewName: one("name", someNames)})
	case 7:
		return step(wire.CmdAttachScript, wire.AttachScript{NodePath: node("node"), ScriptPath: one("script", []string{"res://all.gd", ""})})
	case 8:
		return step(wire.CmdAddToGroup, wire.AddToGroup{NodePath: node("node"), Group: one("group", someGroups)})
	case 9:
		return step(wire.CmdRemoveFromGroup, wire.RemoveFromGroup{NodePath: node("node"), Group: one("group", someGroups)})
	case 10:
		return step(wire.CmdConnectSignal, wire.ConnectSignal{
			SourcePath: node("from"), Signal: one("signal", []string{"renamed", "draw", "timeout", "hit"}), TargetPath: node("to"),
			Method: one("method", []string{"queue_redraw", "queue_free", "on_hit"}), Flags: one2(t, []int{0, 1, 4}),
		})
	case 11:
		return step(wire.CmdDisconnectSignal, wire.DisconnectSignal{
			SourcePath: node("from"), Signal: one("signal", []string{"renamed", "draw", "timeout"}), TargetPath: node("to"),
			Method: one("method", []string{"queue_redraw", "queue_free"}),
		})
	case 12:
		return step(wire.CmdSetEditableChildren, wire.SetEditableChildren{
			NodePath: node("node"), Editable: rapid.Bool().Draw(t, "editable"), Force: rapid.Bool().Draw(t, "force"),
		})
	}
	v := rapid.SampledFrom(someValues).Draw(t, "value")
	return step(wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: node("node"), Property: v.property, Value: json.RawMessage(v.value)})
}

func one2(t *rapid.T, from []int) int { return rapid.SampledFrom(from).Draw(t, "flags") }

// genSteps draws a transaction whose steps each fit the state before it.
func genSteps(t *rapid.T, s State) []wire.StepParam {
	n := rapid.IntRange(1, 4).Draw(t, "steps")
	var out []wire.StepParam
	for range n {
		step := genStep(t, s)
		next, r := Step(s, Input{Cause: "gen", Command: step.Command, Params: step.Params})
		if r.Err != nil {
			continue
		}
		s = next
		out = append(out, step)
	}
	return out
}

func genStart(t *rapid.T) State {
	s, err := Open(files.NewTree(project), Project{Path: "/lab"}, files.DefaultDelays(), 7)
	if err != nil {
		t.Fatal(err)
	}
	path := rapid.SampledFrom([]string{"res://main.tscn", "res://base.tscn", "res://inh.tscn"}).Draw(t, "scene")
	return run(t, s, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: path})
}

func run(t *rapid.T, s State, command string, params any) State {
	next, out := Step(s, Input{Cause: "t", Command: command, Params: raw(params)})
	if out.Err != nil {
		t.Fatalf("%s %s: %v", command, raw(params), out.Err)
	}
	return next
}

// look is everything that must stay when nothing may change.
func look(s State) string {
	live, saved := Look(s)
	tab, _ := s.ActiveTab()
	return fmt.Sprint(live, saved, tab.History.Version(), tab.History.Depth(), s.Global.Version(), s.Journal.Len(), s.Stamp, tab.Selected, s.Active, len(s.Tabs))
}
