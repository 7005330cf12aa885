//go:build godot

package addon_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/wire"
)

func TestSceneSession(t *testing.T) {
	fixture(t, "main.tscn")
	c := ask[wire.CreateSceneResult](t, wire.CmdCreateScene, wire.CreateScene{ScenePath: "res://v/my_level-2d.tscn", RootType: "Control"})
	assert.Equal(t, wire.CreateSceneResult{ScenePath: "res://v/my_level-2d.tscn", RootType: "Control", RootName: "MyLevel2d", Created: true}, c)
	assert.Contains(t, read(t, "v/my_level-2d.tscn"), `[node name="MyLevel2d" type="Control"`)
	refuse(t, wire.ReasonFileExists, wire.CmdCreateScene, wire.CreateScene{ScenePath: "res://v/main.tscn", RootType: "Node"})
	refuse(t, wire.ReasonFolderMissing, wire.CmdCreateScene, wire.CreateScene{ScenePath: "res://nope/x.tscn", RootType: "Node"})
	refuse(t, wire.ReasonBadExtension, wire.CmdCreateScene, wire.CreateScene{ScenePath: "res://x.txt", RootType: "Node"})
	refuse(t, wire.ReasonScriptClass, wire.CmdCreateScene, wire.CreateScene{ScenePath: "res://x.tscn", RootType: "UntoolThing"})
	refuse(t, wire.ReasonBadPath, wire.CmdCreateScene, wire.CreateScene{ScenePath: "res://../x.tscn", RootType: "Node"})

	transact(t, "mark", create(".", "New"))
	open := ask[wire.ListOpenScenesResult](t, wire.CmdListOpenScenes, nil)
	assert.Equal(t, []wire.OpenScene{{Path: "res://v/main.tscn", Name: "Main"}, {Path: "res://v/my_level-2d.tscn", Name: "MyLevel2d", Active: true, Modified: true}}, open.Scenes)
	o := ask[wire.OpenSceneFileResult](t, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: "res://v/main.tscn"})
	assert.True(t, o.AlreadyOpen)
	refuse(t, wire.ReasonFileNotFound, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: "res://v/nope.tscn"})
	refuse(t, wire.ReasonNotAScene, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: "res://v/ls.tres"})
	put(t, "v/corrupt.tscn", "[gd_scene format=3]\n\n[node name=\"X\" type=\"Node2D\"\n\ngarbage")
	refuse(t, wire.ReasonCorrupt, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: "res://v/corrupt.tscn"})
	put(t, "v/missing.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://gone.gd\" id=\"1\"]\n\n[node name=\"X\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n")
	e := refuse(t, wire.ReasonMissingDep, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: "res://v/missing.tscn"})
	assert.Equal(t, []any{"res://gone.gd"}, e.Details["missing"])
	assert.Equal(t, "res://v/main.tscn", ask[wire.GetActiveSceneResult](t, wire.CmdGetActiveScene, nil).Path)

	all := ask[wire.SaveAllScenesResult](t, wire.CmdSaveAllScenes, nil)
	assert.Equal(t, wire.SaveAllScenesResult{Saved: []string{"res://v/my_level-2d.tscn"}, Skipped: []string{}}, all)
	assert.Contains(t, read(t, "v/my_level-2d.tscn"), `[node name="New"`)
	transact(t, "res", set("Lab", "label_settings:font_size", `31`))
	s := ask[wire.SaveSceneResult](t, wire.CmdSaveScene, wire.SaveScene{Path: "res://v/main.tscn"})
	assert.Equal(t, []string{"res://v/ls.tres"}, s.Also)
	assert.Len(t, s.SHA256, 64)
	e = refuse(t, wire.ReasonOtherScene, wire.CmdSaveScene, wire.SaveScene{Path: "res://v/base.tscn"})
	assert.Equal(t, map[string]any{"path": "res://v/base.tscn", "active": "res://v/main.tscn"}, e.Details)

	// Reload, also right after a change of tabs.
	transact(t, "drop me", create(".", "Dropped"))
	r := ask[wire.ReloadSceneResult](t, wire.CmdReloadScene, wire.ReloadScene{ScenePath: "res://v/main.tscn"})
	assert.True(t, r.HadUnsaved)
	assert.Equal(t, false, eval(t, "return root.has_node('Dropped')"))
	assert.False(t, ask[wire.ListHistoryResult](t, wire.CmdListHistory, nil).HasUndo)
	transact(t, "drop me", create(".", "Dropped"))
	ctx := deadline(t)
	one, err := shared.link.Send(ctx, "t1", []byte(`{"id":"t1","command":"cmd_open_scene","params":{"scene_path":"res://v/my_level-2d.tscn"}}`))
	require.NoError(t, err)
	two, err := shared.link.Send(ctx, "t2", []byte(`{"id":"t2","command":"cmd_reload_scene","params":{"scene_path":"res://v/main.tscn"}}`))
	require.NoError(t, err)
	require.True(t, (<-one).OK)
	require.True(t, (<-two).OK)
	ask[wire.OpenSceneFileResult](t, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: "res://v/main.tscn"})
	assert.Equal(t, false, eval(t, "return root.has_node('Dropped')"))
	refuse(t, wire.ReasonSceneNotOpen, wire.CmdReloadScene, wire.ReloadScene{ScenePath: "res://v/base.tscn"})

	cl := ask[wire.CloseSceneResult](t, wire.CmdCloseScene, wire.CloseScene{ScenePath: "res://v/my_level-2d.tscn", DryRun: true})
	assert.Equal(t, wire.CloseSceneResult{ScenePath: "res://v/my_level-2d.tscn", Closed: true, ActiveBefore: "res://v/main.tscn", ActiveAfter: "res://v/main.tscn"}, cl)
	assert.Equal(t, cl, ask[wire.CloseSceneResult](t, wire.CmdCloseScene, wire.CloseScene{ScenePath: "res://v/my_level-2d.tscn"}))
	refuse(t, wire.ReasonSceneNotOpen, wire.CmdCloseScene, wire.CloseScene{ScenePath: "res://v/base.tscn"})
	assert.Equal(t, wire.CloseSceneResult{ScenePath: "res://v/main.tscn", Closed: true, ActiveBefore: "res://v/main.tscn"}, ask[wire.CloseSceneResult](t, wire.CmdCloseScene, wire.CloseScene{}))
	refuse(t, wire.ReasonNoScene, wire.CmdCloseScene, wire.CloseScene{})
	refuse(t, wire.ReasonNoScene, wire.CmdSaveScene, wire.SaveScene{})
	scenes := ask[wire.ListScenesResult](t, wire.CmdListScenes, nil)
	assert.Contains(t, scenes.Scenes, wire.SceneFile{Path: "res://v/base.tscn"})
	assert.Equal(t, float64(0), eval(t, "return plugin.get_tree().root.find_children('*', 'AcceptDialog', true, false).filter(func(d): return d.visible).size()"))
	eval(t, "for f in ['my_level-2d', 'corrupt', 'missing']:\n\tDirAccess.remove_absolute('res://v/%s.tscn' % f)\n\tEditorInterface.get_resource_filesystem().update_file('res://v/%s.tscn' % f)")
}

