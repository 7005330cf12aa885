package names

import "strings"

// Forbidden are the characters that the engine replaces by "_" in node names (String.validate_node_name).
const Forbidden = `.:@/"%`

// Validate gives the name that a node gets when s is assigned to it. ok is false for the empty name, which the engine
// refuses. U+0000 becomes U+FFFD, as in all of the engine's strings.
func Validate(s string) (name string, ok bool) {
	if strings.ContainsAny(s, Forbidden) || strings.IndexByte(s, 0) >= 0 {
		s = strings.Map(func(r rune) rune {
			switch {
			case r == 0:
				return '\ufffd'
			case strings.ContainsRune(Forbidden, r):
				return '_'
			}
			return r
		}, s)
	}
	return s, s != ""
}

// Readable gives the name of a new or renamed node among its siblings: name itself if it is free, else the same stem
// with the next free number. Trailing digits are the number, and leading zeros stay (A007, A008); without any digits it
// starts at 2.
func Readable(name string, taken func(string) bool) string {
	if !taken(name) {
		return name
	}
	stem := strings.TrimRight(name, "0123456789")
	digits := name[len(stem):]
	if digits == "" {
		digits = "1"
	}
	for {
		digits = increment(digits)
		if candidate := stem + digits; !taken(candidate) {
			return candidate
		}
	}
}

// increment adds one to a decimal number of any length and keeps its leading zeros.
func increment(digits string) string {
	b := []byte(digits)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] < '9' {
			b[i]++
			return string(b)
		}
		b[i] = '0'
	}
	return "1" + string(b)
}
