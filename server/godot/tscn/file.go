package tscn

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"godot-mcp/server/godot/variant"
)

// ErrUnsupported is returned for files that are no text: binary scenes and resources (.scn, .res).
var ErrUnsupported = errors.New("unsupported: a binary scene or resource; only the text form can be read")

// MaxSize is the size of the largest file that is read, in bytes.
const MaxSize = 256 << 20

// Tags of scenes and resources.
const (
	TagScene       = "gd_scene"
	TagResourceDoc = "gd_resource"
	TagExt         = "ext_resource"
	TagSub         = "sub_resource"
	TagNode        = "node"
	TagConnection  = "connection"
	TagEditable    = "editable"
	TagResource    = "resource"
)

// WarningCode is the closed list of what is odd in a file but no reason to refuse it.
type WarningCode string

const (
	// WarnNull is a property with the value null. The engine writes none for typed properties, and may not open the
	// scene again (godotengine/godot#73905).
	WarnNull WarningCode = "null_property"
	// WarnDuplicate is a key given twice; the engine takes the last.
	WarnDuplicate WarningCode = "duplicate_key"
	// WarnNoTag is an assignment before the first tag of a scene or resource, which the engine refuses.
	WarnNoTag WarningCode = "assignment_outside_section"
)

// Warning is something odd in a file.
type Warning struct {
	Code WarningCode
	Key  string
	variant.Position
}

// File is a parsed file.
type File struct {
	// Sections in the order of the file; the first is the header if the file has one.
	Sections []*Section
	// Warnings found while reading.
	Warnings []Warning

	// loose holds assignments before the first tag.
	loose []Property
	tail  string
}

// Section is a tag and the assignments below it. Change it by its methods only: they mark what has to be written anew.
type Section struct {
	Tag   string
	attrs []Attr
	props []Property

	lead  string // what stands between the previous entry and the tag
	open  string // "[node", as written
	close string // what stands between the last attribute and the end of the tag's line
	pos   int
}

// Attr is one attribute of a tag.
type Attr struct {
	Key   string
	Value variant.Value
	lead  string
	raw   string // as written; "" if changed
}

// Property is one assignment.
type Property struct {
	Key   string
	Value variant.Value
	lead  string
	raw   string // as written; "" if changed
	trail string // the rest of its last line
	pos   int
}

// Read parses all of r.
func Read(r io.Reader) (*File, error) {
	src, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	return Parse(src)
}

// Parse reads a text file. Errors are [ErrUnsupported] or [*variant.SyntaxError].
func Parse(src []byte) (*File, error) { return ParseText(string(src)) }

// ParseText is [Parse] for a text; the file refers to parts of it.
func ParseText(text string) (*File, error) {
	if strings.HasPrefix(text, "RSRC") || strings.HasPrefix(text, "RSCC") {
		return nil, ErrUnsupported
	}
	s := variant.NewFileScanner(text)
	if len(text) > MaxSize {
		return nil, s.Errorf(0, variant.CodeSize, "the file has more than %d bytes", MaxSize)
	}
	if strings.HasPrefix(text, "\ufeff") {
		// The engine does not read past one either.
		return nil, s.Errorf(0, variant.CodeCharacter, "the file starts with a byte order mark")
	}
	p := parser{src: text, file: &File{}}
	for {
		it, err := s.NextItem(false)
		if err != nil && !it.Unfinished {
			return nil, err
		}
		if it.Unfinished {
			// The engine passes over it.
			it.Kind = variant.ItemEOF
		}
		if it.Kind == variant.ItemEOF {
			p.file.tail = text[p.end:]
			p.warnDuplicates()
			return p.file, nil
		}
		p.add(&it)
	}
}

type parser struct {
	src     string
	file    *File
	section *Section
	end     int // of the previous entry
	// sections and attrs are room for the next ones, made for many at a time.
	sections []Section
	attrs    []Attr
}

// newSection makes a section with room for so many attributes.
func (p *parser) newSection(attrs int) *Section {
	const many = 64
	if len(p.sections) == 0 {
		p.sections = make([]Section, many)
	}
	if len(p.attrs) < attrs {
		p.attrs = make([]Attr, max(4*many, attrs))
	}
	sec := &p.sections[0]
	sec.attrs = p.attrs[0:0:attrs]
	p.sections, p.attrs = p.sections[1:], p.attrs[attrs:]
	return sec
}

