package gdscript

// Binding strengths of the operators, weak to strong. The names are those of the language reference.
const (
	precNone = iota
	precAssign
	precCast
	precTernary
	precOr
	precAnd
	precNot
	precIn
	precCompare
	precBitOr
	precBitXor
	precBitAnd
	precShift
	precAdd
	precMultiply
	precSign
	precBitNot
	precPower
	precTypeTest
	precAwait
	precCall
	precAttribute
	precSubscript
)

// operandKind is what the expression read last is, as far as calls and assignments care.
type operandKind int

const (
	operandOther operandKind = iota
	operandName
	operandAttribute
	operandSubscript
	operandString
	operandLambda
)

// operandAfter is the kind that an operator makes; all others make operandOther.
var operandAfter = map[kind]operandKind{".": operandAttribute, "[": operandSubscript}

var infix = map[kind]int{
	"as": precCast, "if": precTernary, "or": precOr, "||": precOr, "and": precAnd, "&&": precAnd, "in": precIn,
	"not": precIn, "==": precCompare, "!=": precCompare, "<": precCompare, "<=": precCompare, ">": precCompare,
	">=": precCompare, "|": precBitOr, "^": precBitXor, "&": precBitAnd, "<<": precShift, ">>": precShift, "+": precAdd,
	"-": precAdd, "*": precMultiply, "/": precMultiply, "%": precMultiply, "**": precPower, "is": precTypeTest,
	"(": precCall, ".": precAttribute, "[": precSubscript,
	"=": precAssign, "+=": precAssign, "-=": precAssign, "*=": precAssign, "/=": precAssign, "%=": precAssign,
	"**=": precAssign, "&=": precAssign, "|=": precAssign, "^=": precAssign, "<<=": precAssign, ">>=": precAssign,
}

// expression reads an expression; false if none begins here, and then nothing is read or reported. Only where
// assignment is true may it be an assignment.
func (p *parser) expression(assignment bool) bool { return p.precedence(precAssign, assignment) }

// operand reads the right side of an operator.
func (p *parser) operand(prec int, op token) {
	if !p.precedence(prec, false) {
		p.failf(p.previous, "Expected expression after \"%s\" operator.", op.kind)
	}
}

func (p *parser) precedence(prec int, canAssign bool) bool {
	if !p.enter() {
		return false
	}
	defer p.leave()
	if !p.prefix() {
		return false
	}
	for prec <= infix[p.current.kind] && infix[p.current.kind] > precNone && !p.lambdaEnded {
		if infix[p.current.kind] == precAssign && !canAssign {
			if p.stopAtAssign && p.check("=") {
				break
			}
			p.advance()
			p.fail(p.previous, "Assignment is not allowed inside an expression.")
			if !p.expression(false) {
				return false
			}
			continue
		}
		if !p.infix() {
			return false
		}
	}
	return true
}

// prefix reads what an expression can begin with; false if the token is nothing of that.
func (p *parser) prefix() bool {
	t := p.current
	ok := p.readPrefix()
	p.bare = token{}
	if ok && (t.kind == "self" || t.kind == kindIdentifier) {
		p.bare = t
	}
	return ok
}

func (p *parser) readPrefix() bool {
	t := p.current
	p.operandKind = operandOther
	switch t.kind {
	case kindIdentifier, "match", "when", "INF", "NAN", "PI", "TAU":
		p.advance()
		p.callPath(t)
		if t.kind != "INF" && t.kind != "NAN" && t.kind != "PI" && t.kind != "TAU" {
			p.useIdentifier(t)
		}
		p.operandKind = operandName
	case "self":
		p.advance()
	case "super":
		p.advance()
		return p.super()
	case kindLiteral:
		p.advance()
		if t.literal == literalString {
			p.operandKind = operandString
		}
	case "-", "+":
		p.advance()
		p.operand(precSign, t)
		p.operandKind = operandOther
	case "~":
		p.advance()
		p.operand(precBitNot, t)
		p.operandKind = operandOther
	case "not", "!":
		p.advance()
		p.operand(precNot, t)
		p.operandKind = operandOther
	case "await":
		p.advance()
		if !p.precedence(precAwait, false) {
			p.fail(p.previous, `Expected signal or coroutine after "await".`)
		}
		p.operandKind = operandOther
	case "(":
		p.pushMultiline(true)
		p.advance()
		if !p.expression(false) {
			p.fail(p.previous, `Expected grouping expression.`)
			p.popMultiline()
			return false
		}
		p.popMultiline()
		p.consume(")", `Expected closing ")" after grouping expression.`)
	case "[":
		p.array()
	case "{":
		p.dictionary()
	case "$", "%":
		p.advance()
		return p.nodePath(t)
	case "preload":
		p.advance()
		p.preload(t)
	case "func":
		p.advance()
		p.lambda()
		p.operandKind = operandLambda
	case "yield":
		p.advance()
		p.fail(t, `"yield" was removed in Godot 4. Use "await" instead.`)
		return false
	default:
		return false
	}
	return true
}

// infix reads an operator and its right side; false if that leaves no expression.
func (p *parser) infix() bool {
	target, left, before := p.operandKind, p.bare, p.previous
	p.bare = token{}
	if p.check("(") || p.check("[") {
		p.pushMultiline(true)
	}
	op := p.advance()
	prec := infix[op.kind]
	switch op.kind {
	case "(":
		if target != operandName && target != operandAttribute {
			p.fail(op, `Cannot call on an expression. Use ".call()" if it's a Callable.`)
		}
		callee := len(p.identifiers) - 1
		args := p.arguments()
		if callee >= 0 && callee < len(p.identifiers) && p.identifiers[callee].at.start == before.start {
			p.identifiers[callee].args, p.identifiers[callee].counted = args, true
		}
	case "[":
		if !p.expression(false) {
			p.fail(p.previous, `Expected expression after "[".`)
		}
		p.popMultiline()
		p.consume("]", `Expected "]" after subscription index.`)
	case ".":
		// Keywords are names here.
		if p.current.isNodeName() {
			p.advance()
			p.useMember(left, p.previous)
		} else {
			p.fail(p.previous, `Expected identifier after "." for attribute access.`)
			p.operandKind = operandSubscript // It can be assigned to, but not called.
			return true
		}
	case "as", "is":
		if op.kind == "is" {
			p.match("not")
		}
		if p.declaredType(false) == "" {
			p.failf(p.previous, "Expected type specifier after \"%s\".", op.kind)
			if op.kind == "is" {
				target = operandOther
			}
			p.operandKind = target
			return true
		}
	case "if":
		if !p.precedence(precTernary, false) {
			p.fail(p.previous, `Expected expression as ternary condition after "if".`)
		}
		p.consume("else", `Expected "else" after ternary operator condition.`)
		if !p.precedence(precTernary, false) {
			p.fail(p.previous, `Expected expression after "else".`)
		}
	case "not":
		p.consume("in", `Expected "in" after "not" in content-test operator.`)
		p.operand(prec+1, op)
	default:
		if prec == precAssign {
			p.assign(target)
		} else {
			p.operand(prec+1, op)
		}
	}
	p.operandKind = operandAfter[op.kind]
	return true
}

// assign reads the right side of an assignment.
func (p *parser) assign(target operandKind) {
	if target != operandName && target != operandAttribute && target != operandSubscript {
		p.fail(p.previous, "Only identifier, attribute access, and subscription access can be used as assignment target.")
		p.expression(false)
	} else if !p.expression(false) {
		p.fail(p.previous, `Expected an expression after "=".`)
	}
}
