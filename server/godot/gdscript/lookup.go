package gdscript

import (
	"slices"
	"sync"

	"godot-mcp/server/godot/classdb"
)

// place is a class of a script, with the classes around it, the script first. Path is the
// file of the script, empty for the one that is checked.
type place struct {
	class *Class
	outer []*Class
	path  string
}

type meaningKind int

const (
	meansNothing meaningKind = iota
	meansFunction
	// meansValue is any other member.
	meansValue
	// meansUnsure is what a base class that cannot be read may declare.
	meansUnsure
)

// meaning is what a name is in a class. Typ is the type of a value as messages tell it,
// "Variant" for any, empty if it is not known.
type meaning struct {
	kind meaningKind
	typ  string
	// own says that a script declares it.
	own bool
	// variable is no constant, signal or class; static needs no object.
	variable, static bool
	// least and most are the numbers of arguments that a function takes; most is -1 for any.
	least, most int
}

// resolver tells what names mean in the classes of a script.
type resolver struct {
	*Known
	bases map[*Class]above
}

// above is the base of a class: one of a script, or the name of one of the engine's;
// neither if it cannot be told.
type above struct {
	place
	native string
}

// maxBases bounds the chain of base classes, which may be cyclic in files.
const maxBases = 64

// find looks for a name in a class and its bases.
func (r *resolver) find(at place, name string) meaning {
	for range maxBases {
		if m := at.class.member(name); m.kind != meansNothing {
			return m
		}
		if at.class.Name == name && name != "" {
			return meaning{kind: meansValue}
		}
		base, known := r.bases[at.class]
		if !known {
			base.place, base.native = r.baseOf(at)
			r.bases[at.class] = base
		}
		switch {
		case base.native != "":
			return nativeMember(base.native, name)
		case base.class == nil:
			return meaning{kind: meansUnsure}
		}
		at = base.place
	}
	return meaning{kind: meansUnsure}
}

// meansAround reports whether a name may mean something in one of the classes around.
func (r *resolver) meansAround(at place, name string) bool {
	for i, class := range at.outer {
		if r.find(place{class: class, outer: at.outer[:i], path: at.path}, name).kind != meansNothing {
			return true
		}
	}
	return false
}

// baseOf works out the base of a class.
func (r *resolver) baseOf(at place) (base place, native string) {
	x := at.class.Extends
	if x.Line == 0 {
		return place{}, "RefCounted"
	}
	names := x.Names
	switch {
	case x.Path == "" && len(names) == 0:
		return place{}, ""
	case x.Path == "" && len(names) == 1 && classdb.Exists(names[0]):
		return place{}, names[0]
	case x.Path == "":
		base = at.around(names[0])
		if base.class == nil {
			base = r.script(Extends{Names: names[:1]}, at.path)
		}
		names = names[1:]
	default:
		base = r.script(Extends{Path: x.Path}, at.path)
	}
	for _, name := range names {
		if base.class == nil {
			break
		}
		base = base.inner(name)
	}
	return base, ""
}

func (r *resolver) script(x Extends, from string) place {
	if r.Base == nil {
		return place{}
	}
	s, path := r.Base(x, from)
	if s == nil {
		return place{}
	}
	return place{class: &s.Class, path: path}
}

// around finds a class by its name among those around this one and what they hold.
func (at place) around(name string) place {
	for i, class := range slices.Backward(at.outer) {
		outer := place{class: class, outer: at.outer[:i], path: at.path}
		if class.Name == name {
			return outer
		}
		if inner := outer.inner(name); inner.class != nil {
			return inner
		}
	}
	return place{}
}

func (at place) inner(name string) place {
	for _, class := range at.class.Classes {
		if class.Name == name {
			return place{class: class, outer: append(slices.Clone(at.outer), at.class), path: at.path}
		}
	}
	return place{}
}

// member is what a name is among the class's own declarations.
func (c *Class) member(name string) meaning {
	for _, v := range c.Variables {
		if v.Name == name {
			return meaning{kind: meansValue, typ: v.typeInMessages(), own: true, variable: true, static: v.Static}
		}
	}
	for _, f := range c.Functions {
		if f.Name == name {
			return f.meaning()
		}
	}
	switch c.memberKind(name) {
	case "":
		return meaning{}
	case "signal":
		return meaning{kind: meansValue, typ: "Signal", own: true}
	}
	return meaning{kind: meansValue, own: true}
}

func (f Function) meaning() meaning {
	m := meaning{kind: meansFunction, own: true, static: f.Static}
	for _, param := range f.Params {
		switch {
		case param.Rest:
			m.most = -1
			return m
		case param.Default == "":
			m.least++
		}
		m.most++
	}
	return m
}

func (v Variable) typeInMessages() string {
	switch {
	case v.Type == "" && v.Value.Source == "" && !v.Inferred:
		return "Variant"
	case isBuiltinType(v.Type) || classdb.Exists(v.Type):
		return v.Type
	}
	return ""
}

// nativeMember is what a name is in a class of the engine.
func nativeMember(class, name string) meaning {
	if !classdb.Exists(class) {
		return meaning{kind: meansUnsure}
	}
	return membersOf(class)[name]
}

// Flags of methods, as Object.get_method_list tells them.
const (
	methodVararg = 16
	methodStatic = 32
)

var natives struct {
	sync.Mutex
	members map[string]map[string]meaning
}

// membersOf tells what the members of a class of the engine are, inherited ones included.
func membersOf(class string) map[string]meaning {
	natives.Lock()
	defer natives.Unlock()
	if known, ok := natives.members[class]; ok {
		return known
	}
	out := map[string]meaning{}
	for _, m := range classdb.Methods(class, true) {
		found := meaning{kind: meansFunction, static: m.Flags&methodStatic != 0, least: len(m.Args) - m.Defaults, most: len(m.Args)}
		if m.Flags&methodVararg != 0 {
			found.most = -1
		}
		out[m.Name] = found
	}
	for _, e := range classdb.Enums(class, true) {
		out[e.Name] = meaning{kind: meansValue}
		for _, v := range e.Values {
			out[v.Name] = meaning{kind: meansValue}
		}
	}
	for _, c := range classdb.Constants(class, true) {
		out[c.Name] = meaning{kind: meansValue}
	}
	for _, s := range classdb.Signals(class, true) {
		out[s.Name] = meaning{kind: meansValue, typ: "Signal"}
	}
	for _, p := range classdb.Properties(class, true) {
		typ := p.Type.String()
		if typ == "int" || p.Type == classdb.TypeObject || p.Type == classdb.TypeNil {
			typ = "" // It may be an enum, or a class that the property does not tell.
		}
		out[p.Name] = meaning{kind: meansValue, typ: typ, variable: true}
	}
	if natives.members == nil {
		natives.members = map[string]map[string]meaning{}
	}
	natives.members[class] = out
	return out
}
