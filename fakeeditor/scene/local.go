package scene

import (
	"slices"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// localCopies maps, for each scene instance by its root, the resources that are local to
// a scene to what the nodes of that instance use in their place. They share it.
type localCopies map[NodeID]map[ResID]ResID

// in gives the map of one instance.
func (l localCopies) in(instance NodeID) map[ResID]ResID {
	m := l[instance]
	if m == nil {
		m = map[ResID]ResID{}
		l[instance] = m
	}
	return m
}

// localToScene reports whether each instance of a scene has a resource for itself.
func (r *Resource) localToScene() bool {
	if r == nil {
		return false
	}
	local, _ := r.Props.Get("resource_local_to_scene")
	return local.Equal(variant.Bool(true))
}

// localized gives a value of an entry with the resources that are local to their scene
// replaced: the value itself, elements of a list, keys and values of a dictionary. The
// engine looks no deeper (4.6, SceneState.instantiate).
func (b *builder) localized(node NodeID, d *PackedNode, prop string, v variant.Value) variant.Value {
	one := func(o variant.Value) variant.Value {
		if b.e.isLocal(o) {
			return b.localResource(node, d, ResOf(o), 0).Value()
		}
		return o
	}
	switch v.Type() {
	case variant.TypeObject:
		if !b.e.isLocal(v) {
			return v
		}
		had, _ := b.e.Node(node).Props.Get(prop)
		return b.localResource(node, d, ResOf(v), ResOf(had)).Value()
	case variant.TypeArray:
		a, _ := v.Array()
		if !slices.ContainsFunc(a.Items(), b.e.isLocal) {
			return v
		}
		items := slices.Clone(a.Items())
		for i := range items {
			items[i] = one(items[i])
		}
		return variant.NewTypedArray(a.Elem, items...)
	case variant.TypeDictionary:
		dict, _ := v.Dictionary()
		entries := slices.Clone(dict.Entries())
		if !slices.ContainsFunc(entries, func(x variant.Entry) bool { return b.e.isLocal(x.Key) || b.e.isLocal(x.Value) }) {
			return v
		}
		for i := range entries {
			entries[i].Key = one(entries[i].Key)
		}
		for i := range entries {
			entries[i].Value = one(entries[i].Value)
		}
		return variant.NewTypedDictionary(dict.Key, dict.Val, entries...)
	}
	return v
}

func (e Env) isLocal(v variant.Value) bool { return e.Res(ResOf(v)).localToScene() }

// localResource gives what a node uses in the place of a resource that is local to its
// scene; had is what the property holds so far. The edited scene uses the resource itself
// at nodes that it makes, unless a node of another scene came before and got a copy
// (engine 4.6, SceneState.make_local_resource).
func (b *builder) localResource(node NodeID, d *PackedNode, id, had ResID) ResID {
	copies := b.local.in(b.instanceOf(node))
	if d.Type == "" {
		return b.e.remapped(id, had, copies)
	}
	if c, ok := copies[id]; ok {
		return c
	}
	if b.mode == Main {
		copies[id] = id
		b.e.keepLocal(id, copies)
		return id
	}
	return b.e.copyLocal(id, copies)
}

// instanceOf gives the root of the instance that a node belongs to: an instance for its
// own root.
func (b *builder) instanceOf(node NodeID) NodeID {
	n := b.e.Node(node)
	switch {
	case len(b.nodes) == 0 || n.Source != "":
		return node
	case n.Owner != 0:
		return n.Owner
	}
	return b.nodes[0]
}

// keepLocal notes that the resources inside of one stand for themselves.
func (e Env) keepLocal(id ResID, copies map[ResID]ResID) {
	for _, p := range e.Res(id).Props {
		EachObject(p.Value, func(o variant.Value) {
			sub := ResOf(o)
			if _, known := copies[sub]; known || !e.Res(sub).localToScene() {
				return
			}
			copies[sub] = sub
			e.keepLocal(sub, copies)
		})
	}
}

// remapped gives the copy of a local resource for nodes that another scene makes. A copy
// that they got from there takes over the values, so that all that share it change
// (engine 4.6, SceneState.get_remap_resource).
func (e Env) remapped(id, had ResID, copies map[ResID]ResID) ResID {
	if c, ok := copies[id]; ok {
		return c
	}
	old, r := e.Res(had), e.Res(id)
	if !old.localToScene() || old.Class != r.Class || holds(copies, had) {
		return e.copyLocal(id, copies)
	}
	var props Props
	for _, p := range old.Props {
		if strings.HasPrefix(p.Name, MetaPrefix) {
			props = append(props, p)
		}
	}
	for _, p := range r.Props {
		// Lists and dictionaries keep what they hold (engine 4.6 experiment).
		if sub := ResOf(p.Value); e.Res(sub).localToScene() {
			before, _ := old.Props.Get(p.Name)
			p.Value = e.remapped(sub, ResOf(before), copies).Value()
		}
		props = props.With(p.Name, p.Value)
	}
	e.EditRes(had).Props = props
	copies[id] = had
	return had
}

func holds(copies map[ResID]ResID, id ResID) bool {
	for _, c := range copies {
		if c == id {
			return true
		}
	}
	return false
}

// copyLocal copies a resource that is local to its scene, with those inside of it that are
// local too (engine 4.6, Resource.duplicate_for_local_scene). A copy has no path, also
// that of a file.
func (e Env) copyLocal(id ResID, copies map[ResID]ResID) ResID {
	return e.copyResource(id, copies, (*Resource).localToScene)
}

// copyResource copies a resource with those inside of it for which deep holds; copies has
// those that were copied already.
func (e Env) copyResource(id ResID, copies map[ResID]ResID, deep func(*Resource) bool) ResID {
	r := e.Res(id)
	c := e.AddRes(Resource{Class: r.Class, Opaque: r.Opaque}).ID
	copies[id] = c
	props := append(Props(nil), r.Props...)
	for i, p := range props {
		if !hasObject(p.Value) {
			continue
		}
		declared, _ := e.ResProperty(r, p.Name)
		props[i].Value = MapObjects(p.Value, func(v variant.Value) variant.Value {
			id := ResOf(v)
			sub := e.Res(id)
			if sub == nil || declared.Usage&classdb.UsageNeverDuplicate != 0 || declared.Usage&classdb.UsageAlwaysDuplicate == 0 && !deep(sub) {
				return v
			}
			if c, ok := copies[id]; ok {
				return c.Value()
			}
			return e.copyResource(id, copies, deep).Value()
		})
	}
	e.EditRes(c).Props = props
	return c
}

// alike reports whether two values are the same, where a resource that is local to its
// scene is the same as a copy of it.
func (e Env) alike(a, b variant.Value) bool {
	if a.Equal(b) {
		return true
	}
	if a.Type() != b.Type() {
		return false
	}
	switch a.Type() {
	case variant.TypeObject:
		x, y := e.Res(ResOf(a)), e.Res(ResOf(b))
		return x.localToScene() && y.localToScene() && x.Class == y.Class &&
			slices.EqualFunc(e.packResource(x), e.packResource(y), func(p, q PackedProp) bool {
				return p.Name == q.Name && e.alike(p.Value, q.Value)
			})
	case variant.TypeArray:
		x, _ := a.Array()
		y, _ := b.Array()
		return slices.EqualFunc(x.Items(), y.Items(), e.alike)
	case variant.TypeDictionary:
		x, _ := a.Dictionary()
		y, _ := b.Dictionary()
		return slices.EqualFunc(x.Entries(), y.Entries(), func(p, q variant.Entry) bool {
			return e.alike(p.Key, q.Key) && e.alike(p.Value, q.Value)
		})
	}
	return false
}
