package scene

import (
	"slices"

	"godot-mcp/server/wire"
)

// sceneObject is the identity of a packed scene in memory. A state holds the scenes
// that it instances as such objects and not their states: when one of them is saved its
// object gets a new state, which everybody who instances the outer one meets (engine
// 4.6 experiment). A file may get another object; who has the old one keeps it.
type sceneObject struct{ _ byte }

// objectOf gives the object that a file stands for; a new one when nobody holds the
// last one.
func (e Env) objectOf(file string) *sceneObject {
	if o, ok := e.Store.objects.Get(Text(file)); ok && e.held(file, o) {
		return o
	}
	return e.TakeOver(file)
}

// TakeOver makes a file stand for a new object.
func (e Env) TakeOver(file string) *sceneObject {
	o := &sceneObject{}
	e.Store.objects.Set(Text(file), o, e.owner)
	return o
}

// Object is what a file stands for in memory; nil for nothing.
func (e Env) Object(file string) *sceneObject {
	o, _ := e.Store.objects.Get(Text(file))
	return o
}

// PassOn makes the scenes that are in memory instance what took the place of an object
// of a file. Heirs keep the old one: what was made of them compares with their state.
func (e Env) PassOn(old *sceneObject, saved *Packed) {
	var users []cachedScene
	e.Store.scenes.Each(func(_ Text, c cachedScene) bool {
		p := c.packed
		if (p.Base == nil || p.Base.object != old) && e.held(p.Path, p.object) {
			users = append(users, c)
		}
		return true
	})
	for _, c := range users {
		p, found := c.packed, false
		q := p.copied()
		for i := range q.Nodes {
			if part := q.Nodes[i].Scene; part != nil && part.object == old && part.Path == saved.Path {
				q.Nodes[i].Scene, found = saved, true
			}
		}
		if found {
			e.Store.scenes.Set(Text(p.Path), cachedScene{c.text, q}, e.owner)
		}
	}
}

// copied gives a state of the same object whose nodes can be changed.
func (p *Packed) copied() *Packed {
	return &Packed{Path: p.Path, UID: p.UID, Base: p.Base, Nodes: slices.Clone(p.Nodes), Conns: p.Conns, Editable: p.Editable, fault: p.fault, text: p.text, time: p.time, object: p.object}
}

// present is the state that the object of a state has now.
func (s *Store) present(p *Packed) *Packed {
	if p == nil || p.Opaque {
		return p
	}
	if c, ok := s.scenes.Get(Text(p.Path)); ok && c.packed.object == p.object {
		return c.packed
	}
	return p
}

// parts visits what a state instances and inherits from.
func (p *Packed) parts(visit func(*Packed) bool) bool {
	if p == nil {
		return true
	}
	if p.Base != nil && !p.Base.Opaque && !visit(p.Base) {
		return false
	}
	for i := range p.Nodes {
		if q := p.Nodes[i].Scene; q != nil && !q.Opaque && !visit(q) {
			return false
		}
	}
	return true
}

// held reports whether a state that some node was made from holds an object.
func (e Env) held(file string, o *sceneObject) bool {
	found, seen := false, map[*Packed]bool{}
	var look func(p *Packed) bool
	look = func(p *Packed) bool {
		if p == nil || seen[p] {
			return true
		}
		seen[p] = true
		return p.parts(func(q *Packed) bool {
			found = found || q.Path == file && q.object == o
			return !found && look(e.present(q))
		})
	}
	e.Store.nodes.Each(func(_ NodeID, n *Node) bool {
		return look(n.State) && look(n.Inherited)
	})
	return found
}

// renewed gives a scene that is in memory with the present states of what it instances.
// When only its own state is left of it, it is read again, with the scenes that the
// paths stand for now; else it goes on with the objects that it holds.
func (e Env) renewed(c cachedScene, within []string) (*Packed, *wire.Error) {
	p := c.packed
	if e.upToDate(p, map[*Packed]bool{}) {
		return p, nil
	}
	held := e.held(p.Path, p.object)
	var failure *wire.Error
	part := func(old *Packed) *Packed {
		if old == nil || old.Opaque || failure != nil {
			return old
		}
		if o, _ := e.Store.objects.Get(Text(old.Path)); held && o != old.object {
			return old
		}
		var now *Packed
		now, failure = e.loadScene(old.Path, append(slices.Clone(within), p.Path))
		return now
	}
	q := p.copied()
	q.Base = part(p.Base)
	for i := range q.Nodes {
		q.Nodes[i].Scene = part(q.Nodes[i].Scene)
	}
	if failure != nil {
		return nil, failure
	}
	if !held {
		q.time, q.object = e.Lib.Modified(p.Path), e.TakeOver(p.Path)
	}
	e.Store.scenes.Set(Text(p.Path), cachedScene{c.text, q}, e.owner)
	return q, nil
}

// upToDate reports whether what a state instances, at any depth, are the present states
// of those files.
func (e Env) upToDate(p *Packed, seen map[*Packed]bool) bool {
	return p.parts(func(q *Packed) bool {
		if seen[q] {
			return true
		}
		seen[q] = true
		c, ok := e.Store.scenes.Get(Text(q.Path))
		return (!ok || c.packed == q) && e.upToDate(q, seen)
	})
}
