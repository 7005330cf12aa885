package scripts

import (
	"fmt"
	"strings"

	"godot-mcp/server/wire"
)

// An openDifference is one between the editors that is known and not mended. FIDELITY.md
// shows it beside its commands, whatever the run found that it was written from; who
// mends one takes it off this list.
type openDifference struct {
	Name     string
	Commands []string
	// What differs, and why it is left, or what shows it.
	What, Why string
}

var openDifferences = []openDifference{
	{
		Name: "types of expressions", Commands: []string{wire.CmdOpenSceneFile, wire.CmdSaveScene},
		What: "scripts that do not compile for the type of an expression, and shaders for an error in a function, are kept as if they did, with their variables and parameters",
		Why:  "it takes the compilers; syntax, names, numbers of arguments, returns, literals of another type, base classes, loaded files and the preprocessor are seen",
	},
	{
		Name: "fonts in use and moved bones", Commands: []string{wire.CmdOpenSceneFile, wire.CmdSaveScene},
		What: "fonts without data get a cache for each size other than 16 that a text is drawn in; physical bones follow the bones that are moved in the editor",
		Why:  "as layouts of text, and the simulation of bones; everything else that the engine adds is added",
	},
	{
		Name: "windows and dialogs", Commands: []string{wire.CmdOpenSceneFile, wire.CmdSaveScene},
		What: "sizes that follow from what is in them, and places that the editor's view moves",
		Why:  "as layouts of text",
	},
	{
		Name: "odd values in files", Commands: []string{wire.CmdOpenSceneFile},
		What: "properties that a class does not have are kept by the simulated editor where their names hold a slash or a digit; lists in lists of packed arrays are emptied; ids with quotes are written as they should be",
		Why:  "no editor writes them; a name with a slash or a digit can be one that the class makes up, and to keep it is the safe side",
	},
	{
		Name: "order of equal connections", Commands: []string{wire.CmdSaveScene},
		What: "connections with the same signal and target are written in another order",
		Why:  "the engine sorts them by their place in memory",
	},
	{
		Name: "classes with children of their own", Commands: []string{wire.CmdCreateNode, wire.CmdSetNodeProperty},
		What: "children that GraphEdit, HTTPRequest and Tree list, what FoldableContainer, PopupPanel and Window do to what is in them, base classes that nobody uses, settings of bone modifiers, and bones in 2D whose length is not worked out or whose number is set",
		Why:  "classesLeftOut and valuesLeftOut in compare_classes_godot_test.go name each",
	},
}

func openDifferencesText() string {
	if len(openDifferences) == 0 {
		return "None.\n"
	}
	var b strings.Builder
	b.WriteString("Not drawn by the run above, and not mended.\n\n| Difference | What | Why |\n| --- | --- | --- |\n")
	for _, d := range openDifferences {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", d.Name, d.What, d.Why)
	}
	return b.String()
}
