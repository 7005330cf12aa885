package world

import (
	"godot-mcp/fakeeditor/scene"
	"godot-mcp/fakeeditor/undo"
)

// dropScene forgets the nodes of a scene, and what was in memory only for it.
func (tx *Tx) dropScene(tab Tab) {
	tx.Store = tx.Store.Begin(nil)
	tx.envs = nil
	e := tx.env()
	var gone []scene.NodeID
	e.Walk(tab.Root, func(n *scene.Node) bool { gone = append(gone, n.ID); return true })
	for _, id := range gone {
		e.Drop(id)
	}
	tx.release(tab.ID)
}

// release forgets what is in memory for nothing that is open, a tab aside.
func (tx *Tx) release(except int) {
	var roots []scene.NodeID
	var held scene.Log
	hold := func(a *undo.Action) {
		held.Nodes = append(held.Nodes, a.Nodes...)
		held.Res = append(held.Res, a.Res...)
	}
	tx.Global.Each(hold)
	for _, t := range tx.Tabs {
		if t.ID != except {
			roots = append(roots, t.Root)
			t.History.Each(hold)
		}
	}
	tx.env().Release(roots, held)
}
