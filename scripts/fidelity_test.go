package scripts

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/wire"
)

// looseningsText lists the loosenings as FIDELITY.md shows them.
func looseningsText() string {
	var b strings.Builder
	b.WriteString("What the comparison does not look at, or keeps out of its sequences.\n\n| Loosening | Calls | What | Why |\n| --- | --- | --- | --- |\n")
	for _, l := range loosenings {
		calls := strings.Join(l.Tools, ", ")
		if calls == "" {
			calls = "all"
		}
		what := l.What
		if l.Drawn {
			what = "not drawn: " + what
		}
		if l.Apart {
			what = "in sequences of their own (-compare-tabs): " + what
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", l.Name, calls, what, l.Why)
	}
	return b.String()
}

// TestFidelityIsWhole holds FIDELITY.md to naming every command of the wire once, and
// every loosening of the comparison as it is in the code.
func TestFidelityIsWhole(t *testing.T) {
	raw, err := os.ReadFile("FIDELITY.md")
	require.NoError(t, err)
	text := string(raw)
	for _, c := range wire.Commands {
		rows := regexp.MustCompile(`(?m)^\| `+c.Name+` \| \d+ \| (exact|loose: .+|not compared: .+) \|$`).FindAllString(text, -1)
		assert.Len(t, rows, 1, "the row of %s", c.Name)
	}
	assert.True(t, strings.HasSuffix(text, looseningsText()), "the loosenings are not those of the code: write the file anew (make fidelity)")
	for name := range notCompared {
		_, known := wire.Lookup(name)
		assert.True(t, known, name)
	}
}

// TestLooseningsAreTold holds the list of loosenings to saying what and why, and to
// naming calls that exist.
func TestLooseningsAreTold(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range loosenings {
		assert.False(t, seen[l.Name], "%s stands twice", l.Name)
		seen[l.Name] = true
		assert.NotEmpty(t, l.What, l.Name)
		assert.NotEmpty(t, l.Why, l.Name)
		assert.NotNil(t, loose(l.Name, append(l.Tools, "")[0]), l.Name)
		for _, name := range l.Tools {
			assert.NotNil(t, (&session{}).tool(name).Tool, "%s: no tool %s", l.Name, name)
		}
	}
}
