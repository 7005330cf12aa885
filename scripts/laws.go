package scripts

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A law failure says which promise an answer broke.
type lawError struct{ law, detail string }

func (e *lawError) Error() string { return "law broken: " + e.law + "\n" + e.detail }

func broken(law, format string, args ...any) error {
	return &lawError{law, fmt.Sprintf(format, args...)}
}

// same reports the first difference between two looks.
func same(law string, before, after Look) error {
	for _, part := range []struct{ name, a, b string }{
		{"live tree", before.Live, after.Live},
		{"what a save would write", before.Saved, after.Saved},
		{"tabs and selection", before.Session, after.Session},
		{"project files", before.Files, after.Files},
		{"undo history", fmt.Sprint(before.Steps, " ", before.Last), fmt.Sprint(after.Steps, " ", after.Last)},
	} {
		if part.a != part.b {
			return broken(law, "the %s differs:\n%s", part.name, lineDiff(part.a, part.b))
		}
	}
	return nil
}

// predicted compares a preview with the answer of the real call: every key of
// the preview but dry_run is there with the same value, at every depth, apart
// from flags that say "done" (false in the preview, true in the answer).
func predicted(preview, real map[string]any) error {
	if preview["dry_run"] != true {
		return broken("a preview says so", "dry_run is %s in the preview", compact(preview["dry_run"]))
	}
	return predictedKeys("", preview, real)
}

// Keys that only previews have: what says so, what a batch plans, and how undo
// and redo name the step that would be next (each of their modes has its own
// fields, and none of them says more than the answer).
var previewOnly = []string{"dry_run", "preview", "planned", "has_undo", "has_redo", "would_undo_next", "would_redo_next"}

// Flags that predict: false must not become true in the answer.
var predictions = []string{
	"persisted", "changed", "undoable", "renamed", "would_overwrite", "truncated", "already_open", "had_unsaved", "ok", "ok_all",
}

func predictedKeys(at string, preview, real map[string]any) error {
	for _, k := range slices.Sorted(maps.Keys(preview)) {
		if slices.Contains(previewOnly, k) || k == "hint" && preview["ok_all"] == false {
			continue // a batch that would stop says so in other words than one that did
		}
		if _, done := preview["adjusted"]; done && k == "renamed" {
			// godot_scene_edit_rename_node says adjusted where others say
			// renamed; its renamed is the flag that says "done".
			continue
		}
		if err := predictedValue(at, k, preview[k], real[k]); err != nil {
			return err
		}
	}
	return nil
}

