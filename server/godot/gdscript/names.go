package gdscript

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"godot-mcp/server/godot/classdb"
)

// checkNames checks the names of classes and types that the script uses. Where a base class is a script, its inner
// classes and enums are not known here, so an unknown name may be one of them and is not reported.
func (p *parser) checkNames(known *Known) []Finding {
	var out []Finding
	add := func(at token, format string, args ...any) {
		out = append(out, Finding{Line: at.line, TokenColumn: at.col, Message: fmt.Sprintf(format, args...)})
	}
	for _, use := range p.names {
		switch {
		case len(use.names) == 0 || use.path != "":
			if known.File != nil && strings.HasPrefix(use.path, "res://") && !known.File(use.path) {
				add(use.at, "Could not find base script \"%s\".", use.path)
			}
		case use.declares:
			if classdb.Exists(use.names[0]) {
				add(use.at, "Class \"%s\" hides a native class.", use.names[0])
			}
		case use.isExtends && slices.Contains(classdb.Singletons(), use.names[0]):
			add(use.at, "Cannot inherit native class \"%s\" because it is an engine singleton.", use.names[0])
		case !known.resolves(use):
			if use.isExtends {
				add(use.at, "Could not find base class \"%s\".", use.names[0])
			} else {
				add(use.at, "Could not find type \"%s\" in the current scope.", use.names[0])
			}
		}
	}
	if known.File != nil {
		for _, load := range p.script.Loads {
			if load.Preload && strings.HasPrefix(load.Path, "res://") && !known.File(load.Path) {
				add(token{line: load.Line, col: load.Column}, "Preload file \"%s\" does not exist.", load.Path)
			}
		}
	}
	if !slices.ContainsFunc(p.names, func(use nameUse) bool { return use.isExtends && faultyBase(out, use) }) {
		// Of what has a type that is not known the engine says nothing more.
		unknown := map[int]bool{}
		for _, f := range out {
			unknown[f.Line] = true
		}
		for _, f := range p.typeFaults {
			if !unknown[f.Line] {
				out = append(out, f)
			}
		}
		out = append(out, p.checkIdentifiers(known)...)
	}
	slices.SortStableFunc(out, func(a, b Finding) int { return a.Line - b.Line })
	return out
}

// faultyBase reports whether a finding says that a base class cannot be found; the engine
// looks no further then.
func faultyBase(found []Finding, use nameUse) bool {
	return slices.ContainsFunc(found, func(f Finding) bool { return f.Line == use.at.line && f.TokenColumn == use.at.col })
}

// resolves reports whether the first name of a use may mean something.
func (k *Known) resolves(use nameUse) bool {
	name := use.names[0]
	if classdb.Exists(name) || k.Class != nil && k.Class(name) {
		return true
	}
	if !use.isExtends && (isBuiltinType(name) || globalEnums()[name]) {
		return true
	}
	for _, class := range slices.Backward(use.scope) {
		if class.Name == name || class.memberKind(name) != "" {
			return true
		}
		if base := class.Extends; base.Line != 0 && (base.Path != "" || len(base.Names) != 1 || !classdb.Exists(base.Names[0])) {
			return true
		} else if base.Line != 0 && nativeEnum(base.Names[0], name) {
			return true
		}
	}
	return false
}

// nativeEnum reports whether class or an ancestor has an enum of the name.
func nativeEnum(class, name string) bool {
	return slices.ContainsFunc(classdb.Enums(class, true), func(e classdb.Enum) bool { return e.Name == name })
}

// globalEnums are the enums of @GlobalScope, and Variant for its qualified ones.
var globalEnums = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, e := range classdb.GlobalEnums() {
		head, _, _ := strings.Cut(e.Name, ".")
		out[head] = true
	}
	return out
})
