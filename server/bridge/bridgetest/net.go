// Package bridgetest has what tests need to run a bridge without an editor: an
// in-memory network, which works inside a testing/synctest bubble, and a
// scripted peer that speaks the wire protocol.
package bridgetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"godot-mcp/server/bridge"
	"godot-mcp/server/bridge/memory"
)

// Net is one listening address in memory.
type Net = memory.Net

// NewNet makes a network that nobody listens on yet; dialling waits.
func NewNet() *Net { return memory.NewNet() }

// Start runs a bridge in memory until the test ends.
func Start(t testing.TB, cfg bridge.Config) (*bridge.Bridge, *Net) {
	t.Helper()
	n := NewNet()
	cfg.Listen = n.Listen
	b, err := bridge.New(cfg)
	require.NoError(t, err)
	require.NoError(t, b.Start())
	t.Cleanup(b.Close)
	return b, n
}
