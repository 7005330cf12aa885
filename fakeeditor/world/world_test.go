package world

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/server/wire"
)

// project is a small project: a base scene that another one instances twice, an
// inherited scene, scripts and a resource file.
var project = map[string]string{
	"project.godot": "config_version=5\n\n[application]\n\nconfig/name=\"Lab\"\nrun/main_scene=\"res://main.tscn\"\n",
	"all.gd":        "class_name All\nextends Node2D\n\nsignal hit(by: Node)\n\n@export var hp: int = 3\n@export var tgt: Node\n@export var speed: float = 1\nvar plain = 1\n\nfunc on_hit(_by: Node) -> void:\n\tpass\n",
	"x.tres":        "[gd_resource type=\"RectangleShape2D\" format=3 uid=\"uid://cxtres0000001\"]\n\n[resource]\nsize = Vector2(9, 9)\n",
	"base.tscn": `[gd_scene format=3]

[sub_resource type="RectangleShape2D" id="RectangleShape2D_a"]

[node name="Enemy" type="CharacterBody2D" unique_id=1001 groups=["base_root_group"]]

[node name="Sprite" type="Sprite2D" parent="." unique_id=1002 groups=["base_group"]]

[node name="Shape" type="CollisionShape2D" parent="." unique_id=1003]
shape = SubResource("RectangleShape2D_a")

[node name="T" type="Timer" parent="." unique_id=1004]

[node name="Inner" type="Node2D" parent="." unique_id=1005]

[node name="Deep" type="Node2D" parent="Inner" unique_id=1006]

[connection signal="timeout" from="T" to="." method="queue_redraw"]
`,
	"main.tscn": `[gd_scene format=3]

[ext_resource type="PackedScene" path="res://base.tscn" id="1_base"]
[ext_resource type="Shape2D" path="res://x.tres" id="2_x"]

[sub_resource type="RectangleShape2D" id="RectangleShape2D_m"]
size = Vector2(4, 4)

[node name="Main" type="Node2D"]

[node name="A" type="Node2D" parent="."]

[node name="B" type="Node2D" parent="A"]

[node name="Lab" type="Label" parent="."]

[node name="Col" type="CollisionShape2D" parent="."]
shape = SubResource("RectangleShape2D_m")

[node name="Col2" type="CollisionShape2D" parent="."]
shape = ExtResource("2_x")

[node name="Inst" parent="." instance=ExtResource("1_base")]

[node name="Edit" parent="." instance=ExtResource("1_base")]

[editable path="Edit"]
`,
	"inh.tscn": `[gd_scene format=3]

[ext_resource type="PackedScene" path="res://base.tscn" id="1_base"]

[node name="Enemy" instance=ExtResource("1_base")]
`,
}

func start(t *testing.T) State {
	t.Helper()
	s, err := Open(files.NewTree(project), Project{Path: "/lab", GodotVersion: "4.6.3-stable"}, files.DefaultDelays(), 1)
	require.NoError(t, err)
	return s
}

// do runs a command that must succeed and decodes its answer.
func do[R any](t require.TestingT, s *State, command string, params any) R {
	raw, err := json.Marshal(params)
	require.NoError(t, err)
	next, out := Step(*s, Input{Cause: "1", Command: command, Params: raw})
	require.Nil(t, out.Err, "%s %s", command, raw)
	*s = next
	var r R
	require.NoError(t, json.Unmarshal(out.Result, &r))
	return r
}

func opened(t *testing.T, path string) State {
	s := start(t)
	do[wire.OpenSceneFileResult](t, &s, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: path})
	return s
}

func text(t require.TestingT, s State, path string) string {
	out, ok := s.Files.Read(path)
	require.True(t, ok)
	return out
}

func TestOpenAndSave(t *testing.T) {
	s := opened(t, "res://main.tscn")
	r := do[wire.SaveSceneResult](t, &s, wire.CmdSaveScene, wire.SaveScene{})
	require.True(t, r.Changed)
	t.Log(text(t, s, "res://main.tscn"))
	r = do[wire.SaveSceneResult](t, &s, wire.CmdSaveScene, wire.SaveScene{})
	require.False(t, r.Changed)
}
