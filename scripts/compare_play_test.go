package scripts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"godot-mcp/fakeeditor/world"
)

// A stage is a project opened in both editors, with a server each.
type stage struct {
	pool     *pool
	sessions [2]*session
	// left says that a control left a container.
	left bool
	// heard is told every answer; nil: nobody asks.
	heard func(any)
}

func (st *stage) close() error {
	var errs []error
	for _, s := range st.sessions {
		if s != nil {
			errs = append(errs, s.close())
			st.pool.giveBack(s.backend)
		}
	}
	return errors.Join(errs...)
}

// A difference is where two editors that did the same are not the same.
type difference struct {
	at   int // the step
	what string
	text string
}

func (d *difference) Error() string {
	return fmt.Sprintf("step %d: %s differ:\n%s", d.at, d.what, d.text)
}

// do makes one step on both editors and compares the answers.
func (st *stage) do(ctx context.Context, i int, d deed) error {
	var got [2]any
	for k, s := range st.sessions {
		ctx, cancel := context.WithTimeout(ctx, 40*time.Second)
		got[k] = s.answerTo(ctx, d)
		cancel()
	}
	if st.heard != nil {
		st.heard(got[0])
	}
	if !reflect.DeepEqual(got[0], got[1]) {
		return &difference{i, "the answers", string(diff.Diff("sim", []byte(pretty(got[0])+"\n"), "godot", []byte(pretty(got[1])+"\n")))}
	}
	return nil
}

// answerTo is everything that a client sees of a call, without what cannot be
// the same on two machines.
func (s *session) answerTo(ctx context.Context, d deed) any {
	if d.Human != nil {
		// A person gets no answer; what came of it is in the scene.
		_ = s.backend.Human(ctx, d.Human)
		return nil
	}
	res, err := s.call(ctx, s.tool(d.Tool), d.Args)
	if err != nil {
		return err.Error()
	}
	answer, err := structured(res)
	if err != nil {
		return err.Error()
	}
	var masked any = answer
	if loose(looseZeros, d.Tool) != nil {
		masked = unsigned(masked)
	}
	for _, name := range []string{looseNature, looseSceneBytes} {
		if l := loose(name, d.Tool); l != nil {
			masked = forgetKeys(masked, l.Keys)
		}
	}
	if loose(looseVersions, d.Tool) != nil {
		masked = withoutVersions(masked)
	}
	return map[string]any{"failed": res.IsError, "answer": masked}
}

// unsigned drops the signs of zeros in transforms of two dimensions.
func unsigned(v any) any {
	switch x := v.(type) {
	case map[string]any:
		axis, _ := x["y"].(map[string]any)
		flat := x["origin"] != nil && len(axis) == 2
		for k := range x {
			x[k] = unsigned(x[k])
			if column, ok := x[k].(map[string]any); ok && flat {
				for c := range column {
					if column[c] == "-0" {
						column[c] = 0.0
					}
				}
			}
		}
	case []any:
		for i := range x {
			x[i] = unsigned(x[i])
		}
	}
	return v
}

// withoutVersions drops the versions of trees, which are texts; those of histories
// are numbers.
func withoutVersions(v any) any {
	switch x := v.(type) {
	case map[string]any:
		if _, text := x["version"].(string); text {
			delete(x, "version")
		}
		for k := range x {
			x[k] = withoutVersions(x[k])
		}
	case []any:
		for i := range x {
			x[i] = withoutVersions(x[i])
		}
	}
	return v
}

// looks compares the trees, the histories and what a load would give.
func (st *stage) looks(ctx context.Context, i int) error {
	var l [2]Look
	for k, s := range st.sessions {
		var err error
		if l[k], err = s.backend.Peek(ctx); err != nil {
			return &difference{i, "the editors", s.backend.Name() + ": " + err.Error()}
		}
	}
	for k := range l {
		if loose(looseHomes, "") != nil {
			l[k].Reloaded = embedded.ReplaceAllString(l[k].Reloaded, "$1")
		}
	}
	for _, part := range []struct{ name, a, b string }{
		{"the live trees", l[0].Live, l[1].Live},
		{"the trees after a save and a load", l[0].Reloaded, l[1].Reloaded},
		{"tabs and selections", l[0].Session, l[1].Session},
		{"the histories", fmt.Sprint(l[0].Steps, l[0].Last), fmt.Sprint(l[1].Steps, l[1].Last)},
	} {
		if part.a != part.b {
			return &difference{i, part.name, lineDiff(part.a, part.b)}
		}
	}
	return nil
}

