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

func raw(s string) json.RawMessage { return json.RawMessage(s) }

func TestTreeReads(t *testing.T) {
	fixture(t, "main.tscn")
	quiet(t)
	tree := ask[wire.GetSceneTreeResult](t, wire.CmdGetSceneTree, wire.GetSceneTree{NodePath: ".", MaxDepth: -1, Limit: 100})
	assert.Equal(t, "res://v/main.tscn", tree.ScenePath)
	assert.Equal(t, 19, tree.Total)
	assert.Equal(t, wire.TreeNode{Path: ".", Name: "Main", Type: "Node2D", Children: 7}, tree.Nodes[0])
	byPath := map[string]wire.TreeNode{}
	for _, n := range tree.Nodes {
		byPath[n.Path] = n
	}
	assert.Equal(t, wire.TreeNode{Path: "Edit", Name: "Edit", Type: "CharacterBody2D", Depth: 1, Children: 4, Owner: "res://v/base.tscn", EditableChildren: true}, byPath["Edit"])
	assert.Equal(t, wire.TreeNode{Path: "Edit/Inner/Deep", Name: "Deep", Type: "Node2D", Depth: 3, Owner: "res://v/base.tscn"}, byPath["Edit/Inner/Deep"])
	assert.Equal(t, "res://v/all.gd", byPath["Vars"].Script)
	page := ask[wire.GetSceneTreeResult](t, wire.CmdGetSceneTree, wire.GetSceneTree{NodePath: ".", MaxDepth: 1, Offset: 2, Limit: 3, Lightweight: true})
	assert.Equal(t, 8, page.Total)
	assert.Equal(t, []string{"Lab", "Col", "Col2"}, []string{page.Nodes[0].Path, page.Nodes[1].Path, page.Nodes[2].Path})
	refuse(t, wire.ReasonBadParams, wire.CmdGetSceneTree, wire.GetSceneTree{NodePath: ".", MaxDepth: -1})
	e := refuse(t, wire.ReasonNodeNotFound, wire.CmdGetSceneTree, wire.GetSceneTree{NodePath: "Lap", MaxDepth: -1, Limit: 9})
	assert.Equal(t, map[string]any{"path": "Lap", "near": []any{"Lab", "A"}}, e.Details)

	n := ask[wire.GetNodeResult](t, wire.CmdGetNode, wire.GetNode{NodePath: "Vars"})
	assert.Equal(t, []string{}, n.Groups)
	assert.JSONEq(t, `3`, string(n.Properties["hp"]))
	assert.JSONEq(t, `{"type":"Array[String]","value":[]}`, string(n.Properties["names"]))
	for _, bad := range []string{"", "/A", "../A", "A/../B", "A:position", "/root"} {
		refuse(t, wire.ReasonNodePath, wire.CmdGetNode, wire.GetNode{NodePath: bad})
	}
	refuse(t, wire.ReasonUnknownRef, wire.CmdGetNode, wire.GetNode{NodePath: ":x"})
	assert.Equal(t, "A/B", ask[wire.GetNodeResult](t, wire.CmdGetNode, wire.GetNode{NodePath: "A//B/"}).Path)

	found := ask[wire.FindNodesByTypeResult](t, wire.CmdFindNodesByType, wire.FindNodesByType{Type: "CollisionShape2D", ParentPath: ".", Recursive: true, Limit: 2})
	assert.Equal(t, wire.FindNodesByTypeResult{Total: 4, Nodes: []wire.FoundNode{{Path: "Col", Type: "CollisionShape2D"}, {Path: "Col2", Type: "CollisionShape2D"}}}, found)
	refuse(t, wire.ReasonUnknownClass, wire.CmdFindNodesByType, wire.FindNodesByType{Type: "Node2", ParentPath: ".", Limit: 1})

	snap := ask[wire.SnapshotSubtreeResult](t, wire.CmdSnapshotSubtree, wire.SnapshotSubtree{NodePath: "Inst", MaxDepth: 0, Limit: 1, Properties: []string{"z_index"}})
	require.Len(t, snap.Nodes, 1)
	assert.Equal(t, []string{"base_root_group"}, snap.Nodes[0].Groups)
	assert.JSONEq(t, `{"x":0,"y":0}`, string(snap.Nodes[0].Properties["position"]))
	assert.JSONEq(t, `0`, string(snap.Nodes[0].Properties["z_index"]))
	e = refuse(t, wire.ReasonTooBig, wire.CmdSnapshotSubtree, wire.SnapshotSubtree{NodePath: ".", MaxDepth: -1, Limit: 5})
	assert.Equal(t, map[string]any{"limit": 5.0, "size": 19.0}, e.Details)

	sel := ask[wire.SelectNodesResult](t, wire.CmdSelectNodes, wire.SelectNodes{NodePaths: []string{"A", "A/B", "A"}})
	assert.Equal(t, []string{"A", "A/B"}, sel.Selected)
	got := ask[wire.GetSelectedNodesResult](t, wire.CmdGetSelectedNodes, nil)
	assert.Equal(t, 2, got.Count)
	refuse(t, wire.ReasonNodeNotFound, wire.CmdSelectNodes, wire.SelectNodes{NodePaths: []string{"Nope"}})

	closeAll(t)
	assert.Equal(t, wire.GetSceneTreeResult{Nodes: []wire.TreeNode{}}, ask[wire.GetSceneTreeResult](t, wire.CmdGetSceneTree, wire.GetSceneTree{NodePath: ".", MaxDepth: -1, Limit: 1}))
	assert.Equal(t, wire.GetActiveSceneResult{}, ask[wire.GetActiveSceneResult](t, wire.CmdGetActiveScene, nil))
	refuse(t, wire.ReasonNoScene, wire.CmdGetNode, wire.GetNode{NodePath: "."})
	refuse(t, wire.ReasonNoScene, wire.CmdSelectNodes, wire.SelectNodes{NodePaths: []string{"."}})
	assert.Equal(t, 0, ask[wire.GetSelectedNodesResult](t, wire.CmdGetSelectedNodes, nil).Count)
}