func (p *parser) add(it *variant.Item) {
	lead := p.src[p.end:it.Start]
	p.end = it.End + restOfLine(p.src[it.End:])
	if it.Kind == variant.ItemTag {
		p.tag(it, lead)
		return
	}
	prop := Property{Key: it.Key, Value: it.Value, lead: lead, raw: p.src[it.Start:it.End],
		trail: p.src[it.End:p.end], pos: it.Start}
	if it.Value.IsNil() {
		p.warn(WarnNull, it.Key, it.Start)
	}
	if p.section == nil {
		p.warn(WarnNoTag, it.Key, it.Start)
		p.file.loose = append(p.file.loose, prop)
		return
	}
	p.section.props = append(p.section.props, prop)
}

// restOfLine is the length of the blanks and the comment that follow an entry on its line.
func restOfLine(s string) int {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	if i < len(s) && s[i] == ';' {
		if end := strings.IndexByte(s, '\n'); end >= 0 {
			return end
		}
		return len(s)
	}
	if i < len(s) && s[i] > ' ' {
		return 0
	}
	return i
}

func (p *parser) tag(it *variant.Item, lead string) {
	sec := p.newSection(len(it.Attrs))
	sec.Tag, sec.lead, sec.pos = it.Tag, lead, it.Start
	end := it.Start
	for i, a := range it.Attrs {
		attr := Attr{Key: a.Key, Value: a.Value, raw: p.src[a.Start:a.End]}
		if i == 0 {
			// The blanks after the name belong to the first attribute.
			nameEnd := a.Start
			for nameEnd > it.Start && p.src[nameEnd-1] <= ' ' {
				nameEnd--
			}
			sec.open = p.src[it.Start:nameEnd]
			end = nameEnd
		}
		attr.lead = p.src[end:a.Start]
		end = a.End
		sec.attrs = append(sec.attrs, attr)
	}
	if len(it.Attrs) == 0 {
		sec.open, end = p.src[it.Start:it.Close], it.Close
	}
	sec.close = p.src[end:p.end]
	p.file.Sections = append(p.file.Sections, sec)
	p.section = sec
}

func (p *parser) warn(code WarningCode, key string, offset int) {
	// Finding the line of each of many warnings would take quadratic time.
	const limit = 1000
	if len(p.file.Warnings) < limit {
		p.file.Warnings = append(p.file.Warnings, Warning{code, key, variant.PositionAt(p.src, offset)})
	}
}

func (p *parser) warnDuplicates() {
	for _, sec := range p.file.Sections {
		if len(sec.props) < 2 {
			continue
		}
		seen := make(map[string]bool, len(sec.props))
		for i := range sec.props {
			prop := &sec.props[i]
			if seen[prop.Key] {
				p.warn(WarnDuplicate, prop.Key, prop.pos)
			}
			seen[prop.Key] = true
		}
	}
}

// Bytes writes the file: untouched entries as they were, changed ones as the engine writes them.
func (f *File) Bytes() []byte {
	var dst []byte
	format := f.Format()
	for i := range f.loose {
		dst = f.loose[i].append(dst, format)
	}
	for _, sec := range f.Sections {
		dst = sec.append(dst, format)
	}
	return append(dst, f.tail...)
}

func (s *Section) append(dst []byte, format variant.Format) []byte {
	dst = append(dst, s.lead...)
	dst = append(dst, s.open...)
	for i := range s.attrs {
		a := &s.attrs[i]
		dst = append(dst, a.lead...)
		if a.raw != "" {
			dst = append(dst, a.raw...)
		} else {
			dst = appendAttr(dst, s.Tag, a, format)
		}
	}
	dst = append(dst, s.close...)
	for i := range s.props {
		dst = s.props[i].append(dst, format)
	}
	return dst
}

func (p *Property) append(dst []byte, format variant.Format) []byte {
	dst = append(dst, p.lead...)
	if p.raw != "" {
		dst = append(dst, p.raw...)
	} else {
		dst = appendProperty(dst, p, format)
	}
	return append(dst, p.trail...)
}
