package config

import (
	"slices"
	"strings"
)

// projectHead is what ProjectSettings.save puts at the top.
const projectHead = `; Engine configuration file.
; It's best edited using the editor UI and not directly,
; since the parameters that go here are not all obvious.
;
; Format:
;   [section] ; section goes between []
;   param=value ; assign values to parameters

config_version=5

`

// FormatProject lays a project.godot out as ProjectSettings.save does: the comment, config_version=5, keys without a
// section, then the sections by name, their keys in the order given. Comments and empty sections are lost, as there.
// Leaving out defaults is the caller's.
func FormatProject(f *File) []byte {
	names := f.Sections()
	slices.Sort(names)
	dst := []byte(projectHead)
	first := true
	for _, name := range names {
		keys := slices.DeleteFunc(f.Keys(name), func(key string) bool { return name == "" && key == "config_version" })
		dst, first = f.appendSection(dst, name, keys, first)
	}
	return dst
}

// FormatConfig lays a file out as ConfigFile.save does: sections and keys in their order, each once.
func FormatConfig(f *File) []byte {
	var dst []byte
	first := true
	for _, name := range f.Sections() {
		dst, first = f.appendSection(dst, name, f.Keys(name), first)
	}
	return dst
}

// FormatImport lays a .import file out as the importer writes it: as [FormatConfig], but sections without keys, such as
// the [params] of an importer that has none, stay.
func FormatImport(f *File) []byte {
	var dst []byte
	first := true
	for _, name := range f.Sections() {
		keys := f.Keys(name)
		if len(keys) == 0 {
			if !first {
				dst = append(dst, '\n')
			}
			dst, first = append(dst, "["+name+"]\n\n"...), false
			continue
		}
		dst, first = f.appendSection(dst, name, keys, first)
	}
	return dst
}

func (f *File) appendSection(dst []byte, name string, keys []string, first bool) ([]byte, bool) {
	if len(keys) == 0 {
		return dst, first
	}
	if !first {
		dst = append(dst, '\n')
	}
	if name != "" {
		dst = append(dst, "["+name+"]\n\n"...)
	}
	for _, key := range keys {
		v, _ := f.Get(name, key)
		dst = append(appendProperty(dst, key, v), '\n')
	}
	return dst, false
}

// ParseUIDFile reads a .uid file, which holds one "uid://..." line.
func ParseUIDFile(src []byte) (uid string, ok bool) {
	line, _, _ := strings.Cut(string(src), "\n")
	line = strings.TrimSpace(line)
	return line, strings.HasPrefix(line, "uid://") && len(line) > len("uid://")
}

// FormatUIDFile gives the content of a .uid file.
func FormatUIDFile(uid string) []byte { return []byte(uid + "\n") }
