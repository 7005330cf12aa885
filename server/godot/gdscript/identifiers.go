package gdscript

import (
	"fmt"
	"slices"

	"godot-mcp/server/godot/classdb"
)

// identifierUse is a name in an expression that is no local one, or the name of a function
// that is called, or what follows the dot after such a name.
type identifierUse struct {
	at   token
	call bool
	// args are the first tokens of the arguments of a call, if they were counted.
	args    []token
	counted bool
	// of is what is before the dot: self or an identifier.
	of token
	// static is the name of the static function around, and scope the classes around, the
	// script first.
	static string
	scope  []*Class
}

// useIdentifier notes the identifier that was read last. The engine looks for locals while
// it parses, too; a call never means one.
func (p *parser) useIdentifier(at token) {
	call := p.check("(")
	if call || p.localKind(p.word(at)) == "" {
		p.identifiers = append(p.identifiers, identifierUse{at: at, call: call, static: p.static, scope: slices.Clone(p.scope)})
	}
}

// useMember notes a member of self, or of what an identifier that is no local one means.
func (p *parser) useMember(of, at token) {
	if of.kind == "self" || of.line != 0 && p.localKind(p.word(of)) == "" {
		p.identifiers = append(p.identifiers, identifierUse{at: at, call: p.check("("), of: of, scope: slices.Clone(p.scope)})
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
		add := func(at token, format string, args ...any) {
			out = append(out, Finding{Line: at.line, TokenColumn: at.col, Message: fmt.Sprintf(format, args...)})
		}
		switch {
		case use.of.line != 0 && use.of.kind != "self":
			r.checkMember(here, p.word(use.of), use, name, add)
		case use.call:
			r.checkCall(here, use, name, add)
		case use.of.line != 0: // A member of self may be there when the script runs.
		default:
			r.checkName(here, use, name, add)
		}
	}
	return out
}

func (r *resolver) checkName(here place, use identifierUse, name string, add func(token, string, ...any)) {
	found := r.find(here, name)
	switch {
	case found.kind == meansNothing && !r.meansAround(here, name) && !r.isGlobal(name):
		add(use.at, `Identifier "%s" not declared in the current scope.`, name)
	case found.variable && !found.static && use.static != "":
		add(use.at, `Cannot access non-static variable "%s" from the static function "%s()".`, name, use.static)
	}
}

// checkCall finds what is wrong with a call of a function by its name alone or of self's, as
// far as that is certain.
func (r *resolver) checkCall(here place, use identifierUse, name string, add func(token, string, ...any)) {
	if name == "new" || use.of.line == 0 && (isBuiltinType(name) || isFunction()[name]) {
		return
	}
	found := r.find(here, name)
	if found.kind == meansValue && found.own {
		add(use.at, `Member "%s" is not a function.`, name)
	}
	switch {
	case found.kind == meansFunction:
		if use.static != "" && !found.static {
			add(use.at, `Cannot call non-static function "%s()" from the static function "%s()".`, name, use.static)
		}
		switch n := len(use.args); {
		case !use.counted:
		case n < found.least:
			add(use.at, `Too few arguments for "%s()" call. Expected at least %d but received %d.`, name, found.least, n)
		case found.most >= 0 && n > found.most:
			add(use.args[found.most], `Too many arguments for "%s()" call. Expected at most %d but received %d.`, name, found.most, n)
		}
	case found.kind == meansNothing && r.meansAround(here, name):
	case found.kind == meansNothing, found.kind == meansValue && found.typ == "Variant":
		add(use.at, `Function "%s()" not found in base self.`, name)
	case found.kind == meansValue && found.typ == "Callable":
		add(use.at, `Name "%[1]s" is a Callable. You can call it with "%[1]s.call()" instead.`, name)
	case found.kind == meansValue && found.typ != "":
		add(use.at, `Name "%s" called as a function but is a "%s".`, name, found.typ)
	}
}

// checkMember finds members of classes and singletons of the engine that are not there.
func (r *resolver) checkMember(here place, of string, use identifierUse, name string, add func(token, string, ...any)) {
	if !classdb.Exists(of) || r.find(here, of).kind != meansNothing || r.meansAround(here, of) {
		return
	}
	if name == "new" || membersOf(of)[name].kind != meansNothing || membersOf("RefCounted")[name].kind != meansNothing {
		return
	}
	switch {
	case use.call:
		add(use.at, `Static function "%s()" not found in base "GDScriptNativeClass".`, name)
	default:
		add(use.at, `Cannot find member "%s" in base "%s".`, name, of)
	}
}
