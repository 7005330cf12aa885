package world

import (
	"encoding/json"

	"godot-mcp/fakeeditor/scene"
	"godot-mcp/fakeeditor/undo"
	"godot-mcp/server/wire"
)

// Undo and redo act on the edited scene's history and the global one together,
// as the editor's own menu does: the newer of the two newest actions is undone,
// the older of the two next ones redone.

// nextMove tells which history moves next; global false means the edited scene's.
func (tx *Tx) nextMove(forward bool) (a *undo.Action, global bool) {
	pick := undo.History.NextUndo
	if forward {
		pick = undo.History.NextRedo
	}
	g := pick(tx.Global)
	tab, ok := tx.ActiveTab()
	if !ok {
		return g, true
	}
	s := pick(tab.History)
	switch {
	case s == nil:
		return g, true
	case g == nil:
		return s, false
	case forward:
		return pickAction(s, g, s.Stamp < g.Stamp)
	}
	return pickAction(s, g, s.Stamp >= g.Stamp)
}

func pickAction(s, g *undo.Action, sceneFirst bool) (*undo.Action, bool) {
	if sceneFirst {
		return s, false
	}
	return g, true
}

// putResource gives a resource the values that it has in another state. Where it
// lives is no part of an action, nor what its file held, which has to be written once more.
func (tx *Tx) putResource(id scene.ResID, to *scene.Resource) {
	if now := tx.Store.Res(id); now != nil && to != nil {
		r := *to
		r.Path, r.Edited, r.Origin = now.Path, true, now.Origin
		to = &r
	}
	tx.Store.PutRes(id, to)
}

// move takes one action back, or repeats it.
func (tx *Tx) move(a *undo.Action, global, forward bool) {
	tx.Store = tx.Store.Begin(nil)
	tx.stir(a)
	for _, c := range a.Nodes {
		from, to := c.After, c.Before
		if forward {
			from, to = to, from
		}
		tx.Store.Put(c.ID, scene.KeepAnchoring(tx.Store.Node(c.ID), from, to))
	}
	for _, c := range a.Res {
		switch {
		case c.Before == nil && tx.Store.Res(c.ID) != nil:
			// A resource that the action made or loaded may be used by others since
			// then, and outlives the undo; what it was changed to belongs to later actions.
		case forward:
			tx.putResource(c.ID, c.After)
		case c.Before != nil:
			tx.putResource(c.ID, c.Before)
		}
	}
	tx.Store = tx.Store.Freeze()
	var lost []undo.ScriptValue
	for _, c := range a.Files {
		text, old := c.Before, tx.Files
		if forward {
			text = c.After
		}
		if text == nil {
			tx.Files = tx.Files.Remove(c.Path)
		} else {
			tx.setFiles(tx.Files.System.Write(c.Path, *text).Show(c.Path))
			users := a.Users
			if forward {
				users = nil
			}
			lost = tx.reread(c.Path, old, users).lost
		}
	}
	if !forward {
		tx.giveBack(among(a.Held, lost))
		tx.giveBack(a.Values)
	}
	tx.envs = nil
	shift := undo.History.Undone
	kind := EffectUndo
	if forward {
		shift, kind = undo.History.Redone, EffectRedo
	}
	scene := ""
	if global {
		tx.Global = shift(tx.Global)
	} else {
		tab := tx.Tabs[tx.Active]
		tab.History = shift(tab.History)
		tx.setTab(tx.Active, tab)
		tx.others(map[bool]string{false: "Undo ", true: "Redo "}[forward] + a.Name)
		scene = tab.Path
	}
	tx.Record(Effect{Kind: kind, Scene: scene, Target: a.Name})
}

func (tx *Tx) moves(count int, dry, forward bool) (wire.HistoryMoveResult, error) {
	if count < 1 {
		return wire.HistoryMoveResult{}, wire.Fail(wire.ReasonBadParams, "message", "count is at least 1", "param", "count")
	}
	r := wire.HistoryMoveResult{Requested: count}
	before := tx.State
	for {
		a, global := tx.nextMove(forward)
		if a == nil {
			break
		}
		r.Available = true
		if r.Done == count {
			r.Next = a.Name
			break
		}
		if !a.Ours() && tx.prefix != "" {
			r.Next, r.StoppedBy = a.Name, wire.ReasonHumanEdit
			break
		}
		if tx.prefix != "" && !tx.filesAsLeft(a, forward) {
			r.Next, r.StoppedBy = a.Name, wire.ReasonChanged
			break
		}
		tx.move(a, global, forward)
		r.Done++
		r.LastAction = a.Name
	}
	if dry {
		tx.State, tx.envs, tx.stirred = before, nil, stirred{}
	}
	return r, nil
}

// stir notes what a move through the history does to nodes in the tree.
func (tx *Tx) stir(a *undo.Action) {
	for _, c := range a.Nodes {
		switch {
		case c.Before == nil || c.After == nil:
		case c.Before.Parent != c.After.Parent:
			tx.stirred.left = append(tx.stirred.left, c.ID)
		case c.Before.Name != c.After.Name:
			tx.stirred.renamed = true
		}
	}
}

// filesAsLeft says whether the files of an action are as its last move left
// them. What others wrote since would be lost by the next one.
func (tx *Tx) filesAsLeft(a *undo.Action, forward bool) bool {
	for _, c := range a.Files {
		left := c.After
		if forward {
			left = c.Before
		}
		text, exists := tx.Files.Read(c.Path)
		if exists != (left != nil) || exists && text != *left {
			return false
		}
	}
	return true
}

