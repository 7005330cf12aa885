package variant

import (
	"math"
	"strconv"
	"strings"
)

// field is one key of a struct's JSON form: a number, or another struct.
type field struct {
	name   string
	nested Type // TypeNil for a number
}

var (
	fieldsXY   = []field{{name: "x"}, {name: "y"}}
	fieldsXYZ  = []field{{name: "x"}, {name: "y"}, {name: "z"}}
	fieldsXYZW = []field{{name: "x"}, {name: "y"}, {name: "z"}, {name: "w"}}
)

// structFields is the JSON form of each struct type. Members in order make up the constructor's arguments.
var structFields = [TypeMax][]field{
	TypeVector2: fieldsXY, TypeVector2i: fieldsXY, TypeVector3: fieldsXYZ, TypeVector3i: fieldsXYZ,
	TypeVector4: fieldsXYZW, TypeVector4i: fieldsXYZW, TypeQuaternion: fieldsXYZW,
	TypeColor:       {{name: "r"}, {name: "g"}, {name: "b"}, {name: "a"}},
	TypeRect2:       {{"position", TypeVector2}, {"size", TypeVector2}},
	TypeRect2i:      {{"position", TypeVector2i}, {"size", TypeVector2i}},
	TypeAABB:        {{"position", TypeVector3}, {"size", TypeVector3}},
	TypePlane:       {{"normal", TypeVector3}, {"d", TypeNil}},
	TypeTransform2D: {{"x", TypeVector2}, {"y", TypeVector2}, {"origin", TypeVector2}},
	TypeBasis:       {{"x", TypeVector3}, {"y", TypeVector3}, {"z", TypeVector3}},
	TypeTransform3D: {{"basis", TypeBasis}, {"origin", TypeVector3}},
	TypeProjection:  {{"x", TypeVector4}, {"y", TypeVector4}, {"z", TypeVector4}, {"w", TypeVector4}},
}

// columns gives the components in the order of the JSON form, which differs from the text form where a Basis is in it:
// the text lists its rows.
func columns(dst []float32, v Value) []float32 {
	dst = appendFloats(dst, v)
	transposeBasis(v.typ, dst)
	return dst
}

// transposeBasis turns rows into columns and back.
func transposeBasis(t Type, c []float32) {
	if t == TypeBasis || t == TypeTransform3D {
		c[1], c[3] = c[3], c[1]
		c[2], c[6] = c[6], c[2]
		c[5], c[7] = c[7], c[5]
	}
}

// structure writes the keys of a struct, without the braces.
func (w *jsonWriter) structure(v Value) {
	if isIntStruct(v.typ) {
		var buf [4]int32
		c := appendInts(buf[:0], v)
		w.fields(v.typ, func() {
			w.int(int64(c[0]))
			c = c[1:]
		})
		return
	}
	var buf [16]float32
	c := columns(buf[:0], v)
	w.fields(v.typ, func() {
		w.component(c[0])
		c = c[1:]
	})
}

func (w *jsonWriter) fields(t Type, next func()) {
	for i, f := range structFields[t] {
		w.comma(i)
		w.raw(`"` + f.name + `":`)
		if f.nested == TypeNil {
			next()
			continue
		}
		w.raw("{")
		w.fields(f.nested, next)
		w.raw("}")
	}
}

// component writes a 32-bit number, or one of the words "inf", "-inf", "nan", "-0" in quotes.
func (w *jsonWriter) component(f float32) {
	if word := floatName(float64(f)); word != "" {
		w.raw(`"` + word + `"`)
		return
	}
	w.dst = appendJSONFloat32(w.dst, f)
}

// floatName is the word for a float that JSON numbers cannot carry, or "".
func floatName(f float64) string {
	switch {
	case f != f:
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case f == 0 && math.Signbit(f):
		return "-0"
	}
	return ""
}

// floatByName reads what floatName and floatWord give.
func floatByName(word string) (float64, bool) {
	switch word {
	case "nan":
		return math.NaN(), true
	case "inf":
		return math.Inf(1), true
	case "-inf":
		return math.Inf(-1), true
	case "-0":
		return math.Copysign(0, -1), true
	}
	if len(word) == 18 && strings.HasPrefix(word, "0x") {
		bits, err := strconv.ParseUint(word[2:], 16, 64)
		return math.Float64frombits(bits), err == nil
	}
	return 0, false
}