func TestProperties(t *testing.T) {
	fixture(t, "main.tscn")
	quiet(t)
	get := func(path, property string) wire.GetNodePropertyResult {
		return ask[wire.GetNodePropertyResult](t, wire.CmdGetNodeProperty, wire.GetNodeProperty{NodePath: path, Property: property})
	}
	assert.JSONEq(t, `{"x":20,"y":20}`, string(get("Col", "shape:size").Value))
	assert.Equal(t, "float", get("A", "position:x").Type)
	missing := get("A", "positon")
	assert.False(t, missing.Exists)
	assert.Equal(t, "position", missing.Near[0])
	list := ask[wire.GetNodePropertyListResult](t, wire.CmdGetNodePropertyList, wire.GetNodePropertyList{NodePath: "Vars"})
	byName := map[string]wire.PropertyInfo{}
	for _, p := range list.Properties {
		byName[p.Name] = p
	}
	assert.True(t, byName["hp"].Script)
	assert.True(t, byName["hp"].Stored)
	assert.Equal(t, "Shape2D", byName["shape"].Class)

	set := func(path, property, value string) wire.SetNodePropertyResult {
		return ask[wire.SetNodePropertyResult](t, wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: path, Property: property, Value: raw(value)})
	}
	r := set("A", "position", `"Vector2(3, 4.5)"`)
	assert.Equal(t, "Vector2", r.Type)
	assert.True(t, r.Coerced)
	assert.True(t, r.Changed)
	assert.JSONEq(t, `{"x":3,"y":4.5}`, string(r.Value))
	assert.JSONEq(t, `{"x":0,"y":0}`, string(r.Previous))
	assert.False(t, set("A", "position", `[3,4.5]`).Changed)
	assert.JSONEq(t, `7`, string(set("A", "position:x", `7`).Value))
	assert.JSONEq(t, `{"x":7,"y":4.5}`, string(get("A", "position").Value))
	assert.JSONEq(t, `{"r":1,"g":0.53333336,"b":0,"a":1}`, string(set("A", "modulate", `"#ff8800"`).Value))
	assert.JSONEq(t, `{"resource":"","class":"CircleShape2D"}`, string(set("Col", "shape", `{"new":"CircleShape2D","properties":{"radius":4}}`).Value))
	assert.JSONEq(t, `0.1`, string(set("Col", "shape:radius", `0.1`).Value)[:3])
	assert.JSONEq(t, `null`, string(set("Col", "shape", `null`).Value))
	assert.JSONEq(t, `{"type":"NodePath","value":"../Lab"}`, string(set("Vars", "tgt", `"Lab"`).Value))
	assert.JSONEq(t, `{"type":"Array[String]","value":["x"]}`, string(set("Vars", "names", `["x"]`).Value))
	assert.JSONEq(t, `{"k":{"type":"Vector2","x":1,"y":2}}`, string(set("Vars", "table", `{"k":{"type":"Vector2","x":1,"y":2}}`).Value))

	for _, c := range []struct {
		path, property, value string
		reason                wire.Reason
	}{
		{"A", "positon", `1`, wire.ReasonNoProperty}, {"A", "name", `"X"`, wire.ReasonReadOnlyProp}, {"A", "owner", `null`, wire.ReasonReadOnlyProp},
		{"A", "z_index", `3.5`, wire.ReasonBadValue}, {"A", "position", `[1]`, wire.ReasonBadValue}, {"A", "position", `{"x":1,"z":2}`, wire.ReasonBadValue},
		{"A", "visible", `"maybe"`, wire.ReasonBadValue}, {"A", "position", `"Vector2(OS.exit(), 1)"`, wire.ReasonBadValue},
		{"Col", "shape", `"res://nope.tres"`, wire.ReasonFileNotFound}, {"Col", "shape", `"res://v/ls.tres"`, wire.ReasonWrongResource},
		{"Col", "shape", `{"new":"StandardMaterial3D"}`, wire.ReasonWrongResource}, {"Col", "shape", `{"new":"Nope"}`, wire.ReasonUnknownClass},
		{"Col", "shape", `{"new":"RectangleShape2D","properties":{"sice":1}}`, wire.ReasonNoProperty}, {"Col", "shape", `{"new":"Shape2D"}`, wire.ReasonAbstractClass},
		{"Vars", "tgt", `"Nope"`, wire.ReasonNodeNotFound}, {"Nope", "position", `1`, wire.ReasonNodeNotFound}, {"A", "position:q", `1`, wire.ReasonNoProperty},
	} {
		refuse(t, c.reason, wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: c.path, Property: c.property, Value: raw(c.value)})
	}
	e := refuse(t, wire.ReasonBadValue, wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: "A", Property: "z_index", Value: raw(`3.5`)})
	assert.Equal(t, map[string]any{"property": "z_index", "expected": "int", "got": "3.5", "message": "expected int, a whole number, got the number 3.5"}, e.Details)
	// An image that no scan has imported.
	put(t, "new_icon.svg", project()["icon.svg"])
	eval(t, "var s = Sprite2D.new()\ns.name = 'Spr'\nroot.add_child(s)\ns.owner = root")
	refuse(t, wire.ReasonNotImported, wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: "Spr", Property: "texture", Value: raw(`"res://new_icon.svg"`)})
}

