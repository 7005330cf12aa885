package scripts

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
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
		if l.Undrawn {
			what = "not drawn: " + what
		}
		if l.Apart {
			what = "in sequences of their own (-compare-tabs): " + what
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", l.Name, calls, what, l.Why)
	}
	return b.String()
}

// TestFidelityIsWhole holds FIDELITY.md to being what the comparison writes from the
// numbers in it: every command of the wire once, each as exact, loose or not compared as
// the code has it, and the loosenings. Nothing else can be written into it by hand.
func TestFidelityIsWhole(t *testing.T) {
	raw, err := os.ReadFile("FIDELITY.md")
	require.NoError(t, err)
	text := string(raw)
	run := &tally{counts: map[string]int{}}
	var seed uint64
	head := regexp.MustCompile(`\n- Engine: (.+)\n- Seed (\d+), (\d+) sequences, (\d+) calls, no difference\n`).FindStringSubmatch(text)
	require.NotNil(t, head, "the run")
	run.engine = head[1]
	_, err = fmt.Sscan(strings.Join(head[2:], " "), &seed, &run.sequences, &run.calls)
	require.NoError(t, err)
	for _, row := range regexp.MustCompile(`(?m)^\| (\w+) \| (\d+) \|`).FindAllStringSubmatch(text, -1) {
		run.counts[row[1]], err = strconv.Atoi(row[2])
		require.NoError(t, err)
	}
	assert.Equal(t, run.text(seed), text, "not as the comparison writes it: write the file anew (make fidelity)")
	assert.GreaterOrEqual(t, run.sequences, 3000)
	for _, c := range wire.Commands {
		assert.True(t, run.counts[c.Name] > 0 || notCompared[c.Name] != "", "%s did not come up", c.Name)
	}
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
