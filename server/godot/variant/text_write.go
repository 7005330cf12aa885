package variant

import (
	"encoding/base64"
	"strconv"
)

// Format is the version of the text form, the "format=" of a scene or resource file.
type Format uint8

const (
	// Format3 is what var_to_str, project.godot, ConfigFile and most scenes use: bytes as numbers, "inf_neg".
	Format3 Format = 3
	// Format4 is used by a scene or resource as a whole as soon as it holds a long PackedByteArray or a
	// PackedVector4Array: bytes as base64, "-inf".
	Format4 Format = 4
)

// MaxDepth is how deep arrays, dictionaries and objects may be nested in text and in JSON. The engine's writer drops
// what lies deeper (engine 4.6: recursion limit 100), so nothing deeper is taken in.
const MaxDepth = 100

// AppendText appends the engine's text form in [Format3], as var_to_str prints it.
func AppendText(dst []byte, v Value) []byte { return AppendTextFormat(dst, v, Format3) }

// AppendTextFormat appends the text form of a file with that format.
func AppendTextFormat(dst []byte, v Value, format Format) []byte {
	w := textWriter{dst: dst, format: format}
	w.value(v)
	return w.dst
}

type textWriter struct {
	dst    []byte
	format Format
	// untyped leaves the declared types of containers out.
	untyped bool
}

func (w *textWriter) raw(s string)    { w.dst = append(w.dst, s...) }
func (w *textWriter) float(f float64) { w.dst = appendFloat(w.dst, f, w.format) }
func (w *textWriter) int(i int64)     { w.dst = strconv.AppendInt(w.dst, i, 10) }

func (w *textWriter) sep(i int) {
	if i > 0 {
		w.dst = append(w.dst, ", "...)
	}
}

func (w *textWriter) value(v Value) {
	switch v.typ {
	case TypeNil:
		w.raw("null")
	case TypeBool:
		w.dst = strconv.AppendBool(w.dst, v.num != 0)
	case TypeInt:
		w.int(int64(v.num))
	case TypeFloat:
		f, _ := v.Float()
		w.dst = appendScalarFloat(w.dst, f, w.format)
	case TypeString:
		w.dst = AppendQuoted(w.dst, v.ref.(string))
	case TypeStringName:
		w.dst = AppendEscaped(append(w.dst, '&'), v.ref.(string))
	case TypeNodePath:
		w.dst = AppendEscaped(append(w.dst, "NodePath("...), v.ref.(string))
		w.raw(")")
	case TypeRID:
		w.raw("RID(")
		if v.num != 0 {
			w.dst = strconv.AppendUint(w.dst, v.num, 10)
		}
		w.raw(")")
	case TypeCallable:
		w.raw("Callable()")
	case TypeSignal:
		w.raw("Signal()")
	case TypeObject:
		w.object(v)
	case TypeDictionary:
		w.dictionary(v.ref.(*Dictionary))
	case TypeArray:
		w.array(v.ref.(*Array))
	default:
		w.raw(v.typ.String())
		w.raw("(")
		if v.typ.IsStruct() {
			w.components(v)
		} else {
			w.packed(v)
		}
		w.raw(")")
	}
}

func (w *textWriter) components(v Value) {
	if isIntStruct(v.typ) {
		var buf [4]int32
		for i, n := range appendInts(buf[:0], v) {
			w.sep(i)
			w.int(int64(n))
		}
		return
	}
	var buf [16]float32
	for i, f := range appendFloats(buf[:0], v) {
		w.sep(i)
		w.float(float64(f))
	}
}

func (w *textWriter) packed(v Value) {
	switch x := v.ref.(type) {
	case []byte:
		w.bytes(x)
	case []int32:
		for i, n := range x {
			w.sep(i)
			w.int(int64(n))
		}
	case []int64:
		for i, n := range x {
			w.sep(i)
			w.int(n)
		}
	case []float32:
		for i, f := range x {
			w.sep(i)
			w.float(float64(f))
		}
	case []float64:
		for i, f := range x {
			w.sep(i)
			w.float(f)
		}
	case []string:
		for i, s := range x {
			w.sep(i)
			w.dst = AppendEscaped(w.dst, s)
		}
	case []Vector2:
		for i, e := range x {
			w.sep(i)
			w.floats(e.X, e.Y)
		}
	case []Vector3:
		for i, e := range x {
			w.sep(i)
			w.floats(e.X, e.Y, e.Z)
		}
	case []Vector4:
		for i, e := range x {
			w.sep(i)
			w.floats(e.X, e.Y, e.Z, e.W)
		}
	case []Color:
		for i, e := range x {
			w.sep(i)
			w.floats(e.R, e.G, e.B, e.A)
		}
	}
}

