package toolsets

import (
	"fmt"

	"godot-mcp/server/answer"
	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

type historyIn struct {
	Count int `json:"count,omitempty" desc:"How many steps." min:"1" max:"100" default:"1"`
}

// Each mode of undo and redo fills only its own fields.
type undoOut struct {
	DryRun        bool        `json:"dry_run"`
	Requested     int         `json:"requested"`
	Undone        *int        `json:"undone,omitempty"`
	LastAction    string      `json:"last_action,omitempty"`
	NothingToUndo *bool       `json:"nothing_to_undo,omitempty"`
	HasUndo       *bool       `json:"has_undo,omitempty"`
	WouldUndoNext string      `json:"would_undo_next,omitempty"`
	StoppedBy     wire.Reason `json:"stopped_by,omitempty"`
	Hint          string      `json:"hint,omitempty"`
}

var undo = catalog.Define(catalog.Declaration[historyIn, undoOut]{
	Toolset: "core", Handler: "undo", Class: safety.Mutating,
	Description: "Undo the newest edits of the open scene. Stops before a step that a person made.",
	Needs:       catalog.NeedsEditor,
	Plan: func(in historyIn) (catalog.Plan[undoOut], error) {
		return catalog.Command(wire.CmdUndo, wire.Undo{Count: in.Count}, func(r wire.HistoryMoveResult, a catalog.Applied) (undoOut, error) {
			out := undoOut{DryRun: a.DryRun, Requested: r.Requested, StoppedBy: r.StoppedBy, Hint: stopHint(r)}
			if a.DryRun {
				out.HasUndo, out.WouldUndoNext = &r.Available, r.Next
			} else {
				out.Undone, out.LastAction, out.NothingToUndo = &r.Done, r.LastAction, new(!r.Available)
			}
			return out, nil
		}), nil
	},
})

type redoOut struct {
	DryRun        bool        `json:"dry_run"`
	Requested     int         `json:"requested"`
	Redone        *int        `json:"redone,omitempty"`
	LastAction    string      `json:"last_action,omitempty"`
	NothingToRedo *bool       `json:"nothing_to_redo,omitempty"`
	HasRedo       *bool       `json:"has_redo,omitempty"`
	WouldRedoNext string      `json:"would_redo_next,omitempty"`
	StoppedBy     wire.Reason `json:"stopped_by,omitempty"`
	Hint          string      `json:"hint,omitempty"`
}

var redo = catalog.Define(catalog.Declaration[historyIn, redoOut]{
	Toolset: "core", Handler: "redo", Class: safety.Mutating,
	Description: "Repeat the newest undone edits of the open scene.",
	Needs:       catalog.NeedsEditor,
	Plan: func(in historyIn) (catalog.Plan[redoOut], error) {
		return catalog.Command(wire.CmdRedo, wire.Redo{Count: in.Count}, func(r wire.HistoryMoveResult, a catalog.Applied) (redoOut, error) {
			out := redoOut{DryRun: a.DryRun, Requested: r.Requested, StoppedBy: r.StoppedBy, Hint: stopHint(r)}
			if a.DryRun {
				out.HasRedo, out.WouldRedoNext = &r.Available, r.Next
			} else {
				out.Redone, out.LastAction, out.NothingToRedo = &r.Done, r.LastAction, new(!r.Available)
			}
			return out, nil
		}), nil
	},
})

// stopHint explains why fewer steps than asked for were done.
func stopHint(r wire.HistoryMoveResult) string {
	if r.StoppedBy == "" {
		return ""
	}
	if r.StoppedBy == wire.ReasonChanged {
		return fmt.Sprintf("The file of this step (%s) was changed outside since, and the step would drop that change. Read it with godot_scripts_read and write what it shall be.", r.Next)
	}
	return answer.FromWire(wire.Fail(r.StoppedBy, "action", r.Next), false).Hint
}

type listHistoryOut struct {
	Version       int                 `json:"version"`
	HasUndo       bool                `json:"has_undo"`
	HasRedo       bool                `json:"has_redo"`
	CanRedo       bool                `json:"can_redo"`
	CurrentAction string              `json:"current_action"`
	Depth         int                 `json:"depth"`
	Recent        []wire.HistoryEntry `json:"recent"`
}

var listHistory = catalog.Define(catalog.Declaration[struct{}, listHistoryOut]{
	Toolset: "core", Handler: "list_history", Class: safety.ReadOnly,
	Description: "Undo history that godot_undo acts on, oldest first (at most 20). version rises with each edit.",
	Needs:       catalog.NeedsEditor,
	Plan: func(struct{}) (catalog.Plan[listHistoryOut], error) {
		return catalog.Command(wire.CmdListHistory, wire.ListHistory{}, func(r wire.ListHistoryResult, _ catalog.Applied) (listHistoryOut, error) {
			recent := r.Recent
			if recent == nil {
				recent = []wire.HistoryEntry{}
			}
			return listHistoryOut{r.Version, r.HasUndo, r.HasRedo, r.HasRedo, r.CurrentAction, r.Depth, recent}, nil
		}), nil
	},
})
