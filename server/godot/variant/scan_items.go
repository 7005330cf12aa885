package variant

import (
	"strings"
	"unicode/utf8"
)

// ItemKind is the kind of an [Item].
type ItemKind uint8

// The closed list, one line each.
const (
	ItemEOF    ItemKind = iota
	ItemTag             // [node name="A"]
	ItemAssign          // key = value
)

// Item is one entry of a file made of tags and assignments: scenes, resources, project.godot and all ConfigFiles.
type Item struct {
	Kind ItemKind
	// Start and End are the offsets of the whole entry.
	Start, End int
	// Key and Value are those of an assignment, ValueStart the offset of its value.
	Key        string
	Value      Value
	ValueStart int
	// Tag is the name of a tag, Attrs what follows it, Close the offset of its "]". Attrs
	// holds until the next item is read.
	Tag   string
	Attrs []ItemAttr
	Close int
	// Unfinished marks the key of an assignment at the end of the text, which comes with an error.
	Unfinished bool
}

// ItemAttr is one key=value inside a tag.
type ItemAttr struct {
	Key                    string
	Value                  Value
	Start, ValueStart, End int
}

// NextItem reads the next tag or assignment. With simpleTags everything between the brackets is the name, as in
// project.godot; else tags have attributes, as in scenes.
func (s *Scanner) NextItem(simpleTags bool) (Item, error) {
	s.skipBlank()
	it := Item{Start: s.pos}
	if s.pos >= len(s.src) {
		it.End = s.pos
		return it, nil
	}
	var err error
	switch {
	case s.src[s.pos] != '[':
		it.Kind = ItemAssign
		err = s.assignment(&it)
	case simpleTags:
		it.Kind = ItemTag
		err = s.simpleTag(&it)
	default:
		it.Kind = ItemTag
		err = s.tag(&it)
	}
	it.End = s.pos
	return it, err
}

// assignment reads a key, which runs to the "=" and loses its blanks, or is in quotes, and a value.
func (s *Scanner) assignment(it *Item) error {
	var key []byte
	for {
		if s.pos >= len(s.src) {
			it.Unfinished = true
			return s.Errorf(s.pos, CodeEOF, "expected '=' after %q", clip(string(key)))
		}
		c := s.src[s.pos]
		switch {
		case c == '=':
			s.pos++
			it.Key = string(key)
			s.skipBlank()
			it.ValueStart = s.pos
			var err error
			it.Value, err = s.Value()
			return err
		case c == ';':
			s.skipBlank()
		case c == '"':
			text, err := s.quoted()
			if err != nil {
				return err
			}
			// A quoted key replaces what stood before it.
			key = []byte(text)
		case c == 0:
			return s.Errorf(s.pos, CodeCharacter, "NUL character")
		default:
			if c > ' ' {
				key = utf8.AppendRune(key, rune(c)) // the engine takes each byte for a character
			}
			s.pos++
		}
	}
}

// simpleTag reads to the "]" that no backslash stands before.
func (s *Scanner) simpleTag(it *Item) error {
	escaping := false
	for i := s.pos + 1; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == ']' && !escaping:
			it.Tag = validUTF8(strings.TrimSpace(s.src[s.pos+1 : i]))
			it.Close = i
			s.pos = i + 1
			return nil
		case c == '\\':
			escaping = true
		default:
			escaping = false
		}
	}
	return s.Errorf(s.pos, CodeEOF, "expected ']'")
}

func (s *Scanner) tag(it *Item) error {
	s.pos++
	t, err := s.Next()
	if err != nil {
		return err
	}
	if t.Kind != TokenIdent {
		return s.unexpected(t, "the name of a tag")
	}
	it.Tag = t.Text
	it.Attrs = s.attrs[:0]
	inName := true
	for {
		if t, err = s.Next(); err != nil {
			return err
		}
		switch {
		case t.is(']'):
			it.Close = t.Start
			s.attrs = it.Attrs
			return nil
		case inName && (t.is('.') || t.is(':')):
			it.Tag += string(t.Punct)
			if t, err = s.Next(); err != nil {
				return err
			}
			if t.Kind != TokenIdent {
				return s.unexpected(t, "an identifier")
			}
			it.Tag += t.Text
			continue
		case t.Kind != TokenIdent:
			return s.unexpected(t, "an attribute or ']'")
		}
		inName = false
		a := ItemAttr{Key: t.Text, Start: t.Start}
		if err = s.expect('='); err != nil {
			return err
		}
		if t, err = s.Next(); err != nil {
			return err
		}
		a.ValueStart = t.Start
		if a.Value, err = s.ValueFrom(t); err != nil {
			return err
		}
		a.End = s.pos
		it.Attrs = append(it.Attrs, a)
	}
}

// AppendKey appends the key of an assignment as the engine writes it: in quotes if it holds anything but printable
// ASCII, or one of = " ; [ ].
func AppendKey(dst []byte, key string) []byte {
	for i := range len(key) {
		switch c := key[i]; {
		case c <= ' ', c > '~', c == '=', c == '"', c == ';', c == '[', c == ']':
			return AppendQuoted(dst, key)
		}
	}
	return append(dst, key...)
}
