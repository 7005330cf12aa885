package tscn

import (
	"slices"
	"sort"

	"godot-mcp/server/godot/variant"
)

// longBytes is the number of bytes from which a PackedByteArray makes the whole file format 4. Engine 4.6: 64 bytes
// are still written as numbers, 65 are not.
const longBytes = 65

// FormatFor tells which format a file with this value needs.
func FormatFor(v variant.Value) variant.Format {
	switch v.Type() {
	case variant.TypePackedByteArray:
		if b, _ := v.Bytes(); len(b) >= longBytes {
			return variant.Format4
		}
	case variant.TypePackedVector4Array:
		return variant.Format4
	case variant.TypeArray:
		a, _ := v.Array()
		for _, e := range a.Items() {
			if FormatFor(e) == variant.Format4 {
				return variant.Format4
			}
		}
	case variant.TypeDictionary:
		d, _ := v.Dictionary()
		for _, e := range d.Entries() {
			if FormatFor(e.Key) == variant.Format4 || FormatFor(e.Value) == variant.Format4 {
				return variant.Format4
			}
		}
	}
	return variant.Format3
}

// order is the order in which the engine writes attributes.
var order = map[string][]string{
	TagScene:       {"format", "uid"},
	TagResourceDoc: {"type", "script_class", "format", "uid"},
	TagExt:         {"type", "uid", "path", "id"},
	TagSub:         {"type", "id"},
	TagNode: {"name", "type", "parent", "parent_id_path", "owner", "owner_uid_path", "index", "unique_id", "node_paths",
		"groups", "instance_placeholder", "instance"},
	TagConnection: {"signal", "from", "from_uid_path", "to", "to_uid_path", "method", "flags", "unbinds", "binds"},
	TagEditable:   {"path"},
}

// rank is the order of the sections.
var rank = map[string]int{
	TagScene: 0, TagResourceDoc: 0, TagExt: 1, TagSub: 2, TagResource: 3, TagNode: 3, TagConnection: 4, TagEditable: 5,
}

// Format lays the file out as the editor of engine 4.6 saves it: sections by kind, ext_resources by id, all others in
// the order given; attributes in the engine's order without those that it leaves out (load_steps, flags=2, empty
// binds); the format number that the values need; blank lines, blanks and values as the engine writes them. Property
// order, defaults and ids are the caller's. Tags that the engine does not know follow at the end.
func Format(f *File) []byte {
	sections := slices.Clone(f.Sections)
	sort.SliceStable(sections, func(i, j int) bool {
		a, b := sections[i], sections[j]
		if x, y := rankOf(a.Tag), rankOf(b.Tag); x != y {
			return x < y
		}
		return a.Tag == TagExt && variant.NaturalLess(a.AttrText("id"), b.AttrText("id"))
	})
	l := Layout{Format: FormatOf(sections)}
	var dst []byte
	for _, s := range sections {
		dst = l.Append(dst, s)
	}
	return append(dst, l.End()...)
}

// FormatOf tells which format a file with these sections needs.
func FormatOf(sections []*Section) variant.Format {
	format := variant.Format3
	for _, s := range sections {
		for i := range s.props {
			format = max(format, FormatFor(s.props[i].Value))
		}
		for i := range s.attrs {
			format = max(format, FormatFor(s.attrs[i].Value))
		}
	}
	return format
}

// Layout lays sections out one after another as [Format] does, in the order in which they come: a file of many
// thousands need not have them all at once. The zero Layout has no format; see [FormatOf].
type Layout struct {
	Format   variant.Format
	previous string // the tag of the last section
}

// Append appends the next section and what separates it from the one before.
func (l *Layout) Append(dst []byte, s *Section) []byte {
	dst = append(dst, gap(l.previous, s.Tag)...)
	l.previous = s.Tag
	return appendSection(dst, s, l.Format)
}

// End is what follows the last section.
func (l *Layout) End() string {
	switch l.previous {
	case "":
		return ""
	case TagScene, TagResourceDoc, TagExt, TagSub:
		// What would follow them is missing; the engine leaves the blank line before it.
		return "\n\n"
	}
	return "\n"
}

func rankOf(tag string) int {
	if r, ok := rank[tag]; ok {
		return r
	}
	return 6
}

// gap is what stands between two sections.
func gap(previous, tag string) string {
	switch {
	case previous == "":
		return ""
	case previous == tag && (tag == TagExt || tag == TagConnection || tag == TagEditable):
		return "\n"
	}
	return "\n\n"
}

func appendSection(dst []byte, s *Section, format variant.Format) []byte {
	dst = append(dst, '[')
	dst = append(dst, s.Tag...)
	known := order[s.Tag]
	for _, key := range known {
		if key == "format" {
			dst = append(dst, " format="...)
			dst = append(dst, '0'+byte(format))
			continue
		}
		if a := s.attr(key); a != nil && !omitted(s.Tag, a) {
			dst = appendAttr(append(dst, ' '), s.Tag, a, format)
		}
	}
	for i := range s.attrs {
		if a := &s.attrs[i]; !slices.Contains(known, a.Key) && a.Key != "load_steps" {
			dst = appendAttr(append(dst, ' '), s.Tag, a, format)
		}
	}
	dst = append(dst, ']')
	for i := range s.props {
		dst = appendProperty(append(dst, '\n'), &s.props[i], format)
	}
	return dst
}

// omitted tells which attributes the engine leaves out because of their value.
func omitted(tag string, a *Attr) bool {
	if tag != TagConnection {
		return false
	}
	n, _ := a.Value.Int()
	list, isArray := a.Value.Array()
	switch a.Key {
	case "flags":
		return n == 2
	case "unbinds":
		return n == 0
	case "binds":
		return isArray && list.Len() == 0
	}
	return false
}

// appendAttr writes key=value. Names, paths and groups are escaped as StringNames are; and "binds" has a blank after
// the equals sign.
func appendAttr(dst []byte, tag string, a *Attr, format variant.Format) []byte {
	dst = append(dst, a.Key...)
	dst = append(dst, '=')
	switch {
	case escaped(tag, a.Key):
		if text, ok := a.Value.Text(); ok {
			return variant.AppendEscaped(dst, text)
		}
	case tag == TagNode && a.Key == "groups":
		if list, ok := a.Value.Array(); ok {
			return appendGroups(dst, list.Items(), format)
		}
	case tag == TagConnection && a.Key == "binds":
		dst = append(dst, ' ')
	}
	return variant.AppendTextFormat(dst, a.Value, format)
}

// escaped tells which attributes are written with the escapes of StringNames.
func escaped(tag, key string) bool {
	switch tag {
	case TagNode:
		return key == "name" || key == "parent" || key == "owner"
	case TagConnection:
		return key == "signal" || key == "from" || key == "to" || key == "method"
	case TagEditable:
		return key == "path"
	}
	return false
}

func appendGroups(dst []byte, groups []variant.Value, format variant.Format) []byte {
	dst = append(dst, '[')
	for i, g := range groups {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if text, ok := g.Text(); ok {
			dst = variant.AppendEscaped(dst, text)
		} else {
			dst = variant.AppendTextFormat(dst, g, format)
		}
	}
	return append(dst, ']')
}

func appendProperty(dst []byte, p *Property, format variant.Format) []byte {
	dst = variant.AppendKey(dst, p.Key)
	dst = append(dst, " = "...)
	return variant.AppendTextFormat(dst, p.Value, format)
}
