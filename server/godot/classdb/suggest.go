package classdb

import (
	"cmp"
	"slices"
	"strings"
)

// suggestCutoff is the least similarity of a name worth proposing.
const suggestCutoff = 0.5

// Suggest lists up to n class names that are close to name, best first.
func Suggest(name string, n int) []string { return Close(name, load().names, n) }

// SuggestProperty lists up to n properties of class that are close to name, best first.
func SuggestProperty(class, name string, n int) []string {
	var names []string
	for _, p := range Properties(class, true) {
		names = append(names, p.Name)
	}
	return Close(name, names, n)
}

// Close lists up to n of the candidates whose similarity to name is at least 0.5, best first, equals in alphabetical
// order. Letter case does not count. Similarity is twice the number of matching characters over the number of all, where
// the longest common run is matched first, then the parts left and right of it.
func Close(name string, candidates []string, n int) []string {
	type scored struct {
		name  string
		score float64
	}
	wanted := []rune(strings.ToLower(name))
	var found []scored
	for _, candidate := range candidates {
		other := []rune(strings.ToLower(candidate))
		shorter := min(len(wanted), len(other))
		if total := len(wanted) + len(other); total > 0 && 2*float64(shorter)/float64(total) >= suggestCutoff {
			if score := 2 * float64(matching(wanted, other)) / float64(total); score >= suggestCutoff {
				found = append(found, scored{candidate, score})
			}
		}
	}
	slices.SortFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.name, b.name))
	})
	var out []string
	for _, s := range found[:min(max(n, 0), len(found))] {
		out = append(out, s.name)
	}
	return out
}

// matching counts the letters of a and b that match.
func matching(a, b []rune) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	bestA, bestB, best := 0, 0, 0
	row := make([]int, len(b)+1)
	for i := range len(a) {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] != b[j] {
				row[j+1] = 0
				continue
			}
			row[j+1] = row[j] + 1
			if row[j+1] > best {
				best = row[j+1]
				bestA, bestB = i+1-best, j+1-best
			}
		}
	}
	if best == 0 {
		return 0
	}
	return best + matching(a[:bestA], b[:bestB]) + matching(a[bestA+best:], b[bestB+best:])
}
