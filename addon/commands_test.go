//go:build godot

package addon_test

import (
	"encoding/json"
	"testing"

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
