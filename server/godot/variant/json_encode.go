package variant

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// MaxPlainInt is the largest integer that is written as a plain JSON number: beyond it GDScript, whose JSON knows only
// doubles, would round.
const MaxPlainInt = 1 << 53

// EncodeJSON gives the JSON form of a value whose declared type the reader knows. See the package documentation.
func EncodeJSON(v Value) json.RawMessage { return AppendJSON(nil, v) }

// EncodeTagged gives the JSON form that says the type itself wherever plain JSON would not give the value back.
func EncodeTagged(v Value) json.RawMessage { return AppendTagged(nil, v) }

// AppendJSON appends what [EncodeJSON] gives.
func AppendJSON(dst []byte, v Value) []byte {
	w := jsonWriter{dst: dst}
	w.natural(v)
	return w.dst
}

// AppendTagged appends what [EncodeTagged] gives.
func AppendTagged(dst []byte, v Value) []byte {
	w := jsonWriter{dst: dst}
	w.tagged(v)
	return w.dst
}

// EncodeWire is [EncodeTagged] for a reader whose own number parser is inexact, which is the engine: doubles that it
// would not get from any decimal text are written as their bits, "0x3fb999999999999a". Use it towards an editor.
func EncodeWire(v Value) json.RawMessage {
	w := jsonWriter{exact: true}
	w.tagged(v)
	return w.dst
}

type jsonWriter struct {
	dst   []byte
	exact bool
}

func (w *jsonWriter) raw(s string)    { w.dst = append(w.dst, s...) }
func (w *jsonWriter) string(s string) { w.dst = appendJSONString(w.dst, s) }
func (w *jsonWriter) int(i int64)     { w.dst = strconv.AppendInt(w.dst, i, 10) }

// open starts a tagged object: {"type":"Vector2"
func (w *jsonWriter) open(typ string) {
	w.raw(`{"type":`)
	w.string(typ)
}

func (w *jsonWriter) comma(i int) {
	if i > 0 {
		w.dst = append(w.dst, ',')
	}
}

func (w *jsonWriter) natural(v Value) {
	switch v.typ {
	case TypeInt, TypeFloat:
		w.number(v, false)
	case TypeStringName, TypeNodePath:
		w.string(v.ref.(string))
	default:
		switch {
		case v.typ.IsStruct():
			w.raw("{")
			w.structure(v)
			w.raw("}")
		case v.typ.IsPacked() && v.typ != TypePackedByteArray:
			w.packed(v)
		default:
			w.tagged(v)
		}
	}
}

// floatWord is the string that stands for a double that no number can, or "".
func (w *jsonWriter) floatWord(f float64) string {
	word := floatName(f)
	if word == "" && w.exact && !readsBack(appendJSONFloat(nil, f), f) {
		return fmt.Sprintf("0x%016x", math.Float64bits(f))
	}
	return word
}

// number writes an int or float; undeclared tells that the reader goes by the value alone.
func (w *jsonWriter) number(v Value, undeclared bool) {
	if i, ok := v.Int(); ok {
		if i >= -MaxPlainInt && i <= MaxPlainInt {
			w.int(i)
			return
		}
		w.open("int")
		w.raw(`,"value":"`)
		w.int(i)
		w.raw(`"}`)
		return
	}
	f, _ := v.Float()
	if word := w.floatWord(f); word != "" {
		w.open("float")
		w.raw(`,"value":"` + word + `"}`)
		return
	}
	if undeclared && f == math.Trunc(f) {
		w.open("float")
		w.raw(`,"value":`)
		w.dst = appendJSONFloat(w.dst, f)
		w.raw("}")
		return
	}
	w.dst = appendJSONFloat(w.dst, f)
}

func (w *jsonWriter) tagged(v Value) {
	switch v.typ {
	case TypeNil:
		w.raw("null")
	case TypeBool:
		w.dst = strconv.AppendBool(w.dst, v.num != 0)
	case TypeInt, TypeFloat:
		w.number(v, true)
	case TypeString:
		w.string(v.ref.(string))
	case TypeStringName, TypeNodePath:
		w.open(v.typ.String())
		w.raw(`,"value":`)
		w.string(v.ref.(string))
		w.raw("}")
	case TypeRID:
		w.open("RID")
		w.raw(`,"text":"RID(` + strconv.FormatUint(v.num, 10) + `)"}`)
	case TypeCallable, TypeSignal:
		w.open(v.typ.String())
		w.raw(`,"text":`)
		w.string(v.ref.(string))
		w.raw("}")
	case TypeObject:
		w.object(v)
	case TypeArray:
		w.array(v.ref.(*Array))
	case TypeDictionary:
		w.dictionary(v.ref.(*Dictionary))
	case TypePackedByteArray:
		w.open("PackedByteArray")
		w.raw(`,"base64":"`)
		w.dst = base64.StdEncoding.AppendEncode(w.dst, v.ref.([]byte))
		w.raw(`"}`)
	default:
		w.open(v.typ.String())
		if v.typ.IsStruct() {
			w.raw(",")
			w.structure(v)
		} else {
			w.raw(`,"value":`)
			w.packed(v)
		}
		w.raw("}")
	}
}

