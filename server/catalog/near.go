package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// Closest names at most n of the names that are near to a wrong one: those
// that share most of their word pieces and pairs of letters.
func Closest(wrong string, names []string, n int) []string {
	type scored struct {
		name  string
		score float64
	}
	var all []scored
	for _, name := range names {
		if s := similarity(wrong, name); s >= 0.34 {
			all = append(all, scored{name, s})
		}
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.name, b.name))
	})
	out := []string{}
	for _, s := range all[:min(n, len(all))] {
		out = append(out, s.name)
	}
	return out
}

// similarity is the Dice coefficient over pairs of letters, 0 to 1, of the
// names without the prefix that all tools share, raised by common words.
func similarity(a, b string) float64 {
	a, b = bare(a), bare(b)
	if a == b {
		return 1
	}
	pairs := map[string]int{}
	for i := 0; i+2 <= len(a); i++ {
		pairs[a[i:i+2]]++
	}
	common := 0
	for i := 0; i+2 <= len(b); i++ {
		if pairs[b[i:i+2]] > 0 {
			pairs[b[i:i+2]]--
			common++
		}
	}
	total := max(1, len(a)-1+len(b)-1)
	score := 2 * float64(common) / float64(total)
	wa, wb := strings.Split(a, "_"), strings.Split(b, "_")
	shared := 0
	for _, w := range wa {
		if slices.ContainsFunc(wb, func(o string) bool { return strings.TrimSuffix(o, "s") == strings.TrimSuffix(w, "s") }) {
			shared++
		}
	}
	return (score + float64(shared)/float64(max(len(wa), 1))) / 2
}

func bare(s string) string {
	s = strings.ToLower(s)
	s = strings.NewReplacer(".", "_", "-", "_", "/", "_", " ", "_").Replace(s)
	return strings.TrimPrefix(strings.TrimPrefix(s, "godot_"), "cmd_")
}
