//go:build godot

package addon_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/wire"
)

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
		wire.ReasonFires:        {SourcePath: "A", Signal: "draw", TargetPath: "Lab", Method: "queue_free"},
		wire.ReasonEndless:      {SourcePath: "A", Signal: "draw", TargetPath: "A", Method: "queue_redraw", Flags: 1},
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
