//go:build godot

package scripts

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCasesGodot runs what cases_test.go shows on the real editor as well.
func TestCasesGodot(t *testing.T) {
	pool := newPool(godotBin(t), 1)
	t.Cleanup(func() { require.NoError(t, pool.close()) })
	for name, test := range map[string]func(*testing.T, Backend){
		"B052": testSizes, "B053": testManyLargeResults, "B062": testManySaves, // The real editor's own dock takes many seconds to show ten thousand.
		"B140": func(t *testing.T, b Backend) { testBigTree(t, b, 2_000) },
		"B068": func(t *testing.T, b Backend) {
			s, project := begin(t, b, map[string]string{"inner/a.gd": "extends Node\n"}), b.(*godotBackend).path("")
			testLinks(t, s, project)
			// A link that stays inside is a way like any other.
			require.NoError(t, os.Symlink("inner", filepath.Join(project, "in")))
			require.Equal(t, "extends Node\n", s.must(t, "godot_scripts_read", map[string]any{"script_path": "res://in/a.gd"})["content"])
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := pool.take(t.Context(), "godot")
			require.NoError(t, err)
			t.Cleanup(func() { pool.giveBack(b) })
			test(t, b)
		})
	}
}
