package variant

import (
	"math"
	"strings"
)

// formsOf is what an error message says about the ways to write a struct.
func formsOf(t Type) string {
	var b strings.Builder
	describeForm(&b, t)
	if t == TypeColor {
		return " as " + b.String() + ` or "#rrggbb"`
	}
	return " as " + b.String()
}

func describeForm(b *strings.Builder, t Type) {
	b.WriteByte('{')
	for i, f := range structFields[t] {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + f.name + `":`)
		if f.nested != TypeNil {
			describeForm(b, f.nested)
		} else {
			b.WriteString("..")
		}
	}
	b.WriteByte('}')
}

// components collects the numbers of a struct in the order of its JSON form.
type components struct {
	f []float32
	i []int32
}

func (c *components) value(t Type) Value {
	if isIntStruct(t) {
		return fromInts(t, c.i)
	}
	transposeBasis(t, c.f)
	return fromFloats(t, c.f)
}

func (d *decoder) structure(n *node, t Type) (Value, *DecodeError) {
	if n.kind == nodeString {
		return d.structText(n, t)
	}
	if n.kind == nodeObject {
		return d.structObject(n, t, false)
	}
	var c components
	if err := d.collect(n, t, &c); err != nil {
		return Value{}, err
	}
	return c.value(t), nil
}

// structObject reads {"x":1,"y":2}, with or without "type".
func (d *decoder) structObject(n *node, t Type, withType bool) (Value, *DecodeError) {
	if withType {
		rest := node{kind: nodeObject}
		for i, k := range n.keys {
			if k != "type" {
				rest.keys = append(rest.keys, k)
				rest.items = append(rest.items, n.items[i])
			}
		}
		n = &rest
	}
	var c components
	if err := d.collect(n, t, &c); err != nil {
		return Value{}, err
	}
	return c.value(t), nil
}

// collect reads an object or an array of components. Arrays are flat ([1,2,3,4] for a Rect2) or follow the members
// ([[1,2],[3,4]]); where rows and columns could be mixed up (Basis) only the latter is taken.
func (d *decoder) collect(n *node, t Type, c *components) *DecodeError {
	switch n.kind {
	case nodeObject:
		return d.collectObject(n, t, c)
	case nodeArray:
		fields := structFields[t]
		switch {
		case t == TypeColor && len(n.items) == 3:
			d.coerced = true
			if err := d.collectFlat(n, t, c); err != nil {
				return err
			}
			c.f = append(c.f, 1)
			return nil
		case len(n.items) == structSize[t] && !mixedRows(t) && flat(n):
			return d.collectFlat(n, t, c)
		case len(n.items) == len(fields):
			for i, f := range fields {
				if err := d.member(&n.items[i], t, f, c); err != nil {
					return err.index(i)
				}
			}
			return nil
		}
		if mixedRows(t) {
			return fail(CodeType, "expected %s%s or an array of these, got %s", t, formsOf(t), n.describe())
		}
		return fail(CodeType, "expected %s%s or an array of %d numbers, got %s", t, formsOf(t), structSize[t], n.describe())
	}
	return wrong(n, Hint{Type: t}, formsOf(t))
}

// mixedRows tells the types whose rows and columns a flat array could mix up.
func mixedRows(t Type) bool { return t == TypeBasis || t == TypeTransform3D }

func flat(n *node) bool {
	for i := range n.items {
		if k := n.items[i].kind; k != nodeNumber && k != nodeString {
			return false
		}
	}
	return true
}

func (d *decoder) collectFlat(n *node, t Type, c *components) *DecodeError {
	for i := range n.items {
		if err := d.component(&n.items[i], t, c); err != nil {
			return err.index(i)
		}
	}
	return nil
}

func (d *decoder) collectObject(n *node, t Type, c *components) *DecodeError {
	fields := structFields[t]
	want := make([]string, len(fields))
	for i, f := range fields {
		want[i] = f.name
	}
	opaque := t == TypeColor && n.get("a") == nil
	if opaque {
		want[3] = "a?"
	}
	if err := keys(n, t.String(), want...); err != nil {
		return err
	}
	for _, f := range fields {
		if opaque && f.name == "a" {
			d.coerced = true
			c.f = append(c.f, 1)
			continue
		}
		if err := d.member(n.get(f.name), t, f, c); err != nil {
			return err.key(f.name)
		}
	}
	return nil
}

func (d *decoder) member(n *node, t Type, f field, c *components) *DecodeError {
	if f.nested == TypeNil {
		return d.component(n, t, c)
	}
	return d.collect(n, f.nested, c)
}

func (d *decoder) component(n *node, t Type, c *components) *DecodeError {
	if isIntStruct(t) {
		i, err := d.integer(n, Hint{Type: TypeInt})
		if err == nil && int64(int32(i)) != i {
			err = fail(CodeRange, "%d does not fit the 32 bits of a %s", i, t)
		}
		c.i = append(c.i, int32(i))
		return err
	}
	f, err := d.float(n, Hint{Type: TypeFloat}, 32)
	c.f = append(c.f, float32(f))
	return err
}

// structText reads what a string may hold where a struct is wanted: JSON, the constructor of just that type, and for
// a Color "#rrggbb". No other expression is looked at.
func (d *decoder) structText(n *node, t Type) (Value, *DecodeError) {
	text := strings.TrimSpace(n.text)
	bad := wrong(n, Hint{Type: t}, formsOf(t))
	switch {
	case text == "":
		return Value{}, bad
	case text[0] == '{' || text[0] == '[':
		in, ok := d.embedded(n, text[0])
		if !ok {
			return Value{}, bad
		}
		return d.typed(in, Hint{Type: t}, 0)
	case t == TypeColor && text[0] == '#':
		c, ok := ParseHexColor(text[1:])
		if !ok {
			return Value{}, bad
		}
		return c.Value(), nil
	case !strings.HasPrefix(text, t.String()):
		return Value{}, bad
	}
	v, ok := constructorText(text, t)
	if !ok {
		return Value{}, bad
	}
	d.coerced = true
	return v, nil
}

func constructorText(text string, t Type) (Value, bool) {
	s := NewScanner(text, 0)
	word, err := s.Next()
	if err != nil || word.Kind != TokenIdent || word.Text != t.String() {
		return Value{}, false
	}
	start := s.Offset()
	n := 0
	if s.numbers(func(*Token) { n++ }) != nil {
		return Value{}, false
	}
	if end, err := s.Next(); err != nil || end.Kind != TokenEOF {
		return Value{}, false
	}
	s.Seek(start)
	if t == TypeColor && n == 3 {
		c := Color{A: 1}
		part := []*float32{&c.R, &c.G, &c.B}
		_ = s.numbers(func(tok *Token) { *part[0], part = tok.float32(), part[1:] })
		return c.Value(), true
	}
	if !isIntStruct(t) {
		v, err := s.structure(word, t)
		return v, err == nil
	}
	// The engine would cut 3.9 to 3 here.
	whole := true
	_ = s.numbers(func(tok *Token) {
		f := tok.float64()
		whole = whole && f == math.Trunc(f) && f >= math.MinInt32 && f <= math.MaxInt32
	})
	s.Seek(start)
	v, err := s.structure(word, t)
	return v, err == nil && whole
}