func TestNodeSteps(t *testing.T) {
	fixture(t, "main.tscn")
	quiet(t)
	index := 0
	n := ask[wire.NewNodeResult](t, wire.CmdCreateNode, wire.CreateNode{ParentPath: ".", Type: "Sprite2D", Name: "A", Index: &index, Groups: []string{"g"}, UniqueName: true,
		Properties: map[string]json.RawMessage{"position": raw(`[1,2]`)}})
	assert.Equal(t, wire.NewNodeResult{NodePath: "A2", Name: "A2", Renamed: true, Type: "Sprite2D",
		Properties: map[string]json.RawMessage{"position": raw(`{"x":1,"y":2}`)}, Verdict: wire.Verdict{Persisted: true}}, n)
	assert.Equal(t, true, eval(t, "return root.get_child(0).name == &'A2' and root.get_node('%A2').is_in_group('g')"))
	n = ask[wire.NewNodeResult](t, wire.CmdCreateNode, wire.CreateNode{ParentPath: "A", Type: "UntoolThing", Properties: map[string]json.RawMessage{"speed": raw(`4.25`)}})
	assert.Equal(t, "A/UntoolThing", n.NodePath)
	assert.Equal(t, "res://v/untool.gd", ask[wire.GetNodeResult](t, wire.CmdGetNode, wire.GetNode{NodePath: n.NodePath}).Script)
	assert.Equal(t, "Button", ask[wire.NewNodeResult](t, wire.CmdCreateNode, wire.CreateNode{ParentPath: ".", Type: "Button"}).Name)
	odd := ask[wire.NewNodeResult](t, wire.CmdCreateNode, wire.CreateNode{ParentPath: ".", Type: "Node", Name: "a/b:c"})
	assert.Equal(t, "a_b_c", odd.Name)
	assert.True(t, odd.Renamed)
	for reason, p := range map[wire.Reason]wire.CreateNode{
		wire.ReasonUnknownClass: {ParentPath: ".", Type: "Spirte2D"}, wire.ReasonNotNodeClass: {ParentPath: ".", Type: "Resource"},
		wire.ReasonAbstractClass: {ParentPath: ".", Type: "CanvasItem"}, wire.ReasonNodeNotFound: {ParentPath: "Nope", Type: "Node"},
		wire.ReasonNoProperty: {ParentPath: ".", Type: "Node2D", Properties: map[string]json.RawMessage{"nope": raw(`1`)}},
		wire.ReasonBadGroup:   {ParentPath: ".", Type: "Node", Groups: []string{""}}, wire.ReasonFileNotFound: {ParentPath: ".", Type: "Node", ScriptPath: "res://nope.gd"},
		wire.ReasonWrongResource: {ParentPath: ".", Type: "Node3D", ScriptPath: "res://v/all.gd"}, wire.ReasonBadExtension: {ParentPath: ".", Type: "Node", ScriptPath: "res://v/ls.tres"},
	} {
		before := snapshot(t)
		refuse(t, reason, wire.CmdCreateNode, p)
		require.Equal(t, before, snapshot(t), reason)
	}

	d := ask[wire.DeleteNodeResult](t, wire.CmdDeleteNode, wire.DeleteNode{NodePath: "Lab"})
	assert.Equal(t, wire.DeleteNodeResult{NodePath: "Lab", Removed: 1, Disconnected: 1, Verdict: wire.Verdict{Persisted: true}}, d)
	refuse(t, wire.ReasonIsRoot, wire.CmdDeleteNode, wire.DeleteNode{NodePath: "."})
	e := refuse(t, wire.ReasonFromBase, wire.CmdDeleteNode, wire.DeleteNode{NodePath: "Edit/Sprite"})
	assert.Equal(t, map[string]any{"path": "Edit/Sprite", "source": "res://v/base.tscn"}, e.Details)

	m := ask[wire.MoveNodeResult](t, wire.CmdMoveNode, wire.MoveNode{NodePath: "Col2", NewParentPath: "A", Index: 0})
	assert.Equal(t, wire.MoveNodeResult{NodePath: "A/Col2", OldPath: "Col2", Index: 0, Changed: true, Verdict: wire.Verdict{Persisted: true}}, m)
	assert.False(t, ask[wire.MoveNodeResult](t, wire.CmdMoveNode, wire.MoveNode{NodePath: "A/Col2", NewParentPath: "A", Index: 0}).Changed)
	refuse(t, wire.ReasonIntoItself, wire.CmdMoveNode, wire.MoveNode{NodePath: "A", NewParentPath: "A/B"})
	refuse(t, wire.ReasonFromBase, wire.CmdMoveNode, wire.MoveNode{NodePath: "Edit/T", NewParentPath: "Edit", Index: 0})
	refuse(t, wire.ReasonBadParams, wire.CmdMoveNode, wire.MoveNode{NodePath: "A", NewParentPath: ".", Index: 99})

	rn := ask[wire.RenameNodeResult](t, wire.CmdRenameNode, wire.RenameNode{NodePath: "A/B", NewName: "Col2"})
	assert.Equal(t, wire.RenameNodeResult{NodePath: "A/Col3", OldName: "B", NewName: "Col3", Renamed: true, Changed: true, Verdict: wire.Verdict{Persisted: true}}, rn)
	refuse(t, wire.ReasonNodeName, wire.CmdRenameNode, wire.RenameNode{NodePath: "A", NewName: ""})
	refuse(t, wire.ReasonFromBase, wire.CmdRenameNode, wire.RenameNode{NodePath: "Edit/Sprite", NewName: "X"})

	dup := ask[wire.NewNodeResult](t, wire.CmdDuplicateNode, wire.DuplicateNode{NodePath: "Edit", Name: "Copy"})
	assert.Equal(t, "Copy", dup.NodePath)
	assert.Equal(t, true, eval(t, "return root.is_editable_instance(root.get_node('Copy')) and root.get_node('Copy').get_child_count() == 4"))
	refuse(t, wire.ReasonIsRoot, wire.CmdDuplicateNode, wire.DuplicateNode{NodePath: "."})

	inst := ask[wire.NewNodeResult](t, wire.CmdInstanceScene, wire.InstanceScene{ParentPath: ".", ScenePath: "res://v/base.tscn", Name: "I", Properties: map[string]json.RawMessage{"visible": raw(`false`)}})
	assert.Equal(t, "I", inst.NodePath)
	assert.Equal(t, "CharacterBody2D", inst.Type)
	refuse(t, wire.ReasonCyclic, wire.CmdInstanceScene, wire.InstanceScene{ParentPath: ".", ScenePath: "res://v/main.tscn"})
	refuse(t, wire.ReasonFileNotFound, wire.CmdInstanceScene, wire.InstanceScene{ParentPath: ".", ScenePath: "res://v/nope.tscn"})

	ed := ask[wire.SetEditableChildrenResult](t, wire.CmdSetEditableChildren, wire.SetEditableChildren{NodePath: "I", Editable: true})
	assert.True(t, ed.Changed)
	ask[wire.SetNodePropertyResult](t, wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: "I/Sprite", Property: "position", Value: raw(`[1,1]`)})
	e = refuse(t, wire.ReasonWouldLose, wire.CmdSetEditableChildren, wire.SetEditableChildren{NodePath: "I"})
	assert.Equal(t, map[string]any{"path": "I", "lost": []any{"I/Sprite:position"}}, e.Details)
	assert.Equal(t, []string{"I/Sprite:position"}, ask[wire.SetEditableChildrenResult](t, wire.CmdSetEditableChildren, wire.SetEditableChildren{NodePath: "I", Force: true}).WouldLose)
	refuse(t, wire.ReasonNotAnInstance, wire.CmdSetEditableChildren, wire.SetEditableChildren{NodePath: "A", Editable: true})
}

