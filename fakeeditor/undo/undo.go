// Package undo holds undo histories as the engine's EditorUndoRedoManager keeps
// them: one per open scene and a global one, with version counters that count up
// on commit and redo and down on undo (engine 4.6 experiment: a fresh history
// has version 1).
//
// An action is the difference between two states of nodes, resources and files.
// Identity that things get when they are first saved (unique ids, resource ids)
// is kept elsewhere and is never undone.
package undo

import (
	"strings"

	"godot-mcp/fakeeditor/scene"
	"godot-mcp/server/godot/variant"
)

// Prefix begins the name of every action that this project's addon makes.
const Prefix = "MCP: "

// Action is one undoable action.
type Action struct {
	Name string
	// Stamp orders actions of different histories; a bigger one is newer.
	Stamp int
	Nodes []scene.NodeChange
	Res   []scene.ResChange
	Files []FileChange
	// Values are what nodes lost with the variables of a script that was written, Held
	// all that they had in them.
	Values, Held []ScriptValue
	// Users are the nodes that had the script.
	Users []scene.NodeID
}

// ScriptValue is what a node had in a variable of its script.
type ScriptValue struct {
	Node  scene.NodeID
	Name  string
	Value variant.Value
}

// Ours reports whether the addon made the action.
func (a *Action) Ours() bool { return strings.HasPrefix(a.Name, Prefix) }

// FileChange is one file before and after; nil is absent.
type FileChange struct {
	Path          string
	Before, After *string
}

// History is one undo history. It is an immutable value.
type History struct {
	past, future *cell
	version      int
	saved        int
	unsaved      bool
}

type cell struct {
	action *Action
	rest   *cell
	depth  int
}

func push(c *cell, a *Action) *cell {
	n := &cell{action: a, rest: c, depth: 1}
	if c != nil {
		n.depth += c.depth
	}
	return n
}

// New gives a fresh history whose present state is the saved one.
func New() History { return History{version: 1, saved: 1} }

// Version is the version counter.
func (h History) Version() int { return h.version }

// Depth counts the actions that can be undone.
func (h History) Depth() int {
	if h.past == nil {
		return 0
	}
	return h.past.depth
}

// NextUndo is the action that undo would take; nil if there is none.
func (h History) NextUndo() *Action {
	if h.past == nil {
		return nil
	}
	return h.past.action
}

// NextRedo is the action that redo would repeat; nil if there is none.
func (h History) NextRedo() *Action {
	if h.future == nil {
		return nil
	}
	return h.future.action
}

// Recent lists up to n actions that can be undone, oldest first.
func (h History) Recent(n int) []*Action {
	var out []*Action
	for c := h.past; c != nil && len(out) < n; c = c.rest {
		out = append(out, c.action)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// Each visits all actions, those that can be redone included.
func (h History) Each(f func(*Action)) {
	for _, c := range []*cell{h.past, h.future} {
		for ; c != nil; c = c.rest {
			f(c.action)
		}
	}
}

// Commit adds an action; what could be redone is forgotten. If the saved state was
// among that, no undo or redo leads back to it (engine 4.6 experiment).
func (h History) Commit(a *Action) History {
	h.unsaved = h.unsaved || h.saved > h.version
	h.past, h.future = push(h.past, a), nil
	h.version++
	return h
}

// Settled forgets what could be redone.
func (h History) Settled() History {
	h.future = nil
	return h
}

// Undone moves the newest action to the redo side.
func (h History) Undone() History {
	h.future, h.past = push(h.future, h.past.action), h.past.rest
	h.version--
	return h
}

// Redone moves the next action back to the undo side.
func (h History) Redone() History {
	h.past, h.future = push(h.past, h.future.action), h.future.rest
	h.version++
	return h
}

// Modified reports whether the state differs from the saved one as the engine
// judges it: by the version numbers.
func (h History) Modified() bool { return h.unsaved || h.version != h.saved }

// Cleared forgets all actions; the version stays, and the engine takes the present
// state for the saved one, whatever the file holds (engine 4.6 experiment).
func (h History) Cleared() History {
	h.past, h.future = nil, nil
	return h.Saved()
}

// Saved marks the present state as the saved one.
func (h History) Saved() History {
	h.saved, h.unsaved = h.version, false
	return h
}

// MarkUnsaved marks the scene as modified whatever the versions say.
func (h History) MarkUnsaved() History {
	h.unsaved = true
	return h
}
