package scene

import (
	"regexp"
	"strings"

	"godot-mcp/server/godot/tscn"
	"godot-mcp/server/wire"
)

// What the engine reads without a word, and then dies of or loses with the next save,
// is refused by the addon before the scene is made. The same faults are found here.

// fault refuses a scene with such a fault, in its own file or in one that it is made of.
func (e Env) fault(p *Packed) *wire.Error {
	var missing []string
	for i := range p.Nodes {
		if path := p.Nodes[i].Placeholder; path != "" && !e.Lib.Exists(path) {
			missing = append(missing, path)
		}
	}
	if len(missing) > 0 {
		return wire.Fail(wire.ReasonMissingDep, "path", p.Path, "missing", missing)
	}
	return faulty(p, map[*Packed]bool{})
}

func faulty(p *Packed, seen map[*Packed]bool) *wire.Error {
	if p == nil || p.Opaque || seen[p] {
		return nil
	}
	seen[p] = true
	if p.fault != "" {
		return wire.Fail(wire.ReasonCorrupt, "path", p.Path, "message", p.fault, "line", 0)
	}
	if err := faulty(p.Base, seen); err != nil {
		return err
	}
	for i := range p.Nodes {
		if err := faulty(p.Nodes[i].Scene, seen); err != nil {
			return err
		}
	}
	return nil
}

// sound gives the part of a text before a NUL, where the engine stops reading.
func sound(text string) string {
	if i := strings.IndexByte(text, 0); i >= 0 {
		return text[:i]
	}
	return text
}

// quiet are the parts of a file in which no section begins: texts and comments.
var quiet = regexp.MustCompile(`(?s)"(?:[^"\\]|\\.)*"|;[^\n]*`)

// textFault tells what of a file the engine passes over and a save would lose: what
// stands behind a NUL, the beginning of an assignment at the end, sections that were
// taken for a part of an assignment, and the first of two resources with one id.
func textFault(text string, doc *tscn.File) string {
	switch {
	case sound(text) != text:
		return "a NUL character"
	case unfinished(text):
		return "the file ends within an assignment"
	}
	for _, tag := range []string{tscn.TagNode, tscn.TagConnection, tscn.TagEditable} {
		n := doc.Count(tag)
		if !doc.IsScene() || strings.Count(text, "\n["+tag+" ") <= n {
			continue
		}
		if strings.Count(quiet.ReplaceAllString(text, ""), "\n["+tag+" ") > n {
			return "a section that is a part of an assignment"
		}
	}
	for _, tag := range []string{tscn.TagSub, tscn.TagExt} {
		seen := map[string]bool{}
		for _, s := range doc.Sections {
			if s.Tag != tag {
				continue
			}
			id := s.AttrText("id")
			if seen[id] {
				return "two resources with the id " + id
			}
			seen[id] = true
		}
	}
	return ""
}

// simpleValue is a value without brackets or quotes.
var simpleValue = regexp.MustCompile(`^[ \t]*(?:-?\d+\.?\d*(?:[eE][-+]?\d*)?|#[0-9a-fA-F]*|-?[A-Za-z_]\w*)$`)

// unfinished reports whether the last line holds the beginning of an assignment, or
// something behind a value. Values end with a bracket or a quote, if they are no simple
// ones on the line of their key.
func unfinished(text string) bool {
	text = strings.TrimRight(text, " \t\r\n")
	before, last := "", text
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		before, last = strings.TrimRight(text[:i], " \t\r\n"), text[i+1:]
	}
	if last == "" || strings.ContainsAny(last, `;"`) || strings.ContainsAny(last[len(last)-1:], ")]}") {
		return false
	}
	_, value, assigned := cutLast(last, "=")
	if !assigned {
		return !strings.HasSuffix(before, "=")
	}
	return !simpleValue.MatchString(value)
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
