package variant

import (
	"encoding/base64"
	"strings"
)

// tagged reads {"type": "...", ...}.
func (d *decoder) tagged(n *node, depth int) (Value, *DecodeError) {
	name := n.get("type")
	if name.kind != nodeString {
		return Value{}, fail(CodeType, `"type" must be the name of a type, got %s; a Dictionary with a key "type" is written {"type":"Dictionary","entries":[[key,value],...]}`, name.describe())
	}
	form := `{"type":"` + clip(name.text) + `"}`
	if inner, ok := bracketed(name.text, "Array"); ok {
		return d.taggedArray(n, form, inner, depth)
	}
	if inner, ok := bracketed(name.text, "Dictionary"); ok {
		return d.taggedDictionary(n, form, inner, depth)
	}
	t, ok := typeByName[name.text]
	switch {
	case name.text == "ExtResource" || name.text == "SubResource":
		return Value{}, fail(CodeNotDecodable, "an %s means something inside one file only; give {\"resource\":\"res://...\"}", name.text)
	case !ok || t == TypeNil || t == TypeObject:
		return Value{}, fail(CodeType, `unknown type %q; a Dictionary with a key "type" is written {"type":"Dictionary","entries":[[key,value],...]}`, clip(name.text))
	case t == TypeRID || t == TypeCallable || t == TypeSignal:
		return Value{}, fail(CodeNotDecodable, "a %s cannot be given as JSON", t)
	case t.IsStruct():
		return d.structObject(n, t, true)
	case t == TypeArray:
		return d.taggedArray(n, form, "Variant", depth)
	case t == TypeDictionary:
		return d.taggedDictionary(n, form, "Variant, Variant", depth)
	case t == TypePackedByteArray && n.get("base64") != nil:
		if err := keys(n, form, "type", "base64"); err != nil {
			return Value{}, err
		}
		return taggedBytes(n.get("base64"))
	}
	if err := keys(n, form, "type", "value"); err != nil {
		return Value{}, err
	}
	v, err := d.typed(n.get("value"), Hint{Type: t}, depth+1)
	return v, err.under(".value")
}

func taggedBytes(n *node) (Value, *DecodeError) {
	b, err := base64.StdEncoding.DecodeString(n.text)
	if n.kind != nodeString || err != nil {
		return Value{}, fail(CodeBytes, "expected base64 text, got %s", n.describe()).under(".base64")
	}
	return PackedByteArray(b), nil
}

// bracketed takes "Array[int]" apart.
func bracketed(name, word string) (string, bool) {
	if strings.HasPrefix(name, word+"[") && strings.HasSuffix(name, "]") {
		return name[len(word)+1 : len(name)-1], true
	}
	return "", false
}

func (d *decoder) taggedArray(n *node, form, elem string, depth int) (Value, *DecodeError) {
	c, ok := ParseContainerType(elem)
	if !ok {
		return Value{}, fail(CodeType, "unknown element type %q", clip(elem))
	}
	if err := keys(n, form, "type", "value"); err != nil {
		return Value{}, err
	}
	list := n.get("value")
	if list.kind != nodeArray {
		return Value{}, fail(CodeType, "expected an array, got %s", list.describe()).under(".value")
	}
	v, err := d.items(list, c, depth)
	return v, err.under(".value")
}

func (d *decoder) items(list *node, elem ContainerType, depth int) (Value, *DecodeError) {
	h := elem.hint()
	items := make([]Value, len(list.items))
	for i := range list.items {
		v, err := d.typed(&list.items[i], h, depth+1)
		if err != nil {
			return Value{}, err.index(i)
		}
		items[i] = v
	}
	return NewTypedArray(elem, items...), nil
}

func (d *decoder) taggedDictionary(n *node, form, types string, depth int) (Value, *DecodeError) {
	keyName, valName, _ := strings.Cut(types, ",")
	key, ok1 := ParseContainerType(keyName)
	val, ok2 := ParseContainerType(valName)
	if !ok1 || !ok2 {
		return Value{}, fail(CodeType, "expected two type names in %s", form)
	}
	if err := keys(n, form, "type", "entries"); err != nil {
		return Value{}, err
	}
	list := n.get("entries")
	h := Hint{Type: TypeDictionary, Key: key, Val: val}
	if list.kind == nodeObject {
		v, err := d.plainDictionary(list, h, depth)
		return v, err.under(".entries")
	}
	if list.kind != nodeArray {
		return Value{}, fail(CodeType, "expected an array of [key, value] pairs, got %s", list.describe()).under(".entries")
	}
	var b DictionaryBuilder
	b.SetTypes(key, val)
	for i := range list.items {
		pair := &list.items[i]
		if pair.kind != nodeArray || len(pair.items) != 2 {
			return Value{}, fail(CodeType, "expected [key, value], got %s", pair.describe()).index(i).under(".entries")
		}
		k, err := d.typed(&pair.items[0], key.hint(), depth+1)
		if err != nil {
			return Value{}, err.index(0).index(i).under(".entries")
		}
		v, err := d.typed(&pair.items[1], val.hint(), depth+1)
		if err != nil {
			return Value{}, err.index(1).index(i).under(".entries")
		}
		if b.Set(k, v) {
			return Value{}, fail(CodeDuplicateKey, "the key %s is given twice", clip(k.String())).index(i).under(".entries")
		}
	}
	return b.Value(), nil
}

