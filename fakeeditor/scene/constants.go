package scene

import (
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/gdscript"
	"godot-mcp/server/godot/variant"
)

// scope finds the constants that the initial values of a script name: its own, those of
// its bases, of registered scripts and of the engine.
type scope struct {
	env  Env
	decl *gdscript.Script
	path string
	// depth counts how often a constant led to another, which may go round in files.
	depth int
}

const maxConstants = 32

func (c scope) reduce(source string) (variant.Value, gdscript.Reduction) {
	if c.depth > maxConstants {
		return variant.Nil, gdscript.Unknown
	}
	c.depth++
	return gdscript.Reduce(source, c.value)
}

// value gives the constant of a name, which may be dotted.
func (c scope) value(name string) (variant.Value, bool) {
	if v, ok := c.own(name); ok {
		return v, true
	}
	if base := c.env.basePath(c.decl.Extends, c.path); base != "" {
		if v, ok := c.in(base, name); ok {
			return v, true
		}
	} else if names := c.decl.Extends.Names; len(names) > 0 {
		if v, ok := ofClass(names[0], name); ok {
			return v, true
		}
	}
	if head, rest, dotted := strings.Cut(name, "."); dotted {
		if path := c.env.Lib.ClassPath(head); path != "" {
			return c.in(path, rest)
		}
		return ofClass(head, rest)
	}
	for _, en := range classdb.GlobalEnums() {
		if v, ok := memberOf(en, name); ok {
			return v, true
		}
	}
	return variant.Nil, false
}

// in looks into the script of another file.
func (c scope) in(path, name string) (variant.Value, bool) {
	text, ok := c.env.Lib.Read(path)
	if !ok || c.depth > maxConstants {
		return variant.Nil, false
	}
	return scope{c.env, scan(text), path, c.depth + 1}.value(name)
}

// own looks at the constants and enums of the script itself.
func (c scope) own(name string) (variant.Value, bool) {
	head, member, dotted := strings.Cut(name, ".")
	for _, en := range c.decl.Enums {
		if dotted && en.Name == head || !dotted && en.Name == "" {
			if !dotted {
				member = name
			}
			if n, ok := c.enumMember(en, member); ok {
				return variant.Int(n), true
			}
		}
	}
	for _, k := range c.decl.Constants {
		if k.Name != name {
			continue
		}
		v, is := c.reduce(k.Value.Source)
		if is != gdscript.Folded && is != gdscript.Listed {
			return variant.Nil, false
		}
		if k.Type != "" {
			var x Export
			c.env.typeByName(&x, k.Type, c.decl)
			v = packedFrom(x.Type, c.env.typedDefault(v, x))
		}
		return v, true
	}
	return variant.Nil, false
}

// packedFrom turns a list into an array of packed values, as the compiler does for constants.
func packedFrom(t variant.Type, list variant.Value) variant.Value {
	a, ok := list.Array()
	if !ok || packedOf[t] == 0 {
		return list
	}
	parts := make([]string, 0, a.Len())
	for _, item := range a.Items() {
		text := item.String()
		if open := strings.IndexByte(text, '('); item.Type().IsStruct() && open > 0 {
			text = strings.TrimSuffix(text[open+1:], ")")
		}
		parts = append(parts, text)
	}
	v, err := variant.ParseText(t.String() + "(" + strings.Join(parts, ", ") + ")")
	if err != nil {
		return list
	}
	return v
}

// enumMember gives the number of a member, which counts on from the one before it.
func (c scope) enumMember(en gdscript.Enum, member string) (int64, bool) {
	next := int64(0)
	for _, v := range en.Values {
		if v.Text != "" {
			x, _ := c.reduce(v.Text)
			n, ok := x.Int()
			if !ok {
				return 0, false
			}
			next = n
		}
		if v.Name == member {
			return next, true
		}
		next++
	}
	return 0, false
}

// ofClass finds a constant of an engine class; its enum may stand between.
func ofClass(class, name string) (variant.Value, bool) {
	if !classdb.Exists(class) {
		return variant.Nil, false
	}
	enum, member, dotted := strings.Cut(name, ".")
	if !dotted {
		member = name
	}
	for _, en := range classdb.Enums(class, true) {
		if dotted && en.Name != enum {
			continue
		}
		if v, ok := memberOf(en, member); ok {
			return v, true
		}
	}
	for _, k := range classdb.Constants(class, true) {
		if !dotted && k.Name == name {
			return variant.Int(k.Value), true
		}
	}
	return variant.Nil, false
}

func memberOf(en classdb.Enum, name string) (variant.Value, bool) {
	for _, k := range en.Values {
		if k.Name == name {
			return variant.Int(k.Value), true
		}
	}
	return variant.Nil, false
}

// preloaded gives the resource of the file that an initial value preloads; 0 if it is
// another value, or a script.
func (c scope) preloaded(source string) ResID {
	inner, ok := strings.CutPrefix(source, "preload(")
	if !ok || !strings.HasSuffix(inner, ")") {
		return 0
	}
	v, err := variant.ParseText(strings.TrimSpace(strings.TrimSuffix(inner, ")")))
	text, isText := v.Text()
	if err != nil || !isText {
		return 0
	}
	file := c.env.basePath(gdscript.Extends{Path: text}, c.path)
	if file == "" || strings.HasSuffix(file, ".gd") {
		return 0
	}
	id, no := c.env.LoadResource(file)
	if no != nil {
		return 0
	}
	return id
}

// inferred names the type that an initial value gives to its variable; "" if the value
// does not tell.
func (c scope) inferred(source string) string {
	if r := c.env.Res(c.preloaded(source)); r != nil {
		return r.Class
	}
	if class, _, ok := strings.Cut(source, ".new("); ok && (classdb.Exists(class) || c.env.Lib.ClassPath(class) != "") {
		return class
	}
	if head, member, dotted := strings.Cut(source, "."); !dotted {
		for _, en := range classdb.GlobalEnums() {
			if _, ok := memberOf(en, source); ok {
				return en.Name
			}
		}
	} else if isEnum(head, c.decl) {
		return head
	} else if classdb.Exists(head) {
		for _, en := range classdb.Enums(head, true) {
			if _, ok := memberOf(en, member); ok {
				return head + "." + en.Name
			}
		}
	} else if i := strings.LastIndexByte(source, '.'); i > len(head) && c.env.Lib.ClassPath(head) != "" {
		if _, ok := c.value(source); ok {
			return source[:i]
		}
	}
	v, is := c.reduce(source)
	switch {
	case is == gdscript.Folded || is == gdscript.Listed:
		if v.IsNil() {
			return ""
		}
		return v.Type().String()
	case is == gdscript.Unknown:
		return ""
	case strings.HasPrefix(source, "[") && strings.HasSuffix(source, "]"):
		return "Array"
	case strings.HasPrefix(source, "{") && strings.HasSuffix(source, "}"):
		return "Dictionary"
	case strings.HasPrefix(source, "str("):
		return "String"
	case strings.HasPrefix(source, "load("):
		return "Resource"
	}
	return returned(source)
}

// returned gives the type that a method of a singleton or class returns.
func returned(source string) string {
	class, call, _ := strings.Cut(source, ".")
	method, args, ok := strings.Cut(call, "(")
	if !ok || strings.Count(args, ")") != 1 || !strings.HasSuffix(args, ")") {
		return ""
	}
	m, ok := classdb.FindMethod(class, method)
	if !ok || m.ReturnsVariant {
		return ""
	}
	if m.ReturnClassName != "" {
		return m.ReturnClassName
	}
	return variant.Type(m.Return).String()
}
