package tscn

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/godot/variant"
)

// The layout of a scene that engine 4.6.3 saved, with sections and attributes in another order here.
func TestFormatLaysOutAsTheEngine(t *testing.T) {
	root := NewSection(TagNode, With("unique_id", variant.Int(2085654778)), Text("type", "Node2D"), Text("name", "Main"))
	kid := NewSection(TagNode, With("groups", variant.NewArray(variant.String("k"))), With("node_paths", variant.PackedStringArray([]string{"tn"})),
		Text("name", "Kid"), Text("parent", "Base"), With("unique_id", variant.Int(587110261)), Text("index", "0"))
	kid.Set("position", variant.Vector2{X: 4}.Value())
	kid.Set("metadata/my key", variant.NewDictionary(variant.Entry{Key: variant.String("b"), Value: variant.Float(1)}))
	base := NewSection(TagNode, Text("name", "Base"), With("instance", variant.ExtResource("10_b")), Text("parent", "."))
	shape := NewSection(TagSub, Text("id", "RectangleShape2D_1bvp3"), Text("type", "RectangleShape2D"))
	shape.Set("size", variant.Vector2{X: 9, Y: 9}.Value())
	f := &File{Sections: []*Section{
		NewSection(TagScene, With("load_steps", variant.Int(4)), Text("uid", "uid://c5wmlmb4s4l5l")),
		root, base, kid, shape,
		NewSection(TagEditable, Text("path", "Base")),
		NewSection(TagExt, Text("type", "PackedScene"), Text("id", "10_b"), Text("path", "res://b.tscn")),
		NewSection(TagExt, Text("path", "res://all.gd"), Text("id", "2_a"), Text("type", "Script"), Text("uid", "uid://cfp5r85m40lpl")),
		NewSection(TagConnection, Text("signal", "draw"), Text("from", "."), Text("to", "Base"), Text("method", "queue_redraw"),
			With("flags", variant.Int(2)), With("unbinds", variant.Int(0)), With("binds", variant.NewArray())),
		NewSection(TagConnection, Text("signal", "renamed"), Text("from", "Base"), Text("to", "."), Text("method", "m"),
			With("binds", variant.NewArray(variant.Int(0))), With("flags", variant.Int(18))),
	}}
	const want = `[gd_scene format=3 uid="uid://c5wmlmb4s4l5l"]

[ext_resource type="Script" uid="uid://cfp5r85m40lpl" path="res://all.gd" id="2_a"]
[ext_resource type="PackedScene" path="res://b.tscn" id="10_b"]

[sub_resource type="RectangleShape2D" id="RectangleShape2D_1bvp3"]
size = Vector2(9, 9)

[node name="Main" type="Node2D" unique_id=2085654778]

[node name="Base" parent="." instance=ExtResource("10_b")]

[node name="Kid" parent="Base" index="0" unique_id=587110261 node_paths=PackedStringArray("tn") groups=["k"]]
position = Vector2(4, 0)
"metadata/my key" = {
"b": 1.0
}

[connection signal="draw" from="." to="Base" method="queue_redraw"]
[connection signal="renamed" from="Base" to="." method="m" flags=18 binds= [0]]

[editable path="Base"]
`
	assert.Equal(t, want, string(Format(f)))
	again, err := Parse([]byte(want))
	require.NoError(t, err)
	assert.Equal(t, want, string(Format(again)))
}

func TestFormatNumber(t *testing.T) {
	file := func(v variant.Value) *File {
		main := NewSection(TagResource)
		main.Set("a", v)
		return &File{Sections: []*Section{NewSection(TagResourceDoc, Text("type", "Resource")), main}}
	}
	bytes := func(n int) variant.Value { return variant.PackedByteArray(make([]byte, n)) }
	assert.Equal(t, "[gd_resource type=\"Resource\" format=3]\n\n[resource]\na = PackedByteArray(0, 0)\n", string(Format(file(bytes(2)))))
	assert.Equal(t, variant.Format3, FormatFor(bytes(64)))
	assert.Equal(t, variant.Format4, FormatFor(variant.NewArray(bytes(65))))
	assert.Equal(t, variant.Format4, FormatFor(variant.NewDictionary(variant.Entry{Value: variant.PackedVector4Array(nil)})))
	long := NewSection(TagSub, Text("type", "Image"), Text("id", "Image_a"))
	long.Set("data", bytes(65))
	f := file(bytes(1))
	f.Insert(1, long)
	assert.Contains(t, string(Format(f)), "format=4")
	assert.Contains(t, string(Format(f)), `a = PackedByteArray("AA==")`, "the whole file changes")
}