// plainDictionary reads an object whose keys are those of the Dictionary.
func (d *decoder) plainDictionary(n *node, h Hint, depth int) (Value, *DecodeError) {
	var b DictionaryBuilder
	b.SetTypes(h.Key, h.Val)
	keyHint, valHint := h.Key.hint(), h.Val.hint()
	for i, name := range n.keys {
		k, err := d.typed(&node{kind: nodeString, text: name}, keyHint, depth+1)
		if err != nil {
			return Value{}, err.key(name)
		}
		v, err := d.typed(&n.items[i], valHint, depth+1)
		if err != nil {
			return Value{}, err.key(name)
		}
		if b.Set(k, v) {
			return Value{}, fail(CodeDuplicateKey, "the key %s is given twice", clip(k.String())).key(name)
		}
	}
	return b.Value(), nil
}

func (d *decoder) array(n *node, h Hint, depth int) (Value, *DecodeError) {
	if n.kind == nodeString {
		if in, ok := d.embedded(n, '['); ok {
			n = in
		}
	}
	if n.kind != nodeArray {
		return Value{}, wrong(n, h, " as an array")
	}
	return d.items(n, h.Elem, depth)
}

func (d *decoder) dictionary(n *node, h Hint, depth int) (Value, *DecodeError) {
	if n.kind == nodeString {
		if in, ok := d.embedded(n, '{'); ok {
			return d.typed(in, h, depth)
		}
	}
	if n.kind != nodeObject {
		return Value{}, wrong(n, h, " as an object")
	}
	return d.plainDictionary(n, h, depth)
}

// embedded reads JSON that came inside a string, as some clients send arrays and objects.
func (d *decoder) embedded(n *node, open byte) (*node, bool) {
	text := strings.TrimSpace(n.text)
	if text == "" || text[0] != open {
		return nil, false
	}
	in, err := parseJSON(text)
	if err != nil {
		return nil, false
	}
	d.coerced = true
	return &in, true
}

// object reads null, a path, {"resource": ...} or {"new": ...}.
func (d *decoder) object(n *node, h Hint, depth int) (Value, *DecodeError) {
	const forms = ` as {"resource":"res://..."}, {"new":"Class","properties":{...}} or null`
	switch n.kind {
	case nodeNull:
		return Nil, nil
	case nodeString:
		if isLocation(n.text) {
			return Resource(n.text), nil
		}
		if in, ok := d.embedded(n, '{'); ok {
			return d.object(in, h, depth)
		}
	case nodeObject:
		switch {
		case n.get("resource") != nil:
			return resourceObject(n)
		case n.get("new") != nil:
			return d.newObject(n, depth)
		}
	}
	return Value{}, wrong(n, h, forms)
}

func isLocation(s string) bool {
	return (strings.HasPrefix(s, "res://") || strings.HasPrefix(s, "uid://")) && len(s) > len("res://") &&
		!strings.ContainsRune(s, 0)
}

func resourceObject(n *node) (Value, *DecodeError) {
	const form = `{"resource":"res://..."}`
	if err := keys(n, form, "resource", "uid?", "class?"); err != nil {
		return Value{}, err
	}
	for i := range n.items {
		if n.items[i].kind != nodeString {
			return Value{}, fail(CodeType, "expected a string, got %s", n.items[i].describe()).key(n.keys[i])
		}
	}
	if !isLocation(n.get("resource").text) {
		return Value{}, fail(CodeType, "expected a path that starts with res:// or uid://, got %s", n.get("resource").describe()).key("resource")
	}
	r, _ := Resource(n.get("resource").text).Resource()
	if uid := n.get("uid"); uid != nil {
		if !strings.HasPrefix(uid.text, "uid://") || r.UID != "" {
			return Value{}, fail(CodeType, "expected one uid://, got %s", uid.describe()).key("uid")
		}
		r.UID = uid.text
	}
	if class := n.get("class"); class != nil {
		r.Class = class.text
	}
	return r.Value(), nil
}

func (d *decoder) newObject(n *node, depth int) (Value, *DecodeError) {
	const form = `{"new":"Class","properties":{...}}`
	if err := keys(n, form, "new", "properties?"); err != nil {
		return Value{}, err
	}
	class := n.get("new")
	if class.kind != nodeString || !isIdentifier(class.text) {
		return Value{}, fail(CodeType, "expected the name of a class, got %s", class.describe()).key("new")
	}
	o := &Object{Class: class.text}
	props := n.get("properties")
	if props == nil {
		return Value{typ: TypeObject, ref: o}, nil
	}
	if props.kind != nodeObject {
		return Value{}, fail(CodeType, "expected an object, got %s", props.describe()).key("properties")
	}
	for i, name := range props.keys {
		var h Hint
		if d.property != nil {
			var ok bool
			if h, ok = d.property(class.text, name); !ok {
				return Value{}, fail(CodeUnknownMember, "%s has no property %q", class.text, clip(name)).key("properties")
			}
		}
		v, err := d.typed(&props.items[i], h, depth+1)
		if err != nil {
			return Value{}, err.key(name).key("properties")
		}
		o.Properties = append(o.Properties, Property{name, v})
	}
	return Value{typ: TypeObject, ref: o}, nil
}
