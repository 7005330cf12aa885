package gdscript

import (
	"strconv"
	"strings"

	"godot-mcp/server/godot/classdb"
)

// literalText turns the source of a value into Godot text, with its type, if the source is a literal. Null has the type
// "". The text can be parsed as a Variant; it need not be what var_to_str would write for the value.
func literalText(src string) (text, typ string) {
	r := literalReader{tokens: newTokenizer(src)}
	r.tokens.multiline = true
	r.next()
	typ, ok := r.value()
	if !ok || r.current.kind != kindEOF {
		return "", ""
	}
	return r.out.String(), typ
}

type literalReader struct {
	tokens  *tokenizer
	current token
	out     strings.Builder
	depth   int
}

func (r *literalReader) next() token {
	t := r.current
	r.current = r.tokens.next()
	return t
}

func (r *literalReader) value() (typ string, ok bool) {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxDepth {
		return "", false
	}
	switch t := r.next(); t.kind {
	case kindLiteral:
		return r.literal(t, "")
	case "-", "+":
		n := r.next()
		if n.kind != kindLiteral || n.literal != literalInt && n.literal != literalFloat {
			return "", false
		}
		sign := ""
		if t.kind == "-" {
			sign = "-"
		}
		return r.literal(n, sign)
	case "INF", "NAN":
		r.out.WriteString(strings.ToLower(string(t.kind)))
		return "float", true
	case "[":
		return "Array", r.list("[", "]", r.item)
	case "{":
		return "Dictionary", r.list("{", "}", r.entry)
	case kindIdentifier:
		return r.constructor(t)
	}
	return "", false
}

func (r *literalReader) literal(t token, sign string) (string, bool) {
	switch t.literal {
	case literalInt:
		text := t.value
		if len(text) > 2 && text[0] == '0' && !isDigit(text[1]) {
			n, err := strconv.ParseInt(sign+text, 0, 64)
			if err != nil {
				return "", false
			}
			text, sign = strconv.FormatInt(n, 10), ""
		}
		r.out.WriteString(sign + text)
	case literalFloat:
		f, err := strconv.ParseFloat(sign+t.value, 64)
		if err != nil {
			return "", false
		}
		text := strconv.FormatFloat(f, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		r.out.WriteString(text)
	case literalString:
		r.out.WriteString(quote(t.value))
	case literalStringName:
		r.out.WriteString("&" + quote(t.value))
	case literalNodePath:
		r.out.WriteString("NodePath(" + quote(t.value) + ")")
	case literalNull:
		r.out.WriteString("null")
		return "", true
	default:
		r.out.WriteString(t.value)
	}
	return string(t.literal), true
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// constructor reads Vector2(1, 2) and the like; constants such as Vector2.ZERO are no literals here.
func (r *literalReader) constructor(name token) (string, bool) {
	word := r.tokens.src[name.start:name.end]
	if !constructors[word] || r.next().kind != "(" {
		return "", false
	}
	r.out.WriteString(word)
	return word, r.list("(", ")", r.item)
}

// list reads items up to the closing bracket after the opening one.
func (r *literalReader) list(open, closing kind, item func() bool) bool {
	r.out.WriteString(string(open))
	for n := 0; r.current.kind != closing; n++ {
		if n > 0 {
			r.out.WriteString(", ")
		}
		if !item() {
			return false
		}
		if r.current.kind != "," {
			break
		}
		r.next()
	}
	r.out.WriteString(string(closing))
	return r.next().kind == closing
}

func (r *literalReader) item() bool {
	_, ok := r.value()
	return ok
}

func (r *literalReader) entry() bool {
	if r.current.kind == kindIdentifier {
		r.out.WriteString(quote(r.tokens.src[r.current.start:r.current.end]))
		r.next()
		if r.next().kind != "=" {
			return false
		}
	} else if !r.item() || r.next().kind != ":" {
		return false
	}
	r.out.WriteString(": ")
	return r.item()
}

// constructors are the builtin types whose constructor calls Variant text knows too.
var constructors = func() map[string]bool {
	out := map[string]bool{}
	for _, name := range []string{
		"Vector2", "Vector2i", "Rect2", "Rect2i", "Vector3", "Vector3i", "Transform2D", "Vector4", "Vector4i", "Plane",
		"Quaternion", "AABB", "Basis", "Transform3D", "Projection", "Color", "NodePath", "PackedByteArray",
		"PackedInt32Array", "PackedInt64Array", "PackedFloat32Array", "PackedFloat64Array", "PackedStringArray",
		"PackedVector2Array", "PackedVector3Array", "PackedColorArray", "PackedVector4Array",
	} {
		out[name] = true
	}
	return out
}()

// isBuiltinType reports whether name is a Variant type other than Object.
func isBuiltinType(name string) bool {
	for t := classdb.Type(1); t < 39; t++ {
		if t != classdb.TypeObject && t.String() == name {
			return true
		}
	}
	return name == "Variant"
}
