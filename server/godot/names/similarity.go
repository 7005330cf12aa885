package names

import "slices"

// Similarity is String.similarity() of the engine: twice the number of the pairs of neighbouring characters of a that b
// has too, over the number of all pairs. It is 1 for equal texts and 0 when one has fewer than two characters.
func Similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	x, y := []rune(a), []rune(b)
	if len(x) < 2 || len(y) < 2 {
		return 0
	}
	shared := 0
	for i := range len(x) - 1 {
		for j := range len(y) - 1 {
			if x[i] == y[j] && x[i+1] == y[j+1] {
				shared++
				break
			}
		}
	}
	return 2 * float64(shared) / float64(len(x)+len(y)-2)
}

// nearEnough is the least similarity of a name worth proposing.
const nearEnough = 0.5

// Near lists up to n of the candidates whose [Similarity] to name is at least 0.5, best first, equals in the order
// given and each once.
func Near(name string, candidates []string, n int) []string {
	type scored struct {
		name  string
		score float64
	}
	var found []scored
	seen := map[string]bool{}
	for _, c := range candidates {
		if score := Similarity(name, c); score >= nearEnough && !seen[c] {
			seen[c] = true
			found = append(found, scored{c, score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	out := make([]string, 0, n)
	for _, s := range found[:min(n, len(found))] {
		out = append(out, s.name)
	}
	return out
}
