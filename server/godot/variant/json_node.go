package variant

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxJSON is the longest JSON text that is decoded, in bytes.
const MaxJSON = 16 << 20

type nodeKind uint8

const (
	nodeNull nodeKind = iota
	nodeBool
	nodeNumber
	nodeString
	nodeArray
	nodeObject
)

var nodeNames = [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}

// node is parsed JSON that keeps the text of numbers and the order of keys, both of which encoding/json's generic
// values lose.
type node struct {
	kind  nodeKind
	truth bool
	text  string // the number as written, or the string
	items []node
	keys  []string // of an object, beside items
}

func (n *node) get(key string) *node {
	for i, k := range n.keys {
		if k == key {
			return &n.items[i]
		}
	}
	return nil
}

func (n *node) describe() string {
	switch n.kind {
	case nodeNumber:
		return "the number " + clip(n.text)
	case nodeString:
		return "the string " + strconv.Quote(clip(n.text))
	case nodeArray:
		return "an array of " + strconv.Itoa(len(n.items))
	case nodeObject:
		if len(n.keys) > 0 {
			return "an object with " + clip(strings.Join(n.keys, ", "))
		}
	}
	return nodeNames[n.kind]
}

type jsonParser struct {
	src string
	pos int
}

var (
	errJSONSyntax    = errors.New("no valid JSON")
	errJSONDepth     = errors.New("JSON nested too deep")
	errJSONDuplicate = errors.New("a key twice in one JSON object")
)

// parseJSON reads one JSON text (RFC 8259) and nothing after it.
func parseJSON(src string) (node, error) {
	p := jsonParser{src: src}
	n, err := p.value(0)
	if err != nil {
		return n, err
	}
	p.blank()
	if p.pos != len(p.src) {
		return n, errJSONSyntax
	}
	return n, nil
}

