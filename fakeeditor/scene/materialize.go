package scene

import (
	"slices"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
	"godot-mcp/server/wire"
)

// Materialize turns what a command gives into what memory holds: references by path
// into loaded resources, objects given by content into new resources.
func (e Env) Materialize(v variant.Value) (variant.Value, *wire.Error) {
	switch v.Type() {
	case variant.TypeObject:
		if o, ok := v.Object(); ok {
			return e.newResource(o)
		}
		return e.reference(v)
	case variant.TypeArray:
		a, _ := v.Array()
		items := make([]variant.Value, a.Len())
		for i, item := range a.Items() {
			m, err := e.element(a.Elem, item)
			if err != nil {
				return v, err
			}
			items[i] = m
		}
		elem, err := e.elementType(a.Elem)
		return variant.NewTypedArray(elem, items...), err
	case variant.TypeDictionary:
		d, _ := v.Dictionary()
		entries := make([]variant.Entry, d.Len())
		for i, entry := range d.Entries() {
			k, err := e.element(d.Key, entry.Key)
			if err != nil {
				return v, err
			}
			val, err := e.element(d.Val, entry.Value)
			if err != nil {
				return v, err
			}
			entries[i] = variant.Entry{Key: k, Value: val}
		}
		key, err := e.elementType(d.Key)
		if err != nil {
			return v, err
		}
		val, err := e.elementType(d.Val)
		return variant.NewTypedDictionary(key, val, entries...), err
	}
	return v, nil
}

// elementType is a type of elements with its script in memory.
func (e Env) elementType(c variant.ContainerType) (variant.ContainerType, *wire.Error) {
	if c.Script.IsNil() || ResOf(c.Script) != 0 {
		return c, nil
	}
	var err *wire.Error
	c.Script, err = e.reference(c.Script)
	if c.Class == "" && err == nil {
		c.Class = e.nativeOf(e.Res(ResOf(c.Script)).Path)
	}
	return c, err
}

// element is an element of a container; an object must be of the declared class or script.
func (e Env) element(of variant.ContainerType, v variant.Value) (variant.Value, *wire.Error) {
	m, err := e.Materialize(v)
	r := e.Res(ResOf(m))
	if err != nil || r == nil || of.Type != variant.TypeObject || r.Opaque && r.Class == "Resource" {
		return m, err
	}
	wanted, got := of.Class, madeAs(r.Class)
	s := e.scriptOf(r.object())
	if s != nil && r.Path == "" && s.Name != "" {
		got = s.Name
	}
	if ref, ok := of.Script.Resource(); ok && ref.Path != "" {
		if s != nil && (s.Path == ref.Path || slices.Contains(s.Bases, ref.Path)) {
			return m, nil
		}
		wanted = ref.Path
		if text, read := e.Lib.Read(ref.Path); read {
			if own := e.script(ref.Path, text, 0); own != nil && own.Name != "" {
				wanted = own.Name
			}
		}
	} else if wanted == "" || !classdb.Exists(wanted) || classdb.Inherits(r.Class, wanted) {
		return m, nil
	}
	return variant.Nil, wire.Fail(wire.ReasonWrongResource, "expected", wanted, "got", got, "resource", r.Path)
}

func (e Env) reference(v variant.Value) (variant.Value, *wire.Error) {
	ref, ok := v.Resource()
	if !ok || ref.Kind != variant.ResourcePath {
		return v, nil
	}
	path := ref.Path
	if path == "" {
		if path = e.Lib.PathOf(ref.UID); path == "" {
			return v, wire.Fail(wire.ReasonFileNotFound, "path", ref.UID)
		}
	}
	id, err := e.LoadResource(path)
	if err != nil && err.Reason == wire.ReasonCorrupt {
		// Who sets a value is told no more of it than that.
		err = wire.Fail(wire.ReasonCorrupt, "path", path)
	}
	if err != nil {
		return v, err
	}
	return id.Value(), nil
}

// nearResources proposes resource classes for one that does not exist.
func nearResources(name string) []string {
	var all []string
	for _, c := range classdb.Names() {
		if classdb.Inherits(c, "Resource") {
			all = append(all, c)
		}
	}
	return classdb.Close(name, all, 3)
}

