package shading

import "strings"

type tokenKind int

const (
	name tokenKind = iota
	number
	sign
)

type token struct {
	kind tokenKind
	text string
}

func isLetter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// tokens splits code without comments into names, numbers and single signs; texts in
// quotes, which only includes have, are signs.
func tokens(code string) []token {
	var out []token
	for i := 0; i < len(code); {
		c := code[i]
		j := i + 1
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			continue
		case isLetter(c):
			for j < len(code) && (isLetter(code[j]) || isDigit(code[j])) {
				j++
			}
			out = append(out, token{name, code[i:j]})
		case isDigit(c) || c == '.' && j < len(code) && isDigit(code[j]):
			for j < len(code) && (isLetter(code[j]) || isDigit(code[j]) || code[j] == '.' ||
				(code[j] == '-' || code[j] == '+') && (code[j-1] == 'e' || code[j-1] == 'E') && !strings.HasPrefix(code[i:], "0x")) {
				j++
			}
			out = append(out, token{number, code[i:j]})
		case c == '"':
			for j < len(code) && code[j] != '"' {
				j++
			}
			j = min(j+1, len(code))
			out = append(out, token{sign, code[i:j]})
		default:
			out = append(out, token{sign, code[i:j]})
		}
		i = j
	}
	return out
}

// withoutComments replaces comments by blanks and keeps the lines.
func withoutComments(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		switch {
		case text[i] == '"':
			end := strings.IndexAny(text[i+1:], "\"\n") + 2
			if end < 2 {
				end = len(text) - i
			}
			out.WriteString(text[i : i+end])
			i += end
		case strings.HasPrefix(text[i:], "//"):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return out.String()
			}
			i += end
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return out.String()
			}
			out.WriteString(strings.Repeat("\n", strings.Count(text[i:i+2+end], "\n")) + " ")
			i += end + 4
		default:
			out.WriteByte(text[i])
			i++
		}
	}
	return out.String()
}
