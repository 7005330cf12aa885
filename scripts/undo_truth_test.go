package scripts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"godot-mcp/fakeeditor/undo"
)

// A walk is a sequence of edits, the undo of them all, and their redo. What draws
// it chooses: of n possibilities it names one.
type walk struct {
	*session
	folder string
	choose func(n int) int
	done   []string // what was done, to be told
	start  int      // steps of the histories when it began
	people int      // steps of a person that were gone back over
	serial int      // transactions that were made
	scene  string   // the file that is edited
	other  string   // one that a person edits meanwhile, if any
	theirs string   // what the person wrote there last
}

// TestUndoTruth plays random sequences: undone to the start, a save gives the bytes
// of the start; redone to the end, those of the end. What a person did is left for
// the person to take back.
func TestUndoTruth(t *testing.T) {
	files := walkProject(t)
	rapid.Check(t, func(rt *rapid.T) {
		s := &session{backend: &simBackend{}, flags: defaultFlags}
		require.NoError(rt, s.start(t.Context(), files))
		defer func() { require.NoError(rt, s.close()) }()
		w := &walk{session: s, folder: "t00", choose: func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "choice") }}
		if err := w.run(t.Context()); err != nil {
			rt.Fatalf("%v\nafter\n%s", err, strings.Join(w.done, "\n"))
		}
	})
}

func walkProject(t *testing.T) map[string][]byte {
	files := map[string][]byte{"project.godot": []byte(plainProject)}
	maps.Copy(files, matrixFiles("t00"))
	return files
}

func (w *walk) one(from ...string) string { return from[w.choose(len(from))] }

func (w *walk) run(ctx context.Context) error {
	w.scene = w.one("main.tscn", "two.tscn", "inh.tscn", "inh2.tscn")
	scene := w.path(w.scene)
	w.done = append(w.done, "open "+scene)
	if _, err := w.mustSucceed(ctx, w.tool("open_scene"), args{"scene_path": scene}); err != nil {
		return err
	}
	first, err := w.saved(ctx)
	if err != nil {
		return err
	}
	look, err := w.backend.Glance(ctx)
	if err != nil {
		return err
	}
	w.start = look.Steps
	for range 1 + w.choose(12) {
		if err := w.step(ctx); err != nil {
			return err
		}
	}
	last, err := w.saved(ctx)
	if err != nil {
		return err
	}
	if look, err = w.backend.Glance(ctx); err != nil {
		return err
	}
	made := look.Steps
	if err := w.back(ctx, w.start); err != nil {
		return err
	}
	if err := w.compare(ctx, "undo to the start and a save give the start's bytes", first); err != nil {
		return err
	}
	people := w.people
	if err := w.forth(ctx, made); err != nil {
		return err
	}
	if w.people != 0 {
		return broken("a redo takes no step of a person", "%d steps were a person's, %d are not there again", people, w.people)
	}
	if err := w.compare(ctx, "redo to the end and a save give the end's bytes", last); err != nil {
		return err
	}
	return w.leftAlone(ctx)
}

func (w *walk) path(file string) string { return "res://" + w.folder + "/" + file }

// leftAlone looks for what a person did in another scene: it is there, and is not ours
// to take back there either.
func (w *walk) leftAlone(ctx context.Context) error {
	if w.other == "" {
		return nil
	}
	if err := w.backend.Human(ctx, []string{"tab", w.path(w.other)}); err != nil {
		return err
	}
	look, err := w.backend.Glance(ctx)
	if err != nil {
		return err
	}
	const law = "what a person does in another scene stays"
	if !strings.Contains(look.Live, "  Spot editor_description = "+strconv.Quote(w.theirs)+"\n") {
		return broken(law, "%q is not in\n%s", w.theirs, look.Live)
	}
	if len(look.Tops) == 1 { // nothing in the global history, which may have steps of ours
		answer, err := w.mustSucceed(ctx, w.tool("undo"), args{})
		if err != nil {
			return err
		}
		if answer["undone"] != 0.0 || answer["stopped_by"] != "human_edit" {
			return broken(law, "%s", pretty(answer))
		}
	}
	_, err = w.mustSucceed(ctx, w.tool("close_scene"), args{"confirm": true})
	return err
}