func (p *jsonParser) blank() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *jsonParser) take(c byte) bool {
	p.blank()
	if p.pos < len(p.src) && p.src[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *jsonParser) value(depth int) (node, error) {
	p.blank()
	if p.pos >= len(p.src) {
		return node{}, errJSONSyntax
	}
	switch c := p.src[p.pos]; c {
	case '{', '[':
		// Each level of ours takes up to three of JSON: the tagged form, its entries, and one entry.
		if depth >= 3*MaxDepth {
			return node{}, errJSONDepth
		}
		p.pos++
		if c == '{' {
			return p.object(depth + 1)
		}
		return p.array(depth + 1)
	case '"':
		s, err := p.string()
		return node{kind: nodeString, text: s}, err
	case 't':
		return node{kind: nodeBool, truth: true}, p.word("true")
	case 'f':
		return node{kind: nodeBool}, p.word("false")
	case 'n':
		return node{}, p.word("null")
	}
	return p.number()
}

func (p *jsonParser) word(w string) error {
	if !strings.HasPrefix(p.src[p.pos:], w) {
		return errJSONSyntax
	}
	p.pos += len(w)
	return nil
}

func (p *jsonParser) array(depth int) (node, error) {
	n := node{kind: nodeArray}
	if p.take(']') {
		return n, nil
	}
	for {
		item, err := p.value(depth)
		if err != nil {
			return n, err
		}
		n.items = append(n.items, item)
		if p.take(']') {
			return n, nil
		}
		if !p.take(',') {
			return n, errJSONSyntax
		}
	}
}

func (p *jsonParser) object(depth int) (node, error) {
	n := node{kind: nodeObject}
	if p.take('}') {
		return n, nil
	}
	var seen map[string]bool
	for {
		p.blank()
		if p.pos >= len(p.src) || p.src[p.pos] != '"' {
			return n, errJSONSyntax
		}
		key, err := p.string()
		if err != nil {
			return n, err
		}
		if len(n.keys) == 16 {
			seen = make(map[string]bool, 64)
			for _, k := range n.keys {
				seen[k] = true
			}
		}
		if seen[key] || seen == nil && n.get(key) != nil {
			return n, errJSONDuplicate
		}
		if seen != nil {
			seen[key] = true
		}
		if !p.take(':') {
			return n, errJSONSyntax
		}
		item, err := p.value(depth)
		if err != nil {
			return n, err
		}
		n.keys = append(n.keys, key)
		n.items = append(n.items, item)
		if p.take('}') {
			return n, nil
		}
		if !p.take(',') {
			return n, errJSONSyntax
		}
	}
}

func (p *jsonParser) number() (node, error) {
	start := p.pos
	if p.pos < len(p.src) && p.src[p.pos] == '-' {
		p.pos++
	}
	zero := p.pos < len(p.src) && p.src[p.pos] == '0'
	if n := p.digits(); n == 0 || zero && n > 1 {
		return node{}, errJSONSyntax
	}
	if p.pos < len(p.src) && p.src[p.pos] == '.' {
		p.pos++
		if p.digits() == 0 {
			return node{}, errJSONSyntax
		}
	}
	if p.pos < len(p.src) && (p.src[p.pos] == 'e' || p.src[p.pos] == 'E') {
		p.pos++
		if p.pos < len(p.src) && (p.src[p.pos] == '+' || p.src[p.pos] == '-') {
			p.pos++
		}
		if p.digits() == 0 {
			return node{}, errJSONSyntax
		}
	}
	return node{kind: nodeNumber, text: p.src[start:p.pos]}, nil
}

func (p *jsonParser) digits() int {
	start := p.pos
	for p.pos < len(p.src) && isDigit(p.src[p.pos]) {
		p.pos++
	}
	return p.pos - start
}

// string reads a JSON string. Broken UTF-8 and lone surrogates become U+FFFD, as in encoding/json.
func (p *jsonParser) string() (string, error) {
	p.pos++
	start := p.pos
	for p.pos < len(p.src) && p.src[p.pos] != '"' && p.src[p.pos] != '\\' && p.src[p.pos] >= ' ' {
		p.pos++
	}
	if p.pos < len(p.src) && p.src[p.pos] == '"' {
		p.pos++
		return strings.ToValidUTF8(p.src[start:p.pos-1], "\ufffd"), nil
	}
	b := []byte(p.src[start:p.pos])
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		p.pos++
		switch {
		case c == '"':
			return strings.ToValidUTF8(string(b), "\ufffd"), nil
		case c < ' ':
			return "", errJSONSyntax
		case c != '\\':
			b = append(b, c)
		case p.pos >= len(p.src):
			return "", errJSONSyntax
		default:
			var ok bool
			if b, ok = p.escape(b); !ok {
				return "", errJSONSyntax
			}
		}
	}
	return "", errJSONSyntax
}

func (p *jsonParser) escape(b []byte) ([]byte, bool) {
	c := p.src[p.pos]
	p.pos++
	switch c {
	case '"', '\\', '/':
		return append(b, c), true
	case 'b':
		return append(b, '\b'), true
	case 'f':
		return append(b, '\f'), true
	case 'n':
		return append(b, '\n'), true
	case 'r':
		return append(b, '\r'), true
	case 't':
		return append(b, '\t'), true
	case 'u':
		r, ok := p.hex4()
		if !ok {
			return b, false
		}
		if utf16.IsSurrogate(r) && strings.HasPrefix(p.src[p.pos:], `\u`) {
			at := p.pos
			p.pos += 2
			low, ok := p.hex4()
			if !ok {
				return b, false
			}
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return utf8.AppendRune(b, pair), true
			}
			p.pos = at
		}
		return utf8.AppendRune(b, r), true
	}
	return b, false
}

func (p *jsonParser) hex4() (rune, bool) {
	if p.pos+4 > len(p.src) {
		return 0, false
	}
	r := rune(0)
	for range 4 {
		d := hexValue(p.src[p.pos])
		if d < 0 {
			return 0, false
		}
		r = r<<4 | rune(d)
		p.pos++
	}
	return r, true
}
