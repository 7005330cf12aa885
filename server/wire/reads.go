package wire

import "encoding/json"

// Ping asks for a sign of life.
//
//wire:read cmd_ping
type Ping struct{}

// PingResult answers cmd_ping.
type PingResult struct {
	Pong bool `json:"pong"`
}

// GetOutcome asks what became of an earlier command of this server run. It is
// answered outside the queue, also while another command waits.
//
//wire:read cmd_get_outcome
type GetOutcome struct {
	ID string `json:"id"`
}

// GetOutcomeResult answers cmd_get_outcome. State is unknown (never arrived, or
// forgotten), queued, running or done; Answer is the reply of a done command.
type GetOutcomeResult struct {
	State  string `json:"state"`
	Answer *Reply `json:"answer,omitempty"`
}

// GetProjectInfo describes the open project.
//
//wire:read cmd_get_project_info
type GetProjectInfo struct{}

// GetProjectInfoResult answers cmd_get_project_info.
type GetProjectInfoResult struct {
	Name         string     `json:"name"`
	ProjectPath  string     `json:"project_path"`
	GodotVersion string     `json:"godot_version"`
	MainScene    string     `json:"main_scene,omitempty"` // res:// path
	Autoloads    []Autoload `json:"autoloads"`            // by name
	InputActions []string   `json:"input_actions"`        // own actions of the project (no ui_*), sorted
	CSharp       bool       `json:"csharp_supported"`
	CSharpFiles  bool       `json:"csharp_project"`
}

// Autoload is one autoload of the project.
type Autoload struct {
	Name      string `json:"name"`
	Path      string `json:"path"`
	Singleton bool   `json:"singleton"`
}

// GetActiveScene describes the edited scene; none open is an empty result.
//
//wire:read cmd_get_active_scene
type GetActiveScene struct{}

// GetActiveSceneResult answers cmd_get_active_scene.
type GetActiveSceneResult struct {
	IsOpen    bool   `json:"is_open"`
	Path      string `json:"path,omitempty"` // empty for a scene never saved
	Name      string `json:"name,omitempty"` // the root's name
	RootType  string `json:"root_type,omitempty"`
	NodeCount int    `json:"node_count,omitempty"`
	Modified  bool   `json:"modified"`
	// HistoryVersion is the undo history's version; it rises with each commit.
	HistoryVersion int `json:"history_version"`
	// Version is what ExpectedVersion is compared with.
	Version string `json:"version,omitempty"`
}

// ListScenes lists the scene files of the project, sorted by path.
//
//wire:read cmd_list_scenes
type ListScenes struct{}

// ListScenesResult answers cmd_list_scenes.
type ListScenesResult struct {
	Scenes    []SceneFile `json:"scenes"`
	MainScene string      `json:"main_scene,omitempty"`
}

// SceneFile is one scene file of the project.
type SceneFile struct {
	Path     string `json:"path"`
	IsMain   bool   `json:"is_main"`
	IsOpen   bool   `json:"is_open"`
	IsActive bool   `json:"is_active"`
}

// ListOpenScenes lists the scene tabs in tab order.
//
//wire:read cmd_list_open_scenes
type ListOpenScenes struct{}

// ListOpenScenesResult answers cmd_list_open_scenes.
type ListOpenScenesResult struct {
	Scenes []OpenScene `json:"scenes"`
}

// OpenScene is one tab. Path is empty for a scene never saved.
type OpenScene struct {
	Path     string `json:"path"`
	Name     string `json:"name"`
	Active   bool   `json:"active"`
	Modified bool   `json:"modified"`
}

// GetSceneTree lists nodes of the edited scene in tree order (depth first).
// Nodes of instances are listed as children of the instance root.
//
//wire:read cmd_get_scene_tree
type GetSceneTree struct {
	NodePath string `json:"node_path"`
	MaxDepth int    `json:"max_depth"` // below NodePath; -1: no limit, 0: the node only
	Offset   int    `json:"offset"`    // nodes to leave out first
	Limit    int    `json:"limit"`     // 1..10000
	// Lightweight leaves out script, owner, groups and editable_children.
	Lightweight bool `json:"lightweight,omitempty"`
}

// GetSceneTreeResult answers cmd_get_scene_tree. No scene open: no nodes.
type GetSceneTreeResult struct {
	ScenePath string     `json:"scene_path,omitempty"`
	Version   string     `json:"version,omitempty"` // for ExpectedVersion
	Nodes     []TreeNode `json:"nodes"`
	Total     int        `json:"total"` // within max_depth, before offset and limit
}

