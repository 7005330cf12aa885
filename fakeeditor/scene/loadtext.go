package scene

import "strings"

// cleanPath drops what makes no difference in a path of a node: the "./" that old files
// have in front, doubled slashes, the names of properties behind.
func cleanPath(p string) string {
	p, _, named := strings.Cut(p, ":")
	if named && p == "" {
		return "."
	}
	for strings.Contains(p, "//") {
		p = strings.ReplaceAll(p, "//", "/")
	}
	for strings.HasPrefix(p, "./") && len(p) > 2 {
		p = p[2:]
	}
	return p
}
