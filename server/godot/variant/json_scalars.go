package variant

import (
	"math"
	"strconv"
	"strings"

	"godot-mcp/server/godot/names"
)

// plainNumber reads an undeclared number by its value: integral is an int, all else a float.
func (d *decoder) plainNumber(n *node) (Value, *DecodeError) {
	i, err := strconv.ParseInt(n.text, 10, 64)
	whole := err == nil
	if whole && i >= -MaxPlainInt && i <= MaxPlainInt {
		return Int(i), nil
	}
	f, err := strconv.ParseFloat(n.text, 64)
	if err != nil {
		return Value{}, fail(CodeRange, "the number %s is out of range", clip(n.text))
	}
	if f != math.Trunc(f) {
		return Float(d.number(n.text)), nil
	}
	if !whole && math.Abs(f) <= MaxPlainInt {
		return Int(int64(f)), nil
	}
	return Value{}, fail(CodeRange, `the number %s may be an int or a float; write {"type":"int","value":"..."} or {"type":"float","value":...}`, clip(n.text))
}

func (d *decoder) scalar(n *node, h Hint) (Value, *DecodeError) {
	switch h.Type {
	case TypeBool:
		return d.boolean(n)
	case TypeInt:
		i, err := d.integer(n, h)
		return Int(i), err
	}
	f, err := d.float(n, h, 64)
	return Float(f), err
}

func (d *decoder) boolean(n *node) (Value, *DecodeError) {
	switch {
	case n.kind == nodeBool:
		return Bool(n.truth), nil
	case n.kind == nodeString && (n.text == "true" || n.text == "false"),
		n.kind == nodeNumber && (n.text == "0" || n.text == "1"):
		d.coerced = true
		return Bool(n.text == "true" || n.text == "1"), nil
	}
	return Value{}, wrong(n, Hint{Type: TypeBool}, "")
}

// integer reads a whole number: 4, 4.0, "9007199254740993", and as coerced text "4.0", "1e3", "0x10".
func (d *decoder) integer(n *node, h Hint) (int64, *DecodeError) {
	text := n.text
	switch n.kind {
	case nodeNumber:
	case nodeString:
		text = strings.TrimSpace(text)
		if !numeric(text) {
			if i, ok := parseHex(text); ok {
				d.coerced = true
				return i, nil
			}
			return 0, wrong(n, h, "")
		}
		// Exact 64-bit integers have to travel as text, so plain digits are no coercion.
		if _, err := strconv.ParseInt(text, 10, 64); err != nil {
			d.coerced = true
		}
	default:
		return 0, wrong(n, h, "")
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || f >= 1<<63 || f < -1<<63:
		return 0, fail(CodeRange, "%s does not fit 64 bits", n.describe())
	case f != math.Trunc(f):
		return 0, fail(CodeType, "expected %s, a whole number, got %s", h, n.describe())
	}
	return int64(f), nil
}

// float reads a number, one of the words of floatName, or a number as text.
func (d *decoder) float(n *node, h Hint, bits int) (float64, *DecodeError) {
	text := n.text
	switch n.kind {
	case nodeNumber:
	case nodeString:
		text = strings.TrimSpace(text)
		if f, ok := floatByName(text); ok {
			return f, nil
		}
		if !numeric(text) {
			return 0, wrong(n, h, "")
		}
		d.coerced = true
	default:
		return 0, wrong(n, h, "")
	}
	if _, err := strconv.ParseFloat(text, bits); err != nil {
		return 0, fail(CodeRange, "%s does not fit %d bits", n.describe(), bits)
	}
	f := d.number(text)
	if bits == 32 {
		f = float64(float32(f))
	}
	if f == 0 {
		// "-0" has a word of its own; GDScript's JSON would lose the sign.
		f = 0
	}
	return f, nil
}

// numeric tells whether text is a decimal number, leaving out what strconv takes besides: "inf", "0x1p4", "1_000".
func numeric(text string) bool {
	digits := false
	for i := range len(text) {
		switch c := text[i]; {
		case isDigit(c):
			digits = true
		case c == '.', c == '+', c == '-', (c == 'e' || c == 'E') && digits:
		default:
			return false
		}
	}
	return digits
}

func parseHex(text string) (int64, bool) {
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	if !strings.HasPrefix(text, "0x") && !strings.HasPrefix(text, "0X") {
		return 0, false
	}
	i, err := strconv.ParseInt(sign+text[2:], 16, 64)
	return i, err == nil && text[2] != '+' && text[2] != '-'
}

func (d *decoder) text(n *node, h Hint) (Value, *DecodeError) {
	if n.kind != nodeString {
		return Value{}, wrong(n, h, " as a string")
	}
	if strings.IndexByte(n.text, 0) >= 0 {
		return Value{}, fail(CodeRange, "the engine's strings cannot hold U+0000")
	}
	if h.Type == TypeNodePath {
		path, ok := names.CleanNodePath(n.text)
		if !ok {
			return Value{}, fail(CodeType, "expected a NodePath, got %s", n.describe())
		}
		return NodePath(path), nil
	}
	return Value{typ: h.Type, ref: n.text}, nil
}
