package catalog

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSchemaRoundTrip(t *testing.T) {
	s := sample()
	raw, err := s.MarshalJSON()
	require.NoError(t, err)
	var back Schema
	require.NoError(t, back.UnmarshalJSON(raw))
	again, err := back.MarshalJSON()
	require.NoError(t, err)
	require.Equal(t, string(raw), string(again))
	require.Contains(t, string(raw), `"value":{"description":"Any."}`)
	require.Contains(t, string(raw), `"props":{"type":"object","description":"Any by name."}`)
	require.NotContains(t, string(raw), "null")
}

func TestDeclarationMistakesPanic(t *testing.T) {
	type noDesc struct {
		A string `json:"a"`
	}
	type badDefault struct {
		A string `json:"a" desc:"x" default:"y"`
	}
	assert.Panics(t, func() { infer(reflect.TypeFor[noDesc](), "x", true) })
	assert.Panics(t, func() { infer(reflect.TypeFor[badDefault](), "x", true) })
	assert.Panics(t, func() { infer(reflect.TypeFor[string](), "x", true) })
	assert.Panics(t, func() { Define(Declaration[struct{}, struct{}]{Toolset: "core", Handler: "x"}) })
	assert.Panics(t, func() { Step("cmd_ping", nil) })
	assert.Panics(t, func() {
		Command("cmd_create_node", nil, func(struct{}, Applied) (struct{}, error) { return struct{}{}, nil })
	})
}

func TestExposedNames(t *testing.T) {
	for _, tc := range [][3]string{
		{"core", "undo", "godot_undo"},
		{"inspection", "get_project_info", "godot_inspection_get_project_info"},
		{"scripts", "read_script", "godot_scripts_read"},
		{"scripts", "list_scripts", "godot_scripts_list"},
		{"scripts", "get_script_for_node", "godot_scripts_get_script_for_node"},
		{"export", "export_project", "godot_export_project"},
		{"input_map", "input_map_add_action", "godot_input_map_add_action"},
		{"particles", "create_particles", "godot_particles_create"},
		{"batch", "batch_set_property", "godot_batch_set_property"},
		{"physics", "setup_collision", "godot_physics_setup_collision"},
		{"theme_ui", "create_theme", "godot_theme_ui_create"},
	} {
		assert.Equal(t, tc[2], ExposedName(tc[0], tc[1], ""))
	}
	assert.Equal(t, "godot_scripts_get_for_node", ExposedName("scripts", "get_script_for_node", "get_for_node"))
}

func TestPaged(t *testing.T) {
	items := make([]string, 100)
	for i := range items {
		items[i] = "0123456789"
	}
	kept, p := Paged(items, 0, 100, 130)
	assert.Len(t, kept, 10)
	assert.Equal(t, Page{100, 10, true, 10}, p)
	kept, p = Paged(items[95:], 95, 100, 0)
	assert.Len(t, kept, 5)
	assert.Equal(t, Page{100, 5, false, 0}, p)
	kept, p = Paged(items[:1], 3, 100, 1)
	assert.Len(t, kept, 1)
	assert.Equal(t, 4, p.NextOffset)
	none, p := Paged[string](nil, 0, 0, 0)
	assert.Equal(t, []string{}, none)
	assert.False(t, p.Truncated)
	raw, err := json.Marshal(none)
	require.NoError(t, err)
	assert.Equal(t, "[]", string(raw))
}

func TestSnapshotsKeepTheNewest(t *testing.T) {
	var s Snapshots
	first := s.Put(0)
	assert.Equal(t, "s1", first)
	for i := 1; i < keptSnapshots; i++ {
		s.Put(i)
	}
	_, ok := s.Get(first)
	assert.True(t, ok)
	s.Put("new")
	_, ok = s.Get("s2")
	assert.False(t, ok)
	_, ok = s.Get(first)
	assert.True(t, ok)
}

func TestClosest(t *testing.T) {
	names := []string{"godot_scripts_write", "godot_scripts_read", "godot_scene_edit_create_node", "godot_undo", "godot_scripts_list"}
	assert.Contains(t, Closest("create_script", names, 3), "godot_scripts_write")
	assert.Equal(t, "godot_scene_edit_create_node", Closest("godot.create-node", names, 3)[0])
	assert.Empty(t, Closest("zzzz", names, 3))
	assert.LessOrEqual(t, len(Closest("scripts", names, 3)), 3)
}
