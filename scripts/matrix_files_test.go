package scripts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"godot-mcp/server/wire"
)

// A filing is a cell of the matrix whose call writes, opens or closes files. No undo
// takes all of that back, so each has a folder of its own.
type filing struct {
	what   string // the call × the target
	target string
	open   string   // the scene that is open, if one is
	first  []string // as of a target
	tool   string
	args   args
	// refused is the reason that is due, of the call or of its row for a file.
	refused wire.Reason
	// judge holds the answer against what is there.
	judge func(context.Context, *filed) error
}

// filed is a filing as it is made.
type filed struct {
	*column
	filing
	answer        map[string]any
	before, after scenery
}

// A scenery is the state of an editor and of the folder.
type scenery struct {
	Look
	files map[string]string // all of the project
	fresh map[string]string // each scene of the folder as a fresh load shows it
}

func (c *column) scenery(ctx context.Context) (s scenery, err error) {
	if s.Look, err = c.glance(ctx); err != nil {
		return s, err
	}
	all, err := c.backend.Files(ctx)
	if err != nil {
		return s, err
	}
	s.files, s.fresh = map[string]string{}, map[string]string{}
	for p, content := range all {
		s.files[p] = string(content)
		name, ours := strings.CutPrefix(p, c.folder+"/")
		if !ours || !strings.HasSuffix(name, ".tscn") {
			continue
		}
		text, err := c.backend.Load(ctx, "res://"+p)
		if err != nil {
			return s, err
		}
		s.fresh[name] = home.ReplaceAllString(text, "$1")
	}
	return s, nil
}

// unlike lists what differs in files: names, with + for new ones and - for those that
// are gone. The .uid files follow when the editor likes.
func (s scenery) unlike(after scenery) (out []string) {
	for p, text := range after.files {
		switch old, had := s.files[p]; {
		case strings.HasSuffix(p, ".uid"):
		case !had:
			out = append(out, "+ "+p)
		case old != text:
			out = append(out, p)
		}
	}
	for p := range s.files {
		if _, there := after.files[p]; !there && !strings.HasSuffix(p, ".uid") {
			out = append(out, "- "+p)
		}
	}
	slices.Sort(out)
	return out
}

// untouched fails when anything is not as it was.
func (s scenery) untouched(law string, after scenery) error {
	if other := s.unlike(after); len(other) > 0 {
		return broken(law, "other files: %v", other)
	}
	return same(law, s.Look, after.Look)
}

// filingBlocks are all filings, or those that flags name, or a share of them, in groups
// that share a project.
func filingBlocks(share share) [][]filing {
	only, rows := regexp.MustCompile(*matrixOnly), regexp.MustCompile(*matrixRows)
	list := slices.DeleteFunc(matrixFilings(), func(f filing) bool { return !only.MatchString(f.target) || !rows.MatchString(f.what) })
	var taken []filing
	for i, f := range list {
		if i%share.of == share.turn {
			taken = append(taken, f)
		}
	}
	return slices.Collect(slices.Chunk(taken, columnsPerProject))
}

// fileCells fires the filings of a block on one editor.
func fileCells(t *testing.T, list []filing, editor Backend, tally *watch) (out []record) {
	files := map[string][]byte{"project.godot": []byte(plainProject)}
	for i := range list {
		maps.Copy(files, matrixFiles(folderOf(i)))
	}
	s := &session{backend: editor, flags: defaultFlags}
	require.NoError(t, s.start(t.Context(), files))
	for i, f := range list {
		c := &column{session: s, target: target{what: f.target, scene: f.open, first: f.first}, folder: folderOf(i), tally: tally}
		if err := c.file(t.Context(), f); err != nil {
			t.Errorf("%s: %v", f.what, err)
		}
		out = append(out, c.out...)
	}
	require.NoError(t, s.close())
	return out
}

