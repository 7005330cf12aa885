package world

import (
	"slices"
	"strings"

	"godot-mcp/fakeeditor/scene"
)

// The selection as the editor and the addon keep it (engine 4.6 experiments). Once a
// frame the engine tells its docks that the selection has changed. Then the scene dock
// takes the topmost of the selected nodes for its current one, the inspector's history
// gets what is selected, and the toolbar of controls sets its anchor mode.
//
//   - A node that leaves the tree is not selected any more, also when it comes back at
//     once. What a command takes out and puts back the addon selects again.
//   - When any node gets another name the dock selects its current node alone. The addon
//     selects again what was selected before a command of its own. A current node that
//     has no row in the dock is forgotten as soon as its parent's row is drawn anew.
//   - A scene that comes to the front with nothing selected gets back what the
//     inspector's history shows.
//   - A save notes what is selected, whatever scene it saves; opening a scene selects
//     those of the noted nodes that it has.

// A selection is what a tab has of it.
type selection struct {
	// Selected are the selected nodes, in the order of selection.
	Selected []scene.NodeID
	// Lead is the current node of the scene dock, 0 for none.
	Lead scene.NodeID
	// Shown is the node in front in the history of the inspector, ShownPaths several.
	Shown      scene.NodeID
	ShownPaths []string
}

// A Mark is what was selected when a scene file was saved.
type Mark struct {
	File string
	// Root is the name of the edited root then, Nodes the paths below it.
	Root  string
	Nodes []string
}

// stirred is what a command did that the editor answers with a change of selection.
type stirred struct {
	// selected says that the selection was set, renamed that a node has another name.
	selected, renamed bool
	// placed says that also a preview tries a new node in the tree.
	placed bool
	// left are the branches that were out of the tree.
	left []scene.NodeID
}

// keepSelected leaves out what is selected no more after a command or a person's edit.
func (tx *Tx) keepSelected() {
	tab, ok := tx.ActiveTab()
	if !ok || len(tab.Selected) == 0 {
		return
	}
	e := tx.env()
	var kept []scene.NodeID
	for _, id := range tab.Selected {
		if e.Node(id) != nil && e.Inside(id, tab.Root) && (tx.prefix != "" || !tx.wasOut(e, id)) {
			kept = append(kept, id)
		}
	}
	if len(kept) < len(tab.Selected) {
		tab.Selected = kept
		tx.setTab(tx.Active, tab)
	}
}

// wasOut reports whether a node was in a branch that left the tree.
func (tx *Tx) wasOut(e scene.Env, id scene.NodeID) bool {
	return slices.ContainsFunc(tx.stirred.left, func(top scene.NodeID) bool {
		return e.Node(top) != nil && e.Inside(id, top)
	})
}

// tellDocks has the docks show what a command of the addon left selected, if they had it
// by other paths or the command took it out of the tree for a while.
func (tx *Tx) tellDocks(before State) {
	tab, ok := tx.ActiveTab()
	old, _ := before.ActiveTab()
	if !ok || tx.prefix == "" || old.ID != tab.ID || old.Root != tab.Root || len(tab.Selected) == 0 {
		return
	}
	e := tx.env()
	moved := slices.ContainsFunc(tab.Selected, func(id scene.NodeID) bool { return tx.wasOut(e, id) })
	if !moved && len(tab.Selected) > 1 {
		was := &before.Store
		moved = slices.ContainsFunc(tab.Selected, func(id scene.NodeID) bool {
			return was.Node(id) != nil && was.Path(tab.Root, id) != e.Path(tab.Root, id)
		})
	}
	if moved {
		tx.stirred.selected = true
		tx.setTab(tx.Active, show(e, tab))
	}
}

// settleSelection is what the editor makes of a command at the end of its frame.
func (tx *Tx) settleSelection(before State) {
	tab, ok := tx.ActiveTab()
	if !ok {
		tx.Anchoring = false
		return
	}
	old, _ := before.ActiveTab()
	lead := old.ID == tab.ID && old.Root == tab.Root && tx.stirred.renamed && len(tab.Selected) > 1 &&
		slices.Contains(tab.Selected, tab.Lead) // else the dock lost its current node
	if lead && tx.prefix == "" {
		tab.Selected = []scene.NodeID{tab.Lead}
	}
	if old.ID == tab.ID && old.Root == tab.Root && !lead && !tx.stirred.selected && slices.Equal(old.Selected, tab.Selected) {
		if losesLead(&before.Store, &tx.Store, tab) {
			tab.Lead = 0
			tx.setTab(tx.Active, tab)
		}
		return
	}
	e := tx.env()
	tab = show(e, tab)
	tx.setTab(tx.Active, tab)
	tx.setAnchoring(e, tab)
}

// show has the docks show what is selected.
func show(e scene.Env, tab Tab) Tab {
	tab.Lead = topmost(e, tab)
	switch len(tab.Selected) {
	case 0:
	case 1:
		tab.Shown, tab.ShownPaths = tab.Selected[0], nil
	default:
		if paths := pathsOf(e, tab); !sameNodes(paths, tab.ShownPaths) {
			tab.ShownPaths = paths
		}
		tab.Shown = 0
	}
	return tab
}

// sameNodes reports whether the inspector's history takes several nodes for those that
// it has in front already, whatever their order (engine 4.6, MultiNodeEdit).
func sameNodes(paths, shown []string) bool {
	return len(paths) == len(shown) && !slices.ContainsFunc(paths, func(p string) bool { return !slices.Contains(shown, p) })
}

