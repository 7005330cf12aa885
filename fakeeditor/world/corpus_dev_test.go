//go:build corpusdev

package world

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/server/wire"
)

var uidDigits = regexp.MustCompile(`unique_id=\d+|parent_id_path=PackedInt32Array\([^)]*\)`)

func norm(s string) string {
	return uidDigits.ReplaceAllStringFunc(s, func(m string) string { return m[:strings.IndexByte(m, '=')] + "=R" })
}

func TestCorpus(t *testing.T) {
	for _, base := range strings.Split(os.Getenv("CORPUS"), ",") {
		t.Run(filepath.Base(base), func(t *testing.T) { corpus(t, base) })
	}
}

func load(t *testing.T, dir string) State {
	var tree files.Tree
	require.NoError(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if utf8.Valid(b) && len(b) < 64<<20 || len(b) < 256<<10 {
			tree = tree.With("res://"+filepath.ToSlash(rel), string(b))
		} else {
			tree = tree.WithOpaque("res://"+filepath.ToSlash(rel), int64(len(b)))
		}
		return nil
	}))
	s, err := Open(tree, Project{Path: dir}, files.DefaultDelays(), 1)
	require.NoError(t, err)
	return s
}

func corpus(t *testing.T, base string) {
	var names []string
	b, err := os.ReadFile(base + "/scenes.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &names))
	var results map[string]struct {
		Opened bool
		Text   string
	}
	b, err = os.ReadFile(base + "/results.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &results))
	s := load(t, base+"/before")
	same, diff, refused := 0, 0, 0
	for _, name := range names {
		want := results[name]
		next, out := Step(s, Input{Cause: "1", Command: wire.CmdOpenSceneFile, Params: raw(wire.OpenSceneFile{ScenePath: name})})
		if out.Err != nil {
			if want.Opened {
				fmt.Printf("REFUSED %s: %v\n", name, out.Err)
				refused++
			}
			continue
		}
		if !want.Opened {
			fmt.Printf("OPENED-ONLY-HERE %s\n", name)
			continue
		}
		s = next
		s, out = Step(s, Input{Cause: "1", Command: wire.CmdSaveScene, Params: raw(wire.SaveScene{Force: true})})
		require.Nil(t, out.Err, name)
		got, _ := s.Files.Read(name)
		if norm(got) == norm(want.Text) {
			same++
		} else {
			diff++
			fmt.Printf("DIFF %s\n", name)
			os.MkdirAll("/tmp/eng/diff", 0o755)
			f := strings.NewReplacer("/", "_", ":", "").Replace(name)
			os.WriteFile("/tmp/eng/diff/"+filepath.Base(base)+f+".want", []byte(norm(want.Text)), 0o644)
			os.WriteFile("/tmp/eng/diff/"+filepath.Base(base)+f+".got", []byte(norm(got)), 0o644)
		}
		s, out = Step(s, Input{Cause: "1", Command: wire.CmdCloseScene, Params: raw(wire.CloseScene{})})
		require.Nil(t, out.Err, name)
	}
	fmt.Printf("%s: same %d, different %d, refused %d\n", filepath.Base(base), same, diff, refused)
}
