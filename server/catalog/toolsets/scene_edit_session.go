package toolsets

import (
	"context"
	"time"

	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

type saveSceneIn struct {
	ScenePath string `json:"scene_path,omitempty" desc:"File for a scene never saved (res://); else the active scene's own."`
	// OverwriteExternal goes over what other programs wrote.
	OverwriteExternal bool `json:"overwrite_external,omitempty" desc:"Save over changes of the files made outside the editor; needs confirm."`
	Confirm           bool `json:"confirm,omitempty" desc:"For overwrite_external, or to save although nodes of unknown classes get lost."`
}

type saveSceneOut struct {
	DryRun        bool                 `json:"dry_run"`
	Path          string               `json:"path"`
	Saved         bool                 `json:"saved"`
	Changed       *bool                `json:"changed,omitempty"`
	SHA256        string               `json:"sha256,omitempty"`
	Also          []string             `json:"also,omitempty"`
	Overwrote     *wire.OutsideChange  `json:"overwrote,omitempty"`
	OverwroteAlso []wire.OutsideChange `json:"overwrote_also,omitempty"`
	Hint          string               `json:"hint,omitempty"`
}

// unseenBase stands in the answer to a save whose check for outside changes could
// not look back to the load.
const unseenBase = "The scene, or a resource saved with it, was loaded before the addon ran, so a change of its file from before that moment would not have been noticed."

var saveScene = catalog.Define(catalog.Declaration[saveSceneIn, saveSceneOut]{
	Toolset: "scene_edit", Handler: "save_scene", Class: safety.Mutating, WritesDisk: true, Overwrites: "overwrite_external",
	Description: "Save the active scene. Refused (conflict, reason changed) when a file it would write changed outside the editor. changed: the file has other bytes now; also: resource files written with it.",
	Needs:       catalog.NeedsScene,
	Target:      []string{"scene_path"},
	Files:       []string{"scene_path?"},
	Plan: func(in saveSceneIn) (catalog.Plan[saveSceneOut], error) {
		cmd := wire.SaveScene{Path: in.ScenePath, Force: in.Confirm, OverwriteExternal: in.OverwriteExternal}
		return catalog.Command(wire.CmdSaveScene, cmd, func(r wire.SaveSceneResult, a catalog.Applied) (saveSceneOut, error) {
			over, _ := catalog.Paged(r.OverwroteAlso, 0, len(r.OverwroteAlso), room)
			if a.DryRun {
				// What the file will hold is known when it is written, not before.
				return saveSceneOut{DryRun: true, Path: r.Path, Overwrote: r.Overwrote, OverwroteAlso: over, Hint: baseHint(r)}, nil
			}
			return saveSceneOut{a.DryRun, r.Path, r.Saved, &r.Changed, r.SHA256, r.Also, r.Overwrote, over, baseHint(r)}, nil
		}), nil
	},
})

func baseHint(r wire.SaveSceneResult) string {
	if r.BaseUnknown {
		return unseenBase
	}
	return ""
}

type saveAllIn struct {
	OverwriteExternal bool `json:"overwrite_external,omitempty" desc:"Save over changes of the files made outside the editor; needs confirm."`
	Confirm           bool `json:"confirm,omitempty" desc:"For overwrite_external."`
}

type saveAllOut struct {
	DryRun    bool                 `json:"dry_run"`
	Saved     []string             `json:"saved"`
	Skipped   []string             `json:"skipped"`
	Count     int                  `json:"count"`
	Overwrote []wire.OutsideChange `json:"overwrote,omitempty"`
}

var saveAllScenes = catalog.Define(catalog.Declaration[saveAllIn, saveAllOut]{
	Toolset: "scene_edit", Handler: "save_all_scenes", Class: safety.Mutating, WritesDisk: true, Overwrites: "overwrite_external",
	Description: "Save every open scene with unsaved changes; none (conflict, reason changed) when a file it would write changed outside the editor. skipped: never saved before, or with nodes of unknown classes.",
	Needs:       catalog.NeedsEditor,
	Plan: func(in saveAllIn) (catalog.Plan[saveAllOut], error) {
		cmd := wire.SaveAllScenes{OverwriteExternal: in.OverwriteExternal}
		return catalog.Command(wire.CmdSaveAllScenes, cmd, func(r wire.SaveAllScenesResult, a catalog.Applied) (saveAllOut, error) {
			over, _ := catalog.Paged(r.Overwrote, 0, len(r.Overwrote), room)
			return saveAllOut{a.DryRun, orEmpty(r.Saved), orEmpty(r.Skipped), len(r.Saved), over}, nil
		}), nil
	},
})

type createSceneIn struct {
	ScenePath string `json:"scene_path" desc:"New file (res://, .tscn or .scn) in a folder that exists."`
	RootType  string `json:"root_type" desc:"Engine class of the root." minlen:"1"`
	RootName  string `json:"root_name,omitempty" desc:"Name of the root; from the file name if left out."`
}

type createSceneOut struct {
	DryRun    bool   `json:"dry_run"`
	ScenePath string `json:"scene_path"`
	RootType  string `json:"root_type"`
	RootName  string `json:"root_name"`
	Created   bool   `json:"created"`
}

var createScene = catalog.Define(catalog.Declaration[createSceneIn, createSceneOut]{
	Toolset: "scene_edit", Handler: "create_scene", Class: safety.Mutating, WritesDisk: true,
	Description: "Write a new scene file and open it. Not undoable.",
	Needs:       catalog.NeedsEditor,
	Target:      []string{"scene_path"},
	Files:       []string{"scene_path"},
	Plan: func(in createSceneIn) (catalog.Plan[createSceneOut], error) {
		if err := wantExtension(in.ScenePath, ".tscn", ".scn"); err != nil {
			return catalog.Plan[createSceneOut]{}, err
		}
		cmd := wire.CreateScene{ScenePath: in.ScenePath, RootType: in.RootType, RootName: in.RootName}
		return catalog.Command(wire.CmdCreateScene, cmd, func(r wire.CreateSceneResult, a catalog.Applied) (createSceneOut, error) {
			return createSceneOut{a.DryRun, r.ScenePath, r.RootType, r.RootName, r.Created && !a.DryRun}, nil
		}), nil
	},
})

type sceneFileIn struct {
	ScenePath string `json:"scene_path" desc:"Scene file (res://)."`
}

type openSceneOut struct {
	DryRun      bool     `json:"dry_run"`
	ScenePath   string   `json:"scene_path"`
	Opened      bool     `json:"opened"`
	AlreadyOpen bool     `json:"already_open"`
	Missing     []string `json:"missing,omitempty"`
}

var openScene = catalog.Define(catalog.Declaration[sceneFileIn, openSceneOut]{
	Toolset: "scene_edit", Handler: "open_scene", Class: safety.Mutating,
	Description: "Open a scene or switch to its tab. missing: nodes of unknown classes.",
	Needs:       catalog.NeedsEditor,
	Target:      []string{"scene_path"},
	Files:       []string{"scene_path"},
	Plan: func(in sceneFileIn) (catalog.Plan[openSceneOut], error) {
		return catalog.Command(wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: in.ScenePath}, func(r wire.OpenSceneFileResult, a catalog.Applied) (openSceneOut, error) {
			missing, _ := catalog.Paged(r.Missing, 0, len(r.Missing), room)
			return openSceneOut{a.DryRun, r.ScenePath, r.Opened && !a.DryRun, r.AlreadyOpen, missing}, nil
		}), nil
	},
})

