//go:build godot

package scripts

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// rewrittenLines are what takes the place of the variables of a script, by what it is.
var rewrittenLines = map[string]string{
	"a text":        "@export var hp: String = \"x\"\n@export var words: int = 2\n",
	"a whole float": "@export var hp: float = 3.0\n@export var power: int = 1\n",
	"a float":       "@export var hp: float = 0.5\n@export var power: int = 7\n@export var words: StringName = &\"w\"\n",
	"a bool":        "@export var hp: bool\n@export var words: bool = true\n",
	"no type":       "@export var hp = 3\n@export var words = null\n@export var marks = 4\n",
	"another list":  "@export var marks: Array[String] = [\"m\"]\n@export var hp: Array = [0]\n@export var words: PackedStringArray\n",
	"a packed list": "@export var marks: PackedInt32Array\n@export var hp: Vector2i\n@export var words: NodePath\n",
	"a resource":    "@export var hp: Shape2D\n@export var words: Node\n@export var marks: Color\n",
	"nothing":       "",
}

// TestScriptsRewritten writes scripts that nodes of an open scene use, with variables of
// other types, on both editors, saves, loads, writes them as they were and takes that back.
func TestScriptsRewritten(t *testing.T) {
	project, err := txtar.ParseFile("testdata/scripts_over.txt")
	require.NoError(t, err)
	p := newPool(godotBin(t), 1)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	n := 0
	files, cells, names := map[string][]byte{"project.godot": []byte(plainProject)}, map[string][]deed{}, map[string]string{}
	for _, script := range []string{"a.gd", "t.gd"} {
		for _, what := range slices.Sorted(maps.Keys(rewrittenLines)) {
			if n++; n%2 != *overTurn%2 && *overShare > 1 {
				continue
			}
			folder := "o" + fmt.Sprint(len(cells))
			maps.Copy(files, filesIn(folder, project))
			cells[folder] = rewriteSteps("res://"+folder+"/", script, rewrittenLines[what], string(files[folder+"/"+script]))
			names[folder] = script + " " + what
		}
	}
	st, err := p.stage(t.Context(), files)
	require.NoError(t, err)
	for i := range len(cells) {
		y := yard{name: fmt.Sprint("o", i)}
		steps := cells[y.name]
		t.Run(names[y.name], func(t *testing.T) {
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

func rewriteSteps(folder, script, text, old string) []deed {
	call := func(tool string, list map[string]any) deed { return deed{Tool: tool, Args: list} }
	var props []deed
	nodes := []string{"A0", "A1", "E/Gun"}
	head := "extends Node2D\n\n"
	if script == "t.gd" {
		nodes, head = []string{"T0", "T1", "E/Bare/Tool"}, "@tool\n"+head
	}
	for _, n := range nodes {
		props = append(props, call("get_node_properties", args{"node_path": n}))
	}
	open, save := call("open_scene", args{"scene_path": folder + "written.tscn"}), call("save_scene", args{})
	write := func(text string) deed {
		return call("write_script", args{"script_path": folder + script, "content": text})
	}
	closing := call("close_scene", args{"confirm": true})
	return slices.Concat(
		[]deed{open, write(head + text)}, props, []deed{save, closing, open}, props,
		[]deed{save, write(old)}, props, []deed{save, call("undo", args{}), call("undo", args{}), save, call("redo", args{}), save, closing, open, save, closing},
	)
}
