package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDemo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	out, err := execute(t, "demo")
	require.NoError(t, err, out)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	assert.LessOrEqual(t, len(lines), 45, "one screen")
	for _, l := range lines {
		assert.LessOrEqual(t, len([]rune(l)), demoWidth, l)
	}
	assert.NotContains(t, out, "\x1b", "colours are for terminals")
	for _, want := range []string{
		"simulated editor", "Enemy2 (CharacterBody2D)", "dry_run", "persisted: false", "instanced_child_not_editable",
		"set_editable_children", "[required=confirm]", `took back "MCP: Delete Enemy2"`, "+position = Vector2(200, 96)", "answered as they must",
	} {
		assert.Contains(t, out, want)
	}
	again, err := execute(t, "demo")
	require.NoError(t, err)
	assert.Equal(t, out, again, "the same every time")
	left, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	assert.Empty(t, left, "nothing is left behind")
}

// A step that does not answer as it must is named, and the demo fails.
func TestDemoFailsOnAWrongAnswer(t *testing.T) {
	for name, c := range map[string]struct{ old, new, says string }{
		"another position": {"Vector2(64, 128)", "Vector2(65, 128)", "the preview changed the scene: position is"},
		"a node less":      {`[node name="Timer" type="Timer" parent="." unique_id=2003]` + "\nwait_time = 2.0\n", "", "7 nodes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			s, err := newStage(t.Context(), "")
			require.NoError(t, err)
			for _, file := range []string{"level.tscn", "enemy.tscn"} {
				text, err := os.ReadFile(s.path(file))
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(s.path(file), []byte(strings.Replace(string(text), c.old, c.new, 1)), 0o644))
			}
			var out bytes.Buffer
			err = (&story{ctx: t.Context(), p: newPaper(&out), stage: s}).tell()
			require.NoError(t, s.close())
			require.Error(t, err)
			assert.Contains(t, out.String(), "WRONG")
			assert.Contains(t, out.String(), c.says)
		})
	}
	t.Run("no scene", func(t *testing.T) {
		s, err := newStage(t.Context(), "")
		require.NoError(t, err)
		require.NoError(t, os.Remove(s.path("level.tscn")))
		err = (&story{ctx: t.Context(), p: newPaper(&bytes.Buffer{}), stage: s}).tell()
		require.NoError(t, s.close())
		require.ErrorContains(t, err, "open a scene")
	})
}