func (w *textWriter) floats(c ...float32) {
	for i, f := range c {
		w.sep(i)
		w.float(float64(f))
	}
}

func (w *textWriter) bytes(x []byte) {
	if w.format != Format4 {
		for i, b := range x {
			w.sep(i)
			w.int(int64(b))
		}
		return
	}
	if len(x) > 0 {
		w.raw(`"`)
		w.dst = base64.StdEncoding.AppendEncode(w.dst, x)
		w.raw(`"`)
	}
}

func (w *textWriter) array(a *Array) {
	typed := !a.Elem.IsAny() && !w.untyped
	if typed {
		w.raw("Array[")
		w.containerType(a.Elem)
		w.raw("](")
	}
	w.raw("[")
	for i, e := range a.items {
		w.sep(i)
		w.value(e)
	}
	w.raw("]")
	if typed {
		w.raw(")")
	}
}

func (w *textWriter) dictionary(d *Dictionary) {
	typed := d.IsTyped() && !w.untyped
	if typed {
		w.raw("Dictionary[")
		w.containerType(d.Key)
		w.raw(", ")
		w.containerType(d.Val)
		w.raw("](")
	}
	if len(d.entries) == 0 {
		w.raw("{}")
	} else {
		w.raw("{\n")
		for i, e := range sortedEntries(d.entries) {
			if i > 0 {
				w.raw(",\n")
			}
			w.value(e.Key)
			w.raw(": ")
			w.value(e.Value)
		}
		w.raw("\n}")
	}
	if typed {
		w.raw(")")
	}
}

func (w *textWriter) containerType(c ContainerType) {
	switch {
	case !c.Script.IsNil():
		w.value(c.Script)
	case c.Class != "":
		w.raw(c.Class)
	case c.Type == TypeNil:
		w.raw("Variant")
	default:
		w.raw(c.Type.String())
	}
}

func (w *textWriter) object(v Value) {
	switch o := v.ref.(type) {
	case ResourceRef:
		w.reference(o)
	case *Object:
		w.raw("Object(" + o.Class + ",")
		for i, p := range o.Properties {
			if i > 0 {
				w.raw(",")
			}
			// The engine does not escape property names here.
			w.raw(`"` + p.Name + `":`)
			w.value(p.Value)
		}
		w.raw(")\n")
	default:
		w.raw("null")
	}
}

func (w *textWriter) reference(r ResourceRef) {
	switch r.Kind {
	case ResourceExt:
		w.dst = AppendQuoted(append(w.dst, "ExtResource("...), r.ID)
	case ResourceSub:
		w.dst = AppendQuoted(append(w.dst, "SubResource("...), r.ID)
	default:
		w.raw("Resource(")
		if r.UID != "" {
			w.dst = AppendQuoted(w.dst, r.UID)
		}
		if r.Path != "" {
			if r.UID != "" {
				w.raw(", ")
			}
			w.dst = AppendQuoted(w.dst, r.Path)
		}
	}
	w.raw(")")
}

// AppendQuoted appends a string in quotes as the engine writes String values and tag attributes: only the quote and
// the backslash are escaped; line ends and control characters stay as they are.
func AppendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	plain := 0
	for i := range len(s) {
		if c := s[i]; c == '"' || c == '\\' {
			dst = append(append(dst, s[plain:i]...), '\\', c)
			plain = i + 1
		}
	}
	return append(append(dst, s[plain:]...), '"')
}

// AppendEscaped appends a string in quotes with the escapes that the engine uses for StringName, NodePath and the
// elements of a PackedStringArray.
func AppendEscaped(dst []byte, s string) []byte {
	dst = append(dst, '"')
	plain := 0
	for i := range len(s) {
		c := s[i]
		switch c {
		case '\\', '"', '\'':
			dst = append(append(dst, s[plain:i]...), '\\', c)
		case '\a', '\b', '\t', '\n', '\v', '\f', '\r':
			dst = append(append(dst, s[plain:i]...), '\\', "abtnvfr"[c-'\a'])
		default:
			continue
		}
		plain = i + 1
	}
	return append(append(dst, s[plain:]...), '"')
}
