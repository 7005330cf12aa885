package toolsets

import (
	"encoding/json"

	"godot-mcp/server/answer"
	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

type crossSceneIn struct {
	Scenes   []string        `json:"scenes" desc:"Scene files (res://)." minlen:"1" maxlen:"500"`
	NodeType string          `json:"node_type" desc:"Nodes of this class." minlen:"1"`
	Property string          `json:"property" desc:"Name." minlen:"1"`
	Value    json.RawMessage `json:"value" desc:"As for godot_scene_edit_set_node_property."`
}

type crossSceneOut struct {
	DryRun        bool         `json:"dry_run"`
	Results       []crossScene `json:"results"`
	TotalModified int          `json:"total_modified"`
	Scenes        int          `json:"scenes"`
	Failed        int          `json:"failed"`
	Undoable      bool         `json:"undoable"`
	Truncated     bool         `json:"truncated,omitempty"`
}

// crossScene is the outcome for one file; Modified counts nodes.
type crossScene struct {
	Scene    string      `json:"scene"`
	Modified int         `json:"modified"`
	Nodes    []string    `json:"nodes,omitempty"`
	Error    wire.Code   `json:"error,omitempty"`
	Reason   wire.Reason `json:"reason,omitempty"`
	Hint     string      `json:"hint,omitempty"`
}

// openSceneHint replaces the hints for tools that work on the open scene: here
// it is the open one that is left alone, since its next save would undo the change.
const openSceneHint = "The scene is open in the editor, so its file is left alone. Close it, or use godot_batch_set_property in it."

// nodesPerScene is how many of the modified nodes an answer names.
const nodesPerScene = 20

var crossSceneSetProperty = catalog.Define(catalog.Declaration[crossSceneIn, crossSceneOut]{
	Toolset: "batch", Handler: "cross_scene_set_property", Class: safety.Destructive, Irreversible: true, WritesDisk: true,
	Description: "Set a property on all nodes of a class in closed scene files, on disk. Cannot be undone. Open scenes are left alone and stand in results with an error; see failed.",
	Needs:       catalog.NeedsEditor,
	Target:      []string{"scenes", "node_type", "property"},
	Files:       []string{"scenes[]"},
	Timeout:     manyEdits,
	Plan: func(in crossSceneIn) (catalog.Plan[crossSceneOut], error) {
		cmd := wire.CrossSceneSetProperty{Scenes: in.Scenes, NodeType: in.NodeType, Property: in.Property, Value: in.Value}
		return catalog.Command(wire.CmdCrossSceneSetProperty, cmd, func(r wire.CrossSceneSetPropertyResult, a catalog.Applied) (crossSceneOut, error) {
			out := crossSceneOut{DryRun: a.DryRun, Scenes: len(r.Results)}
			var rows []crossScene
			for _, s := range r.Results {
				row := crossScene{Scene: s.Scene, Modified: s.Modified, Nodes: s.Nodes[:min(len(s.Nodes), nodesPerScene)]}
				if s.Error != nil {
					f := answer.FromWire(s.Error, !a.DryRun)
					row.Error, row.Reason, row.Hint = f.ErrorCode, s.Reason, f.Hint
					if s.Reason == wire.ReasonUnsaved || s.Reason == wire.ReasonOtherScene {
						row.Hint = openSceneHint
					}
					out.Failed++
				}
				out.TotalModified += s.Modified
				rows = append(rows, row)
			}
			out.Results, out.Truncated = fit(rows, room)
			return out, nil
		}), nil
	},
})