func TestGroupsSignalsScripts(t *testing.T) {
	fixture(t, "main.tscn")
	quiet(t)
	g := ask[wire.GroupResult](t, wire.CmdAddToGroup, wire.AddToGroup{NodePath: "A", Group: "x"})
	assert.True(t, g.Changed)
	assert.False(t, ask[wire.GroupResult](t, wire.CmdAddToGroup, wire.AddToGroup{NodePath: "A", Group: "x"}).Changed)
	eval(t, "root.get_node('A').add_to_group('loose')")
	list := ask[wire.GetNodeGroupsResult](t, wire.CmdGetNodeGroups, wire.GetNodeGroups{NodePath: "A"})
	assert.Equal(t, []wire.NodeGroup{{Name: "loose"}, {Name: "x", Persistent: true}}, list.Groups)
	assert.Equal(t, []wire.NodeGroup{{Name: "base_group", Persistent: true, FromBase: true}}, ask[wire.GetNodeGroupsResult](t, wire.CmdGetNodeGroups, wire.GetNodeGroups{NodePath: "Edit/Sprite"}).Groups)
	assert.True(t, ask[wire.GroupResult](t, wire.CmdRemoveFromGroup, wire.RemoveFromGroup{NodePath: "A", Group: "x"}).Changed)
	assert.False(t, ask[wire.GroupResult](t, wire.CmdRemoveFromGroup, wire.RemoveFromGroup{NodePath: "A", Group: "x"}).Changed)
	refuse(t, wire.ReasonBadGroup, wire.CmdAddToGroup, wire.AddToGroup{NodePath: "A"})

	c := ask[wire.ConnectionResult](t, wire.CmdConnectSignal, wire.ConnectSignal{SourcePath: "A", Signal: "draw", TargetPath: "Lab", Method: "set_text", Flags: 4, Binds: []json.RawMessage{raw(`"hi"`)}})
	assert.Equal(t, 6, c.Flags)
	assert.True(t, c.Connected)
	conns := ask[wire.ListSignalConnectionsResult](t, wire.CmdListSignalConnections, wire.ListSignalConnections{NodePath: "A"})
	assert.Equal(t, []wire.Connection{
		{SourcePath: "A", Signal: "draw", TargetPath: "Lab", Method: "set_text", Persistent: true, Flags: 6, Binds: []json.RawMessage{raw(`"hi"`)}},
		{SourcePath: "A", Signal: "visibility_changed", TargetPath: "Lab", Method: "queue_redraw", Persistent: true, Flags: 2},
	}, conns.Connections)
	assert.Contains(t, ask[wire.ListSignalConnectionsResult](t, wire.CmdListSignalConnections, wire.ListSignalConnections{NodePath: "Vars"}).Signals, wire.SignalInfo{Name: "hurt", Args: []string{"amount: int"}})
	inner := ask[wire.ListSignalConnectionsResult](t, wire.CmdListSignalConnections, wire.ListSignalConnections{NodePath: "Edit/T"})
	assert.Equal(t, []wire.Connection{{SourcePath: "Edit/T", Signal: "timeout", TargetPath: "Edit", Method: "queue_redraw", Persistent: true, Flags: 2, FromBase: true}}, inner.Connections)
	for reason, p := range map[wire.Reason]wire.ConnectSignal{
		wire.ReasonNoSignal: {SourcePath: "A", Signal: "drawn", TargetPath: "Lab", Method: "set_text"}, wire.ReasonNoMethod: {SourcePath: "A", Signal: "draw", TargetPath: "Lab", Method: "set_txt"},
		wire.ReasonConnected:    {SourcePath: "A", Signal: "draw", TargetPath: "Lab", Method: "set_text"},
		wire.ReasonBindNotSaved: {SourcePath: "A", Signal: "draw", TargetPath: "Lab", Method: "hide", Binds: []json.RawMessage{raw(`{"new":"Resource"}`)}},
		wire.ReasonBadParams:    {SourcePath: "A", Signal: "draw", TargetPath: "Lab", Method: "hide", Flags: 64}, wire.ReasonNodeNotFound: {SourcePath: "A", Signal: "draw", TargetPath: "Nope", Method: "hide"},
	} {
		refuse(t, reason, wire.CmdConnectSignal, p)
	}
	// A method of a script that does not run in the editor.
	ask[wire.AttachScriptResult](t, wire.CmdAttachScript, wire.AttachScript{NodePath: "A/B", ScriptPath: "res://v/untool.gd"})
	ask[wire.ConnectionResult](t, wire.CmdConnectSignal, wire.ConnectSignal{SourcePath: "A", Signal: "child_entered_tree", TargetPath: "A/B", Method: "_on_hit"})
	dis := ask[wire.ConnectionResult](t, wire.CmdDisconnectSignal, wire.DisconnectSignal{SourcePath: "A", Signal: "draw", TargetPath: "Lab", Method: "set_text"})
	assert.False(t, dis.Connected)
	refuse(t, wire.ReasonNotConnected, wire.CmdDisconnectSignal, wire.DisconnectSignal{SourcePath: "A", Signal: "draw", TargetPath: "Lab", Method: "set_text"})

	at := ask[wire.AttachScriptResult](t, wire.CmdAttachScript, wire.AttachScript{NodePath: "A", ScriptPath: "res://v/all.gd"})
	assert.Equal(t, wire.AttachScriptResult{NodePath: "A", ScriptPath: "res://v/all.gd", Changed: true, Verdict: wire.Verdict{Persisted: true}}, at)
	off := ask[wire.AttachScriptResult](t, wire.CmdAttachScript, wire.AttachScript{NodePath: "A"})
	assert.Equal(t, "res://v/all.gd", off.Previous)
	refuse(t, wire.ReasonWrongResource, wire.CmdAttachScript, wire.AttachScript{NodePath: "Edit/T", ScriptPath: "res://v/all.gd"})
	refuse(t, wire.ReasonFileNotFound, wire.CmdAttachScript, wire.AttachScript{NodePath: "A", ScriptPath: "res://nope.gd"})

	v := ask[wire.NodePersistenceResult](t, wire.CmdNodePersistence, wire.NodePersistence{NodePath: "Inst/Sprite", Kind: "property", Property: "position"})
	assert.Equal(t, wire.LossInstanceChild, v.Reason)
	assert.Equal(t, wire.LossFromBase, ask[wire.NodePersistenceResult](t, wire.CmdNodePersistence, wire.NodePersistence{NodePath: "Inst/Sprite", Kind: "delete"}).Reason)
	assert.Equal(t, wire.LossNotStored, ask[wire.NodePersistenceResult](t, wire.CmdNodePersistence, wire.NodePersistence{NodePath: "Vars", Kind: "property", Property: "plain"}).Reason)
	refuse(t, wire.ReasonBadParams, wire.CmdNodePersistence, wire.NodePersistence{NodePath: "A", Kind: "x"})
}

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

