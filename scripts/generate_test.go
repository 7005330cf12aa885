package scripts

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// A world for random runs: a base scene, a scene that instances it plainly and
// with editable children, one that inherits it, and scripts.
func drawProject(t *rapid.T) map[string][]byte {
	files := map[string][]byte{"project.godot": []byte(plainProject)}
	files["base.tscn"] = []byte(`[gd_scene format=3 uid="uid://cbase00000001"]

[sub_resource type="RectangleShape2D" id="RectangleShape2D_base1"]
size = Vector2(10, 20)

[node name="Enemy" type="CharacterBody2D" unique_id=1001 groups=["base_root"]]

[node name="Sprite" type="Sprite2D" parent="." unique_id=1002 groups=["base_group"]]
position = Vector2(1, 2)

[node name="Shape" type="CollisionShape2D" parent="." unique_id=1003]
shape = SubResource("RectangleShape2D_base1")

[node name="T" type="Timer" parent="." unique_id=1004]
wait_time = 2.0

[node name="Inner" type="Node2D" parent="." unique_id=1005]

[node name="Deep" type="Node2D" parent="Inner" unique_id=1006]

[connection signal="timeout" from="T" to="." method="queue_redraw"]
`)
	files["hero.gd"] = []byte("class_name Hero\nextends Node2D\n\nsignal hit(damage: int)\n\n@export var hp: int = 3\n@export var tag: String = \"\"\nvar plain := 1\n\n\nfunc _on_hit(_damage: int = 0) -> void:\n\tpass\n")
	var b strings.Builder
	b.WriteString("[gd_scene format=3 uid=\"uid://cmain00000001\"]\n\n")
	b.WriteString("[ext_resource type=\"PackedScene\" uid=\"uid://cbase00000001\" path=\"res://base.tscn\" id=\"1_base\"]\n\n")
	b.WriteString("[node name=\"Main\" type=\"Node2D\" unique_id=1]\n")
	kinds := []string{"Node2D", "Control", "Timer", "Area2D", "Label"}
	paths := []string{"."}
	for i := range rapid.IntRange(1, 6).Draw(t, "own nodes") {
		parent := rapid.SampledFrom(paths).Draw(t, "parent")
		name := fmt.Sprintf("N%d", i)
		fmt.Fprintf(&b, "\n[node name=%q type=%q parent=%q unique_id=%d]\n", name, rapid.SampledFrom(kinds).Draw(t, "kind"), parent, 10+i)
		paths = append(paths, strings.TrimPrefix(parent+"/"+name, "./"))
	}
	b.WriteString("\n[node name=\"Inst\" parent=\".\" unique_id=1001 instance=ExtResource(\"1_base\")]\n")
	b.WriteString("\n[node name=\"Edit\" parent=\".\" unique_id=40 instance=ExtResource(\"1_base\")]\n")
	b.WriteString("\n[editable path=\"Edit\"]\n")
	files["main.tscn"] = []byte(b.String())
	files["inh.tscn"] = []byte(`[gd_scene format=3 uid="uid://cinh000000001"]

[ext_resource type="PackedScene" uid="uid://cbase00000001" path="res://base.tscn" id="1_base"]

[node name="Enemy" unique_id=1001 instance=ExtResource("1_base")]

[node name="Own" type="Node2D" parent="." unique_id=2001]
`)
	return files
}

// A step is one call of a random run.
type step struct {
	Tool string
	Args map[string]any
}

func (s step) String() string { return s.Tool + " " + compact(s.Args) }

