package task

import (
	"errors"
	"fmt"
	"strings"
)

// Words splits a line: blanks separate, single quotes hold words together, a
// doubled quote inside them is one, and # at the start of a word begins a comment.
func Words(line string) ([]string, error) {
	var out []string
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			i++
			continue
		case c == '#':
			return out, nil
		}
		var b strings.Builder
		quoted := false
		for ; i < len(line) && (quoted || line[i] != ' ' && line[i] != '\t'); i++ {
			if line[i] != '\'' {
				b.WriteByte(line[i])
				continue
			}
			if quoted && i+1 < len(line) && line[i+1] == '\'' {
				b.WriteByte('\'')
				i++
				continue
			}
			quoted = !quoted
		}
		if quoted {
			return nil, errors.New("a quote is not closed")
		}
		out = append(out, b.String())
	}
	return out, nil
}

// Line is one line of a member with its words.
type Line struct {
	Number int
	Words  []string
}

// errorf is an error at a line of a member.
func errorf(member string, line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", member, line, fmt.Errorf(format, args...))
}

// lines splits a member into its lines that hold words.
func lines(member, text string) ([]Line, error) {
	var out []Line
	n := 0
	for l := range strings.Lines(text) {
		n++
		words, err := Words(strings.TrimRight(l, "\r\n"))
		if err != nil {
			return nil, errorf(member, n, "%w", err)
		}
		if len(words) > 0 {
			out = append(out, Line{n, words})
		}
	}
	return out, nil
}
