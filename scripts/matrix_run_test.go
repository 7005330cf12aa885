package scripts

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"godot-mcp/server/godot/ids"
)

// A record is what came of one cell of the matrix on one editor. Live and fresh
// are the changes of the tree in memory, and of the tree after a save and a fresh
// load, against the tree before the call.
type record struct {
	cell            string
	preview, answer any
	live, fresh     string
}

// A share is one cell in so many of a column; in the next column it is the next one.
type share struct{ of, turn int }

// A column is one target with its own folder and scene.
type column struct {
	*session
	target
	folder string
	base   Look
	share  share
	tally  *watch
	left   int               // the cells that are left out until the next one
	files  map[string]string // of the folder after the first save
	wide   string            // the content of wide.tres
	out    []record
	errs   []error
}

var (
	matrixOnly = flag.String("matrix", "", "expression for the targets that the matrix is confined to")
	matrixRows = flag.String("matrix-rows", "", "expression for the calls that the matrix is confined to")
)

// fewestCells is how many cells the matrix has at least.
const fewestCells = 400

// columnsPerProject bounds the files that a look goes through.
const columnsPerProject = 16

// A block is some targets that share a project.
type block struct {
	first   int
	targets []target
}

// matrixBlocks are all targets, or those that a flag names.
func matrixBlocks() (out []block) {
	only := regexp.MustCompile(*matrixOnly)
	targets := slices.DeleteFunc(matrixTargets(), func(x target) bool { return !only.MatchString(x.what) })
	for first := 0; first < len(targets); first += columnsPerProject {
		out = append(out, block{first, targets[first:min(first+columnsPerProject, len(targets))]})
	}
	return out
}

// enough fails a test for a matrix with few cells; it is false for one that flags confine.
func enough(t *testing.T, cells int) bool {
	t.Logf("%d cells", cells)
	if *matrixOnly != "" || *matrixRows != "" {
		return false
	}
	require.GreaterOrEqual(t, cells, fewestCells)
	return true
}

// run fires every primitive at the targets on one editor, or its share of them.
func (b block) run(t *testing.T, editor Backend, share share, tally *watch) (out []record) {
	files := map[string][]byte{"project.godot": []byte(plainProject)}
	for i := range b.targets {
		maps.Copy(files, matrixFiles(folderOf(b.first+i)))
	}
	s := &session{backend: editor, flags: defaultFlags}
	require.NoError(t, s.start(t.Context(), files))
	for i, target := range b.targets {
		folder := folderOf(b.first + i)
		c := &column{session: s, target: target, folder: folder, wide: string(files[folder+"/wide.tres"]), share: share, tally: tally, left: (b.first + i + share.turn) % share.of}
		if err := c.run(t.Context()); err != nil {
			t.Errorf("%s: %v", target.what, err)
		}
		for _, err := range c.errs {
			t.Errorf("%v", err)
		}
		out = append(out, c.out...)
	}
	require.NoError(t, s.close())
	return out
}

func folderOf(i int) string { return fmt.Sprintf("t%02d", i) }

var uidWords = regexp.MustCompile(`uid\(([\w.]+)\)`)

var matrixProject = sync.OnceValue(func() *txtar.Archive {
	project, err := txtar.ParseFile("testdata/matrix.txt")
	if err != nil {
		panic(err)
	}
	return project
})

// scriptOf is the text of a file of the matrix, nil for one that is not there.
func scriptOf(name string) []byte {
	for _, f := range matrixProject().Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// matrixFiles is the project of one column, in a folder.
func matrixFiles(folder string) map[string][]byte { return filesIn(folder, matrixProject()) }

// filesIn are the files of a project, in a folder.
func filesIn(folder string, project *txtar.Archive) map[string][]byte {
	files := map[string][]byte{}
	for _, f := range project.Files {
		content := strings.ReplaceAll(string(f.Data), "HERE", folder)
		content = uidWords.ReplaceAllStringFunc(content, func(w string) string {
			name := uidWords.FindStringSubmatch(w)[1]
			return ids.UID(ids.Hash64("res://"+folder+"/"+name) >> 2).String()
		})
		files[folder+"/"+f.Name] = []byte(content)
	}
	return files
}

// here puts the column's folder into arguments.
func (c *column) here(v any) any {
	switch x := v.(type) {
	case string:
		return strings.ReplaceAll(x, "HERE", c.folder)
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[k] = c.here(e)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = c.here(e)
		}
		return out
	}
	return v
}

