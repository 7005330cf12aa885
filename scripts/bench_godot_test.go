//go:build godot

package scripts

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkGodot times the same calls on a real headless editor, without the proxy
// that scenarios put between.
func BenchmarkGodot(b *testing.B) {
	bin := os.Getenv("GODOT_BIN")
	require.NotEmpty(b, bin, "GODOT_BIN names the engine")
	benchEditor(b, func(ctx context.Context) (Backend, func()) {
		g, err := startGodot(ctx, bin)
		require.NoError(b, err)
		g.direct = true
		return g, func() { require.NoError(b, g.quit()) }
	})
}
