package gdscript

import "slices"

// declare reports a member that has the name of an earlier one.
func (p *parser) declare(class *Class, what string, name token) {
	word := p.word(name)
	if before := class.memberKind(word); before != "" {
		p.failf(name, "%s \"%s\" has the same name as a previously declared %s.", what, word, before)
	}
}

// memberKind is the kind of a declared member as messages name it, or empty.
func (c *Class) memberKind(name string) string {
	switch {
	case slices.ContainsFunc(c.Variables, func(v Variable) bool { return v.Name == name }):
		return "variable"
	case slices.ContainsFunc(c.Functions, func(f Function) bool { return f.Name == name }):
		return "function"
	case slices.ContainsFunc(c.Signals, func(s Signal) bool { return s.Name == name }):
		return "signal"
	case slices.ContainsFunc(c.Constants, func(k Constant) bool { return k.Name == name }):
		return "constant"
	case slices.ContainsFunc(c.Classes, func(k *Class) bool { return k.Name == name }):
		return "class"
	}
	for _, e := range c.Enums {
		if e.Name == name {
			return "enum"
		}
		if e.Name == "" && slices.ContainsFunc(e.Values, func(v EnumValue) bool { return v.Name == name }) {
			return "enum value"
		}
	}
	return ""
}

func (p *parser) memberVariable(class *Class, static bool) {
	annotations := p.annotations
	p.annotations = nil
	v, name, ok := p.variable(true)
	if !ok {
		return
	}
	v.Static, v.Annotations = static, annotations
	for _, a := range annotations {
		if isExport(a.Name) {
			v.Export = a.Name
		}
		v.Onready = v.Onready || a.Name == "@onready"
	}
	p.declare(class, "Variable", name)
	class.Variables = append(class.Variables, v)
}

// variable reads a variable after the keyword. A member may have a getter and setter.
func (p *parser) variable(member bool) (v Variable, name token, ok bool) {
	if name, ok = p.name(`Expected variable name after "var".`); !ok {
		return v, name, false
	}
	v.Name, v.Line = p.word(name), name.line
	properties := false
	if p.match(":") {
		switch {
		case p.check(kindNewline):
			if !member {
				p.fail(p.previous, `Expected type after ":"`)
				return v, name, true
			}
			p.property(false)
			return v, name, true
		case p.check("="):
			v.Inferred = true
		case member && p.atAccessor():
			p.property(true)
			return v, name, true
		default:
			v.Type = p.declaredType(false)
		}
	}
	if p.match("=") {
		start := p.current
		if !p.expression(false) {
			p.fail(p.previous, `Expected expression for variable initial value after "=".`)
		}
		v.Value = p.value(start)
		p.checkAssigned("variable", v.Name, v.Type, v.Value.Source, start)
		if v.Inferred {
			v.Type = v.Value.Type
		}
	}
	if member && p.match(":") {
		p.property(!p.check(kindNewline))
		properties = true
	}
	if !properties {
		p.endStatement("variable declaration")
	}
	return v, name, true
}

// value takes the initial value that ends with the last token read.
func (p *parser) value(start token) Value {
	out := Value{Source: p.textFrom(start.start)}
	out.Literal, out.Type = literalText(out.Source)
	return out
}

func (p *parser) memberConstant(class *Class) {
	c, name, ok := p.constant()
	if ok {
		p.declare(class, "Constant", name)
		class.Constants = append(class.Constants, c)
	}
}

func (p *parser) constant() (c Constant, name token, ok bool) {
	if name, ok = p.name(`Expected constant name after "const".`); !ok {
		return c, name, false
	}
	c.Name, c.Line = p.word(name), name.line
	if p.match(":") && !p.check("=") {
		c.Type = p.declaredType(false)
	}
	if p.consume("=", "Expected initializer after constant name.") {
		start := p.current
		if !p.expression(false) {
			p.fail(p.previous, "Expected initializer expression for constant.")
		}
		c.Value = p.value(start)
		p.checkAssigned("constant", c.Name, c.Type, c.Value.Source, start)
		if c.Type == "" {
			c.Type = c.Value.Type
		}
		p.endStatement("constant declaration")
	}
	return c, name, true
}

func (p *parser) signal(class *Class) {
	name, ok := p.name(`Expected signal name after "signal".`)
	if !ok {
		return
	}
	s := Signal{Name: p.word(name), Line: name.line}
	if p.check("(") {
		p.pushMultiline(true)
		p.advance()
		for !p.check(")") && !p.atEnd() {
			param, at, ok := p.param()
			if !ok {
				p.fail(p.previous, "Expected signal parameter name.")
				break
			}
			if param.Default != "" {
				p.fail(at, "Signal parameters cannot have a default value.")
			}
			p.duplicateParam(s.Params, param, at, "signal")
			s.Params = append(s.Params, param)
			if !p.match(",") {
				break
			}
		}
		p.popMultiline()
		p.consume(")", `Expected closing ")" after signal parameters.`)
	}
	p.endStatement("signal declaration")
	p.declare(class, "Signal", name)
	class.Signals = append(class.Signals, s)
}

func (p *parser) duplicateParam(list []Param, param Param, at token, of string) {
	for _, other := range list {
		if other.Name == param.Name {
			p.failf(at, "Parameter with name \"%s\" was already declared for this %s.", param.Name, of)
			return
		}
	}
}

func (p *parser) enum(class *Class) {
	e := Enum{Line: p.previous.line}
	var name token
	if p.match(kindIdentifier) {
		name = p.previous
		e.Name = p.word(name)
	}
	p.pushMultiline(true)
	message := `Expected "{" after "enum".`
	if e.Name != "" {
		message = `Expected "{" after enum name.`
	}
	p.consume("{", message)
	for {
		if p.check("}") {
			break
		}
		if !p.consume(kindIdentifier, "Expected identifier for enum key.") {
			if !p.match(",") {
				break
			}
			continue
		}
		at := p.previous
		value := EnumValue{Name: p.word(at), Line: at.line}
		for _, other := range e.Values {
			if other.Name == value.Name {
				p.failf(at, "Name \"%s\" was already in this enum (at line %d).", value.Name, other.Line)
			}
		}
		if e.Name == "" {
			p.declare(class, "Enum value", at)
		}
		if p.match("=") {
			start, used := p.current, len(p.identifiers)
			if !p.expression(false) {
				p.fail(p.previous, `Expected expression value after "=".`)
			}
			// The values before it are names here.
			p.identifiers = append(p.identifiers[:used], slices.DeleteFunc(p.identifiers[used:], func(use identifierUse) bool {
				return slices.ContainsFunc(e.Values, func(v EnumValue) bool { return v.Name == p.word(use.at) })
			})...)
			value.Text = p.textFrom(start.start)
		}
		e.Values = append(e.Values, value)
		if !p.match(",") {
			break
		}
	}
	p.popMultiline()
	p.consume("}", `Expected closing "}" for enum.`)
	p.endStatement("enum")
	if e.Name != "" {
		p.declare(class, "Enum", name)
	}
	class.Enums = append(class.Enums, e)
}
