//go:build godot

package scripts

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/stretchr/testify/require"
)

// TestVerdictMatrixGodot does the same on a real editor, and compares every cell
// with the simulated one.
func TestVerdictMatrixGodot(t *testing.T) {
	p := newPool(godotBin(t), 1)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	cells := 0
	for _, b := range matrixBlocks() {
		editor, err := p.take(t.Context(), "godot")
		require.NoError(t, err)
		real := b.run(t, editor)
		p.giveBack(editor)
		sim := b.run(t, &simBackend{})
		require.Len(t, sim, len(real))
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
