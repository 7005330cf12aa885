package variant

// containerType reads a declared type inside the brackets of Array[...] or Dictionary[..., ...]. A class that is not
// known to the engine makes the container untyped there; classes are not known here, so the name is kept.
func (s *Scanner) containerType() (ContainerType, error) {
	t, err := s.Next()
	if err != nil {
		return ContainerType{}, err
	}
	if t.Kind != TokenIdent || t.Text[0] == '-' {
		return ContainerType{}, s.unexpected(t, "the name of a type")
	}
	if typ, ok := typeByName[t.Text]; ok && typ != TypeNil {
		return ContainerType{Type: typ}, nil
	}
	switch t.Text {
	case "Variant", "null", "Nil":
		return ContainerType{}, nil
	case "Resource", "SubResource", "ExtResource":
		at := s.pos
		if next, err := s.Next(); err == nil && next.is('(') {
			s.pos = at
			script, err := s.reference(t.Text)
			return ContainerType{Type: TypeObject, Script: script}, err
		}
		s.pos = at
	}
	return ContainerType{Type: TypeObject, Class: t.Text}, nil
}

func (s *Scanner) typedArray(depth int) (Value, error) {
	if err := s.expect('['); err != nil {
		return Value{}, err
	}
	elem, err := s.containerType()
	if err != nil {
		return Value{}, err
	}
	if err := s.expect(']'); err != nil {
		return Value{}, err
	}
	if err := s.expect('('); err != nil {
		return Value{}, err
	}
	t, err := s.Next()
	if err != nil {
		return Value{}, err
	}
	if !t.is('[') {
		return Value{}, s.unexpected(t, "'['")
	}
	items, err := s.array(t, depth)
	if err != nil {
		return Value{}, err
	}
	for i := range items {
		v, ok := element(items[i], elem)
		if !ok {
			items = nil // the engine takes all elements or none
			break
		}
		items[i] = v
	}
	return NewTypedArray(elem, items...), s.expect(')')
}

func (s *Scanner) typedDictionary(depth int) (Value, error) {
	var b DictionaryBuilder
	if err := s.expect('['); err != nil {
		return Value{}, err
	}
	key, err := s.containerType()
	if err != nil {
		return Value{}, err
	}
	if err := s.expect(','); err != nil {
		return Value{}, err
	}
	val, err := s.containerType()
	if err != nil {
		return Value{}, err
	}
	if err := s.expect(']'); err != nil {
		return Value{}, err
	}
	if err := s.expect('('); err != nil {
		return Value{}, err
	}
	t, err := s.Next()
	if err != nil {
		return Value{}, err
	}
	if !t.is('{') {
		return Value{}, s.unexpected(t, "'{'")
	}
	b.SetTypes(key, val)
	fits := true
	err = s.dictionary(t, &b, depth, func(e *Entry) {
		k, ok := element(e.Key, key)
		v, too := element(e.Value, val)
		e.Key, e.Value, fits = k, v, fits && ok && too
	})
	if err != nil {
		return Value{}, err
	}
	if !fits {
		b = DictionaryBuilder{} // the engine takes all entries or none
		b.SetTypes(key, val)
	}
	return b.Value(), s.expect(')')
}

// element is [ConvertStrict] for what is in a container. Whether a class is one is not known here: anything can be in
// what is said to hold objects of it.
func element(v Value, of ContainerType) (Value, bool) {
	if of.Class != "" {
		return v, true
	}
	return ConvertStrict(v, of.Type)
}

// ConvertStrict adapts a value to a declared type as the engine does for elements of typed containers: bool, int and
// float among each other, the three kinds of text, float and integer structs of the same shape. Nil as type takes all,
// and null is taken for objects.
func ConvertStrict(v Value, to Type) (Value, bool) {
	if v.typ == to || to == TypeNil || to == TypeObject && v.typ == TypeNil {
		return v, true
	}
	switch to {
	case TypeBool, TypeInt, TypeFloat:
		return convertNumber(v, to)
	case TypeString, TypeStringName, TypeNodePath:
		// Neither a StringName nor a NodePath is made from the other.
		if v.typ == TypeString || to == TypeString && (v.typ == TypeStringName || v.typ == TypeNodePath) {
			return Value{typ: to, ref: v.ref}, true
		}
		return Value{}, false
	}
	return convertStruct(v, to)
}

func convertNumber(v Value, to Type) (Value, bool) {
	var f float64
	switch v.typ {
	case TypeBool, TypeInt:
		if to == TypeInt {
			return Int(int64(v.num)), true
		}
		f = float64(int64(v.num))
	case TypeFloat:
		f, _ = v.Float()
		if to == TypeInt {
			return Int(toInt(f)), true
		}
	default:
		return Value{}, false
	}
	if to == TypeBool {
		return Bool(f != 0), true
	}
	return Float(f), true
}

// integerTwin pairs the float structs with their integer forms.
var integerTwin = map[Type]Type{
	TypeVector2: TypeVector2i, TypeVector3: TypeVector3i, TypeVector4: TypeVector4i, TypeRect2: TypeRect2i,
}

func convertStruct(v Value, to Type) (Value, bool) {
	switch {
	case integerTwin[v.typ] == to && to != TypeNil:
		var f [4]float32
		var n [4]int32
		for i, c := range appendFloats(f[:0], v) {
			n[i] = int32(toInt(float64(c)))
		}
		return fromInts(to, n[:structSize[to]]), true
	case integerTwin[to] == v.typ && v.typ != TypeNil:
		var n [4]int32
		var f [4]float32
		for i, c := range appendInts(n[:0], v) {
			f[i] = float32(c)
		}
		return fromFloats(to, f[:structSize[to]]), true
	}
	return Value{}, false
}
