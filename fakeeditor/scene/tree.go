package scene

import (
	"slices"
	"strings"

	"godot-mcp/fakeeditor/internal/pmap"
)

// indexFrom is the number of children from which a parent keeps an index of names.
const indexFrom = 24

// children of big parents are found by name through an index that is part of the
// parent's node, so it is persistent as everything else.
type nameIndex = pmap.Map[Text, NodeID]

// Child finds a child by name; 0 if there is none. With several of the same name
// it is the first one.
func (s *Store) Child(parent NodeID, name string) NodeID {
	p := s.Node(parent)
	if p == nil {
		return 0
	}
	return s.childOf(p, name)
}

func (s *Store) childOf(p *Node, name string) NodeID {
	if p.names.Len() > 0 {
		if id, ok := p.names.Get(Text(name)); !ok || !p.twins {
			return id
		}
	}
	for _, id := range p.Children {
		if c := s.Node(id); c != nil && c.Name == name {
			return id
		}
	}
	return 0
}

// Namesakes counts the children of a parent that have a name.
func (s *Store) Namesakes(parent NodeID, name string) int {
	p := s.Node(parent)
	if p == nil {
		return 0
	}
	if p.names.Len() > 0 && !p.twins {
		if _, ok := p.names.Get(Text(name)); ok {
			return 1
		}
		return 0
	}
	n := 0
	for _, id := range p.Children {
		if c := s.Node(id); c != nil && c.Name == name {
			n++
		}
	}
	return n
}

// indexNames brings the name index of an editable node up to date after its
// children changed in a way that the index cannot follow.
func (s *Store) indexNames(p *Node) {
	p.names, p.twins = nameIndex{}, false
	if len(p.Children) < indexFrom {
		return
	}
	for _, id := range p.Children {
		s.indexName(p, s.Node(id).Name, id)
	}
}

func (s *Store) indexName(p *Node, name string, id NodeID) {
	if _, taken := p.names.Get(Text(name)); taken {
		p.twins = true
		return
	}
	p.names.Set(Text(name), id, s.owner)
}

// Attach puts a node without parent among the children of another; a negative
// index, or one beyond the end, is last. The name is not changed.
func (s *Store) Attach(id, parent NodeID, index int) {
	n, p := s.Edit(id), s.Edit(parent)
	n.Parent = parent
	if index < 0 || index >= len(p.Children) {
		if p.grown {
			p.Children = append(p.Children, id)
		} else {
			p.Children = append(slices.Clone(p.Children), id)
			p.grown = true
		}
	} else {
		p.Children = slices.Insert(slices.Clone(p.Children), index, id)
		p.grown = true
	}
	if p.names.Len() > 0 {
		s.indexName(p, n.Name, id)
	} else if len(p.Children) >= indexFrom {
		s.indexNames(p)
	}
}

// Detach takes a node from its parent. Owners are not changed.
func (s *Store) Detach(id NodeID) {
	n := s.Edit(id)
	if n.Parent == 0 {
		return
	}
	p := s.Edit(n.Parent)
	at := slices.Index(p.Children, id)
	p.Children = slices.Delete(slices.Clone(p.Children), at, at+1)
	p.grown = true
	n.Parent = 0
	switch {
	case p.twins || len(p.Children) < indexFrom:
		s.indexNames(p)
	case p.names.Len() > 0:
		p.names.Delete(Text(n.Name), s.owner)
	}
}

// Reorder moves a child to another place among its siblings.
func (s *Store) Reorder(id NodeID, index int) {
	p := s.Edit(s.Node(id).Parent)
	at := slices.Index(p.Children, id)
	list := slices.Delete(slices.Clone(p.Children), at, at+1)
	if index < 0 || index > len(list) {
		index = len(list)
	}
	p.Children = slices.Insert(list, index, id)
	p.grown = true
}

// Rename gives a node another name, which must be valid and free.
func (s *Store) Rename(id NodeID, name string) {
	n := s.Edit(id)
	old := n.Name
	n.Name = name
	if n.Parent == 0 {
		return
	}
	p := s.Node(n.Parent)
	if p.names.Len() == 0 {
		return
	}
	p = s.Edit(n.Parent)
	if p.twins {
		s.indexNames(p)
		return
	}
	p.names.Delete(Text(old), s.owner)
	s.indexName(p, name, id)
}

