package scene

import (
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// Value gives the value of a node's property without colons, computed ones
// included; ok is false if there is no such property.
func (e Env) Value(n *Node, name string) (variant.Value, bool) {
	if v, ok := e.computed(n, name); ok {
		return v, true
	}
	if v, ok := e.special(n, name); ok {
		return v, true
	}
	if _, ok := e.Property(n, name); !ok {
		return variant.Nil, false
	}
	return e.nodeValue(n, name)
}

// special gives the properties of Node that the scene tree itself holds.
func (e Env) special(n *Node, name string) (variant.Value, bool) {
	switch name {
	case "name":
		return variant.StringName(n.Name), true
	case "scene_file_path":
		return variant.String(n.Source), true
	case "owner":
		return n.Owner.Value(), true
	}
	return variant.Nil, false
}

// Special reports whether a property belongs to the scene tree and cannot be set.
func Special(name string) bool {
	return name == "name" || name == "scene_file_path" || name == "owner" || name == "multiplayer"
}

// Place is where a property path leads: a property of the node or of a resource
// that it uses, and components inside the value ("x" of a vector).
type Place struct {
	Node NodeID
	Res  ResID // 0 for a property of the node itself
	Property
	Parts []string
}

// Locate follows a property path; ok is false if it leads nowhere.
func (e Env) Locate(n *Node, path string) (p Place, ok bool) {
	name, rest, deeper := strings.Cut(path, ":")
	p.Node = n.ID
	if p.Property, ok = e.propertyOrComputed(n, name); !ok {
		return p, false
	}
	if !deeper {
		return p, true
	}
	v, ok := e.Value(n, name)
	if !ok {
		return p, false
	}
	return e.locate(p, v, rest)
}

// LocateMeta finds where metadata would go that is not there yet, in the node or in
// a resource of it.
func (e Env) LocateMeta(n *Node, path string) (p Place, ok bool) {
	p.Node = n.ID
	of, name := n.object(), path
	if i := strings.LastIndexByte(path, ':'); i >= 0 {
		holder, ok := e.Locate(n, path[:i])
		if !ok {
			return p, false
		}
		r := e.Res(ResOf(e.At(holder)))
		if r == nil || r.Opaque {
			return p, false
		}
		p.Res, of, name = r.ID, r.object(), path[i+1:]
	}
	meta, ok := strings.CutPrefix(name, MetaPrefix)
	if !ok || !identifier(meta) {
		return p, false
	}
	p.PropertyInfo, ok = classOf(of.class).synthetic(name)
	return p, ok
}

// identifier reports whether a text is an ASCII identifier.
func identifier(s string) bool {
	for i, c := range s {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func (e Env) propertyOrComputed(n *Node, name string) (Property, bool) {
	if p, ok := e.Property(n, name); ok {
		return p, true
	}
	if v, ok := e.special(n, name); ok {
		p := Property{}
		p.Name, p.Type = name, classType(v)
		return p, true
	}
	return Property{}, false
}

func (e Env) locate(p Place, v variant.Value, rest string) (Place, bool) {
	for rest != "" {
		name, more, _ := strings.Cut(rest, ":")
		if r := e.Res(ResOf(v)); r != nil {
			prop, ok := e.ResProperty(r, name)
			if !ok || r.Opaque {
				return p, false
			}
			p.Res, p.Property, p.Parts = r.ID, prop, nil
			v, _ = e.value(r.object(), name)
			rest = more
			continue
		}
		part, ok := component(v, name)
		if !ok {
			return p, false
		}
		p.Parts = append(p.Parts, name)
		v, rest = part, more
	}
	return p, true
}

// At gives the value at a place.
func (e Env) At(p Place) variant.Value {
	var v variant.Value
	if p.Res != 0 {
		v, _ = e.value(e.Res(p.Res).object(), p.Name)
	} else {
		v, _ = e.Value(e.Node(p.Node), p.Name)
	}
	for _, part := range p.Parts {
		v, _ = component(v, part)
	}
	return v
}

// SetAt writes the value at a place, which must fit its type. It reports false when
// the engine's setter would not take it.
func (e Env) SetAt(p Place, v variant.Value) bool {
	if len(p.Parts) > 0 {
		whole := p
		whole.Parts = nil
		w, ok := withComponents(e.At(whole), p.Parts, v)
		if !ok {
			return false
		}
		return e.SetAt(whole, w)
	}
	if p.Res != 0 {
		r := e.EditRes(p.Res)
		if v, ok := e.accepted(r.Class, p.Name, v); ok {
			r.Props = e.with(r.object(), p.Name, v)
		}
		e.markEdited(p.Res)
		return true
	}
	n := e.Node(p.Node)
	v, ok := e.accepted(n.Class, p.Name, v)
	if !ok {
		return true
	}
	e.assign(p.Node, p.Name, v)
	return true
}

// markEdited notes that the file of a resource has to be written by the next save.
func (e Env) markEdited(id ResID) {
	r := e.EditRes(id)
	r.Edited = true
	if home, _, ok := strings.Cut(r.Path, "::"); ok {
		if main, ok := e.cached.Get(Text(home)); ok && main != id && e.Res(main) != nil {
			e.EditRes(main).Edited = true
		}
	}
}

// resourcesAt lists the resources that a property path leads through, outermost
// first; none if it stays in the node itself.
func (e Env) resourcesAt(n *Node, path string) (chain []*Resource) {
	name, rest, _ := strings.Cut(path, ":")
	v, _ := e.Value(n, name)
	for rest != "" {
		r := e.Res(ResOf(v))
		if r == nil {
			break
		}
		chain = append(chain, r)
		name, rest, _ = strings.Cut(rest, ":")
		v, _ = e.value(r.object(), name)
	}
	return chain
}

// ReadOnly reports whether the property at a place has no setter, or is laid out
// by a container.
func (e Env) ReadOnly(p Place) bool {
	if n := e.Node(p.Node); p.Res == 0 && n != nil && classOf(n.Class).control {
		if (containerSets(p.Name) || places(p.Name)) && e.UnderContainer(n) || p.Name == "layout_mode" && !e.choosesLayout(n) {
			return true
		}
	}
	// Layers of tiles are drawn in parts, or sorted (engine 4.6).
	if n := e.Node(p.Node); p.Res == 0 && n != nil && n.Class == "TileMapLayer" {
		sorted := e.flag(n, "y_sort_enabled")
		if p.Name == "x_draw_order_reversed" && !sorted || p.Name == "rendering_quadrant_size" && sorted {
			return true
		}
	}
	return p.Usage&classdb.UsageReadOnly != 0 || len(p.Parts) == 0 && noSetter()[p.Owner+"."+p.Name]
}

// HoldsNode reports whether a place is a script variable that holds a node.
func (e Env) HoldsNode(p Place) bool {
	return len(p.Parts) == 0 && p.VariantType() == variant.TypeObject && p.Hint == hintNodeType
}

// SetScript gives a node a script, or takes it off (0). The values of the old
// script's variables go with it.
func (e Env) SetScript(id NodeID, script ResID) {
	n := e.Node(id)
	old, _ := n.Props.Get("script")
	if ResOf(old) == script {
		return
	}
	props := n.Props
	if s := e.ScriptOf(n); s != nil {
		for _, x := range s.Exports {
			props = props.Without(x.Name)
		}
		if s.Faulty || s.Broken {
			props = e.withoutUnknown(n, props)
		}
	}
	if script == 0 {
		props = props.Without("script")
	} else {
		props = props.With("script", script.Value())
	}
	e.Edit(id).Props = props
}

// withoutUnknown leaves out what a node keeps for a script that does not compile only.
func (e Env) withoutUnknown(n *Node, props Props) Props {
	c := classOf(n.Class)
	if !c.known || n.Class == "MissingNode" {
		return props
	}
	for _, p := range props {
		bare := *n
		bare.Props = props.Without(p.Name)
		if _, known := e.Property(&bare, p.Name); known || strings.HasPrefix(p.Name, MetaPrefix) || c.dynamic != nil && c.dynamic.owns(p.Name) {
			continue
		}
		props = bare.Props
	}
	return props
}

// UniqueTaken reports whether another node of the same owner has the node's name
// as its scene-unique one.
func (e Env) UniqueTaken(id NodeID) bool {
	n := e.Node(id)
	return e.uniqueOf(n.Owner, n.Name, id) != 0
}

// SameEnough reports whether a setter that rounds to 32 bits kept a value.
func SameEnough(kept, given variant.Value) bool {
	return !different(kept, given) || kept.Type() == given.Type() && near(kept, given)
}