func topmost(e scene.Env, tab Tab) (top scene.NodeID) {
	if len(tab.Selected) == 1 {
		return tab.Selected[0]
	}
	if len(tab.Selected) > 1 {
		e.Walk(tab.Root, func(n *scene.Node) bool {
			if top == 0 && slices.Contains(tab.Selected, n.ID) {
				top = n.ID
			}
			return top == 0
		})
	}
	return top
}

func pathsOf(e scene.Env, tab Tab) []string {
	out := make([]string, 0, len(tab.Selected))
	for _, id := range tab.Selected {
		if e.Node(id) != nil && e.Inside(id, tab.Root) {
			out = append(out, e.Path(tab.Root, id))
		}
	}
	return out
}

func nodesAt(e scene.Env, root scene.NodeID, paths []string) (out []scene.NodeID) {
	for _, p := range paths {
		if id := e.Resolve(root, p); id != 0 {
			out = append(out, id)
		}
	}
	return out
}

// selectShown selects again what the inspector's history shows, in a scene that comes
// to the front with nothing selected.
func (tx *Tx) selectShown(e scene.Env, tab Tab) Tab {
	tx.stirred.selected = true
	switch {
	case len(tab.Selected) > 0:
	case len(tab.ShownPaths) > 0:
		tab.Selected = nodesAt(e, tab.Root, tab.ShownPaths)
	case e.Node(tab.Shown) != nil && e.Inside(tab.Shown, tab.Root):
		tab.Selected = []scene.NodeID{tab.Shown}
	}
	return tab
}

// visit has a tab come to the front for a moment, and the edited one again after it.
func (tx *Tx) visit(i int) {
	if i != tx.Active {
		tab := tx.Tabs[i]
		tx.setTab(i, show(tx.env(), tab))
	}
	tx.setTab(tx.Active, tx.selectShown(tx.env(), tx.Tabs[tx.Active]))
}

// setAnchoring is what the toolbar of controls does: it presses or releases its button
// for editing anchors by what is selected, and doing so writes to the selected controls
// how they are edited. After commands the addon puts back what was written.
func (tx *Tx) setAnchoring(e scene.Env, tab Tab) {
	controls, inControl, inContainer, valid, anchored := 0, false, false, 0, 0
	for _, id := range tab.Selected {
		n := e.Node(id)
		if !e.IsControl(id) {
			continue
		}
		controls++
		container := e.IsContainer(n.Parent) && id != tab.Root
		inControl = inControl || id != tab.Root && e.IsControl(n.Parent)
		inContainer = inContainer || container
		if container || slices.ContainsFunc(tab.Selected, func(up scene.NodeID) bool { return up != id && e.Inside(id, up) }) {
			continue
		}
		valid++
		if e.EditsAnchors(id) {
			anchored++
		}
	}
	mode := controls > 0 && (!inControl || !inContainer) && valid == anchored
	if mode == tx.Anchoring {
		return
	}
	tx.Anchoring = mode
	if tx.prefix != "" {
		return
	}
	tx.Store = tx.Store.Begin(nil)
	tx.envs = nil
	e = tx.env()
	for _, id := range tab.Selected {
		if e.IsControl(id) && (id == tab.Root || !e.IsContainer(e.Node(id).Parent)) {
			e.EditAnchors(id, tab.Root, mode)
		}
	}
}

// mark notes what is selected beside a scene file that is saved.
func (tx *Tx) mark(file string) {
	m := Mark{File: file}
	if tab, ok := tx.ActiveTab(); ok {
		e := tx.env()
		m.Root, m.Nodes = e.Node(tab.Root).Name, pathsOf(e, tab)
	}
	marks := slices.Clone(tx.Marks)
	i, found := slices.BinarySearchFunc(marks, file, func(m Mark, file string) int { return strings.Compare(m.File, file) })
	if !found {
		marks = slices.Insert(marks, i, m)
	}
	marks[i] = m
	tx.Marks = marks
}

// unselect is what becomes of the selection when the scene of a tab is to be read again.
// The engine notes it, if the tab is in front, and selects those nodes anew. The addon
// has nothing selected meanwhile, and selects by itself the paths given here.
func (tx *Tx) unselect(i int) []string {
	if i != tx.Active {
		return nil
	}
	tab := tx.Tabs[i]
	paths := pathsOf(tx.env(), tab)
	if tx.prefix != "" {
		tab.Selected = nil
		tx.setTab(i, tab)
	}
	tx.mark(tab.Path)
	// The engine takes the tab before it, or the one behind the first, for the edited one
	// meanwhile, and what that had selected is lost.
	if beside := max(i-1, 0); len(tx.Tabs) > 1 {
		if i == 0 {
			beside = 1
		}
		other := tx.Tabs[beside]
		other.selection = selection{ShownPaths: tab.ShownPaths}
		tx.setTab(beside, other)
	}
	return paths
}

// marked are the nodes of a scene that was just opened which are noted beside its file.
func (tx *Tx) marked(e scene.Env, file string, root scene.NodeID) []scene.NodeID {
	i, found := slices.BinarySearchFunc(tx.Marks, file, func(m Mark, file string) int { return strings.Compare(m.File, file) })
	if !found || tx.Marks[i].Root != e.Node(root).Name {
		return nil
	}
	return nodesAt(e, root, tx.Marks[i].Nodes)
}
