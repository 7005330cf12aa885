//go:build godot

package scripts

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// scriptHolders are the nodes that get another script, by scene.
var scriptHolders = map[string][]string{
	"main.tscn": {
		".", "Own", "I", "I/Gun", "E", "E/Gun", "E/Clean", "E/Bare", "E/Bare/Tool",
		"M/P", "M/P/Gun", "M/P/Clean", "M/P/Bare", "M/Q", "M/Q/Gun", "M/Q/Bare", "M/Q/Bare/Tool",
	},
	"heir.tscn": {".", "P", "P/Gun", "P/Clean", "P/Bare", "P/Bare/Tool", "Q", "Q/Gun"},
}

// A cell takes a second or two on a real editor, so by default a share of them is fired.
var (
	overShare = flag.Int("over-share", 7, "one cell of scripts over or after scripts in so many is fired; 1: all")
	overTurn  = flag.Int("over-turn", 0, "which of the shares: 0 to one below -over-share")
)

// A scriptCell is what both editors do in a folder of its own with the files of
// testdata/scripts_over.txt; steps gets the folder and its files.
type scriptCell struct {
	name  string
	steps func(folder string, files map[string][]byte) []deed
}

// playScripts plays cells in one project. Whatever is in memory and in files must agree.
func playScripts(t *testing.T, p *pool, cells []scriptCell) {
	project, err := txtar.ParseFile("testdata/scripts_over.txt")
	require.NoError(t, err)
	files := map[string][]byte{"project.godot": []byte(plainProject)}
	folder := func(i int) string { return fmt.Sprint("o", i) }
	for i := range cells {
		maps.Copy(files, filesIn(folder(i), project))
	}
	st, err := p.stage(t.Context(), files)
	require.NoError(t, err)
	for i, cell := range cells {
		t.Run(cell.name, func(t *testing.T) {
			steps := cell.steps(folder(i), files)
			for k, d := range steps {
				if err := st.step(t.Context(), yard{name: folder(i)}, k, d, true); err != nil {
					t.Errorf("%v\nafter\n%s", err, lines(steps[:k+1]))
					break
				}
			}
			closing := deed{Tool: "close_scene", Args: args{"confirm": true}}
			for st.opened() > 0 {
				require.NoError(t, st.do(t.Context(), len(steps), closing))
			}
		})
	}
	require.NoError(t, st.close())
}

// TestScriptsOverScripts gives nodes of every standing another script, or none, on both
// editors, sets its variables to what scripts of several scenes begin with, saves, loads,
// takes all of it back and does it again.
func TestScriptsOverScripts(t *testing.T) {
	p := newPool(godotBin(t), 1)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	n := 0
	for _, scene := range slices.Sorted(maps.Keys(scriptHolders)) {
		var cells []scriptCell
		for _, node := range scriptHolders[scene] {
			for _, script := range []string{"a.gd", "b.gd", "c.gd", "t.gd", ""} {
				if n++; n%*overShare != *overTurn {
					continue
				}
				cells = append(cells, scriptCell{fmt.Sprint(scene, " ", node, " ", script), func(folder string, _ map[string][]byte) []deed {
					return overSteps("res://"+folder+"/", scene, node, script)
				}})
			}
		}
		playScripts(t, p, cells)
	}
}

// overSteps are the steps of one cell.
func overSteps(folder, scene, node, script string) []deed {
	call := func(tool string, list map[string]any) deed { return deed{Tool: tool, Args: list} }
	set := func(property string, value any) deed {
		return call("set_node_property", args{"node_path": node, "property": property, "value": value})
	}
	open, save := call("open_scene", args{"scene_path": folder + scene}), call("save_scene", args{})
	if script != "" {
		script = folder + script
	}
	return []deed{
		open, call("attach_script", args{"node_path": node, "script_path": script}), save,
		set("hp", 3), set("words", "n"), save, set("hp", 1), set("words", "t"), save, set("hp", 8), save,
		call("undo", args{"count": 6}), save, call("redo", args{"count": 6}), save,
		call("duplicate_node", args{"node_path": node}), save,
		call("close_scene", args{"confirm": true}), open,
		call("get_node_properties", args{"node_path": node}),
		call("attach_script", args{"node_path": node, "script_path": folder + "b.gd"}), save,
		call("close_scene", args{"confirm": true}), open,
	}
}