// Undo implements wire.Handlers.
func (Handlers) Undo(tx *Tx, p wire.Undo) (wire.HistoryMoveResult, error) {
	return tx.moves(p.Count, p.DryRun, false)
}

// Redo implements wire.Handlers.
func (Handlers) Redo(tx *Tx, p wire.Redo) (wire.HistoryMoveResult, error) {
	return tx.moves(p.Count, p.DryRun, true)
}

// ListHistory reads both histories as undo would walk them.
func (Handlers) ListHistory(tx *Tx, _ wire.ListHistory) (wire.ListHistoryResult, error) {
	r := wire.ListHistoryResult{Recent: []wire.HistoryEntry{}, Version: tx.Global.Version(), Depth: tx.Global.Depth()}
	if tab, ok := tx.ActiveTab(); ok {
		r.Version = tab.History.Version()
		r.Depth += tab.History.Depth()
	}
	redo, _ := tx.nextMove(true)
	r.HasRedo = redo != nil
	// Histories are values: walking back on a copy changes nothing.
	back := Tx{State: tx.State}
	var names []wire.HistoryEntry
	for len(names) < 20 {
		a, global := back.nextMove(false)
		if a == nil {
			break
		}
		names = append(names, wire.HistoryEntry{Name: a.Name, Ours: a.Ours()})
		if global {
			back.Global = back.Global.Undone()
		} else {
			tab := back.Tabs[back.Active]
			tab.History = tab.History.Undone()
			back.setTab(back.Active, tab)
		}
	}
	if len(names) > 0 {
		r.HasUndo, r.CurrentAction = true, names[0].Name
	}
	for i := len(names) - 1; i >= 0; i-- {
		r.Recent = append(r.Recent, names[i])
	}
	return r, nil
}

// RunCommands runs each command as if it had been sent alone.
func (h Handlers) RunCommands(tx *Tx, p wire.RunCommands) (wire.RunCommandsResult, error) {
	r := wire.RunCommandsResult{Results: []wire.EntryResult{}}
	if len(p.Commands) == 0 {
		return r, wire.Fail(wire.ReasonEmptyBatch)
	}
	start := tx.State
	for _, c := range p.Commands {
		entry := h.runEntry(tx, c, p.DryRun, start)
		r.Results = append(r.Results, entry)
		if !entry.OK && p.StopOnError {
			break
		}
	}
	if p.DryRun {
		tx.State, tx.envs = start, nil
	}
	return r, nil
}

// runEntry runs one command. In a preview steps and reads go on from what the
// entries before them left, which is thrown away at the end; session commands see
// the state in which the preview began.
func (h Handlers) runEntry(tx *Tx, c wire.StepParam, dry bool, start State) wire.EntryResult {
	info, known := wire.Lookup(c.Command)
	if !known || c.Command == wire.CmdRunCommands {
		return wire.EntryResult{Error: wire.Fail(wire.ReasonUnknownCommand, "command", c.Command)}
	}
	before := tx.State
	restore := func() { tx.State, tx.envs = before, nil }
	params := c.Params
	aside := dry && info.Kind == wire.KindSession && c.Command != wire.CmdTransaction
	if aside {
		tx.State, tx.envs = start, nil
		if c.Command != wire.CmdRescanFilesystem {
			params = withDryRun(params)
		}
	}
	result, err := wire.Dispatch[*Tx](h, tx, c.Command, params)
	if err != nil {
		restore()
		return wire.EntryResult{Error: wire.AsError(err)}
	}
	if aside {
		restore()
	}
	tx.envs = nil
	tx.keepSelected()
	tx.tellDocks(before)
	text, err := json.Marshal(result)
	if err != nil {
		restore()
		return wire.EntryResult{Error: wire.AsError(err)}
	}
	return wire.EntryResult{OK: true, Result: text}
}

// withDryRun asks a session command for a preview.
func withDryRun(params json.RawMessage) json.RawMessage {
	fields := map[string]json.RawMessage{}
	if len(params) > 0 {
		if err := json.Unmarshal(params, &fields); err != nil {
			return params // the command itself says what is wrong
		}
	}
	if fields == nil { // params were null
		fields = map[string]json.RawMessage{}
	}
	fields["dry_run"] = json.RawMessage("true")
	out, err := json.Marshal(fields)
	if err != nil {
		return params
	}
	return out
}

// SelectNodes replaces the selection.
func (Handlers) SelectNodes(tx *Tx, p wire.SelectNodes) (wire.SelectNodesResult, error) {
	e, tab, err := tx.active()
	if err != nil {
		return wire.SelectNodesResult{}, err
	}
	r := wire.SelectNodesResult{ScenePath: tab.Path, Selected: []string{}}
	tab.Selected = nil
	for _, path := range p.NodePaths {
		id, err := tx.resolve(e, tab, path)
		if err != nil {
			return wire.SelectNodesResult{}, err
		}
		seen := false
		for _, s := range tab.Selected {
			seen = seen || s == id
		}
		if !seen {
			tab.Selected = append(tab.Selected, id)
			r.Selected = append(r.Selected, e.Path(tab.Root, id))
		}
	}
	if !p.DryRun {
		tx.setTab(tx.Active, show(e, tab)) // the addon has the docks hear of it at once
		tx.stirred.selected = true
		tx.Record(Effect{Kind: EffectSelection, Scene: tab.Path, After: len(r.Selected)})
	}
	return r, nil
}
