package scripts

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"time"

	"godot-mcp/server/bridge"
	"godot-mcp/server/wire"
)

// step does one thing of a walk.
func (w *walk) step(ctx context.Context) error {
	switch w.choose(14) {
	default:
		tool, list, err := w.edit(ctx)
		if err != nil || tool == "" {
			return err
		}
		return w.try(ctx, tool, list)
	case 0, 1:
		return w.transaction(ctx)
	case 2:
		return w.script(ctx)
	case 3:
		return w.batch(ctx)
	case 4, 5:
		return w.person(ctx)
	case 7:
		return w.elsewhere(ctx)
	case 8:
		return w.history(ctx)
	case 6:
		if w.choose(2) == 0 {
			return w.try(ctx, "save_scene", args{})
		}
		look, err := w.backend.Glance(ctx)
		if err != nil || look.Steps <= w.start {
			return err
		}
		w.tell("undo")
		if err := w.back(ctx, look.Steps-1); err != nil {
			return err
		}
		w.people = 0
		if w.choose(2) == 0 {
			return w.try(ctx, "redo", args{})
		}
		return nil
	}
}

// edit draws a call of the matrix on a node of the scene.
func (w *walk) edit(ctx context.Context) (string, map[string]any, error) {
	paths, scene, err := w.nodes(ctx)
	if err != nil {
		return "", nil, err
	}
	at := paths[w.choose(len(paths))]
	all := slices.Concat(addingPrimitives(), movingPrimitives(), valuePrimitives(), resourcePrimitives(), linkPrimitives())
	shots := all[w.choose(len(all))].at(aim{target{path: at}, scene[at], scene})
	if len(shots) == 0 {
		return "", nil, nil
	}
	shot := shots[w.choose(len(shots))]
	c := column{folder: w.folder}
	list := c.here(shot.args).(map[string]any)
	if list["signal_name"] == "tree_entered" {
		// The real editor calls what a scene connects: a node that comes back to the
		// tree would free another one past all histories.
		list = with(list, "method_name", "get_path")
	}
	return shot.tool, list, nil
}

// batch makes some edits in one call; each is a step of its own.
func (w *walk) batch(ctx context.Context) error {
	var entries []any
	for range 2 + w.choose(4) {
		tool, list, err := w.edit(ctx)
		if err != nil {
			return err
		}
		if tool != "" {
			entries = append(entries, args{"command": tool, "params": list})
		}
	}
	if len(entries) == 0 {
		return nil
	}
	return w.try(ctx, "run_commands", args{"commands": entries, "stop_on_error": w.choose(2) == 0})
}

// script writes a script, or a part of one.
func (w *walk) script(ctx context.Context) error {
	file := "res://" + w.folder + "/" + w.one("hero.gd", "tool.gd", "fresh.gd", "other.gd")
	if w.choose(3) == 0 {
		return w.try(ctx, "patch_script", args{"script_path": file, "find": "hp: int = 3", "replace": fmt.Sprintf("hp: int = %d", w.choose(9))})
	}
	text := fmt.Sprintf("extends Node2D\n\n@export var hp: int = 3\n@export var more := %d\n", w.choose(5))
	return w.try(ctx, "write_script", args{"script_path": file, "content": text})
}

// person does what a person does with a node of the scene.
func (w *walk) person(ctx context.Context) error {
	_, scene, err := w.nodes(ctx)
	if err != nil {
		return err
	}
	// A person's editor lets nobody rename or delete what an heir inherits.
	supplied := []string{".", "Sprite", "Shape", "T", "Inner", "Deep", "P", "E", "Extra"}
	own := slices.DeleteFunc(slices.Sorted(maps.Keys(scene)), func(p string) bool { return !scene[p].own || slices.Contains(supplied, path.Base(p)) })
	words := []string{"add", ".", "Node2D", "Theirs"}
	if len(own) > 0 {
		node := own[w.choose(len(own))]
		switch w.choose(4) {
		case 0:
			words = []string{"set", node, "editor_description", `"theirs"`}
		case 1:
			words = []string{"rename", node, fmt.Sprintf("Named%d", w.choose(100))}
		case 2:
			words = []string{"delete", node}
		}
	}
	w.tell("human %q", words)
	return w.backend.Human(ctx, words)
}

