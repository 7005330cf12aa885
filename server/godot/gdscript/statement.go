package gdscript

// suite reads a block after its colon: an indented one, or statements on the same line. False if there is none.
func (p *parser) suite(context string) bool {
	if !p.enter() {
		return false
	}
	defer p.leave()
	multiline := p.match(kindNewline)
	if multiline && !p.consume(kindIndent, "Expected indented block after "+context+".") {
		return false
	}
	p.locals = &locals{names: map[string]string{}, outer: p.locals}
	defer func() { p.locals = p.locals.outer }()
	p.returned = false
	for {
		if p.atEnd() || !multiline && p.previous.kind == ";" && p.check(kindNewline) {
			break
		}
		p.declared = token{}
		before := p.returned
		p.returned = false
		p.statement()
		p.returned = p.returned || before
		if p.declared.line != 0 {
			p.declareLocal(p.word(p.declared), p.declaredKind, p.declared)
			p.declared = token{}
		}
		more := (multiline || p.previous.kind == ";") && !p.check(kindDedent) && !p.lambdaEnded && !p.atEnd()
		if !more {
			break
		}
	}
	if multiline {
		if p.lambdaEnded {
			p.match(kindDedent)
		} else {
			p.consume(kindDedent, "Missing unindent at the end of "+context+".")
		}
	} else if p.previous.kind == ";" {
		p.consume(kindNewline, `Expected newline after ";" at the end of `+context+".")
	}
	return true
}

// statement reads one statement. A name that it declares is left in declared, since the engine looks for duplicates
// after it has recovered from other faults of the statement.
func (p *parser) statement() {
	switch p.current.kind {
	case "pass", "breakpoint":
		keyword := p.advance()
		p.endStatement(`"` + string(keyword.kind) + `"`)
	case "var":
		p.advance()
		if _, name, ok := p.variable(false); ok {
			p.declared, p.declaredKind = name, "variable"
		}
	case "const":
		p.advance()
		if _, name, ok := p.constant(); ok {
			p.declared, p.declaredKind = name, "constant"
		}
	case "if":
		p.advance()
		p.ifStatement("if")
	case "for":
		p.advance()
		p.forStatement()
	case "while":
		p.advance()
		p.condition("while", `"while"`)
		p.loop(`"while" block`)
	case "match":
		p.advance()
		p.matchStatement()
	case "break", "continue":
		keyword := p.advance()
		if p.loops == 0 {
			p.failf(keyword, "Cannot use \"%s\" outside of a loop.", keyword.kind)
		}
		p.endStatement(`"` + string(keyword.kind) + `"`)
	case "return":
		at := p.advance()
		start := p.current
		defer func() { p.returned = true }()
		if !p.atStatementEndToken() && !p.atEnd() {
			if p.inConstructor {
				p.fail(p.previous, "Constructor cannot return a value.")
			}
			if !p.expression(false) && !p.inLambda {
				p.failf(p.previous, "Expected end of statement after return statement, found \"%s\" instead.", p.current.kind)
				break
			}
		}
		p.checkReturn(at, start)
		p.endStatement("return statement")
	case "assert":
		p.advance()
		p.assertion()
	case kindAnnotation:
		p.statementAnnotation()
	default:
		p.expressionStatement()
	}
	if p.panicked {
		p.synchronize()
	}
}

func (p *parser) expressionStatement() {
	ended := false
	first := p.current
	if !p.expression(true) {
		if p.inLambda {
			// What cannot begin a statement may go on with the expression that the lambda is part of.
			p.lambdaEnded = true
			ended = true
		} else {
			t := p.advance()
			p.failf(t, "Expected statement, found \"%s\" instead.", t.kind)
		}
	} else {
		standalone := first.kind == "func" && p.operandKind == operandLambda
		p.endStatement("expression")
		if standalone {
			p.fail(first, "Standalone lambdas cannot be accessed. Consider assigning it to a variable.")
		}
	}
	p.lambdaEnded = p.lambdaEnded || ended
}

// condition reads the condition of a statement and the colon after it.
func (p *parser) condition(keyword, shown string) {
	if !p.expression(false) {
		p.failf(p.previous, "Expected conditional expression after \"%s\".", keyword)
	}
	p.consume(":", `Expected ":" after `+shown+` condition.`)
}

func (p *parser) loop(context string) {
	p.loops++
	p.suite(context)
	p.loops--
	p.returned = false // It may not run.
}

func (p *parser) ifStatement(keyword string) {
	all := true
	for {
		p.condition(keyword, `"`+keyword+`"`)
		p.suite(`"` + keyword + `" block`)
		all = all && p.returned
		if p.panicked {
			p.synchronize()
		}
		if !p.match("elif") {
			break
		}
		keyword = "elif"
	}
	if p.match("else") {
		p.consume(":", `Expected ":" after "else".`)
		p.suite(`"else" block`)
		p.returned = p.returned && all
	} else {
		p.returned = false
	}
}