func (c *column) run(ctx context.Context) (err error) {
	path := "res://" + c.folder + "/" + c.scene
	if _, err := c.mustSucceed(ctx, c.tool("open_scene"), args{"scene_path": path}); err != nil {
		return err
	}
	defer func() {
		_, closed := c.mustSucceed(ctx, c.tool("close_scene"), args{"confirm": true})
		err = errors.Join(err, closed)
	}()
	for _, line := range c.first {
		if err := c.prepare(ctx, line); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
	}
	if c.files, err = c.save(ctx); err != nil {
		return err
	}
	if err = c.begin(ctx); err != nil {
		return err
	}
	scene, only := factsOf(c.base.Live), regexp.MustCompile(*matrixRows)
	for _, p := range matrixPrimitives() {
		for _, sh := range p.at(aim{c.target, scene[c.path], scene}) {
			if !only.MatchString(sh.what) {
				continue
			}
			if c.left--; c.left >= 0 {
				continue
			}
			c.left = c.share.of - 1
			if c.is&missing != 0 {
				sh.refused = "node_not_found"
			}
			if err := c.fire(ctx, sh); err != nil {
				c.errs = append(c.errs, fmt.Errorf("%s × %s: %w", sh.what, c.what, err))
				if err := c.restore(ctx); err != nil {
					return err
				}
			}
		}
	}
	files, err := c.save(ctx)
	if err == nil && !reflect.DeepEqual(files, c.files) {
		return broken("undo to the start and a save give the start's bytes", "%s", diffFiles(c.files, files))
	}
	return err
}

// prepare does one line of what happens before.
func (c *column) prepare(ctx context.Context, line string) error {
	words := strings.Fields(c.here(line).(string))
	switch words[0] {
	case "human":
		return c.backend.Human(ctx, words[1:])
	case "gone":
		return c.backend.RemoveFile(ctx, c.folder+"/"+words[1])
	case "change":
		return c.change(ctx, words[1])
	}
	list, err := parseArgs(words[1:])
	if err != nil {
		return err
	}
	_, err = c.mustSucceed(ctx, c.tool(words[0]), list)
	return err
}

// change is another program's change of a file: a value more in its last section.
func (c *column) change(ctx context.Context, name string) error {
	files, err := c.backend.Files(ctx)
	if err != nil {
		return err
	}
	text := string(files[c.folder+"/"+name])
	if strings.HasSuffix(name, ".tscn") {
		_, section, _ := strings.Cut(text, "\n[node ")
		head, _, _ := strings.Cut(section, "]\n")
		text = strings.Replace(text, head+"]\n", head+"]\nprocess_priority = 5\n", 1)
	} else {
		text += "custom_solver_bias = 0.5\n"
	}
	return c.backend.WriteFile(ctx, c.folder+"/"+name, []byte(text))
}

// saveScene saves the scene, and anew the file of an edited resource that is gone.
func (c *column) saveScene(ctx context.Context) error {
	_, err := c.mustSucceed(ctx, c.tool("save_scene"), args{"overwrite_external": true, "confirm": true})
	return err
}

// save saves the scene and gives the files of the folder, apart from those that
// extracting made and from what another program removed: a save may bring it back.
func (c *column) save(ctx context.Context) (map[string]string, error) {
	if err := c.saveScene(ctx); err != nil {
		return nil, err
	}
	all, err := c.backend.Files(ctx)
	out := map[string]string{}
	for p, content := range all {
		if name, ok := strings.CutPrefix(p, c.folder+"/"); ok && !slices.Contains([]string{"put.tscn", "copied.tscn"}, name) && !slices.Contains(c.first, "gone "+name) {
			out[name] = string(content)
		}
	}
	return out, err
}

// restore takes back what a failed cell may have left.
func (c *column) restore(ctx context.Context) error {
	now, err := c.glance(ctx)
	if err == nil && now.Steps > c.base.Steps {
		_, err = c.mustSucceed(ctx, c.tool("undo"), args{"count": now.Steps - c.base.Steps})
	}
	return errors.Join(err, c.begin(ctx))
}

// begin takes the state from which every cell starts.
func (c *column) begin(ctx context.Context) (err error) {
	if c.base, err = c.glance(ctx); err == nil {
		c.base.Reloaded, err = c.loaded(ctx)
	}
	return err
}
