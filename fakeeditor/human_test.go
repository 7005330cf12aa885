package fakeeditor_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/fakeeditor"
	"godot-mcp/fakeeditor/world"
	"godot-mcp/server/wire"
)

var scenes = map[string]string{
	"project.godot": "config_version=5\n\n[application]\n\nconfig/name=\"Scenes\"\nrun/main_scene=\"res://main.tscn\"\n",
	"main.tscn": `[gd_scene format=3 uid="uid://cecaux1sm7mo0"]

[node name="Main" type="Node2D" unique_id=11]

[node name="A" type="Node2D" parent="." unique_id=12]

[node name="B" type="Sprite2D" parent="A" unique_id=13]
`,
	"other.tscn": "[gd_scene format=3]\n\n[node name=\"Other\" type=\"Node\"]\n",
}

func sceneEditor(t testing.TB) *fakeeditor.Editor {
	e, err := fakeeditor.New(fakeeditor.Config{Project: scenes, Seed: 1})
	require.NoError(t, err)
	return e
}

func TestMainSceneOpensByItself(t *testing.T) {
	r := do[wire.GetActiveSceneResult](t, sceneEditor(t), wire.CmdGetActiveScene, nil)
	assert.Equal(t, "res://main.tscn", r.Path)
	assert.Equal(t, 3, r.NodeCount)
	assert.False(t, r.Modified)
}

func names(t *testing.T, e *fakeeditor.Editor) []string {
	var out []string
	for _, n := range do[wire.GetSceneTreeResult](t, e, wire.CmdGetSceneTree, wire.GetSceneTree{NodePath: ".", MaxDepth: -1, Limit: 100}).Nodes {
		out = append(out, n.Path)
	}
	return out
}

// What a person does is in the history as theirs, and the journal names them.
func TestHumanEdits(t *testing.T) {
	e := sceneEditor(t)
	h := e.Human()
	for _, line := range []string{
		"set A position Vector2(3,4)", "add . Node2D C", "rename C D", "move A/B D", "select A D", "delete A", "save",
	} {
		require.NoError(t, h.Run(strings.Fields(line)), line)
	}
	assert.Equal(t, []string{".", "D", "D/B"}, names(t, e))
	text, _ := e.DiskRead("main.tscn")
	assert.Contains(t, text, `[node name="B" type="Sprite2D" parent="D"`)
	for _, f := range e.Journal() {
		assert.Equal(t, world.CauseHuman, f.Cause)
	}
	history := do[wire.ListHistoryResult](t, e, wire.CmdListHistory, nil)
	assert.Equal(t, 5, history.Depth)
	assert.False(t, slices.ContainsFunc(history.Recent, func(x wire.HistoryEntry) bool { return x.Ours }))

	r := do[wire.HistoryMoveResult](t, e, wire.CmdUndo, wire.Undo{Count: 1})
	assert.Zero(t, r.Done)
	assert.Equal(t, wire.ReasonHumanEdit, r.StoppedBy)
	require.NoError(t, h.Undo())
	assert.Equal(t, []string{".", "A", "D", "D/B"}, names(t, e))
	require.NoError(t, h.Redo())
	assert.Error(t, h.Redo(), "nothing to repeat")
}

func TestHumanDirectChangeIsNoAction(t *testing.T) {
	e := sceneEditor(t)
	require.NoError(t, e.Human().Run([]string{"direct", "A", "position", "Vector2(7, 8)"}))
	assert.False(t, do[wire.GetActiveSceneResult](t, e, wire.CmdGetActiveScene, nil).Modified)
	assert.Zero(t, do[wire.ListHistoryResult](t, e, wire.CmdListHistory, nil).Depth)
	p := do[wire.GetNodePropertyResult](t, e, wire.CmdGetNodeProperty, wire.GetNodeProperty{NodePath: "A", Property: "position"})
	assert.JSONEq(t, `{"x":7,"y":8}`, string(p.Value))
}