// file makes one filing: the preview, the call and what is known of its kind.
func (c *column) file(ctx context.Context, f filing) (err error) {
	defer func() { err = errors.Join(err, c.closeAll(ctx)) }()
	if f.open != "" {
		if _, err := c.mustSucceed(ctx, c.tool("open_scene"), args{"scene_path": "res://" + c.folder + "/" + f.open}); err != nil {
			return err
		}
	}
	for _, line := range f.first {
		if err := c.prepare(ctx, line); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
	}
	d := &filed{column: c, filing: f}
	if d.before, err = c.scenery(ctx); err != nil {
		return err
	}
	t, list := c.tool(f.tool), c.here(f.args).(map[string]any)
	preview, previewed, err := c.answered(ctx, t, with(list, "dry_run", true))
	if err != nil {
		return err
	}
	still, err := c.scenery(ctx)
	if err != nil {
		return err
	}
	if err := d.before.untouched("a preview changes nothing", still); err != nil {
		return err
	}
	answer, done, err := c.answered(ctx, t, list)
	if err != nil {
		return err
	}
	if d.after, err = c.scenery(ctx); err != nil {
		return err
	}
	d.answer = answer
	c.out = append(c.out, d.record(preview))
	switch reason := reasonOf(answer); {
	case previewed != done || reasonOf(preview) != reason:
		return broken("a preview predicts the answer", "preview:\n%s\nanswer:\n%s", pretty(preview), pretty(answer))
	case reason != string(f.refused):
		return fmt.Errorf("where the reason is to be %q:\n%s", f.refused, pretty(answer))
	case reason != "":
		return d.before.untouched("a refused call changes nothing", d.after)
	}
	late := []string{"rescan_pending"} // it depends on the time of day
	if err := predicted(forgetKeys(preview, late).(map[string]any), forgetKeys(answer, late).(map[string]any)); err != nil {
		return err
	}
	return f.judge(ctx, d)
}

// reasonOf is why a call, or what it was to do with the first of its files, is refused.
func reasonOf(answer map[string]any) string {
	if rows, ok := answer["results"].([]any); ok && len(rows) > 0 {
		answer = rows[0].(map[string]any)
	}
	if _, failed := answer["error"]; !failed {
		return ""
	}
	text, _ := answer["reason"].(string)
	if text == "" {
		text, _ = answer["required"].(string)
	}
	return text
}

// record is what is compared between editors: no digests and times of files whose ids
// are drawn.
func (d *filed) record(preview map[string]any) record {
	own := []string{"sha256", "expected_sha256", "expected_size", "size", "expected_modified", "rescan_pending"}
	if d.tool != "cross_scene_set_property" {
		own = append(own, "modified")
	}
	r := record{
		cell: d.what, preview: d.masked(forgetKeys(preview, own)), answer: d.masked(forgetKeys(d.answer, own)),
		live: lineDiff(d.before.Live, d.after.Live),
	}
	for _, p := range d.before.unlike(d.after) {
		name := strings.TrimLeft(p, "+- ")
		r.fresh += p + "\n" + lineDiff(maskIDs(name, d.before.files[name]), maskIDs(name, d.after.files[name])) + "\n"
	}
	for _, name := range slices.Sorted(maps.Keys(d.after.fresh)) {
		if d.before.fresh[name] != d.after.fresh[name] {
			r.fresh += name + " loaded\n" + lineDiff(d.before.fresh[name], d.after.fresh[name]) + "\n"
		}
	}
	return r
}

// closeAll closes what is open.
func (c *column) closeAll(ctx context.Context) error {
	for {
		answer, err := c.mustSucceed(ctx, c.tool("list_open_scenes"), args{})
		if err != nil {
			return err
		}
		if open, _ := answer["scenes"].([]any); len(open) == 0 {
			return nil
		}
		if _, err := c.mustSucceed(ctx, c.tool("close_scene"), args{"confirm": true}); err != nil {
			return err
		}
	}
}
