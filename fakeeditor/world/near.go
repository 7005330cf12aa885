package world

import (
	"slices"

	"godot-mcp/server/godot/classdb"
)

// mostCandidates bounds what is looked at for a suggestion.
const mostCandidates = 4000

// near proposes up to three of the candidates that resemble a name.
func near(name string, candidates []string) []string {
	if len(candidates) > mostCandidates {
		candidates = candidates[:mostCandidates]
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(candidates)))
	out := classdb.Close(name, sorted, 3)
	if out == nil {
		return []string{}
	}
	return out
}
