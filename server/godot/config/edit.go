package config

import (
	"slices"
	"strings"

	"godot-mcp/server/godot/variant"
)

// find gives the entry that counts: the last one, if a key stands there several times.
func (f *File) find(name, key string) *property {
	for _, sec := range slices.Backward(f.sections) {
		if sec.name != name {
			continue
		}
		for _, p := range slices.Backward(sec.props) {
			if p.key == key {
				return p
			}
		}
	}
	return nil
}

// Get gives the value of a key.
func (f *File) Get(section, key string) (variant.Value, bool) {
	if p := f.find(section, key); p != nil {
		return p.value, true
	}
	return variant.Nil, false
}

// GetText gives the value of a key that holds a string, "" for anything else.
func (f *File) GetText(section, key string) string {
	v, _ := f.Get(section, key)
	s, _ := v.Text()
	return s
}

// Set changes a key, adds it behind the last one of its section, or adds the section at the end. A value that is there
// already changes no byte.
func (f *File) Set(name, key string, v variant.Value) {
	if p := f.find(name, key); p != nil {
		if !p.value.Equal(v) {
			p.value, p.raw = v, ""
		}
		return
	}
	sec := f.section(name)
	p := &property{key: key, value: v, lead: f.eol}
	switch {
	case len(sec.props) > 0:
	case sec.tag != "":
		p.lead = f.eol + f.eol
	default:
		f.first(p)
	}
	sec.props = append(sec.props, p)
	if f.tail == "" {
		f.tail = f.eol
	}
}

// first places a key in front of everything else.
func (f *File) first(p *property) {
	p.lead = ""
	if len(f.sections) == 1 {
		// Comments without any entry stand in the tail.
		p.lead, f.tail = f.tail, ""
		return
	}
	// Comments at the top stay there.
	next := f.sections[1]
	if strings.TrimSpace(next.lead) == "" {
		next.lead = f.eol + f.eol
		return
	}
	p.lead, next.lead = next.lead, f.eol+f.eol
}

func (f *File) section(name string) *section {
	for _, sec := range slices.Backward(f.sections) {
		if sec.name == name {
			return sec
		}
	}
	sec := &section{name: name, tag: "[" + name + "]", lead: f.eol + f.eol}
	if len(f.sections) == 1 && len(f.sections[0].props) == 0 {
		sec.lead, f.tail = f.tail, ""
	}
	f.sections = append(f.sections, sec)
	return sec
}

// Unset removes a key. It reports whether the key was there. Comments above it stay.
func (f *File) Unset(name, key string) bool {
	found := false
	for i, sec := range f.sections {
		if sec.name != name {
			continue
		}
		for j := len(sec.props) - 1; j >= 0; j-- {
			if p := sec.props[j]; p.key == key {
				found = true
				f.keep(i, j, p.lead)
				sec.props = slices.Delete(sec.props, j, j+1)
			}
		}
	}
	return found
}

// keep moves what stood before a removed entry to the next one, if it is more than blanks or the start of the file.
func (f *File) keep(i, j int, lead string) {
	start := i == 0 && j == 0
	if strings.TrimSpace(lead) == "" && !start {
		return
	}
	lead = strings.TrimSuffix(lead, f.eol)
	next := &f.tail
	switch {
	case j+1 < len(f.sections[i].props):
		next = &f.sections[i].props[j+1].lead
	case i+1 < len(f.sections):
		next = &f.sections[i+1].lead
	}
	if lead == "" && start {
		*next = strings.TrimLeft(*next, "\r\n")
		return
	}
	*next = lead + *next
}

// SplitSetting gives section and key of a project setting: "application/config/name" is config/name in [application],
// and a name without a slash stands before the first section.
func SplitSetting(name string) (section, key string) {
	if section, key, ok := strings.Cut(name, "/"); ok {
		return section, key
	}
	return "", name
}

// Setting gives the value of a project setting.
func (f *File) Setting(name string) (variant.Value, bool) {
	section, key := SplitSetting(name)
	return f.Get(section, key)
}

// SetSetting changes a project setting.
func (f *File) SetSetting(name string, v variant.Value) {
	section, key := SplitSetting(name)
	f.Set(section, key, v)
}

// UnsetSetting removes a project setting.
func (f *File) UnsetSetting(name string) bool {
	section, key := SplitSetting(name)
	return f.Unset(section, key)
}
