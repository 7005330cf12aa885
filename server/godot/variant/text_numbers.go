package variant

import "math"

// constructors maps the words of struct types and packed arrays, with the names of earlier versions.
var constructors = func() map[string]Type {
	m := map[string]Type{
		"Matrix32": TypeTransform2D, "Quat": TypeQuaternion, "Rect3": TypeAABB, "Matrix3": TypeBasis,
		"Transform": TypeTransform3D,
		"ByteArray": TypePackedByteArray, "PoolByteArray": TypePackedByteArray,
		"IntArray": TypePackedInt32Array, "PoolIntArray": TypePackedInt32Array, "PackedIntArray": TypePackedInt32Array,
		"FloatArray": TypePackedFloat32Array, "PoolRealArray": TypePackedFloat32Array,
		"PackedRealArray": TypePackedFloat32Array,
		"StringArray":     TypePackedStringArray, "PoolStringArray": TypePackedStringArray,
		"Vector2Array": TypePackedVector2Array, "PoolVector2Array": TypePackedVector2Array,
		"Vector3Array": TypePackedVector3Array, "PoolVector3Array": TypePackedVector3Array,
		"Vector4Array": TypePackedVector4Array, "PoolVector4Array": TypePackedVector4Array,
		"ColorArray": TypePackedColorArray, "PoolColorArray": TypePackedColorArray,
	}
	for t := range TypeMax {
		if t.IsStruct() || t.IsPacked() {
			m[t.String()] = t
		}
	}
	return m
}()

func floatWord(word string) (float64, bool) {
	switch word {
	case "inf":
		return math.Inf(1), true
	case "-inf", "inf_neg":
		return math.Inf(-1), true
	case "nan":
		return math.NaN(), true
	}
	return 0, false
}

// numbers reads "(", numbers separated by commas, ")". No trailing comma.
func (s *Scanner) numbers(each func(*Token)) error {
	if err := s.expect('('); err != nil {
		return err
	}
	for first := true; ; first = false {
		t, err := s.Next()
		if err != nil {
			return err
		}
		if first && t.is(')') {
			return nil
		}
		if err := s.oneNumber(t, each); err != nil {
			return err
		}
		if t, err = s.Next(); err != nil {
			return err
		}
		if t.is(')') {
			return nil
		}
		if !t.is(',') {
			return s.unexpected(t, "',' or ')'")
		}
	}
}

func (s *Scanner) oneNumber(t Token, each func(*Token)) error {
	if t.Kind == TokenIdent {
		if f, ok := floatWord(t.Text); ok {
			t.Kind, t.Float = TokenFloat, f
		}
	}
	if t.Kind != TokenInt && t.Kind != TokenFloat {
		return s.unexpected(t, "a number")
	}
	each(&t)
	return nil
}

func (t *Token) float32() float32 {
	if t.Kind == TokenInt {
		return float32(t.Int)
	}
	return float32(t.Float)
}

func (t *Token) float64() float64 {
	if t.Kind == TokenInt {
		return float64(t.Int)
	}
	return t.Float
}

// int64 cuts the fraction off, and callers cut to their width, as the engine does.
func (t *Token) int64() int64 {
	if t.Kind == TokenInt {
		return t.Int
	}
	return toInt(t.Float)
}

func (s *Scanner) structure(word Token, typ Type) (Value, error) {
	want, n := structSize[typ], 0
	var f [16]float32
	var i [16]int32
	err := s.numbers(func(t *Token) {
		if n < want {
			f[n], i[n] = t.float32(), int32(t.int64())
		}
		n++
	})
	if err != nil {
		return Value{}, err
	}
	if n != want {
		return Value{}, s.Errorf(word.Start, CodeArguments, "%s takes %d numbers, got %d", typ, want, n)
	}
	if isIntStruct(typ) {
		return fromInts(typ, i[:want]), nil
	}
	return fromFloats(typ, f[:want]), nil
}

func (s *Scanner) packed(typ Type) (Value, error) {
	switch typ {
	case TypePackedByteArray:
		return s.packedBytes()
	case TypePackedStringArray:
		return s.packedStrings()
	case TypePackedInt32Array:
		x := []int32{}
		err := s.numbers(func(t *Token) { x = append(x, int32(t.int64())) })
		return PackedInt32Array(x), err
	case TypePackedInt64Array:
		x := []int64{}
		err := s.numbers(func(t *Token) { x = append(x, t.int64()) })
		return PackedInt64Array(x), err
	case TypePackedFloat64Array:
		x := []float64{}
		err := s.numbers(func(t *Token) { x = append(x, t.float64()) })
		return PackedFloat64Array(x), err
	}
	x := []float32{}
	err := s.numbers(func(t *Token) { x = append(x, t.float32()) })
	if err != nil {
		return Value{}, err
	}
	return packFloats(typ, x), nil
}

// packFloats groups numbers to vectors or colors; a rest that fills no element is dropped, as the engine does.
func packFloats(typ Type, x []float32) Value {
	switch typ {
	case TypePackedVector2Array:
		a := make([]Vector2, len(x)/2)
		for i := range a {
			a[i] = Vector2{x[i*2], x[i*2+1]}
		}
		return PackedVector2Array(a)
	case TypePackedVector3Array:
		a := make([]Vector3, len(x)/3)
		for i := range a {
			a[i] = Vector3{x[i*3], x[i*3+1], x[i*3+2]}
		}
		return PackedVector3Array(a)
	case TypePackedVector4Array:
		a := make([]Vector4, len(x)/4)
		for i := range a {
			a[i] = Vector4{x[i*4], x[i*4+1], x[i*4+2], x[i*4+3]}
		}
		return PackedVector4Array(a)
	case TypePackedColorArray:
		a := make([]Color, len(x)/4)
		for i := range a {
			a[i] = Color{x[i*4], x[i*4+1], x[i*4+2], x[i*4+3]}
		}
		return PackedColorArray(a)
	}
	return PackedFloat32Array(x)
}

func (s *Scanner) packedBytes() (Value, error) {
	start := s.pos
	if err := s.expect('('); err != nil {
		return Value{}, err
	}
	t, err := s.Next()
	if err != nil {
		return Value{}, err
	}
	if t.Kind == TokenString {
		b, err := s.base64(t)
		if err != nil {
			return Value{}, err
		}
		return PackedByteArray(b), s.expect(')')
	}
	s.pos = start
	x := []byte{}
	err = s.numbers(func(t *Token) { x = append(x, byte(t.int64())) })
	return PackedByteArray(x), err
}

// packedStrings allows a comma before the closing parenthesis, unlike the arrays of numbers.
func (s *Scanner) packedStrings() (Value, error) {
	if err := s.expect('('); err != nil {
		return Value{}, err
	}
	x := []string{}
	for {
		t, err := s.Next()
		if err != nil {
			return Value{}, err
		}
		if t.is(')') {
			return PackedStringArray(x), nil
		}
		if len(x) > 0 {
			if !t.is(',') {
				return Value{}, s.unexpected(t, "',' or ')'")
			}
			if t, err = s.Next(); err != nil {
				return Value{}, err
			}
			if t.is(')') {
				return PackedStringArray(x), nil
			}
		}
		if t.Kind != TokenString {
			return Value{}, s.unexpected(t, "a string")
		}
		x = append(x, t.Text)
	}
}
