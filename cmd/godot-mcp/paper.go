package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// style is a colour or weight; it shows on a terminal only.
type style string

const (
	plain style = ""
	bold  style = "1"
	dim   style = "2"
	bad   style = "31"
	good  style = "32"
	warn  style = "33"
)

// paper is where commands for people print.
type paper struct {
	io.Writer
	colour bool
	lines  int
}

func newPaper(w io.Writer) *paper {
	p := &paper{Writer: w}
	if f, ok := w.(*os.File); ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
		p.colour = onTerminal(f)
	}
	return p
}

// onTerminal says whether a person sits at the other end of a file.
func onTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

func (p *paper) in(s style, text string) string {
	if !p.colour || s == plain {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

func (p *paper) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.lines += strings.Count(text, "\n") + 1
	fmt.Fprintln(p, text)
}

// row is one line of a table: state, subject and what is to say.
func (p *paper) row(s style, state, what, text string) {
	p.line("%s %-8s %s", p.in(s, fmt.Sprintf("%-4s", state)), what, text)
}

// wrapped prints a text in lines of at most width, each behind an indent.
func (p *paper) wrapped(s style, indent, text string, width int) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > width-len(indent) {
			p.line("%s%s", indent, p.in(s, line))
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	if line != "" {
		p.line("%s%s", indent, p.in(s, line))
	}
}