func TestFiles(t *testing.T) {
	fixture(t, "main.tscn")
	closeAll(t)
	w := ask[wire.WriteFileResult](t, wire.CmdWriteFile, wire.WriteFile{Path: "res://v/made.gd", Content: "class_name MadeThing\nextends Node\n"})
	assert.True(t, w.Created)
	assert.True(t, w.Undoable)
	assert.False(t, w.RescanPending)
	assert.Equal(t, true, eval(t, "return ProjectSettings.get_global_class_list().any(func(c): return c['class'] == &'MadeThing')"))
	f := ask[wire.ReadFileResult](t, wire.CmdReadFile, wire.ReadFile{Path: "res://v/made.gd"})
	assert.Equal(t, wire.ReadFileResult{Path: "res://v/made.gd", Content: "class_name MadeThing\nextends Node\n", Size: 34, SHA256: w.SHA256}, f)
	e := refuse(t, wire.ReasonChanged, wire.CmdWriteFile, wire.WriteFile{Path: "res://v/made.gd", Content: "x", ExpectedSHA256: strings.Repeat("0", 64)})
	assert.Equal(t, w.SHA256, e.Details["sha256"])
	refuse(t, wire.ReasonFileExists, wire.CmdWriteFile, wire.WriteFile{Path: "res://v/made.gd", Content: "x", MustBeNew: true})
	refuse(t, wire.ReasonBadPath, wire.CmdWriteFile, wire.WriteFile{Path: "res://../x.gd", Content: "x"})
	same := ask[wire.WriteFileResult](t, wire.CmdWriteFile, wire.WriteFile{Path: "res://v/made.gd", Content: f.Content, ExpectedSHA256: w.SHA256})
	assert.False(t, same.Changed)
	assert.False(t, same.Undoable)
	dry := ask[wire.WriteFileResult](t, wire.CmdWriteFile, wire.WriteFile{Path: "res://fresh/deep/x.gd", Content: "extends Node\n", DryRun: true})
	assert.NoDirExists(t, shared.project+"/fresh")
	fresh := ask[wire.WriteFileResult](t, wire.CmdWriteFile, wire.WriteFile{Path: "res://fresh/deep/x.gd", Content: "extends Node\n"})
	assert.Equal(t, dry, fresh)
	assert.True(t, fresh.RescanPending)
	settle(t)
	assert.FileExists(t, shared.project+"/fresh/deep/x.gd.uid")

	refuse(t, wire.ReasonFileNotFound, wire.CmdReadFile, wire.ReadFile{Path: "res://nope.gd"})
	put(t, "v/binary.bin", "a\x00b")
	refuse(t, wire.ReasonBinary, wire.CmdReadFile, wire.ReadFile{Path: "res://v/binary.bin"})
	put(t, "v/latin.txt", "caf\xe9")
	refuse(t, wire.ReasonBinary, wire.CmdReadFile, wire.ReadFile{Path: "res://v/latin.txt"})
	put(t, "v/odd.txt", "a\x0b\x01\\v\u00e9\u2028\U0001F600 \"q\"\t\n")
	assert.Equal(t, "a\x0b\x01\\v\u00e9\u2028\U0001F600 \"q\"\t\n", ask[wire.ReadFileResult](t, wire.CmdReadFile, wire.ReadFile{Path: "res://v/odd.txt"}).Content)

	l := ask[wire.ListFilesResult](t, wire.CmdListFiles, wire.ListFiles{Directory: "res://fresh", Extensions: []string{"gd"}, Limit: 10})
	assert.Equal(t, wire.ListFilesResult{Files: []string{"res://fresh/deep/x.gd"}, Total: 1}, l)
	refuse(t, wire.ReasonFolderMissing, wire.CmdListFiles, wire.ListFiles{Directory: "res://nope", Limit: 1})

	fixture(t, "main.tscn")
	d := ask[wire.GetDependenciesResult](t, wire.CmdGetDependencies, wire.GetDependencies{Path: "res://v/main.tscn"})
	assert.Equal(t, wire.Dependency{Raw: "res://v/base.tscn", Path: "res://v/base.tscn", Type: "PackedScene", Exists: true}, d.Dependencies[0])
	refuse(t, wire.ReasonFileNotFound, wire.CmdGetDependencies, wire.GetDependencies{Path: "res://nope.tscn"})
	undo(t, 2)
}

