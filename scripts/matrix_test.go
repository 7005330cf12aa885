package scripts

import (
	"fmt"
	"sync/atomic"
	"testing"
)

// TestVerdictMatrix fires every editing primitive at every kind of target: what the
// preview says is what the call says is what is there after a save and a fresh load.
func TestVerdictMatrix(t *testing.T) {
	var cells atomic.Int64
	t.Run("all", func(t *testing.T) {
		for i, b := range matrixBlocks() {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				cells.Add(int64(len(b.run(t, &simBackend{}, share{of: 1}))))
			})
		}
	})
	enough(t, int(cells.Load()))
}
