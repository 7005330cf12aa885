package config

import (
	"fmt"
	"io"
	"strings"

	"godot-mcp/server/godot/variant"
)

// MaxSize is the size of the largest file that is read, in bytes.
const MaxSize = 64 << 20

// File is a parsed settings file.
type File struct {
	sections []*section // the first has no tag: keys before the first section
	tail     string
	eol      string
}

type section struct {
	name  string
	lead  string // what stands before the tag
	tag   string // the tag as written, with the rest of its line
	props []*property
}

type property struct {
	key   string
	value variant.Value
	lead  string
	raw   string // as written; "" if changed
	trail string // the rest of its last line
}

// Read parses all of r.
func Read(r io.Reader) (*File, error) {
	src, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	return Parse(src)
}

// New makes an empty file.
func New() *File { return &File{sections: []*section{{}}, eol: "\n"} }

// Parse reads a settings file. Errors are [*variant.SyntaxError].
func Parse(src []byte) (*File, error) {
	text := string(src)
	s := variant.NewFileScanner(text)
	if len(src) > MaxSize {
		return nil, s.Errorf(0, variant.CodeSize, "the file has more than %d bytes", MaxSize)
	}
	f := New()
	if strings.Contains(text, "\r\n") {
		f.eol = "\r\n"
	}
	end := 0
	for {
		it, err := s.NextItem(true)
		if err != nil {
			return nil, err
		}
		lead := text[end:it.Start]
		if it.Kind == variant.ItemEOF {
			f.tail = lead
			return f, nil
		}
		end = it.End + restOfLine(text[it.End:])
		if it.Kind == variant.ItemTag {
			f.sections = append(f.sections, &section{name: it.Tag, lead: lead, tag: text[it.Start:end]})
			continue
		}
		sec := f.sections[len(f.sections)-1]
		sec.props = append(sec.props, &property{
			key: it.Key, value: it.Value, lead: lead, raw: text[it.Start:it.End], trail: text[it.End:end],
		})
	}
}

// restOfLine is the length of the blanks and the comment that follow an entry on its line.
func restOfLine(s string) int {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	switch {
	case i < len(s) && s[i] == ';':
		if end := strings.IndexByte(s, '\n'); end >= 0 {
			return end
		}
		return len(s)
	case i < len(s) && s[i] > ' ':
		return 0
	}
	return i
}

// Bytes writes the file: untouched entries as they were, changed ones as the engine writes them.
func (f *File) Bytes() []byte {
	var dst []byte
	for _, sec := range f.sections {
		dst = append(dst, sec.lead...)
		dst = append(dst, sec.tag...)
		for _, p := range sec.props {
			dst = append(dst, p.lead...)
			if p.raw != "" {
				dst = append(dst, p.raw...)
			} else {
				dst = appendProperty(dst, p.key, p.value)
			}
			dst = append(dst, p.trail...)
		}
	}
	return append(dst, f.tail...)
}

func appendProperty(dst []byte, key string, v variant.Value) []byte {
	dst = append(variant.AppendKey(dst, key), '=')
	return variant.AppendText(dst, v)
}

// Sections gives the names of the sections in order, each once; "" stands for keys before the first section.
func (f *File) Sections() []string {
	var names []string
	seen := map[string]bool{}
	for i, sec := range f.sections {
		if (i > 0 || len(sec.props) > 0) && !seen[sec.name] {
			seen[sec.name] = true
			names = append(names, sec.name)
		}
	}
	return names
}

// Keys gives the keys of a section in order, each once.
func (f *File) Keys(name string) []string {
	var keys []string
	seen := map[string]bool{}
	for _, sec := range f.sections {
		for _, p := range sec.props {
			if sec.name == name && !seen[p.key] {
				seen[p.key] = true
				keys = append(keys, p.key)
			}
		}
	}
	return keys
}
