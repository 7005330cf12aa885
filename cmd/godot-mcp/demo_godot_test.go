//go:build godot

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// godotBin is read before TestMain clears the settings.
var godotBin = os.Getenv("GODOT_BIN")

// TestDemoOnGodot plays the demo on the real editor; apart from the name of the
// editor it prints what the simulated one prints.
func TestDemoOnGodot(t *testing.T) {
	require.NotEmpty(t, godotBin, "GODOT_BIN names the engine")
	t.Setenv("TMPDIR", t.TempDir())
	real, err := execute(t, "demo", "--godot", godotBin)
	require.NoError(t, err, real)
	simulated, err := execute(t, "demo")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(real, "\n")
	_, want, _ := strings.Cut(simulated, "\n")
	require.Equal(t, want, rest)
	left, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	require.Empty(t, left, "nothing is left behind")
}
