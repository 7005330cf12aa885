package world

import (
	"encoding/json"
	"strings"

	"godot-mcp/fakeeditor/scene"
	"godot-mcp/fakeeditor/undo"
	"godot-mcp/server/wire"
)

// A step changes the transaction and gives back how to word its answer. The
// answer is worded after the last step, since verdicts are taken on the tree that
// the whole transaction leaves.
type step func(*Tx) (answer func() any, err error)

// stepOf makes a step from a function with typed parameters and answer.
func stepOf[P, R any](f func(*Tx, P) (func() R, error)) func(json.RawMessage) (step, error) {
	return func(raw json.RawMessage) (step, error) {
		var p P
		if err := wire.DecodeParams(raw, &p); err != nil {
			return nil, err
		}
		return bind(f, p), nil
	}
}

func bind[P, R any](f func(*Tx, P) (func() R, error), p P) step {
	return func(tx *Tx) (func() any, error) {
		answer, err := f(tx, p)
		if err != nil {
			return nil, err
		}
		return func() any { return answer() }, nil
	}
}

// stepTable decodes every step command.
var stepTable map[string]func(json.RawMessage) (step, error)

func init() {
	stepTable = map[string]func(json.RawMessage) (step, error){
		wire.CmdCreateNode: stepOf(createNode), wire.CmdInstanceScene: stepOf(instanceScene),
		wire.CmdDuplicateNode: stepOf(duplicateNode), wire.CmdDeleteNode: stepOf(deleteNode),
		wire.CmdMoveNode: stepOf(moveNode), wire.CmdRenameNode: stepOf(renameNode),
		wire.CmdSetNodeProperty: stepOf(setNodeProperty), wire.CmdAttachScript: stepOf(attachScript),
		wire.CmdAddToGroup: stepOf(addToGroup), wire.CmdRemoveFromGroup: stepOf(removeFromGroup),
		wire.CmdConnectSignal: stepOf(connectSignal), wire.CmdDisconnectSignal: stepOf(disconnectSignal),
		wire.CmdSetEditableChildren: stepOf(setEditableChildren),
	}
}

// run applies steps as one undo action, all or nothing. The answers are those of
// the steps; with dry, or when a step fails, the transaction is as it was before.
func (tx *Tx) run(name string, steps []step, dry bool) (answers []any, committed bool, err error) {
	if _, ok := tx.ActiveTab(); !ok {
		return nil, false, wire.Fail(wire.ReasonNoScene)
	}
	before := tx.State
	log := &scene.Log{}
	tx.Store = tx.Store.Begin(log)
	tx.refs, tx.effects, tx.changed = map[string]scene.NodeID{}, nil, false
	undone := func(predicted bool) {
		tx.noteRows(before, predicted)
		tx.State, tx.refs, tx.effects = before, nil, nil
	}
	words := make([]func() any, 0, len(steps))
	for i, s := range steps {
		w, err := s(tx)
		if err != nil {
			undone(dry && len(steps) == 1)
			e := *wire.AsError(err)
			e.Step = &i
			return nil, false, &e
		}
		words = append(words, w)
	}
	tx.env().SettleTabs(log.Nodes)
	for _, w := range words {
		answers = append(answers, w())
	}
	if dry || !tx.changed {
		undone(len(steps) == 1)
		if len(steps) == 1 {
			tx.stirred = stirred{} // the addon predicts it and leaves the tree as it is
		}
		return answers, false, nil
	}
	tx.refs = nil
	tx.commit(name, log)
	return answers, true, nil
}

// commit closes the action under construction and puts it into the history of the
// edited scene.
func (tx *Tx) commit(name string, log *scene.Log) {
	tx.Store = tx.Store.Freeze()
	tx.Stamp++
	a := &undo.Action{Name: tx.prefix + name, Stamp: tx.Stamp, Nodes: log.Nodes, Res: log.Res}
	tab := tx.Tabs[tx.Active]
	tab.History = tab.History.Commit(a)
	tx.Global = tx.Global.Settled()
	if a.Ours() && !tab.History.Modified() {
		// Save, undo, new action: the version numbers are equal again. The addon
		// knows of that and marks the scene.
		tab.History = tab.History.MarkUnsaved()
	}
	tx.setTab(tx.Active, tab)
	tx.others(name)
	for _, e := range tx.effects {
		e.Scene = tab.Path
		tx.Record(e)
	}
	tx.effects = nil
}

// effect notes what a step did; it goes to the journal when the action commits.
func (tx *Tx) effect(e Effect) {
	tx.changed = true
	tx.effects = append(tx.effects, e)
}

// single runs one step that was sent on its own. An error names no step then.
func single[P, R any](tx *Tx, command string, p P, f func(*Tx, P) (func() R, error)) (R, error) {
	answers, _, err := tx.run(title(tx.Cause, command, p), []step{bind(f, p)}, false)
	if err != nil {
		var none R
		e := *wire.AsError(err)
		e.Step = nil
		return none, &e
	}
	return answers[0].(R), nil
}