var embedded = regexp.MustCompile(`(<\w+ )res://[^ ]*::`)

// saved compares the files below a folder.
func (st *stage) saved(ctx context.Context, i int, folder string) error {
	var all [2]map[string]string
	for k, s := range st.sessions {
		files, err := s.backend.Files(ctx)
		if err != nil {
			return err
		}
		all[k] = map[string]string{}
		for p, content := range files {
			if !strings.HasPrefix(p, folder+"/") {
				continue
			}
			all[k][p] = string(content)
			if loose(looseUniqueIDs, "") != nil {
				all[k][p] = maskIDs(p, all[k][p])
			}
		}
	}
	for _, p := range slices.Sorted(maps.Keys(all[0])) {
		if all[0][p] != all[1][p] {
			return &difference{i, "the files " + p, lineDiff(all[0][p], all[1][p])}
		}
	}
	if a, b := slices.Sorted(maps.Keys(all[0])), slices.Sorted(maps.Keys(all[1])); !slices.Equal(a, b) {
		return &difference{i, "the lists of files", lineDiff(strings.Join(a, "\n"), strings.Join(b, "\n"))}
	}
	return nil
}

// writes marks the steps after which files are compared.
func (d deed) writes() bool {
	return slices.Contains([]string{"save_scene", "save_all_scenes", "extract_scene", "create_scene", "cross_scene_set_property", "write_script", "patch_script"}, d.Tool) ||
		d.Human != nil && d.Human[0] == "save"
}

// saves marks the steps that may write the file of the open scene.
func (d deed) saves() bool {
	return d.Tool == "save_scene" || d.Tool == "save_all_scenes" || d.Args["save"] == true || d.Human != nil && d.Human[0] == "save"
}

// sequence draws and plays n steps on a yard. It looks at every stride-th state.
func (st *stage) sequence(ctx context.Context, y yard, n, stride int) (done []deed, err error) {
	for i := range n {
		live := world.Live(st.simulated())
		d := y.drawDeed(live, 0)
		for st.avoids(d, spots(live)) {
			d = y.drawDeed(live, 0)
		}
		done = append(done, d)
		if err := st.step(ctx, y, i, d, i%stride == stride-1 || i == n-1); err != nil {
			return done, err
		}
	}
	return done, st.finish(ctx, y, n)
}

func (st *stage) step(ctx context.Context, y yard, i int, d deed, look bool) error {
	now := st.simulated()
	st.left = st.left || leavesContainer(d, spots(world.Live(now)))
	if *compareTabs && st.waits(d) {
		if err := st.nextSecond(ctx); err != nil {
			return err
		}
	}
	if err := st.do(ctx, i, d); err != nil {
		return err
	}
	if d.writes() {
		if err := st.saved(ctx, i, y.name); err != nil {
			return err
		}
	}
	if look {
		return st.looks(ctx, i)
	}
	return nil
}

// avoids reports whether a step is one that sequences keep away from.
func (st *stage) avoids(d deed, all []spot) bool {
	if d.saves() && st.opened() > 1 && loose(looseTwoOpen, "save_scene") != nil && !*compareTabs {
		return true
	}
	if d.Tool == "cross_scene_set_property" && loose(looseShared, d.Tool) != nil && !*compareTabs {
		scenes, _ := d.Args["scenes"].([]any)
		now := st.simulated()
		if slices.ContainsFunc(scenes, func(s any) bool { return world.HeldInside(now, s.(string)) }) {
			return true
		}
	}
	return st.cannotLayOut(d, all)
}

// asks reports whether a step is a call, or a batch that makes it.
func (d deed) asks(tool string) bool {
	return d.Tool == tool || slices.ContainsFunc(d.entries(), func(e deed) bool { return e.asks(tool) })
}

// opened counts the scenes that the simulated editor has open.
func (st *stage) opened() int { return len(st.simulated().Tabs) }

func (st *stage) simulated() world.State {
	return st.sessions[0].backend.(*simBackend).editor.State()
}

// finish saves what is open, compares the files, and closes everything.
func (st *stage) finish(ctx context.Context, y yard, i int) error {
	last := deed{Tool: "save_scene", Args: map[string]any{}}
	if !st.avoids(last, nil) {
		if err := st.step(ctx, y, i, last, true); err != nil {
			return err
		}
	}
	for st.opened() > 0 {
		if err := st.step(ctx, y, i, deed{Tool: "close_scene", Args: map[string]any{"confirm": true}}, st.opened() > 1); err != nil {
			return err
		}
	}
	return nil
}

func seeded(seed, n uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, n)) }
