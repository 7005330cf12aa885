//go:build godot

package addon_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/wire"
)

func save(t *testing.T) wire.SaveSceneResult {
	t.Helper()
	return ask[wire.SaveSceneResult](t, wire.CmdSaveScene, wire.SaveScene{})
}

func undo(t *testing.T, count int) wire.HistoryMoveResult {
	t.Helper()
	return ask[wire.HistoryMoveResult](t, wire.CmdUndo, wire.Undo{Count: count})
}

func redo(t *testing.T, count int) wire.HistoryMoveResult {
	t.Helper()
	return ask[wire.HistoryMoveResult](t, wire.CmdRedo, wire.Redo{Count: count})
}

func transact(t *testing.T, name string, steps ...wire.StepParam) wire.TransactionResult {
	t.Helper()
	return ask[wire.TransactionResult](t, wire.CmdTransaction, wire.Transaction{Name: name, Steps: steps})
}

// One undo brings back the bytes of before, one redo those of after, for every
// edit of the persistence cases and some more.
func TestUndoAndRedoAreByteIdentical(t *testing.T) {
	cases := append([]verdictCase{}, verdictCases...)
	cases = append(cases,
		verdictCase{name: "many steps", steps: []wire.StepParam{
			step(wire.CmdCreateNode, wire.CreateNode{ParentPath: ".", Type: "Node2D", Name: "New", As: "n", Groups: []string{"g"}, UniqueName: true}),
			step(wire.CmdCreateNode, wire.CreateNode{ParentPath: ":n", Type: "Area2D", Name: "Area", As: "a", Properties: map[string]json.RawMessage{"position": json.RawMessage(`[3,4]`)}}),
			step(wire.CmdCreateNode, wire.CreateNode{ParentPath: ":a", Type: "CollisionShape2D", Name: "S", Properties: map[string]json.RawMessage{
				"shape": json.RawMessage(`{"new":"RectangleShape2D","properties":{"size":{"type":"Vector2","x":9,"y":9}}}`)}}),
			connect(":a", "body_entered", ".", "queue_redraw"), move("A/B", ":a", 0), step(wire.CmdDeleteNode, wire.DeleteNode{NodePath: "A"}),
			step(wire.CmdRenameNode, wire.RenameNode{NodePath: ":a/B", NewName: "Renamed"}), group(":a/Renamed", "z"),
		}},
		verdictCase{name: "move between taken names", steps: []wire.StepParam{create("A", "Col"), move("A/Col", ".", 0)}},
		verdictCase{name: "clamped neighbour", steps: []wire.StepParam{
			step(wire.CmdCreateNode, wire.CreateNode{ParentPath: ".", Type: "HSlider", Name: "Slide", Properties: map[string]json.RawMessage{"value": json.RawMessage(`80`)}}),
			set("Slide", "max_value", `50`)}},
		verdictCase{name: "control layout", steps: []wire.StepParam{set("Lab", "anchors_preset", `15`), set("Lab", "position", `[10,20]`)}},
		verdictCase{name: "script off", steps: []wire.StepParam{set("Vars", "hp", `8`), attach("Vars", "")}},
		verdictCase{name: "placeholder script off", steps: []wire.StepParam{attach("A", "res://v/untool.gd"), set("A", "speed", `8`), attach("A", "res://v/all.gd"), set("A", "hp", `8`), attach("A", "res://v/untool.gd"), attach("A", "")}},
		verdictCase{name: "switch editable off", steps: []wire.StepParam{set("Edit/Sprite", "position", `[5,6]`), create("Edit/Inner", "In"), editable("Edit", false, true)}},
	)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.scene == "" {
				c.scene = "main.tscn"
			}
			fixture(t, c.scene)
			quiet(t)
			if c.setup != "" {
				eval(t, c.setup)
			}
			save(t)
			save(t)
			before, live := read(t, "v/"+c.scene), snapshot(t)
			transact(t, "case", c.steps...)
			save(t)
			after := read(t, "v/"+c.scene)
			u := undo(t, 1)
			assert.Equal(t, wire.HistoryMoveResult{Done: 1, Requested: 1, LastAction: "MCP: case", Available: true}, u)
			assert.Equal(t, stripHistory(live), stripHistory(snapshot(t)))
			save(t)
			assert.Equal(t, before, read(t, "v/"+c.scene))
			redo(t, 1)
			save(t)
			assert.Equal(t, after, read(t, "v/"+c.scene))
			undo(t, 1)
			save(t)
			assert.Equal(t, before, read(t, "v/"+c.scene))
		})
	}
}

// stripHistory keeps the tree of a snapshot.
func stripHistory(s string) string {
	_, tree, _ := strings.Cut(s, "\n")
	return tree
}

