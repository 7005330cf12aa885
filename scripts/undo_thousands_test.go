package scripts

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/bridge"
	"godot-mcp/server/wire"
)

// thousands is how many steps the greatest transaction has that is promised to be
// undone in one step.
const thousands = 2000

// stepsOfAllKinds are n steps of one transaction: every kind of step, on nodes of the
// scene and on what the steps before made.
func stepsOfAllKinds(n int) []wire.StepParam {
	var out []wire.StepParam
	add := func(command string, params any) { out = append(out, aStep(command, params)) }
	set := func(path, property, value string) {
		add(wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: path, Property: property, Value: json.RawMessage(value)})
	}
	group := func(path, name string) { add(wire.CmdAddToGroup, wire.AddToGroup{NodePath: path, Group: name}) }
	link := func(from, signal, to string, flags int) {
		add(wire.CmdConnectSignal, wire.ConnectSignal{SourcePath: from, Signal: signal, TargetPath: to, Method: "queue_redraw", Flags: flags})
	}
	first := 0
	// What the file has, and what stands for it elsewhere, goes first.
	set("Edit/Shape", "shape", `{"new":"CircleShape2D","properties":{"radius":3}}`)
	add(wire.CmdRemoveFromGroup, wire.RemoveFromGroup{NodePath: "A", Group: "own"})
	add(wire.CmdDisconnectSignal, wire.DisconnectSignal{SourcePath: "A", Signal: "draw", TargetPath: "Spot", Method: "queue_redraw"})
	add(wire.CmdMoveNode, wire.MoveNode{NodePath: "Spot", NewParentPath: ".", Index: 0})
	add(wire.CmdDeleteNode, wire.DeleteNode{NodePath: "Mover"})
	add(wire.CmdRenameNode, wire.RenameNode{NodePath: "Inst", NewName: "Closed"})
	set("Hero", "target", `"../A/B"`)
	for i := 0; len(out) < n-2; i++ {
		me, before := fmt.Sprintf(":n%d", i), fmt.Sprintf(":n%d", first)
		add(wire.CmdCreateNode, wire.CreateNode{ParentPath: ".", Type: "Node2D", Name: fmt.Sprintf("Step%d", i), As: me[1:], Groups: []string{"many"}, UniqueName: i%2 == 0})
		set(me, "position", fmt.Sprintf("[%d,2]", i))
		add(wire.CmdCreateNode, wire.CreateNode{ParentPath: me, Type: "CollisionShape2D", Name: "S", As: fmt.Sprintf("s%d", i)})
		set(fmt.Sprintf(":s%d", i), "shape", `{"new":"RectangleShape2D","properties":{"size":[9,9]}}`)
		set(fmt.Sprintf(":s%d", i), "shape:size", fmt.Sprintf("[%d,5]", i+1))
		set("ColC", "shape:size", fmt.Sprintf("[%d,6]", i+1)) // in a file of its own
		set("ColA", "shape:size", fmt.Sprintf("[%d,7]", i+1)) // shared by two nodes
		set("UI", "theme:Panel/styles/panel:bg_color", fmt.Sprintf("[0,0,%g,1]", float64(i%8)/8))
		link(me, "draw", before, i%2)
		link("Edit/T", "timeout", me, 0)
		group(before, fmt.Sprintf("g%d", i))
		add(wire.CmdInstanceScene, wire.InstanceScene{ParentPath: me, ScenePath: "res://t00/mid.tscn", Name: fmt.Sprintf("Made%d", i), As: fmt.Sprintf("made%d", i)})
		made := fmt.Sprintf(":made%d", i)
		add(wire.CmdSetEditableChildren, wire.SetEditableChildren{NodePath: made, Editable: true})
		set(made+"/E/Sprite", "position", fmt.Sprintf("[%d,8]", i))
		group(made+"/E/Sprite", "deep")
		add(wire.CmdCreateNode, wire.CreateNode{ParentPath: made + "/E/Inner", Type: "Timer", Name: "In"})
		add(wire.CmdConnectSignal, wire.ConnectSignal{SourcePath: made + "/E/T", Signal: "timeout", TargetPath: made, Method: "set_rotation", Flags: 4, Binds: []json.RawMessage{[]byte("2")}})
		add(wire.CmdDuplicateNode, wire.DuplicateNode{NodePath: made, As: fmt.Sprintf("copy%d", i)})
		copied := fmt.Sprintf(":copy%d", i)
		add(wire.CmdRenameNode, wire.RenameNode{NodePath: copied, NewName: fmt.Sprintf("Copy%d", i)})
		add(wire.CmdMoveNode, wire.MoveNode{NodePath: copied, NewParentPath: ".", Index: i % 4})
		set(copied, "unique_name_in_owner", "true")
		add(wire.CmdAttachScript, wire.AttachScript{NodePath: me, ScriptPath: "res://t00/hero.gd"})
		set(me, "hp", fmt.Sprint(i+4))
		set(me, "target", `"S"`)
		set(me, "metadata/k", fmt.Sprintf(`{"a":[%d]}`, i))
		switch i % 4 {
		case 0:
			add(wire.CmdSetEditableChildren, wire.SetEditableChildren{NodePath: copied, Editable: false, Force: true})
		case 1:
			add(wire.CmdAttachScript, wire.AttachScript{NodePath: me, ScriptPath: ""})
			add(wire.CmdRemoveFromGroup, wire.RemoveFromGroup{NodePath: me, Group: "many"})
		case 2:
			add(wire.CmdDeleteNode, wire.DeleteNode{NodePath: copied})
			add(wire.CmdDisconnectSignal, wire.DisconnectSignal{SourcePath: me, Signal: "draw", TargetPath: before, Method: "queue_redraw"})
		case 3:
			add(wire.CmdDeleteNode, wire.DeleteNode{NodePath: before})
			first = i
		}
	}
	out = out[:n-2]
	add(wire.CmdDeleteNode, wire.DeleteNode{NodePath: "A"})
	add(wire.CmdSetEditableChildren, wire.SetEditableChildren{NodePath: "Edit", Editable: false, Force: true})
	return out
}

