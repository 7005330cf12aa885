//go:build godot

package scripts

import (
	"flag"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/stretchr/testify/require"
)

// A real editor is slow, so by default a share of the cells is fired, spread over all
// targets and calls. The turns from 0 to one below the share take every cell once.
var (
	matrixShare   = flag.Int("matrix-share", 20, "one cell in so many is fired on a real editor; 1: all")
	matrixPart    = flag.String("matrix-part", "", "nodes: the cells at nodes only; files: those with files of their own")
	matrixEditors = flag.Int("matrix-editors", 2, "how many real editors fire cells at a time")
	matrixTurn    = flag.Int("matrix-turn", 0, "which of the shares: 0 to one below -matrix-share")
)

// TestVerdictMatrixGodot fires a share of the matrix on a real editor and compares
// each cell with the simulated one; `make matrix` fires all.
func TestVerdictMatrixGodot(t *testing.T) {
	share := share{*matrixShare, *matrixTurn}
	p := newPool(godotBin(t), *matrixEditors)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	var cells atomic.Int64
	both := func(t *testing.T, name string, fire func(*testing.T, Backend) []record) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			editor, err := p.take(t.Context(), "godot")
			require.NoError(t, err)
			real := func() []record {
				defer p.giveBack(editor)
				return fire(t, editor)
			}()
			sim := fire(t, &simBackend{})
			require.Equal(t, len(real), len(sim))
			for i := range real {
				if a, b := sim[i].text(), real[i].text(); a != b {
					t.Errorf("the editors differ in %s:\n%s", real[i].cell, diff.Diff("sim", []byte(a), "godot", []byte(b)))
				}
			}
			cells.Add(int64(len(real)))
		})
	}
	t.Run("blocks", func(t *testing.T) {
		if *matrixPart != "files" {
			for i, b := range matrixBlocks() {
				both(t, fmt.Sprintf("nodes%02d", i), func(t *testing.T, editor Backend) []record { return b.run(t, editor, share, nil) })
			}
		}
		if *matrixPart != "nodes" {
			for i, list := range filingBlocks(share) {
				both(t, fmt.Sprintf("files%02d", i), func(t *testing.T, editor Backend) []record { return fileCells(t, list, editor, nil) })
			}
		}
	})
	enough(t, int(cells.Load()))
}

// text is all of a record.
func (r record) text() string {
	return pretty(map[string]any{"preview": r.preview, "answer": r.answer, "live": strings.Split(r.live, "\n"), "fresh": strings.Split(r.fresh, "\n")})
}
