package scene

import (
	"slices"

	"godot-mcp/server/godot/classdb"
)

// movers are the methods of the engine that take nodes out of the tree or move them.
var movers = []string{"add_child", "add_sibling", "free", "move_child", "queue_free", "remove_child", "reparent", "replace_by"}

// editorSignals come while a scene is opened, shown, arranged and renamed.
var editorSignals = []string{
	"child_entered_tree", "child_exiting_tree", "child_order_changed", "draw", "editor_description_changed",
	"editor_state_changed", "hidden", "item_rect_changed", "minimum_size_changed", "pre_sort_children",
	"property_list_changed", "ready", "renamed", "replacing_by", "resized", "script_changed", "size_flags_changed",
	"sort_children", "theme_changed", "tree_entered", "tree_exited", "tree_exiting", "visibility_changed",
}

// FiresInEditor reports whether the editor itself would change the tree of a scene
// that is only edited when the signal of a new connection comes: it calls the engine's
// own methods (engine 4.6.3, experiment). A signal that a script declares comes when
// the game sends it.
func (e Env) FiresInEditor(source NodeID, c Conn) bool {
	if !slices.Contains(movers, c.Method) || !slices.Contains(editorSignals, c.Signal) {
		return false
	}
	_, engine := classdb.FindSignal(e.Node(source).Class, c.Signal)
	return engine
}
