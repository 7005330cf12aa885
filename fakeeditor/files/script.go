package files

import (
	"strings"

	"godot-mcp/server/godot/gdscript"
)

// scanScript reads what a script declares of itself for the list of global
// classes; a file without class_name, or in another language, has no name.
func (s System) scanScript(p, text string) Class {
	if Ext(p) != "gd" {
		return Class{}
	}
	head := gdscript.Scan(text)
	if head.Name == "" {
		return Class{}
	}
	return Class{Name: head.Name, Path: p, Base: s.baseOf(head, p, 0), Icon: head.Icon, Abstract: head.Abstract, Tool: head.Tool}
}

// maxChain bounds chains of scripts that extend each other by path.
const maxChain = 64

// baseOf is the class that a script extends, as the class list names it: a
// script named by its path stands for its own base, whether it has a class_name
// or not (engine 4.6 experiment).
func (s System) baseOf(head *gdscript.Script, p string, depth int) string {
	if head.Extends.Path == "" {
		switch {
		case len(head.Extends.Names) > 0:
		case head.Extends.Line > 0:
			return "" // the word alone
		default:
			return "RefCounted"
		}
		return head.Extends.Names[0]
	}
	base := head.Extends.Path
	if !strings.HasPrefix(base, Root) {
		base = Below(Folder(p), base)
	}
	f, ok := s.disk.Get(base)
	if !ok || depth > maxChain {
		return ""
	}
	return s.baseOf(gdscript.Scan(f.Data), base, depth+1)
}
