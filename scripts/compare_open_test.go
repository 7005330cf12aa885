package scripts

import (
	"fmt"
	"strings"
)

// An openDifference is one between the editors that is known and not mended. FIDELITY.md
// shows it beside its commands, whatever the run found that it was written from; who
// mends one takes it off this list.
type openDifference struct {
	Name     string
	Commands []string
	// What differs, and the seed of the comparison that shows it.
	What, Seed string
}

var openDifferences = []openDifference{}

func openDifferencesText() string {
	if len(openDifferences) == 0 {
		return "None.\n"
	}
	var b strings.Builder
	b.WriteString("Found by later or other sequences than those of the run above, and not mended.\n\n| Difference | What | Seed |\n| --- | --- | --- |\n")
	for _, d := range openDifferences {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", d.Name, d.What, d.Seed)
	}
	return b.String()
}
