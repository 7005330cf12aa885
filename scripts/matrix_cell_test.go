package scripts

import (
	"context"
	"fmt"
	"slices"

	"godot-mcp/server/wire"
)

// fire makes one cell: the preview, the call, a save, a fresh load, an undo. All
// of them must tell the same.
func (c *column) fire(ctx context.Context, sh shot) error {
	list := c.here(sh.args).(map[string]any)
	t := c.tool(sh.tool)
	r := record{cell: sh.what + " × " + c.what}
	preview, previewed, err := c.answered(ctx, t, with(list, "dry_run", true))
	if err != nil {
		return err
	}
	still, err := c.glance(ctx)
	if err != nil {
		return err
	}
	if err := same("an undo restores, also after a save, and a preview changes nothing", c.base, still); err != nil {
		return err
	}
	answer, done, err := c.answered(ctx, t, list)
	if err != nil {
		return err
	}
	after, err := c.glance(ctx)
	if err != nil {
		return err
	}
	r.preview, r.answer, r.live = preview, answer, lineDiff(c.base.Live, after.Live)
	defer func() { c.out = append(c.out, r) }()
	switch {
	case previewed != done:
		return broken("a preview predicts the answer", "preview:\n%s\nanswer:\n%s", pretty(preview), pretty(answer))
	case !done:
		if err := same("a refused call changes nothing", c.base, after); err != nil {
			return err
		}
		if sh.refused == "" || answer["reason"] != string(sh.refused) || preview["reason"] != answer["reason"] {
			return fmt.Errorf("refused, where %s is due:\n%s", due(sh), pretty(answer))
		}
		return nil
	}
	fresh, err := c.judge(ctx, sh, preview, answer, after)
	if fresh != "" {
		r.fresh = lineDiff(c.base.Live, fresh)
	}
	if err != nil {
		return err
	}
	return c.takeBack(ctx, after)
}

func (c *column) answered(ctx context.Context, t tool, list map[string]any) (answer map[string]any, ok bool, err error) {
	c.tally.begin(c.what, list["dry_run"] == true)
	defer func() { c.tally.end(t, ok) }()
	res, err := c.call(ctx, t, list)
	if err != nil {
		return nil, false, err
	}
	answer, err = structured(res)
	if err == nil && !res.IsError {
		err = obeysSchema(t, res)
	}
	if rows, batch := answer["results"].([]any); batch && t.batch() && len(rows) == 1 {
		return entry(rows[0].(map[string]any), list["dry_run"] == true), answer["ok_all"] == true, err
	}
	return answer, !res.IsError, err
}

// entry is what a batch answers of its only entry, as if that had been called alone.
func entry(row map[string]any, dry bool) map[string]any {
	if result, ok := row["result"].(map[string]any); ok {
		return with(result, "dry_run", dry)
	}
	return row
}

func due(sh shot) string {
	switch {
	case sh.refused != "":
		return "the refusal " + string(sh.refused)
	case sh.loss != "":
		return "persisted false, " + string(sh.loss)
	}
	return "persisted true"
}

// judge holds the verdict against the preview, against what is known of the target
// and against what is there after a save and a fresh load.
func (c *column) judge(ctx context.Context, sh shot, preview, answer map[string]any, after Look) (fresh string, err error) {
	if err := predicted(preview, answer); err != nil {
		return "", err
	}
	if err := c.saveScene(ctx); err != nil {
		return "", err
	}
	if fresh, err = c.loaded(ctx); err != nil {
		return "", err
	}
	after.Reloaded = fresh
	if kept := answer["persisted"] == true; c.base.Live != after.Live {
		if err := heldTo(kept, !kept, c.base, after); err != nil {
			return fresh, err
		}
	}
	reason, _ := answer["reason"].(string)
	if sh.refused != "" || answer["persisted"] != (sh.loss == wire.LossNone) || reason != string(sh.loss) {
		return fresh, fmt.Errorf("done, where %s is due:\n%s", due(sh), pretty(answer))
	}
	return fresh, nil
}

// loaded loads the saved scene afresh. A file that another program took away is
// there again for that: without it the scene cannot be opened at all.
func (c *column) loaded(ctx context.Context) (string, error) {
	if slices.Contains(c.first, "gone wide.tres") {
		files, err := c.backend.Files(ctx)
		if err != nil {
			return "", err
		}
		if _, there := files[c.folder+"/wide.tres"]; !there {
			if err := c.backend.WriteFile(ctx, c.folder+"/wide.tres", []byte(c.wide)); err != nil {
				return "", err
			}
			defer func() { _ = c.backend.RemoveFile(ctx, c.folder+"/wide.tres") }()
		}
	}
	text, err := c.backend.Load(ctx, "res://"+c.folder+"/"+c.scene)
	return home.ReplaceAllString(text, "$1"), err
}

// takeBack undoes what a cell did; the next one begins where this one did.
func (c *column) takeBack(ctx context.Context, after Look) error {
	if after.Steps <= c.base.Steps {
		return nil
	}
	_, err := c.mustSucceed(ctx, c.tool("undo"), args{})
	return err
}

// glance leaves out where an embedded resource lives: a save takes one of another
// scene over in the editor's memory, which no undo takes back.
func (c *column) glance(ctx context.Context) (Look, error) {
	l, err := c.backend.Glance(ctx)
	l.Live = home.ReplaceAllString(l.Live, "$1")
	return l, err
}
