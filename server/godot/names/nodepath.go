package names

import "strings"

// CleanNodePath gives the text that the engine keeps of a node path: doubled and trailing slashes go, "./" and ".."
// stay, a trailing ":" goes. ok is false where the engine refuses the path (an empty subname as in "A::b").
func CleanNodePath(path string) (clean string, ok bool) {
	nodes, sub, hasSub := strings.Cut(path, ":")
	var b strings.Builder
	if strings.HasPrefix(nodes, "/") {
		b.WriteByte('/')
	}
	first := true
	for part := range strings.SplitSeq(nodes, "/") {
		if part == "" {
			continue
		}
		if !first {
			b.WriteByte('/')
		}
		first = false
		b.WriteString(part)
	}
	if hasSub {
		parts := strings.Split(sub, ":")
		for i, part := range parts {
			if part == "" {
				if i == len(parts)-1 {
					break
				}
				return "", false
			}
			b.WriteByte(':')
			b.WriteString(part)
		}
	}
	return b.String(), true
}