// ended is what the greatest transaction was answered and left.
type ended struct {
	results     []json.RawMessage
	start, last state
}

// playThousands makes one transaction of very many steps: a preview and a run that
// fails at its last step change nothing, one undo gives the bytes of the start and one
// redo those of the end, and what a person did since is left to the person.
func playThousands(t *testing.T, backend Backend, n int) ended {
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	files := map[string][]byte{"project.godot": []byte(plainProject)}
	maps.Copy(files, matrixFiles("t00"))
	s := &session{backend: backend, flags: defaultFlags}
	require.NoError(t, s.start(ctx, files))
	defer func() { require.NoError(t, s.close()) }()
	w := &walk{session: s, folder: "t00"}
	_, err := s.mustSucceed(ctx, s.tool("open_scene"), args{"scene_path": "res://t00/main.tscn"})
	require.NoError(t, err)
	saved := func() state {
		st, err := w.saved(ctx)
		require.NoError(t, err)
		return st
	}
	start := saved()
	look := func() Look {
		l, err := s.backend.Look(ctx)
		require.NoError(t, err)
		return l
	}
	before := look()
	send := func(steps []wire.StepParam, dry bool) (wire.TransactionResult, *wire.Error) {
		r, out := bridge.Call[wire.TransactionResult](ctx, s.srv.Bridge(), wire.CmdTransaction,
			wire.Transaction{Name: fmt.Sprintf("%d steps", n), Steps: steps, DryRun: dry}, bridge.Timeout(3*time.Minute))
		return r, out.Err
	}
	steps := stepsOfAllKinds(n)
	require.Len(t, steps, n)

	preview, failed := send(steps, true)
	require.Nil(t, failed)
	assert.False(t, preview.Committed)
	assert.True(t, preview.Undoable)
	require.NoError(t, same("a preview changes nothing", before, look()))
	assert.Equal(t, start, saved(), "a save after a preview")

	bad := append(steps[:n-1:n-1], aStep(wire.CmdDeleteNode, wire.DeleteNode{NodePath: "NoSuch"}))
	_, failed = send(bad, false)
	require.NotNil(t, failed)
	require.NotNil(t, failed.Step)
	assert.Equal(t, n-1, *failed.Step)
	require.NoError(t, same("all or nothing", before, look()))
	assert.Equal(t, start, saved(), "a save after a transaction that failed")

	real, failed := send(steps, false)
	require.Nil(t, failed)
	assert.True(t, real.Committed)
	require.Len(t, real.Results, n)
	for i := range real.Results {
		assert.JSONEq(t, string(preview.Results[i]), string(real.Results[i]), "step %d", i)
	}
	last := saved()
	assert.NotEqual(t, start, last)
	assert.Equal(t, before.Steps+1, look().Steps, "one action")

	move := func(tool string) map[string]any {
		answer, err := s.mustSucceed(ctx, s.tool(tool), args{})
		require.NoError(t, err)
		return answer
	}
	for range 2 {
		assert.Equal(t, 1.0, move("undo")["undone"])
		require.NoError(t, differ("undo to the start and a save", start, saved()))
		assert.Equal(t, 1.0, move("redo")["redone"])
		require.NoError(t, differ("redo to the end and a save", last, saved()))
	}

	require.NoError(t, s.backend.Human(ctx, []string{"set", "Spot", "position", "Vector2(77, 1)"}))
	stopped := move("undo")
	assert.Equal(t, 0.0, stopped["undone"])
	assert.Equal(t, "human_edit", stopped["stopped_by"])
	assert.Contains(t, saved().files["t00/main.tscn"], "position = Vector2(77, 1)")
	require.NoError(t, s.backend.Human(ctx, []string{"undo"}))
	assert.Equal(t, 1.0, move("undo")["undone"])
	require.NoError(t, differ("undo of a person's edit, of ours, and a save", start, saved()))
	return ended{real.Results, start, last}
}

// TestThousandsOfSteps plays it on the simulated editor.
func TestThousandsOfSteps(t *testing.T) {
	for _, n := range []int{10, 100, thousands} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			end := playThousands(t, &simBackend{}, n)
			assert.False(t, strings.Contains(end.last.files["t00/main.tscn"], `name="Mover"`))
		})
	}
}
