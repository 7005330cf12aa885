package scripts

import (
	"fmt"
	"slices"
	"strings"

	"godot-mcp/server/wire"
)

// A tally counts the commands that the comparison sent, steps and entries included.
type tally struct {
	counts    map[string]int
	sequences int
	calls     int
	engine    string
}

// text is FIDELITY.md.
func (t *tally) text(seed uint64) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# How far the simulated editor agrees with the real one

Written by the random comparison (make compare, flag -fidelity); do not edit. The same calls went to both editors;
answers, live trees, trees after a save and a load, histories and saved files were equal in this run, apart from the
loosenings below.

- Engine: %s
- Seed %d, %d sequences, %d calls, no difference

## Commands

%s
## Known differences

%s
## Loosenings

%s`, t.engine, seed, t.sequences, t.calls, t.commands(), openDifferencesText(), looseningsText())
	return b.String()
}

func (t *tally) commands() string {
	var b strings.Builder
	b.WriteString("| Command | Sent | Compared |\n| --- | ---: | --- |\n")
	for _, c := range wire.Commands {
		how := "exact"
		var names []string
		for _, l := range loosenings {
			if slices.Contains(l.Commands, c.Name) {
				names = append(names, l.Name)
			}
		}
		var open []string
		for _, d := range openDifferences {
			if slices.Contains(d.Commands, c.Name) {
				open = append(open, d.Name)
			}
		}
		switch {
		case t.counts[c.Name] == 0 && notCompared[c.Name] != "":
			how = "not compared: " + notCompared[c.Name]
		case t.counts[c.Name] == 0:
			how = "not compared: it did not come up"
		case len(names) > 0:
			how = "loose: " + strings.Join(names, ", ")
		}
		if len(open) > 0 {
			how += "; differs: " + strings.Join(open, ", ")
		}
		fmt.Fprintf(&b, "| %s | %d | %s |\n", c.Name, t.counts[c.Name], how)
	}
	return b.String()
}