func predictedValue(at, key string, p, r any) error {
	where := strings.TrimPrefix(at+"."+key, ".")
	switch p := p.(type) {
	case map[string]any:
		if r, ok := r.(map[string]any); ok {
			return predictedKeys(where, p, r)
		}
	case []any:
		r, ok := r.([]any)
		if !ok || len(r) != len(p) {
			break
		}
		for i := range p {
			if err := predictedValue(where, strconv.Itoa(i), p[i], r[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if reflect.DeepEqual(p, r) || p == false && r == true && !slices.Contains(predictions, key) {
		return nil
	}
	return broken("a preview predicts the answer", "%s: preview %s, answer %s", where, compact(p), compact(r))
}

func collectVerdicts(v any) []bool {
	var out []bool
	switch x := v.(type) {
	case map[string]any:
		if p, ok := x["persisted"].(bool); ok {
			out = append(out, p)
		}
		for _, k := range slices.Sorted(maps.Keys(x)) {
			out = append(out, collectVerdicts(x[k])...)
		}
	case []any:
		for _, e := range x {
			out = append(out, collectVerdicts(e)...)
		}
	}
	return out
}

// lineDiff shows the lines that only one text has, at most 40 of them.
func lineDiff(a, b string) string {
	count := map[string]int{}
	for l := range strings.SplitSeq(a, "\n") {
		count[l]--
	}
	for l := range strings.SplitSeq(b, "\n") {
		count[l]++
	}
	var out []string
	for l, n := range count {
		if n != 0 {
			out = append(out, map[bool]string{true: "+ ", false: "- "}[n > 0]+l)
		}
	}
	if len(out) == 0 {
		return "(the same lines in another order)"
	}
	sort.Slice(out, func(i, j int) bool { return out[i][2:]+out[i][:1] < out[j][2:]+out[j][:1] })
	if len(out) > 40 {
		out = append(out[:40], fmt.Sprintf("… and %d more", len(out)-40))
	}
	return strings.Join(out, "\n")
}

// underLaws makes one changing or reading call and checks what its class promises.
func (s *session) underLaws(ctx context.Context, t tool, args map[string]any) (map[string]any, error) {
	before, err := s.backend.Look(ctx)
	if err != nil {
		return nil, err
	}
	if t.readOnly() {
		answer, err := s.mustSucceed(ctx, t, args)
		if err != nil {
			return nil, err
		}
		after, err := s.backend.Look(ctx)
		if err != nil {
			return nil, err
		}
		return answer, same("a read changes nothing", before, after)
	}
	if !t.previews() || args["dry_run"] == true {
		return s.mustSucceed(ctx, t, args)
	}

	preview, err := s.mustSucceed(ctx, t, with(args, "dry_run", true))
	if err != nil {
		return nil, fmt.Errorf("preview: %w", err)
	}
	still, err := s.backend.Look(ctx)
	if err != nil {
		return nil, err
	}
	if err := same("a preview changes nothing", before, still); err != nil {
		return nil, err
	}
	answer, err := s.mustSucceed(ctx, t, args)
	if err != nil {
		return nil, err
	}
	if err := predicted(preview, answer); err != nil {
		return answer, err
	}
	after, err := s.backend.Look(ctx)
	if err != nil {
		return answer, err
	}
	if t.history() {
		return answer, nil
	}
	if err := kept(answer, before, after); err != nil {
		return answer, err
	}
	if t.Irreversible && after.Steps < before.Steps {
		// Closing and reloading a scene end its history; that is what such a
		// tool says of itself, and there is nothing left to take back.
		return answer, nil
	}
	if keepsFiles(t, args) {
		before.Files = after.Files
	}
	if t.batch() {
		return answer, s.batchUndoLaw(ctx, before, after)
	}
	return answer, s.undoLaw(ctx, before, after)
}

// keepsFiles marks calls that write scene files besides their edit: a saved
// scene stays saved and an extracted scene stays a file, as the tools say; only
// the edit is undone.
func keepsFiles(t tool, args map[string]any) bool {
	return t.Tool != nil && t.Handler == "extract_scene" || args["save"] == true
}

// batchUndoLaw takes back what a batch did and repeats it. Its entries are undo
// steps of their own, as if they had been called one by one, so the law of one
// step is not its; all of them together are.
func (s *session) batchUndoLaw(ctx context.Context, before, after Look) error {
	n := after.Steps - before.Steps
	if n <= 0 {
		return nil
	}
	return s.moves(ctx, before, after, map[string]any{"count": n})
}

// undoLaw takes back the one history entry that a call made and repeats it.
// Session is left out: a selection or a tab is not undone.
func (s *session) undoLaw(ctx context.Context, before, after Look) error {
	switch after.Steps - before.Steps {
	case 0:
		return nil
	case 1:
	default:
		return broken("one call is one undo step", "the history grew by %d", after.Steps-before.Steps)
	}
	return s.moves(ctx, before, after, map[string]any{})
}

func (s *session) moves(ctx context.Context, before, after Look, count map[string]any) error {
	for _, move := range []struct {
		tool, law string
		want      Look
	}{{"undo", "one undo restores", before}, {"redo", "one redo repeats", after}} {
		if _, err := s.mustSucceed(ctx, s.tool(move.tool), count); err != nil {
			return fmt.Errorf("%s: %w", move.tool, err)
		}
		now, err := s.backend.Look(ctx)
		if err != nil {
			return err
		}
		now.Session, now.Last, now.Steps = move.want.Session, move.want.Last, move.want.Steps
		if err := same(move.law, move.want, now); err != nil {
			return err
		}
	}
	return nil
}

func with(args map[string]any, key string, value any) map[string]any {
	out := maps.Clone(args)
	if out == nil {
		out = map[string]any{}
	}
	out[key] = value
	return out
}
