package scene

import (
	"slices"
	"strings"

	"godot-mcp/server/godot/variant"
)

// supply is one entry of a scene state that has to do with a node.
type supply struct {
	state *Packed
	node  *PackedNode
}

// supplies lists the scene states that supply or override a node, seen from the
// edited root, the one that wins first: outer scenes before inner ones, a scene
// before those it inherits from. own says that the scene itself creates the node;
// it is false for what an inherited scene brings.
func (s *Store) supplies(root, id NodeID) (list []supply, own bool) {
	own = true
	var collected []supply
	for n := s.Node(id); n != nil; n = s.Node(n.Owner) {
		if n.ID == root {
			if n.Inherited != nil {
				chain := s.chain(n.Inherited, s.Path(n.ID, id))
				own = len(chain) == 0
				collected = append(collected, chain...)
			}
			break
		}
		if n.State != nil {
			collected = append(collected, s.chain(n.State, s.Path(n.ID, id))...)
		}
		if n.Owner == 0 {
			break
		}
	}
	for i, j := 0, len(collected)-1; i < j; i, j = i+1, j-1 {
		collected[i], collected[j] = collected[j], collected[i]
	}
	return collected, own
}

// suppliedBy reports whether a state has a value for a property.
func suppliedBy(list []supply, name string) bool {
	return slices.ContainsFunc(list, func(s supply) bool { _, has := s.node.prop(name); return has })
}

// chain lists the entries of a path in a state and its bases, base first.
func (s *Store) chain(p *Packed, path string) []supply {
	var out []supply
	if p == nil {
		return nil
	}
	out = s.chain(s.present(p.Base), path)
	if n := p.find(path); n != nil {
		out = append(out, supply{p, n})
	}
	return out
}

// supplied gives the value that a node's property has without anything the edited
// scene says: from the states that supply it, the default of a script, or its class.
// deferred marks a value that is a path standing for a node.
func (e Env) supplied(n *Node, list []supply, name string) (v variant.Value, deferred, ok bool) {
	for _, s := range list {
		if p, has := s.node.prop(name); has {
			return p.Value, p.NodePath, true
		}
		if key, is := strings.CutPrefix(name, "libraries/"); is {
			// A file of before Godot 4.6 has one dictionary of them all.
			if p, has := s.node.prop("libraries"); has {
				if d, ok := p.Value.Dictionary(); ok {
					if v, ok := byText(d, key); ok {
						return v, false, true
					}
				}
			}
		}
	}
	v, ok = e.defaultOf(n.object(), e.defaultsScript(n, list), name)
	return v, false, ok
}

// defaultsScript gives the script whose variables tell the packer what a node starts
// with: that of the innermost state that has one, whatever took its place further out,
// else the node's own (engine 4.6 experiment). Where another took its place, variables
// that it does not know are written with any value.
func (e Env) defaultsScript(n *Node, list []supply) *Script {
	for i := len(list) - 1; i >= 0; i-- {
		if p, has := list[i].node.prop("script"); has {
			if r := e.Res(ResOf(p.Value)); r != nil {
				return e.scriptIn(r)
			}
		}
	}
	return e.ScriptOf(n)
}

// byText finds an entry under a text of either kind.
func byText(d *variant.Dictionary, key string) (variant.Value, bool) {
	for _, entry := range d.Entries() {
		if text, ok := entry.Key.Text(); ok && text == key {
			return entry.Value, true
		}
	}
	return variant.Nil, false
}

// Reached reports whether the packer of the edited root gets to a node: every node
// on the way belongs to the scene or to an instance with editable children. If not
// it gives the node where the way ends, and why.
func (s *Store) Reached(root, id NodeID) (blocker *Node, reason Blocked) {
	if id == root {
		return nil, NotBlocked
	}
	n := s.Node(id)
	if n == nil {
		return nil, BlockedUnowned
	}
	if n.Parent != 0 {
		if b, r := s.Reached(root, n.Parent); r != NotBlocked {
			return b, r
		}
	} else {
		return n, BlockedUnowned
	}
	if n.Owner == root {
		return nil, NotBlocked
	}
	owner := s.Node(n.Owner)
	switch {
	case owner == nil:
		return n, BlockedUnowned
	case owner.Editable:
		return nil, NotBlocked
	case owner.Source != "" && s.Inside(n.ID, owner.ID):
		return n, BlockedInstance
	}
	return n, BlockedUnowned
}

