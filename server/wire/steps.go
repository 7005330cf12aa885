package wire

import "encoding/json"

// Node paths are relative to the root of the edited scene: "." is the root,
// "A/B" a descendant, "%Name" a unique name. In a transaction, ":ref" (and
// ":ref/Child") names what an earlier step of it made with As "ref"; a colon
// can stand in no node name.
//
// Values are typed JSON as package godot/variant defines it. The editor
// converts to the declared type of the property, reads back what the setter
// kept and reports that.
//
// The version of a scene (in reads of it) stays the same as long as nobody but this
// addon changes the scene. A command with an ExpectedVersion is refused, with
// nothing done, when the scene it acts on has another by now: a person, or another
// plugin, edited, undid, redid or loaded it anew, or switched to another scene.
// What was changed without the undo history is not seen.
//
// The verdict of every step is taken after the last step of its transaction,
// on the tree that the transaction leaves (in a dry run: would leave).

// Transaction runs steps as one undo action in one frame, all or nothing: each
// step is checked against the state that the steps before it leave; when one
// fails nothing is committed and Error.Step is its index. With DryRun nothing
// is committed either and the answer is what the real run would say.
//
//wire:session cmd_transaction
type Transaction struct {
	// Name is what the history shows; the editor puts "MCP: " before it.
	Name            string      `json:"name"`
	Steps           []StepParam `json:"steps"`
	ExpectedVersion string      `json:"expected_version,omitempty"`
	DryRun          bool        `json:"dry_run,omitempty"`
}

// StepParam is one step of a [Transaction].
type StepParam struct {
	Command string          `json:"command"`
	Params  json.RawMessage `json:"params"`
}

// TransactionResult holds one result per step, in order, each of the shape
// that the step's own command answers.
type TransactionResult struct {
	Results []json.RawMessage `json:"results"`
	// Committed is false for a dry run and for steps that changed nothing
	// (then no history entry exists).
	Committed bool `json:"committed"`
	// Undoable says that one undo takes the edit back; in a dry run, that it would.
	Undoable bool   `json:"undoable"`
	Action   string `json:"action,omitempty"`
}

// CreateNode adds a node owned by the edited root. Type is an engine class, or
// a script class_name (then the base class is made and the script attached).
// A taken name becomes the next free readable one (B -> B2), as the editor does.
//
//wire:step cmd_create_node
type CreateNode struct {
	ParentPath string `json:"parent_path"`
	Type       string `json:"type"`
	// Name may be empty: the class name is used.
	Name       string                     `json:"name"`
	Index      *int                       `json:"index,omitempty"` // among siblings; absent: last
	Properties map[string]json.RawMessage `json:"properties,omitempty"`
	ScriptPath string                     `json:"script_path,omitempty"`
	Groups     []string                   `json:"groups,omitempty"`
	UniqueName bool                       `json:"unique_name,omitempty"`
	As         string                     `json:"as,omitempty"`
}

// NewNodeResult answers create, instance and duplicate.
type NewNodeResult struct {
	NodePath string `json:"node_path"`
	Name     string `json:"name"`
	// Renamed is true when Name is not the name that was asked for.
	Renamed bool   `json:"renamed"`
	Type    string `json:"type"`
	// Properties are the values read back, for those that were given.
	Properties map[string]json.RawMessage `json:"properties,omitempty"`
	Verdict
}

// InstanceScene adds an instance of a scene in the editor's own instance state
// (GEN_EDIT_STATE_INSTANCE), so that the file gets a clean instance= entry.
//
//wire:step cmd_instance_scene
type InstanceScene struct {
	ParentPath string                     `json:"parent_path"`
	ScenePath  string                     `json:"scene_path"`
	Name       string                     `json:"name,omitempty"` // empty: the scene root's name
	Index      *int                       `json:"index,omitempty"`
	Properties map[string]json.RawMessage `json:"properties,omitempty"`
	As         string                     `json:"as,omitempty"`
}

// DuplicateNode copies a node with its subtree next to it; owners of all
// copied descendants are set so that a save keeps them, instances stay instances.
//
//wire:step cmd_duplicate_node
type DuplicateNode struct {
	NodePath string `json:"node_path"`
	Name     string `json:"name,omitempty"` // empty: the next readable name
	As       string `json:"as,omitempty"`
}

// BrokenNodePath is a stored NodePath property that led to a node before a step and
// leads nowhere after it: the editor's scene dock rewrites such paths, a step does
// not. Paths that begin at /root or use a unique name are not looked at.
type BrokenNodePath struct {
	NodePath string `json:"node_path"` // who holds it, by its path before the step
	Property string `json:"property"`
	Value    string `json:"value"`
}

// DeleteNode removes a node and its subtree. The root, and nodes that an
// instance or base scene supplies, are refused (they come back on reload).
//
//wire:step cmd_delete_node
type DeleteNode struct {
	NodePath string `json:"node_path"`
}

// DeleteNodeResult answers cmd_delete_node.
type DeleteNodeResult struct {
	NodePath string `json:"node_path"`
	Removed  int    `json:"removed"` // nodes, the subtree included
	// Disconnected counts persistent connections from outside the subtree that went with it.
	Disconnected int `json:"disconnected"`
	// BrokenNodePaths are at most 20, in tree order.
	BrokenNodePaths []BrokenNodePath `json:"broken_node_paths,omitempty"`
	Verdict
}

// MoveNode gives a node another parent and/or place among its siblings,
// keeping owners of the whole subtree. Index -1 is last; with the same parent
// it reorders.
//
//wire:step cmd_move_node
type MoveNode struct {
	NodePath      string `json:"node_path"`
	NewParentPath string `json:"new_parent_path"`
	Index         int    `json:"index"`
}