// drawStep draws a call that makes some sense on a scene with these nodes.
// Some calls are refused; the laws hold for those as well.
func drawStep(t *rapid.T, nodes []string) step {
	node := func(label string) string { return rapid.SampledFrom(nodes).Draw(t, label) }
	name := rapid.SampledFrom([]string{"A", "B", "N0", "Sprite", "Foo9", "a.b", "Ü"}).Draw(t, "name")
	class := rapid.SampledFrom([]string{"Node2D", "Sprite2D", "Timer", "Control", "Label", "VBoxContainer", "CollisionShape2D", "Hero"}).Draw(t, "class")
	group := rapid.SampledFrom([]string{"g1", "g2", "base_group", "base_root"}).Draw(t, "group")
	switch rapid.SampledFrom([]string{
		"create_node", "create_node", "create_node", "set_node_property", "set_node_property", "set_node_property", "set_node_property",
		"delete_node", "rename_node", "move_node", "duplicate_node", "add_to_group", "remove_from_group",
		"instance_scene", "set_editable_children", "connect_signal", "disconnect_signal", "attach_script",
		"get_scene_tree", "get_node_property", "list_signal_connections",
	}).Draw(t, "tool") {
	case "create_node":
		return step{"create_node", map[string]any{"parent_path": node("parent"), "node_type": class, "node_name": name}}
	case "set_node_property":
		p := rapid.SampledFrom([]step{
			{"position", map[string]any{"x": 3, "y": 4.5}}, {"visible", nil}, {"rotation", nil}, {"modulate", nil}, {"wait_time", nil},
			{"process_mode", nil}, {"text", nil}, {"shape", nil}, {"hp", nil}, {"unique_name_in_owner", nil}, {"editor_description", nil},
		}).Draw(t, "property")
		values := map[string]any{
			"position": map[string]any{"x": rapid.IntRange(-3, 3).Draw(t, "x"), "y": 4.5}, "visible": rapid.Bool().Draw(t, "visible"),
			"rotation": rapid.SampledFrom([]float64{0, 0.1, 1.5}).Draw(t, "rotation"), "modulate": "#ff8800", "wait_time": 0.5,
			"process_mode": rapid.IntRange(0, 4).Draw(t, "mode"), "text": rapid.SampledFrom([]string{"", "hi", "a\nb \"q\""}).Draw(t, "text"),
			"shape": map[string]any{"new": "CircleShape2D", "properties": map[string]any{"radius": 7}}, "hp": rapid.IntRange(0, 9).Draw(t, "hp"),
			"unique_name_in_owner": rapid.Bool().Draw(t, "unique"), "editor_description": "note",
		}
		return step{"set_node_property", map[string]any{"node_path": node("node"), "property": p.Tool, "value": values[p.Tool]}}
	case "delete_node":
		return step{"delete_node", map[string]any{"node_path": node("node"), "confirm": true}}
	case "rename_node":
		return step{"rename_node", map[string]any{"node_path": node("node"), "new_name": name}}
	case "move_node":
		return step{"move_node", map[string]any{"node_path": node("node"), "new_parent_path": node("new parent"), "index": rapid.IntRange(-1, 3).Draw(t, "index")}}
	case "duplicate_node":
		return step{"duplicate_node", map[string]any{"node_path": node("node")}}
	case "add_to_group", "remove_from_group":
		return step{rapid.SampledFrom([]string{"add_to_group", "remove_from_group"}).Draw(t, "way"), map[string]any{"node_path": node("node"), "group": group}}
	case "instance_scene":
		return step{"instance_scene", map[string]any{"parent_path": node("parent"), "scene_path": "res://base.tscn", "name": name}}
	case "set_editable_children":
		return step{"set_editable_children", map[string]any{"node_path": node("node"), "editable": rapid.Bool().Draw(t, "editable"), "confirm": true}}
	case "connect_signal", "disconnect_signal":
		tool := rapid.SampledFrom([]string{"connect_signal", "disconnect_signal"}).Draw(t, "way")
		args := map[string]any{
			"source_path": node("source"), "signal_name": rapid.SampledFrom([]string{"tree_entered", "timeout", "hit"}).Draw(t, "signal"),
			"target_path": node("target"), "method_name": rapid.SampledFrom([]string{"queue_redraw", "queue_free", "_on_hit"}).Draw(t, "method"),
		}
		if tool == "disconnect_signal" {
			args["confirm"] = true
		}
		return step{tool, args}
	case "attach_script":
		return step{"attach_script", map[string]any{"node_path": node("node"), "script_path": "res://hero.gd"}}
	case "get_node_property":
		return step{"get_node_property", map[string]any{"node_path": node("node"), "property": "position"}}
	case "list_signal_connections":
		return step{"list_signal_connections", map[string]any{"node_path": node("node")}}
	}
	return step{"get_scene_tree", map[string]any{}}
}
