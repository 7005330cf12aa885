//go:build godot

package scripts

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	corpusDirs   = flag.String("corpus", "", "folders of projects, with commas between, whose scenes both editors open and save")
	corpusOnly   = flag.String("corpus-only", "", "regular expression of the paths of the files to open, of all if empty")
	corpusOut    = flag.String("corpus-out", "", "folder for what the editors make of the files that they save differently")
	corpusNoTool = flag.Bool("corpus-no-tool", false, "take @tool off the scripts first, so that the files that use them are compared too")
)

// TestCorpus opens and saves every text scene of a project on both editors, and edits
// every text resource: they take and refuse the same ones, leave the refused files alone
// and write the others alike. What the first start writes for imported files is compared,
// and what project.godot says. Files whose @tool scripts run are left out by name.
// Without a flag the project is that of the matrix.
func TestCorpus(t *testing.T) {
	projects := map[string]map[string][]byte{"matrix": walkProject(t)}
	if *corpusDirs != "" {
		projects = map[string]map[string][]byte{}
		for dir := range strings.SplitSeq(*corpusDirs, ",") {
			projects[filepath.Base(dir)] = corpusProject(t, dir)
		}
	}
	p := newPool(godotBin(t), 1)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	for _, name := range slices.Sorted(maps.Keys(projects)) {
		t.Run(name, func(t *testing.T) { corpusRun(t, p, projects[name]) })
	}
}

// corpusProject reads a project without the plugins that it would turn on.
func corpusProject(t *testing.T, dir string) map[string][]byte {
	files := map[string][]byte{}
	require.NoError(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		files[filepath.ToSlash(rel)], err = os.ReadFile(p)
		return err
	}))
	require.Contains(t, files, "project.godot", dir)
	var settings []string
	skip := false
	for line := range strings.Lines(string(files["project.godot"])) {
		if strings.HasPrefix(line, "[") {
			skip = strings.HasPrefix(line, "[editor_plugins]")
		}
		if !skip {
			settings = append(settings, line)
		}
	}
	files["project.godot"] = []byte(strings.Join(settings, ""))
	for file, text := range files {
		if *corpusNoTool && strings.HasSuffix(file, ".gd") {
			files[file] = toolScript.ReplaceAll(text, nil)
		}
	}
	return files
}

// holderOf is the scene that the corpus makes to hold a resource file, so that an edit
// and a save write that file.
func holderOf(resource string) string {
	return "corpus_holders/" + strings.ReplaceAll(strings.TrimSuffix(resource, ".tres"), "/", "__") + ".tscn"
}

// holders are those scenes for every text resource of a project.
func holders(files map[string][]byte) map[string][]byte {
	out := map[string][]byte{}
	for name := range files {
		if strings.HasSuffix(name, ".tres") {
			out[holderOf(name)] = fmt.Appendf(nil, "[gd_scene format=3]\n\n[ext_resource type=\"Resource\" path=%q id=\"1\"]\n\n[node name=\"Holder\" type=\"Node\"]\nmetadata/held = ExtResource(\"1\")\n", "res://"+name)
		}
	}
	return out
}

func corpusRun(t *testing.T, p *pool, files map[string][]byte) {
	held := holders(files)
	maps.Copy(files, held)
	st, err := p.stage(t.Context(), files)
	require.NoError(t, err)
	defer func() { assert.NoError(t, st.close()) }()
	// Audio buses, the theme and some settings are read when an editor starts.
	for _, s := range st.sessions {
		require.NoError(t, s.stopEditor(t.Context()))
		require.NoError(t, s.startEditor(t.Context()))
	}
	sameImports(t, st)
	sameProject(t, st, files)
	same, different, refused, left := 0, 0, 0, 0
	classes := classFiles(files)
	only, err := regexp.Compile(*corpusOnly)
	require.NoError(t, err)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !only.MatchString(name) {
			continue
		}
		if tool := runsTool(files, classes, name); tool != "" {
			left++
			t.Logf("%s is left out: %s is a @tool script, which runs in the real editor only", name, tool)
			continue
		}
		var reasons, texts [2]string
		for i, s := range st.sessions {
			switch {
			case strings.HasSuffix(name, ".tres"):
				reasons[i], texts[i] = editAndSave(t, s, name)
			case strings.HasSuffix(name, ".tscn") && held[name] == nil:
				reasons[i], texts[i] = openAndSave(t, s, name)
			}
		}
		switch {
		case reasons[0] != reasons[1]:
			different++
			t.Errorf("%s: the simulated editor says %q, the real one %q", name, reasons[0], reasons[1])
		case reasons[0] != "":
			refused++
			for i := range texts {
				if before := string(files[name]); before != texts[i] {
					t.Errorf("%s was refused (%s), and the %s editor changed it:\n%s", name, reasons[i], st.sessions[i].backend.Name(), lineDiff(before, texts[i]))
				}
			}
		case texts[0] != texts[1]:
			different++
			keepDifference(t, name, texts)
			t.Errorf("%s: simulated (-) and real editor (+) save it differently:\n%s", name, lineDiff(texts[0], texts[1]))
		case texts[0] != "":
			same++
		}
	}
	t.Logf("%d the same, %d different, %d refused by both, %d left out", same, different, refused, left)
}

// keepDifference writes what both editors made of a file to the folder for that.
func keepDifference(t *testing.T, name string, texts [2]string) {
	if *corpusOut == "" {
		return
	}
	require.NoError(t, os.MkdirAll(*corpusOut, 0o755))
	for i, kind := range []string{"sim", "real"} {
		file := filepath.Join(*corpusOut, strings.ReplaceAll(name, "/", "__")+"."+kind)
		require.NoError(t, os.WriteFile(file, []byte(texts[i]), 0o644))
	}
}

