package scene

import (
	"math"
	"slices"

	"godot-mcp/server/godot/variant"
)

// The engine keeps the basis of a Node3D and its angles side by side and works one out
// from the other when somebody reads it. Here the basis is always up to date; angles
// that follow from it in the node's order are not kept, all others are, as the properties
// rotation and scale, which no file stores.

// angles3 gives rotation and scale as the node remembers them: as they were set, or
// else taken from the basis.
func (e Env) angles3(n *Node) (rot, scale vec3) {
	b := e.local3(n).Basis
	r, turned := n.Props.Get("rotation")
	s, scaled := n.Props.Get("scale")
	if turned || scaled || b == identity3.Basis {
		// The one that is not listed is the default.
		rot, scale = vec3{}, vec3{X: 1, Y: 1, Z: 1}
	} else {
		rot, scale = toEuler(b, e.order3(n)), scaleOf(b)
	}
	if turned {
		rot, _ = r.Vector3()
	}
	if scaled {
		scale, _ = s.Vector3()
	}
	return rot, scale
}

// defaultOrder is that of a node whose order nobody set, YXZ.
const defaultOrder = 2

func (e Env) order3(n *Node) int { return e.storedInt(n, "rotation_order", defaultOrder) }

// setOrder3 sets the order of rotations. The angles stay, and the node turns. While a
// scene is loaded nobody has read the angles: those of a transform are taken in the order
// that was there before, and those that have turned the node already are converted
// (engine 4.6).
func (e Env) setOrder3(n *Node, v variant.Value) {
	from := e.order3(n)
	number, _ := v.Number()
	to := int(number)
	if from == to {
		return
	}
	rot, scale := e.angles3(n)
	e.put(n.ID, "rotation_order", v)
	switch e.unread[n.ID] {
	case unreadAngles:
		e.remember3(n.ID, rot, scale)
		delete(e.unread, n.ID)
		return
	case unreadBasis:
		rot = toEuler(fromEuler(rot, from), to)
	}
	e.setAngles3(n.ID, rot, scale)
	if e.loading {
		e.unread[n.ID] = unreadBasis
	}
}

// unread says what nobody has read of a node since the other was set, while its scene is
// loaded.
type unread int

const (
	unreadAngles unread = iota + 1 // the transform was set
	unreadBasis                    // the order was
)

// loaded3 gives the transform that a load makes of what scenes say of a node, the one
// that wins first: one that changes the order alone turns the node.
func (e Env) loaded3(class string, list []supply) variant.Value {
	e.loading, e.unread = true, map[NodeID]unread{}
	id := e.Add(Node{Class: class}).ID
	for _, s := range slices.Backward(list) {
		for _, p := range s.node.Props {
			if p.Name == "transform" || p.Name == "rotation_order" {
				e.setComputed3D(e.Node(id), p.Name, p.Value)
			}
		}
	}
	t := e.local3(e.Node(id)).Value()
	e.Drop(id)
	return t
}

// setLocal3 sets the transform and forgets the remembered angles.
func (e Env) setLocal3(id NodeID, t xf3) {
	e.put(id, "transform", t.Value())
	n := e.Edit(id)
	n.Props = n.Props.Without("rotation").Without("scale")
	if t.Basis == identity3.Basis {
		// Angles that follow from it may be negative zeros, unlike those of a new node.
		e.remember3(id, toEuler(t.Basis, e.order3(n)), scaleOf(t.Basis))
	}
	if e.loading {
		e.unread[id] = unreadAngles
	}
}

// setAngles3 sets rotation and scale and remembers them as they were given.
func (e Env) setAngles3(id NodeID, rot, scale vec3) {
	n := e.Edit(id)
	t := e.local3(n)
	t.Basis = scaledLocal(fromEuler(rot, e.order3(n)), scale)
	e.put(id, "transform", t.Value())
	e.remember3(id, rot, scale)
}

// remember3 keeps angles that do not follow from the basis.
func (e Env) remember3(id NodeID, rot, scale vec3) {
	n := e.Edit(id)
	n.Props = n.Props.With("rotation", rot.Value()).With("scale", scale.Value())
	if rot == (vec3{}) && !negative(rot) {
		n.Props = n.Props.Without("rotation")
	}
	if scale == (vec3{X: 1, Y: 1, Z: 1}) {
		n.Props = n.Props.Without("scale")
	}
}

// negative reports whether a part has the sign of a negative number, which zeros can have.
func negative(v vec3) bool {
	return math.Signbit(float64(v.X)) || math.Signbit(float64(v.Y)) || math.Signbit(float64(v.Z))
}
