package variant

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// TokenKind is the kind of a [Token].
type TokenKind uint8

// The closed list, one line each.
const (
	TokenEOF TokenKind = iota
	TokenPunct
	TokenIdent
	TokenString
	TokenStringName
	TokenInt
	TokenFloat
	TokenColor
)

// Token is one token of the engine's text form. Comments (";" to the end of the line) and blanks are skipped.
type Token struct {
	Kind TokenKind
	// Punct is the character of a TokenPunct: one of { } [ ] ( ) : , . =
	Punct byte
	// Text is the identifier (with a leading "-" in "-inf"), the content of a string, or the digits of a color.
	Text  string
	Int   int64
	Float float64
	// Start and End are byte offsets into the source.
	Start, End int
}

func (t Token) is(c byte) bool { return t.Kind == TokenPunct && t.Punct == c }

// Is tells whether the token is this punctuation character.
func (t Token) Is(punct byte) bool { return t.is(punct) }

func (t Token) describe() string {
	switch t.Kind {
	case TokenEOF:
		return "end of text"
	case TokenPunct:
		return fmt.Sprintf("'%c'", t.Punct)
	case TokenIdent:
		return fmt.Sprintf("identifier %q", clip(t.Text))
	case TokenString:
		return fmt.Sprintf("string %q", clip(t.Text))
	case TokenStringName:
		return fmt.Sprintf("StringName %q", clip(t.Text))
	case TokenColor:
		return "color"
	}
	return "number"
}

// clip keeps messages bounded.
func clip(s string) string {
	const limit = 40
	if len(s) <= limit {
		return s
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// A Scanner reads tokens and values from a text. It is what the scene and settings readers are made of.
type Scanner struct {
	src string
	pos int
	// attrs is room for the attributes of the next tag.
	attrs []ItemAttr
	// bytes says that the text is a file, of which the engine reads bytes.
	bytes bool
}

// NewScanner starts at a byte offset of a text. Offsets and positions that it reports refer to the whole text.
func NewScanner(src string, offset int) *Scanner { return &Scanner{src: src, pos: offset} }

// NewFileScanner is [NewScanner] for a file. There the engine takes strings for bytes of UTF-8, also what escapes
// stand for: one that is no byte is a blank.
func NewFileScanner(src string) *Scanner { return &Scanner{src: src, bytes: true} }

// Offset is where the next token is looked for.
func (s *Scanner) Offset() int { return s.pos }

// Seek moves the scanner.
func (s *Scanner) Seek(offset int) { s.pos = offset }

// Errorf makes an error for a place in the text.
func (s *Scanner) Errorf(offset int, code Code, format string, args ...any) *SyntaxError {
	return &SyntaxError{code, fmt.Sprintf(format, args...), PositionAt(s.src, offset)}
}

func (s *Scanner) unexpected(t Token, want string) error {
	if t.Kind == TokenEOF {
		return s.Errorf(t.Start, CodeEOF, "expected %s, got end of text", want)
	}
	return s.Errorf(t.Start, CodeUnexpected, "expected %s, got %s", want, t.describe())
}

// Next reads one token. At the end it gives TokenEOF again and again.
func (s *Scanner) Next() (Token, error) {
	s.skipBlank()
	t := Token{Start: s.pos}
	if s.pos >= len(s.src) {
		t.End = s.pos
		return t, nil
	}
	var err error
	switch c := s.src[s.pos]; c {
	case '{', '}', '[', ']', '(', ')', ':', ',', '.', '=':
		s.pos++
		t.Kind, t.Punct = TokenPunct, c
	case '#':
		s.pos++
		for s.pos < len(s.src) && hexValue(s.src[s.pos]) >= 0 {
			s.pos++
		}
		t.Kind, t.Text = TokenColor, s.src[t.Start+1:s.pos]
	case '&', '@': // "@" was the mark of a StringName in version 3.
		s.pos++
		if s.pos >= len(s.src) || s.src[s.pos] != '"' {
			return t, s.Errorf(t.Start, CodeCharacter, "expected '\"' after '%c'", c)
		}
		t.Kind = TokenStringName
		t.Text, err = s.quoted()
	case '"':
		t.Kind = TokenString
		t.Text, err = s.quoted()
	default:
		err = s.word(&t)
	}
	t.End = s.pos
	return t, err
}

func (s *Scanner) skipBlank() {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == ';':
			end := strings.IndexByte(s.src[s.pos:], '\n')
			if end < 0 {
				s.pos = len(s.src)
				return
			}
			s.pos += end + 1
		case c <= ' ' && c != 0:
			s.pos++
		default:
			return
		}
	}
}

