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

// undoBlock bounds the sequences that share a project.
const undoBlock = 12

// TestUndoTruthGodot plays the sequences on a real editor.
func TestUndoTruthGodot(t *testing.T) {
	p := newPool(godotBin(t), 1)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	for first := 0; first < *undoN; first += undoBlock {
		editor, err := p.take(t.Context(), "godot")
		require.NoError(t, err)
		playWalks(t, editor.(*godotBackend), *undoSeed+uint64(first), min(undoBlock, *undoN-first))
		p.giveBack(editor)
	}
}

func playWalks(t *testing.T, editor *godotBackend, seed uint64, n int) {
	files := map[string][]byte{"project.godot": []byte(plainProject)}
	for i := range n {
		maps.Copy(files, matrixFiles(folderOf(i)))
	}
	s := &session{backend: editor, flags: defaultFlags}
	require.NoError(t, s.start(t.Context(), files))
	for i := range n {
		w := &walk{session: s, folder: folderOf(i), choose: seeded(seed+uint64(i), 0).IntN}
		if err := w.run(t.Context()); err != nil {
			t.Errorf("seed %d: %v\nafter\n%s", seed+uint64(i), err, strings.Join(w.done, "\n"))
		}
		t.Logf("seed %d:\n%s", seed+uint64(i), strings.Join(w.done, "\n"))
		if !editor.healthy() {
			t.Errorf("seed %d: the editor is gone\n%s", seed+uint64(i), editor.process.tail())
			break
		}
		_, err := s.mustSucceed(t.Context(), s.tool("close_scene"), args{"confirm": true})
		require.NoError(t, err)
	}
	_ = s.close() // of an editor that is gone
}
