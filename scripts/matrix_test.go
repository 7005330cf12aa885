package scripts

import "testing"

// fewestCells is how many cells the matrix has at least.
const fewestCells = 400

// TestVerdictMatrix fires every editing primitive at every kind of target: what the
// preview says is what the call says is what is there after a save and a fresh load.
func TestVerdictMatrix(t *testing.T) {
	runMatrix(t, func() Backend { return &simBackend{} }, func(Backend) {})
}