func TestMissingNodesAndUnsavedScenes(t *testing.T) {
	open(t, "v/unknown.tscn", "[gd_scene format=3]\n\n[node name=\"X\" type=\"Node2D\"]\n\n[node name=\"Odd\" type=\"NoSuchClass\" parent=\".\"]\nspeed = 3\n")
	o := ask[wire.OpenSceneFileResult](t, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: "res://v/unknown.tscn"})
	assert.Equal(t, []string{"Odd"}, o.Missing)
	n := ask[wire.GetNodeResult](t, wire.CmdGetNode, wire.GetNode{NodePath: "Odd"})
	assert.True(t, n.Missing)
	assert.Equal(t, "NoSuchClass", n.Type)
	e := refuse(t, wire.ReasonMissingNodes, wire.CmdSaveScene, wire.SaveScene{})
	assert.Equal(t, []any{"Odd"}, e.Details["missing"])
	assert.True(t, ask[wire.SaveSceneResult](t, wire.CmdSaveScene, wire.SaveScene{Force: true}).Saved)
	assert.Contains(t, read(t, "v/unknown.tscn"), `type="NoSuchClass"`)

	// A scene that was never saved.
	eval(t, "EditorInterface.open_scene_from_path('res://v/base.tscn', true)\nawait plugin.get_tree().process_frame")
	a := ask[wire.GetActiveSceneResult](t, wire.CmdGetActiveScene, nil)
	assert.Empty(t, a.Path)
	refuse(t, wire.ReasonFromBase, wire.CmdDeleteNode, wire.DeleteNode{NodePath: "Sprite"})
	refuse(t, wire.ReasonSceneHasNoPath, wire.CmdSaveScene, wire.SaveScene{})
	refuse(t, wire.ReasonFileExists, wire.CmdSaveScene, wire.SaveScene{Path: "res://v/base.tscn"})
	s := ask[wire.SaveSceneResult](t, wire.CmdSaveScene, wire.SaveScene{Path: "res://v/heir.tscn"})
	assert.True(t, s.Changed)
	assert.Equal(t, "res://v/heir.tscn", ask[wire.GetActiveSceneResult](t, wire.CmdGetActiveScene, nil).Path)
	eval(t, "DirAccess.remove_absolute('res://v/heir.tscn')\nDirAccess.remove_absolute('res://v/unknown.tscn')")
}

