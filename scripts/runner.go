package scripts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"

	"godot-mcp/server/bridge/memory"
)

// Options chooses the editor or editors and the scenarios of a run.
type Options struct {
	// Files are scenario files; empty: every *.txtar below Dir.
	Files []string
	Dir   string
	// Editors chooses what the scenarios run on; GodotBin is the program of the
	// real editor where one is needed, and Parallel how many of it may run (0: 1).
	Editors  Editors
	GodotBin string
	Parallel int
	// Update rewrites the members that cmp compares with.
	Update bool
	// Limit ends a scenario that hangs. Zero: two minutes.
	Limit time.Duration
	// inMemory: server and simulated editor meet in memory and not on a port, which
	// works on a clock that stands still.
	inMemory bool
	// witness is asked at the end of a scenario, before its server and editor go.
	witness func(*scenario) (string, error)
}

// T is what a run needs of *testing.T; the command line brings its own.
type T = testscript.T

// A Runner runs scenarios and keeps the real editors that it started.
type Runner struct {
	o     Options
	files []string
	pool  *pool
}

// NewRunner checks the scenario files and prepares to run them.
func NewRunner(o Options) (*Runner, error) {
	r := &Runner{o: o, files: o.Files, pool: newPool(o.GodotBin, max(1, o.Parallel))}
	if len(r.files) == 0 {
		var err error
		if r.files, err = Find(o.Dir); err != nil {
			return nil, err
		}
	}
	if o.Editors == Both {
		r.files = slices.DeleteFunc(slices.Clone(r.files), guarded)
	}
	if len(r.files) == 0 {
		return nil, errors.New("no scenario found")
	}
	if r.o.Limit == 0 {
		r.o.Limit = 2 * time.Minute
	}
	names := map[string]string{}
	for _, f := range r.files {
		if other := names[filepath.Base(f)]; other != "" {
			return nil, fmt.Errorf("%s and %s have the same name", f, other)
		}
		names[filepath.Base(f)] = f
	}
	return r, nil
}

// Run runs the scenarios as subtests of t, each named folder/case.
func (r *Runner) Run(t T) {
	kinds := r.o.Editors.kinds()
	testscript.RunT(named{t, r.files}, testscript.Params{
		Files:               r.files,
		UpdateScripts:       r.o.Update,
		RequireExplicitExec: true,
		Cmds:                verbs,
		Setup:               r.setup,
		Condition: func(cond string) (bool, error) {
			if cond != "sim" && cond != "godot" {
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			return slices.Contains(kinds, cond), nil
		},
	})
}

// Close stops the real editors. No scenario may be running.
func (r *Runner) Close() error { return r.pool.close() }

// Find lists the scenario files below dir, sorted.
func Find(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(p, ".txtar") {
			out = append(out, p)
		}
		return err
	})
	slices.Sort(out)
	return out, err
}

// setup turns the members into the project's files and takes the editors.
func (r *Runner) setup(env *testscript.Env) error {
	ctx, cancel := context.WithTimeout(context.Background(), r.o.Limit)
	env.Defer(cancel)
	for _, f := range r.files {
		if "script-"+strings.TrimSuffix(filepath.Base(f), ".txtar") != filepath.Base(env.WorkDir) {
			continue
		}
		if problems := lint(f); len(problems) > 0 {
			return fmt.Errorf("%s: %s", f, strings.Join(problems, "; "))
		}
	}
	files, err := projectFiles(env.WorkDir)
	if err != nil {
		return err
	}
	sc := &scenario{ctx: ctx, work: env.WorkDir, files: files}
	env.Values[scenarioKey{}] = sc
	for _, kind := range r.o.Editors.kinds() {
		b, err := r.pool.take(ctx, kind)
		if err != nil {
			return err
		}
		env.Defer(func() { r.pool.giveBack(b) })
		one := &session{backend: b, flags: defaultFlags, audited: r.o.witness != nil}
		if sim, ok := b.(*simBackend); ok && r.o.inMemory {
			one.network = memory.NewNet()
			sim.network = one.network
		}
		sc.sessions = append(sc.sessions, one)
	}
	env.Defer(sc.close)
	if r.o.witness != nil {
		env.Defer(func() {
			said, err := r.o.witness(sc)
			if err != nil {
				env.T().Fatal(err)
			}
			env.T().Log(said)
		})
	}
	env.Defer(func() {
		if err := sc.alike(ctx); err != nil {
			env.T().Log(err.Error())
			env.T().FailNow()
		}
	})
	return nil
}

type scenarioKey struct{}

func of(ts *testscript.TestScript) *scenario { return ts.Value(scenarioKey{}).(*scenario) }

// plainProject is the project.godot of a scenario that brings none.
const plainProject = `; Engine configuration file.
; It's best edited using the editor UI and not directly,
; since the parameters that go here are not all obvious.
;
; Format:
;   [section] ; section goes between []
;   param=value ; assign values to parameters

config_version=5

[application]

config/name="Scenario"
config/features=PackedStringArray("4.6")
`

// outside is where members live that are not part of the project: what cmp
// compares with and what disk write writes.
const outside = "want/"

// beside is where members live that stand in a folder beside the project's.
const beside = "outside/"

func projectFiles(work string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(work, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(work, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if strings.HasPrefix(rel, outside) || strings.HasPrefix(rel, beside) || strings.HasPrefix(rel, ".tmp/") {
			return nil
		}
		files[rel], err = os.ReadFile(p)
		return err
	})
	if _, ok := files["project.godot"]; !ok {
		files["project.godot"] = []byte(plainProject)
	}
	return files, err
}

// lint finds what a scenario file must not have: no prose, a guard without a
// reason, a loosened verb without a reason.
func lint(path string) []string {
	a, err := txtar.ParseFile(path)
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	if !strings.HasPrefix(string(a.Comment), "# ") {
		out = append(out, "the first line must say in prose what the scenario shows")
	}
	if filepath.Base(filepath.Dir(path)) == "attacks" && !strings.Contains(string(a.Comment), "\n# Would gain: ") {
		out = append(out, "an attack must say what it would have gained, in a line that begins with # Would gain:")
	}
	for i, line := range strings.Split(string(a.Comment), "\n") {
		words := strings.Fields(line)
		isGuard := len(words) > 0 && strings.HasPrefix(words[0], "[")
		loose := strings.Contains(line, "mcp call-loose") || strings.Contains(line, "mcp fails-loose") || strings.Contains(line, "mcp call-raw")
		if (isGuard || loose) && !strings.HasPrefix(strings.TrimSpace(line), "#") && !strings.Contains(line, " # ") {
			out = append(out, fmt.Sprintf("line %d needs its reason in a comment", i+1))
		}
	}
	return out
}

// named gives each subtest its folder/case name.
type named struct {
	T
	files []string
}

func (n named) Run(name string, f func(T)) {
	for _, file := range n.files {
		base := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if base == name {
			name = filepath.Base(filepath.Dir(file)) + "/" + base
			break
		}
	}
	n.T.Run(name, f)
}

// guarded reports whether a scenario has a line for one editor only; such a
// scenario cannot be compared.
func guarded(path string) bool {
	a, err := txtar.ParseFile(path)
	if err != nil {
		return false
	}
	for line := range strings.SplitSeq(string(a.Comment), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "[") {
			return true
		}
	}
	return false
}
