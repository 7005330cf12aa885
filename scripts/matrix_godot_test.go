//go:build godot

package scripts

import (
	"flag"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/stretchr/testify/require"
)

// matrixShare thins the matrix out for a slow editor: of every so many cells of a
// column one is fired, in the next column the next one.
var matrixShare = flag.Int("matrix-share", 3, "one cell in so many is fired on a real editor")

// TestVerdictMatrixGodot does the same with a third of the cells on a real editor
// (-matrix-share 1: with all), and compares each with the simulated one.
func TestVerdictMatrixGodot(t *testing.T) {
	p := newPool(godotBin(t), 1)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	cells := 0
	for _, b := range matrixBlocks() {
		editor, err := p.take(t.Context(), "godot")
		require.NoError(t, err)
		real := b.run(t, editor, *matrixShare)
		p.giveBack(editor)
		sim := b.run(t, &simBackend{}, *matrixShare)
		require.Equal(t, len(real), len(sim))
		for i := range real {
			if a, b := sim[i].text(), real[i].text(); a != b {
				t.Errorf("the editors differ in %s:\n%s", real[i].cell, diff.Diff("sim", []byte(a), "godot", []byte(b)))
			}
		}
		cells += len(real)
	}
	enough(t, cells)
}

// text is all of a record.
func (r record) text() string {
	return pretty(map[string]any{"preview": r.preview, "answer": r.answer, "live": strings.Split(r.live, "\n"), "fresh": strings.Split(r.fresh, "\n")})
}
