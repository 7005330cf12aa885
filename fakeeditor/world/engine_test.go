package world

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/server/wire"
)

// engineProject gives the files of a case: testdata/engine.txtar in a folder of the
// case's own, where "DIR" stands for the folder.
func engineProject(t *testing.T, c engineCase) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/engine.txtar")
	require.NoError(t, err)
	out := map[string]string{}
	for _, f := range txtar.Parse(data).Files {
		out["c/"+c.name+"/"+f.Name] = strings.ReplaceAll(string(f.Data), "DIR/", "res://c/"+c.name+"/")
	}
	return out
}

// randomDigits are what no editor can foresee.
var randomDigits = regexp.MustCompile(`unique_id=\d+|parent_id_path=PackedInt32Array\([^)]*\)`)

func normal(text string) string {
	return randomDigits.ReplaceAllStringFunc(text, func(m string) string { return m[:strings.IndexByte(m, '=')] + "=R" })
}

// What the simulator saves after an edit is what engine 4.6.3 saves, but for the
// digits of unique_id. TestRecordEngine (build tag godot) records the texts anew.
func TestSavesAsTheEngineDoes(t *testing.T) {
	for _, c := range engineCases {
		t.Run(c.name, func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join("testdata/engine", c.name+".txt"))
			require.NoError(t, err)
			project := engineProject(t, c)
			project["project.godot"] = "config_version=5\n\n[application]\n\nconfig/name=\"Lab\"\n"
			s, err := Open(files.NewTree(project), Project{Path: "/lab"}, files.DefaultDelays(), 1)
			require.NoError(t, err)
			dir := "res://c/" + c.name + "/"
			s = mustStep(t, s, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: dir + c.scene})
			if len(c.steps) > 0 {
				steps := make([]wire.StepParam, len(c.steps))
				for i, p := range c.steps {
					steps[i] = wire.StepParam{Command: p.Command, Params: []byte(strings.ReplaceAll(string(p.Params), `"@`, `"`+dir))}
				}
				s = mustStep(t, s, wire.CmdTransaction, wire.Transaction{Name: "T", Steps: steps})
			}
			next, out := Step(s, Input{Cause: "t", Command: wire.CmdSaveScene, Params: raw(wire.SaveScene{Force: true})})
			require.Nil(t, out.Err)
			require.Equal(t, string(want), normal(changedFiles(s, next, dir)))
		})
	}
}

// changedFiles shows the files of a folder that a save wrote.
func changedFiles(before, after State, dir string) string {
	var b strings.Builder
	for _, change := range before.Files.Disk().Diff(after.Files.Disk()) {
		if strings.HasPrefix(change.Path, dir) && change.Is {
			b.WriteString("-- " + strings.TrimPrefix(change.Path, dir) + " --\n" + change.New.Data)
		}
	}
	return b.String()
}
