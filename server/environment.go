package server

import (
	"runtime"
	"slices"
	"strings"

	"godot-mcp/server/catalog"
)

const envPrefix = "GODOT_MCP_"

// Stray is an environment variable that is named like a setting and is none.
type Stray struct {
	Name string
	Near string // the setting that may be meant; empty when none is near
}

// String tells a person.
func (s Stray) String() string {
	text := s.Name + " in the environment is no setting and does nothing"
	if s.Near != "" {
		text += "; did you mean " + s.Near + "?"
	}
	return text
}

// Strays finds them among variables of the form NAME=value, sorted by name.
// Also names further variables that mean something to the program.
func Strays(environ []string, also ...string) []Stray {
	known := slices.Clone(also)
	for _, o := range Options() {
		known = append(known, o.Env...)
	}
	var out []Stray
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		upper := strings.ToUpper(name)
		switch {
		case value == "" || !strings.HasPrefix(upper, envPrefix) || slices.Contains(known, name):
		case runtime.GOOS == "windows" && slices.Contains(known, upper): // the same name there
		default:
			out = append(out, Stray{Name: name, Near: nearSetting(upper, known)})
		}
	}
	slices.SortFunc(out, func(a, b Stray) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// nearSetting is the known name with the fewest slips of the finger in it, or
// else the one that shares most words.
func nearSetting(name string, known []string) string {
	word := strings.TrimPrefix(name, envPrefix)
	best, fewest := "", len(word)/3+2
	var words []string
	for _, k := range known {
		w, ok := strings.CutPrefix(k, envPrefix)
		if !ok {
			continue
		}
		words = append(words, w)
		if n := slips(word, w); n < fewest {
			best, fewest = k, n
		}
	}
	if best == "" {
		if near := catalog.Closest(word, words, 1); len(near) > 0 {
			best = envPrefix + strings.ToUpper(near[0])
		}
	}
	return best
}

// slips counts letters that are wrong, missing, too many or swapped with the
// next between two words of ASCII letters.
func slips(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			wrong := 1
			if a[i-1] == b[j-1] {
				wrong = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+wrong)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