// settle waits for the end of the scan.
func settle(t *testing.T) wire.ScanState {
	t.Helper()
	var s wire.ScanState
	require.Eventually(t, func() bool {
		s = ask[wire.ScanState](t, wire.CmdGetScanState, nil)
		return !s.Scanning
	}, 20*time.Second, 20*time.Millisecond)
	return s
}

func TestScanState(t *testing.T) {
	before := settle(t)
	put(t, "scanned/pic.svg", project()["icon.svg"])
	a := ask[wire.ScanState](t, wire.CmdRescanFilesystem, nil)
	assert.True(t, a.Scanning)
	ask[wire.ScanState](t, wire.CmdRescanFilesystem, nil)
	after := settle(t)
	assert.Equal(t, before.Generation+2, after.Generation)
	assert.FileExists(t, shared.project+"/scanned/pic.svg.import")
	assert.Equal(t, true, eval(t, "return load('res://scanned/pic.svg') != null"))
}

func TestCheckScript(t *testing.T) {
	fixture(t, "main.tscn")
	check := func(text string) wire.CheckScriptResult {
		put(t, "v/checked.gd", text)
		var r wire.CheckScriptResult
		first := ask[wire.CheckScriptResult](t, wire.CmdCheckScript, wire.CheckScript{Path: "res://v/checked.gd"})
		assert.False(t, first.Ready)
		assert.Equal(t, wire.ReasonDiagnostics, first.Reason)
		require.Eventually(t, func() bool {
			r = ask[wire.CheckScriptResult](t, wire.CmdCheckScript, wire.CheckScript{Path: "res://v/checked.gd"})
			return r.Ready
		}, 20*time.Second, 20*time.Millisecond)
		assert.Equal(t, "language_server", r.Level)
		return r
	}
	assert.Empty(t, check("extends Node\nvar x: int = 1\n").Errors)
	r := check("extends Node\nfunc a(:\n\tpass\nfunc b()\n\tpass\n")
	assert.GreaterOrEqual(t, len(r.Errors), 2)
	assert.Equal(t, 2, r.Errors[0].Line)
	assert.Positive(t, r.Errors[0].Column)
	r = check("extends Node\nvar x: int = \"a\"\nvar y: Nope = null\n")
	lines := map[int]bool{}
	for _, e := range r.Errors {
		lines[e.Line] = true
	}
	assert.Equal(t, map[int]bool{2: true, 3: true}, lines, "%+v", r.Errors)
	refuse(t, wire.ReasonFileNotFound, wire.CmdCheckScript, wire.CheckScript{Path: "res://nope.gd"})
	refuse(t, wire.ReasonBadExtension, wire.CmdCheckScript, wire.CheckScript{Path: "res://v/ls.tres"})
}

func TestClassesAndProject(t *testing.T) {
	quiet(t)
	c := ask[wire.DescribeClassResult](t, wire.CmdDescribeClass, wire.DescribeClass{ClassName: "Sprite2D"})
	assert.Equal(t, []string{"Node2D", "CanvasItem", "Node", "Object"}, c.InheritsChain)
	assert.Contains(t, c.Properties, wire.ClassProperty{Name: "texture", Type: "Object", Class: "Texture2D", Default: "null"})
	assert.Contains(t, c.Methods, wire.ClassMethod{Name: "is_pixel_opaque", Args: []string{"pos: Vector2"}, ReturnType: "bool"})
	e := refuse(t, wire.ReasonUnknownClass, wire.CmdDescribeClass, wire.DescribeClass{ClassName: "Sprit2D"})
	assert.Equal(t, "Sprite2D", e.Details["near"].([]any)[0])
	p := ask[wire.GetProjectInfoResult](t, wire.CmdGetProjectInfo, nil)
	assert.Equal(t, "Addon test", p.Name)
	assert.Equal(t, shared.project, p.ProjectPath)
	assert.Equal(t, []wire.Autoload{}, p.Autoloads)
	assert.Equal(t, []string{}, p.InputActions)
}

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
