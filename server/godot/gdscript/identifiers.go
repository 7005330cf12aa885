package gdscript

import (
	"fmt"
	"slices"
	"sync"

	"godot-mcp/server/godot/classdb"
)

// identifierUse is a name in an expression that is no local one, or the name of a function
// that is called, with the classes around it, the script first.
type identifierUse struct {
	at    token
	call  bool
	scope []*Class
}

// useIdentifier notes the identifier that was read last. The engine looks for locals while
// it parses, too; a call never means one.
func (p *parser) useIdentifier(at token) {
	call := p.check("(")
	if call || p.localKind(p.word(at)) == "" {
		p.identifiers = append(p.identifiers, identifierUse{at: at, call: call, scope: slices.Clone(p.scope)})
	}
}

// checkIdentifiers finds names in expressions that mean nothing, as the engine's analyzer
// does. Where a base class cannot be read nothing is said of names in the class.
func (p *parser) checkIdentifiers(known *Known) []Finding {
	var out []Finding
	r := resolver{Known: known, bases: map[*Class]above{}}
	for _, use := range p.identifiers {
		name := p.word(use.at)
		inner := len(use.scope) - 1
		here := place{class: use.scope[inner], outer: use.scope[:inner]}
		var messages []string
		switch {
		case use.call:
			messages = r.callFaults(here, name)
		case r.find(here, name).kind != meansNothing || r.meansAround(here, name) || r.isGlobal(name):
		default:
			messages = []string{fmt.Sprintf(`Identifier "%s" not declared in the current scope.`, name)}
		}
		for _, message := range messages {
			out = append(out, Finding{Line: use.at.line, TokenColumn: use.at.col, Message: message})
		}
	}
	return out
}

// callFaults says what is wrong with a call of a function by its name alone, as far as that
// is certain.
func (r *resolver) callFaults(here place, name string) []string {
	if isBuiltinType(name) || isFunction()[name] || name == "new" {
		return nil
	}
	found := r.find(here, name)
	var out []string
	if found.kind == meansValue && found.own {
		out = append(out, fmt.Sprintf(`Member "%s" is not a function.`, name))
	}
	switch {
	case found.kind == meansNothing && r.meansAround(here, name):
	case found.kind == meansNothing, found.kind == meansValue && found.typ == "Variant":
		out = append(out, fmt.Sprintf(`Function "%s()" not found in base self.`, name))
	case found.kind == meansValue && found.typ == "Callable":
		out = append(out, fmt.Sprintf(`Name "%[1]s" is a Callable. You can call it with "%[1]s.call()" instead.`, name))
	case found.kind == meansValue && found.typ != "":
		out = append(out, fmt.Sprintf(`Name "%s" called as a function but is a "%s".`, name, found.typ))
	}
	return out
}

// isGlobal reports whether a name means something in every script.
func (k *Known) isGlobal(name string) bool {
	return isBuiltinType(name) || classdb.Exists(name) || isFunction()[name] || isGlobalName()[name] || k.Class != nil && k.Class(name)
}

// isFunction holds the functions that every script can call, those of GDScript itself included.
var isFunction = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, name := range classdb.GlobalFunctions() {
		out[name] = true
	}
	for _, name := range []string{
		"Color8", "assert", "char", "convert", "dict_to_inst", "get_stack", "inst_to_dict", "is_instance_of", "len", "load", "ord",
		"preload", "print_debug", "print_stack", "range", "type_exists",
	} {
		out[name] = true
	}
	return out
})

// isGlobalName holds the other names of @GlobalScope: singletons, enums and their values.
var isGlobalName = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, name := range classdb.Singletons() {
		out[name] = true
	}
	for name := range globalEnums() {
		out[name] = true
	}
	for _, e := range classdb.GlobalEnums() {
		for _, v := range e.Values {
			out[v.Name] = true
		}
	}
	return out
})
