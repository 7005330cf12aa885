//go:build godot

package scripts

import (
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/stretchr/testify/require"
)

// TestVerdictMatrixGodot does the same on a real editor, and compares every cell
// with the simulated one.
func TestVerdictMatrixGodot(t *testing.T) {
	p := newPool(godotBin(t), 1)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	take := func(kind string) func() Backend {
		return func() Backend {
			b, err := p.take(t.Context(), kind)
			require.NoError(t, err)
			return b
		}
	}
	real := runMatrix(t, take("godot"), p.giveBack)
	sim := runMatrix(t, take("sim"), p.giveBack)
	require.Len(t, sim, len(real))
	for i := range real {
		if a, b := sim[i].text(), real[i].text(); a != b {
			t.Errorf("the editors differ in %s:\n%s", real[i].cell, diff.Diff("sim", []byte(a), "godot", []byte(b)))
		}
	}
}
