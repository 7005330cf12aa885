package scripts

import (
	"fmt"
	"sync/atomic"
	"testing"
)

// TestVerdictMatrix fires every editing primitive at every kind of target: what the
// preview says is what the call says is what is there after a save and a fresh load. The
// wire's tables tell whether that was every one; see whole.
func TestVerdictMatrix(t *testing.T) {
	var cells atomic.Int64
	all := newWatch()
	t.Run("all", func(t *testing.T) {
		for i, b := range matrixBlocks() {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				own := newWatch()
				cells.Add(int64(len(b.run(t, &simBackend{observe: own.see}, simShare, own))))
				all.add(own)
			})
		}
		for i, list := range filingBlocks(simShare) {
			t.Run(fmt.Sprint("files ", i), func(t *testing.T) {
				t.Parallel()
				own := newWatch()
				cells.Add(int64(len(fileCells(t, list, &simBackend{observe: own.see}, own))))
				all.add(own)
			})
		}
	})
	if enough(t, int(cells.Load())) && simShare.of == 1 {
		all.whole(t, matrixTargets())
	}
}