func (w *jsonWriter) array(a *Array) {
	if !a.Elem.IsAny() {
		w.open("Array[" + a.Elem.String() + "]")
		w.raw(`,"value":`)
	}
	w.raw("[")
	for i, e := range a.items {
		w.comma(i)
		w.element(e, a.Elem)
	}
	w.raw("]")
	if !a.Elem.IsAny() {
		w.raw("}")
	}
}

func (w *jsonWriter) element(v Value, declared ContainerType) {
	if declared.IsAny() || declared.Type != v.typ {
		w.tagged(v)
	} else {
		w.natural(v)
	}
}

// reserved are the keys by which an object is told from a plain Dictionary.
func reserved(key string) bool {
	switch key {
	case "type", "resource", "new", "value", "entries":
		return true
	}
	return false
}

func (w *jsonWriter) dictionary(d *Dictionary) {
	plain := !d.IsTyped()
	for _, e := range d.entries {
		plain = plain && e.Key.typ == TypeString && !reserved(e.Key.ref.(string))
	}
	if plain {
		w.raw("{")
		for i, e := range d.entries {
			w.comma(i)
			w.string(e.Key.ref.(string))
			w.raw(":")
			w.tagged(e.Value)
		}
		w.raw("}")
		return
	}
	if d.IsTyped() {
		w.open("Dictionary[" + d.Key.String() + ", " + d.Val.String() + "]")
	} else {
		w.open("Dictionary")
	}
	w.raw(`,"entries":[`)
	for i, e := range d.entries {
		w.comma(i)
		w.raw("[")
		w.element(e.Key, d.Key)
		w.raw(",")
		w.element(e.Value, d.Val)
		w.raw("]")
	}
	w.raw("]}")
}

func (w *jsonWriter) object(v Value) {
	switch o := v.ref.(type) {
	case ResourceRef:
		switch o.Kind {
		case ResourceExt, ResourceSub:
			word := "ExtResource"
			if o.Kind == ResourceSub {
				word = "SubResource"
			}
			w.open(word)
			w.raw(`,"id":`)
			w.string(o.ID)
			w.raw("}")
			return
		}
		w.raw(`{"resource":`)
		w.string(o.Location())
		if o.Path != "" && o.UID != "" {
			w.raw(`,"uid":`)
			w.string(o.UID)
		}
		if o.Class != "" {
			w.raw(`,"class":`)
			w.string(o.Class)
		}
		w.raw("}")
	case *Object:
		w.raw(`{"new":`)
		w.string(o.Class)
		w.raw(`,"properties":{`)
		for i, p := range o.Properties {
			w.comma(i)
			w.string(p.Name)
			w.raw(":")
			w.tagged(p.Value)
		}
		w.raw("}}")
	default:
		w.raw("null")
	}
}

func (w *jsonWriter) packed(v Value) {
	w.raw("[")
	switch x := v.ref.(type) {
	case []int32:
		for i, n := range x {
			w.comma(i)
			w.int(int64(n))
		}
	case []int64:
		for i, n := range x {
			w.comma(i)
			if n >= -MaxPlainInt && n <= MaxPlainInt {
				w.int(n)
			} else {
				w.raw(`"` + strconv.FormatInt(n, 10) + `"`)
			}
		}
	case []float32:
		for i, f := range x {
			w.comma(i)
			w.component(f)
		}
	case []float64:
		for i, f := range x {
			w.comma(i)
			if word := w.floatWord(f); word != "" {
				w.raw(`"` + word + `"`)
			} else {
				w.dst = appendJSONFloat(w.dst, f)
			}
		}
	case []string:
		for i, s := range x {
			w.comma(i)
			w.string(s)
		}
	case []Vector2:
		writeStructs(w, x, Vector2.Value)
	case []Vector3:
		writeStructs(w, x, Vector3.Value)
	case []Vector4:
		writeStructs(w, x, Vector4.Value)
	case []Color:
		writeStructs(w, x, Color.Value)
	}
	w.raw("]")
}

func writeStructs[T any](w *jsonWriter, x []T, value func(T) Value) {
	for i, e := range x {
		w.comma(i)
		w.raw("{")
		w.structure(value(e))
		w.raw("}")
	}
}

// appendJSONString writes every control character as an escape that all readers know, and U+FFFD for broken UTF-8.
func appendJSONString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(dst, s[start:i]...)
				dst = append(dst, "\ufffd"...)
				start = i + 1
			}
			i += size
			continue
		}
		i++
		if c >= ' ' && c != '"' && c != '\\' && c != 0x7f {
			continue
		}
		dst = append(dst, s[start:i-1]...)
		start = i
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}
