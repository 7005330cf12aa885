package classdb_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/godot/classdb"
)

func TestClasses(t *testing.T) {
	assert.Contains(t, classdb.EngineVersion(), "4.6")
	names := classdb.Names()
	assert.Greater(t, len(names), 1000)
	assert.True(t, slices.IsSorted(names))
	info, ok := classdb.Class("Node2D")
	require.True(t, ok)
	assert.Equal(t, classdb.ClassInfo{Name: "Node2D", Parent: "CanvasItem", Instantiable: true}, info)
	assert.Equal(t, []string{"Sprite2D", "Node2D", "CanvasItem", "Node", "Object"}, classdb.Chain("Sprite2D"))
	assert.True(t, classdb.Inherits("Sprite2D", "Node"))
	assert.True(t, classdb.Inherits("Node", "Node"))
	assert.False(t, classdb.Inherits("Node", "Sprite2D"))
	assert.False(t, classdb.Inherits("Nope", "Nope"))
	assert.True(t, classdb.Instantiable("Node"))
	assert.False(t, classdb.Instantiable("CanvasItem"))
	assert.False(t, classdb.Instantiable("EditorPlugin"), "editor class")
	assert.Empty(t, classdb.Chain("Nope"))
	assert.Empty(t, classdb.StoredProperties("Nope"))
}

func TestPropertyOrderIsThatOfSceneFiles(t *testing.T) {
	var names []string
	for _, p := range classdb.StoredProperties("Node2D") {
		names = append(names, p.Name)
	}
	assert.Equal(t, []string{
		"unique_name_in_owner", "process_mode", "process_priority", "process_physics_priority", "process_thread_group",
		"process_thread_group_order", "process_thread_messages", "physics_interpolation_mode", "auto_translate_mode",
		"editor_description", "visible", "modulate", "self_modulate", "show_behind_parent", "top_level",
		"clip_children", "light_mask", "visibility_layer", "z_index", "z_as_relative", "y_sort_enabled", "texture_filter",
		"texture_repeat", "material", "use_parent_material", "position", "rotation", "scale", "skew", "script",
	}, names)
}

func TestDefaults(t *testing.T) {
	for _, c := range []struct{ class, property, text string }{
		{"Node2D", "position", "Vector2(0, 0)"},
		{"Node2D", "visible", "true"},
		{"Sprite2D", "visible", "true"},
		{"Sprite2D", "texture", "null"},
		{"Control", "mouse_filter", "0"},
		{"Label", "mouse_filter", "2"},
		{"Label", "text", `""`},
		{"Label", "size_flags_vertical", "4"},
		{"AnimatedSprite3D", "sorting_offset", "0.0"},
		{"Node", "script", "null"},
		{"TileMap", "format", "0"},
	} {
		text, ok := classdb.Default(c.class, c.property)
		assert.True(t, ok, "%s.%s", c.class, c.property)
		assert.Equal(t, c.text, text, "%s.%s", c.class, c.property)
	}
	for _, c := range [][2]string{{"CanvasItem", "visible"}, {"BaseButton", "disabled"}, {"Node", "nope"}} {
		_, ok := classdb.Default(c[0], c[1])
		assert.False(t, ok, "%s.%s", c[0], c[1])
	}
}

func TestDynamicAndConditional(t *testing.T) {
	format, ok := classdb.Property("TileMap", "format")
	require.True(t, ok)
	assert.True(t, format.Dynamic)
	assert.Equal(t, "2", format.Initial)
	assert.Equal(t, []classdb.Written{{Name: "format", Value: "2"}}, classdb.WrittenFresh("TileMap"))
	assert.Empty(t, classdb.WrittenFresh("Sprite2D"))

	order, ok := classdb.Property("Node2D", "process_thread_group_order")
	require.True(t, ok)
	assert.True(t, order.Conditional)
	offset, ok := classdb.Property("Sprite3D", "sorting_offset")
	require.True(t, ok)
	assert.Equal(t, "VisualInstance3D", offset.Owner)
}

func TestSignalsMethodsEnums(t *testing.T) {
	timeout, ok := classdb.FindSignal("Timer", "timeout")
	require.True(t, ok)
	assert.Equal(t, classdb.Signal{Name: "timeout", Owner: "Timer"}, timeout)
	entered, ok := classdb.FindSignal("Area2D", "body_entered")
	require.True(t, ok)
	assert.Equal(t, []classdb.Arg{{Name: "body", Type: classdb.TypeObject, ClassName: "Node2D"}}, entered.Args)
	_, ok = classdb.FindSignal("Timer", "tree_entered")
	assert.True(t, ok, "inherited")
	assert.Equal(t, "script_changed", classdb.Signals("Timer", true)[0].Name)

	start, ok := classdb.FindMethod("Timer", "start")
	require.True(t, ok)
	assert.Equal(t, 1, start.Defaults)
	assert.Equal(t, "time_sec", start.Args[0].Name)
	assert.Equal(t, "float", start.Args[0].Type.String())
	ready, ok := classdb.FindMethod("Timer", "_ready")
	require.True(t, ok)
	assert.NotZero(t, ready.Flags&classdb.MethodVirtual)
	assert.Equal(t, "Node", ready.Owner)

	enums := classdb.Enums("Node", false)
	i := slices.IndexFunc(enums, func(e classdb.Enum) bool { return e.Name == "ProcessMode" })
	require.GreaterOrEqual(t, i, 0)
	assert.Equal(t, classdb.Constant{Name: "PROCESS_MODE_INHERIT", Owner: "Node"}, enums[i].Values[0])
	assert.NotEmpty(t, classdb.Constants("Node", false))
	assert.Contains(t, classdb.BuiltinTypes(), "Vector2")
	assert.Contains(t, classdb.GlobalFunctions(), "lerp")
	assert.Contains(t, classdb.Singletons(), "Input")
	assert.Contains(t, classdb.GlobalEnums(), classdb.Enum{Name: "Orientation", Values: []classdb.Constant{
		{Name: "VERTICAL", Value: 1}, {Name: "HORIZONTAL", Value: 0}}})
}

func TestSuggest(t *testing.T) {
	assert.Equal(t, "Sprite2D", classdb.Suggest("Sprit2D", 3)[0])
	assert.Equal(t, "CharacterBody2D", classdb.Suggest("CharacterBody", 3)[0])
	assert.Equal(t, "Node2D", classdb.Suggest("node2d", 1)[0])
	assert.Len(t, classdb.Suggest("Node", 3), 3)
	assert.Empty(t, classdb.Suggest("zzzzzzzzzzzzz", 3))
	assert.Empty(t, classdb.Suggest("Node", 0))
	assert.Equal(t, "position", classdb.SuggestProperty("Node2D", "positin", 3)[0])
}

// Every class can be resolved, and what it says of itself is consistent.
func TestWholeTable(t *testing.T) {
	for _, name := range classdb.Names() {
		info, _ := classdb.Class(name)
		assert.True(t, info.Parent == "" || classdb.Exists(info.Parent), name)
		seen := map[string]bool{}
		for _, p := range classdb.Properties(name, true) {
			assert.False(t, seen[p.Name], "%s.%s twice", name, p.Name)
			seen[p.Name] = true
			assert.True(t, classdb.Inherits(name, p.Owner), "%s.%s of %s", name, p.Name, p.Owner)
		}
		classdb.Methods(name, false)
	}
}
