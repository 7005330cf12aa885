package variant

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Hint is what is known of the value that is wanted. The zero Hint means that nothing is declared.
type Hint struct {
	// Type is the declared type; TypeNil if there is none.
	Type Type
	// Class is the declared class of an object; it is only used in messages.
	Class string
	// Elem is the element type of an Array, Key and Val the types of a Dictionary; zero if any value may stand there.
	Elem, Key, Val ContainerType
	// Property gives the hint for a property of a {"new": ...} object, with ok false if the class has no such
	// property. Without it properties are read as undeclared.
	Property func(class, property string) (hint Hint, ok bool)
}

// String names the declared type.
func (h Hint) String() string {
	switch {
	case h.Type == TypeNil:
		return "a value"
	case h.Type == TypeObject && h.Class != "":
		return h.Class
	case h.Type == TypeArray && !h.Elem.IsAny():
		return "Array[" + h.Elem.String() + "]"
	case h.Type == TypeDictionary && (!h.Key.IsAny() || !h.Val.IsAny()):
		return "Dictionary[" + h.Key.String() + ", " + h.Val.String() + "]"
	}
	return h.Type.String()
}

func (c ContainerType) hint() Hint {
	h := Hint{Type: c.Type}
	if c.Type == TypeObject {
		h.Class = c.String()
	}
	return h
}

// Decoded is the outcome of [DecodeJSON].
type Decoded struct {
	Value Value
	// Coerced tells that some part was given in a form that had to be guessed at: a number as text, JSON or a
	// constructor inside a string, a color without alpha. The caller may want to show what was understood.
	Coerced bool
}

// DecodeError says why JSON does not give the wanted value.
type DecodeError struct {
	Code Code
	// Path leads to the faulty part: "", ".position.x", "[3]", `["key"]`.
	Path string
	// Message names what was expected and what was there.
	Message string
}

func (e *DecodeError) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return "at " + e.Path + ": " + e.Message
}

// DecodeJSON reads a value from JSON as an editor reads it, its numbers with the digits that the engine makes of them.
// With a declared type it takes all the forms that the package documentation lists; without one, the self-describing
// form. Errors are [*DecodeError]; nothing is ever filled in or dropped.
func DecodeJSON(raw json.RawMessage, hint Hint) (Decoded, error) {
	return decodeJSON(raw, hint, parseEngineFloat)
}

// DecodeAnswer reads a value from JSON that an editor has written: its numbers are the nearest ones, as for every reader
// other than the engine. All else is as in [DecodeJSON].
func DecodeAnswer(raw json.RawMessage, hint Hint) (Decoded, error) {
	return decodeJSON(raw, hint, func(text string) float64 {
		f, _ := strconv.ParseFloat(text, 64) // out of range was refused before
		return f
	})
}

func decodeJSON(raw json.RawMessage, hint Hint, number func(string) float64) (Decoded, error) {
	if len(raw) > MaxJSON {
		return Decoded{}, &DecodeError{Code: CodeSize, Message: fmt.Sprintf("the JSON text has %d bytes, more than %d", len(raw), MaxJSON)}
	}
	n, err := parseJSON(string(raw))
	if err != nil {
		return Decoded{}, jsonError(err)
	}
	d := decoder{property: hint.Property, number: number}
	v, derr := d.typed(&n, hint, 0)
	if derr != nil {
		return Decoded{}, derr
	}
	return Decoded{v, d.coerced}, nil
}

func jsonError(err error) *DecodeError {
	code := CodeBadJSON
	switch {
	case errors.Is(err, errJSONDepth):
		code = CodeDepth
	case errors.Is(err, errJSONDuplicate):
		code = CodeDuplicateKey
	}
	return &DecodeError{Code: code, Message: err.Error()}
}

type decoder struct {
	coerced  bool
	number   func(text string) float64
	property func(class, property string) (Hint, bool)
}

func fail(code Code, format string, args ...any) *DecodeError {
	return &DecodeError{Code: code, Message: fmt.Sprintf(format, args...)}
}

func (e *DecodeError) under(step string) *DecodeError {
	if e != nil {
		e.Path = step + e.Path
	}
	return e
}

func (e *DecodeError) index(i int) *DecodeError { return e.under(fmt.Sprintf("[%d]", i)) }
func (e *DecodeError) key(key string) *DecodeError {
	if isIdentifier(key) {
		return e.under("." + key)
	}
	return e.under(fmt.Sprintf("[%q]", clip(key)))
}

// wrong is the error for a shape that the type does not take.
func wrong(n *node, h Hint, forms string) *DecodeError {
	return fail(CodeType, "expected %s%s, got %s", h, forms, n.describe())
}

