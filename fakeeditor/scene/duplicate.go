package scene

import (
	"maps"
	"slices"
	"strings"

	"godot-mcp/server/godot/variant"
)

// Duplicate copies a node with its subtree; the copy has no parent yet. Instances
// stay instances with their supplied nodes; all else becomes the scene's own, also
// when an instance supplied the original. Nodes without owner are left out: what a
// tool script makes for itself its copy makes again. Connections that start in the
// branch are copied, those within it lead to the copies. Resources are shared,
// except those local to a scene, of which the copies share one.
func (e Env) Duplicate(root, id NodeID) NodeID {
	copies := map[NodeID]NodeID{}
	top := e.copyNode(id, copies)
	locals := map[ResID]ResID{}
	for _, from := range slices.Sorted(maps.Keys(copies)) {
		e.adjustCopy(root, from, copies, locals)
	}
	for _, from := range slices.Sorted(maps.Keys(copies)) {
		e.renewCopy(from, copies)
	}
	return top
}

// renewCopy gives a copy of an instance the groups, connections and editable children
// that its scene makes, also those that the original has no more: the copy is a new
// instance.
func (e Env) renewCopy(from NodeID, copies map[NodeID]NodeID) {
	state := e.Node(from).State
	if state == nil {
		return
	}
	for original, made := range copies {
		if !e.Inside(original, from) {
			continue
		}
		for _, s := range e.Store.chain(state, e.Path(from, original)) {
			for _, g := range s.node.Groups {
				if n := e.Node(made); !n.inGroup(g) {
					e.Edit(made).Groups = append(slices.Clone(n.Groups), Group{Name: g, Persistent: true})
				}
			}
		}
	}
	b := builder{e: e, mode: Instance}
	for p := state; p != nil; p = p.Base {
		for i := range p.Conns {
			b.connect(copies[from], &p.Conns[i])
		}
		for _, path := range p.Editable {
			if id := e.Resolve(copies[from], path); id != 0 {
				e.Edit(id).Editable = true
			}
		}
	}
}

// adjustCopy points a copy to the copies of what its original pointed to.
func (e Env) adjustCopy(root, from NodeID, copies map[NodeID]NodeID, locals map[ResID]ResID) {
	n := e.Edit(copies[from])
	if c, ok := copies[e.Node(from).Owner]; ok {
		n.Owner = c
		// What an instance supplies has the same id in every instance.
		if unique, ok := e.uniqueIDs.Get(from); ok && e.Node(from).Owner != root {
			e.uniqueIDs.Set(n.ID, unique, e.owner)
		}
	} else {
		n.Owner = root
	}
	if classOf(n.Class).node3d {
		// A copy gets the transform last, so its angles are those of the basis.
		e.setLocal3(n.ID, e.local3(n))
		n = e.Edit(n.ID)
	}
	list, _ := e.supplies(root, from)
	for _, p := range slices.Clone(n.Props) {
		if _, _, base := e.supplied(e.Node(from), list, p.Name); p.Value.IsNil() && strings.HasPrefix(p.Name, MetaPrefix) && !base {
			n.Props = n.Props.Without(p.Name) // null makes no metadata
			continue
		}
		if !hasObject(p.Value) {
			continue
		}
		v := MapObjects(p.Value, func(v variant.Value) variant.Value {
			if c, ok := copies[NodeOf(v)]; ok {
				return c.Value()
			}
			return v
		})
		if r := e.Res(ResOf(v)); r.localToScene() {
			c, ok := locals[r.ID]
			if !ok {
				c = e.copyResource(r.ID, locals, func(*Resource) bool { return false })
			}
			v = c.Value()
		}
		n.Props = n.Props.With(p.Name, v)
	}
	var conns []Conn
	for _, c := range n.Conns {
		if c.Flags&ConnectPersist == 0 {
			continue
		}
		if to, ok := copies[c.Target]; ok {
			c.Target = to
		}
		conns = append(conns, c)
	}
	n.Conns = conns
}

func (e Env) copyNode(id NodeID, copies map[NodeID]NodeID) NodeID {
	n := *e.Node(id)
	children := n.Children
	n.Children, n.Parent, n.Owner, n.names, n.twins, n.grown = nil, 0, 0, nameIndex{}, false, false
	n.Groups = slices.DeleteFunc(slices.Clone(n.Groups), func(g Group) bool { return !g.Persistent })
	c := e.Add(n)
	copies[id] = c.ID
	for _, child := range children {
		if e.Node(child).Owner != 0 {
			e.Attach(e.copyNode(child, copies), c.ID, -1)
		}
	}
	return c.ID
}

// DropTakenNames takes the mark of a scene-unique name off those nodes of a branch
// whose name another node of the same owner has: the engine lets the first one keep it.
func (e Env) DropTakenNames(root, branch NodeID) {
	e.Walk(branch, func(n *Node) bool {
		if n.Owner == root && n.UniqueName() && e.UniqueTaken(n.ID) {
			e.Edit(n.ID).Props = n.Props.Without("unique_name_in_owner")
		}
		return true
	})
}
