package tscn

import (
	"slices"

	"godot-mcp/server/godot/variant"
)

// Header is the first section if it is that of a scene or a resource, else nil.
func (f *File) Header() *Section {
	if len(f.Sections) > 0 && (f.Sections[0].Tag == TagScene || f.Sections[0].Tag == TagResourceDoc) {
		return f.Sections[0]
	}
	return nil
}

// Loose counts the assignments before the first section.
func (f *File) Loose() int { return len(f.loose) }

// IsScene tells whether the header is [gd_scene].
func (f *File) IsScene() bool { h := f.Header(); return h != nil && h.Tag == TagScene }

// Format is the format number of the header; 3 where there is none or an older one.
func (f *File) Format() variant.Format {
	if h := f.Header(); h != nil {
		if n, _ := h.Attr("format").Int(); n >= int64(variant.Format4) {
			return variant.Format4
		}
	}
	return variant.Format3
}

// Count counts the sections with a tag.
func (f *File) Count(tag string) int {
	n := 0
	for _, s := range f.Sections {
		if s.Tag == tag {
			n++
		}
	}
	return n
}

// All gives the sections with a tag, in order.
func (f *File) All(tag string) []*Section {
	var all []*Section
	for _, s := range f.Sections {
		if s.Tag == tag {
			all = append(all, s)
		}
	}
	return all
}

// Insert puts a section before index i of Sections, with the blank lines that the engine would leave.
func (f *File) Insert(i int, s *Section) {
	i = min(max(i, 0), len(f.Sections))
	previous := ""
	if i > 0 {
		previous = f.Sections[i-1].Tag
	}
	s.lead = gap(previous, s.Tag)
	if i == 0 && len(f.Sections) > 0 && f.Sections[0].lead == "" {
		f.Sections[0].lead = gap(s.Tag, f.Sections[0].Tag)
	}
	f.Sections = slices.Insert(f.Sections, i, s)
	if f.tail == "" {
		f.tail = "\n"
	}
}

// Remove takes a section out of the file. It reports whether it was there.
func (f *File) Remove(s *Section) bool {
	i := slices.Index(f.Sections, s)
	if i < 0 {
		return false
	}
	f.Sections = slices.Delete(f.Sections, i, i+1)
	if i == 0 && len(f.Sections) > 0 {
		f.Sections[0].lead = s.lead
	}
	return true
}

// NewSection makes a section for [File.Insert] or [Format].
func NewSection(tag string, attrs ...Attr) *Section {
	s := &Section{Tag: tag, open: "[" + tag, close: "]", attrs: make([]Attr, 0, len(attrs))}
	for _, a := range attrs {
		s.attrs = append(s.attrs, Attr{Key: a.Key, Value: a.Value, lead: " "})
	}
	return s
}

// Clear takes everything but the tag out of a section that [NewSection] made, to fill it anew.
func (s *Section) Clear() { s.attrs, s.props = s.attrs[:0], s.props[:0] }

// Text makes an attribute with a String value.
func Text(key, value string) Attr { return Attr{Key: key, Value: variant.String(value)} }

// With makes an attribute with any value.
func With(key string, value variant.Value) Attr { return Attr{Key: key, Value: value} }

// Offset is where the section starts in the text it was read from.
func (s *Section) Offset() int { return s.pos }

// Offset is where the property starts in the text it was read from.
func (p *Property) Offset() int { return p.pos }

// Attrs gives the attributes in order. They must not be changed.
func (s *Section) Attrs() []Attr { return s.attrs }

// Properties gives the assignments in order. They must not be changed.
func (s *Section) Properties() []Property { return s.props }

// Attr gives the value of an attribute, null if it is not there. Of a key given twice the last counts.
func (s *Section) Attr(key string) variant.Value {
	if a := s.attr(key); a != nil {
		return a.Value
	}
	return variant.Nil
}

// HasAttr tells whether the attribute is there.
func (s *Section) HasAttr(key string) bool { return s.attr(key) != nil }

// AttrText gives a String attribute, "" if it is not there. Ids and indexes that older files write as numbers are
// given as text too.
func (s *Section) AttrText(key string) string {
	v := s.Attr(key)
	if t, ok := v.Text(); ok {
		return t
	}
	if v.Type() == variant.TypeInt || v.Type() == variant.TypeFloat {
		return v.String()
	}
	return ""
}

func (s *Section) attr(key string) *Attr {
	for i := len(s.attrs) - 1; i >= 0; i-- {
		if s.attrs[i].Key == key {
			return &s.attrs[i]
		}
	}
	return nil
}

// SetAttr changes an attribute, or adds it behind the others. A value that is there already changes no byte.
func (s *Section) SetAttr(key string, v variant.Value) {
	a := s.attr(key)
	if a == nil {
		s.attrs = append(s.attrs, Attr{Key: key, Value: v, lead: " "})
		return
	}
	if !a.Value.Equal(v) {
		a.Value, a.raw = v, ""
	}
}

// RemoveAttr takes an attribute out. It reports whether it was there.
func (s *Section) RemoveAttr(key string) bool {
	n := len(s.attrs)
	s.attrs = slices.DeleteFunc(s.attrs, func(a Attr) bool { return a.Key == key })
	return len(s.attrs) < n
}

func (s *Section) prop(key string) *Property {
	for i := len(s.props) - 1; i >= 0; i-- {
		if s.props[i].Key == key {
			return &s.props[i]
		}
	}
	return nil
}

// Get gives the value of a property. Of a key given twice the last counts.
func (s *Section) Get(key string) (variant.Value, bool) {
	if p := s.prop(key); p != nil {
		return p.Value, true
	}
	return variant.Nil, false
}

// Set changes a property, or adds it behind the others. A value that is there already changes no byte.
func (s *Section) Set(key string, v variant.Value) {
	p := s.prop(key)
	if p == nil {
		s.props = append(s.props, Property{Key: key, Value: v, lead: "\n"})
		return
	}
	if !p.Value.Equal(v) {
		p.Value, p.raw = v, ""
	}
}

// Add puts a property behind the others, also one whose key is there already.
func (s *Section) Add(key string, v variant.Value) {
	s.props = append(s.props, Property{Key: key, Value: v, lead: "\n"})
}

// Unset takes a property out. It reports whether it was there.
func (s *Section) Unset(key string) bool {
	n := len(s.props)
	s.props = slices.DeleteFunc(s.props, func(p Property) bool { return p.Key == key })
	return len(s.props) < n
}
