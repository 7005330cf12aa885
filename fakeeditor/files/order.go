package files

import (
	"cmp"
	"strings"
	"unicode"
)

// treeOrder sorts paths as a scan registers their classes: what is in subfolders
// before the files of the folder itself (engine 4.6 experiment).
func treeOrder(a, b string) int { return pathOrder(a, b, -1) }

// listOrder sorts paths with the files of a folder first.
func listOrder(a, b string) int { return pathOrder(a, b, 1) }

// pathOrder sorts paths by folder; folders says whether subfolders come before (-1)
// or after (1) the files beside them.
func pathOrder(a, b string, folders int) int {
	for {
		x, restX, inX := strings.Cut(a, "/")
		y, restY, inY := strings.Cut(b, "/")
		switch {
		case inX && inY && x == y:
			a, b = restX, restY
		case inX != inY && inX:
			return folders
		case inX != inY:
			return -folders
		default:
			return nameOrder(x, y)
		}
	}
}

// nameOrder is how the engine sorts the names in a folder: leading underscores first,
// numbers by their value, letters without regard to case (engine 4.6 experiment).
func nameOrder(a, b string) int {
	x, y := []rune(a), []rune(b)
	for len(x) > 0 && len(y) > 0 && (x[0] == '_' || y[0] == '_') {
		switch {
		case x[0] == '_' && y[0] == '_':
			x, y = x[1:], y[1:]
			continue
		case x[0] == '_' && y[0] != '.' || y[0] == '_' && x[0] == '.':
			return -1
		}
		return 1
	}
	for len(x) > 0 && len(y) > 0 {
		switch m, n := digits(x), digits(y); {
		case m > 0 && n > 0:
			if c := numberOrder(x[:m], y[:n]); c != 0 {
				return c
			}
			x, y = x[m:], y[n:]
		case m > 0:
			return -1
		case n > 0:
			return 1
		default:
			if c := cmp.Compare(unicode.ToUpper(x[0]), unicode.ToUpper(y[0])); c != 0 {
				return c
			}
			x, y = x[1:], y[1:]
		}
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

func digits(name []rune) int {
	n := 0
	for n < len(name) && name[n] >= '0' && name[n] <= '9' {
		n++
	}
	return n
}

// numberOrder compares the digits of two numbers by their value.
func numberOrder(a, b []rune) int {
	x, y := strings.TrimLeft(string(a), "0"), strings.TrimLeft(string(b), "0")
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
}
