package scripts

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"godot-mcp/server/godot/ids"
)

// A yard is one folder of a project for random comparison: scenes of every kind
// that refer to each other, scripts and resources. Sequences on different yards
// do not touch each other.
type yard struct {
	name string
	rng  *rand.Rand
	// locals says what is local to its scene.
	locals *rand.Rand
	files  map[string][]byte
}

// drawYard makes the files of a folder from a seed.
func drawYard(name string, rng, locals *rand.Rand) yard {
	y := yard{name, rng, locals, map[string][]byte{}}
	y.put("hero.gd", `class_name Hero_`+name+`
extends Node2D

signal hit(damage: int)

@export var hp: int = 3
@export var tag: String = ""
@export_range(0, 10) var speed: float = 1.5
@export var target: Node
@export var form: Shape2D
@export var marks: Array[int] = [1, 2]
var plain := 1


func _on_hit(_damage: int = 0) -> void:
	pass
`)
	y.put("note.gd", "extends Node\n\n@export var words: String = \"n\"\n@export var colors: Array[Color]\n@export var table: Dictionary = {}\n\nfunc on_timeout() -> void:\n\tpass\n")
	y.put("wide.tres", "[gd_resource type=\"RectangleShape2D\" format=3 uid=\""+y.uid("wide.tres")+"\"]\n\n[resource]\n"+y.local()+"size = Vector2(40, 8)\n")
	y.put("box.tres", "[gd_resource type=\"Theme\" format=3 uid=\""+y.uid("box.tres")+"\"]\n\n[sub_resource type=\"StyleBoxFlat\" id=\"StyleBoxFlat_1a2b3\"]\nbg_color = Color(0.2, 0.3, 0.4, 1)\n\n[resource]\ndefault_font_size = 20\nPanel/styles/panel = SubResource(\"StyleBoxFlat_1a2b3\")\n")
	y.base()
	y.mid()
	y.main()
	y.heirs()
	y.screen()
	y.space()
	return y
}

func (y yard) put(name, text string) { y.files[y.name+"/"+name] = []byte(text) }

func (y yard) path(name string) string { return "res://" + y.name + "/" + name }

func (y yard) uid(name string) string { return ids.UID(ids.Hash64(y.path(name)) >> 2).String() }

func (y yard) one(from ...string) string { return from[y.rng.IntN(len(from))] }

// local is the mark of a resource that is local to its scene, or nothing.
func (y yard) local() string {
	if y.locals.IntN(2) == 0 {
		return ""
	}
	return "resource_local_to_scene = true\n"
}

// shapeOver is a shape of a scene, with its id, and a node of an instance that has it;
// or nothing.
func (y yard) shapeOver(id, parent string) (shape, node string) {
	if y.locals.IntN(2) == 0 {
		return "", ""
	}
	return "\n[sub_resource type=\"RectangleShape2D\" id=\"" + id + "\"]\n" + y.local() + "size = Vector2(6, 6)\n",
		"[node name=\"Shape\" parent=\"" + parent + "\" index=\"1\" unique_id=1003]\nshape = SubResource(\"" + id + "\")\n\n"
}

// chance is true in percent of the cases.
func (y yard) chance(percent int) bool { return y.rng.IntN(100) < percent }

func (y yard) head(name string, uses ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[gd_scene format=3 uid=%q]\n", y.uid(name))
	for i, u := range uses {
		kind := map[string]string{"tscn": "PackedScene", "gd": "Script", "tres": "Shape2D"}[u[strings.LastIndexByte(u, '.')+1:]]
		if u == "box.tres" {
			kind = "Theme"
		}
		uid := fmt.Sprintf(" uid=%q", y.uid(u))
		if strings.HasSuffix(u, ".gd") {
			uid = "" // a script's uid is in a file beside it, drawn at random
		}
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "[ext_resource type=%q%s path=%q id=\"%d_%s\"]\n", kind, uid, y.path(u), i+1, strings.Split(u, ".")[0])
	}
	return b.String()
}

