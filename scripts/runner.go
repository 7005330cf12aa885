package scripts

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"
)

// Options chooses the editor or editors and the scenarios of a run.
type Options struct {
	// Files are scenario files; empty: every *.txtar below Dir.
	Files []string
	Dir   string
	// Kinds names the editors of the run: "sim", "godot" or both.
	Kinds []string
	// Backends makes the editors of one scenario, one of each kind. Release
	// gives them back at its end.
	Backends func(ctx context.Context) ([]Backend, error)
	Release  func([]Backend)
	// Update rewrites the members that cmp compares with.
	Update bool
	// Limit ends a scenario that hangs. Zero: two minutes.
	Limit time.Duration
}

// T is what a run needs of *testing.T; the command line brings its own.
type T = testscript.T

// Run runs the scenarios as subtests of t, each named folder/case.
func Run(t T, o Options) {
	files := o.Files
	if len(files) == 0 {
		var err error
		if files, err = Find(o.Dir); err != nil {
			t.Fatal(err)
		}
	}
	if len(o.Kinds) > 1 {
		files = slices.DeleteFunc(files, guarded)
	}
	if len(files) == 0 {
		t.Fatal("no scenario found")
	}
	names := map[string]string{}
	for _, f := range files {
		if other := names[filepath.Base(f)]; other != "" {
			t.Fatal(f + " and " + other + " have the same name")
		}
		names[filepath.Base(f)] = f
	}
	if o.Limit == 0 {
		o.Limit = 2 * time.Minute
	}
	for _, f := range files {
		if problems := lint(f); len(problems) > 0 {
			t.Fatal(f + ": " + strings.Join(problems, "; "))
		}
	}
	testscript.RunT(named{t, files}, testscript.Params{
		Files:               files,
		UpdateScripts:       o.Update,
		RequireExplicitExec: true,
		Cmds:                verbs,
		Setup:               func(env *testscript.Env) error { return setup(env, o) },
		Condition: func(cond string) (bool, error) {
			if cond != "sim" && cond != "godot" {
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			return slices.Contains(o.Kinds, cond), nil
		},
	})
}

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

// setup turns the members into the project's files and opens the editors.
func setup(env *testscript.Env, o Options) error {
	ctx, cancel := context.WithTimeout(context.Background(), o.Limit)
	env.Defer(cancel)
	backends, err := o.Backends(ctx)
	if err != nil {
		return err
	}
	env.Defer(func() { o.Release(backends) })
	files, err := projectFiles(env.WorkDir)
	if err != nil {
		return err
	}
	sc := &scenario{ctx: ctx, work: env.WorkDir, files: files}
	for _, b := range backends {
		sc.sessions = append(sc.sessions, &session{backend: b, flags: defaultFlags})
	}
	env.Values[scenarioKey{}] = sc
	env.Defer(sc.close)
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
		if strings.HasPrefix(rel, outside) || strings.HasPrefix(rel, ".tmp/") {
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
	for i, line := range strings.Split(string(a.Comment), "\n") {
		words := strings.Fields(line)
		isGuard := len(words) > 0 && strings.HasPrefix(words[0], "[")
		loose := strings.Contains(line, "mcp call-loose") || strings.Contains(line, "mcp call-raw")
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
