package scene

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The addon refuses the connections that the simulated editor refuses: both have the
// lists, and they are equal.
func TestFiringListsAreThoseOfTheAddon(t *testing.T) {
	raw, err := os.ReadFile("../../addon/godot_mcp/firing.gd")
	require.NoError(t, err)
	for name, ours := range map[string][]string{"METHODS": movers, "SIGNALS": editorSignals} {
		list := regexp.MustCompile(`(?s)const ` + name + `: PackedStringArray = \[(.*?)\]`).FindStringSubmatch(string(raw))
		require.NotNil(t, list, name)
		var theirs []string
		for _, m := range regexp.MustCompile(`"(\w+)"`).FindAllStringSubmatch(list[1], -1) {
			theirs = append(theirs, m[1])
		}
		assert.Equal(t, theirs, ours, name)
	}
}
