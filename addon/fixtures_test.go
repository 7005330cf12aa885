//go:build godot

package addon_test

import "testing"

// The scenes of the persistence cases: a base scene, one with a plain and an
// editable instance of it, one that inherits it.
const (
	baseScene = `[gd_scene format=3 uid="uid://c60em2aw5o0lo"]

[ext_resource type="Script" path="res://v/all.gd" id="1_s"]

[sub_resource type="RectangleShape2D" id="RectangleShape2D_base"]
size = Vector2(10, 10)

[node name="Enemy" type="CharacterBody2D" groups=["base_root_group"]]

[node name="Sprite" type="Sprite2D" parent="." groups=["base_group"]]

[node name="Shape" type="CollisionShape2D" parent="."]
shape = SubResource("RectangleShape2D_base")

[node name="T" type="Timer" parent="."]

[node name="Inner" type="Node2D" parent="."]

[node name="Deep" type="Node2D" parent="Inner"]

[connection signal="timeout" from="T" to="." method="queue_redraw"]
`
	mainScene = `[gd_scene format=3]

[ext_resource type="PackedScene" path="res://v/base.tscn" id="1_base"]
[ext_resource type="LabelSettings" path="res://v/ls.tres" id="2_ls"]
[ext_resource type="Script" path="res://v/all.gd" id="3_all"]

[sub_resource type="RectangleShape2D" id="RectangleShape2D_main"]
size = Vector2(20, 20)

[node name="Main" type="Node2D"]

[node name="A" type="Node2D" parent="."]

[node name="B" type="Node2D" parent="A"]

[node name="Lab" type="Label" parent="."]
label_settings = ExtResource("2_ls")

[node name="Col" type="CollisionShape2D" parent="."]
shape = SubResource("RectangleShape2D_main")

[node name="Col2" type="CollisionShape2D" parent="."]
shape = SubResource("RectangleShape2D_main")

[node name="Inst" parent="." instance=ExtResource("1_base")]

[node name="Edit" parent="." instance=ExtResource("1_base")]

[node name="Vars" type="Node2D" parent="."]
script = ExtResource("3_all")

[connection signal="visibility_changed" from="A" to="Lab" method="queue_redraw"]

[editable path="Edit"]
`
	inheritedScene = `[gd_scene format=3]

[ext_resource type="PackedScene" path="res://v/base.tscn" id="1_base"]

[node name="Enemy" instance=ExtResource("1_base")]
`
	labelSettings = `[gd_resource type="LabelSettings" format=3 uid="uid://box0vu8v814kl"]

[resource]
font_size = 20
`
	allScript = `@tool
extends Node2D
@export var hp := 3
@export var names: Array[String] = []
@export var table := {}
@export var tgt: Node
@export var shape: Shape2D
var plain := 1
signal hurt(amount: int)
`
	// untoolScript has a placeholder in the editor.
	untoolScript = `class_name UntoolThing
extends Node2D
@export var speed := 2.5
var secret := 7
func _on_hit(who: Node) -> void:
	pass
`
)

// fixture writes the scenes afresh and opens one of them.
func fixture(t *testing.T, scene string) {
	t.Helper()
	closeAll(t)
	put(t, "v/all.gd", allScript)
	put(t, "v/untool.gd", untoolScript)
	put(t, "v/ls.tres", labelSettings)
	eval(t, "if ProjectSettings.get_global_class_list().any(func(c): return c['class'] == &'UntoolThing'):\n\treturn\nEditorInterface.get_resource_filesystem().scan()\nfor i in 200:\n\tawait plugin.get_tree().process_frame\n\tif not EditorInterface.get_resource_filesystem().is_scanning() and i > 5:\n\t\tbreak")
	put(t, "v/base.tscn", baseScene)
	for name, text := range map[string]string{"main.tscn": mainScene, "inh.tscn": inheritedScene} {
		put(t, "v/"+name, text)
	}
	open(t, "v/"+scene, map[string]string{"main.tscn": mainScene, "inh.tscn": inheritedScene, "base.tscn": baseScene}[scene])
}
