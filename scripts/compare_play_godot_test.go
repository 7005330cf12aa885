//go:build godot

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
)

// A stage is a project opened in both editors, with a server each.
type stage struct {
	pool     *pool
	sessions [2]*session
}

func (p *pool) stage(ctx context.Context, files map[string][]byte) (*stage, error) {
	st := &stage{pool: p}
	for i, kind := range Both.kinds() {
		b, err := p.take(ctx, kind)
		if err != nil {
			return nil, errors.Join(err, st.close())
		}
		st.sessions[i] = &session{backend: b, flags: defaultFlags}
		if err := st.sessions[i].start(ctx, maps.Clone(files)); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", kind, err), st.close())
		}
	}
	return st, nil
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
	masked := unsigned(answer)
	masked = forgetKeys(masked, []string{"project_path", "duration_ms", "generation", "log", "godot_version"})
	if d.Tool == "get_node_property_list" || d.Tool == "run_commands" {
		masked = withoutHints(masked)
	}
	if digestOfScene(d.Tool, d.Args) {
		masked = forgetKeys(masked, []string{"sha256"})
	}
	return map[string]any{"failed": res.IsError, "answer": masked}
}

// unsigned drops the sign of zeros: what an engine works out from angles may
// have either.
func unsigned(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for k := range x {
			x[k] = unsigned(x[k])
		}
	case []any:
		for i := range x {
			x[i] = unsigned(x[i])
		}
	case string:
		if x == "-0" {
			return 0.0
		}
	}
	return v
}

// withoutHints drops the inspector's hints of properties, which depend on the state
// of the node in many classes.
func withoutHints(v any) any {
	switch x := v.(type) {
	case map[string]any:
		if _, numeric := x["hint"].(float64); numeric {
			delete(x, "hint")
		}
		delete(x, "hint_string")
		for k := range x {
			x[k] = withoutHints(x[k])
		}
	case []any:
		for i := range x {
			x[i] = withoutHints(x[i])
		}
	}
	return v
}

// digestOfScene marks calls whose digest is of a file with random digits.
func digestOfScene(tool string, args map[string]any) bool {
	return tool == "save_scene" || tool == "run_commands" || tool == "compose_node"
}

// looks compares the trees, the histories and what a load would give.
func (st *stage) looks(ctx context.Context, i int) error {
	var l [2]Look
	for k, s := range st.sessions {
		var err error
		if l[k], err = s.backend.Look(ctx); err != nil {
			return &difference{i, "the editors", s.backend.Name() + ": " + err.Error()}
		}
	}
	for _, part := range []struct{ name, a, b string }{
		{"the live trees", l[0].Live, l[1].Live},
		// Where an embedded resource that another scene supplies lives is not compared:
		// this scene's save may have taken it over in the real editor's memory.
		{"the trees after a save and a load", embedded.ReplaceAllString(l[0].Reloaded, "$1"), embedded.ReplaceAllString(l[1].Reloaded, "$1")},
		{"the histories", fmt.Sprint(l[0].Steps), fmt.Sprint(l[1].Steps)},
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
			// The uid of a script is drawn when a scan finds it, not by a call.
			if strings.HasPrefix(p, folder+"/") && !strings.HasSuffix(p, ".uid") {
				all[k][p] = maskIDs(p, string(content))
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
		look, err := st.sessions[0].backend.Look(ctx)
		if err != nil {
			return done, err
		}
		d := y.drawDeed(look.Live, 0)
		for d.saves() && !st.aloneOpen() {
			d = y.drawDeed(look.Live, 0)
		}
		done = append(done, d)
		if err := st.step(ctx, y, i, d, i%stride == stride-1 || i == n-1); err != nil {
			return done, err
		}
	}
	return done, st.finish(ctx, y, n)
}

func (st *stage) step(ctx context.Context, y yard, i int, d deed, look bool) error {
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

// aloneOpen reports whether no second scene is open. Saving one that another open
// scene uses makes the real editor rebuild that one when its tab is next shown, if
// the second on the clock has changed; sequences keep away from that.
func (st *stage) aloneOpen() bool {
	b, ok := st.sessions[0].backend.(*simBackend)
	return ok && len(b.editor.State().Tabs) < 2
}

// finish saves what is open, compares the files, and closes everything.
func (st *stage) finish(ctx context.Context, y yard, i int) error {
	if st.aloneOpen() {
		if err := st.step(ctx, y, i, deed{Tool: "save_scene", Args: map[string]any{}}, true); err != nil {
			return err
		}
	}
	for range 12 {
		if err := st.do(ctx, i, deed{Tool: "close_scene", Args: map[string]any{"confirm": true}}); err != nil {
			return err
		}
		res, err := st.sessions[0].mustSucceed(ctx, st.sessions[0].tool("list_open_scenes"), map[string]any{})
		if err != nil {
			return err
		}
		if open, _ := res["scenes"].([]any); len(open) == 0 {
			return nil
		}
	}
	return errors.New("the scenes cannot be closed")
}

// replay plays given steps on a fresh project with this yard only.
func (p *pool) replay(ctx context.Context, y yard, steps []deed) error {
	files := maps.Clone(y.files)
	files["project.godot"] = []byte(plainProject)
	st, err := p.stage(ctx, files)
	if err != nil {
		return err
	}
	defer func() { _ = st.close() }()
	for i, d := range steps {
		if err := st.step(ctx, y, i, d, true); err != nil {
			return err
		}
	}
	return st.finish(ctx, y, len(steps))
}

// shrink drops steps as long as the editors still differ.
func (p *pool) shrink(ctx context.Context, y yard, steps []deed, budget int) ([]deed, *difference) {
	var best *difference
	try := func(s []deed) bool {
		if budget--; budget < 0 {
			return false
		}
		var d *difference
		if err := p.replay(ctx, y, s); errors.As(err, &d) {
			best = d
			return true
		}
		return false
	}
	if !try(steps) {
		return steps, nil
	}
	cut := func() { steps = steps[:min(best.at+1, len(steps))] }
	cut()
	for size := max(1, len(steps)/2); size >= 1; size /= 2 {
		for at := len(steps) - 1 - size; at >= 0; at -= size {
			shorter := slices.Delete(slices.Clone(steps), at, min(at+size, len(steps)-1))
			if len(shorter) < len(steps) && try(shorter) {
				steps = shorter
				cut()
				at = min(at, len(steps)-1)
			}
		}
	}
	return steps, best
}

// scenario is a scenario file that plays the steps.
func (y yard) scenario(steps []deed) string {
	var b strings.Builder
	b.WriteString("# A difference that the random comparison found.\n")
	used := ""
	for _, d := range steps {
		line := d.line()
		used += line
		switch {
		case d.Human != nil:
		case d.Tool == "open_scene" && d.Args["dry_run"] == nil:
			line = "open " + d.Args["scene_path"].(string)
		case d.Tool == "save_scene" && len(d.Args) == 0:
			line = "save"
		default:
			line = "mcp call " + line
		}
		b.WriteString(line + "\n")
	}
	for _, p := range slices.Sorted(maps.Keys(y.files)) {
		fmt.Fprintf(&b, "-- %s --\n%s", p, y.files[p])
	}
	return b.String()
}

func seeded(seed, n uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, n)) }
