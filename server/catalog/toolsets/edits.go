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

// transact runs steps as one undo action, all or nothing.
func transact(ctx context.Context, c *catalog.Call, label string, steps []wire.StepParam) (wire.TransactionResult, error) {
	var tx wire.TransactionResult
	if err := c.Ask(ctx, wire.CmdTransaction, wire.Transaction{Name: label, Steps: steps, DryRun: c.DryRun}, &tx); err != nil {
		return tx, err
	}
	if len(tx.Results) != len(steps) {
		return tx, answer.New(answer.BadResult, "tool", c.Tool.Name, "message", fmt.Sprintf("%d results for %d steps", len(tx.Results), len(steps)))
	}
	return tx, nil
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
}

// saver saves the scene that an edit was made in, and no other: a person may
// switch tabs between the edit and the save.
type saver struct {
	wanted bool
	path   string
}

func beforeEdit(ctx context.Context, c *catalog.Call, save bool) (saver, error) {
	s := saver{wanted: save}
	if !save {
		return s, nil
	}
	var scene wire.GetActiveSceneResult
	err := c.Ask(ctx, wire.CmdGetActiveScene, wire.GetActiveScene{}, &scene)
	s.path = scene.Path
	return s, err
}

// run saves if that is wanted. A failure does not fail the tool, since the
// edit is made; it stands in the answer and its hint.
func (s saver) run(ctx context.Context, c *catalog.Call, e *catalog.Edited) saving {
	if !s.wanted {
		return saving{}
	}
	var r wire.SaveSceneResult
	err := c.Ask(ctx, wire.CmdSaveScene, wire.SaveScene{Path: s.path, DryRun: c.DryRun}, &r)
	switch f := answer.As(err, c.Changing); {
	case f == nil && (r.Saved || c.DryRun):
		return saving{Saved: r.Saved && !c.DryRun}
	case f == nil:
		f = fromWire(wire.ReasonSaveFailed, "path", s.path)
		fallthrough
	default:
		lead := "The edit is applied, but the scene is not saved. "
		if c.DryRun {
			lead = "The scene could not be saved after this edit. "
		} else if f.MayHaveApplied {
			lead = "The edit is applied; whether the scene is saved is not known. "
		}
		e.Hint = strings.TrimSpace(e.Hint + " " + lead + f.Hint)
		return saving{SaveError: f.ErrorCode}
	}
}

// settingOrder sorts property names so that what makes others possible comes
// first: the script, and a resource before what lies inside it.
func settingOrder(properties map[string]json.RawMessage) []string {
	return slices.SortedFunc(maps.Keys(properties), func(a, b string) int {
		return cmp.Or(cmp.Compare(b2i(b == "script"), b2i(a == "script")), strings.Compare(a, b))
	})
}