// Blocked says why the packer does not reach a node.
type Blocked int

// The reasons.
const (
	NotBlocked Blocked = iota
	BlockedUnowned
	BlockedInstance
)

// FromBase gives the scene file that supplies a node, "" when the edited scene
// itself creates it. Such a node comes back when the scene is loaded again.
func (s *Store) FromBase(root, id NodeID) string {
	if id == root {
		return ""
	}
	n := s.Node(id)
	if n == nil {
		return ""
	}
	if n.Owner != root {
		if owner := s.Node(n.Owner); owner != nil && owner.Source != "" && s.Inside(id, owner.ID) {
			return owner.Source
		}
		return ""
	}
	r := s.Node(root)
	if n.Ghost != nil && r.Inherited != nil {
		return r.Inherited.Path
	}
	if r.Inherited != nil {
		path := s.Path(root, id)
		maker := ""
		for p := r.Inherited; p != nil; p = p.Base {
			if p.find(path) != nil {
				maker = p.Path // the innermost one makes it, the others change it
			}
		}
		return maker
	}
	return ""
}

// GroupFromBase gives the scene file that puts a node into a group, "" if none does.
func (s *Store) GroupFromBase(root, id NodeID, group string) string {
	list, _ := s.supplies(root, id)
	for _, x := range list {
		if x.node.inGroup(group) {
			return x.state.Path
		}
	}
	return ""
}

// ConnectionFromBase gives the scene file that defines a connection, "" if none does.
func (s *Store) ConnectionFromBase(root, from NodeID, c Conn) string {
	// The scenes that can define it are those above both ends.
	common := s.commonAncestor(from, c.Target)
	if n := s.Node(common); n != nil && common != root && n.Source == "" {
		common = n.Owner
	}
	for id := common; id != 0; {
		n := s.Node(id)
		if n == nil {
			break
		}
		state := n.State
		if id == root {
			state = n.Inherited
		}
		if path := s.defines(state, s.Path(id, from), c.Signal, s.Path(id, c.Target), c.Method); path != "" {
			return path
		}
		if id == root {
			break
		}
		id = n.Owner
	}
	for id := from; id != 0; {
		n := s.Node(id)
		if n == nil {
			break
		}
		state := n.State
		if id == root {
			state = n.Inherited
		}
		if s.Inside(c.Target, id) {
			if path := state.connected(s.Path(id, from), c.Signal, s.Path(id, c.Target), c.Method); path != "" {
				return path
			}
		}
		if id == root {
			break
		}
		id = n.Owner
	}
	return ""
}

// defines looks for a connection in a state, in those it inherits from, and in the
// scenes instanced inside it, as SceneState.has_connection does. It gives the file
// that has it, "" for none.
func (s *Store) defines(p *Packed, from, signal, to, method string) string {
	if p == nil {
		return ""
	}
	if path := p.connected(from, signal, to, method); path != "" {
		return path
	}
	for i := range p.Nodes {
		n := &p.Nodes[i]
		if n.Scene == nil || i == 0 {
			continue
		}
		f, ok := below(from, n.path())
		t, ok2 := below(to, n.path())
		if ok && ok2 {
			if path := s.defines(s.present(n.Scene), f, signal, t, method); path != "" {
				return path
			}
		}
	}
	return s.defines(s.present(p.Base), from, signal, to, method)
}

func (s *Store) commonAncestor(a, b NodeID) NodeID {
	above := map[NodeID]bool{}
	for id := a; id != 0; {
		above[id] = true
		n := s.Node(id)
		if n == nil {
			break
		}
		id = n.Parent
	}
	for id := b; id != 0; {
		if above[id] {
			return id
		}
		n := s.Node(id)
		if n == nil {
			return 0
		}
		id = n.Parent
	}
	return 0
}