// MoveNodeResult answers cmd_move_node. Index is the final place.
type MoveNodeResult struct {
	NodePath string `json:"node_path"` // the new path
	OldPath  string `json:"old_path"`
	Index    int    `json:"index"`
	Changed  bool   `json:"changed"`
	// BrokenNodePaths are at most 20, in tree order.
	BrokenNodePaths []BrokenNodePath `json:"broken_node_paths,omitempty"`
	Verdict
}

// RenameNode renames; a taken name becomes the next free one. Nodes that an
// instance or base scene supplies are refused.
//
//wire:step cmd_rename_node
type RenameNode struct {
	NodePath string `json:"node_path"`
	NewName  string `json:"new_name"`
}

// RenameNodeResult answers cmd_rename_node.
type RenameNodeResult struct {
	NodePath string `json:"node_path"` // the new path
	OldName  string `json:"old_name"`
	NewName  string `json:"new_name"`
	Renamed  bool   `json:"renamed"` // NewName is not the name asked for
	Changed  bool   `json:"changed"`
	// BrokenNodePaths are at most 20, in tree order.
	BrokenNodePaths []BrokenNodePath `json:"broken_node_paths,omitempty"`
	Verdict
}

// SetNodeProperty sets one property. Property may reach into a resource or a
// struct with colons, as Godot's property paths do ("shape:size", "position:x").
//
//wire:step cmd_set_node_property
type SetNodeProperty struct {
	NodePath string          `json:"node_path"`
	Property string          `json:"property"`
	Value    json.RawMessage `json:"value"`
}

// SetNodePropertyResult answers cmd_set_node_property.
type SetNodePropertyResult struct {
	NodePath string          `json:"node_path"`
	Property string          `json:"property"`
	Type     string          `json:"type"`  // declared Variant type name
	Value    json.RawMessage `json:"value"` // as kept by the setter
	Previous json.RawMessage `json:"previous"`
	// Coerced is true when the given form was converted (text to number, ...).
	Coerced bool `json:"coerced,omitempty"`
	Changed bool `json:"changed"`
	Verdict
}

// AttachScript sets a node's script; an empty path takes it off. The script's
// base class must be one of the node's.
//
//wire:step cmd_attach_script
type AttachScript struct {
	NodePath   string `json:"node_path"`
	ScriptPath string `json:"script_path"`
}

// AttachScriptResult answers cmd_attach_script.
type AttachScriptResult struct {
	NodePath   string `json:"node_path"`
	ScriptPath string `json:"script_path"`
	Previous   string `json:"previous,omitempty"`
	Changed    bool   `json:"changed"`
	Verdict
}

// AddToGroup makes a node a persistent member of a group.
//
//wire:step cmd_add_to_group
type AddToGroup struct {
	NodePath string `json:"node_path"`
	Group    string `json:"group"`
}

// RemoveFromGroup ends a membership. One that the base scene supplies is
// removed from the live tree, with the verdict group_from_base_scene.
//
//wire:step cmd_remove_from_group
type RemoveFromGroup struct {
	NodePath string `json:"node_path"`
	Group    string `json:"group"`
}

// GroupResult answers the group steps.
type GroupResult struct {
	NodePath string `json:"node_path"`
	Group    string `json:"group"`
	InGroup  bool   `json:"in_group"`
	Changed  bool   `json:"changed"`
	Verdict
}

// ConnectSignal makes a persistent connection. Flags adds to CONNECT_PERSIST
// (1 deferred, 4 one-shot, 8 reference counted); binds of type Object are
// refused since a save would not restore them.
//
//wire:step cmd_connect_signal
type ConnectSignal struct {
	SourcePath string            `json:"source_path"`
	Signal     string            `json:"signal_name"`
	TargetPath string            `json:"target_path"`
	Method     string            `json:"method_name"`
	Flags      int               `json:"flags,omitempty"`
	Binds      []json.RawMessage `json:"binds,omitempty"`
	Unbinds    int               `json:"unbinds,omitempty"`
}

// DisconnectSignal breaks a connection. One that the base scene defines is
// broken in the live tree, with the verdict connection_from_base_scene.
//
//wire:step cmd_disconnect_signal
type DisconnectSignal struct {
	SourcePath string `json:"source_path"`
	Signal     string `json:"signal_name"`
	TargetPath string `json:"target_path"`
	Method     string `json:"method_name"`
}

// ConnectionResult answers the connection steps.
type ConnectionResult struct {
	SourcePath string `json:"source_path"`
	Signal     string `json:"signal_name"`
	TargetPath string `json:"target_path"`
	Method     string `json:"method_name"`
	Flags      int    `json:"flags"`
	Connected  bool   `json:"connected"`
	Changed    bool   `json:"changed"`
	Verdict
}

// SetEditableChildren switches Editable Children of an instance. Switching off
// drops overrides and nodes added inside; then Force must be true, else
// would_lose lists them.
//
//wire:step cmd_set_editable_children
type SetEditableChildren struct {
	NodePath string `json:"node_path"`
	Editable bool   `json:"editable"`
	Force    bool   `json:"force,omitempty"`
}

// SetEditableChildrenResult answers cmd_set_editable_children.
type SetEditableChildrenResult struct {
	NodePath string `json:"node_path"`
	Editable bool   `json:"editable"`
	Source   string `json:"source_scene"`
	Changed  bool   `json:"changed"`
	// WouldLose names what a save no longer keeps after switching off: node
	// paths, and "path:property" for overrides. Sorted.
	WouldLose []string `json:"would_lose,omitempty"`
	Verdict
}
