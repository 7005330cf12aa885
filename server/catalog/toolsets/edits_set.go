package toolsets

import (
	"context"
	"strings"

	"godot-mcp/server/catalog"
	"godot-mcp/server/wire"
)

// setMany is what came of setting many properties.
type setMany struct {
	applied  []wire.SetNodePropertyResult
	skipped  []skippedNode
	verdicts verdicts
	saving   saving
	edited   catalog.Edited
}

// setAll leaves out what a node does not have, found by reading first, and
// sets the rest as one undo action. When nothing is left nothing is sent.
func setAll(ctx context.Context, c *catalog.Call, label string, sets []wire.SetNodeProperty, save bool) (setMany, error) {
	done := setMany{edited: catalog.Edited{DryRun: c.DryRun}}
	var asks []wire.GetNodeProperty
	for _, s := range sets {
		asks = append(asks, wire.GetNodeProperty{NodePath: s.NodePath, Property: s.Property})
	}
	found, err := readProperties(ctx, c, asks)
	if err != nil {
		return done, err
	}
	var steps []wire.StepParam
	earlier := map[string][]string{} // properties that this edit sets, by node
	for i, s := range sets {
		if !found[i].Exists && !madePossible(s.Property, earlier[s.NodePath]) {
			done.skipped = append(done.skipped, skippedNode{s.NodePath, s.Property, wire.ReasonNoProperty, found[i].Near})
			continue
		}
		earlier[s.NodePath] = append(earlier[s.NodePath], s.Property)
		steps = append(steps, catalog.Step(wire.CmdSetNodeProperty, s))
	}
	if len(steps) == 0 {
		done.edited.Persisted = true
		if len(done.skipped) > 0 {
			s := done.skipped[0]
			done.edited.Hint = fromWire(s.Why, "path", s.NodePath, "property", s.Property, "near", s.Near).Hint
		}
		return done, nil
	}
	tx, saved, err := transact(ctx, c, label, steps, save)
	if err != nil {
		return done, err
	}
	if done.applied, err = decodeAll[wire.SetNodePropertyResult](tx.Results); err != nil {
		return done, err
	}
	for _, r := range done.applied {
		done.verdicts.add(r.NodePath, r.Verdict)
	}
	done.saving = saved
	done.edited.Undoable, done.edited.Lasting = tx.Undoable, saved.lasting(done.verdicts.all())
	return done, nil
}

// madePossible says that a property may come into being by what is set before
// it: the variables of a new script, the inside of a new resource. The editor
// judges those.
func madePossible(property string, earlier []string) bool {
	for _, e := range earlier {
		if e == "script" || strings.HasPrefix(property, e+":") {
			return true
		}
	}
	return false
}

// fit keeps what a part of an answer has room for.
func fit[T any](list []T, budget int) (kept []T, cut bool) {
	kept, page := catalog.Paged(list, 0, len(list), budget)
	return kept, page.Truncated
}