type closeSceneIn struct {
	ScenePath string `json:"scene_path,omitempty" desc:"Open scene; the active one if left out."`
}

type closeSceneOut struct {
	DryRun       bool   `json:"dry_run"`
	ScenePath    string `json:"scene_path"`
	Closed       bool   `json:"closed"`
	HadUnsaved   bool   `json:"had_unsaved"`
	ActiveBefore string `json:"active_before,omitempty"`
	ActiveAfter  string `json:"active_after,omitempty"`
}

var closeScene = catalog.Define(catalog.Declaration[closeSceneIn, closeSceneOut]{
	Toolset: "scene_edit", Handler: "close_scene", Class: safety.Destructive, Irreversible: true,
	Description: "Close a scene tab and drop its unsaved edits for good.",
	Needs:       catalog.NeedsScene,
	Target:      []string{"scene_path"},
	Files:       []string{"scene_path?"},
	Plan: func(in closeSceneIn) (catalog.Plan[closeSceneOut], error) {
		return catalog.Command(wire.CmdCloseScene, wire.CloseScene{ScenePath: in.ScenePath}, func(r wire.CloseSceneResult, a catalog.Applied) (closeSceneOut, error) {
			return closeSceneOut{a.DryRun, r.ScenePath, r.Closed && !a.DryRun, r.HadUnsaved, r.ActiveBefore, r.ActiveAfter}, nil
		}), nil
	},
})

type reloadSceneOut struct {
	DryRun     bool   `json:"dry_run"`
	ScenePath  string `json:"scene_path"`
	Reloaded   bool   `json:"reloaded"`
	HadUnsaved bool   `json:"had_unsaved"`
}

var reloadScene = catalog.Define(catalog.Declaration[sceneFileIn, reloadSceneOut]{
	Toolset: "scene_edit", Handler: "reload_scene", Class: safety.Destructive, Irreversible: true,
	Description: "Read an open scene from disk again. Its unsaved edits and undo history are gone for good.",
	Needs:       catalog.NeedsEditor,
	Target:      []string{"scene_path"},
	Files:       []string{"scene_path"},
	Plan: func(in sceneFileIn) (catalog.Plan[reloadSceneOut], error) {
		return catalog.Command(wire.CmdReloadScene, wire.ReloadScene{ScenePath: in.ScenePath}, func(r wire.ReloadSceneResult, a catalog.Applied) (reloadSceneOut, error) {
			return reloadSceneOut{a.DryRun, r.ScenePath, r.Reloaded && !a.DryRun, r.HadUnsaved}, nil
		}), nil
	},
})

