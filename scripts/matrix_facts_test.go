package scripts

import (
	"regexp"
	"slices"
	"strings"
)

// facts are what a look says of a node.
type facts struct {
	class  string
	own    bool // made by the scene, and no instance
	groups []string
	values map[string]string
	links  []link // that leave it
}

type link struct{ from, signal, to, method string }

var linkWords = regexp.MustCompile(`^signal (\S+) -> (\S+)\.(\w+) flags=`)

// factsOf reads the nodes of a look. The names of the matrix have no blanks.
func factsOf(live string) map[string]facts {
	out := map[string]facts{}
	for line := range strings.SplitSeq(live, "\n") {
		text := strings.TrimPrefix(line, "  ")
		node, rest, _ := strings.Cut(text, " ")
		f := out[node]
		switch {
		case text == line:
			f = facts{values: map[string]string{}}
			f.class, _, _ = strings.Cut(rest, " ")
			f.own = strings.Contains(rest, " owner=. scene= ")
		case strings.HasPrefix(rest, "group "):
			f.groups = append(f.groups, strings.TrimPrefix(rest, "group "))
		case linkWords.MatchString(rest):
			m := linkWords.FindStringSubmatch(rest)
			f.links = append(f.links, link{node, m[1], m[2], m[3]})
		default:
			if name, value, ok := strings.Cut(rest, " = "); ok {
				f.values[name] = value
			}
		}
		out[node] = f
	}
	return out
}

// linksOf lists the connections from the target and to it.
func (a aim) linksOf() []link {
	out := slices.Clone(a.links)
	for _, f := range a.scene {
		for _, l := range f.links {
			if l.to == a.path && l.from != a.path {
				out = append(out, l)
			}
		}
	}
	slices.SortFunc(out, func(x, y link) int { return strings.Compare(x.from+x.signal+x.to, y.from+y.signal+y.to) })
	return out
}
