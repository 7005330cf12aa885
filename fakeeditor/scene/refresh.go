package scene

import "godot-mcp/server/wire"

// Outdated reports whether a scene instances, or inherits from, a file that was
// written in another second than the one that was read: what the second on the clock
// does not tell, the editor does not see. Of several instances of a file only the first
// is looked at, and of an instance of a scene that inherits not what it inherits from
// (engine 4.6 experiment).
func (e Env) Outdated(root NodeID) bool {
	old, looked := false, map[string]bool{}
	e.Walk(root, func(n *Node) bool {
		p := n.State
		if n.ID == root {
			p = n.Inherited
		}
		if old || p == nil || p.Opaque || looked[p.Path] {
			return !old
		}
		looked[p.Path] = true
		old = e.Lib.Exists(p.Path) && e.Lib.Modified(p.Path) != p.time
		return !old
	})
	return old
}

// Refresh makes a scene anew with the present state of the scenes that it instances:
// what differs from the old states is packed, and applied to the new ones. It gives
// the new root; the old nodes are dropped.
func (e Env) Refresh(root NodeID) (NodeID, *wire.Error) {
	pk := e.Pack(root)
	if pk.Base != nil {
		base, err := e.loadScene(pk.Base.Path, nil)
		if err != nil {
			return 0, err
		}
		pk.Base = base
	}
	for i := range pk.Nodes {
		n := &pk.Nodes[i]
		if n.Scene == nil || n.Scene.Opaque {
			continue
		}
		fresh, err := e.loadScene(n.Scene.Path, nil)
		if err != nil {
			return 0, err
		}
		n.Scene = fresh
	}
	for i, live := range pk.Live {
		pk.Nodes[i].UniqueID, _ = e.uniqueIDs.Get(live.ID)
	}
	made := e.Instantiate(pk.Packed, Main, nil)
	e.DropTree(root)
	return made, nil
}
