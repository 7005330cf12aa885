package scene

import (
	"godot-mcp/server/godot/variant"
)

// Duplicate copies a node with its subtree; the copy has no parent yet. Nodes of
// the edited scene are owned by its root again, those inside instances by the
// copies of their owners. Connections between copied nodes lead to the copies,
// others are kept. Resources are shared, except those local to a scene.
func (e Env) Duplicate(root, id NodeID) NodeID {
	copies := map[NodeID]NodeID{}
	copyID := e.copyNode(id, copies)
	for from, to := range copies {
		n := e.Edit(to)
		if c, ok := copies[e.Node(from).Owner]; ok {
			n.Owner = c
		} else if e.Node(from).Owner == root {
			n.Owner = root
		}
		remap := func(v variant.Value) variant.Value {
			if c, ok := copies[NodeOf(v)]; ok {
				return c.Value()
			}
			return v
		}
		for i := range n.Props {
			if hasObject(n.Props[i].Value) {
				n.Props = n.Props.With(n.Props[i].Name, MapObjects(n.Props[i].Value, remap))
			}
		}
		conns := append([]Conn(nil), n.Conns...)
		for i := range conns {
			if c, ok := copies[conns[i].Target]; ok {
				conns[i].Target = c
			}
		}
		n.Conns = conns
	}
	return copyID
}

func (e Env) copyNode(id NodeID, copies map[NodeID]NodeID) NodeID {
	n := *e.Node(id)
	children := n.Children
	n.Children, n.Parent, n.Owner, n.names, n.twins, n.grown = nil, 0, 0, nameIndex{}, false, false
	c := e.Add(n)
	copies[id] = c.ID
	for _, child := range children {
		e.Attach(e.copyNode(child, copies), c.ID, -1)
	}
	return c.ID
}
