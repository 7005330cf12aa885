package variant

import "strings"

// ContainerType is the declared type of the elements of an Array, or of the keys or values of a Dictionary. The zero
// value means that any value is allowed. For objects Class is the class; if the class is a script's, Script refers to
// that script and Class may be empty (files do not repeat the native base class).
type ContainerType struct {
	Type   Type
	Class  string
	Script Value
}

// IsAny tells whether the type restricts nothing.
func (c ContainerType) IsAny() bool { return c.Type == TypeNil }

// Equal compares two declared types.
func (c ContainerType) Equal(o ContainerType) bool {
	return c.Type == o.Type && c.Class == o.Class && c.Script.Equal(o.Script)
}

// String names the type as the JSON form does: "int", "Node2D", "res://item.gd", "Variant".
func (c ContainerType) String() string {
	switch {
	case c.Type == TypeNil:
		return "Variant"
	case !c.Script.IsNil():
		if r, ok := c.Script.Resource(); ok {
			return r.Location()
		}
		return c.Class
	case c.Type == TypeObject && c.Class != "":
		return c.Class
	}
	return c.Type.String()
}

// ParseContainerType reads the names that [ContainerType.String] gives. A name that is no built-in type is a class.
func ParseContainerType(name string) (ContainerType, bool) {
	name = strings.TrimSpace(name)
	if name == "Variant" || name == "Nil" {
		return ContainerType{}, true
	}
	if t, ok := typeByName[name]; ok {
		return ContainerType{Type: t}, true
	}
	if strings.HasPrefix(name, "res://") || strings.HasPrefix(name, "uid://") {
		return ContainerType{Type: TypeObject, Script: Resource(name)}, true
	}
	if !isIdentifier(name) {
		return ContainerType{}, false
	}
	return ContainerType{Type: TypeObject, Class: name}, true
}

func isIdentifier(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !isAlpha(c) && (i == 0 || !isDigit(c)) {
			return false
		}
	}
	return s != ""
}

// Array is the content of an Array value.
type Array struct {
	Elem  ContainerType
	items []Value
}

// NewArray makes an untyped Array. It takes ownership of items.
func NewArray(items ...Value) Value { return Value{typ: TypeArray, ref: &Array{items: items}} }

// NewTypedArray makes an Array with declared element type. The items are not checked.
func NewTypedArray(elem ContainerType, items ...Value) Value {
	return Value{typ: TypeArray, ref: &Array{Elem: elem, items: items}}
}

// Array reports the content of an Array.
func (v Value) Array() (*Array, bool) { return refAs[*Array](v) }

// Items gives the elements in order.
func (a *Array) Items() []Value { return a.items }

// Len gives the number of elements.
func (a *Array) Len() int { return len(a.items) }

// Entry is one key and value of a Dictionary.
type Entry struct{ Key, Value Value }

// Dictionary is the content of a Dictionary value. Entries keep the order of insertion; the text form sorts them.
type Dictionary struct {
	Key, Val ContainerType
	entries  []Entry
	index    map[string]int
}

// IsTyped tells whether keys or values have a declared type.
func (d *Dictionary) IsTyped() bool { return !d.Key.IsAny() || !d.Val.IsAny() }

// Entries gives the entries in order of insertion.
func (d *Dictionary) Entries() []Entry { return d.entries }

// Len gives the number of entries.
func (d *Dictionary) Len() int { return len(d.entries) }

// Get finds the value of a key. As in the engine the String "a" and the StringName &"a" are the same key, 1 and 1.0
// are not.
func (d *Dictionary) Get(key Value) (Value, bool) {
	if i, ok := d.find(key); ok {
		return d.entries[i].Value, true
	}
	return Value{}, false
}

// GetString finds the value of a String or StringName key.
func (d *Dictionary) GetString(key string) (Value, bool) { return d.Get(String(key)) }

func (d *Dictionary) find(key Value) (int, bool) {
	if d.index != nil {
		i, ok := d.index[keyID(key)]
		return i, ok
	}
	for i := range d.entries {
		if sameKey(d.entries[i].Key, key) {
			return i, true
		}
	}
	return 0, false
}

// Dictionary reports the content of a Dictionary.
func (v Value) Dictionary() (*Dictionary, bool) { return refAs[*Dictionary](v) }

// DictionaryBuilder collects entries; a repeated key replaces the value and keeps the first place and key.
type DictionaryBuilder struct{ d Dictionary }

// SetTypes declares the types of keys and values.
func (b *DictionaryBuilder) SetTypes(key, value ContainerType) { b.d.Key, b.d.Val = key, value }

// indexFrom is the number of entries from which a hash index pays off.
const indexFrom = 12

// Set adds an entry. It reports whether the key was there before.
func (b *DictionaryBuilder) Set(key, value Value) (replaced bool) {
	if i, ok := b.d.find(key); ok {
		b.d.entries[i].Value = value
		return true
	}
	b.d.entries = append(b.d.entries, Entry{key, value})
	n := len(b.d.entries)
	switch {
	case b.d.index != nil:
		b.d.index[keyID(key)] = n - 1
	case n >= indexFrom:
		b.d.index = make(map[string]int, n*2)
		for i, e := range b.d.entries {
			b.d.index[keyID(e.Key)] = i
		}
	}
	return false
}

// Value gives the Dictionary. The builder must not be used afterwards.
func (b *DictionaryBuilder) Value() Value {
	d := b.d
	return Value{typ: TypeDictionary, ref: &d}
}

// NewDictionary makes an untyped Dictionary.
func NewDictionary(entries ...Entry) Value {
	return NewTypedDictionary(ContainerType{}, ContainerType{}, entries...)
}

// NewTypedDictionary makes a Dictionary with declared types. The entries are not checked.
func NewTypedDictionary(key, value ContainerType, entries ...Entry) Value {
	var b DictionaryBuilder
	b.SetTypes(key, value)
	for _, e := range entries {
		b.Set(e.Key, e.Value)
	}
	return b.Value()
}

func sameKey(a, b Value) bool {
	if a.typ.IsStringLike() && b.typ.IsStringLike() {
		return a.ref.(string) == b.ref.(string)
	}
	if a.typ == TypeArray || a.typ == TypeDictionary {
		return a.typ == b.typ && keyID(a) == keyID(b)
	}
	return a.Equal(b)
}

// keyID gives equal text for keys that [sameKey] takes for equal. Declared element types do not count: an empty
// Array[int] and an empty Array are one key (engine 4.6).
func keyID(key Value) string {
	if key.typ.IsStringLike() {
		return "s" + key.ref.(string)
	}
	w := textWriter{dst: []byte{byte(key.typ)}, format: Format3, untyped: true}
	w.value(key)
	return string(w.dst)
}