func TestExtractScene(t *testing.T) {
	fixture(t, "main.tscn")
	transact(t, "prepare", connect("Lab", "draw", "A", "queue_redraw"), connect("A", "draw", "A/B", "queue_redraw"), set("A", "position", `[4,5]`))
	save(t)
	before := read(t, "v/main.tscn")
	p := wire.ExtractScene{NodePath: "A", ScenePath: "res://v/part.tscn", ReplaceWithInstance: true, DryRun: true}
	dry := ask[wire.ExtractSceneResult](t, wire.CmdExtractScene, p)
	assert.NoFileExists(t, shared.project+"/v/part.tscn")
	p.DryRun = false
	r := ask[wire.ExtractSceneResult](t, wire.CmdExtractScene, p)
	assert.Equal(t, wire.ExtractSceneResult{NodePath: "A", ScenePath: "res://v/part.tscn", Extracted: true, Replaced: true, NodeCount: 2, InstancePath: "A", Verdict: wire.Verdict{Persisted: true}}, r)
	assert.Equal(t, r, dry)
	part := read(t, "v/part.tscn")
	assert.Contains(t, part, `[node name="B" type="Node2D" parent="."`)
	assert.Contains(t, part, `position = Vector2(4, 5)`)
	assert.Contains(t, part, `[connection signal="draw" from="." to="B" method="queue_redraw"]`)
	save(t)
	text := read(t, "v/main.tscn")
	assert.Regexp(t, `\[node name="A" parent="\." unique_id=\d+ instance=ExtResource`, text)
	assert.Contains(t, text, `[connection signal="draw" from="Lab" to="A" method="queue_redraw"]`)
	assert.Contains(t, text, `[connection signal="visibility_changed" from="A" to="Lab" method="queue_redraw"]`)
	undo(t, 1)
	save(t)
	assert.Equal(t, before, read(t, "v/main.tscn"))
	refuse(t, wire.ReasonFileExists, wire.CmdExtractScene, p)
	p.ScenePath = "res://v/part2.tscn"
	p.NodePath = "."
	refuse(t, wire.ReasonIsRoot, wire.CmdExtractScene, p)
	p.NodePath = "Edit/Inner"
	refuse(t, wire.ReasonMixedOwner, wire.CmdExtractScene, p)
	// An instance becomes a scene that inherits the instanced one.
	p.NodePath, p.ReplaceWithInstance = "Edit", false
	ask[wire.ExtractSceneResult](t, wire.CmdExtractScene, p)
	assert.Regexp(t, `\[node name="Edit" unique_id=\d+ instance=ExtResource`, read(t, "v/part2.tscn"))
	eval(t, "DirAccess.remove_absolute('res://v/part.tscn')\nDirAccess.remove_absolute('res://v/part2.tscn')")
}

