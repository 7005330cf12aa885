package world

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/server/wire"
)

// fails runs a command that must be refused and gives the error.
func fails(t *testing.T, s State, command string, params any) *wire.Error {
	t.Helper()
	next, out := Step(s, Input{Cause: "1", Command: command, Params: raw(params)})
	require.NotNil(t, out.Err, "%s", out.Result)
	require.Equal(t, look(s), look(next))
	return out.Err
}

func TestOpenRefusesWhatItCannotRead(t *testing.T) {
	content := map[string]string{
		"project.godot": "config_version=5\n",
		"bad.tscn":      "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"\n",
		"dep.tscn":      "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://no.gd\" id=\"1\"]\n\n[node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1\")\n",
		"bin.scn":       "RSRC",
		"res.tscn":      "[gd_resource type=\"Resource\" format=3]\n\n[resource]\n",
		"loop.tscn":     "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://loop.tscn\" id=\"1\"]\n\n[node name=\"A\" type=\"Node\"]\n\n[node name=\"B\" parent=\".\" instance=ExtResource(\"1\")]\n",
		"ref.tscn":      "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"7\")\n",
	}
	s, err := Open(files.NewTree(content), Project{}, files.DefaultDelays(), 1)
	require.NoError(t, err)
	for path, want := range map[string]wire.Reason{
		"res://bad.tscn": wire.ReasonCorrupt, "res://dep.tscn": wire.ReasonMissingDep, "res://bin.scn": wire.ReasonBinary,
		"res://res.tscn": wire.ReasonNotAScene, "res://loop.tscn": wire.ReasonCorrupt, "res://ref.tscn": wire.ReasonCorrupt,
		"res://no.tscn": wire.ReasonFileNotFound, "res://x.gd": wire.ReasonNotAScene, "res://../x.tscn": wire.ReasonBadPath, "": wire.ReasonBadPath,
	} {
		require.Equal(t, want, fails(t, s, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: path}).Reason, path)
	}
}

func TestTabs(t *testing.T) {
	s := start(t)
	for _, p := range []string{"res://main.tscn", "res://base.tscn", "res://inh.tscn"} {
		do[wire.OpenSceneFileResult](t, &s, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: p})
	}
	require.True(t, do[wire.OpenSceneFileResult](t, &s, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: "res://base.tscn"}).AlreadyOpen)
	r := do[wire.CloseSceneResult](t, &s, wire.CmdCloseScene, wire.CloseScene{})
	require.Equal(t, "res://main.tscn", r.ActiveAfter)
	r = do[wire.CloseSceneResult](t, &s, wire.CmdCloseScene, wire.CloseScene{ScenePath: "res://inh.tscn"})
	require.Equal(t, "res://main.tscn", r.ActiveAfter)
	require.Equal(t, wire.ReasonSceneNotOpen, fails(t, s, wire.CmdCloseScene, wire.CloseScene{ScenePath: "res://inh.tscn"}).Reason)
	require.Equal(t, wire.ReasonSceneNotOpen, fails(t, s, wire.CmdReloadScene, wire.ReloadScene{ScenePath: "res://inh.tscn"}).Reason)
	do[wire.CloseSceneResult](t, &s, wire.CmdCloseScene, wire.CloseScene{})
	require.False(t, do[wire.GetActiveSceneResult](t, &s, wire.CmdGetActiveScene, wire.GetActiveScene{}).IsOpen)
	require.Equal(t, wire.ReasonNoScene, fails(t, s, wire.CmdSaveScene, wire.SaveScene{}).Reason)
	require.Equal(t, wire.ReasonNoScene, fails(t, s, wire.CmdCreateNode, wire.CreateNode{ParentPath: ".", Type: "Node"}).Reason)
}

