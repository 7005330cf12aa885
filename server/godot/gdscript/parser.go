package gdscript

import (
	"fmt"
)

// maxDepth bounds the nesting of expressions, blocks and classes, so that no input can exhaust the stack.
const maxDepth = 400

// maxFindings bounds what one file can report.
const maxFindings = 200

// parser reads the tokens with one token of look-ahead. After a fault it goes on at the next statement or member; the
// rules for that and for the ends of lambdas follow the engine's parser, so that the findings are the same ones.
type parser struct {
	tokens   *tokenizer
	previous token
	current  token
	// lastLine is the last line of the last token read that has a text.
	lastLine int

	script   Script
	findings []Finding
	panicked bool
	// muted parsers go on reading without reporting.
	muted bool

	// multiline is the stack of tokenizer modes.
	multiline []bool
	// inLambda is true in the body of a lambda; lambdaEnded that the body ended without a line end or semicolon.
	inLambda, lambdaEnded bool
	operandKind           operandKind
	// stopAtAssign is true in dictionary keys, where "=" is no assignment.
	stopAtAssign bool
	loops        int
	// inConstructor is true in the body of _init, but not in lambdas there.
	inConstructor bool
	// static is the name of the static function whose body is read; returns the type that
	// it declares, empty for none; returned whether the block read last always returns.
	static   string
	returns  string
	returned bool
	locals   *locals
	// declared is the name that the last statement declared; see statement.
	declared     token
	declaredKind string
	depth        int
	// annotations wait for the member or statement that follows.
	annotations []Annotation
	// names are the uses of type and class names, for the check against known names.
	names []nameUse
	scope []*Class
	// identifiers are the names in expressions that are no locals.
	identifiers []identifierUse
	// bare is the identifier or self that the expression read so far is, and nothing else.
	bare token
	// typeFaults are those of values, returned and assigned, whose types are seen in the text.
	typeFaults []Finding
	// bodyless are the names of functions without a body that are not abstract.
	bodyless []token
}

// nameUse is a place that names a class or type; path is set where a script is named by its path.
type nameUse struct {
	names               []string
	path                string
	at                  token
	isExtends, declares bool
	// scope are the classes around it, the script first.
	scope []*Class
}

func parse(src string) *parser {
	p := &parser{tokens: newTokenizer(src)}
	p.current = p.scan()
	p.program()
	return p
}

func (p *parser) src() string { return p.tokens.src }

// text is the source from a token up to the last one read.
func (p *parser) textFrom(start int) string { return p.src()[start:max(start, p.previous.end)] }

func (p *parser) word(t token) string { return p.src()[t.start:t.end] }

// scan gives the next token that is no error and reports the errors, like the engine at the token before.
func (p *parser) scan() token {
	t := p.tokens.next()
	for t.kind == kindError {
		p.fail(p.previous, t.value)
		t = p.tokens.next()
	}
	return t
}

func (p *parser) advance() token {
	p.lambdaEnded = false // The token that ended it is behind.
	p.previous = p.current
	if p.previous.end > p.previous.start {
		p.lastLine = p.previous.endLine
	}
	p.current = p.scan()
	return p.previous
}

func (p *parser) check(k kind) bool {
	if k == kindIdentifier {
		return p.current.isIdentifier()
	}
	return p.current.kind == k
}

func (p *parser) match(k kind) bool {
	if !p.check(k) {
		return false
	}
	p.advance()
	return true
}

// consume passes a token of kind k or reports message at the token before, where the engine sees the fault.
func (p *parser) consume(k kind, message string) bool {
	if p.match(k) {
		return true
	}
	p.fail(p.previous, message)
	return false
}

func (p *parser) atEnd() bool { return p.current.kind == kindEOF }

func (p *parser) fail(at token, message string) {
	p.panicked = true
	if p.muted || len(p.findings) >= maxFindings {
		return
	}
	if at.line == 0 {
		at.line, at.col = 1, 1
	}
	p.findings = append(p.findings, Finding{Line: at.line, TokenColumn: at.col, Message: message})
}

func (p *parser) failf(at token, format string, args ...any) {
	p.fail(at, fmt.Sprintf(format, args...))
}

// enter counts nesting; false if it is too deep, and the rest of the file is passed over.
func (p *parser) enter() bool {
	p.depth++
	if p.depth < maxDepth {
		return true
	}
	p.fail(p.current, "Too many levels of nesting.")
	p.tokens.pos = len(p.tokens.src)
	p.tokens.indents, p.tokens.pending = nil, 0
	p.current = token{kind: kindEOF, start: p.tokens.pos, end: p.tokens.pos, line: p.tokens.line, col: p.tokens.col}
	return false
}

func (p *parser) leave() { p.depth-- }

func (p *parser) pushMultiline(on bool) {
	p.multiline = append(p.multiline, on)
	p.tokens.multiline = on
	if on {
		for p.check(kindNewline) || p.check(kindIndent) || p.check(kindDedent) {
			p.current = p.scan()
		}
	}
}

func (p *parser) popMultiline() {
	p.multiline = p.multiline[:len(p.multiline)-1]
	p.tokens.multiline = p.inMultiline()
}

func (p *parser) inMultiline() bool { return len(p.multiline) > 0 && p.multiline[len(p.multiline)-1] }

func (p *parser) atStatementEnd() bool { return p.lambdaEnded || p.inLambda || p.atStatementEndToken() }

func (p *parser) atStatementEndToken() bool { return p.check(kindNewline) || p.check(";") }

// endStatement passes what ends a statement. The body of a lambda on one line may end with whatever follows it.
func (p *parser) endStatement(context string) {
	found := false
	for p.atStatementEnd() && !p.atEnd() {
		if p.atStatementEndToken() {
			p.advance()
			found = true
			continue
		}
		if p.lambdaEnded {
			p.lambdaEnded = false
		} else if !found {
			p.lambdaEnded = true
		}
		found = true
		break
	}
	if !found && !p.atEnd() {
		p.failf(p.previous, "Expected end of statement after %s, found \"%s\" instead.", context, p.current.kind)
	}
}

// statementStart are the tokens at which reading goes on after a fault in a statement.
var statementStart = map[kind]bool{
	"class": true, "func": true, "static": true, "var": true, "const": true, "signal": true,
	"for": true, "while": true, "match": true, "return": true, kindAnnotation: true,
}

func (p *parser) synchronize() {
	p.panicked = false
	for !p.atEnd() {
		if p.previous.kind == kindNewline || p.previous.kind == ";" || statementStart[p.current.kind] {
			return
		}
		p.advance()
	}
}

// name reads a declared name, or reports message.
func (p *parser) name(message string) (token, bool) {
	if !p.consume(kindIdentifier, message) {
		return token{}, false
	}
	return p.previous, true
}