func (y yard) base() {
	groups := y.one(`["base_root"]`, `["base_root", "shared"]`)
	y.put("base.tscn", y.head("base.tscn")+`
[sub_resource type="RectangleShape2D" id="RectangleShape2D_base1"]
`+y.local()+`size = Vector2(10, 20)

[node name="Enemy" type="CharacterBody2D" unique_id=1001 groups=`+groups+`]

[node name="Sprite" type="Sprite2D" parent="." unique_id=1002 groups=["base_group"]]
position = Vector2(1, 2)

[node name="Shape" type="CollisionShape2D" parent="." unique_id=1003]
shape = SubResource("RectangleShape2D_base1")

[node name="T" type="Timer" parent="." unique_id=1004]
wait_time = 2.0

[node name="Inner" type="Node2D" parent="." unique_id=1005]

[node name="Deep" type="Node2D" parent="Inner" unique_id=1006]
unique_name_in_owner = `+y.one("true", "false")+`

[node name="Far" type="Node2D" parent="Inner/Deep" unique_id=1007]

[connection signal="timeout" from="T" to="." method="queue_redraw"]
`)
}

// mid is a scene between: it instances base twice.
func (y yard) mid() {
	shape, over := y.shapeOver("RectangleShape2D_mid01", "E")
	y.put("mid.tscn", y.head("mid.tscn", "base.tscn")+shape+`
[node name="Mid" type="Node2D" unique_id=3001]

[node name="P" parent="." unique_id=3002 instance=ExtResource("1_base")]

[node name="E" parent="." unique_id=3003 instance=ExtResource("1_base")]
rotation = 0.5

[node name="Sprite" parent="E" index="0" unique_id=1002 groups=["mid_group"]]
position = Vector2(5, 6)

`+over+`[node name="Extra" type="Node2D" parent="E/Inner" index="1" unique_id=3004]

[connection signal="timeout" from="E/T" to="." method="queue_redraw"]

[editable path="E"]
`)
}

// main is the scene that most sequences work on.
func (y yard) main() {
	var b strings.Builder
	b.WriteString(y.head("main.tscn", "base.tscn", "mid.tscn", "hero.gd", "wide.tres"))
	b.WriteString(`
[sub_resource type="RectangleShape2D" id="RectangleShape2D_main1"]
`)
	b.WriteString(y.local())
	b.WriteString(`size = Vector2(4, 4)

[node name="Main" type="Node2D" unique_id=1]
`)
	paths := []string{"."}
	kinds := []string{"Node2D", "Control", "Timer", "Area2D", "Label", "Node", "Sprite2D", "Node3D"}
	for i := range 2 + y.rng.IntN(5) {
		parent := y.one(paths...)
		name := fmt.Sprintf("N%d", i)
		kind := y.one(kinds...)
		extra := ""
		if y.chance(25) {
			extra = ` groups=["own"]`
		}
		fmt.Fprintf(&b, "\n[node name=%q type=%q parent=%q unique_id=%d%s]\n", name, kind, parent, 10+i, extra)
		if y.chance(25) {
			b.WriteString("unique_name_in_owner = true\n")
		}
		paths = append(paths, strings.TrimPrefix(parent+"/"+name, "./"))
	}
	fmt.Fprintf(&b, `
[node name="Hero" type="Node2D" parent="." unique_id=30]
script = ExtResource("3_hero")
hp = %d

[node name="ColA" type="CollisionShape2D" parent="." unique_id=31]
shape = SubResource("RectangleShape2D_main1")

[node name="ColB" type="CollisionShape2D" parent="." unique_id=32]
shape = %s

[node name="Inst" parent="." unique_id=33 instance=ExtResource("1_base")]
%s
[node name="Edit" parent="." unique_id=34 instance=ExtResource("1_base")]

[node name="T" parent="Edit" index="2" unique_id=1004]
wait_time = 7.0

[node name="Two" parent="." unique_id=35 instance=ExtResource("2_mid")]

[node name="TwoE" parent="." unique_id=36 instance=ExtResource("2_mid")]

[connection signal="hit" from="Hero" to="." method="queue_redraw"]

[editable path="Edit"]
[editable path="TwoE"]
`, y.rng.IntN(9), y.one(`SubResource("RectangleShape2D_main1")`, `ExtResource("4_wide")`), y.one("", "position = Vector2(9, 9)\n"))
	if y.chance(50) {
		b.WriteString("[editable path=\"TwoE/E\"]\n")
	}
	y.put("main.tscn", b.String())
}

