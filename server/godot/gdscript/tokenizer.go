package gdscript

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tabSize is how many columns of indentation a tab counts for.
const tabSize = 4

// tokenizer turns the source into tokens one by one. The parser switches multiline on inside brackets, where line ends
// and indentation mean nothing, and off again in the body of a lambda; so tokens cannot be made in advance.
type tokenizer struct {
	src       string
	pos       int
	line, col int

	multiline    bool
	continuation bool
	// newline is a line end that was passed and not yet given out.
	newline *token
	// indents are the open indentation levels in columns; pending counts the Indent (> 0) or Dedent tokens to give.
	indents    []int
	pending    int
	indentChar byte
	// saved are the levels outside of the lambda bodies that stand inside brackets.
	saved [][]int
	// brackets are the open ones, to find closing ones without a counterpart.
	brackets []byte
	errors   []token
}

func newTokenizer(src string) *tokenizer {
	src = strings.TrimPrefix(src, "\uFEFF")
	if !strings.HasSuffix(src, "\n") {
		src += "\n"
	}
	return &tokenizer{src: src, line: 1, col: 1}
}

func (t *tokenizer) peek() byte { return t.peekAt(0) }

func (t *tokenizer) peekAt(n int) byte {
	if t.pos+n < len(t.src) {
		return t.src[t.pos+n]
	}
	return 0
}

func (t *tokenizer) atEnd() bool { return t.pos >= len(t.src) }

// advance passes n bytes of ASCII without line ends.
func (t *tokenizer) advance(n int) {
	t.pos += n
	t.col += n
}

// advanceRune passes one character, which may be a line end.
func (t *tokenizer) advanceRune() {
	if t.atEnd() {
		return
	}
	if t.peek() == '\n' {
		t.pos++
		t.line++
		t.col = 1
		return
	}
	_, size := utf8.DecodeRuneInString(t.src[t.pos:])
	t.pos += size
	t.col++
}

// passNewline passes a line end and remembers it as a token unless it ends nothing.
func (t *tokenizer) passNewline(give bool) {
	if give && t.newline == nil && !t.continuation {
		t.newline = &token{kind: kindNewline, start: t.pos, end: t.pos, line: t.line, col: t.col, endLine: t.line}
	}
	t.advanceRune()
}

func (t *tokenizer) fail(message string) {
	t.errors = append(t.errors, token{
		kind: kindError, start: t.pos, end: t.pos, line: t.line, col: t.col, endLine: t.line, value: message,
	})
}

// next gives the next token; at the end it gives EOF again and again.
func (t *tokenizer) next() token {
	for {
		if len(t.errors) > 0 {
			// The last one first, as the engine does.
			e := t.errors[len(t.errors)-1]
			t.errors = t.errors[:len(t.errors)-1]
			return e
		}
		t.skipSpace()
		if t.newline != nil {
			n := *t.newline
			t.newline = nil
			if !t.multiline {
				return n
			}
		}
		if len(t.errors) > 0 {
			continue
		}
		if t.pending > 0 {
			t.pending--
			return t.empty(kindIndent)
		}
		if t.pending < 0 {
			t.pending++
			return t.empty(kindDedent)
		}
		if t.atEnd() {
			return t.empty(kindEOF)
		}
		if t.peek() != '\\' {
			t.continuation = false
			return t.token()
		}
		if e, ok := t.continueLine(); !ok {
			return e
		}
	}
}

// continueLine passes a backslash at the end of a line.
func (t *tokenizer) continueLine() (token, bool) {
	start := t.empty(kindError)
	t.advance(1)
	if t.peek() == '\r' && t.peekAt(1) == '\n' {
		t.pos++
	}
	if t.peek() != '\n' {
		start.value = `Expected new line after "\".`
		return start, false
	}
	t.advanceRune()
	t.continuation = true
	t.skipSpace()
	return token{}, true
}

func (t *tokenizer) empty(k kind) token {
	return token{kind: k, start: t.pos, end: t.pos, line: t.line, col: t.col, endLine: t.line}
}

// skipSpace passes blanks, comments and line ends up to the next token, and looks at the indentation of each line.
func (t *tokenizer) skipSpace() {
	if t.pending != 0 {
		return
	}
	if t.col == 1 {
		t.checkIndent()
		return
	}
	for !t.atEnd() {
		switch t.peek() {
		case ' ', '\t':
			t.advance(1)
		case '\r':
			t.advance(1)
			if t.peek() != '\n' {
				t.fail("Stray carriage return character in source code.")
				return
			}
		case '#':
			t.skipComment()
		case '\n':
			t.passNewline(true)
			t.checkIndent()
			return
		default:
			return
		}
	}
}

