package variant

import (
	"bytes"
	"math"
	"slices"
)

// Equal tells whether two values have the same type and content. NaN equals NaN, and 0 equals -0, since the text form
// cannot tell them apart. A String and a StringName differ, an int and a float differ, dictionaries with the same
// entries in another order are equal, as in the engine.
func (v Value) Equal(o Value) bool {
	if v.typ != o.typ {
		return false
	}
	switch v.typ {
	case TypeNil:
		return true
	case TypeBool, TypeInt, TypeRID, TypeVector2i:
		return v.num == o.num
	case TypeFloat:
		return same(math.Float64frombits(v.num), math.Float64frombits(o.num))
	case TypeString, TypeStringName, TypeNodePath, TypeCallable, TypeSignal:
		return v.ref == o.ref
	case TypeObject:
		return equalObject(v, o)
	case TypeArray:
		a, b := v.ref.(*Array), o.ref.(*Array)
		return a == b || a.Elem.Equal(b.Elem) && slices.EqualFunc(a.items, b.items, Value.Equal)
	case TypeDictionary:
		return equalDictionary(v.ref.(*Dictionary), o.ref.(*Dictionary))
	}
	if v.typ.IsStruct() {
		if isIntStruct(v.typ) {
			return v.ref == o.ref
		}
		var a, b [16]float32
		return slices.EqualFunc(appendFloats(a[:0], v), appendFloats(b[:0], o), same[float32])
	}
	return equalPacked(v, o)
}

func same[F float32 | float64](a, b F) bool { return a == b || a != a && b != b }

func equalPacked(v, o Value) bool {
	switch a := v.ref.(type) {
	case []byte:
		return bytes.Equal(a, o.ref.([]byte))
	case []int32:
		return slices.Equal(a, o.ref.([]int32))
	case []int64:
		return slices.Equal(a, o.ref.([]int64))
	case []float32:
		return slices.EqualFunc(a, o.ref.([]float32), same[float32])
	case []float64:
		return slices.EqualFunc(a, o.ref.([]float64), same[float64])
	case []string:
		return slices.Equal(a, o.ref.([]string))
	case []Vector2:
		return slices.EqualFunc(a, o.ref.([]Vector2), func(x, y Vector2) bool { return same(x.X, y.X) && same(x.Y, y.Y) })
	case []Vector3:
		return slices.EqualFunc(a, o.ref.([]Vector3), func(x, y Vector3) bool {
			return same(x.X, y.X) && same(x.Y, y.Y) && same(x.Z, y.Z)
		})
	case []Vector4:
		return slices.EqualFunc(a, o.ref.([]Vector4), func(x, y Vector4) bool {
			return same(x.X, y.X) && same(x.Y, y.Y) && same(x.Z, y.Z) && same(x.W, y.W)
		})
	case []Color:
		return slices.EqualFunc(a, o.ref.([]Color), func(x, y Color) bool {
			return same(x.R, y.R) && same(x.G, y.G) && same(x.B, y.B) && same(x.A, y.A)
		})
	}
	return false
}

func equalObject(v, o Value) bool {
	switch a := v.ref.(type) {
	case ResourceRef:
		b, ok := o.ref.(ResourceRef)
		return ok && a == b
	case *Object:
		b, ok := o.ref.(*Object)
		return ok && (a == b || a.Class == b.Class && slices.EqualFunc(a.Properties, b.Properties,
			func(x, y Property) bool { return x.Name == y.Name && x.Value.Equal(y.Value) }))
	}
	return v.ref == nil && o.ref == nil
}

func equalDictionary(a, b *Dictionary) bool {
	if a == b {
		return true
	}
	if !a.Key.Equal(b.Key) || !a.Val.Equal(b.Val) || len(a.entries) != len(b.entries) {
		return false
	}
	for i, e := range a.entries {
		if keyEqual(e.Key, b.entries[i].Key) {
			if !e.Value.Equal(b.entries[i].Value) {
				return false
			}
			continue
		}
		j, ok := b.find(e.Key)
		if !ok || !keyEqual(e.Key, b.entries[j].Key) || !e.Value.Equal(b.entries[j].Value) {
			return false
		}
	}
	return true
}

// keyEqual compares containers by their text: comparing entry by entry in both orders would take time exponential in
// the depth of dictionaries that are keys of dictionaries.
func keyEqual(a, b Value) bool {
	if a.typ == TypeArray || a.typ == TypeDictionary {
		return a.typ == b.typ && bytes.Equal(AppendText(nil, a), AppendText(nil, b))
	}
	return a.Equal(b)
}