// heirs are scenes that inherit: from base, and from the scene between.
func (y yard) heirs() {
	shape, over := y.shapeOver("RectangleShape2D_inh01", ".")
	y.put("inh.tscn", y.head("inh.tscn", "base.tscn")+shape+`
[node name="Enemy" unique_id=1001 instance=ExtResource("1_base")]

[node name="Sprite" parent="." index="0" unique_id=1002]
`+y.one("position = Vector2(7, 7)\n", "visible = false\n")+`
`+over+`[node name="Own" type="Node2D" parent="." index="4" unique_id=2001]

[node name="Under" type="Node2D" parent="Inner" index="1" unique_id=2002]
`)
	y.put("inh2.tscn", y.head("inh2.tscn", "mid.tscn")+`
[node name="Mid" unique_id=3001 instance=ExtResource("1_mid")]

[node name="Mine" type="Timer" parent="." index="2" unique_id=4001]
`)
}

func (y yard) screen() {
	y.put("ui.tscn", y.head("ui.tscn", "box.tres")+`
[node name="UI" type="Control" unique_id=5001]
layout_mode = 3
anchors_preset = 15
anchor_right = 1.0
anchor_bottom = 1.0
grow_horizontal = 2
grow_vertical = 2
theme = ExtResource("1_box")

[node name="Rows" type="VBoxContainer" parent="." unique_id=5002]
layout_mode = 0
offset_right = 40.0
offset_bottom = 40.0

[node name="Go" type="Button" parent="Rows" unique_id=5003]
layout_mode = 2
text = "Go"

[node name="Say" type="Label" parent="." unique_id=5004]
layout_mode = 0
text = "Say"

[node name="Bar" type="ProgressBar" parent="." unique_id=5005]
layout_mode = 0
value = 30.0
`)
}

func (y yard) space() {
	turned := "transform = Transform3D(0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6, 1, 2, 3)\n"
	y.put("arm.tscn", y.head("arm.tscn")+`
[node name="Arm" type="Node3D" unique_id=7001]
`+y.one("", turned)+y.one("", "rotation_order = 4\n")+`
[node name="Hand" type="Node3D" parent="." unique_id=7002]
`+turned+y.one("", "rotation_order = 0\n")+`
[node name="Finger" type="Node3D" parent="Hand" unique_id=7003]
rotation_order = 3
`)
	y.put("inh3.tscn", y.head("inh3.tscn", "arm.tscn")+`
[node name="Arm" unique_id=7001 instance=ExtResource("1_arm")]
`+y.one("", "rotation_order = 1\n")+`
[node name="Hand" parent="." index="0" unique_id=7002]
`+y.one("rotation_order = 5\n", "transform = Transform3D(0, 0, 2, 0, 2, 0, -2, 0, 0, 0, 0, 0)\n")+`
[node name="Other" parent="." index="1" unique_id=7004 instance=ExtResource("1_arm")]
`+y.one("", turned, "rotation_order = 0\n")+`
[node name="Hand" parent="Other" index="0" unique_id=7002]
`+y.one("rotation_order = 1\n", "transform = Transform3D(-1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)\nrotation_order = 2\n")+`
[editable path="Other"]
`)
	y.put("space.tscn", y.head("space.tscn", "arm.tscn", "inh3.tscn")+`
[sub_resource type="BoxMesh" id="BoxMesh_one11"]
size = Vector3(1, 2, 3)

[node name="Space" type="Node3D" unique_id=6001]

[node name="Body" type="RigidBody3D" parent="." unique_id=6002]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3)
mass = 2.0

[node name="Mesh" type="MeshInstance3D" parent="Body" unique_id=6003]
mesh = SubResource("BoxMesh_one11")

[node name="Cam" type="Camera3D" parent="." unique_id=6004]
fov = 60.0

[node name="Lamp" type="OmniLight3D" parent="." unique_id=6005]
`+y.one("", "transform = Transform3D(0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6, 1, 2, 3)\nrotation_order = 1\n")+`
[node name="Plain" parent="." unique_id=6006 instance=ExtResource("1_arm")]
`+y.one("rotation_order = 5\n", "transform = Transform3D(0, 0, 2, 0, 2, 0, -2, 0, 0, 0, 0, 0)\n")+`
[node name="Heir" parent="." unique_id=6007 instance=ExtResource("2_inh3")]

[node name="Hand" parent="Heir" index="0" unique_id=7002]
rotation_order = 2

[node name="Hand" parent="Heir/Other" index="0" unique_id=7002]
rotation_order = 3

[editable path="Heir"]
`+y.one("[editable path=\"Heir/Other\"]\n", "")+`
`)
}