// title is what the history shows for a step of its own: the command in words, or
// for a person what the editor's docks write.
func title(cause, command string, params any) string {
	if cause == CauseHuman {
		switch p := params.(type) {
		case wire.SetNodeProperty:
			return "Set " + p.Property[strings.LastIndexByte(p.Property, ':')+1:]
		case wire.MoveNode:
			return "Reparent Node"
		}
	}
	words := strings.Split(strings.TrimPrefix(command, "cmd_"), "_")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

// Transaction runs steps all or nothing.
func (Handlers) Transaction(tx *Tx, p wire.Transaction) (wire.TransactionResult, error) {
	var r wire.TransactionResult
	if len(p.Steps) == 0 {
		return r, wire.Fail(wire.ReasonEmptyBatch)
	}
	steps := make([]step, len(p.Steps))
	for i, s := range p.Steps {
		decode, ok := stepTable[s.Command]
		if !ok {
			reason := wire.ReasonNotAStep
			if _, known := wire.Lookup(s.Command); !known {
				reason = wire.ReasonUnknownCommand
			}
			e := wire.Fail(reason, "command", s.Command)
			e.Step = &i
			return r, e
		}
		var err error
		if steps[i], err = decode(s.Params); err != nil {
			e := *wire.AsError(err)
			e.Step = &i
			return r, &e
		}
	}
	answers, committed, err := tx.run(p.Name, steps, p.DryRun)
	if err != nil {
		return r, err
	}
	r = wire.TransactionResult{Results: make([]json.RawMessage, len(answers)), Committed: committed, Undoable: tx.changed}
	for i, a := range answers {
		if r.Results[i], err = json.Marshal(a); err != nil {
			return r, err
		}
	}
	if committed {
		r.Action = tx.prefix + p.Name
	}
	return r, nil
}

// The steps as commands of their own.

// CreateNode implements wire.Handlers.
func (Handlers) CreateNode(tx *Tx, p wire.CreateNode) (wire.NewNodeResult, error) {
	return single(tx, wire.CmdCreateNode, p, createNode)
}

// InstanceScene implements wire.Handlers.
func (Handlers) InstanceScene(tx *Tx, p wire.InstanceScene) (wire.NewNodeResult, error) {
	return single(tx, wire.CmdInstanceScene, p, instanceScene)
}

// DuplicateNode implements wire.Handlers.
func (Handlers) DuplicateNode(tx *Tx, p wire.DuplicateNode) (wire.NewNodeResult, error) {
	return single(tx, wire.CmdDuplicateNode, p, duplicateNode)
}

// DeleteNode implements wire.Handlers.
func (Handlers) DeleteNode(tx *Tx, p wire.DeleteNode) (wire.DeleteNodeResult, error) {
	return single(tx, wire.CmdDeleteNode, p, deleteNode)
}

// MoveNode implements wire.Handlers.
func (Handlers) MoveNode(tx *Tx, p wire.MoveNode) (wire.MoveNodeResult, error) {
	return single(tx, wire.CmdMoveNode, p, moveNode)
}

// RenameNode implements wire.Handlers.
func (Handlers) RenameNode(tx *Tx, p wire.RenameNode) (wire.RenameNodeResult, error) {
	return single(tx, wire.CmdRenameNode, p, renameNode)
}

// SetNodeProperty implements wire.Handlers.
func (Handlers) SetNodeProperty(tx *Tx, p wire.SetNodeProperty) (wire.SetNodePropertyResult, error) {
	return single(tx, wire.CmdSetNodeProperty, p, setNodeProperty)
}

// AttachScript implements wire.Handlers.
func (Handlers) AttachScript(tx *Tx, p wire.AttachScript) (wire.AttachScriptResult, error) {
	return single(tx, wire.CmdAttachScript, p, attachScript)
}

// AddToGroup implements wire.Handlers.
func (Handlers) AddToGroup(tx *Tx, p wire.AddToGroup) (wire.GroupResult, error) {
	return single(tx, wire.CmdAddToGroup, p, addToGroup)
}

// RemoveFromGroup implements wire.Handlers.
func (Handlers) RemoveFromGroup(tx *Tx, p wire.RemoveFromGroup) (wire.GroupResult, error) {
	return single(tx, wire.CmdRemoveFromGroup, p, removeFromGroup)
}

// ConnectSignal implements wire.Handlers.
func (Handlers) ConnectSignal(tx *Tx, p wire.ConnectSignal) (wire.ConnectionResult, error) {
	return single(tx, wire.CmdConnectSignal, p, connectSignal)
}

// DisconnectSignal implements wire.Handlers.
func (Handlers) DisconnectSignal(tx *Tx, p wire.DisconnectSignal) (wire.ConnectionResult, error) {
	return single(tx, wire.CmdDisconnectSignal, p, disconnectSignal)
}

// SetEditableChildren implements wire.Handlers.
func (Handlers) SetEditableChildren(tx *Tx, p wire.SetEditableChildren) (wire.SetEditableChildrenResult, error) {
	return single(tx, wire.CmdSetEditableChildren, p, setEditableChildren)
}