// used finds the files that a scene, resource or script names.
var used = regexp.MustCompile(`res://[^"'\s]+\.(?:tscn|tres|gd)`)

// What a script is, extends by name and declares.
var (
	toolScript = regexp.MustCompile(`(?m)^@tool\b`)
	extended   = regexp.MustCompile(`(?m)^(?:@tool\s+|class_name\s+\w+\s+)?extends\s+(\w+)`)
	className  = regexp.MustCompile(`(?m)^(?:@tool\s+)?class_name\s+(\w+)`)
)

// classFiles are the scripts by their class_name.
func classFiles(files map[string][]byte) map[string]string {
	classes := map[string]string{}
	for file, text := range files {
		if !strings.HasSuffix(file, ".gd") {
			continue
		}
		if m := className.FindSubmatch(text); m != nil {
			classes[string(m[1])] = file
		}
	}
	return classes
}

// runsTool gives a @tool script that a scene or resource uses, itself, through scenes
// and resources below or as the base of its scripts; "" if there is none.
func runsTool(files map[string][]byte, classes map[string]string, name string) string {
	if !strings.HasSuffix(name, ".tscn") && !strings.HasSuffix(name, ".tres") {
		return ""
	}
	seen := map[string]bool{}
	var look func(string) string
	look = func(file string) string {
		text := files[file]
		if seen[file] || text == nil {
			return ""
		}
		seen[file] = true
		var next []string
		if strings.HasSuffix(file, ".gd") {
			if toolScript.Match(text) {
				return file
			}
			if m := extended.FindSubmatch(text); m != nil {
				next = append(next, classes[string(m[1])])
			}
		} else {
			for _, m := range used.FindAll(text, -1) {
				next = append(next, strings.TrimPrefix(string(m), "res://"))
			}
		}
		for _, n := range next {
			if tool := look(n); tool != "" {
				return tool
			}
		}
		return ""
	}
	return look(name)
}

// sameProject compares what the editors read from project.godot, which no tool writes:
// its bytes stay on both.
func sameProject(t *testing.T, st *stage, files map[string][]byte) {
	var told [2]map[string]any
	for i, s := range st.sessions {
		answer, err := s.mustSucceed(t.Context(), s.tool("get_project_info"), args{})
		require.NoError(t, err)
		for _, own := range []string{"project_path", "godot_version", "warnings"} {
			delete(answer, own)
		}
		told[i] = answer
		now, err := s.backend.Files(t.Context())
		require.NoError(t, err)
		assert.Equal(t, string(files["project.godot"]), string(now["project.godot"]), "project.godot of the %s editor", s.backend.Name())
	}
	assert.Equal(t, told[1], told[0], "simulated (actual) and real editor read project.godot differently")
}

// sameImports compares the .import files after the start.
func sameImports(t *testing.T, st *stage) {
	var both [2]map[string][]byte
	for i, s := range st.sessions {
		files, err := s.backend.Files(t.Context())
		require.NoError(t, err)
		both[i] = files
	}
	n := 0
	for _, name := range slices.Sorted(maps.Keys(both[1])) {
		if strings.HasSuffix(name, ".import") {
			n++
			if ours, theirs := string(both[0][name]), string(both[1][name]); ours != theirs {
				t.Errorf("%s: simulated (-) and real editor (+) import it differently:\n%s", name, lineDiff(ours, theirs))
			}
		}
	}
	t.Logf("%d .import files", n)
}

// editAndSave gives why a resource file cannot be edited, and what is in it after an
// edit of the resource and a save of the scene that holds it.
func editAndSave(t *testing.T, s *session, name string) (reason, text string) {
	no := savedAfter(t, s, holderOf(name), func() error {
		_, err := s.mustSucceed(t.Context(), s.tool("set_node_property"), args{"node_path": ".", "property": "metadata/held:resource_name", "value": "Edited"})
		return err
	})
	return refusedFor(no), savedText(t, s, name, no == nil)
}

// openAndSave gives why a scene is refused, "" if it is not, and what is in its file then.
func openAndSave(t *testing.T, s *session, name string) (reason, text string) {
	no := savedAfter(t, s, name, func() error { return nil })
	return refusedFor(no), savedText(t, s, name, no == nil)
}

// savedAfter opens a scene, edits it, saves and closes it; nil if nothing was refused.
func savedAfter(t *testing.T, s *session, scene string, edit func() error) *refusal {
	ctx := t.Context()
	_, err := s.mustSucceed(ctx, s.tool("open_scene"), args{"scene_path": "res://" + scene})
	if err == nil {
		if err = edit(); err == nil {
			_, err = s.mustSucceed(ctx, s.tool("save_scene"), args{"confirm": true})
		}
		_, closed := s.mustSucceed(ctx, s.tool("close_scene"), args{"confirm": true})
		require.NoError(t, closed, scene)
	}
	var no *refusal
	if !errors.As(err, &no) {
		require.NoError(t, err, scene)
	}
	return no
}

// refusedFor is the error and the reason of a refusal.
func refusedFor(no *refusal) string {
	if no == nil {
		return ""
	}
	code, _ := no.answer["error"].(string)
	reason, _ := no.answer["reason"].(string)
	return strings.TrimSpace(code + " " + reason)
}

func savedText(t *testing.T, s *session, name string, saved bool) string {
	files, err := s.backend.Files(t.Context())
	require.NoError(t, err)
	if !saved {
		return string(files[name])
	}
	return maskIDs(name, string(files[name]))
}
