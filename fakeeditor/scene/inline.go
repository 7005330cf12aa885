package scene

import (
	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// inline makes the resources that a value gives by their content, as Object(...), which a
// save writes as sub-resources; ok is false if the engine cannot make an object of a
// class, and so does not read the file (engine 4.6 experiment).
func (e Env) inline(v variant.Value) (out variant.Value, ok bool) {
	switch v.Type() {
	case variant.TypeObject:
		o, given := v.Object()
		if !given {
			return v, true
		}
		info, known := classdb.Class(o.Class)
		if !known || !info.Instantiable {
			return v, false
		}
		if !classdb.Inherits(o.Class, "Resource") {
			return v, true
		}
		r := e.AddRes(Resource{Class: o.Class})
		for _, p := range o.Properties {
			value, ok := e.inline(p.Value)
			if !ok {
				return v, false
			}
			if of := e.Res(r.ID).object(); !e.dropped(of, p.Name, value) {
				if value, ok := e.converted(of, p.Name, value); ok {
					e.EditRes(r.ID).Props = e.with(of, p.Name, value)
				}
			}
		}
		return r.ID.Value(), true
	case variant.TypeArray:
		a, _ := v.Array()
		items, ok := e.inlineAll(a.Items())
		return variant.NewTypedArray(a.Elem, items...), ok
	case variant.TypeDictionary:
		d, _ := v.Dictionary()
		entries := make([]variant.Entry, 0, d.Len())
		for _, it := range d.Entries() {
			pair, ok := e.inlineAll([]variant.Value{it.Key, it.Value})
			if !ok {
				return v, false
			}
			entries = append(entries, variant.Entry{Key: pair[0], Value: pair[1]})
		}
		return variant.NewTypedDictionary(d.Key, d.Val, entries...), true
	}
	return v, true
}

func (e Env) inlineAll(list []variant.Value) ([]variant.Value, bool) {
	out := make([]variant.Value, 0, len(list))
	for _, v := range list {
		made, ok := e.inline(v)
		if !ok {
			return nil, false
		}
		out = append(out, made)
	}
	return out, true
}

// holdsContent reports whether a value has an object in it that is given by its content.
func holdsContent(v variant.Value) bool {
	switch v.Type() {
	case variant.TypeObject:
		_, given := v.Object()
		return given
	case variant.TypeArray:
		a, _ := v.Array()
		for _, item := range a.Items() {
			if holdsContent(item) {
				return true
			}
		}
	case variant.TypeDictionary:
		d, _ := v.Dictionary()
		for _, it := range d.Entries() {
			if holdsContent(it.Key) || holdsContent(it.Value) {
				return true
			}
		}
	}
	return false
}
