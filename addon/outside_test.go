//go:build godot

package addon_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/wire"
)

// TestResourcesThatChangedOutside: every kind of file that a save of a scene writes for
// an edited resource is looked at before; what a scan lets the editor read anew is no
// change any more.
func TestResourcesThatChangedOutside(t *testing.T) {
	put(t, "o/shade.gdshader", "shader_type canvas_item;\n")
	put(t, "o/box.tres", "[gd_resource type=\"RectangleShape2D\" format=3]\n\n[resource]\nsize = Vector2(4, 4)\n")
	eval(t, "var s = CircleShape2D.new()\ns.radius = 5\nResourceSaver.save(s, 'res://o/round.res')\nEditorInterface.get_resource_filesystem().update_file('res://o/round.res')")
	// The editor does not look into folders that it has never scanned.
	eval(t, "EditorInterface.get_resource_filesystem().scan()\nfor i in 200:\n\tawait plugin.get_tree().process_frame\n\tif i > 5 and EditorInterface.get_resource_filesystem().get_filesystem_path('res://o/') != null:\n\t\tbreak")
	open(t, "o/main.tscn", `[gd_scene format=3]

[ext_resource type="Shape2D" path="res://o/box.tres" id="1"]
[ext_resource type="Shape2D" path="res://o/round.res" id="2"]
[ext_resource type="Shader" path="res://o/shade.gdshader" id="3"]

[sub_resource type="ShaderMaterial" id="m"]
shader = ExtResource("3")

[node name="Main" type="Sprite2D"]
material = SubResource("m")

[node name="Box" type="CollisionShape2D" parent="."]
shape = ExtResource("1")

[node name="Round" type="CollisionShape2D" parent="."]
shape = ExtResource("2")
`)
	theirs := func(path, text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(shared.project, filepath.FromSlash(path)), []byte(text), 0o644))
	}
	for _, c := range []struct{ path, node, property, value string }{
		{"o/round.res", "Round", "shape:radius", `7`},
		{"o/shade.gdshader", ".", "material:shader:code", `"shader_type canvas_item;\n// ours\n"`},
		{"o/box.tres", "Box", "shape:size", `{"x":7,"y":7}`},
	} {
		// Not edited, not written: no conflict.
		before := read(t, c.path)
		theirs(c.path, before+"\n// theirs\n")
		saved := ask[wire.SaveSceneResult](t, wire.CmdSaveScene, wire.SaveScene{})
		assert.NotContains(t, saved.Also, "res://"+c.path)
		theirs(c.path, before)

		transact(t, "edit", set(c.node, c.property, c.value))
		ask[wire.SaveSceneResult](t, wire.CmdSaveScene, wire.SaveScene{DryRun: true})
		theirs(c.path, before+"\n// theirs\n")
		for _, p := range []wire.SaveScene{{DryRun: true}, {}} {
			e := refuse(t, wire.ReasonChanged, wire.CmdSaveScene, p)
			assert.Equal(t, "res://"+c.path, e.Details["path"])
			assert.Equal(t, true, e.Details["resource"])
		}
		assert.Equal(t, before+"\n// theirs\n", read(t, c.path))
		saved = ask[wire.SaveSceneResult](t, wire.CmdSaveScene, wire.SaveScene{OverwriteExternal: true})
		assert.Equal(t, []string{"res://" + c.path}, saved.Also)
		require.Len(t, saved.OverwroteAlso, 1)
		assert.NotContains(t, read(t, c.path), "theirs")
	}

	// As when a person comes back to the editor's window: it reads the file anew.
	transact(t, "edit", set("Box", "shape:size", `{"x":8,"y":8}`))
	theirs("o/box.tres", "[gd_resource type=\"RectangleShape2D\" format=3]\n\n[resource]\nsize = Vector2(50, 1)\n")
	stamp := filepath.Join(shared.project, "o", "box.tres")
	info, err := os.Stat(stamp)
	require.NoError(t, err)
	later := info.ModTime().Add(3e9)
	require.NoError(t, os.Chtimes(stamp, later, later))
	eval(t, "EditorInterface.get_resource_filesystem().scan_sources()\nfor i in 100:\n\tawait plugin.get_tree().process_frame\n\tif root.get_node('Box').shape.size.x == 50:\n\t\tbreak")
	assert.Equal(t, float64(50), eval(t, "return root.get_node('Box').shape.size.x"))
	ask[wire.SaveSceneResult](t, wire.CmdSaveScene, wire.SaveScene{})
	assert.Contains(t, read(t, "o/box.tres"), "Vector2(50, 1)")

	closeAll(t)
	eval(t, "for f in ['main.tscn', 'box.tres', 'round.res', 'shade.gdshader']:\n\tDirAccess.remove_absolute('res://o/' + f)\n\tEditorInterface.get_resource_filesystem().update_file('res://o/' + f)")
}