// TreeNode is one node of a listing.
type TreeNode struct {
	Path     string `json:"path"`
	Name     string `json:"name"`
	Type     string `json:"type"`
	Depth    int    `json:"depth"` // below the listed root
	Children int    `json:"children"`
	Script   string `json:"script,omitempty"` // res:// path, or "built-in"
	// Owner is the scene file a node comes from when it is not the edited one
	// (for an instance root: the instanced scene).
	Owner            string `json:"owner,omitempty"`
	EditableChildren bool   `json:"editable_children,omitempty"`
	UniqueName       bool   `json:"unique_name,omitempty"`
	Unowned          bool   `json:"unowned,omitempty"`   // no owner: a save drops it
	Missing          bool   `json:"missing,omitempty"`   // MissingNode: its class is unknown
	Ambiguous        bool   `json:"ambiguous,omitempty"` // a sibling has the same name
}

// GetNode describes one node; also the cheap test that it exists.
//
//wire:read cmd_get_node
type GetNode struct {
	NodePath string `json:"node_path"`
}

// GetNodeResult answers cmd_get_node.
type GetNodeResult struct {
	TreeNode
	Groups []string `json:"groups"`
	// Properties are the script's variables with their values.
	Properties map[string]json.RawMessage `json:"properties"`
	ChildNames []string                   `json:"child_names"` // at most 200
}

// GetSelectedNodes describes the editor's selection, at most 50 nodes.
//
//wire:read cmd_get_selected_nodes
type GetSelectedNodes struct{}

// GetSelectedNodesResult answers cmd_get_selected_nodes.
type GetSelectedNodesResult struct {
	Selected []GetNodeResult `json:"selected"`
	Count    int             `json:"count"`
}

// GetNodeProperty reads one property; Property takes colons as in
// [SetNodeProperty]. A missing property is an answer (exists false), not an error.
//
//wire:read cmd_get_node_property
type GetNodeProperty struct {
	NodePath string `json:"node_path"`
	Property string `json:"property"`
}

// GetNodePropertyResult answers cmd_get_node_property.
type GetNodePropertyResult struct {
	NodePath string          `json:"node_path"`
	Property string          `json:"property"`
	Exists   bool            `json:"exists"`
	Type     string          `json:"type,omitempty"`
	Value    json.RawMessage `json:"value"`
	Near     []string        `json:"near,omitempty"` // close names when it does not exist
}

// GetNodePropertyList lists the properties of a node in the engine's order,
// without category and group rows.
//
//wire:read cmd_get_node_property_list
type GetNodePropertyList struct {
	NodePath string `json:"node_path"`
}

// GetNodePropertyListResult answers cmd_get_node_property_list.
type GetNodePropertyListResult struct {
	NodePath   string         `json:"node_path"`
	Type       string         `json:"type"`
	Properties []PropertyInfo `json:"properties"`
}

// PropertyInfo describes one property. Class is the resource or node class of
// an Object property; Stored says whether a scene file keeps it; Script
// whether a script declares it.
type PropertyInfo struct {
	Name       string `json:"name"`
	Type       string `json:"type"`
	Class      string `json:"class,omitempty"`
	Hint       int    `json:"hint,omitempty"`
	HintString string `json:"hint_string,omitempty"`
	Stored     bool   `json:"stored"`
	Script     bool   `json:"script,omitempty"`
}

// GetNodeGroups lists a node's groups, sorted, without those that begin with
// an underscore (the editor's own).
//
//wire:read cmd_get_node_groups
type GetNodeGroups struct {
	NodePath string `json:"node_path"`
}

// GetNodeGroupsResult answers cmd_get_node_groups.
type GetNodeGroupsResult struct {
	NodePath string      `json:"node_path"`
	Groups   []NodeGroup `json:"groups"`
}

// NodeGroup is one membership. Persistent memberships are saved; FromBase ones
// come from an instanced or base scene.
type NodeGroup struct {
	Name       string `json:"name"`
	Persistent bool   `json:"persistent"`
	FromBase   bool   `json:"from_base,omitempty"`
}

// SnapshotSubtree reads what a before/after comparison needs: for each node
// type, script variables, position/rotation/scale where the class has them and
// no container sets them, persistent groups, and the Properties asked for, also
// when a container sets those. Tree order.
//
//wire:read cmd_snapshot_subtree
type SnapshotSubtree struct {
	NodePath   string   `json:"node_path"`
	Properties []string `json:"properties,omitempty"`
	MaxDepth   int      `json:"max_depth"` // -1: no limit
	Limit      int      `json:"limit"`     // nodes; more is an error too_big
}

// SnapshotSubtreeResult answers cmd_snapshot_subtree.
type SnapshotSubtreeResult struct {
	ScenePath string         `json:"scene_path,omitempty"`
	Nodes     []SnapshotNode `json:"nodes"`
}

// SnapshotNode is one node of a snapshot.
type SnapshotNode struct {
	Path       string                     `json:"path"`
	Type       string                     `json:"type"`
	Properties map[string]json.RawMessage `json:"properties"`
	Groups     []string                   `json:"groups"`
}

