//go:build godot

package scripts

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCrashesGodot kills servers around a real editor.
func TestCrashesGodot(t *testing.T) {
	b, err := startGodot(t.Context(), godotBin(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.quit()) })
	crashEverywhere(t, func() Backend { return b })
}
