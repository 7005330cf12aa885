package scene

import "strings"

// cleanPath drops the "./" that old files have in front of paths.
func cleanPath(p string) string {
	for strings.HasPrefix(p, "./") && len(p) > 2 {
		p = p[2:]
	}
	return p
}

func atoi(s string) int {
	n := 0
	if s == "" {
		return -1
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}
