//go:build godot

package addon_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"godot-mcp/addon"
	"godot-mcp/server/wire"
)

func TestHello(t *testing.T) {
	h := shared.link.Hello
	assert.Equal(t, wire.VocabularyHash, h.VocabularyHash)
	assert.Equal(t, "godot", h.Backend)
	assert.Equal(t, addon.Version, h.AddonVersion)
	assert.Equal(t, shared.project, h.ProjectPath)
	assert.Equal(t, "Addon test", h.ProjectName)
	assert.Equal(t, shared.editor.PID(), h.PID)
	assert.Equal(t, wire.MaxMessageBytes, h.MaxBytes)
	assert.GreaterOrEqual(t, len(h.Session), 8)
	var want []string
	for _, c := range wire.Commands {
		want = append(want, c.Name)
	}
	slices.Sort(want)
	assert.Equal(t, want, h.Commands)
}

var fault = regexp.MustCompile(`(?m)^.*(SCRIPT ERROR|ERROR|WARNING).*$`)

// Loading the addon prints nothing that a person would take for a fault.
func TestNothingIsPrintedOnLoad(t *testing.T) {
	assert.Empty(t, fault.FindAllString(shared.loading, -1))
}

func TestPing(t *testing.T) {
	assert.True(t, ask[wire.PingResult](t, wire.CmdPing, wire.Ping{}).Pong)
	refuse(t, wire.ReasonBadParams, wire.CmdPing, map[string]any{"x": 1})
	refuse(t, wire.ReasonUnknownCommand, "cmd_nope", nil)
}
