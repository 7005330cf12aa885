//go:build godot

package scripts

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestThousandsOfStepsGodot plays it on a real editor: answers, trees and files are
// those of the simulated one.
func TestThousandsOfStepsGodot(t *testing.T) {
	p := newPool(godotBin(t), 1)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	editor, err := p.take(t.Context(), "godot")
	require.NoError(t, err)
	real := playThousands(t, editor, thousands)
	sim := playThousands(t, &simBackend{}, thousands)
	for i := range sim.results {
		require.JSONEq(t, string(sim.results[i]), string(real.results[i]), "step %d", i)
	}
	for _, pair := range [][2]state{{sim.start, real.start}, {sim.last, real.last}} {
		require.NoError(t, differ("both editors end alike", pair[0].masked(), pair[1].masked()))
	}
}

// masked is the state without the digits that the engine draws at random.
func (s state) masked() state {
	out := state{s.live, map[string]string{}}
	for file, text := range s.files {
		out.files[file] = maskIDs(file, text)
	}
	return out
}
