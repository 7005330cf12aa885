package bridge_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/bridge"
	"godot-mcp/server/bridge/bridgetest"
	"godot-mcp/server/wire"
)

// An older addon is served; what it lacks is known before anything fails.
func TestAnOlderAddonIsDescribed(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		old := e.Sibling("session-2")
		for _, c := range wire.Commands {
			if c.Name != wire.CmdUndo && c.Name != wire.CmdRedo {
				old.Hello.Commands = append(old.Hello.Commands, c.Name)
			}
		}
		old.Hello.Commands = append(old.Hello.Commands, "cmd_zz_future", "cmd_ping")
		old.Hello.VocabularyHash, old.Hello.PID = "0123456789abcdef", 4711
		require.NoError(t, old.Connect(t.Context()))
		defer old.Drop()
		p := b.Peer()
		assert.Equal(t, []string{wire.CmdRedo, wire.CmdUndo}, p.Missing())
		assert.True(t, p.Has("cmd_zz_future"))
		assert.False(t, p.SameVocabulary())
		assert.Equal(t, 4711, p.PID)
		assert.False(t, p.Since.IsZero())
	})
}

// An addon that does not say what it takes is held to Godot's default buffer;
// one that boasts, to the contract.
func TestMaxBytesOfThePeer(t *testing.T) {
	for said, want := range map[int]int{-1: 65535, 100000: 100000, 1 << 30: wire.MaxMessageBytes} {
		session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
			e.Drop()
			e.Hello.MaxBytes = said
			require.NoError(t, e.Connect(t.Context()))
			assert.Equal(t, want, b.Peer().MaxBytes)
		})
	}
}
