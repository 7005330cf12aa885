//go:build godot

package scripts

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func godotBin(t *testing.T) string {
	bin := os.Getenv("GODOT_BIN")
	require.NotEmpty(t, bin, "GODOT_BIN names the engine")
	return bin
}

// TestScenariosGodot runs every scenario on a real editor.
func TestScenariosGodot(t *testing.T) {
	runAll(t, Options{Editors: Godot, GodotBin: godotBin(t), Parallel: 2})
}

// TestScenariosCompare runs every unguarded scenario on both editors.
func TestScenariosCompare(t *testing.T) {
	runAll(t, Options{Editors: Both, GodotBin: godotBin(t), Parallel: 2})
}
