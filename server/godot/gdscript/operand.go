package gdscript

// super reads a call of the base class's function after the keyword; false if it is none.
func (p *parser) super() bool {
	if !p.check("(") {
		p.consume(".", `Expected "." or "(" after "super".`)
		if !p.consume(kindIdentifier, `Expected function name after ".".`) {
			return false
		}
		if !p.check("(") {
			p.fail(p.previous, `Expected "(" after function name.`)
			return false
		}
	}
	p.pushMultiline(true)
	p.advance()
	p.arguments()
	return true
}

// arguments reads the arguments of a call after "(", in multiline mode, which it ends, and
// gives the first token of each.
func (p *parser) arguments() (args []token) {
	for !p.check(")") && !p.atEnd() {
		args = append(args, p.current)
		if !p.expression(false) {
			p.fail(p.previous, "Expected expression as the function argument.")
		}
		if !p.match(",") {
			break
		}
	}
	p.popMultiline()
	p.consume(")", `Expected closing ")" after call arguments.`)
	return args
}

// callPath records load("...") calls; the call itself is read as an operator.
func (p *parser) callPath(name token) {
	if name.kind != kindIdentifier || p.word(name) != "load" || !p.check("(") {
		return
	}
	rest := &tokenizer{src: p.tokens.src, pos: p.tokens.pos, line: p.tokens.line, col: 2, multiline: true}
	arg, closing := rest.next(), rest.next()
	if arg.kind == kindLiteral && arg.literal == literalString && (closing.kind == ")" || closing.kind == "," || closing.kind == kindError) {
		p.script.Loads = append(p.script.Loads, Load{Path: arg.value, Line: name.line, Column: name.col})
	}
}

func (p *parser) preload(at token) {
	p.pushMultiline(true)
	p.consume("(", `Expected "(" after "preload".`)
	path := p.current
	if !p.expression(false) {
		p.fail(p.previous, `Expected resource path after "(".`)
	} else if path.kind == kindLiteral && path.literal == literalString && p.previous.start == path.start {
		p.script.Loads = append(p.script.Loads, Load{Path: path.value, Line: at.line, Column: at.col, Preload: true})
	}
	p.match(",")
	p.popMultiline()
	p.consume(")", `Expected ")" after preload path.`)
	p.operandKind = operandOther
}

func (p *parser) array() {
	p.pushMultiline(true)
	p.advance()
	for !p.check("]") && !p.atEnd() {
		if !p.expression(false) {
			p.fail(p.previous, "Expected expression as array element.")
		}
		if !p.match(",") {
			break
		}
	}
	p.popMultiline()
	p.consume("]", `Expected closing "]" after array elements.`)
	p.operandKind = operandOther
}

func (p *parser) dictionary() {
	var separator, wrong kind
	p.pushMultiline(true)
	p.advance()
	for !p.check("}") && !p.atEnd() {
		used := len(p.identifiers)
		if !p.dictionaryKey() {
			p.fail(p.previous, "Expected expression as dictionary key.")
			p.operandKind = operandName
		}
		if separator == "" {
			separator, wrong = ":", "="
			if p.check("=") {
				separator, wrong = "=", ":"
			} else if !p.check(":") {
				p.fail(p.previous, `Expected ":" or "=" after dictionary key.`)
			}
		}
		if separator == "=" && p.operandKind != operandName && p.operandKind != operandString {
			p.fail(p.previous, `Expected identifier or string as Lua-style dictionary key (e.g "{ key = value }").`)
		}
		if separator == "=" && p.operandKind == operandName {
			p.identifiers = p.identifiers[:used] // The key is its text.
		}
		if !p.match(separator) {
			if p.match(wrong) {
				p.failf(p.previous, "Expected \"%s\" after dictionary key. Mixing dictionary styles is not allowed.", separator)
				p.advance()
			} else {
				p.failf(p.previous, "Expected \"%s\" after dictionary key.", separator)
			}
		}
		if !p.expression(false) {
			p.fail(p.previous, "Expected expression as dictionary value.")
		}
		if !p.match(",") {
			break
		}
	}
	p.popMultiline()
	p.consume("}", `Expected closing "}" after dictionary elements.`)
	p.operandKind = operandOther
}

// dictionaryKey reads a key, which "=" may follow.
func (p *parser) dictionaryKey() bool {
	defer func(outer bool) { p.stopAtAssign = outer }(p.stopAtAssign)
	p.stopAtAssign = true
	return p.expression(false)
}

// nodePath reads a path after $ or %; false if there is none.
func (p *parser) nodePath(mark token) bool {
	wanted := mark
	if mark.kind == "$" && p.check("/") {
		wanted = p.advance()
	}
	for {
		if p.check("%") && wanted.kind != "%" {
			wanted = p.advance()
		}
		if p.check(kindLiteral) && p.current.literal == literalString {
			p.advance()
		} else if p.current.isNodeName() {
			p.advance()
		} else {
			if wanted.kind == "/" {
				p.failf(p.previous, "Unexpected \"%s\" in node path.", p.current.kind)
			} else {
				p.failf(p.previous, "Expected node path as string or identifier after \"%s\".", wanted.kind)
			}
			return false
		}
		if !p.check("/") {
			return true
		}
		wanted = p.advance()
	}
}

// declaredType reads a type specifier and returns its text; empty, with nothing read, if none begins here.
func (p *parser) declaredType(allowVoid bool) string {
	start := p.current
	if p.check("void") {
		if allowVoid {
			p.advance()
			return "void"
		}
		p.fail(p.advance(), `"void" is only allowed for a function return type.`)
		return "void"
	}
	if !p.check(kindIdentifier) {
		return ""
	}
	names := []string{p.word(p.advance())}
	if p.check("[") {
		p.use(names, "", start, false)
		p.advance()
		for {
			if p.declaredType(false) == "" {
				p.failf(p.previous, "Expected type for collection after \"%s\".", p.previous.kind)
			}
			if !p.match(",") {
				break
			}
		}
		p.consume("]", `Expected closing "]" after collection type.`)
		return p.textFrom(start.start)
	}
	for p.match(".") {
		if !p.consume(kindIdentifier, `Expected inner type name after ".".`) {
			break
		}
		names = append(names, p.word(p.previous))
	}
	p.use(names, "", start, false)
	return p.textFrom(start.start)
}
