package scene

import (
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/tscn"
	"godot-mcp/server/godot/variant"
	"godot-mcp/server/wire"
)

// structure refuses what the engine's loader stops at: sections out of order or of tags
// that it does not know, assignments where none may stand, headers without what they
// need (engine 4.6 experiment). Attributes that it does not know are passed over, and a
// save drops them.
func structure(file, text string, doc *tscn.File) *wire.Error {
	c := checker{file: file, text: text, doc: doc}
	return c.check()
}

type checker struct {
	file, text string
	doc        *tscn.File
}

// needed are the attributes without which a section is refused. Without a path, a file is
// missing.
var needed = map[string][]string{
	tscn.TagResourceDoc: {"type"}, tscn.TagExt: {"type", "id"}, tscn.TagSub: {"type", "id"},
	tscn.TagConnection: {"from", "to", "signal", "method"}, tscn.TagEditable: {"path"},
}

// stage is how far a file has come: sections of an earlier stage may not follow.
var stage = map[string]int{tscn.TagExt: 1, tscn.TagSub: 2, tscn.TagNode: 3, tscn.TagConnection: 3, tscn.TagEditable: 3, tscn.TagResource: 4}

func (c checker) check() *wire.Error {
	h := c.doc.Header()
	switch {
	case c.doc.Loose() > 0:
		return c.fail(nil, "Expected '['")
	case h == nil:
		return c.fail(nil, "no header of a scene or a resource")
	case tooNew(h):
		return c.fail(h, "Saved with newer format version.")
	}
	at := 0
	for i, s := range c.doc.Sections {
		for _, key := range needed[s.Tag] {
			if !s.HasAttr(key) {
				return c.fail(s, "Missing '"+key+"' in "+s.Tag+" tag")
			}
		}
		if err := c.assignments(s); err != nil {
			return err
		}
		if i == 0 {
			continue
		}
		if err := c.place(s, at); err != nil {
			return err
		}
		at = stage[s.Tag]
	}
	if last := c.doc.Sections[len(c.doc.Sections)-1]; at < stage[tscn.TagNode] {
		return c.fail(last, "Unexpected end of file")
	}
	return nil
}

// assignments checks that a section may have those that it has.
func (c checker) assignments(s *tscn.Section) *wire.Error {
	takes := s.Tag == tscn.TagNode || s.Tag == tscn.TagSub || s.Tag == tscn.TagResource
	for _, p := range s.Properties() {
		if !takes || p.Key == "" {
			return c.fail(s, "Unexpected end of file")
		}
	}
	return nil
}

// place checks that a section may stand behind one of a stage.
func (c checker) place(s *tscn.Section, at int) *wire.Error {
	own, ok := stage[s.Tag]
	switch {
	case !ok || own < at || at == stage[tscn.TagResource]:
		return c.fail(s, "Unknown tag '"+s.Tag+"' in file.")
	case c.doc.IsScene() == (s.Tag == tscn.TagResource) && own > stage[tscn.TagSub]:
		return c.fail(s, "Unexpected '"+s.Tag+"' tag")
	case own == stage[tscn.TagNode] && at < own && s.Tag != tscn.TagNode:
		return c.fail(s, "Unknown tag '"+s.Tag+"' in file.")
	case s.Tag == tscn.TagSub && noResource(s.AttrText("type")):
		return c.fail(s, "'"+s.AttrText("type")+"' is no resource type")
	}
	return nil
}

// noResource reports whether objects of a class can be made and are no resources.
func noResource(class string) bool {
	info, known := classdb.Class(class)
	return known && info.Instantiable && !classdb.Inherits(class, "Resource")
}

func (c checker) fail(s *tscn.Section, message string) *wire.Error {
	line := 1
	if s != nil {
		line += strings.Count(c.text[:s.Offset()], "\n")
	}
	return wire.Fail(wire.ReasonCorrupt, "path", c.file, "message", message, "line", line)
}

// newestFormat is the highest format that engine 4.6 reads.
const newestFormat = 4

// tooNew finds files of later engines (engine 4.6: they do not load).
func tooNew(h *tscn.Section) bool { return asInt(h.Attr("format")) > newestFormat }

// asInt gives the 32-bit number that the engine makes of an attribute: of a text its
// digits, of what is no number none.
func asInt(v variant.Value) int {
	var n int64
	switch v.Type() {
	case variant.TypeBool:
		if on, _ := v.Bool(); on {
			n = 1
		}
	case variant.TypeInt, variant.TypeFloat:
		i, _ := variant.ConvertStrict(v, variant.TypeInt)
		n, _ = i.Int()
	case variant.TypeString, variant.TypeStringName:
		text, _ := v.Text()
		text, _, _ = strings.Cut(text, ".")
		sign := int64(1)
		for _, c := range text {
			switch {
			case c >= '0' && c <= '9':
				n = n*10 + int64(c-'0')
			case c == '-' && n == 0:
				sign = -sign
			}
		}
		n *= sign
	}
	return int(int32(n))
}
