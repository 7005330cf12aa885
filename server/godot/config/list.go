package config

import (
	"strings"

	"godot-mcp/server/godot/variant"
)

// AppendString adds text to the end of a list of strings, laid out as the elements before it; no other byte of the
// entry changes. It reports false, and does nothing, when the key has no list with an element in it.
func (f *File) AppendString(section, key, text string) bool {
	p := f.find(section, key)
	if p == nil {
		return false
	}
	els := elements(p.raw)
	if len(els) == 0 {
		return false
	}
	last := els[len(els)-1]
	// What parts the last element from the one before it parts the new one from it.
	gap := p.raw[last.gap:last.start]
	if len(els) == 1 && !strings.ContainsRune(gap, '\n') {
		gap = " "
	}
	if strings.Contains(gap, ";") {
		gap = gap[strings.LastIndex(gap, "\n"):]
	}
	quoted := string(variant.AppendQuoted(nil, text))
	return p.rewrite(p.raw[:last.end] + "," + gap + quoted + p.raw[last.end:])
}

// RemoveString takes every element that is text out of a list of strings, each with one comma and the blanks that
// parted it. It reports false, and does nothing, when there is none, or nothing else.
func (f *File) RemoveString(section, key, text string) bool {
	p := f.find(section, key)
	if p == nil {
		return false
	}
	raw, found := p.raw, false
	for {
		els := elements(raw)
		i := 0
		for i < len(els) && els[i].text != text {
			i++
		}
		switch {
		case i == len(els):
			return found && p.rewrite(raw)
		case len(els) == 1:
			return false
		}
		raw, found = without(raw, els[i]), true
	}
}

// without takes one element out. A line that it has for itself goes with it.
func without(raw string, e element) string {
	head, rest := raw[:e.start], raw[e.end:]
	switch {
	case e.comma >= 0:
		rest = raw[e.end:e.comma] + raw[e.comma+1:]
	case e.before >= 0 && strings.TrimSpace(raw[e.before+1:e.start]) == "":
		return raw[:e.before] + rest
	case e.before >= 0: // a comment stands between
		head = raw[:e.before] + raw[e.before+1:e.start]
	}
	above, below := strings.TrimRight(head, " \t"), strings.TrimLeft(rest, " \t\r")
	switch {
	case strings.HasSuffix(above, "\n") && strings.HasPrefix(below, "\n"):
		return above + below[1:]
	case e.comma >= 0:
		return head + strings.TrimLeft(rest, " \t")
	}
	return above + rest
}

// rewrite takes another text of the entry, if it can be read.
func (p *property) rewrite(raw string) bool {
	f, err := Parse([]byte(raw))
	if err != nil {
		return false
	}
	v, ok := f.Get("", p.key)
	if ok {
		p.value, p.raw = v, raw
	}
	return ok
}

// element is one string of a list as it is written.
type element struct {
	text       string
	gap        int // end of the comma or bracket in front of it
	start, end int
	before     int // the comma in front of it, -1 for none
	comma      int // the comma behind it, -1 for none
}

// elements finds the strings in the text of an entry; none when it is something other than a plain or packed array
// of strings.
func elements(raw string) []element {
	at := strings.IndexByte(raw, '=') + 1
	open := at + strings.IndexAny(raw[at:], "([")
	if at == 0 || open < at {
		return nil
	}
	closing := byte(']')
	if kind := strings.TrimSpace(raw[at:open]); raw[open] == '(' && kind == "PackedStringArray" {
		closing = ')'
	} else if raw[open] == '(' || kind != "" {
		return nil
	}
	var out []element
	gap, before := open+1, -1
	for i := open + 1; i < len(raw); {
		switch c := raw[i]; c {
		case ' ', '\t', '\r', '\n':
			i++
		case ';':
			end := strings.IndexByte(raw[i:], '\n')
			if end < 0 {
				return nil
			}
			i += end
		case ',':
			if len(out) == 0 || out[len(out)-1].comma >= 0 {
				return nil
			}
			out[len(out)-1].comma = i
			before = i
			i++
			gap = i
		case '"':
			end := stringEnd(raw, i)
			if end < 0 || len(out) > 0 && out[len(out)-1].comma < 0 {
				return nil
			}
			v, err := variant.ParseText(raw[i:end])
			text, ok := v.Text()
			if err != nil || !ok {
				return nil
			}
			out = append(out, element{text: text, gap: gap, start: i, end: end, before: before, comma: -1})
			i = end
		case closing:
			return out
		default:
			return nil
		}
	}
	return nil
}

// stringEnd is where the string that begins at i ends, -1 if it does not.
func stringEnd(raw string, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}
