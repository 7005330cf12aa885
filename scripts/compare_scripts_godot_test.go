//go:build godot

package scripts

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
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

// TestScriptsOverScripts gives nodes of every standing another script, or none, on both
// editors, sets its variables to what scripts of several scenes begin with, saves, loads,
// takes all of it back and does it again. Whatever is in memory and in files must agree.
func TestScriptsOverScripts(t *testing.T) {
	project, err := txtar.ParseFile("testdata/scripts_over.txt")
	require.NoError(t, err)
	p := newPool(godotBin(t), 1)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	n := 0
	for _, scene := range slices.Sorted(maps.Keys(scriptHolders)) {
		files, cells := map[string][]byte{"project.godot": []byte(plainProject)}, map[string][]deed{}
		for _, node := range scriptHolders[scene] {
			for _, script := range []string{"a.gd", "b.gd", "c.gd", "t.gd", ""} {
				if n++; n%*overShare != *overTurn {
					continue
				}
				folder := "o" + fmt.Sprint(len(cells))
				maps.Copy(files, filesIn(folder, project))
				cells[folder] = overSteps("res://"+folder+"/", scene, node, script)
			}
		}
		st, err := p.stage(t.Context(), files)
		require.NoError(t, err)
		for i := range len(cells) {
			y := yard{name: fmt.Sprint("o", i)}
			steps := cells[y.name]
			t.Run(strings.ReplaceAll(fmt.Sprint(scene, " ", steps[1].Args["node_path"], " ", steps[1].Args["script_path"]), "res://"+y.name, ""), func(t *testing.T) {
				for k, d := range steps {
					if err := st.step(t.Context(), y, k, d, true); err != nil {
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