// elsewhere lets a person edit another scene, or a resource's file, which is a step of
// the global history.
func (w *walk) elsewhere(ctx context.Context) error {
	_, scene, err := w.nodes(ctx)
	if err != nil {
		return err
	}
	if scene["ColC"].own && w.choose(2) == 0 {
		words := []string{"file", "ColC", "shape:size", fmt.Sprintf("Vector2(%d, 3)", 1+w.choose(50))}
		w.tell("human %q", words)
		return w.backend.Human(ctx, words)
	}
	if w.other == "" {
		w.other = w.one(slices.DeleteFunc([]string{"main.tscn", "two.tscn", "inh.tscn", "inh2.tscn"}, func(s string) bool { return s == w.scene })...)
	}
	w.theirs = fmt.Sprintf("theirs %d", w.choose(100))
	w.tell("human edits %s: %s", w.other, w.theirs)
	for _, words := range [][]string{
		{"tab", w.path(w.other)}, {"set", "Spot", "editor_description", strconv.Quote(w.theirs)}, {"tab", w.path(w.scene)},
	} {
		if err := w.backend.Human(ctx, words); err != nil {
			return err
		}
	}
	return nil
}

// history lets a person undo what was done last, whoever did it, and maybe redo it.
func (w *walk) history(ctx context.Context) error {
	look, err := w.backend.Glance(ctx)
	if err != nil || look.Steps <= w.start {
		return err
	}
	w.tell("human undo of %q", look.Last)
	if err := w.backend.Human(ctx, []string{"undo"}); err != nil || w.choose(2) == 0 {
		return err
	}
	w.tell("human redo")
	return w.backend.Human(ctx, []string{"redo"})
}

// transaction makes up to 2,000 steps of all kinds as one.
func (w *walk) transaction(ctx context.Context) error {
	n := 1 + w.choose([]int{10, 10, 40, 40, 200, 2000}[w.choose(6)])
	w.serial++
	steps := make([]wire.StepParam, n)
	for i := range steps {
		steps[i] = w.part(i)
	}
	w.tell("transaction of %d steps, %s …", n, steps[0].Params)
	_, out := bridge.Call[wire.TransactionResult](ctx, w.srv.Bridge(), wire.CmdTransaction,
		wire.Transaction{Name: fmt.Sprintf("%d steps", n), Steps: steps}, bridge.Timeout(time.Minute))
	if out.Err != nil {
		return fmt.Errorf("step %v: %w", out.Err.Step, out.Err)
	}
	return nil
}

// part is one step of a transaction, on what the steps before it made.
func (w *walk) part(i int) wire.StepParam {
	ref := func(n int) string { return fmt.Sprintf(":n%d", n-n%10) }
	me, before := ref(i), ref(max(0, i-10))
	switch i % 10 {
	case 0:
		return aStep(wire.CmdCreateNode, wire.CreateNode{ParentPath: ".", Type: "Node2D", Name: fmt.Sprintf("Step%d", i), As: me[1:], Groups: []string{"many"}})
	case 1:
		return aStep(wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: me, Property: "position", Value: json.RawMessage(fmt.Sprintf("[%d,2]", i))})
	case 2:
		return aStep(wire.CmdConnectSignal, wire.ConnectSignal{SourcePath: me, Signal: "draw", TargetPath: before, Method: "queue_redraw"})
	case 3:
		return aStep(wire.CmdAddToGroup, wire.AddToGroup{NodePath: before, Group: fmt.Sprintf("g%d", i)})
	case 4:
		return aStep(wire.CmdInstanceScene, wire.InstanceScene{ParentPath: me, ScenePath: "res://" + w.folder + "/base.tscn", Name: fmt.Sprintf("Made%d_%d", w.serial, i), As: fmt.Sprintf("made%d", i)})
	case 5:
		return aStep(wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: fmt.Sprintf(":made%d", i-1), Property: "unique_name_in_owner", Value: json.RawMessage("true")})
	case 6:
		return aStep(wire.CmdDuplicateNode, wire.DuplicateNode{NodePath: me, As: fmt.Sprintf("copy%d", i)})
	case 7:
		return aStep(wire.CmdMoveNode, wire.MoveNode{NodePath: fmt.Sprintf(":copy%d", i-1), NewParentPath: me, Index: 0})
	case 8:
		return aStep(wire.CmdRenameNode, wire.RenameNode{NodePath: me, NewName: fmt.Sprintf("Renamed%d", i)})
	}
	return aStep(wire.CmdDeleteNode, wire.DeleteNode{NodePath: fmt.Sprintf(":copy%d", i-3)})
}

func aStep(command string, params any) wire.StepParam {
	raw, err := json.Marshal(params)
	if err != nil {
		panic(err)
	}
	return wire.StepParam{Command: command, Params: raw}
}
