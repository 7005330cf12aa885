package names

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The numbers are those of String.similarity in engine 4.6.
func TestSimilarity(t *testing.T) {
	require.InDelta(t, 1, Similarity("Player", "Player"), 1e-9)
	require.InDelta(t, 0, Similarity("P", "Player"), 1e-9)
	require.InDelta(t, 8.0/9.0, Similarity("Playe", "Player"), 1e-9)
	require.InDelta(t, 0, Similarity("abc", "xyz"), 1e-9)
}

func TestNear(t *testing.T) {
	require.Equal(t, []string{"Player", "Playing"}, Near("Playe", []string{"Enemy", "Playing", "Player", "Player"}, 3))
	require.Equal(t, []string{}, Near("zz", []string{"Enemy"}, 3))
}
