//go:build godot

package scripts

import (
	"flag"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/stretchr/testify/require"
)

// A real editor is slow, so by default a share of the cells is fired, spread over all
// targets and calls. The turns from 0 to one below the share take every cell once.
var (
	matrixShare = flag.Int("matrix-share", 20, "one cell in so many is fired on a real editor; 1: all")
	matrixPart  = flag.String("matrix-part", "", "nodes: the cells at nodes only; files: those with files of their own")
	matrixTurn  = flag.Int("matrix-turn", 0, "which of the shares: 0 to one below -matrix-share")
)

// TestVerdictMatrixGodot fires a share of the matrix on a real editor and compares
// each cell with the simulated one; `make matrix` fires all.
func TestVerdictMatrixGodot(t *testing.T) {
	share := share{*matrixShare, *matrixTurn}
	p := newPool(godotBin(t), 1)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	cells := 0
	both := func(fire func(Backend) []record) {
		editor, err := p.take(t.Context(), "godot")
		require.NoError(t, err)
		real := fire(editor)
		p.giveBack(editor)
		sim := fire(&simBackend{})
		require.Equal(t, len(real), len(sim))
		for i := range real {
			if a, b := sim[i].text(), real[i].text(); a != b {
				t.Errorf("the editors differ in %s:\n%s", real[i].cell, diff.Diff("sim", []byte(a), "godot", []byte(b)))
			}
		}
		cells += len(real)
	}
	if *matrixPart != "files" {
		for _, b := range matrixBlocks() {
			both(func(editor Backend) []record { return b.run(t, editor, share, nil) })
		}
	}
	if *matrixPart != "nodes" {
		for _, list := range filingBlocks(share) {
			both(func(editor Backend) []record { return fileCells(t, list, editor, nil) })
		}
	}
	enough(t, cells)
}

// text is all of a record.
func (r record) text() string {
	return pretty(map[string]any{"preview": r.preview, "answer": r.answer, "live": strings.Split(r.live, "\n"), "fresh": strings.Split(r.fresh, "\n")})
}