// A scene shows what another tab saved, once it is looked at again (engine 4.6
// experiment): its own edits stay, its history is gone. It counts as modified by the
// addon's mark; the engine alone would take it for saved.
func TestInstancesFollowTheirFile(t *testing.T) {
	s := opened(t, "res://main.tscn")
	do[wire.SetNodePropertyResult](t, &s, wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: "A", Property: "position", Value: raw([]int{9, 9})})
	do[wire.OpenSceneFileResult](t, &s, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: "res://base.tscn"})
	do[wire.SetNodePropertyResult](t, &s, wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: "Sprite", Property: "position", Value: raw([]int{7, 7})})
	do[wire.SaveSceneResult](t, &s, wire.CmdSaveScene, wire.SaveScene{})
	do[wire.OpenSceneFileResult](t, &s, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: "res://main.tscn"})
	at := func(node string) string {
		return string(do[wire.GetNodePropertyResult](t, &s, wire.CmdGetNodeProperty, wire.GetNodeProperty{NodePath: node, Property: "position"}).Value)
	}
	require.JSONEq(t, `{"x":7,"y":7}`, at("Inst/Sprite"))
	require.JSONEq(t, `{"x":9,"y":9}`, at("A"))
	h := do[wire.ListHistoryResult](t, &s, wire.CmdListHistory, wire.ListHistory{})
	require.False(t, h.HasUndo)
	require.Equal(t, 2, h.Version)
	require.True(t, do[wire.GetActiveSceneResult](t, &s, wire.CmdGetActiveScene, wire.GetActiveScene{}).Modified)
}

func TestReloadDropsEdits(t *testing.T) {
	s := opened(t, "res://main.tscn")
	do[wire.SetNodePropertyResult](t, &s, wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: "Col", Property: "shape:size", Value: raw([]int{1, 1})})
	r := do[wire.ReloadSceneResult](t, &s, wire.CmdReloadScene, wire.ReloadScene{ScenePath: "res://main.tscn"})
	require.True(t, r.HadUnsaved)
	v := do[wire.GetNodePropertyResult](t, &s, wire.CmdGetNodeProperty, wire.GetNodeProperty{NodePath: "Col", Property: "shape:size"})
	require.JSONEq(t, `{"x":4,"y":4}`, string(v.Value))
}

func TestCreateScene(t *testing.T) {
	s := start(t)
	r := do[wire.CreateSceneResult](t, &s, wire.CmdCreateScene, wire.CreateScene{ScenePath: "res://my_level-2.tscn", RootType: "Control"})
	require.Equal(t, "MyLevel2", r.RootName)
	require.Contains(t, text(t, s, "res://my_level-2.tscn"), "layout_mode = 3\nanchors_preset = 0\n")
	require.Equal(t, "res://my_level-2.tscn", do[wire.GetActiveSceneResult](t, &s, wire.CmdGetActiveScene, wire.GetActiveScene{}).Path)
	for params, want := range map[wire.CreateScene]wire.Reason{
		{ScenePath: "res://main.tscn", RootType: "Node"}:       wire.ReasonFileExists,
		{ScenePath: "res://no/main.tscn", RootType: "Node"}:    wire.ReasonFolderMissing,
		{ScenePath: "res://a.tres", RootType: "Node"}:          wire.ReasonBadExtension,
		{ScenePath: "res://a.tscn", RootType: "Nod"}:           wire.ReasonUnknownClass,
		{ScenePath: "res://a.tscn", RootType: "Resource"}:      wire.ReasonNotNodeClass,
		{ScenePath: "res://a.tscn", RootType: "CanvasItem"}:    wire.ReasonAbstractClass,
		{ScenePath: "user://a.tscn", RootType: "CanvasItem"}:   wire.ReasonBadPath,
		{ScenePath: "res://../a.tscn", RootType: "CanvasItem"}: wire.ReasonBadPath,
	} {
		require.Equal(t, want, fails(t, s, wire.CmdCreateScene, params).Reason, params)
	}
}

func TestExtractScene(t *testing.T) {
	s := opened(t, "res://main.tscn")
	do[wire.ConnectionResult](t, &s, wire.CmdConnectSignal, wire.ConnectSignal{SourcePath: "A/B", Signal: "draw", TargetPath: "A", Method: "queue_redraw"})
	r := do[wire.ExtractSceneResult](t, &s, wire.CmdExtractScene, wire.ExtractScene{NodePath: "A", ScenePath: "res://a.tscn", ReplaceWithInstance: true})
	require.Equal(t, 2, r.NodeCount)
	require.True(t, r.Persisted)
	made := text(t, s, "res://a.tscn")
	require.Contains(t, made, `[node name="A" type="Node2D"`)
	require.Contains(t, made, `[node name="B" type="Node2D" parent="."`)
	require.Contains(t, made, `[connection signal="draw" from="B" to="." method="queue_redraw"]`)
	_, saved := Look(s)
	require.Contains(t, saved, `[node name="A" parent="." unique_id=`)
	require.NotContains(t, saved, `name="B"`)
	back := s
	do[wire.HistoryMoveResult](t, &back, wire.CmdUndo, wire.Undo{Count: 1})
	_, saved = Look(back)
	require.Contains(t, saved, `[node name="B" type="Node2D" parent="A"`)
	require.Equal(t, wire.ReasonMixedOwner, fails(t, s, wire.CmdExtractScene, wire.ExtractScene{NodePath: "Inst/Sprite", ScenePath: "res://b.tscn"}).Reason)
	require.Equal(t, wire.ReasonIsRoot, fails(t, s, wire.CmdExtractScene, wire.ExtractScene{NodePath: ".", ScenePath: "res://b.tscn"}).Reason)
}

