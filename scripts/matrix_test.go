package scripts

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// fewestCells is how many cells the matrix has at least.
const fewestCells = 400

// TestVerdictMatrix fires every editing primitive at every kind of target: what the
// preview says is what the call says is what is there after a save and a fresh load.
func TestVerdictMatrix(t *testing.T) {
	cells := runMatrix(t, func() Backend { return &simBackend{} }, func(Backend) {})
	t.Logf("%d cells", len(cells))
	require.GreaterOrEqual(t, len(cells), fewestCells)
}
