package gdscript

// atAccessor reports whether a getter or setter begins here.
func (p *parser) atAccessor() bool {
	word := p.word(p.current)
	return p.check(kindIdentifier) && (word == "get" || word == "set")
}

// property reads getter and setter after the colon: bodies in an indented block, or names of functions.
func (p *parser) property(inline bool) {
	if !inline {
		p.match(kindNewline)
		if !p.consume(kindIndent, `Expected indented block for property after ":".`) {
			return
		}
	}
	if !p.consume(kindIdentifier, `Expected "get" or "set" for property declaration.`) {
		return
	}
	named := p.check("=")
	if !named && inline {
		p.fail(p.previous, "Property with inline code must go to an indented block.")
	}
	used := map[string]bool{}
	for i := range 2 {
		accessor := p.word(p.previous)
		switch {
		case accessor != "get" && accessor != "set":
			p.fail(p.previous, `Expected "get" or "set" for property declaration.`)
		case used[accessor]:
			p.failf(p.previous, "Properties can only have one %ster.", accessor)
		case named:
			p.consume("=", `Expected "=" after "`+accessor+`".`)
			p.consume(kindIdentifier, "Expected "+accessor+`ter function name after "=".`)
		case accessor == "get":
			p.getter()
		default:
			p.setter()
		}
		used[accessor] = true
		if i == 0 && named {
			if !p.match(",") {
				break
			}
			if p.match(kindNewline) && inline {
				p.fail(p.previous, `Inline setter/getter setting cannot span across multiple lines (use "\\"" if needed).`)
			}
		}
		if i == 1 || !p.match(kindIdentifier) {
			break
		}
	}
	if named {
		p.endStatement("property declaration")
	}
	if !inline {
		p.consume(kindDedent, "Expected end of indented block for property.")
	}
}

func (p *parser) getter() {
	if p.match("(") {
		p.consume(")", `Expected ")" after "get(".`)
		p.consume(":", `Expected ":" after "get()".`)
	} else {
		p.consume(":", `Expected ":" or "(" after "get".`)
	}
	outer := p.enterFunction(false)
	p.suite("getter declaration")
	p.leaveFunction(outer)
}

func (p *parser) setter() {
	p.consume("(", `Expected "(" after "set".`)
	param, ok := p.name(`Expected parameter name after "(".`)
	p.consume(")", `Expected ")" after parameter name.`)
	p.consume(":", `Expected ":" after ")".`)
	if ok {
		outer := p.enterFunction(false)
		p.locals.names[p.word(param)] = "parameter"
		p.suite("setter declaration")
		p.leaveFunction(outer)
	}
}