func TestCrossSceneSetProperty(t *testing.T) {
	s := opened(t, "res://main.tscn")
	r := do[wire.CrossSceneSetPropertyResult](t, &s, wire.CmdCrossSceneSetProperty, wire.CrossSceneSetProperty{
		Scenes: []string{"res://base.tscn", "res://main.tscn", "res://no.tscn", "res://inh.tscn"}, NodeType: "Sprite2D", Property: "flip_h", Value: raw(true),
	})
	require.Equal(t, 1, r.Results[0].Modified)
	require.Equal(t, []string{"Sprite"}, r.Results[0].Nodes)
	require.Equal(t, wire.Conflict, r.Results[1].Code)
	require.Equal(t, wire.ReasonFileNotFound, r.Results[2].Reason)
	require.Zero(t, r.Results[3].Modified, "what the base scene supplies is not the scene's own")
	require.Contains(t, text(t, s, "res://base.tscn"), "flip_h = true")
}

func TestHistoryLeavesPeopleTheirEdits(t *testing.T) {
	s := opened(t, "res://main.tscn")
	create := func(cause, name string) {
		next, out := Step(s, Input{Cause: cause, Command: wire.CmdCreateNode, Params: raw(wire.CreateNode{ParentPath: ".", Type: "Node", Name: name})})
		require.Nil(t, out.Err)
		s = next
	}
	create("1", "Ours")
	create(CauseHuman, "Theirs")
	create("2", "Ours2")
	r := do[wire.HistoryMoveResult](t, &s, wire.CmdUndo, wire.Undo{Count: 5})
	require.Equal(t, 1, r.Done)
	require.Equal(t, wire.ReasonHumanEdit, r.StoppedBy)
	h := do[wire.ListHistoryResult](t, &s, wire.CmdListHistory, wire.ListHistory{})
	require.Equal(t, []bool{true, false}, []bool{h.Recent[0].Ours, h.Recent[1].Ours})
	s, _ = Step(s, Input{Cause: CauseHuman, Command: wire.CmdUndo, Params: raw(wire.Undo{Count: 1})})
	require.Equal(t, 1, do[wire.HistoryMoveResult](t, &s, wire.CmdUndo, wire.Undo{Count: 5}).Done)
	require.False(t, do[wire.GetActiveSceneResult](t, &s, wire.CmdGetActiveScene, wire.GetActiveScene{}).Modified)
}

// A file write is an action of the global history; the newer of both histories is
// undone first.
func TestFileAndSceneActionsAreUndoneInOrder(t *testing.T) {
	s := opened(t, "res://main.tscn")
	do[wire.NewNodeResult](t, &s, wire.CmdCreateNode, wire.CreateNode{ParentPath: ".", Type: "Node", Name: "First"})
	do[wire.WriteFileResult](t, &s, wire.CmdWriteFile, wire.WriteFile{Path: "res://new.gd", Content: "extends Node\n"})
	do[wire.HistoryMoveResult](t, &s, wire.CmdUndo, wire.Undo{Count: 1})
	require.False(t, s.Files.Exists("res://new.gd"))
	require.Equal(t, 1, do[wire.HistoryMoveResult](t, &s, wire.CmdUndo, wire.Undo{Count: 1}).Done)
	require.Equal(t, 2, do[wire.HistoryMoveResult](t, &s, wire.CmdRedo, wire.Redo{Count: 2}).Done)
	require.True(t, s.Files.Exists("res://new.gd"))
}