// newResource makes a resource from its content.
func (e Env) newResource(o *variant.Object) (variant.Value, *wire.Error) {
	class, script := o.Class, ""
	info, ok := classdb.Class(class)
	if !ok {
		if script = e.Lib.ClassPath(class); script != "" {
			class = e.nativeOf(script)
			info, ok = classdb.Class(class)
		}
	}
	switch {
	case !ok:
		return variant.Nil, wire.Fail(wire.ReasonUnknownClass, "type", o.Class, "near", nearResources(o.Class))
	case !classdb.Inherits(class, "Resource"):
		return variant.Nil, wire.Fail(wire.ReasonWrongResource, "expected", "Resource", "got", o.Class, "resource", "")
	case !info.Instantiable:
		return variant.Nil, wire.Fail(wire.ReasonAbstractClass, "type", o.Class)
	}
	r := e.AddRes(Resource{Class: class})
	if script != "" {
		id, err := e.LoadResource(script)
		if err != nil {
			return variant.Nil, err
		}
		r.Props = r.Props.With("script", id.Value())
	}
	for _, p := range o.Properties {
		v, err := e.Materialize(p.Value)
		if err != nil {
			return variant.Nil, err
		}
		prop, ok := e.ResProperty(r, p.Name)
		if !ok {
			return variant.Nil, wire.Fail(wire.ReasonNoProperty, "path", o.Class, "property", p.Name, "near", classdb.SuggestProperty(class, p.Name, 3))
		}
		if c, ok := variant.ConvertStrict(v, prop.VariantType()); ok {
			v = c
		} else if prop.VariantType() != variant.TypeNil {
			return variant.Nil, wire.Fail(wire.ReasonBadValue, "property", p.Name, "expected", prop.VariantType().String(), "got", v.Type().String())
		}
		if kept, ok := e.accepted(class, p.Name, v); ok {
			r = e.EditRes(r.ID)
			r.Props = e.with(r.object(), p.Name, kept)
		}
	}
	return r.ID.Value(), nil
}

// Fits reports whether an object may stand in a property: null always may.
func (e Env) Fits(p Property, v variant.Value) (expected, got string, ok bool) {
	r := e.Res(ResOf(v))
	if r == nil || p.VariantType() != variant.TypeObject {
		return "", "", true
	}
	expected = p.ClassName
	if p.Hint == hintResourceType && p.HintString != "" {
		// It names a script's class where the class name is that of the engine.
		expected = p.HintString
	}
	if expected == "" || r.Opaque && r.Class == "Resource" {
		return "", "", true
	}
	script := e.scriptOf(r.object())
	for want := range strings.SplitSeq(expected, ",") {
		want = strings.TrimSpace(want)
		switch {
		case strings.HasPrefix(want, "-"):
		case classdb.Inherits(r.Class, want), script != nil && contains(script.Names, want):
			return "", "", true
		case !classdb.Exists(want) && e.Lib.ClassPath(want) == "":
			return "", "", true
		}
	}
	return expected, madeAs(r.Class), false
}

// madeAs is the class of the object that stands for a resource of a class.
func madeAs(class string) string {
	if classdb.Exists(class) {
		return class
	}
	return "MissingResource"
}

// Outward gives a value as answers show it: resources by path and class, nodes as
// paths from the node that holds the value.
func (e Env) Outward(holder NodeID, v variant.Value) variant.Value {
	if !hasObject(v) {
		return v
	}
	return MapObjects(v, func(o variant.Value) variant.Value {
		if id := NodeOf(o); id != 0 {
			return variant.NodePath(e.RelPath(holder, id))
		}
		r := e.Res(ResOf(o))
		if r == nil {
			return o
		}
		ref := variant.ResourceRef{Path: r.Path, Class: r.Class}
		if e.Lib.Exists(r.Path) {
			ref.UID = e.Lib.UID(r.Path) // a file that is gone has none (engine 4.6)
		}
		return ref.Value()
	})
}

// DecodeHint says what a place takes, for the JSON decoder.
func (e Env) DecodeHint(p Place) variant.Hint {
	h := variant.Hint{Type: p.VariantType(), Class: p.ClassName, Property: e.resourceHint}
	if len(p.Parts) > 0 {
		v := e.At(p)
		return variant.Hint{Type: v.Type(), Property: e.resourceHint}
	}
	if p.Export != nil {
		h.Elem, h.Key, h.Val = p.Export.Elem, p.Export.Key, p.Export.Val
		return h
	}
	return typedHint(h, e.ownDefault(p))
}

func (e Env) ownDefault(p Place) variant.Value {
	class := ""
	if p.Res != 0 {
		class = e.Res(p.Res).Class
	} else {
		class = e.Node(p.Node).Class
	}
	return classOf(class).fresh(p.Name)
}

// typedHint takes the element types from a default value.
func typedHint(h variant.Hint, def variant.Value) variant.Hint {
	if a, ok := def.Array(); ok {
		h.Elem = a.Elem
	}
	if d, ok := def.Dictionary(); ok {
		h.Key, h.Val = d.Key, d.Val
	}
	return h
}

// resourceHint describes the properties of resources that are given by content.
func (e Env) resourceHint(class, property string) (variant.Hint, bool) {
	c := classOf(class)
	if p, ok := c.property(property); ok {
		return typedHint(variant.Hint{Type: variant.Type(p.Type), Class: p.ClassName, Property: e.resourceHint}, c.fresh(property)), true
	}
	if path := e.Lib.ClassPath(class); path != "" {
		if x := e.ScriptAt(path).Export(property); x != nil {
			return variant.Hint{Type: x.Type, Class: x.Class, Elem: x.Elem, Key: x.Key, Val: x.Val, Property: e.resourceHint}, true
		}
		return e.resourceHint(e.nativeOf(path), property)
	}
	if p, ok := c.synthetic(property); ok {
		return variant.Hint{Type: variant.Type(p.Type), Property: e.resourceHint}, true
	}
	return variant.Hint{}, false
}
