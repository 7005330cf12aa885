package tscn

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/godot/variant"
)

// strange holds what real files hold and simple readers trip over: header keys of other versions, blanks around "=",
// quoted and slashed keys, escapes, several lines, foreign scripts, comments, old names, bytes as numbers, no newline.
const strange = `[gd_scene load_steps=3 format=3 uid="uid://c5wmlmb4s4l5l"]

[ext_resource type="Script" path="res://a b.gd" id="1_s"]
[ext_resource type="PackedScene" uid="uid://b" path="res://sub.tscn" id="10_p"]
[ext_resource type="Texture2D" path="res://t.png" id="2_t"]

; a comment [with a bracket]
[sub_resource type="TileSetAtlasSource" id="A_1"]
0:0/0 = 0
0:0/0/physics_layer_0/polygon_0/points = PackedVector2Array(-8, -8, 8, -8)
"nodes/Animation 2/node" = SubResource("A_1")
transitions = ["a", "b", SubResource("A_1")]
data = {
"data": PackedByteArray(255, 0, 1),
&"key": Dictionary[int, Texture2D]({
1: ExtResource("2_t")
}),
}

[node name="Main" type="Node2D" unique_id=2085654778 future_key="x"]
metadata/_edit_group_ = true
text = "line one
line \"two\" [b]\\n
مرحبا بالعالم שלום 日本"
nothing = null
script = ExtResource("1_s")

[node name="\'Quoted\' [x] a\\b" parent="." node_paths=PackedStringArray("a", "b") groups=["k", "l"] instance=ExtResource("10_p")]
position=Vector2( 4, 0 ) ; trailing

[connection signal="pressed" from="." to="." method="go" flags=18 unbinds=1 binds= [0, &"n"]]

[editable path="It's"]`

func TestUntouchedFileKeepsItsBytes(t *testing.T) {
	for _, src := range []string{strange, "", "\n\n", "; only a comment", "a = 1\n[x]\n", "[gd_scene]", "[gd_resource type=\"X\" format=2]\r\n\r\n[resource]\r\na = 1\r\n"} {
		f, err := Parse([]byte(src))
		require.NoError(t, err)
		assert.Equal(t, src, string(f.Bytes()))
	}
}

func TestReading(t *testing.T) {
	f, err := Read(strings.NewReader(strange))
	require.NoError(t, err)
	assert.True(t, f.IsScene())
	assert.Equal(t, variant.Int(3), f.Header().Attr("load_steps"))
	assert.Len(t, f.All(TagExt), 3)
	sub := f.All(TagSub)[0]
	assert.Equal(t, []string{"0:0/0", "0:0/0/physics_layer_0/polygon_0/points", "nodes/Animation 2/node", "transitions", "data"}, keysOf(sub))
	nodes := f.All(TagNode)
	assert.Equal(t, "x", nodes[0].AttrText("future_key"))
	text, ok := nodes[0].Get("text")
	require.True(t, ok)
	assert.Equal(t, variant.String("line one\nline \"two\" [b]\\n\nمرحبا بالعالم שלום 日本"), text)
	assert.Equal(t, `'Quoted' [x] a\b`, nodes[1].AttrText("name"))
	assert.Equal(t, variant.PackedStringArray([]string{"a", "b"}), nodes[1].Attr("node_paths"))
	c := f.All(TagConnection)[0]
	assert.Equal(t, `[0, &"n"]`, c.Attr("binds").String())
	require.Len(t, f.Warnings, 1)
	assert.Equal(t, WarnNull, f.Warnings[0].Code)
	assert.Equal(t, "nothing", f.Warnings[0].Key)
	assert.Equal(t, 25, f.Warnings[0].Line)
}

func keysOf(s *Section) []string {
	var keys []string
	for _, p := range s.Properties() {
		keys = append(keys, p.Key)
	}
	return keys
}

// diff gives the lines of b that a has not.
func diff(a, b string) []string {
	old := map[string]bool{}
	for line := range strings.SplitSeq(a, "\n") {
		old[line] = true
	}
	var added []string
	for line := range strings.SplitSeq(b, "\n") {
		if !old[line] {
			added = append(added, line)
		}
	}
	return added
}

func TestEditTouchesOnlyWhatItNames(t *testing.T) {
	f, err := Parse([]byte(strange))
	require.NoError(t, err)
	f.All(TagExt)[0].SetAttr("path", variant.String("res://moved.gd"))
	node := f.All(TagNode)[1]
	node.Set("position", variant.Vector2{X: 4}.Value())
	node.Set("z index", variant.Int(3))
	out := string(f.Bytes())
	assert.Equal(t, []string{`[ext_resource type="Script" path="res://moved.gd" id="1_s"]`, `"z index" = 3`}, diff(strange, out),
		"an equal value changes nothing")
	again, err := Parse([]byte(out))
	require.NoError(t, err)
	v, _ := again.All(TagNode)[1].Get("z index")
	assert.Equal(t, variant.Int(3), v)

	assert.True(t, node.Unset("z index"))
	assert.False(t, node.Unset("z index"))
	f.All(TagExt)[0].SetAttr("path", variant.String("res://a b.gd"))
	assert.Equal(t, strange, string(f.Bytes()))
}

