package wire

import "encoding/json"

// Undo undoes up to Count actions of the edited scene's history (or the global
// one, whichever is newer, as the editor's own Undo does). It stops before an
// action that this addon did not make.
//
//wire:session cmd_undo
type Undo struct {
	Count  int  `json:"count"`
	DryRun bool `json:"dry_run,omitempty"`
}

// Redo is [Undo] in the other direction.
//
//wire:session cmd_redo
type Redo struct {
	Count  int  `json:"count"`
	DryRun bool `json:"dry_run,omitempty"`
}

// HistoryMoveResult answers cmd_undo and cmd_redo. Available says whether a
// step of that direction existed before; Next is its name; StoppedBy is
// human_edit when a person's action is next, changed when the next one writes a
// file that others have written since.
type HistoryMoveResult struct {
	Done       int    `json:"done"`
	Requested  int    `json:"requested"`
	LastAction string `json:"last_action,omitempty"`
	Available  bool   `json:"available"`
	Next       string `json:"next,omitempty"`
	StoppedBy  Reason `json:"stopped_by,omitempty"`
}

// SelectNodes replaces the editor's selection.
//
//wire:session cmd_select_nodes
type SelectNodes struct {
	NodePaths       []string `json:"node_paths"`
	ExpectedVersion string   `json:"expected_version,omitempty"`
	DryRun          bool     `json:"dry_run,omitempty"`
}

// SelectNodesResult answers cmd_select_nodes.
type SelectNodesResult struct {
	ScenePath string   `json:"scene_path"`
	Selected  []string `json:"selected"`
}

// SaveScene saves the edited scene. Path may name it (a mismatch with the
// active scene is a conflict) or give a new scene its first file. Force saves
// although nodes of unknown classes would be destroyed. A file that is not what
// the editor loaded or saved last is a conflict, told right before writing and
// with nothing written; OverwriteExternal saves over other content, or where the
// file is gone, but never over a folder or through a link that came since. The same
// goes for each file of an edited resource, which the engine writes with any scene.
//
//wire:session cmd_save_scene
type SaveScene struct {
	Path              string `json:"path,omitempty"`
	Force             bool   `json:"force,omitempty"`
	OverwriteExternal bool   `json:"overwrite_external,omitempty"`
	ExpectedVersion   string `json:"expected_version,omitempty"`
	DryRun            bool   `json:"dry_run,omitempty"`
}

// SaveSceneResult answers cmd_save_scene. Changed compares the file's bytes
// before and after; Also lists other files the save wrote (edited external resources).
type SaveSceneResult struct {
	Path    string   `json:"path"`
	Saved   bool     `json:"saved"`
	Changed bool     `json:"changed"`
	SHA256  string   `json:"sha256,omitempty"`
	Also    []string `json:"also,omitempty"`
	// Overwrote is what OverwriteExternal saved over (would save over) in the scene's
	// own file, OverwroteAlso in those of edited resources.
	Overwrote     *OutsideChange  `json:"overwrote,omitempty"`
	OverwroteAlso []OutsideChange `json:"overwrote_also,omitempty"`
	// BaseUnknown: the scene, or a resource that is saved with it, was loaded before
	// the addon ran, so a change of its file before that moment could not be seen.
	BaseUnknown bool `json:"base_unknown,omitempty"`
}

// OutsideChange says how the file of an open scene, or of an edited resource that a
// save writes with it, differs from what the editor loaded or saved last. It is also
// what a failure for that reason carries.
type OutsideChange struct {
	Path string `json:"path"`
	// Resource: the file is not a scene's own.
	Resource bool `json:"resource,omitempty"`
	// How is content, deleted, folder or link.
	How            string `json:"how"`
	ExpectedSHA256 string `json:"expected_sha256"`
	SHA256         string `json:"sha256,omitempty"` // of what is there now; absent: nothing readable
	ExpectedSize   int    `json:"expected_size"`    // bytes
	Size           int    `json:"size"`
	// Times of the last change, seconds since 1970.
	ExpectedModified int64 `json:"expected_modified"`
	Modified         int64 `json:"modified,omitempty"`
	// Sections of a text scene or resource, such as "node A/B", at most ten each.
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
	Altered []string `json:"altered,omitempty"`
}

// SaveAllScenes saves every open scene that has a path and is modified. When the file
// of one, or of an edited resource, is not what the editor loaded or saved last, none is saved
// and that is the conflict, unless OverwriteExternal is set (see [SaveScene]).
//
//wire:session cmd_save_all_scenes
type SaveAllScenes struct {
	OverwriteExternal bool `json:"overwrite_external,omitempty"`
	DryRun            bool `json:"dry_run,omitempty"`
}

// SaveAllScenesResult answers cmd_save_all_scenes. Skipped are scenes that
// could not be saved (never saved before, or missing nodes), by title.
type SaveAllScenesResult struct {
	Saved     []string        `json:"saved"`
	Skipped   []string        `json:"skipped"`
	Overwrote []OutsideChange `json:"overwrote,omitempty"`
}

