package scene

import (
	"path"
	"slices"
	"strings"

	"godot-mcp/server/godot/tscn"
	"godot-mcp/server/godot/variant"
	"godot-mcp/server/wire"
)

// LoadInstanced reads a scene to be instanced; imported models will do.
func (e Env) LoadInstanced(file string) (*Packed, *wire.Error) {
	if foreignScene(file) {
		return e.loadScene(file, []string{""})
	}
	return e.LoadScene(file)
}

// Target gives the file that an [ext_resource] section means.
func (e Env) Target(from string, s *tscn.Section) string { return e.target(from, s) }

// FileType gives the class of the resource in a file, by its name and header.
func (e Env) FileType(file string) string {
	if class, ok := plainTypes[strings.ToLower(path.Ext(file))]; ok {
		return class
	}
	if e.Lib.NeedsImport(file) {
		return e.Lib.ImportedType(file)
	}
	if text, ok := e.Lib.Read(file); ok && strings.HasSuffix(file, ".tres") {
		if doc, err := parseDoc(file, text); err == nil && doc.Header() != nil {
			return doc.Header().AttrText("type")
		}
	}
	return ""
}

// DropTree removes a node and its descendants from the store.
func (e Env) DropTree(root NodeID) {
	var gone []NodeID
	e.Walk(root, func(n *Node) bool { gone = append(gone, n.ID); return true })
	for _, id := range gone {
		e.Drop(id)
	}
}

// Branch copies a branch of a scene as a scene of its own: what the old root owned
// is owned by the copy. A scene-unique name that a node has there already stays with it:
// that of a scene that the branch inherits, or else the first one (engine 4.6).
func (e Env) Branch(root, id NodeID) NodeID {
	c := e.Duplicate(root, id)
	e.Walk(c, func(n *Node) bool {
		if n.Owner == root && n.ID != c {
			own := e.Edit(n.ID)
			own.Owner = c
			if own.UniqueName() && e.UniqueTaken(own.ID) {
				own.Props = own.Props.Without("unique_name_in_owner")
			}
		}
		return true
	})
	n := e.Edit(c)
	n.Owner = 0
	if n.State != nil {
		// The branch of an instance becomes a scene that inherits the instanced one.
		n.Inherited, n.State, n.Source = n.State, nil, ""
	}
	n.Props = n.Props.Without("unique_name_in_owner")
	if e.UnderContainer(e.Node(id)) {
		n.Props = slices.DeleteFunc(slices.Clone(n.Props), func(p Prop) bool { return layoutOnly(p.Name) })
		// What a file does not hold there is not copied: an heir has it from its base.
		for _, s := range e.Store.chain(n.Inherited, ".") {
			for _, p := range s.node.Props {
				if layoutOnly(p.Name) {
					n.Props = n.Props.With(p.Name, p.Value)
				}
			}
		}
	}
	if e.storedInt(n, "layout_mode", layoutPosition) == layoutUncontrolled {
		// A copy without a parent shows this mode already, so it does not get it, and a
		// preset says nothing in the mode that it has; an heir has that of its base
		// (engine 4.6).
		n.Props = n.Props.Without("layout_mode")
		for _, s := range e.Store.chain(n.Inherited, ".") {
			if p, ok := s.node.prop("layout_mode"); ok {
				n.Props = n.Props.With("layout_mode", p.Value)
			}
		}
	}
	return c
}

// Release forgets files that nothing below the given roots, and nothing that can be
// undone, uses any more, so that they are read from disk when they are wanted again:
// edits of theirs that were not saved are gone, as in the engine. The same goes for
// what files embed.
func (e Env) Release(roots []NodeID, held Log) {
	usedRes, usedScene, usedFile := map[ResID]bool{}, map[*Packed]bool{}, map[string]bool{}
	var mark func(id ResID)
	mark = func(id ResID) {
		r := e.Res(id)
		if r == nil || usedRes[id] {
			return
		}
		usedRes[id] = true
		for _, p := range r.Props {
			EachObject(p.Value, func(o variant.Value) { mark(ResOf(o)) })
		}
	}
	var scene func(p *Packed)
	scene = func(p *Packed) {
		if p == nil || usedScene[p] {
			return
		}
		usedScene[p] = true
		usedFile[p.Path] = true
		// What the file is now stays in memory with what it was.
		if c, ok := e.Store.scenes.Get(Text(p.Path)); ok {
			scene(c.packed)
		}
		scene(p.Base)
		for i := range p.Nodes {
			scene(p.Nodes[i].Scene)
			for _, x := range p.Nodes[i].Props {
				EachObject(x.Value, func(o variant.Value) { mark(ResOf(o)) })
			}
		}
	}
	node := func(n *Node) bool {
		if n == nil {
			return true
		}
		scene(n.State)
		scene(n.Inherited)
		for _, p := range n.Props {
			EachObject(p.Value, func(o variant.Value) { mark(ResOf(o)) })
		}
		return true
	}
	for _, root := range roots {
		e.Walk(root, node)
	}
	for _, c := range held.Nodes {
		node(c.Before)
		node(c.After)
	}
	for _, c := range held.Res {
		mark(c.ID)
		for _, r := range []*Resource{c.Before, c.After} {
			if r != nil {
				for _, p := range r.Props {
					EachObject(p.Value, func(o variant.Value) { mark(ResOf(o)) })
				}
			}
		}
	}
	var files []Text
	e.Store.cached.Each(func(path Text, id ResID) bool {
		if !usedRes[id] {
			files = append(files, path)
		}
		return true
	})
	for _, f := range files {
		e.Store.cached.Delete(f, e.owner)
	}
	files = nil
	e.Store.scenes.Each(func(path Text, c cachedScene) bool {
		if !usedScene[c.packed] && !usedFile[string(path)] {
			files = append(files, path)
		}
		return true
	})
	for _, f := range files {
		e.Store.scenes.Delete(f, e.owner)
	}
	var gone []ResID
	e.Store.res.Each(func(id ResID, r *Resource) bool {
		if !usedRes[id] && strings.Contains(r.Path, "::") {
			gone = append(gone, id)
		}
		return true
	})
	for _, id := range gone {
		e.Store.res.Delete(id, e.owner)
	}
}
