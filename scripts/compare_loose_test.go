package scripts

import (
	"slices"

	"godot-mcp/server/wire"
)

// A loosening is a place where the random comparison of the simulated and the real
// editor looks away, or a situation that it does not draw. This list is the only
// place for them: the comparison takes what it leaves out from here, and
// FIDELITY.md shows it.
type loosening struct {
	// Name is what the comparison's code calls it.
	Name string
	// Tools are the calls that it concerns; none stands for all.
	Tools []string
	// Commands are those of the wire whose answers or effects are compared less for
	// it; a loosening without any concerns all.
	Commands []string
	// What is not compared, or not drawn.
	What string
	// Why.
	Why string
	// Keys of answers that are left out.
	Keys []string
	// Undrawn says that no sequence draws the situation.
	Undrawn bool
	// Apart says that it is drawn by sequences of their own (flag -compare-tabs).
	Apart bool
}

// Names of the loosenings.
const (
	looseNature     = "own by nature"
	looseVersions   = "versions of trees"
	looseZeros      = "signs of zeros"
	looseSceneBytes = "digest of scenes"
	looseUniqueIDs  = "unique ids"
	looseHomes      = "homes of embedded resources"
	looseTwoOpen    = "saving beside open scenes"
	looseShared     = "scenes that others instance"
	looseLayout     = "controls out of containers"
	looseFonts      = "layouts of text"
)

// loosenings is the list.
var loosenings = []loosening{
	{
		Name: looseNature, What: "project folder, durations, build of the engine, generation and log",
		Why: "each editor has its own", Keys: []string{"project_path", "duration_ms", "generation", "log", "godot_version"},
	},
	{Name: looseVersions, What: "the version text of a scene's tree", Why: "it counts what a session has done, the preparations of the editor included"},
	{Name: looseZeros, What: "-0 counts as 0 in a Transform2D", Why: "a new node has none, and one that was ever moved or turned has, also where it is back at its place"},
	{
		Name: looseSceneBytes, Commands: []string{wire.CmdSaveScene, wire.CmdRunCommands}, Tools: []string{"save_scene", "run_commands", "compose_node"}, What: "sha256 of a scene that is saved",
		Why: "the file has unique ids drawn at random; the bytes are compared without them", Keys: []string{"sha256"},
	},
	{Name: looseUniqueIDs, Commands: []string{wire.CmdSaveScene, wire.CmdSaveAllScenes, wire.CmdExtractScene, wire.CmdCreateScene, wire.CmdCrossSceneSetProperty}, What: "the digits of unique_id and parent_id_path in files", Why: "the engine draws them at random"},
	{
		Name: looseHomes, What: "which file an embedded resource belongs to, in the tree after a save and a load",
		Why: "a save may have moved it in the memory of the real editor, which no file shows",
	},
	{
		Name: looseTwoOpen, Commands: []string{wire.CmdSaveScene, wire.CmdSaveAllScenes}, Apart: true, Tools: []string{"save_scene", "save_all_scenes", "compose_node"}, What: "saving while a second scene is open",
		Why: "the real editor makes a scene anew whose instances changed on disk by the second on the clock, so each of these steps waits for a new one",
	},
	{
		Name: looseShared, Commands: []string{wire.CmdCrossSceneSetProperty}, Apart: true, Tools: []string{"cross_scene_set_property"},
		What: "changing a closed scene that others instance", Why: "as for saving beside open scenes",
	},
	{
		Name: looseLayout, Commands: []string{wire.CmdMoveNode, wire.CmdUndo, wire.CmdRedo}, Undrawn: true, Tools: []string{"move_node", "undo", "redo"},
		What: "moving a control from a container to a parent that is none, in a batch or where the simulated editor does not know its place for certain; after such a move, undoing or redoing several steps at once",
		Why:  "it keeps the place that the container gave it a frame before; known are boxes that are shown and stretch none of what is in them, with text as under layouts of text",
	},
	{
		Name: looseFonts, Commands: []string{wire.CmdSetNodeProperty, wire.CmdCreateNode}, Undrawn: true, Tools: []string{"set_node_property", "create_node"},
		What: "setting layout_mode or anchors_preset where the simulated editor does not know the size for certain, and, of other classes than Control and Panel, in a batch or with a new node below a control",
		Why:  "the offsets then get the size that the control has; known are the engine's own theme and font, in two sizes, for printable ASCII without ligatures that is not wrapped or cut, bars, and boxes of what is known",
	},
}

// loose gives the loosening of a name, as far as it concerns a tool; nil for none.
// What is not on the list is compared.
func loose(name, tool string) *loosening {
	i := slices.IndexFunc(loosenings, func(l loosening) bool { return l.Name == name })
	if i < 0 || len(loosenings[i].Tools) > 0 && !slices.Contains(loosenings[i].Tools, tool) {
		return nil
	}
	return &loosenings[i]
}

// notCompared are the commands that no sequence sends, and why.
var notCompared = map[string]string{
	wire.CmdCheckScript:      "its answers are the compiler's; scenarios compare them for chosen scripts",
	wire.CmdGetOutcome:       "the server asks it after a broken link; scenarios break links",
	wire.CmdGetScanState:     "it depends on the time of day; scenarios wait for a scan on both editors",
	wire.CmdNodePersistence:  "scenarios compare it; every edit's verdict is the same one",
	wire.CmdPing:             "it answers with times",
	wire.CmdRescanFilesystem: "it depends on the time of day; scenarios wait for a scan on both editors",
}
