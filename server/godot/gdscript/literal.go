package gdscript

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

func isBinary(c byte) bool { return c == '0' || c == '1' }

// number reads a number; value is its text without underscores.
func (t *tokenizer) number(tok *token) {
	tok.kind, tok.literal = kindLiteral, literalInt
	if prefix := t.peekAt(1); t.peek() == '0' && (prefix == 'x' || prefix == 'X' || prefix == 'b' || prefix == 'B') {
		what, digits := "hexadecimal", isHex
		if prefix == 'b' || prefix == 'B' {
			what, digits = "binary", isBinary
		}
		t.advance(2)
		if !digits(t.peek()) {
			tok.kind, tok.value = kindError, "Expected "+what+` digit after "0`+string(prefix)+`".`
			return
		}
		t.digits(digits)
		if t.peek() == '.' && t.peekAt(1) != '.' {
			t.fail("Cannot use a decimal point in a " + what + " number.")
		}
	} else {
		t.decimal(tok)
	}
	if tok.kind == kindError {
		return
	}
	tok.value = strings.ReplaceAll(t.src[tok.start:t.pos], "_", "")
	// What follows is read as the next token all the same, as the engine does.
	if r, _ := utf8.DecodeRuneInString(t.src[t.pos:]); !t.atEnd() && isWordRune(r) {
		t.fail("Invalid numeric notation.")
	}
}

// decimal reads digits, a fraction and an exponent. Two dots after digits are the range of a match pattern.
func (t *tokenizer) decimal(tok *token) {
	t.digits(isDigit)
	if t.peek() == '.' && t.peekAt(1) != '.' {
		tok.literal = literalFloat
		t.advance(1)
		t.digits(isDigit)
		if t.peek() == '.' && t.peekAt(1) != '.' {
			t.fail("Cannot use a decimal point twice in a number.")
		}
	}
	if c := t.peek(); c == 'e' || c == 'E' {
		tok.literal = literalFloat
		t.advance(1)
		if c := t.peek(); c == '+' || c == '-' {
			t.advance(1)
		}
		if !isDigit(t.peek()) {
			t.fail(`Expected exponent value after "e".`)
			return
		}
		t.digits(isDigit)
	}
}

func (t *tokenizer) digits(digit func(byte) bool) {
	for digit(t.peek()) || t.peek() == '_' {
		if t.peek() == '_' && t.peekAt(1) == '_' {
			t.fail("Multiple underscores cannot be adjacent in a numeric literal.")
		}
		t.advance(1)
	}
}

// str reads a string of any sort from its prefix on. A string may go over several lines.
func (t *tokenizer) str(tok *token, literal literalType) {
	raw := t.peek() == 'r'
	if !isQuote(t.peek()) {
		t.advance(1)
	}
	quote := t.src[t.pos : t.pos+1]
	if strings.HasPrefix(t.src[t.pos:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	t.advance(len(quote))
	tok.kind, tok.literal = kindLiteral, literal
	var value strings.Builder
	for !strings.HasPrefix(t.src[t.pos:], quote) {
		switch {
		case t.atEnd() || t.peek() == 0:
			t.pos = len(t.src)
			tok.kind, tok.value = kindError, "Unterminated string."
			// The end of the file ends the line and all blocks too.
			t.passNewline(!t.multiline)
			t.dedentTo(0)
			return
		case t.peek() == '\\' && raw:
			value.WriteByte('\\')
			t.advance(1)
			t.copyRune(&value)
		case t.peek() == '\\':
			if !t.escape(&value) {
				t.fail("Invalid escape in string.")
			}
		default:
			t.copyRune(&value)
		}
	}
	t.advance(len(quote))
	tok.value = value.String()
}

func (t *tokenizer) copyRune(to *strings.Builder) {
	start := t.pos
	if !t.atEnd() {
		t.advanceRune()
	}
	to.WriteString(t.src[start:t.pos])
}

var escapes = map[byte]rune{
	'a': 7, 'b': 8, 'f': 12, 'n': 10, 'r': 13, 't': 9, 'v': 11, '\'': '\'', '"': '"', '\\': '\\',
}

// escape reads an escape sequence; false if it is none.
func (t *tokenizer) escape(to *strings.Builder) bool {
	t.advance(1)
	if t.atEnd() {
		return true
	}
	c := t.peek()
	switch {
	case c == 'u' || c == 'U':
		t.codePoint(to)
	case c == '\r' && t.peekAt(1) == '\n':
		t.pos++
		t.advanceRune()
	case c == '\n':
		t.advanceRune()
	case escapes[c] != 0:
		to.WriteRune(escapes[c])
		t.advance(1)
	default:
		t.advanceRune()
		return false
	}
	return true
}

// codePoint reads the digits of a \u or \U escape; two \u escapes may be a UTF-16 pair.
func (t *tokenizer) codePoint(to *strings.Builder) {
	code, ok := t.hexDigits()
	if !ok {
		return
	}
	if utf16.IsSurrogate(code) {
		lead := code
		code = utf8.RuneError
		if lead < 0xDC00 && t.peek() == '\\' && t.peekAt(1) == 'u' {
			t.advance(1)
			trail, ok := t.hexDigits()
			if !ok {
				return
			}
			code = utf16.DecodeRune(lead, trail)
		}
		if code == utf8.RuneError && lead < 0xDC00 {
			t.fail("Invalid UTF-16 sequence in string, unpaired lead surrogate")
		} else if code == utf8.RuneError {
			t.fail("Invalid UTF-16 sequence in string, unpaired trail surrogate")
		}
	}
	to.WriteRune(code)
}

func (t *tokenizer) hexDigits() (rune, bool) {
	size := 4
	if t.peek() == 'U' {
		size = 6
	}
	t.advance(1)
	code := rune(0)
	for range size {
		if !isHex(t.peek()) {
			t.fail("Invalid hexadecimal digit in unicode escape sequence.")
			return 0, false
		}
		digit, _ := strconv.ParseUint(t.src[t.pos:t.pos+1], 16, 8)
		code = code<<4 | rune(digit)
		t.advance(1)
	}
	return code, true
}
