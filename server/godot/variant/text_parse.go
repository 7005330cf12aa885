package variant

import (
	"encoding/base64"
	"strings"

	"godot-mcp/server/godot/names"
)

// ParseText reads one value in the engine's text form, of any format version, including the type names of version 3.
// Anything after the value but blanks and comments is refused (the engine ignores it). Errors are [*SyntaxError].
func ParseText(src string) (Value, error) {
	s := NewScanner(src, 0)
	v, err := s.Value()
	if err != nil {
		return Value{}, err
	}
	t, err := s.Next()
	if err != nil {
		return Value{}, err
	}
	if t.Kind != TokenEOF {
		return Value{}, s.unexpected(t, "end of text after the value")
	}
	return v, nil
}

// Value reads the next value.
func (s *Scanner) Value() (Value, error) {
	t, err := s.Next()
	if err != nil {
		return Value{}, err
	}
	return s.ValueFrom(t)
}

// ValueFrom reads a value whose first token was already read.
func (s *Scanner) ValueFrom(t Token) (Value, error) { return s.value(t, 0) }

func (s *Scanner) value(t Token, depth int) (Value, error) {
	switch t.Kind {
	case TokenInt:
		return Int(t.Int), nil
	case TokenFloat:
		return Float(t.Float), nil
	case TokenString:
		return String(t.Text), nil
	case TokenStringName:
		return StringName(t.Text), nil
	case TokenColor:
		c, ok := ParseHexColor(t.Text)
		if !ok {
			c = Color{A: 1} // of another number of digits the engine makes black
		}
		return c.Value(), nil
	case TokenIdent:
		return s.identifier(t, depth)
	case TokenPunct:
		switch t.Punct {
		case '[':
			items, err := s.array(t, depth)
			return NewArray(items...), err
		case '{':
			var b DictionaryBuilder
			if err := s.dictionary(t, &b, depth, nil); err != nil {
				return Value{}, err
			}
			return b.Value(), nil
		}
	}
	return Value{}, s.unexpected(t, "a value")
}

func (s *Scanner) enter(t Token, depth int) error {
	if depth >= MaxDepth {
		return s.Errorf(t.Start, CodeDepth, "values nested deeper than %d", MaxDepth)
	}
	return nil
}

func (s *Scanner) array(open Token, depth int) ([]Value, error) {
	if err := s.enter(open, depth); err != nil {
		return nil, err
	}
	var items []Value
	for {
		t, err := s.Next()
		if err != nil {
			return nil, err
		}
		if t.is(']') {
			return items, nil
		}
		if len(items) > 0 {
			if !t.is(',') {
				return nil, s.unexpected(t, "',' or ']'")
			}
			if t, err = s.Next(); err != nil {
				return nil, err
			}
			if t.is(']') {
				return items, nil
			}
		}
		v, err := s.value(t, depth+1)
		if err != nil {
			return nil, err
		}
		items = append(items, v)
	}
}

// dictionary reads up to the closing brace. convert, if given, adapts key and value to declared types.
func (s *Scanner) dictionary(open Token, b *DictionaryBuilder, depth int, convert func(*Entry)) error {
	if err := s.enter(open, depth); err != nil {
		return err
	}
	for first := true; ; first = false {
		t, err := s.Next()
		if err != nil {
			return err
		}
		if t.is('}') {
			return nil
		}
		if !first {
			if !t.is(',') {
				return s.unexpected(t, "',' or '}'")
			}
			if t, err = s.Next(); err != nil {
				return err
			}
			if t.is('}') {
				return nil
			}
		}
		var e Entry
		if e.Key, err = s.value(t, depth+1); err != nil {
			return err
		}
		if err = s.expect(':'); err != nil {
			return err
		}
		if t, err = s.Next(); err != nil {
			return err
		}
		if e.Value, err = s.value(t, depth+1); err != nil {
			return err
		}
		if convert != nil {
			convert(&e)
		}
		b.Set(e.Key, e.Value)
	}
}

func (s *Scanner) expect(punct byte) error {
	t, err := s.Next()
	if err != nil {
		return err
	}
	if !t.is(punct) {
		return s.unexpected(t, "'"+string(punct)+"'")
	}
	return nil
}

func (s *Scanner) identifier(t Token, depth int) (Value, error) {
	switch t.Text {
	case "true", "false":
		return Bool(t.Text == "true"), nil
	case "null", "nil":
		return Nil, nil
	case "NodePath":
		return s.nodePath()
	case "RID":
		return s.rid()
	case "Callable", "Signal":
		if err := s.expect('('); err != nil {
			return Value{}, err
		}
		typ, _ := TypeByName(t.Text)
		return Value{typ: typ, ref: ""}, s.expect(')')
	case "Object":
		return s.object(t, depth)
	case "Resource", "SubResource", "ExtResource":
		return s.reference(t.Text)
	case "Array":
		return s.typedArray(depth)
	case "Dictionary":
		return s.typedDictionary(depth)
	}
	if f, ok := floatWord(t.Text); ok {
		return Float(f), nil
	}
	typ, ok := constructors[t.Text]
	switch {
	case !ok:
		return Value{}, s.Errorf(t.Start, CodeIdentifier, "unknown identifier %q", clip(t.Text))
	case typ.IsStruct():
		return s.structure(t, typ)
	}
	return s.packed(typ)
}