// ListSignalConnections lists connections from and to a node, sorted by
// source, signal, target and method; the editor's own are left out.
//
//wire:read cmd_list_signal_connections
type ListSignalConnections struct {
	NodePath string `json:"node_path"`
}

// ListSignalConnectionsResult answers cmd_list_signal_connections.
type ListSignalConnectionsResult struct {
	NodePath    string       `json:"node_path"`
	Connections []Connection `json:"connections"`
	Signals     []SignalInfo `json:"signals"` // what the node can emit, engine order
}

// Connection is one signal connection between nodes of the scene.
type Connection struct {
	SourcePath string            `json:"source_path"`
	Signal     string            `json:"signal"`
	TargetPath string            `json:"target_path"`
	Method     string            `json:"method"`
	Persistent bool              `json:"persistent"`
	Flags      int               `json:"flags"`
	Binds      []json.RawMessage `json:"binds,omitempty"`
	Unbinds    int               `json:"unbinds,omitempty"`
	FromBase   bool              `json:"from_base,omitempty"`
}

// SignalInfo names a signal and its arguments.
type SignalInfo struct {
	Name string   `json:"name"`
	Args []string `json:"args"` // "name: Type"
}

// FindNodesByType lists nodes of a class or of one derived from it (engine
// class or script class_name), in tree order: ParentPath itself, its children
// and, when Recursive, all below them.
//
//wire:read cmd_find_nodes_by_type
type FindNodesByType struct {
	Type       string `json:"node_type"`
	ParentPath string `json:"parent_path"`
	Recursive  bool   `json:"recursive"`
	Offset     int    `json:"offset"`
	Limit      int    `json:"limit"`
}

// FindNodesByTypeResult answers cmd_find_nodes_by_type.
type FindNodesByTypeResult struct {
	Nodes []FoundNode `json:"nodes"`
	Total int         `json:"total"`
}

// FoundNode is one hit.
type FoundNode struct {
	Path string `json:"path"`
	Type string `json:"type"`
}

// NodePersistence asks the verdict for an edit without making one. Kind is
// property (with Property), child (a node added under it), group, connection
// (source end) or delete.
//
//wire:read cmd_node_persistence
type NodePersistence struct {
	NodePath string `json:"node_path"`
	Kind     string `json:"kind"`
	Property string `json:"property,omitempty"`
}

// NodePersistenceResult answers cmd_node_persistence.
type NodePersistenceResult struct {
	NodePath string `json:"node_path"`
	Verdict
}

// DescribeClass reflects an engine class. Own members only, unless
// IncludeInherited; names that begin with an underscore only with IncludePrivate.
//
//wire:read cmd_describe_class
type DescribeClass struct {
	ClassName        string `json:"class_name"`
	IncludeInherited bool   `json:"include_inherited,omitempty"`
	IncludePrivate   bool   `json:"include_private,omitempty"`
}

// DescribeClassResult answers cmd_describe_class. Lists are sorted by name.
type DescribeClassResult struct {
	ClassName      string          `json:"class_name"`
	Inherits       string          `json:"inherits"`
	InheritsChain  []string        `json:"inherits_chain"`
	CanInstantiate bool            `json:"can_instantiate"`
	Properties     []ClassProperty `json:"properties"`
	Methods        []ClassMethod   `json:"methods"`
	Signals        []SignalInfo    `json:"signals"`
	Constants      []ClassConstant `json:"constants"`
	Enums          []ClassEnum     `json:"enums"`
}

// ClassProperty is one property of a class; Default is Godot text.
type ClassProperty struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Class   string `json:"class,omitempty"`
	Default string `json:"default"`
}

// ClassMethod is one method signature.
type ClassMethod struct {
	Name       string   `json:"name"`
	Args       []string `json:"args"` // "name: Type"
	ReturnType string   `json:"return_type"`
}

// ClassConstant is one integer constant; Enum is the enum it belongs to.
type ClassConstant struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
	Enum  string `json:"enum,omitempty"`
}

// ClassEnum names an enum and its members.
type ClassEnum struct {
	Name    string   `json:"name"`
	Members []string `json:"members"`
}

// ListHistory reads the undo history that godot_undo acts on.
//
//wire:read cmd_list_history
type ListHistory struct{}

// ListHistoryResult answers cmd_list_history.
type ListHistoryResult struct {
	Version       int            `json:"version"`
	HasUndo       bool           `json:"has_undo"`
	HasRedo       bool           `json:"has_redo"`
	CurrentAction string         `json:"current_action"`
	Depth         int            `json:"depth"`
	Recent        []HistoryEntry `json:"recent"` // oldest first, at most 20
}

// HistoryEntry is one undo action; Ours when this addon made it.
type HistoryEntry struct {
	Name string `json:"name"`
	Ours bool   `json:"ours"`
}
