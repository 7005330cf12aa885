package scene

import (
	"slices"
	"strconv"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// In memory, values refer to resources and nodes by identity. Such a handle is a
// variant reference whose id begins with one of these marks; it never leaves this
// package's neighbours: files and answers name resources by path or id.
const (
	resMark  = "#res:"
	nodeMark = "#node:"
)

// Value gives the handle of a resource.
func (id ResID) Value() variant.Value {
	if id == 0 {
		return variant.Nil
	}
	return variant.SubResource(resMark + strconv.FormatUint(uint64(id), 10))
}

// Value gives the handle of a node.
func (id NodeID) Value() variant.Value {
	if id == 0 {
		return variant.Nil
	}
	return variant.SubResource(nodeMark + strconv.FormatUint(uint64(id), 10))
}

// ResOf gives the resource that a value refers to; 0 if it is no handle of one.
func ResOf(v variant.Value) ResID {
	if v.Type() != variant.TypeObject {
		return 0
	}
	return ResID(handle(v, resMark))
}

// NodeOf gives the node that a value refers to; 0 if it is no handle of one.
func NodeOf(v variant.Value) NodeID {
	if v.Type() != variant.TypeObject {
		return 0
	}
	return NodeID(handle(v, nodeMark))
}

func handle(v variant.Value, mark string) uint32 {
	r, ok := v.Resource()
	if !ok || r.Kind != variant.ResourceSub {
		return 0
	}
	text, ok := strings.CutPrefix(r.ID, mark)
	if !ok {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}

// MapObjects gives a value with f applied to every object in it, at any depth of
// arrays, dictionaries and objects given by content. A value without objects is
// given back as it is.
func MapObjects(v variant.Value, f func(variant.Value) variant.Value) variant.Value {
	switch v.Type() {
	case variant.TypeObject:
		if o, ok := v.Object(); ok {
			return mapContent(v, o, f)
		}
		return f(v)
	case variant.TypeArray:
		a, _ := v.Array()
		items, changed := mapItems(a.Items(), f)
		elem := a.Elem
		if s := elem.Script; !s.IsNil() {
			elem.Script = f(s)
			changed = changed || !elem.Script.Equal(s)
		}
		if !changed {
			return v
		}
		return variant.NewTypedArray(elem, items...)
	case variant.TypeDictionary:
		return mapDictionary(v, f)
	}
	return v
}

func mapItems(items []variant.Value, f func(variant.Value) variant.Value) ([]variant.Value, bool) {
	var out []variant.Value
	for i, item := range items {
		m := MapObjects(item, f)
		if out == nil && !m.Equal(item) {
			out = append(make([]variant.Value, 0, len(items)), items[:i]...)
		}
		if out != nil {
			out = append(out, m)
		}
	}
	if out == nil {
		return items, false
	}
	return out, true
}

func mapContent(v variant.Value, o *variant.Object, f func(variant.Value) variant.Value) variant.Value {
	changed := false
	props := make([]variant.Property, len(o.Properties))
	for i, p := range o.Properties {
		props[i] = variant.Property{Name: p.Name, Value: MapObjects(p.Value, f)}
		changed = changed || !props[i].Value.Equal(p.Value)
	}
	if !changed {
		return v
	}
	return variant.NewObject(o.Class, props...)
}

func mapDictionary(v variant.Value, f func(variant.Value) variant.Value) variant.Value {
	d, _ := v.Dictionary()
	changed := false
	key, val := d.Key, d.Val
	for _, c := range []*variant.ContainerType{&key, &val} {
		if s := c.Script; !s.IsNil() {
			c.Script = f(s)
			changed = changed || !c.Script.Equal(s)
		}
	}
	entries := make([]variant.Entry, d.Len())
	for i, e := range d.Entries() {
		entries[i] = variant.Entry{Key: MapObjects(e.Key, f), Value: MapObjects(e.Value, f)}
		changed = changed || !entries[i].Key.Equal(e.Key) || !entries[i].Value.Equal(e.Value)
	}
	if !changed {
		return v
	}
	return variant.NewTypedDictionary(key, val, entries...)
}

// EachObject calls f for every object in a value, in the order of the text form.
func EachObject(v variant.Value, f func(variant.Value)) {
	switch v.Type() {
	case variant.TypeObject, variant.TypeArray, variant.TypeDictionary:
		MapObjects(v, func(o variant.Value) variant.Value { f(o); return o })
	}
}

// typesKnown takes the classes that nobody knows off lists and dictionaries as the types
// of what is in them, as the engine does.
func typesKnown(v variant.Value) variant.Value {
	known := func(c variant.ContainerType) variant.ContainerType {
		if c.Class != "" && c.Script.IsNil() && !classdb.Exists(c.Class) {
			return variant.ContainerType{}
		}
		return c
	}
	if a, ok := v.Array(); ok {
		items := slices.Clone(a.Items())
		for i := range items {
			items[i] = typesKnown(items[i])
		}
		if slices.ContainsFunc(items, unfit(a.Elem)) {
			return variant.NewTypedArray(a.Elem)
		}
		if elem := known(a.Elem); elem != a.Elem || !slices.EqualFunc(items, a.Items(), variant.Value.Equal) {
			return variant.NewTypedArray(elem, items...)
		}
	}
	if d, ok := v.Dictionary(); ok {
		entries := slices.Clone(d.Entries())
		changed := false
		for i, entry := range entries {
			entries[i] = variant.Entry{Key: typesKnown(entry.Key), Value: typesKnown(entry.Value)}
			changed = changed || !entries[i].Key.Equal(entry.Key) || !entries[i].Value.Equal(entry.Value)
			if unfit(d.Key)(entry.Key) || unfit(d.Val)(entry.Value) {
				return variant.NewTypedDictionary(d.Key, d.Val)
			}
		}
		if key, val := known(d.Key), known(d.Val); changed || key != d.Key || val != d.Val {
			return variant.NewTypedDictionary(key, val, entries...)
		}
	}
	return v
}

// unfit tells what cannot be in a list of objects of a class.
func unfit(of variant.ContainerType) func(variant.Value) bool {
	known := of.Class != "" && classdb.Exists(of.Class)
	return func(v variant.Value) bool { return known && !v.IsNil() && v.Type() != variant.TypeObject }
}