func TestInsertAndRemoveSections(t *testing.T) {
	const src = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n"
	f, err := Parse([]byte(src))
	require.NoError(t, err)
	f.Insert(1, NewSection(TagExt, Text("type", "Script"), Text("path", "res://a.gd"), Text("id", "1_a")))
	child := NewSection(TagNode, Text("name", "it's \"x\""), Text("type", "Node"), Text("parent", "."))
	child.Set("a", variant.NewArray())
	f.Insert(99, child)
	f.Insert(99, NewSection(TagConnection, Text("signal", "s"), Text("from", "."), Text("to", "."), Text("method", "m")))
	f.Insert(99, NewSection(TagConnection, Text("signal", "t"), Text("from", "."), Text("to", "."), Text("method", "m")))
	const want = `[gd_scene format=3]

[ext_resource type="Script" path="res://a.gd" id="1_a"]

[node name="A" type="Node"]

[node name="it\'s \"x\"" type="Node" parent="."]
a = []

[connection signal="s" from="." to="." method="m"]
[connection signal="t" from="." to="." method="m"]
`
	assert.Equal(t, want, string(f.Bytes()))
	assert.Equal(t, want, string(Format(f)))
	for _, s := range append(f.All(TagConnection), child, f.All(TagExt)[0]) {
		require.True(t, f.Remove(s))
	}
	assert.Equal(t, src, string(f.Bytes()))
}

func TestErrors(t *testing.T) {
	for _, bin := range []string{"RSRC\x00\x00", "RSCC\x02"} {
		_, err := Parse([]byte(bin))
		require.ErrorIs(t, err, ErrUnsupported)
	}
	for _, c := range []struct {
		src          string
		line, column int
	}{
		{"[gd_scene format=3]\n\n[node name=\"A\" type=]\n", 3, 21}, {"[gd_scene\n", 2, 1}, {"[]", 1, 2}, {"[node \"x\"=1]", 1, 7},
		{"[a]\nx = Vector2(1\n", 3, 1}, {"[a]\né = \"open\n", 2, 5}, {"[a]\nkey = \x00", 2, 7}, {"\xef\xbb\xbf[gd_scene format=3]", 1, 1},
	} {
		_, err := Parse([]byte(c.src))
		var e *variant.SyntaxError
		require.ErrorAs(t, err, &e, "%q", c.src)
		assert.Equal(t, [2]int{c.line, c.column}, [2]int{e.Line, e.Column}, "%q: %v", c.src, err)
	}
}

func TestUnfinishedKeyAtTheEnd(t *testing.T) {
	src := "[a]\nx = 1\nkey"
	f, err := Parse([]byte(src))
	require.NoError(t, err)
	assert.Len(t, f.Sections[0].Properties(), 1)
	assert.Equal(t, src, string(f.Bytes()))
}

func TestOneVeryLongLine(t *testing.T) {
	src := "[gd_resource type=\"ConcavePolygonShape3D\" format=3]\n\n[resource]\ndata = PackedVector3Array(" + strings.Repeat("1.5, -2, 0.33333334, ", 30_000) + "1, 2, 3)\n"
	f, err := Parse([]byte(src))
	require.NoError(t, err)
	v, _ := f.All(TagResource)[0].Get("data")
	x, _ := v.Vector3s()
	assert.Len(t, x, 30_001)
	assert.Equal(t, src, string(f.Bytes()))
	assert.Equal(t, src, string(Format(f)))
}

func FuzzTscn(f *testing.F) {
	f.Add(strange)
	f.Add("[gd_resource type=\"X\" script_class=\"Y\" format=4]\n\n[resource]\nd = PackedByteArray(\"AQ==\")\n")
	f.Add("a=1\n[x.y:z a=1 b= 2]\"k\\\"\"=&\"v\"")
	f.Fuzz(func(t *testing.T, src string) {
		file, err := Parse([]byte(src))
		if err != nil {
			return
		}
		require.Equal(t, src, string(file.Bytes()))
		once := Format(file)
		again, err := Parse(once)
		require.NoError(t, err, "%q", once)
		require.Equal(t, len(file.Sections), len(again.Sections))
		require.Equal(t, once, again.Bytes())
	})
}
