package scene

// parentOf finds the parent of an entry; vanished says that it is not there and the
// root stands in for it.
func (b *builder) parentOf(d *PackedNode) (id NodeID, vanished bool) {
	root := b.nodes[0]
	if d.Parent == "." {
		return root, false
	}
	if id := b.e.Resolve(root, d.Parent); id != 0 && d.Parent != "/" {
		if _, known := b.e.uniqueIDs.Get(id); !known && b.e.Node(id).Ghost != nil && len(d.ParentIDs) > 0 {
			b.e.uniqueIDs.Set(id, d.ParentIDs[len(d.ParentIDs)-1], b.e.owner)
		}
		return id, false
	}
	if id := b.byIDs(d.ParentIDs); id != 0 {
		b.moved = true
		b.warnRecovery()
		return id, false
	}
	if id := b.ghostPath(root, d); id != 0 {
		return id, false
	}
	b.warnf("Parent path '" + d.Parent + "' for node '" + d.Name + "' has vanished when instantiating: '" + b.p.Path + "'.")
	return root, true
}

// byIDs follows a chain of unique ids through the entries of the files, each in the scene
// that the one before instances. An entry that changes a node of a scene below counts as
// well, under the name that it has there and without a scene to go on with, which ends
// the search (engine 4.6 experiment).
func (b *builder) byIDs(ids []int32) NodeID {
	if len(ids) == 0 {
		return 0
	}
	path := "."
	p := b.p
	for _, id := range ids {
		n := p.entry(id)
		if n == nil {
			return 0
		}
		path = join(path, n.path())
		p = n.Scene
	}
	return b.e.Resolve(b.nodes[0], path)
}

// findOwned finds a node by its unique id among a scene's root and the nodes that it
// owns: ids are the scene's own, and may be the same as those of another scene's nodes
// that stand in between (engine 4.6 experiment).
func (b *builder) findOwned(owner NodeID, want int32) (found NodeID) {
	b.e.Walk(owner, func(n *Node) bool {
		if found == 0 && (n.ID == owner || n.Owner == owner) {
			if have, ok := b.e.uniqueIDs.Get(n.ID); ok && have == want {
				found = n.ID
			}
		}
		return found == 0
	})
	return found
}

// renamed finds the node of an entry whose name is gone by its unique id. It is looked
// for in the nearest instance around, or in the whole scene if there is none: what the
// scene, or one that it inherits from, has added inside an instance is not found there.
func (b *builder) renamed(parent NodeID, d *PackedNode) NodeID {
	if d.UniqueID == 0 {
		return 0
	}
	b.warnRecovery()
	base := parent
	for base != b.nodes[0] && b.e.Node(base).Source == "" {
		base = b.e.Node(base).Parent
	}
	return b.findOwned(base, d.UniqueID)
}

func (b *builder) warnRecovery() {
	b.warnf(b.p.Path + ": A node in the scene this one inherits from has been removed or moved, so a recovery process needs to take place. Please re-save this scene to avoid the cost of this process next time.")
}