// saved saves the scene and gives what there is then.
func (w *walk) saved(ctx context.Context) (s state, err error) {
	if _, err := w.mustSucceed(ctx, w.tool("save_scene"), args{}); err != nil {
		return s, err
	}
	look, err := w.backend.Glance(ctx)
	if err != nil {
		return s, err
	}
	all, err := w.backend.Files(ctx)
	s = state{home.ReplaceAllString(look.Live, "$1"), map[string]string{}}
	for p, content := range all {
		s.files[p] = string(content)
	}
	return s, err
}

func (w *walk) compare(ctx context.Context, law string, want state) error {
	got, err := w.saved(ctx)
	if err != nil {
		return err
	}
	return differ(law, want, got)
}

// back undoes until so many steps are left, each by whom it is. Which step is the
// next is what the editor says by taking it: the tool presses the same menu item as
// a person, and must have known beforehand what that would do.
func (w *walk) back(ctx context.Context, until int) error {
	const law = "an undo takes our steps and no others"
	for {
		look, err := w.backend.Glance(ctx)
		if err != nil || look.Steps <= until {
			return err
		}
		answer, err := w.mustSucceed(ctx, w.tool("undo"), args{})
		if err != nil {
			return err
		}
		ours := answer["undone"] == 1.0
		if !ours {
			w.people++
			if err := w.backend.Human(ctx, []string{"undo"}); err != nil {
				return err
			}
		}
		now, err := w.backend.Glance(ctx)
		if err != nil {
			return err
		}
		if now.Steps != look.Steps-1 {
			return broken("an undo takes one step", "%d steps before %q, %d after", look.Steps, look.Last, now.Steps)
		}
		taken := slices.DeleteFunc(slices.Clone(look.Tops), func(top string) bool { return slices.Contains(now.Tops, top) })
		if len(taken) != 1 {
			return broken("an undo takes one step", "the histories ended in %q before and in %q after", look.Tops, now.Tops)
		}
		name := strings.SplitN(taken[0], " ", 3)[2]
		if strings.HasPrefix(name, undo.Prefix) != ours || ours && answer["last_action"] != name || !ours && answer["stopped_by"] != "human_edit" {
			return broken(law, "%q went; the answer was\n%s", name, pretty(answer))
		}
	}
}

// forth redoes until there are so many steps.
func (w *walk) forth(ctx context.Context, until int) error {
	for {
		look, err := w.backend.Glance(ctx)
		if err != nil || look.Steps >= until {
			return err
		}
		answer, err := w.mustSucceed(ctx, w.tool("redo"), args{})
		if err != nil {
			return err
		}
		if answer["redone"] != 1.0 {
			if answer["stopped_by"] != "human_edit" || w.people == 0 {
				return broken("a redo repeats our steps", "%s", pretty(answer))
			}
			w.people--
			if err := w.backend.Human(ctx, []string{"redo"}); err != nil {
				return err
			}
		}
	}
}

// try makes a call that may be refused.
func (w *walk) try(ctx context.Context, tool string, list map[string]any) error {
	w.done = append(w.done, tool+" "+compact(list))
	_, err := w.mustSucceed(ctx, w.tool(tool), list)
	var refused *refusal
	if errors.As(err, &refused) && refused.answer["error"] != "INTERNAL_ERROR" {
		return nil
	}
	return err
}

// nodes are the paths of the scene, and what a look says of them.
func (w *walk) nodes(ctx context.Context) ([]string, map[string]facts, error) {
	look, err := w.backend.Glance(ctx)
	scene := factsOf(look.Live)
	delete(scene, "")
	return slices.Sorted(maps.Keys(scene)), scene, err
}

func (w *walk) tell(format string, a ...any) { w.done = append(w.done, fmt.Sprintf(format, a...)) }
