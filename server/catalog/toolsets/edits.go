package toolsets

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"godot-mcp/server/answer"
	"godot-mcp/server/catalog"
	"godot-mcp/server/wire"
)

// manyEdits is the deadline of tools that edit without an upper limit.
const manyEdits = 2 * time.Minute

// readsPerCommand keeps the answers of one look-up far below the bridge's limit.
const readsPerCommand = 250

// transact runs steps as one undo action, all or nothing, and saves the scene
// in the same frame if that is wanted.
func transact(ctx context.Context, c *catalog.Call, label string, steps []wire.StepParam, save bool) (wire.TransactionResult, saving, error) {
	var tx wire.TransactionResult
	var s saving
	var err error
	if save {
		var r wire.RunCommandsResult
		batch := savedEdit(label, steps)
		batch.DryRun = c.DryRun
		if err = c.Ask(ctx, wire.CmdRunCommands, batch, &r); err == nil {
			tx, s, err = ofSavedEdit(r, c.DryRun)
		}
	} else {
		err = c.Ask(ctx, wire.CmdTransaction, wire.Transaction{Name: label, Steps: steps, DryRun: c.DryRun}, &tx)
	}
	if err == nil && len(tx.Results) != len(steps) {
		err = answer.New(answer.BadResult, "tool", c.Tool.Name, "message", fmt.Sprintf("%d results for %d steps", len(tx.Results), len(steps)))
	}
	return tx, s, err
}

// savedEdit is an edit and a save in one frame: nobody can switch tabs between.
func savedEdit(label string, steps []wire.StepParam) wire.RunCommands {
	return wire.RunCommands{StopOnError: true, Commands: []wire.StepParam{
		{Command: wire.CmdTransaction, Params: quote(wire.Transaction{Name: label, Steps: steps})},
		{Command: wire.CmdSaveScene, Params: quote(wire.SaveScene{})},
	}}
}

// ofSavedEdit reads what came of a savedEdit. An edit that failed is an error;
// a save that failed is not, since the edit is made: it stands in saving.
func ofSavedEdit(r wire.RunCommandsResult, dryRun bool) (tx wire.TransactionResult, s saving, err error) {
	if len(r.Results) == 0 {
		return tx, s, answer.New(answer.BadResult, "message", "no result of the edit")
	}
	if e := r.Results[0]; !e.OK {
		return tx, s, answer.FromWire(wire.AsError(e.Error), !dryRun)
	}
	if tx, err = catalog.Result[wire.TransactionResult](r.Results[0].Result); err != nil {
		return tx, s, err
	}
	f := fromWire(wire.ReasonSaveFailed)
	if len(r.Results) > 1 {
		e := r.Results[1]
		var done wire.SaveSceneResult
		if e.Error != nil {
			f = answer.FromWire(e.Error, !dryRun)
		} else if done, err = catalog.Result[wire.SaveSceneResult](e.Result); err == nil && (done.Saved || dryRun) {
			return tx, saving{Saved: done.Saved && !dryRun}, nil
		}
	}
	lead := "The edit is applied, but the scene is not saved. "
	if dryRun {
		lead = "The scene could not be saved after this edit. "
	} else if f.MayHaveApplied {
		lead = "The edit is applied; whether the scene is saved is not known. "
	}
	return tx, saving{SaveError: f.ErrorCode, hint: lead + f.Hint}, nil
}

// decodeAll decodes one result per step.
func decodeAll[R any](raw []json.RawMessage) ([]R, error) {
	out := make([]R, len(raw))
	for i, r := range raw {
		var err error
		if out[i], err = catalog.Result[R](r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readProperties looks up many properties with few commands. Nothing in them
// can change anything, and the look-up is a preview on top of that.
func readProperties(ctx context.Context, c *catalog.Call, asks []wire.GetNodeProperty) ([]wire.GetNodePropertyResult, error) {
	look := *c
	look.Changing = false
	var out []wire.GetNodePropertyResult
	for part := range slices.Chunk(asks, readsPerCommand) {
		batch := wire.RunCommands{StopOnError: true, DryRun: true}
		for _, a := range part {
			raw, err := json.Marshal(a)
			if err != nil {
				return nil, err
			}
			batch.Commands = append(batch.Commands, wire.StepParam{Command: wire.CmdGetNodeProperty, Params: raw})
		}
		var r wire.RunCommandsResult
		if err := look.Ask(ctx, wire.CmdRunCommands, batch, &r); err != nil {
			return nil, err
		}
		for _, e := range r.Results {
			if !e.OK {
				return nil, answer.FromWire(e.Error, false)
			}
			p, err := catalog.Result[wire.GetNodePropertyResult](e.Result)
			if err != nil {
				return nil, err
			}
			out = append(out, p)
		}
	}
	if len(out) != len(asks) {
		return nil, answer.New(answer.BadResult, "tool", c.Tool.Name, "message", fmt.Sprintf("%d results for %d reads", len(out), len(asks)))
	}
	return out, nil
}

// verdictRow is the verdict of one node of an edit of many.
type verdictRow struct {
	NodePath string `json:"node_path"`
	answer.Lasting
}

// verdicts collects one row per node; a node is kept when all its edits are.
type verdicts struct{ rows []verdictRow }

func (v *verdicts) add(node string, w wire.Verdict) {
	row := verdictRow{node, answer.Lasts(w, node)}
	if n := len(v.rows); n > 0 && v.rows[n-1].NodePath == node {
		if v.rows[n-1].Persisted {
			v.rows[n-1] = row
		}
		return
	}
	v.rows = append(v.rows, row)
}

// all is the verdict on the whole edit: kept when every part is, else the
// first part's reason.
func (v *verdicts) all() answer.Lasting {
	for _, r := range v.rows {
		if !r.Persisted {
			return r.Lasting
		}
	}
	return answer.Lasting{Persisted: true}
}

// shown fits the rows into a part of an answer, those not kept first when
// there is no room for all.
func (v *verdicts) shown(budget int) (rows []verdictRow, cut bool) {
	rows, page := catalog.Paged(v.rows, 0, len(v.rows), budget)
	if !page.Truncated {
		return rows, false
	}
	sorted := slices.Clone(v.rows)
	slices.SortStableFunc(sorted, func(a, b verdictRow) int { return cmp.Compare(b2i(a.Persisted), b2i(b.Persisted)) })
	rows, _ = catalog.Paged(sorted, 0, len(sorted), budget)
	return rows, true
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// saving is embedded in the output of edits that can save afterwards.
type saving struct {
	Saved     bool      `json:"saved"`
	SaveError wire.Code `json:"save_error,omitempty"`

	hint string
}

// lasting joins the verdict on an edit with what came of the save.
func (s saving) lasting(l answer.Lasting) answer.Lasting {
	l.Hint = strings.TrimSpace(l.Hint + " " + s.hint)
	return l
}

// settingOrder sorts property names so that what makes others possible comes
// first: the script, and a resource before what lies inside it.
func settingOrder(properties map[string]json.RawMessage) []string {
	return slices.SortedFunc(maps.Keys(properties), func(a, b string) int {
		return cmp.Or(cmp.Compare(b2i(b == "script"), b2i(a == "script")), strings.Compare(a, b))
	})
}
