package variant

import "math"

// A Value is one value of any engine type. The zero Value is null.
//
// Values are small (32 bytes) and safe to copy and share: nothing in this package changes a value after it was made,
// and slices given to a constructor or got from an accessor must not be changed either.
type Value struct {
	typ Type
	num uint64 // bool, int, float, RID, Vector2, Vector2i
	ref any    // everything else
}

// Nil is the null value.
var Nil = Value{}

// Bool makes a bool.
func Bool(b bool) Value {
	v := Value{typ: TypeBool}
	if b {
		v.num = 1
	}
	return v
}

// Int makes an int.
func Int(i int64) Value { return Value{typ: TypeInt, num: uint64(i)} }

// Float makes a float (a double, also for properties that the engine stores in 32 bits).
func Float(f float64) Value { return Value{typ: TypeFloat, num: math.Float64bits(f)} }

// String makes a String.
func String(s string) Value { return Value{typ: TypeString, ref: s} }

// StringName makes a StringName.
func StringName(s string) Value { return Value{typ: TypeStringName, ref: s} }

// NodePath makes a NodePath from text that is already in the engine's normal form.
func NodePath(s string) Value { return Value{typ: TypeNodePath, ref: s} }

// RID makes an RID. It means nothing outside the process that gave it.
func RID(id uint64) Value { return Value{typ: TypeRID, num: id} }

// Callable makes a Callable known only by its printed text.
func Callable(text string) Value { return Value{typ: TypeCallable, ref: text} }

// Signal makes a Signal known only by its printed text.
func Signal(text string) Value { return Value{typ: TypeSignal, ref: text} }

// The packed arrays take ownership of the slice.

// PackedByteArray makes a Value of that type.
func PackedByteArray(x []byte) Value { return Value{typ: TypePackedByteArray, ref: x} }

// PackedInt32Array makes a Value of that type.
func PackedInt32Array(x []int32) Value { return Value{typ: TypePackedInt32Array, ref: x} }

// PackedInt64Array makes a Value of that type.
func PackedInt64Array(x []int64) Value { return Value{typ: TypePackedInt64Array, ref: x} }

// PackedFloat32Array makes a Value of that type.
func PackedFloat32Array(x []float32) Value { return Value{typ: TypePackedFloat32Array, ref: x} }

// PackedFloat64Array makes a Value of that type.
func PackedFloat64Array(x []float64) Value { return Value{typ: TypePackedFloat64Array, ref: x} }

// PackedStringArray makes a Value of that type.
func PackedStringArray(x []string) Value { return Value{typ: TypePackedStringArray, ref: x} }

// PackedVector2Array makes a Value of that type.
func PackedVector2Array(x []Vector2) Value { return Value{typ: TypePackedVector2Array, ref: x} }

// PackedVector3Array makes a Value of that type.
func PackedVector3Array(x []Vector3) Value { return Value{typ: TypePackedVector3Array, ref: x} }

// PackedVector4Array makes a Value of that type.
func PackedVector4Array(x []Vector4) Value { return Value{typ: TypePackedVector4Array, ref: x} }

// PackedColorArray makes a Value of that type.
func PackedColorArray(x []Color) Value { return Value{typ: TypePackedColorArray, ref: x} }

// Type gives the value's type.
func (v Value) Type() Type { return v.typ }

// IsNil tells whether the value is null.
func (v Value) IsNil() bool { return v.typ == TypeNil }

// Bool reports the bool, and whether the value is one.
func (v Value) Bool() (value, ok bool) { return v.typ == TypeBool && v.num != 0, v.typ == TypeBool }

// Int reports the int, and whether the value is one.
func (v Value) Int() (int64, bool) {
	if v.typ != TypeInt {
		return 0, false
	}
	return int64(v.num), true
}

// Float reports the float, and whether the value is one. An int is not.
func (v Value) Float() (float64, bool) {
	if v.typ != TypeFloat {
		return 0, false
	}
	return math.Float64frombits(v.num), true
}

// Number reports an int or a float as float64.
func (v Value) Number() (float64, bool) {
	switch v.typ {
	case TypeInt:
		return float64(int64(v.num)), true
	case TypeFloat:
		return math.Float64frombits(v.num), true
	}
	return 0, false
}

// RID reports the id of an RID.
func (v Value) RID() (uint64, bool) {
	if v.typ != TypeRID {
		return 0, false
	}
	return v.num, true
}

// Text reports the text of a String, StringName or NodePath.
func (v Value) Text() (string, bool) {
	switch v.typ {
	case TypeString, TypeStringName, TypeNodePath:
		s, _ := v.ref.(string)
		return s, true
	}
	return "", false
}

// OpaqueText reports the printed text of a Callable or Signal.
func (v Value) OpaqueText() (string, bool) {
	switch v.typ {
	case TypeCallable, TypeSignal:
		s, _ := v.ref.(string)
		return s, true
	}
	return "", false
}

// Bytes gives the content; the zero one when v holds another type.
func (v Value) Bytes() ([]byte, bool) { return refAs[[]byte](v) }

// Int32s gives the content; the zero one when v holds another type.
func (v Value) Int32s() ([]int32, bool) { return refAs[[]int32](v) }

// Int64s gives the content; the zero one when v holds another type.
func (v Value) Int64s() ([]int64, bool) { return refAs[[]int64](v) }

// Float32s gives the content; the zero one when v holds another type.
func (v Value) Float32s() ([]float32, bool) { return refAs[[]float32](v) }

// Float64s gives the content; the zero one when v holds another type.
func (v Value) Float64s() ([]float64, bool) { return refAs[[]float64](v) }

// Strings gives the content; the zero one when v holds another type.
func (v Value) Strings() ([]string, bool) { return refAs[[]string](v) }

// Vector2s gives the content; the zero one when v holds another type.
func (v Value) Vector2s() ([]Vector2, bool) { return refAs[[]Vector2](v) }

// Vector3s gives the content; the zero one when v holds another type.
func (v Value) Vector3s() ([]Vector3, bool) { return refAs[[]Vector3](v) }

// Vector4s gives the content; the zero one when v holds another type.
func (v Value) Vector4s() ([]Vector4, bool) { return refAs[[]Vector4](v) }

// Colors gives the content; the zero one when v holds another type.
func (v Value) Colors() ([]Color, bool) { return refAs[[]Color](v) }

// String gives the engine's text form, for messages and tests.
func (v Value) String() string { return string(AppendText(nil, v)) }
