package gdscript

// memberFunction reads a function after the keyword.
func (p *parser) memberFunction(class *Class, static bool) {
	f := Function{Line: p.previous.line, Static: static, Abstract: p.takeAnnotation("@abstract")}
	name, ok := p.name(`Expected function name after "func".`)
	if !ok {
		return
	}
	f.Name, f.Line = p.word(name), name.line
	p.pushMultiline(true)
	p.consume("(", `Expected opening "(" after function name.`)
	f.Params, f.ReturnType = p.signature("function")
	p.declare(class, "Function", name)
	class.Functions = append(class.Functions, f)
	at := len(class.Functions) - 1
	if p.match(":") {
		outer := p.enterFunction(false)
		p.suite("function declaration")
		p.leaveFunction(outer)
	} else {
		// Abstract functions have no body; on others the engine reports it only if nothing else is wrong.
		if !f.Abstract {
			p.bodyless = append(p.bodyless, name)
		}
		p.endStatement("bodyless function declaration")
	}
	class.Functions[at].EndLine = p.lastLine()
}

// signature reads parameters after "(" and the return type, in multiline mode, which it ends.
func (p *parser) signature(of string) (params []Param, returns string) {
	optional := false
	for !p.check(")") && !p.atEnd() {
		rest := p.match("...")
		param, at, ok := p.param()
		if !ok {
			break
		}
		param.Rest = rest
		if !rest && param.Default == "" && optional {
			p.fail(at, "Cannot have mandatory parameters after optional parameters.")
		}
		if len(params) > 0 && params[len(params)-1].Rest {
			p.fail(at, "Cannot have parameters after the rest parameter.")
		}
		optional = optional || param.Default != ""
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
		if inferred {
			_, param.Type = literalText(param.Default)
		}
	}
	return param, name, true
}

// outerFunction is what a function body hides of the code around it.
type outerFunction struct {
	inLambda bool
	loops    int
}

func (p *parser) enterFunction(lambda bool) outerFunction {
	outer := outerFunction{p.inLambda, p.loops}
	p.inLambda, p.loops = lambda, 0
	return outer
}

func (p *parser) leaveFunction(outer outerFunction) {
	p.inLambda, p.loops = outer.inLambda, outer.loops
}

// lambda reads a lambda after the keyword. Its body may go over several lines even inside brackets.
func (p *parser) lambda() {
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
	p.signature("lambda")
	p.consume(":", `Expected ":" after lambda declaration.`)
	outer := p.enterFunction(true)
	if p.suite("lambda declaration") {
		p.lambdaEnded = true
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

// atProperty reports whether a getter or setter begins here.
func (p *parser) atProperty() bool {
	word := p.word(p.current)
	return p.check(kindIdentifier) && (word == "get" || word == "set")
}

// property reads getter and setter after the colon.
func (p *parser) property(inline bool) {
	if !inline {
		p.match(kindNewline)
		if !p.consume(kindIndent, "Expected indented block for property after \":\".") {
			return
		}
	}
	if !p.atProperty() {
		p.fail(p.previous, `Expected "get" or "set" for property declaration.`)
		p.endStatement("property declaration")
		return
	}
	function := p.propertyAccessor()
	for p.match(",") || p.atProperty() {
		if p.match(kindNewline) && inline {
			p.match(kindIndent)
		}
		if !p.atProperty() {
			break
		}
		p.propertyAccessor()
	}
	if function {
		p.endStatement("property declaration")
	}
	if !inline {
		p.match(kindNewline)
		p.consume(kindDedent, "Expected end of indented block for property.")
	}
}

// propertyAccessor reads one accessor; true if it names a function ("get = f") instead of having a body.
func (p *parser) propertyAccessor() bool {
	accessor := p.word(p.advance())
	if p.match("=") {
		p.consume(kindIdentifier, "Expected "+accessor+`ter function name after "=".`)
		return true
	}
	if accessor == "set" {
		p.consume("(", `Expected "(" after "set".`)
		p.consume(kindIdentifier, `Expected parameter name after "(".`)
		p.consume(")", `Expected ")" after parameter name.`)
		p.consume(":", `Expected ":" after ")".`)
	} else if p.match("(") {
		p.consume(")", `Expected ")" after "get(".`)
		p.consume(":", `Expected ":" after "get()".`)
	} else {
		p.consume(":", `Expected ":" or "(" after "get".`)
	}
	outer := p.enterFunction(false)
	p.suite(accessor + "ter declaration")
	p.leaveFunction(outer)
	return false
}
