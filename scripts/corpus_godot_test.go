//go:build godot

package scripts

import (
	"errors"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var corpusDirs = flag.String("corpus", "", "folders of projects, with commas between, whose scenes both editors open and save")

// TestCorpus opens and saves every text scene of a project on both editors: they take
// and refuse the same ones, leave the refused files alone and write the others alike.
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
	return files
}

func corpusRun(t *testing.T, p *pool, files map[string][]byte) {
	st, err := p.stage(t.Context(), files)
	require.NoError(t, err)
	defer func() { assert.NoError(t, st.close()) }()
	same, different, refused := 0, 0, 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasSuffix(name, ".tscn") {
			continue
		}
		var reasons, texts [2]string
		for i, s := range st.sessions {
			reasons[i], texts[i] = openAndSave(t, s, name)
		}
		switch {
		case reasons[0] != reasons[1]:
			different++
			t.Errorf("%s: the simulated editor says %q, the real one %q", name, reasons[0], reasons[1])
		case reasons[0] != "":
			refused++
			for i := range texts {
				assert.Equal(t, string(files[name]), texts[i], "%s was refused (%s)", name, reasons[i])
			}
		case texts[0] != texts[1]:
			different++
			t.Errorf("%s: simulated (-) and real editor (+) save it differently:\n%s", name, lineDiff(texts[0], texts[1]))
		default:
			same++
		}
	}
	t.Logf("%d the same, %d different, %d refused by both", same, different, refused)
}

// openAndSave gives why a scene is refused, "" if it is not, and what is in its file then.
func openAndSave(t *testing.T, s *session, name string) (reason, text string) {
	ctx := t.Context()
	_, err := s.mustSucceed(ctx, s.tool("open_scene"), args{"scene_path": "res://" + name})
	if err == nil {
		_, err = s.mustSucceed(ctx, s.tool("save_scene"), args{"confirm": true})
		_, closed := s.mustSucceed(ctx, s.tool("close_scene"), args{"confirm": true})
		require.NoError(t, closed, name)
	}
	var no *refusal
	if !errors.As(err, &no) {
		require.NoError(t, err, name)
	}
	return refusedFor(no), savedText(t, s, name, no == nil)
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
