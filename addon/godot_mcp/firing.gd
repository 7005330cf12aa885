@tool
extends RefCounted
## Connections that the editor itself would act on to the harm of the scene. It calls
## the engine's own methods when a signal comes, also of nodes that are only edited, and
## what takes nodes out of the tree or moves them is in no undo history then (experiment,
## 4.6.3: a node whose renamed is connected to its queue_free is gone after a rename). The
## other signals here are those that the engine's source sends while a scene is edited.

const METHODS: PackedStringArray = [
	"add_child", "add_sibling", "free", "move_child", "queue_free", "remove_child", "reparent", "replace_by",
]
## The signals that come while a scene is opened, shown, arranged and renamed.
const SIGNALS: PackedStringArray = [
	"child_entered_tree", "child_exiting_tree", "child_order_changed", "draw", "editor_description_changed",
	"editor_state_changed", "hidden", "item_rect_changed", "minimum_size_changed", "pre_sort_children",
	"property_list_changed", "ready", "renamed", "replacing_by", "resized", "script_changed", "size_flags_changed",
	"sort_children", "theme_changed", "tree_entered", "tree_exited", "tree_exiting", "visibility_changed",
]


## Whether the editor would change the tree when the signal comes; a signal that a
## script declares comes when the game sends it.
static func harms(source: Node, emits: String, method: String) -> bool:
	return method in METHODS and emits in SIGNALS and ClassDB.class_has_signal(source.get_class(), emits)
