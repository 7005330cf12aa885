//go:build godot

package scripts

import (
	"flag"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	undoN    = flag.Int("undo-n", 12, "sequences of the undo test")
	undoSeed = flag.Uint64("undo-seed", 1, "seed of the first sequence; the next has the next")
)

// TestUndoTruthGodot plays the sequences on a real editor.
func TestUndoTruthGodot(t *testing.T) {
	p := newPool(godotBin(t), 1)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	editor, err := p.take(t.Context(), "godot")
	require.NoError(t, err)
	defer p.giveBack(editor)
	files := map[string][]byte{"project.godot": []byte(plainProject)}
	for i := range *undoN {
		maps.Copy(files, matrixFiles(t, folderOf(i)))
	}
	s := &session{backend: editor, flags: defaultFlags}
	require.NoError(t, s.start(t.Context(), files))
	for i := range *undoN {
		seed := *undoSeed + uint64(i)
		w := &walk{session: s, folder: folderOf(i), choose: seeded(seed, 0).IntN}
		if err := w.run(t.Context()); err != nil {
			t.Errorf("seed %d: %v\nafter\n%s", seed, err, strings.Join(w.done, "\n"))
		}
		_, err := s.mustSucceed(t.Context(), s.tool("close_scene"), args{"confirm": true})
		require.NoError(t, err)
	}
	require.NoError(t, s.close())
}
