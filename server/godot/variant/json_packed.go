package variant

import "strings"

// packed reads a packed array: an array of elements, and for vectors and colors also one flat array of numbers. Bytes
// are an array of numbers or {"type":"PackedByteArray","base64":"..."}.
func (d *decoder) packed(n *node, t Type) (Value, *DecodeError) {
	if n.kind == nodeString {
		if in, ok := d.embedded(n, '['); ok {
			n = in
		}
	}
	if n.kind != nodeArray {
		forms := " as an array"
		if t == TypePackedByteArray {
			forms = ` as an array of numbers or {"type":"PackedByteArray","base64":"..."}`
		}
		return Value{}, wrong(n, Hint{Type: t}, forms)
	}
	switch t {
	case TypePackedByteArray:
		x, err := integers[byte](d, n, "a byte")
		return PackedByteArray(x), err
	case TypePackedInt32Array:
		x, err := integers[int32](d, n, "32 bits")
		return PackedInt32Array(x), err
	case TypePackedInt64Array:
		x, err := integers[int64](d, n, "64 bits")
		return PackedInt64Array(x), err
	case TypePackedFloat32Array:
		x, err := floats[float32](d, n, 32)
		return PackedFloat32Array(x), err
	case TypePackedFloat64Array:
		x, err := floats[float64](d, n, 64)
		return PackedFloat64Array(x), err
	case TypePackedStringArray:
		return packedStringsJSON(n)
	}
	return d.packedStructs(n, t)
}

func integers[T byte | int32 | int64](d *decoder, n *node, width string) ([]T, *DecodeError) {
	x := make([]T, len(n.items))
	for i := range n.items {
		v, err := d.integer(&n.items[i], Hint{Type: TypeInt})
		if err == nil && int64(T(v)) != v {
			err = fail(CodeRange, "%d does not fit %s", v, width)
		}
		if err != nil {
			return nil, err.index(i)
		}
		x[i] = T(v)
	}
	return x, nil
}

func floats[T float32 | float64](d *decoder, n *node, bits int) ([]T, *DecodeError) {
	x := make([]T, len(n.items))
	for i := range n.items {
		v, err := d.float(&n.items[i], Hint{Type: TypeFloat}, bits)
		if err != nil {
			return nil, err.index(i)
		}
		x[i] = T(v)
	}
	return x, nil
}

func packedStringsJSON(n *node) (Value, *DecodeError) {
	x := make([]string, len(n.items))
	for i := range n.items {
		if n.items[i].kind != nodeString {
			return Value{}, fail(CodeType, "expected a string, got %s", n.items[i].describe()).index(i)
		}
		if strings.IndexByte(n.items[i].text, 0) >= 0 {
			return Value{}, fail(CodeRange, "the engine's strings cannot hold U+0000").index(i)
		}
		x[i] = n.items[i].text
	}
	return PackedStringArray(x), nil
}

var packedElement = map[Type]Type{
	TypePackedVector2Array: TypeVector2, TypePackedVector3Array: TypeVector3, TypePackedVector4Array: TypeVector4,
	TypePackedColorArray: TypeColor,
}

func (d *decoder) packedStructs(n *node, t Type) (Value, *DecodeError) {
	elem := packedElement[t]
	size := structSize[elem]
	c := components{f: make([]float32, 0, len(n.items)*size)}
	if len(n.items) > 0 && n.items[0].kind == nodeNumber {
		if len(n.items)%size != 0 {
			return Value{}, fail(CodeType, "expected %s as an array of %s, or a multiple of %d numbers, got %s", t, elem, size, n.describe())
		}
		err := d.collectFlat(n, elem, &c)
		return packFloats(t, c.f), err
	}
	for i := range n.items {
		v, err := d.typed(&n.items[i], Hint{Type: elem}, 0)
		if err != nil {
			return Value{}, err.index(i)
		}
		c.f = appendFloats(c.f, v)
	}
	return packFloats(t, c.f), nil
}