func (t *tokenizer) skipComment() {
	for !t.atEnd() && t.peek() != '\n' {
		t.advanceRune()
	}
}

// token reads one token that starts here.
func (t *tokenizer) token() token {
	tok := token{start: t.pos, line: t.line, col: t.col}
	c := t.peek()
	r, _ := utf8.DecodeRuneInString(t.src[t.pos:])
	switch {
	case c >= '0' && c <= '9' || c == '.' && isDigit(t.peekAt(1)):
		t.number(&tok)
	case c == '"' || c == '\'':
		t.str(&tok, literalString)
	case c == 'r' && isQuote(t.peekAt(1)):
		t.str(&tok, literalString)
	case c == '&' && isQuote(t.peekAt(1)):
		t.str(&tok, literalStringName)
	case c == '^' && isQuote(t.peekAt(1)):
		t.str(&tok, literalNodePath)
	case c == '_' || unicode.IsLetter(r):
		t.word(&tok)
	case c == '@':
		t.annotation(&tok)
	default:
		t.symbol(&tok, r)
	}
	tok.end, tok.endLine = t.pos, t.line
	return tok
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

func isWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

func (t *tokenizer) passWord() string {
	start := t.pos
	for !t.atEnd() {
		if r, _ := utf8.DecodeRuneInString(t.src[t.pos:]); !isWordRune(r) {
			break
		}
		t.advanceRune()
	}
	return t.src[start:t.pos]
}

func (t *tokenizer) word(tok *token) {
	word := t.passWord()
	switch {
	case word == "true" || word == "false":
		tok.kind, tok.literal, tok.value = kindLiteral, literalBool, word
	case word == "null":
		tok.kind, tok.literal, tok.value = kindLiteral, literalNull, word
	case keywords[word] || word == "_":
		tok.kind = kind(word)
	default:
		tok.kind = kindIdentifier
	}
}

func (t *tokenizer) annotation(tok *token) {
	t.advance(1)
	word := t.passWord()
	tok.kind, tok.value = kindAnnotation, "@"+word
	if word == "" {
		t.fail(`Expected annotation identifier after "@".`)
	}
}

func (t *tokenizer) symbol(tok *token, r rune) {
	rest := t.src[t.pos:]
	for _, marker := range [...]string{"<<<<<<<", "=======", ">>>>>>>"} {
		if strings.HasPrefix(rest, marker) && tok.col == 1 {
			for !t.atEnd() && t.peek() != '\n' {
				t.advanceRune()
			}
			tok.kind = kindConflict
			return
		}
	}
	for _, op := range operators {
		if !strings.HasPrefix(rest, op) {
			continue
		}
		t.advance(len(op))
		tok.kind = kind(op)
		t.bracket(tok, op[0])
		return
	}
	t.advanceRune()
	tok.kind = kindError
	switch {
	case r == '?':
		tok.value = `Unexpected "?" in source. If you want a ternary operator, use "truthy_value if true_condition else falsy_value".`
	case r == '`':
		tok.kind = "`"
	case unicode.IsSpace(r):
		tok.value = fmt.Sprintf("Invalid white space character U+%04X.", r)
	default:
		tok.value = fmt.Sprintf(`Invalid character "%c" (U+%04X).`, r, r)
	}
}

// bracket keeps the stack of open brackets; a closing one that does not fit is an error.
func (t *tokenizer) bracket(tok *token, c byte) {
	pair := strings.IndexByte("()[]{}", c)
	if pair < 0 {
		return
	}
	if pair%2 == 0 {
		t.brackets = append(t.brackets, c)
		return
	}
	n := len(t.brackets)
	if n > 0 {
		n--
		opening := t.brackets[n]
		t.brackets = t.brackets[:n]
		if opening == "()[]{}"[pair-1] {
			return
		}
	}
	tok.kind, tok.value = kindError, fmt.Sprintf(`Closing "%c" doesn't have an opening counterpart.`, c)
	if n > 0 {
		// The engine names the bracket around the one that does not match.
		tok.value = fmt.Sprintf(`Closing "%c" doesn't match the opening "%c".`, c, t.brackets[n-1])
	}
}