func modified(t *testing.T) bool {
	t.Helper()
	return ask[wire.GetActiveSceneResult](t, wire.CmdGetActiveScene, nil).Modified
}

// The marks of unsaved edits follow the edits in the same frame and later.
func TestSaveMarks(t *testing.T) {
	fixture(t, "main.tscn")
	assert.False(t, modified(t))
	transact(t, "one", set("A", "rotation", `1.5`))
	assert.True(t, modified(t))
	save(t)
	assert.False(t, modified(t))
	undo(t, 1)
	assert.True(t, modified(t))
	redo(t, 1)
	assert.False(t, modified(t))
	// Save, undo, new action: the version is that of the saved state again.
	undo(t, 1)
	transact(t, "two", set("A", "rotation", `2.5`))
	assert.True(t, modified(t))
	open := ask[wire.ListOpenScenesResult](t, wire.CmdListOpenScenes, nil)
	assert.Equal(t, []wire.OpenScene{{Path: "res://v/main.tscn", Name: "Main", Active: true, Modified: true}}, open.Scenes)
	// In one frame.
	r := ask[wire.RunCommandsResult](t, wire.CmdRunCommands, wire.RunCommands{Commands: []wire.StepParam{
		step(wire.CmdSaveScene, wire.SaveScene{}), step(wire.CmdGetActiveScene, nil), set("A", "rotation", `3`), step(wire.CmdGetActiveScene, nil),
	}})
	var flags []bool
	for _, i := range []int{1, 3} {
		var a wire.GetActiveSceneResult
		require.NoError(t, json.Unmarshal(r.Results[i].Result, &a))
		flags = append(flags, a.Modified)
	}
	assert.Equal(t, []bool{false, true}, flags)
}

// A person's action is not undone.
func TestUndoStopsAtAPersonsEdit(t *testing.T) {
	fixture(t, "main.tscn")
	transact(t, "one", set("A", "rotation", `1`))
	quiet(t)
	eval(t, "var ur = EditorInterface.get_editor_undo_redo()\nur.create_action('Rotate by hand', 0, root)\nur.add_do_property(root, 'rotation', 1.0)\nur.add_undo_property(root, 'rotation', 0.0)\nur.commit_action()")
	transact(t, "two", set("A", "rotation", `2`))
	transact(t, "three", set("A", "rotation", `3`))

	dry := ask[wire.HistoryMoveResult](t, wire.CmdUndo, wire.Undo{Count: 5, DryRun: true})
	got := undo(t, 5)
	assert.Equal(t, wire.HistoryMoveResult{Done: 2, Requested: 5, LastAction: "MCP: two", Available: true, Next: "Rotate by hand", StoppedBy: wire.ReasonHumanEdit}, got)
	assert.Equal(t, got, dry)
	h := ask[wire.ListHistoryResult](t, wire.CmdListHistory, nil)
	assert.Equal(t, "Rotate by hand", h.CurrentAction)
	assert.Equal(t, []wire.HistoryEntry{{Name: "MCP: one", Ours: true}, {Name: "Rotate by hand"}}, h.Recent[len(h.Recent)-2:])
	assert.True(t, h.HasUndo)
	assert.True(t, h.HasRedo)
	none := redo(t, 9)
	assert.Equal(t, 2, none.Done)
	assert.False(t, ask[wire.HistoryMoveResult](t, wire.CmdRedo, wire.Redo{Count: 1}).Available)
	refuse(t, wire.ReasonBadParams, wire.CmdUndo, wire.Undo{Count: 0})
}

// Scene edits and file edits are undone in the order in which they were made.
func TestUndoCrossesHistories(t *testing.T) {
	fixture(t, "main.tscn")
	transact(t, "scene one", set("A", "rotation", `1`))
	ask[wire.WriteFileResult](t, wire.CmdWriteFile, wire.WriteFile{Path: "res://note_a.gd", Content: "extends Node\n"})
	transact(t, "scene two", set("A", "rotation", `2`))
	ask[wire.WriteFileResult](t, wire.CmdWriteFile, wire.WriteFile{Path: "res://note_a.gd", Content: "extends Node2D\n"})
	assert.Equal(t, "MCP: Write res://note_a.gd", undo(t, 1).LastAction)
	assert.Equal(t, "extends Node\n", read(t, "note_a.gd"))
	assert.Equal(t, "MCP: scene two", undo(t, 1).LastAction)
	got := undo(t, 2)
	assert.Equal(t, "MCP: scene one", got.LastAction)
	assert.NoFileExists(t, shared.project+"/note_a.gd")
	assert.NoFileExists(t, shared.project+"/note_a.gd.uid")
	got = redo(t, 9)
	assert.Equal(t, 4, got.Done)
	assert.Equal(t, "extends Node2D\n", read(t, "note_a.gd"))
	undo(t, 4)
}
