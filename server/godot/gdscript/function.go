package gdscript

// memberFunction reads a function after the keyword.
func (p *parser) memberFunction(class *Class, static bool) {
	at := p.previous
	f := Function{Line: at.line, Static: static, Abstract: p.takeAnnotation("@abstract")}
	name, ok := p.name(`Expected function name after "func".`)
	if !ok {
		return
	}
	f.Name, f.Line = p.word(name), name.line
	p.pushMultiline(true)
	p.consume("(", `Expected opening "(" after function name.`)
	f.Params, f.ReturnType = p.signature("function")
	if p.match(":") {
		outer := p.enterFunction(false)
		p.inConstructor = f.Name == "_init"
		p.returns = f.ReturnType
		if static {
			p.static = f.Name
		}
		for _, param := range f.Params {
			p.locals.names[param.Name] = "parameter"
		}
		p.suite("function declaration")
		if !p.inConstructor {
			p.checkReturned(at)
		}
		p.leaveFunction(outer)
	} else {
		// Abstract functions have no body; on others the engine reports it only if nothing else is wrong.
		if !f.Abstract {
			p.bodyless = append(p.bodyless, name)
		}
		p.endStatement("bodyless function declaration")
	}
	f.EndLine = p.lastLine
	p.declare(class, "Function", name)
	class.Functions = append(class.Functions, f)
}

// signature reads parameters after "(" and the return type, in multiline mode, which it ends.
func (p *parser) signature(of string) (params []Param, returns string) {
	optional := false
	outer := p.locals
	p.locals = &locals{names: map[string]string{}, outer: outer} // A default may name the parameters before it.
	defer func() { p.locals = outer }()
	for !p.check(")") && !p.atEnd() {
		rest := p.match("...")
		param, at, ok := p.param()
		if !ok {
			break
		}
		param.Rest = rest
		if rest && param.Default != "" {
			p.fail(at, "The rest parameter cannot have a default value.")
		}
		if !rest && param.Default == "" && optional {
			p.fail(at, "Cannot have mandatory parameters after optional parameters.")
		}
		if len(params) > 0 && params[len(params)-1].Rest {
			p.fail(at, "Cannot have parameters after the rest parameter.")
		}
		optional = optional || param.Default != ""
		p.locals.names[param.Name] = "parameter"
		p.duplicateParam(params, param, at, of)
		params = append(params, param)
		if !p.match(",") {
			break
		}
	}
	p.popMultiline()
	p.consume(")", `Expected closing ")" after `+of+` parameters.`)
	if p.match("->") {
		if returns = p.declaredType(true); returns == "" {
			p.fail(p.previous, `Expected return type or "void" after "->".`)
		}
	}
	return params, returns
}

func (p *parser) param() (param Param, name token, ok bool) {
	if name, ok = p.name("Expected parameter name."); !ok {
		return param, name, false
	}
	param.Name = p.word(name)
	inferred := false
	if p.match(":") {
		if inferred = p.check("="); !inferred {
			param.Type = p.declaredType(false)
		}
	}
	if p.match("=") {
		start := p.current
		p.expression(false)
		param.Default = p.textFrom(start.start)
		p.checkAssigned("parameter", param.Name, param.Type, param.Default, start)
		if inferred {
			_, param.Type = literalText(param.Default)
		}
	}
	return param, name, true
}

// outerFunction is what a function body hides of the code around it.
type outerFunction struct {
	inLambda, inConstructor bool
	loops                   int
	static, returns         string
	locals                  *locals
}

func (p *parser) enterFunction(lambda bool) outerFunction {
	outer := outerFunction{p.inLambda, p.inConstructor, p.loops, p.static, p.returns, p.locals}
	p.inLambda, p.inConstructor, p.loops, p.static, p.returns = lambda, false, 0, "", ""
	if !lambda {
		p.locals = nil
	}
	p.locals = &locals{names: map[string]string{}, outer: p.locals}
	return outer
}

func (p *parser) leaveFunction(outer outerFunction) {
	p.inLambda, p.inConstructor, p.loops, p.locals = outer.inLambda, outer.inConstructor, outer.loops, outer.locals
	p.static, p.returns = outer.static, outer.returns
}

// locals are the names of a block, with the kind that messages give them. A lambda sees those around it.
type locals struct {
	names map[string]string
	outer *locals
}

// declareLocal declares a name in the innermost block, or reports that it is taken.
func (p *parser) declareLocal(name, kind string, at token) {
	if taken := p.localKind(name); taken != "" {
		p.failf(at, "There is already a %s named \"%s\" declared in this scope.", taken, name)
	} else if p.locals != nil {
		p.locals.names[name] = kind
	}
}

// localKind is the kind of a local name that can be seen here, or empty.
func (p *parser) localKind(name string) string {
	for l := p.locals; l != nil; l = l.outer {
		if kind := l.names[name]; kind != "" {
			return kind
		}
	}
	return ""
}

// lambda reads a lambda after the keyword. Its body may go over several lines even inside brackets.
func (p *parser) lambda() {
	at := p.previous
	defer func(returned bool) { p.returned = returned }(p.returned)
	inBrackets := p.inMultiline()
	p.pushMultiline(false)
	if inBrackets {
		p.tokens.enterBlock()
	}
	p.pushMultiline(true)
	if p.match(kindIdentifier) {
		p.consume("(", `Expected opening "(" after lambda name.`)
	} else {
		p.consume("(", `Expected opening "(" after "func".`)
	}
	params, returns := p.signature("lambda")
	p.consume(":", `Expected ":" after lambda declaration.`)
	outer := p.enterFunction(true)
	p.returns = returns
	for _, param := range params {
		p.locals.names[param.Name] = "parameter"
	}
	if p.suite("lambda declaration") {
		p.lambdaEnded = true
		p.checkReturned(at)
	}
	p.popMultiline()
	if inBrackets {
		for p.check(kindNewline) || p.check(kindIndent) || p.check(kindDedent) {
			p.current = p.scan()
		}
		p.tokens.leaveBlock()
	}
	p.leaveFunction(outer)
}
