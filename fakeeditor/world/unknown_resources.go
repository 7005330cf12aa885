package world

import (
	"slices"
	"strings"

	"godot-mcp/server/godot/classdb"
)

// unknownResources lists the unknown classes of the resources that a scene's file names,
// sorted; also those of the text resources that it uses.
func (tx *Tx) unknownResources(file string) []string {
	text, ok := tx.Files.Read(file)
	if !ok || !strings.HasSuffix(file, ".tscn") {
		return nil
	}
	var out []string
	note := func(class string) {
		if class != "" && !classdb.Exists(class) {
			out = append(out, class)
		}
	}
	for line := range sectionLines(text, "sub_resource") {
		note(quotedValue(line, "type"))
	}
	for line := range sectionLines(text, "ext_resource") {
		note(quotedValue(line, "type"))
		if used := quotedValue(line, "path"); strings.HasSuffix(used, ".tres") {
			head, _ := tx.Files.Read(used)
			head, _, _ = strings.Cut(head, "\n")
			note(quotedValue(head, "type"))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// sectionLines gives the first lines of the sections of a kind.
func sectionLines(text, tag string) func(func(string) bool) {
	return func(yield func(string) bool) {
		begin := "\n[" + tag + " "
		for {
			i := strings.Index(text, begin)
			if i < 0 {
				return
			}
			text = text[i+1:]
			if line, _, _ := strings.Cut(text, "\n"); !yield(line) {
				return
			}
		}
	}
}

func quotedValue(line, key string) string {
	_, after, _ := strings.Cut(line, " "+key+`="`)
	value, _, _ := strings.Cut(after, `"`)
	return value
}
