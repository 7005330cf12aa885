//go:build godot

package scripts

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
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
	p := newPool(godotBin(t), 1)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	var cells []scriptCell
	n := 0
	for _, script := range []string{"a.gd", "t.gd"} {
		for _, what := range slices.Sorted(maps.Keys(rewrittenLines)) {
			if n++; n%2 != *overTurn%2 && *overShare > 1 {
				continue
			}
			cells = append(cells, scriptCell{script + " " + what, func(folder string, files map[string][]byte) []deed {
				return rewriteSteps("res://"+folder+"/", script, rewrittenLines[what], string(files[folder+"/"+script]))
			}})
		}
	}
	playScripts(t, p, cells)
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
