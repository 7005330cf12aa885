package scripts

import (
	"fmt"
	"strings"

	"godot-mcp/server/wire"
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

var openDifferences = []openDifference{
	{
		Name: "selections that the dock redraws", Commands: []string{wire.CmdSelectNodes, wire.CmdGetSelectedNodes},
		What: "of several selected nodes, the root among them, the real editor at times keeps the root alone in a tab behind; the same calls again show no difference",
		Seed: "7002, sequences 1599 and 1726; 6004, sequence 572",
	},
	{
		Name: "selections that the dock does not show", Commands: []string{wire.CmdSelectNodes},
		What: "after a rename by hand the simulated editor keeps one selected node, the real one all, when the topmost stands in an instance without editable children",
		Seed: "7002, sequence 2759",
	},
}

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