func (s *Scanner) nodePath() (Value, error) {
	if err := s.expect('('); err != nil {
		return Value{}, err
	}
	t, err := s.Next()
	if err != nil {
		return Value{}, err
	}
	if t.Kind != TokenString {
		return Value{}, s.unexpected(t, "a string")
	}
	path, ok := names.CleanNodePath(t.Text)
	if !ok {
		return Value{}, s.Errorf(t.Start, CodeString, "%q is no node path", clip(t.Text))
	}
	return NodePath(path), s.expect(')')
}

func (s *Scanner) rid() (Value, error) {
	if err := s.expect('('); err != nil {
		return Value{}, err
	}
	t, err := s.Next()
	if err != nil {
		return Value{}, err
	}
	if t.is(')') {
		return RID(0), nil
	}
	switch t.Kind {
	case TokenInt:
		return RID(uint64(t.Int)), s.expect(')')
	case TokenFloat:
		return RID(uint64(toInt(t.Float))), s.expect(')')
	}
	return Value{}, s.unexpected(t, "a number or ')'")
}

// reference reads what follows Resource, SubResource or ExtResource. Ids were numbers in version 3.
func (s *Scanner) reference(word string) (Value, error) {
	if err := s.expect('('); err != nil {
		return Value{}, err
	}
	t, err := s.Next()
	if err != nil {
		return Value{}, err
	}
	if word != "Resource" {
		r := ResourceRef{Kind: ResourceExt, ID: t.Text}
		if word == "SubResource" {
			r.Kind = ResourceSub
		}
		switch t.Kind {
		case TokenString:
		case TokenInt, TokenFloat:
			r.ID = s.src[t.Start:t.End]
		default:
			return Value{}, s.unexpected(t, "the id of a resource")
		}
		return r.Value(), s.expect(')')
	}
	var r ResourceRef
	for first := true; ; first = false {
		if t.Kind != TokenString {
			return Value{}, s.unexpected(t, "the path of a resource")
		}
		place := &r.Path
		if strings.HasPrefix(t.Text, "uid://") {
			place = &r.UID
		}
		if *place != "" || t.Text == "" {
			return Value{}, s.Errorf(t.Start, CodeUnexpected, "a resource takes one path and one uid")
		}
		*place = t.Text
		end, err := s.Next()
		if err != nil || end.is(')') {
			return r.Value(), err
		}
		if !first || !end.is(',') {
			return Value{}, s.unexpected(end, "')'")
		}
		if t, err = s.Next(); err != nil {
			return Value{}, err
		}
	}
}

// object reads Object(Class,"property":value,...). Classes are not checked here.
func (s *Scanner) object(word Token, depth int) (Value, error) {
	if err := s.enter(word, depth); err != nil {
		return Value{}, err
	}
	if err := s.expect('('); err != nil {
		return Value{}, err
	}
	t, err := s.Next()
	if err != nil {
		return Value{}, err
	}
	if t.Kind != TokenIdent {
		return Value{}, s.unexpected(t, "the class of the object")
	}
	o := &Object{Class: t.Text}
	places := map[string]int{}
	if err := s.expect(','); err != nil {
		return Value{}, err
	}
	for {
		if t, err = s.Next(); err != nil {
			return Value{}, err
		}
		if t.is(')') {
			return Value{typ: TypeObject, ref: o}, nil
		}
		if len(o.Properties) > 0 {
			if !t.is(',') {
				return Value{}, s.unexpected(t, "',' or ')'")
			}
			if t, err = s.Next(); err != nil {
				return Value{}, err
			}
			if t.is(')') {
				return Value{typ: TypeObject, ref: o}, nil
			}
		}
		if t.Kind != TokenString {
			return Value{}, s.unexpected(t, "a property name in quotes")
		}
		p := Property{Name: t.Text}
		if err = s.expect(':'); err != nil {
			return Value{}, err
		}
		if t, err = s.Next(); err != nil {
			return Value{}, err
		}
		if p.Value, err = s.value(t, depth+1); err != nil {
			return Value{}, err
		}
		// A property given twice is set twice by the engine.
		if i, again := places[p.Name]; again {
			o.Properties[i] = p
			continue
		}
		places[p.Name] = len(o.Properties)
		o.Properties = append(o.Properties, p)
	}
}

// ParseHexColor reads 3, 4, 6 or 8 hexadecimal digits, without the leading "#".
func ParseHexColor(hex string) (Color, bool) {
	short := len(hex) == 3 || len(hex) == 4
	if !short && len(hex) != 6 && len(hex) != 8 {
		return Color{}, false
	}
	c := [4]float32{3: 1}
	for i := 0; i < len(hex); i++ {
		d := hexValue(hex[i])
		if d < 0 {
			return Color{}, false
		}
		if short {
			c[i] = float32(d*17) / 255
			continue
		}
		i++
		low := -1
		if i < len(hex) {
			low = hexValue(hex[i])
		}
		if low < 0 {
			return Color{}, false
		}
		c[i/2] = float32(d*16+low) / 255
	}
	return Color{c[0], c[1], c[2], c[3]}, true
}

func (s *Scanner) base64(t Token) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(t.Text)
	if err != nil {
		return nil, s.Errorf(t.Start, CodeBytes, "bad base64 in PackedByteArray")
	}
	return b, nil
}