// IndexOf gives the place of a node among its siblings.
func (s *Store) IndexOf(id NodeID) int {
	n := s.Node(id)
	if n == nil || n.Parent == 0 {
		return 0
	}
	return slices.Index(s.Node(n.Parent).Children, id)
}

// Walk visits a node and its descendants depth first until f returns false for
// one: then its descendants are left out.
func (s *Store) Walk(id NodeID, f func(*Node) bool) {
	n := s.Node(id)
	if n == nil || !f(n) {
		return
	}
	for _, c := range n.Children {
		s.Walk(c, f)
	}
}

// Count counts a node and its descendants.
func (s *Store) Count(id NodeID) int {
	n := 0
	s.Walk(id, func(*Node) bool { n++; return true })
	return n
}

// Inside reports whether a node is ancestor or a descendant of it.
func (s *Store) Inside(id, ancestor NodeID) bool {
	for id != 0 {
		if id == ancestor {
			return true
		}
		n := s.Node(id)
		if n == nil {
			return false
		}
		id = n.Parent
	}
	return false
}

// Path gives the path of a node from a root above it: "." for the root itself.
// It is empty when the node is not below the root.
func (s *Store) Path(root, id NodeID) string {
	if id == root {
		return "."
	}
	var parts []string
	for id != root {
		n := s.Node(id)
		if n == nil {
			return ""
		}
		parts = append(parts, n.Name)
		id = n.Parent
	}
	slices.Reverse(parts)
	return strings.Join(parts, "/")
}

// RelPath gives the path from one node to another as Node.get_path_to does
// ("..", "../A/B"); "" when they have no common ancestor.
func (s *Store) RelPath(from, to NodeID) string {
	if from == to {
		return "."
	}
	above := map[NodeID]int{}
	for id, i := from, 0; id != 0; i++ {
		above[id] = i
		n := s.Node(id)
		if n == nil {
			return ""
		}
		id = n.Parent
	}
	var parts []string
	id := to
	for {
		n := s.Node(id)
		if n == nil {
			return ""
		}
		if up, ok := above[id]; ok {
			for range up {
				parts = append(parts, "..")
			}
			slices.Reverse(parts)
			return strings.Join(parts, "/")
		}
		parts = append(parts, n.Name)
		id = n.Parent
	}
}

// Resolve follows a relative path of names, "..", "." and "%Unique" parts from a
// node; 0 if there is nothing.
func (s *Store) Resolve(from NodeID, path string) NodeID {
	id := from
	for part := range strings.SplitSeq(path, "/") {
		switch {
		case part == "" || part == ".":
		case part == "..":
			n := s.Node(id)
			if n == nil {
				return 0
			}
			id = n.Parent
		case part[0] == '%':
			id = s.Unique(id, part[1:])
		default:
			id = s.Child(id, part)
		}
		if id == 0 {
			return 0
		}
	}
	return id
}

// Unique finds the node with a scene-unique name, seen from a node: among those
// that the node owns, or else that its owner owns.
func (s *Store) Unique(from NodeID, name string) NodeID {
	n := s.Node(from)
	if n == nil {
		return 0
	}
	if id := s.uniqueOf(n.ID, name, 0); id != 0 || n.Owner == 0 {
		return id
	}
	return s.uniqueOf(n.Owner, name, 0)
}

// uniqueOf finds the node, other than one, that has a scene-unique name.
func (s *Store) uniqueOf(owner NodeID, name string, but NodeID) (found NodeID) {
	s.Walk(owner, func(n *Node) bool {
		if found == 0 && n.ID != but && n.Name == name && n.Owner == owner && n.UniqueName() {
			found = n.ID
		}
		return found == 0
	})
	return found
}

// UniqueName reports whether the node is marked as unique in its owner.
func (n *Node) UniqueName() bool {
	v, _ := n.Props.Get("unique_name_in_owner")
	b, _ := v.Bool()
	return b
}
