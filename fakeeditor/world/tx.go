package world

import (
	"godot-mcp/fakeeditor/scene"
	"godot-mcp/fakeeditor/undo"
)

// Tx builds the next State. Handlers change its State field through the methods
// of Tx and of Store; nothing of it is seen outside until [Tx.Freeze].
type Tx struct {
	State
	// Cause is the command id, "human" or "importer"; it goes into the journal.
	Cause string
	// prefix goes before action names: "MCP: ", or nothing for a person.
	prefix string

	envs *scene.Env
	// refs are the nodes that steps of the running transaction named.
	refs map[string]scene.NodeID
	// effects of the action under construction; they count when it commits.
	effects []Effect
	changed bool
	stirred stirred
	// rows says that what a preview or a refused command tried has the scene dock forget
	// its current node.
	rows bool
}

// Begin starts building on a state.
func Begin(s State, cause string) *Tx {
	tx := &Tx{State: s, Cause: cause, prefix: undo.Prefix}
	if cause == CauseHuman {
		tx.prefix = ""
	}
	return tx
}

// Freeze gives the built state. The Tx must not be used afterwards.
func (tx *Tx) Freeze() State {
	tx.Store = tx.Store.Freeze()
	return tx.State
}

// Record adds an effect to the journal, with the time and cause of this Tx.
func (tx *Tx) Record(e Effect) {
	e.Time, e.Cause = tx.Clock, tx.Cause
	tx.Journal = tx.Journal.Add(e)
}

// CommitGlobal adds an action to the global history (file edits).
func (tx *Tx) CommitGlobal(a undo.Action) {
	tx.Stamp++
	a.Name, a.Stamp = tx.prefix+a.Name, tx.Stamp
	tx.Global = tx.Global.Commit(&a)
	// What could be redone in any scene is forgotten with it (engine 4.6 experiment).
	for i, t := range tx.Tabs {
		if t.History.NextRedo() != nil {
			t.History = t.History.Settled()
			tx.setTab(i, t)
		}
	}
}

// setTab replaces a tab without writing into the shared slice.
func (tx *Tx) setTab(i int, t Tab) {
	tabs := append([]Tab(nil), tx.Tabs...)
	tabs[i] = t
	tx.Tabs = tabs
}

// InGlobalHistory moves the action that a state has and the one before has not from the
// history of the edited scene to the global one.
func InGlobalHistory(before, after State) State {
	tab, ok := after.ActiveTab()
	if !ok || after.Stamp == before.Stamp {
		return after
	}
	a := *tab.History.NextUndo()
	tx := Begin(after, CauseHuman)
	tab.History = before.Tabs[before.Active].History
	tx.setTab(tx.Active, tab)
	tx.CommitGlobal(a)
	return tx.Freeze()
}

// Disown takes the owner from a node, as code does that adds nodes without one.
func Disown(s State, path string) State {
	tx := Begin(s, CauseHuman)
	tab, ok := tx.ActiveTab()
	if !ok {
		return s
	}
	tx.Store = tx.Store.Begin(nil)
	e := tx.env()
	e.Edit(e.Resolve(tab.Root, path)).Owner = 0
	return tx.Freeze()
}