func TestHumanTabsAndFiles(t *testing.T) {
	e := sceneEditor(t)
	h := e.Human()
	require.NoError(t, h.Tab("res://other.tscn"))
	assert.Equal(t, "res://other.tscn", do[wire.GetActiveSceneResult](t, e, wire.CmdGetActiveScene, nil).Path)
	require.NoError(t, h.Close("res://other.tscn"))
	require.NoError(t, h.EditFile("res://x.gd", "class_name X extends Node\n"))
	_, known := e.State().Files.Class("X")
	assert.False(t, known)
	require.NoError(t, h.SaveFile("res://y.gd", "class_name Y extends Node\n"))
	_, known = e.State().Files.Class("Y")
	assert.True(t, known)
}

func TestHumanWordsSayWhatTheyWant(t *testing.T) {
	h := sceneEditor(t).Human()
	for line, part := range map[string]string{
		"": "a person does one of add", "dance": "unknown \"dance\"", "set A": "set wants: set NODE PROPERTY VALUE",
		"set A position Vector2(": "not a value in Godot's text form", "move A . x": "not an index", "delete None": "node_not_found",
	} {
		assert.ErrorContains(t, h.Run(strings.Fields(line)), part, line)
	}
}

// A crash loses what was not saved, and keeps the disk.
func TestCrashLosesUnsaved(t *testing.T) {
	e := sceneEditor(t)
	require.NoError(t, e.Human().Rename("A", "Saved"))
	require.NoError(t, e.Human().Save())
	require.NoError(t, e.Human().Rename("Saved", "Unsaved"))
	session := e.Hello().Session
	e.Crash(time.Second)
	assert.Equal(t, []string{".", "Saved", "Saved/B"}, names(t, e))
	assert.NotEqual(t, session, e.Hello().Session)
	assert.Zero(t, do[wire.ListHistoryResult](t, e, wire.CmdListHistory, nil).Depth)
}

// In-process throughput: the median over a mix of what agents send.
func BenchmarkCommands(b *testing.B) {
	e := sceneEditor(b)
	mix := []struct{ command, params string }{
		{wire.CmdGetSceneTree, `{"node_path":".","max_depth":-1,"offset":0,"limit":100}`},
		{wire.CmdGetNodeProperty, `{"node_path":"A","property":"position"}`},
		{wire.CmdTransaction, `{"name":"n","steps":[{"command":"cmd_set_node_property","params":{"node_path":"A","property":"position","value":{"x":1,"y":2}}}]}`},
		{wire.CmdTransaction, `{"name":"n","steps":[{"command":"cmd_set_node_property","params":{"node_path":"A","property":"position","value":{"x":3,"y":2}}}]}`},
		{wire.CmdGetNode, `{"node_path":"A/B"}`},
		{wire.CmdGetActiveScene, ``},
		{wire.CmdReadFile, `{"path":"res://main.tscn"}`},
	}
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		m := mix[i%len(mix)]
		start := time.Now()
		if _, err := e.Do(m.command, m.params); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "p50-ns")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
}

// B106: nothing is loaded while its import waits.
func TestResourceBeforeItsImport(t *testing.T) {
	e := sceneEditor(t)
	set := wire.Transaction{Name: "n", Steps: []wire.StepParam{{
		Command: wire.CmdSetNodeProperty, Params: []byte(`{"node_path":"A/B","property":"texture","value":{"resource":"res://p.svg"}}`),
	}}}
	require.NoError(t, e.DiskWrite("p.svg", square("")))
	failed := refused(t, e, wire.ReasonNotImported, wire.CmdTransaction, set)
	assert.Equal(t, wire.PreconditionFailed, failed.Code)
	do[wire.ScanState](t, e, wire.CmdRescanFilesystem, nil)
	for len(do[wire.ScanState](t, e, wire.CmdGetScanState, nil).Importing) == 0 {
		e.Advance(time.Millisecond)
	}
	refused(t, e, wire.ReasonImporting, wire.CmdTransaction, set)
	e.Settle()
	r := do[wire.TransactionResult](t, e, wire.CmdTransaction, set)
	assert.True(t, r.Committed)
}