// CreateScene writes a new scene file with one root node and opens it. The
// folder must exist; an existing file is refused.
//
//wire:session cmd_create_scene
type CreateScene struct {
	ScenePath string `json:"scene_path"`
	RootType  string `json:"root_type"`
	RootName  string `json:"root_name,omitempty"` // empty: from the file name, in Pascal case
	DryRun    bool   `json:"dry_run,omitempty"`
}

// CreateSceneResult answers cmd_create_scene.
type CreateSceneResult struct {
	ScenePath string `json:"scene_path"`
	RootType  string `json:"root_type"`
	RootName  string `json:"root_name"`
	Created   bool   `json:"created"`
}

// OpenSceneFile opens a scene file, or switches to its tab.
//
//wire:session cmd_open_scene
type OpenSceneFile struct {
	ScenePath string `json:"scene_path"`
	DryRun    bool   `json:"dry_run,omitempty"`
}

// OpenSceneFileResult answers cmd_open_scene. Missing lists nodes of unknown classes.
type OpenSceneFileResult struct {
	ScenePath   string   `json:"scene_path"`
	Opened      bool     `json:"opened"`
	AlreadyOpen bool     `json:"already_open"`
	Missing     []string `json:"missing,omitempty"`
}

// CloseScene closes a tab (empty path: the active one) and drops its unsaved edits.
//
//wire:session cmd_close_scene
type CloseScene struct {
	ScenePath       string `json:"scene_path,omitempty"`
	ExpectedVersion string `json:"expected_version,omitempty"`
	DryRun          bool   `json:"dry_run,omitempty"`
}

// CloseSceneResult answers cmd_close_scene.
type CloseSceneResult struct {
	ScenePath    string `json:"scene_path"`
	Closed       bool   `json:"closed"`
	HadUnsaved   bool   `json:"had_unsaved"`
	ActiveBefore string `json:"active_before,omitempty"`
	ActiveAfter  string `json:"active_after,omitempty"`
}

// ReloadScene reads an open scene from disk again and drops unsaved edits and
// its history. A scene that is not open is refused (engine 4.6: reloading one
// silently wipes the history of the current scene).
//
//wire:session cmd_reload_scene
type ReloadScene struct {
	ScenePath string `json:"scene_path"`
	DryRun    bool   `json:"dry_run,omitempty"`
}

// ReloadSceneResult answers cmd_reload_scene.
type ReloadSceneResult struct {
	ScenePath  string `json:"scene_path"`
	Reloaded   bool   `json:"reloaded"`
	HadUnsaved bool   `json:"had_unsaved"`
}

// ExtractScene saves a branch as a scene file of its own and, with
// ReplaceWithInstance, replaces the branch by an instance of it as one undo action
// (the file itself is not undone). With SaveCurrent a file of the edited scene
// that changed outside is a conflict before anything is done.
//
//wire:session cmd_extract_scene
type ExtractScene struct {
	NodePath            string `json:"node_path"`
	ScenePath           string `json:"scene_path"`
	ReplaceWithInstance bool   `json:"replace_with_instance,omitempty"`
	SaveCurrent         bool   `json:"save_current,omitempty"`
	ExpectedVersion     string `json:"expected_version,omitempty"`
	DryRun              bool   `json:"dry_run,omitempty"`
}

// ExtractSceneResult answers cmd_extract_scene.
type ExtractSceneResult struct {
	NodePath     string `json:"node_path"`
	ScenePath    string `json:"scene_path"`
	Extracted    bool   `json:"extracted"`
	Replaced     bool   `json:"replaced"`
	Saved        bool   `json:"saved"`
	NodeCount    int    `json:"node_count"`
	InstancePath string `json:"instance_path,omitempty"`
	Verdict
}

// RunCommands runs commands in order in one frame, each as if sent alone (each
// edit its own undo action). With StopOnError the first failure ends it. With
// DryRun every entry is previewed, steps and reads against what the entries
// before them would leave; sessions against the present state.
//
//wire:session cmd_run_commands
type RunCommands struct {
	Commands        []StepParam `json:"commands"`
	StopOnError     bool        `json:"stop_on_error"`
	ExpectedVersion string      `json:"expected_version,omitempty"`
	DryRun          bool        `json:"dry_run,omitempty"`
}

// RunCommandsResult holds one entry per command that ran, in order.
type RunCommandsResult struct {
	Results []EntryResult `json:"results"`
}

// EntryResult is the outcome of one entry of cmd_run_commands.
type EntryResult struct {
	OK     bool            `json:"ok"`
	Result json.RawMessage `json:"result,omitempty"`
	*Error
}

// CrossSceneSetProperty sets a property on every own node of a class in closed
// scene files, on disk. The edited scene and open ones are skipped and reported, and
// so is a file that would not hold the value of each node (reason not_saved).
//
//wire:session cmd_cross_scene_set_property
type CrossSceneSetProperty struct {
	Scenes   []string        `json:"scenes"`
	NodeType string          `json:"node_type"`
	Property string          `json:"property"`
	Value    json.RawMessage `json:"value"`
	DryRun   bool            `json:"dry_run,omitempty"`
}