// word reads a number or an identifier; both may start with a minus.
func (s *Scanner) word(t *Token) error {
	start := s.pos
	if s.src[s.pos] == '-' {
		s.pos++
	}
	switch {
	case s.pos < len(s.src) && isDigit(s.src[s.pos]):
		s.number(t, start)
		return nil
	case s.pos < len(s.src) && isAlpha(s.src[s.pos]):
		for s.pos < len(s.src) && (isAlpha(s.src[s.pos]) || isDigit(s.src[s.pos])) {
			s.pos++
		}
		t.Kind, t.Text = TokenIdent, s.src[start:s.pos]
		return nil
	}
	s.pos = start
	r, _ := utf8.DecodeRuneInString(s.src[start:])
	return s.Errorf(start, CodeCharacter, "unexpected character %q", r)
}

// number reads digits, a fraction and an exponent, as much of them as is there: the engine takes "1." and "1e".
func (s *Scanner) number(t *Token, start int) {
	i, isFloat := s.pos, false
	digits := func() {
		for i < len(s.src) && isDigit(s.src[i]) {
			i++
		}
	}
	digits()
	if i < len(s.src) && s.src[i] == '.' {
		isFloat = true
		i++
		digits()
	}
	if i < len(s.src) && (s.src[i] == 'e' || s.src[i] == 'E') {
		isFloat = true
		i++
		if i < len(s.src) && (s.src[i] == '-' || s.src[i] == '+') {
			i++
		}
		digits()
	}
	s.pos = i
	if isFloat {
		t.Kind, t.Float = TokenFloat, parseEngineFloat(s.src[start:i])
	} else {
		t.Kind, t.Int = TokenInt, parseEngineInt(s.src[start:i])
	}
}

// quoted reads a string whose opening quote is at the current position.
func (s *Scanner) quoted() (string, error) {
	start := s.pos
	s.pos++
	rest := s.src[s.pos:]
	end := strings.IndexAny(rest, "\"\\\x00")
	if end >= 0 && rest[end] == '"' {
		s.pos += end + 1
		return validUTF8(rest[:end]), nil
	}
	var b strings.Builder
	lead := rune(0)
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		switch {
		case c == 0:
			return "", s.Errorf(s.pos, CodeString, "NUL character in string")
		case c == '\\':
			at := s.pos
			r, err := s.escape()
			if err != nil {
				return "", err
			}
			if r&^0x3ff == 0xd800 && lead == 0 {
				lead = r
				continue
			}
			if r&^0x3ff == 0xdc00 && lead != 0 {
				r = lead<<10 + r - (0xd800<<10 + 0xdc00 - 0x10000)
			} else if lead != 0 || r&^0x7ff == 0xd800 {
				return "", s.Errorf(at, CodeString, "unpaired surrogate in string")
			}
			lead = 0
			switch {
			case !s.bytes || r < utf8.RuneSelf:
				b.WriteRune(r)
			case s.src[at+1]|0x20 != 'u':
				b.WriteString(s.src[at+1 : s.pos])
			case r <= 0xff:
				b.WriteByte(byte(r))
			default:
				b.WriteByte(' ')
			}
			continue
		case lead != 0:
			return "", s.Errorf(s.pos, CodeString, "unpaired surrogate in string")
		case c == '"':
			s.pos++
			return validUTF8(b.String()), nil
		}
		run := strings.IndexAny(s.src[s.pos:], "\"\\\x00")
		if run < 0 {
			break
		}
		b.WriteString(s.src[s.pos : s.pos+run])
		s.pos += run
	}
	s.pos = len(s.src)
	return "", s.Errorf(start, CodeString, "unterminated string")
}

// escape reads a backslash and what follows. Any character without a meaning stands for itself, so \a is "a".
func (s *Scanner) escape() (rune, error) {
	at := s.pos
	s.pos++
	if s.pos >= len(s.src) || s.src[s.pos] == 0 {
		return 0, s.Errorf(at, CodeString, "unterminated string")
	}
	r, size := utf8.DecodeRuneInString(s.src[s.pos:])
	s.pos += size
	switch r {
	case 'b':
		return '\b', nil
	case 't':
		return '\t', nil
	case 'n':
		return '\n', nil
	case 'f':
		return '\f', nil
	case 'r':
		return '\r', nil
	case 'u', 'U':
		length := 4
		if r == 'U' {
			length = 6
		}
		r = 0
		for range length {
			if s.pos >= len(s.src) || hexValue(s.src[s.pos]) < 0 {
				return 0, s.Errorf(at, CodeString, "malformed hexadecimal escape in string")
			}
			r = r<<4 | rune(hexValue(s.src[s.pos]))
			s.pos++
		}
		if r == 0 {
			// The engine cannot hold NUL in a string either; it puts this character.
			r = utf8.RuneError
		}
	}
	return r, nil
}