func (p *parser) forStatement() {
	name, named := p.name(`Expected loop variable name after "for".`)
	if p.match(":") {
		if p.declaredType(false) == "" {
			p.fail(p.previous, `Expected type specifier after ":".`)
		}
		p.consume("in", `Expected "in" after "for" variable type specifier.`)
	} else {
		p.consume("in", `Expected "in" or ":" after "for" variable name.`)
	}
	if !p.expression(false) {
		p.fail(p.previous, `Expected iterable after "in".`)
	}
	p.consume(":", `Expected ":" after "for" condition.`)
	p.locals = &locals{names: map[string]string{}, outer: p.locals}
	defer func() { p.locals = p.locals.outer }()
	if named {
		p.declareLocal(p.word(name), "for loop iterator", name)
	}
	p.loop(`"for" block`)
}

func (p *parser) assertion() {
	p.pushMultiline(true)
	p.consume("(", `Expected "(" after "assert".`)
	if !p.expression(false) {
		p.fail(p.previous, "Expected expression to assert.")
		p.popMultiline()
		return
	}
	if p.match(",") && !p.check(")") {
		if !p.expression(false) {
			p.fail(p.previous, `Expected error message for assert after ",".`)
			p.popMultiline()
			return
		}
		p.match(",")
	}
	p.popMultiline()
	p.consume(")", `Expected ")" after assert expression.`)
	p.endStatement(`"assert"`)
}

func (p *parser) matchStatement() {
	if !p.expression(false) {
		p.fail(p.previous, `Expected expression to test after "match".`)
	}
	p.consume(":", `Expected ":" after "match" expression.`)
	p.consume(kindNewline, `Expected a newline after "match" statement.`)
	if !p.consume(kindIndent, `Expected an indented block after "match" statement.`) {
		return
	}
	all, any := true, false
	for !p.check(kindDedent) && !p.atEnd() {
		switch {
		case p.match("pass"):
			p.endStatement(`"pass"`)
		case p.check(kindAnnotation):
			p.statementAnnotation()
		default:
			catches, ok := p.matchBranch()
			if !ok {
				p.advance()
			}
			all, any = all && p.returned, any || catches
		}
	}
	p.returned = all && any
	p.consume(kindDedent, "Missing unindent at the end of \"match\" statement.")
}

// matchBranch reads patterns, guard and block; false if the block cannot be found. It
// catches all if one of the patterns takes any value, without a guard.
func (p *parser) matchBranch() (catches, ok bool) {
	p.locals = &locals{names: map[string]string{}, outer: p.locals}
	defer func() { p.locals = p.locals.outer }()
	patterns, binds := 0, false
	for {
		at := p.current
		before := len(p.locals.names)
		catches = catches || at.kind == "var" || at.kind == "_"
		if at.kind == ".." {
			p.fail(at, "Rest pattern can only be used inside array and dictionary patterns.")
		}
		if p.pattern() {
			patterns++
		}
		binds = binds || len(p.locals.names) > before
		if binds && (patterns > 1 || p.check(",")) && !p.panicked {
			p.fail(at, "Cannot use a variable bind with multiple patterns.")
		}
		if !p.match(",") {
			break
		}
	}
	if patterns == 0 {
		p.fail(p.previous, "No pattern found for \"match\" branch.")
	}
	if p.match("when") {
		catches = false
		if !p.expression(false) {
			p.fail(p.previous, `Expected expression for pattern guard after "when".`)
		}
		if !p.consume(":", `Expected ":" after "match" pattern guard.`) {
			return false, false
		}
	} else if !p.consume(":", `Expected ":" or "when" after "match" patterns.`) {
		return false, false
	}
	p.suite("match pattern block")
	return catches, true
}

// pattern reads one pattern of a match branch; false if none begins here.
func (p *parser) pattern() bool {
	if !p.enter() {
		return false
	}
	defer p.leave()
	switch p.current.kind {
	case "var":
		p.advance()
		name, ok := p.name(`Expected bind name after "var".`)
		if !ok {
			return false
		}
		if taken := p.localKind(p.word(name)); taken != "" {
			p.failf(name, "There's already a %s named \"%s\" in this scope.", taken, p.word(name))
			return false
		}
		p.locals.names[p.word(name)] = "pattern bind"
	case "..", "_":
		p.advance()
	case "[":
		p.patternList("]", "array", p.pattern)
	case "{":
		p.patternList("}", "dictionary", p.patternEntry)
	default:
		if !p.expression(false) {
			p.fail(p.previous, "Expected expression for match pattern.")
			return false
		}
	}
	return true
}

func (p *parser) patternEntry() bool {
	if p.match("..") {
		return true
	}
	if !p.expression(false) {
		p.fail(p.previous, "Expected expression as key for dictionary pattern.")
		return false
	}
	if p.match(":") && !p.pattern() {
		p.fail(p.previous, "Expected pattern in dictionary value.")
	}
	return true
}

func (p *parser) patternList(closing kind, what string, item func() bool) {
	p.pushMultiline(true)
	p.advance()
	for !p.check(closing) && !p.atEnd() {
		at := p.current
		if !item() || !p.match(",") {
			break
		}
		if at.kind == ".." && !p.check(closing) {
			p.failf(at, "The \"..\" pattern must be the last element in the pattern %s.", what)
		}
	}
	p.popMultiline()
	p.consume(closing, `Expected "`+string(closing)+`" to close the `+what+" pattern.")
}
