package toolsets

import (
	"encoding/json"
	"fmt"
	"strings"

	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

type renameNodeIn struct {
	NodePath string `json:"node_path" desc:"Node to rename."`
	NewName  string `json:"new_name" desc:"New name." minlen:"1"`
}

type renameNodeOut struct {
	NodePath string `json:"node_path"`
	OldName  string `json:"old_name"`
	NewName  string `json:"new_name"`
	Adjusted bool   `json:"adjusted"`
	Changed  bool   `json:"changed"`
	Renamed  bool   `json:"renamed"`

	BrokenNodePaths []wire.BrokenNodePath `json:"broken_node_paths,omitempty"`
	catalog.Edited
}

var renameNode = catalog.Define(catalog.Declaration[renameNodeIn, renameNodeOut]{
	Toolset: "scene_edit", Handler: "rename_node", Class: safety.Mutating,
	Description: "Rename a node. adjusted: the name was taken, new_name is the next free one. Nodes that an instance or base scene supplies are refused; rename them there. broken_node_paths: NodePath properties that lead nowhere now; set them anew.",
	Needs:       catalog.NeedsNode,
	Target:      []string{"node_path"},
	Nodes:       []string{"node_path"},
	Plan: func(in renameNodeIn) (catalog.Plan[renameNodeOut], error) {
		step := catalog.Step(wire.CmdRenameNode, wire.RenameNode{NodePath: in.NodePath, NewName: in.NewName})
		return catalog.Edit("Rename "+in.NodePath, step, func(r wire.RenameNodeResult, a catalog.Applied) (renameNodeOut, error) {
			return renameNodeOut{
				NodePath: r.NodePath, OldName: r.OldName, NewName: r.NewName, Adjusted: r.Renamed, Changed: r.Changed,
				Renamed: r.Changed && !a.DryRun, BrokenNodePaths: r.BrokenNodePaths, Edited: a.Edited(r.Verdict, r.NodePath),
			}, nil
		}), nil
	},
})

type duplicateNodeIn struct {
	NodePath string `json:"node_path" desc:"Node to copy."`
	NodeName string `json:"node_name,omitempty" desc:"Name of the copy; the next free one if left out."`
}

type duplicateNodeOut struct {
	NodePath   string `json:"node_path"`
	SourcePath string `json:"source_path"`
	Name       string `json:"name"`
	Duplicated bool   `json:"duplicated"`
	catalog.Edited
}

var duplicateNode = catalog.Define(catalog.Declaration[duplicateNodeIn, duplicateNodeOut]{
	Toolset: "scene_edit", Handler: "duplicate_node", Class: safety.Mutating,
	Description: "Copy a node with its subtree next to it.",
	Needs:       catalog.NeedsNode,
	Target:      []string{"node_path"},
	Nodes:       []string{"node_path"},
	Plan: func(in duplicateNodeIn) (catalog.Plan[duplicateNodeOut], error) {
		step := catalog.Step(wire.CmdDuplicateNode, wire.DuplicateNode{NodePath: in.NodePath, Name: in.NodeName})
		return catalog.Edit("Duplicate "+in.NodePath, step, func(r wire.NewNodeResult, a catalog.Applied) (duplicateNodeOut, error) {
			return duplicateNodeOut{r.NodePath, in.NodePath, r.Name, !a.DryRun, a.Edited(r.Verdict, r.NodePath)}, nil
		}), nil
	},
})

type moveNodeIn struct {
	NodePath      string `json:"node_path" desc:"Node to move."`
	NewParentPath string `json:"new_parent_path" desc:"New parent, or the present one to reorder."`
	Index         int    `json:"index,omitempty" desc:"Place among siblings; -1: last." min:"-1" default:"-1"`
}

type moveNodeOut struct {
	NodePath string `json:"node_path"`
	OldPath  string `json:"old_path"`
	Index    int    `json:"index"`
	Changed  bool   `json:"changed"`
	Moved    bool   `json:"moved"`

	BrokenNodePaths []wire.BrokenNodePath `json:"broken_node_paths,omitempty"`
	catalog.Edited
}

var moveNode = catalog.Define(catalog.Declaration[moveNodeIn, moveNodeOut]{
	Toolset: "scene_edit", Handler: "move_node", Class: safety.Mutating,
	Description: "Give a node another parent or place. Its new path is node_path of the answer. broken_node_paths: NodePath properties that lead nowhere now; set them anew.",
	Needs:       catalog.NeedsNode,
	Target:      []string{"node_path", "new_parent_path"},
	Nodes:       []string{"node_path", "new_parent_path"},
	Plan: func(in moveNodeIn) (catalog.Plan[moveNodeOut], error) {
		step := catalog.Step(wire.CmdMoveNode, wire.MoveNode{NodePath: in.NodePath, NewParentPath: in.NewParentPath, Index: in.Index})
		return catalog.Edit("Move "+in.NodePath, step, func(r wire.MoveNodeResult, a catalog.Applied) (moveNodeOut, error) {
			out := moveNodeOut{r.NodePath, r.OldPath, r.Index, r.Changed, r.Changed && !a.DryRun, r.BrokenNodePaths, a.Edited(r.Verdict, r.NodePath)}
			if r.Changed && (r.Reason == wire.LossInstanceChild || r.Reason == wire.LossNotOwned) {
				out.Hint += fmt.Sprintf(" There a save would leave out %q and everything below it, although its old place was saved: undo this, or make the instance editable before you save.", r.NodePath)
			}
			return out, nil
		}), nil
	},
})

type instanceSceneIn struct {
	ParentPath string                     `json:"parent_path" desc:"Parent node; \".\" is the scene root."`
	ScenePath  string                     `json:"scene_path" desc:"Scene file (res://)."`
	Name       string                     `json:"name,omitempty" desc:"Name; that of the scene's root if left out."`
	Properties map[string]json.RawMessage `json:"properties,omitempty" desc:"Property values by name."`
	Index      *int                       `json:"index,omitempty" desc:"Place among siblings; last if left out." min:"0"`
}

type instanceSceneOut struct {
	NodePath   string                     `json:"node_path"`
	ScenePath  string                     `json:"scene_path"`
	Name       string                     `json:"name"`
	Type       string                     `json:"type"`
	Renamed    bool                       `json:"renamed"`
	Properties map[string]json.RawMessage `json:"properties,omitempty"`
	Instanced  bool                       `json:"instanced"`
	catalog.Edited
}

var instanceScene = catalog.Define(catalog.Declaration[instanceSceneIn, instanceSceneOut]{
	Toolset: "scene_edit", Handler: "instance_scene", Class: safety.Mutating,
	Description: "Add an instance of another scene, as the editor does.",
	Needs:       catalog.NeedsNode,
	Target:      []string{"parent_path", "scene_path"},
	Nodes:       []string{"parent_path"},
	Files:       []string{"scene_path"},
	Plan: func(in instanceSceneIn) (catalog.Plan[instanceSceneOut], error) {
		step := catalog.Step(wire.CmdInstanceScene, wire.InstanceScene{
			ParentPath: in.ParentPath, ScenePath: in.ScenePath, Name: in.Name, Index: in.Index, Properties: in.Properties,
		})
		return catalog.Edit("Instance "+in.ScenePath, step, func(r wire.NewNodeResult, a catalog.Applied) (instanceSceneOut, error) {
			return instanceSceneOut{
				r.NodePath, in.ScenePath, r.Name, r.Type, r.Renamed, r.Properties, !a.DryRun, a.Edited(r.Verdict, r.NodePath),
			}, nil
		}), nil
	},
})

type setEditableIn struct {
	NodePath string `json:"node_path" desc:"Root node of an instanced scene."`
	Editable bool   `json:"editable,omitempty" desc:"On or off." default:"true"`
	Confirm  bool   `json:"confirm,omitempty" desc:"Switch off although changes inside get lost."`
}

type setEditableOut struct {
	NodePath  string   `json:"node_path"`
	Editable  bool     `json:"editable"`
	Source    string   `json:"source_scene"`
	Changed   bool     `json:"changed"`
	WouldLose []string `json:"would_lose"`
	catalog.Page
	catalog.Edited
}

// setEditableChildren is mutating, since undo brings everything back; still a
// save after it drops what would_lose names, and the editor asks for force then.
var setEditableChildren = catalog.Define(catalog.Declaration[setEditableIn, setEditableOut]{
	Toolset: "scene_edit", Handler: "set_editable_children", Class: safety.Mutating,
	Description: "Switch Editable Children of an instance, so that changes to nodes inside it are saved. Switching off what holds such changes needs confirm; would_lose names them.",
	Needs:       catalog.NeedsNode,
	Target:      []string{"node_path"},
	Nodes:       []string{"node_path"},
	Plan: func(in setEditableIn) (catalog.Plan[setEditableOut], error) {
		step := catalog.Step(wire.CmdSetEditableChildren, wire.SetEditableChildren{NodePath: in.NodePath, Editable: in.Editable, Force: in.Confirm})
		return catalog.Edit("Editable Children of "+in.NodePath, step, func(r wire.SetEditableChildrenResult, a catalog.Applied) (setEditableOut, error) {
			lost, page := pageFrom(r.WouldLose, 0)
			page.NextOffset = 0
			return setEditableOut{r.NodePath, r.Editable, r.Source, r.Changed, lost, page, a.Edited(r.Verdict, r.NodePath)}, nil
		}), nil
	},
})

type extractSceneIn struct {
	NodePath            string `json:"node_path" desc:"Root of the branch."`
	ScenePath           string `json:"scene_path" desc:"New file (res://, .tscn)."`
	ReplaceWithInstance bool   `json:"replace_with_instance,omitempty" desc:"Put an instance in place of the branch."`
	SaveCurrent         bool   `json:"save_current,omitempty" desc:"Save the open scene afterwards."`
}

type extractSceneOut struct {
	NodePath     string `json:"node_path"`
	ScenePath    string `json:"scene_path"`
	Extracted    bool   `json:"extracted"`
	Replaced     bool   `json:"replaced"`
	Saved        bool   `json:"saved"`
	NodeCount    int    `json:"node_count"`
	InstancePath string `json:"instance_path,omitempty"`
	catalog.Edited
}

const extractNotSaved = "The branch is extracted, but the open scene is not saved. Call godot_scene_edit_save_scene to see why."

var extractScene = catalog.Define(catalog.Declaration[extractSceneIn, extractSceneOut]{
	Toolset: "scene_edit", Handler: "extract_scene", Class: safety.Mutating, WritesDisk: true,
	Description: "Save a branch as a scene file of its own. The file must be new. Undo brings the branch back; the file stays.",
	Needs:       catalog.NeedsNode,
	Target:      []string{"node_path", "scene_path"},
	Nodes:       []string{"node_path"},
	Files:       []string{"scene_path"},
	Plan: func(in extractSceneIn) (catalog.Plan[extractSceneOut], error) {
		if err := wantExtension(in.ScenePath, ".tscn"); err != nil {
			return catalog.Plan[extractSceneOut]{}, err
		}
		cmd := wire.ExtractScene{NodePath: in.NodePath, ScenePath: in.ScenePath, ReplaceWithInstance: in.ReplaceWithInstance, SaveCurrent: in.SaveCurrent}
		return catalog.Command(wire.CmdExtractScene, cmd, func(r wire.ExtractSceneResult, a catalog.Applied) (extractSceneOut, error) {
			a.Undoable = in.ReplaceWithInstance
			out := extractSceneOut{
				r.NodePath, r.ScenePath, r.Extracted && !a.DryRun, r.Replaced && !a.DryRun, r.Saved && !a.DryRun,
				r.NodeCount, r.InstancePath, a.Edited(r.Verdict, in.NodePath),
			}
			if in.SaveCurrent && !r.Saved && !a.DryRun {
				out.Hint = strings.TrimSpace(out.Hint + " " + extractNotSaved)
			}
			return out, nil
		}), nil
	},
})
