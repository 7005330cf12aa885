package scene

import (
	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// laterPath is a property that names nodes that may not exist yet.
type laterPath struct {
	node NodeID
	prop string
	val  variant.Value
}

// setPath turns a stored path, or paths in a container, into nodes.
func (b *builder) setPath(l laterPath) {
	e := b.e
	n := e.Edit(l.node)
	resolve := func(v variant.Value) variant.Value {
		path, ok := v.Text()
		if !ok || v.Type() != variant.TypeNodePath {
			return v
		}
		if path == "" {
			return variant.Nil // what a save writes of a node that is gone
		}
		return e.Resolve(l.node, path).Value()
	}
	v := l.val
	if p, known := classOf(n.Class).property(l.prop); n.Missing == nil && n.Ghost == nil && (e.dropped(n.object(), l.prop, v) || known && !holdsNodes(p)) {
		return
	}
	if s := e.ScriptOf(n); s != nil && s.Faulty && (v.Type() == variant.TypeArray || v.Type() == variant.TypeDictionary) {
		return // there is no list that the nodes could go into
	}
	switch v.Type() {
	case variant.TypeArray:
		a, _ := v.Array()
		elem := a.Elem
		if x := e.ScriptOf(n).Export(l.prop); x != nil {
			elem = x.Elem
		}
		items := make([]variant.Value, 0, a.Len())
		for _, item := range a.Items() {
			items = append(items, e.fitting(elem, resolve(item)))
		}
		v = variant.NewTypedArray(elem, items...)
	case variant.TypeDictionary:
		d, _ := v.Dictionary()
		key, val := d.Key, d.Val
		if x := e.ScriptOf(n).Export(l.prop); x != nil {
			key, val = x.Key, x.Val
		}
		var entries []variant.Entry
		for _, it := range d.Entries() {
			if key.Type == variant.TypeObject {
				it.Key = resolve(it.Key)
			}
			if val.Type == variant.TypeObject {
				it.Value = resolve(it.Value)
			}
			entries = append(entries, it)
		}
		v = variant.NewTypedDictionary(key, val, entries...)
	default:
		v = resolve(v)
	}
	n.Props = e.with(n.object(), l.prop, v)
}

// holdsNodes reports whether nodes fit the type of an engine property.
func holdsNodes(p classdb.PropertyInfo) bool {
	switch variant.Type(p.Type) {
	case variant.TypeNil, variant.TypeObject, variant.TypeArray, variant.TypeDictionary:
		return true
	}
	return false
}

// fitting gives a node as an element of a list of some class, or null if it is of
// another (engine 4.6 experiment).
func (e Env) fitting(elem variant.ContainerType, v variant.Value) variant.Value {
	n := e.Node(NodeOf(v))
	if n == nil || elem.Class == "" || n.Missing != nil || n.Ghost != nil {
		return v
	}
	if classdb.Inherits(n.Class, elem.Class) {
		path, ok := elem.Script.Resource()
		s := e.ScriptOf(n)
		if !ok || s != nil && (s.Path == path.Path || contains(s.Bases, path.Path)) {
			return v
		}
	}
	return variant.Nil
}