type openScenesOut struct {
	Scenes []wire.OpenScene `json:"scenes"`
}

var listOpenScenes = catalog.Define(catalog.Declaration[struct{}, openScenesOut]{
	Toolset: "scene_edit", Handler: "list_open_scenes", Class: safety.ReadOnly,
	Description: "Scene tabs in order. An empty path: never saved.",
	Needs:       catalog.NeedsEditor,
	Plan: func(struct{}) (catalog.Plan[openScenesOut], error) {
		return catalog.Command(wire.CmdListOpenScenes, wire.ListOpenScenes{}, func(r wire.ListOpenScenesResult, _ catalog.Applied) (openScenesOut, error) {
			return openScenesOut{orEmpty(r.Scenes)}, nil
		}), nil
	},
})

type selectNodesIn struct {
	NodePaths []string `json:"node_paths" desc:"Nodes; an empty list selects nothing." maxlen:"500"`
}

type selectNodesOut struct {
	DryRun    bool     `json:"dry_run"`
	ScenePath string   `json:"scene_path"`
	Selected  []string `json:"selected"`
	Count     int      `json:"count"`
}

var selectNodes = catalog.Define(catalog.Declaration[selectNodesIn, selectNodesOut]{
	Toolset: "scene_edit", Handler: "select_nodes", Class: safety.Mutating,
	Description: "Replace the selection in the editor.",
	Needs:       catalog.NeedsNode,
	Nodes:       []string{"node_paths[]"},
	Plan: func(in selectNodesIn) (catalog.Plan[selectNodesOut], error) {
		return catalog.Command(wire.CmdSelectNodes, wire.SelectNodes{NodePaths: orEmpty(in.NodePaths)}, func(r wire.SelectNodesResult, a catalog.Applied) (selectNodesOut, error) {
			shown, _ := catalog.Paged(r.Selected, 0, len(r.Selected), room)
			return selectNodesOut{a.DryRun, r.ScenePath, shown, len(r.Selected)}, nil
		}), nil
	},
})

type rescanIn struct {
	WaitMS int `json:"wait_ms,omitempty" desc:"How long to wait for its end." min:"0" max:"25000" default:"5000"`
}

type rescanOut struct {
	Scanned    bool     `json:"scanned"`
	Scanning   bool     `json:"scanning"`
	Generation int      `json:"generation"`
	DurationMS int64    `json:"duration_ms"`
	Importing  []string `json:"importing"`
	Reimported []string `json:"reimported"`
	Unlisted   int      `json:"unlisted,omitempty"`
}

const rescanPause = 100 * time.Millisecond

// rescanFilesystem waits for the scan that its own call asked for: a running
// scan may have passed a changed file already, so the editor queues one more.
var rescanFilesystem = catalog.Define(catalog.Declaration[rescanIn, rescanOut]{
	Toolset: "scene_edit", Handler: "rescan_filesystem", Class: safety.Runtime,
	Profiles:    []safety.Profile{safety.Editor, safety.RuntimeProf},
	Description: "Let the editor see files changed outside, and wait for scan and imports. scanning true: not done yet, call again. reimported: what it imported.",
	Needs:       catalog.NeedsEditor,
	Commands:    []string{wire.CmdRescanFilesystem, wire.CmdGetScanState},
	Run: func(ctx context.Context, c *catalog.Call, in rescanIn) (rescanOut, error) {
		begin := time.Now()
		var state wire.ScanState
		if err := c.Ask(ctx, wire.CmdRescanFilesystem, wire.RescanFilesystem{}, &state); err != nil {
			return rescanOut{}, err
		}
		first := true
		_, err := catalog.Poll(ctx, rescanPause, time.Duration(in.WaitMS)*time.Millisecond, func() (bool, error) {
			if !first {
				state = wire.ScanState{}
				if err := c.Ask(ctx, wire.CmdGetScanState, wire.GetScanState{}, &state); err != nil {
					return false, err
				}
			}
			first = false
			return !state.Scanning, nil
		})
		if err != nil {
			return rescanOut{}, err
		}
		importing, a := catalog.Paged(state.Importing, 0, len(state.Importing), room/4)
		reimported, b := catalog.Paged(state.Reimported, 0, len(state.Reimported), room/2)
		return rescanOut{
			Scanned: !state.Scanning, Scanning: state.Scanning, Generation: state.Generation,
			DurationMS: time.Since(begin).Milliseconds(), Importing: importing, Reimported: reimported,
			Unlisted: a.Total - a.Returned + b.Total - b.Returned,
		}, nil
	},
})