func TestCrossScene(t *testing.T) {
	fixture(t, "main.tscn")
	put(t, "v/closed.tscn", strings.ReplaceAll(strings.ReplaceAll(mainScene, "Main", "Closed"), `[gd_scene format=3]`, `[gd_scene format=3 uid="uid://clsd1"]`))
	p := wire.CrossSceneSetProperty{Scenes: []string{"res://v/closed.tscn", "res://v/main.tscn", "res://v/nope.tscn"}, NodeType: "Node2D", Property: "z_index", Value: raw(`4`), DryRun: true}
	before := read(t, "v/closed.tscn")
	dry := ask[wire.CrossSceneSetPropertyResult](t, wire.CmdCrossSceneSetProperty, p)
	assert.Equal(t, before, read(t, "v/closed.tscn"))
	p.DryRun = false
	r := ask[wire.CrossSceneSetPropertyResult](t, wire.CmdCrossSceneSetProperty, p)
	assert.Equal(t, dry, r)
	require.Len(t, r.Results, 3)
	assert.Equal(t, []string{".", "A", "A/B", "Col", "Col2", "Inst", "Edit", "Vars"}, r.Results[0].Nodes)
	assert.Equal(t, wire.ReasonOtherScene, r.Results[1].Reason)
	assert.Equal(t, wire.ReasonFileNotFound, r.Results[2].Reason)
	text := read(t, "v/closed.tscn")
	assert.Equal(t, 8, strings.Count(text, "z_index = 4"))
	assert.Contains(t, text, `instance=ExtResource("1_base")`)
	assert.Contains(t, text, `[editable path="Edit"]`)
	refuse(t, wire.ReasonEmptyBatch, wire.CmdCrossSceneSetProperty, wire.CrossSceneSetProperty{NodeType: "Node", Property: "x", Value: raw(`1`)})
	eval(t, "DirAccess.remove_absolute('res://v/closed.tscn')")
}

// A scene that was never saved is made anew like others when what it instances has
// changed, and its edits are in no file either.
func TestNamelessSceneMadeAnewStaysUnsaved(t *testing.T) {
	closeAll(t)
	put(t, "v/inner.tscn", "[gd_scene format=3]\n\n[node name=\"Inner\" type=\"Node2D\"]\n")
	before := eval(t, "var made = Node2D.new()\nmade.name = 'Nameless'\nEditorInterface.add_root_node(made)\nawait plugin.get_tree().create_timer(1.1).timeout\nreturn str(EditorInterface.get_edited_scene_root().get_instance_id())")
	ask[wire.NewNodeResult](t, wire.CmdInstanceScene, wire.InstanceScene{ParentPath: ".", ScenePath: "res://v/inner.tscn", Name: "In"})
	ask[wire.OpenSceneFileResult](t, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: "res://v/inner.tscn"})
	transact(t, "turn", set(".", "rotation", `1.5`))
	ask[wire.SaveSceneResult](t, wire.CmdSaveScene, wire.SaveScene{})
	after := eval(t, "for tabs in EditorInterface.get_base_control().find_children('*', 'EditorSceneTabs', true, false):\n\tfor bar in tabs.find_children('*', 'TabBar', true, false):\n\t\tbar.current_tab = 0\nfor i in 3:\n\tawait plugin.get_tree().process_frame\nreturn str(EditorInterface.get_edited_scene_root().get_instance_id())")
	require.NotEqual(t, before, after, "it was made anew")
	require.InDelta(t, 1.5, eval(t, "return root.get_node('In').rotation"), 0.001)
	require.True(t, ask[wire.GetActiveSceneResult](t, wire.CmdGetActiveScene, nil).Modified)
	closeAll(t)
}