// typed reads a value of the declared type, or an undeclared one.
func (d *decoder) typed(n *node, h Hint, depth int) (Value, *DecodeError) {
	if h.Type == TypeNil {
		return d.undeclared(n, depth)
	}
	if depth > MaxDepth {
		return Value{}, fail(CodeDepth, "values nested deeper than %d", MaxDepth)
	}
	if n.kind == nodeObject {
		if t := n.get("type"); t != nil && (h.Type != TypeDictionary || t.kind == nodeString && looksTagged(t.text)) {
			return d.taggedFor(n, h, depth)
		}
	}
	switch {
	case h.Type == TypeBool, h.Type == TypeInt, h.Type == TypeFloat:
		return d.scalar(n, h)
	case h.Type == TypeString, h.Type == TypeStringName, h.Type == TypeNodePath:
		return d.text(n, h)
	case h.Type.IsStruct():
		return d.structure(n, h.Type)
	case h.Type.IsPacked():
		return d.packed(n, h.Type)
	}
	switch h.Type {
	case TypeArray:
		return d.array(n, h, depth)
	case TypeDictionary:
		return d.dictionary(n, h, depth)
	case TypeObject:
		return d.object(n, h, depth)
	}
	return Value{}, fail(CodeNotDecodable, "a %s cannot be given as JSON", h.Type)
}

// looksTagged tells a "type" key that names one of our types from one in the data of a Dictionary.
func looksTagged(name string) bool {
	_, ok := typeByName[name]
	return ok || strings.HasPrefix(name, "Array[") || strings.HasPrefix(name, "Dictionary[")
}

// taggedFor reads {"type": ...} where a type is declared: the two must agree.
func (d *decoder) taggedFor(n *node, h Hint, depth int) (Value, *DecodeError) {
	v, err := d.tagged(n, depth)
	if err != nil {
		return Value{}, err
	}
	if v.typ == h.Type {
		if !containerAgrees(v, h) {
			return Value{}, fail(CodeType, "expected %s, got %s", h, n.get("type").describe())
		}
		return v, nil
	}
	if v.typ == TypeInt && h.Type == TypeFloat {
		f, _ := v.Number()
		if int64(f) == int64(v.num) {
			return Float(f), nil
		}
	}
	_, isText := v.Text()
	if isText && (h.Type == TypeString || h.Type == TypeStringName || h.Type == TypeNodePath) {
		d.coerced = true
		return Value{typ: h.Type, ref: v.ref}, nil
	}
	return Value{}, fail(CodeType, "expected %s, got a value of type %s", h, v.typ)
}

// containerAgrees compares the element types of a tagged container with the declared ones.
func containerAgrees(v Value, h Hint) bool {
	switch c := v.ref.(type) {
	case *Array:
		return h.Elem.IsAny() || c.Elem.String() == h.Elem.String()
	case *Dictionary:
		return h.Key.IsAny() && h.Val.IsAny() || c.Key.String() == h.Key.String() && c.Val.String() == h.Val.String()
	}
	return true
}

// undeclared reads the self-describing form.
func (d *decoder) undeclared(n *node, depth int) (Value, *DecodeError) {
	if depth > MaxDepth {
		return Value{}, fail(CodeDepth, "values nested deeper than %d", MaxDepth)
	}
	switch n.kind {
	case nodeBool:
		return Bool(n.truth), nil
	case nodeNumber:
		return d.plainNumber(n)
	case nodeString:
		return d.text(n, Hint{Type: TypeString})
	case nodeArray:
		return d.items(n, ContainerType{}, depth)
	case nodeObject:
		switch {
		case n.get("type") != nil:
			return d.tagged(n, depth)
		case n.get("resource") != nil, n.get("new") != nil:
			return d.object(n, Hint{Type: TypeObject}, depth)
		}
		return d.plainDictionary(n, Hint{Type: TypeDictionary}, depth)
	}
	return Nil, nil
}

// keys checks that an object has the wanted keys and no others. Those with a "?" are optional.
func keys(n *node, form string, want ...string) *DecodeError {
	for _, k := range n.keys {
		known := false
		for _, w := range want {
			known = known || strings.TrimSuffix(w, "?") == k
		}
		if !known {
			return fail(CodeUnknownKey, "unknown key %q in %s; it has the keys %s", clip(k), form, keyList(want))
		}
	}
	for _, w := range want {
		if !strings.HasSuffix(w, "?") && n.get(w) == nil {
			return fail(CodeMissingKey, "%s needs the key %q; it has the keys %s", form, w, keyList(want))
		}
	}
	return nil
}

func keyList(want []string) string {
	return strings.ReplaceAll(strings.Join(want, ", "), "?", "")
}