func TestRunCommands(t *testing.T) {
	s := opened(t, "res://main.tscn")
	commands := []wire.StepParam{
		{Command: wire.CmdCreateNode, Params: raw(wire.CreateNode{ParentPath: ".", Type: "Node", Name: "N"})},
		{Command: wire.CmdRenameNode, Params: raw(wire.RenameNode{NodePath: "Nope", NewName: "X"})},
		{Command: wire.CmdRenameNode, Params: raw(wire.RenameNode{NodePath: "N", NewName: "M"})},
		{Command: wire.CmdSaveScene},
	}
	dry := do[wire.RunCommandsResult](t, &s, wire.CmdRunCommands, wire.RunCommands{Commands: commands, DryRun: true})
	require.Len(t, dry.Results, 4)
	require.True(t, dry.Results[2].OK, "a preview goes on from what the entries before left")
	require.Zero(t, s.Stamp)
	r := do[wire.RunCommandsResult](t, &s, wire.CmdRunCommands, wire.RunCommands{Commands: commands})
	require.Equal(t, []bool{true, false, true, true}, []bool{r.Results[0].OK, r.Results[1].OK, r.Results[2].OK, r.Results[3].OK})
	require.Equal(t, 2, s.Stamp, "each edit is an action of its own")
	require.Contains(t, text(t, s, "res://main.tscn"), `name="M"`)
	r = do[wire.RunCommandsResult](t, &s, wire.CmdRunCommands, wire.RunCommands{Commands: commands[1:], StopOnError: true})
	require.Len(t, r.Results, 1)
}

func TestTransactionNamesTheStepThatFails(t *testing.T) {
	s := opened(t, "res://main.tscn")
	err := fails(t, s, wire.CmdTransaction, wire.Transaction{Name: "T", Steps: []wire.StepParam{
		{Command: wire.CmdCreateNode, Params: raw(wire.CreateNode{ParentPath: ".", Type: "Node2D", Name: "N", As: "n"})},
		{Command: wire.CmdSetNodeProperty, Params: raw(wire.SetNodeProperty{NodePath: ":n", Property: "positoin", Value: raw(1)})},
	}})
	require.Equal(t, 1, *err.Step)
	require.Equal(t, wire.ReasonNoProperty, err.Reason)
	require.Contains(t, err.Details["near"], "position")
	err = fails(t, s, wire.CmdTransaction, wire.Transaction{Steps: []wire.StepParam{{Command: wire.CmdPing}}})
	require.Equal(t, wire.ReasonNotAStep, err.Reason)
	require.Equal(t, wire.ReasonEmptyBatch, fails(t, s, wire.CmdTransaction, wire.Transaction{}).Reason)
	require.Equal(t, wire.ReasonUnknownRef, fails(t, s, wire.CmdDeleteNode, wire.DeleteNode{NodePath: ":n"}).Reason)
}

func TestPathsStayInTheScene(t *testing.T) {
	s := opened(t, "res://main.tscn")
	for path, want := range map[string]wire.Reason{
		"": wire.ReasonNodePath, "/root": wire.ReasonNodePath, "..": wire.ReasonNodePath, "A/../..": wire.ReasonNodePath,
		"A:position": wire.ReasonNodePath, "Nope": wire.ReasonNodeNotFound, "%B": wire.ReasonNodeNotFound, "A/b": wire.ReasonNodeNotFound,
	} {
		require.Equal(t, want, fails(t, s, wire.CmdGetNode, wire.GetNode{NodePath: path}).Reason, path)
	}
	near := fails(t, s, wire.CmdGetNode, wire.GetNode{NodePath: "Ins/Sprite"}).Details["near"]
	require.Contains(t, near, "Inst/Sprite")
}

func TestJournalTellsWhoDidWhat(t *testing.T) {
	s := opened(t, "res://main.tscn")
	seen := s.Journal.Len()
	do[wire.SetNodePropertyResult](t, &s, wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: "A", Property: "rotation", Value: raw(1)})
	do[wire.SetNodePropertyResult](t, &s, wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: "A", Property: "rotation", Value: raw(1)})
	do[wire.SaveSceneResult](t, &s, wire.CmdSaveScene, wire.SaveScene{})
	effects := s.Journal.Since(seen)
	var kinds []string
	for _, e := range effects {
		kinds = append(kinds, string(e.Kind)+" "+e.Target)
	}
	require.Equal(t, "property_set A:rotation, file_written res://main.tscn", strings.Join(kinds, ", "))
	require.Equal(t, "1", effects[0].Cause)
}