// CrossSceneSetPropertyResult has one entry per scene, in the order given.
type CrossSceneSetPropertyResult struct {
	Results []CrossSceneResult `json:"results"`
}

// CrossSceneResult is the outcome for one scene file.
type CrossSceneResult struct {
	Scene    string   `json:"scene"`
	Modified int      `json:"modified"` // nodes
	Nodes    []string `json:"nodes"`
	*Error
}

// ReadFile reads a text file of the project.
//
//wire:read cmd_read_file
type ReadFile struct {
	Path string `json:"path"`
}

// ReadFileResult answers cmd_read_file.
type ReadFileResult struct {
	Path    string `json:"path"`
	Content string `json:"content"`
	Size    int    `json:"size"`
	SHA256  string `json:"sha256"`
}

// WriteFile writes a text file as one undoable action of the global history:
// undo restores the earlier text, or removes a new file and its .uid. With
// ExpectedSHA256 a different present content is a conflict ("" with MustBeNew:
// the file must not exist). The editor is told about the file at once, so
// class_name scripts in known folders are registered with the answer.
//
//wire:session cmd_write_file
type WriteFile struct {
	Path           string `json:"path"`
	Content        string `json:"content"`
	ExpectedSHA256 string `json:"expected_sha256,omitempty"`
	MustBeNew      bool   `json:"must_be_new,omitempty"`
	DryRun         bool   `json:"dry_run,omitempty"`
}

// WriteFileResult answers cmd_write_file.
type WriteFileResult struct {
	Path           string `json:"path"`
	Created        bool   `json:"created"` // the file did not exist before
	Changed        bool   `json:"changed"`
	SHA256         string `json:"sha256"`
	PreviousSHA256 string `json:"previous_sha256,omitempty"`
	Undoable       bool   `json:"undoable"`
	// RescanPending: the editor has not registered the file yet.
	RescanPending bool `json:"rescan_pending"`
}

// ListFiles lists project files below a folder by extension (without dot),
// sorted by path; .godot and folders with a .gdignore are left out.
//
//wire:read cmd_list_files
type ListFiles struct {
	Directory  string   `json:"directory"`
	Extensions []string `json:"extensions"`
	Offset     int      `json:"offset"`
	Limit      int      `json:"limit"`
}

// ListFilesResult answers cmd_list_files.
type ListFilesResult struct {
	Files []string `json:"files"`
	Total int      `json:"total"`
}

// GetDependencies lists what a scene, resource or script file refers to.
//
//wire:read cmd_get_dependencies
type GetDependencies struct {
	Path string `json:"path"`
}

// GetDependenciesResult answers cmd_get_dependencies, in file order.
type GetDependenciesResult struct {
	Path         string       `json:"path"`
	Dependencies []Dependency `json:"dependencies"`
}

// Dependency is one reference. Raw is what the file says (uid or path). Type is
// what a scene or resource takes the file for (Script, PackedScene), and for a
// script's references what the file is (GDScript; empty when there is none).
type Dependency struct {
	Raw    string `json:"raw"`
	Path   string `json:"path"`
	Type   string `json:"type"`
	Exists bool   `json:"exists"`
}

// RescanFilesystem starts a scan, or queues one more behind a running scan.
//
//wire:session cmd_rescan_filesystem
type RescanFilesystem struct{}

// ScanState answers cmd_rescan_filesystem and cmd_get_scan_state. Scanning is
// true until imports and class registration are done, not only the walk.
// Generation counts finished scans.
type ScanState struct {
	Scanning   bool     `json:"scanning"`
	Generation int      `json:"generation"`
	Importing  []string `json:"importing"`
	// Reimported lists what the last finished scan imported.
	Reimported []string `json:"reimported"`
}

// GetScanState reads the state of the editor's file system.
//
//wire:read cmd_get_scan_state
type GetScanState struct{}

// CheckScript asks for the errors of one script. A first answer may be not
// ready (Ready false, Reason diagnostics_pending): ask again.
//
//wire:read cmd_check_script
type CheckScript struct {
	Path string `json:"path"`
}

// CheckScriptResult answers cmd_check_script. Level says how deep the check
// went: "language_server" (all errors), "compile" (the first syntax error, all
// analyzer errors, no columns) or "tokens" (the simulator's own).
type CheckScriptResult struct {
	Path    string        `json:"path"`
	Ready   bool          `json:"ready"`
	Reason  Reason        `json:"reason,omitempty"`
	Level   string        `json:"level,omitempty"`
	Errors  []ScriptError `json:"errors"`
	SHA256  string        `json:"sha256,omitempty"`
	Pending []string      `json:"pending_registration,omitempty"` // class names the cache may not know yet
}

// ScriptError is one finding; lines and columns count from 1, column 0 is unknown.
type ScriptError struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}
