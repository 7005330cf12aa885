package toolsets

import (
	"encoding/json"

	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

type createNodeIn struct {
	ParentPath string                     `json:"parent_path" desc:"Parent node; \".\" is the scene root."`
	NodeType   string                     `json:"node_type" desc:"Engine class or script class_name." minlen:"1"`
	NodeName   string                     `json:"node_name" desc:"Name of the new node." minlen:"1"`
	Properties map[string]json.RawMessage `json:"properties,omitempty" desc:"Property values by name."`
	ScriptPath string                     `json:"script_path,omitempty" desc:"Script to attach (res://)."`
	Groups     []string                   `json:"groups,omitempty" desc:"Groups to join."`
	UniqueName bool                       `json:"unique_name,omitempty" desc:"Make it reachable as %Name."`
	Index      *int                       `json:"index,omitempty" desc:"Place among siblings; last if left out." min:"0"`
}

type createNodeOut struct {
	NodePath string `json:"node_path"`
	Name     string `json:"name"`
	Renamed  bool   `json:"renamed"`
	Type     string `json:"type"`
	Created  bool   `json:"created"`
	// Properties are the values read back, for those that were given.
	Properties map[string]json.RawMessage `json:"properties,omitempty"`
	catalog.Edited
}

var createNode = catalog.Define(catalog.Declaration[createNodeIn, createNodeOut]{
	Toolset: "scene_edit", Handler: "create_node", Class: safety.Mutating,
	Description: "Add a node to the open scene, with property values, script and groups in one step. A taken name becomes the next free one (see name).",
	Needs:       catalog.NeedsNode,
	Target:      []string{"parent_path", "node_name"},
	Nodes:       []string{"parent_path"},
	Files:       []string{"script_path?"},
	Plan: func(in createNodeIn) (catalog.Plan[createNodeOut], error) {
		step := catalog.Step(wire.CmdCreateNode, wire.CreateNode{
			ParentPath: in.ParentPath, Type: in.NodeType, Name: in.NodeName, Index: in.Index,
			Properties: in.Properties, ScriptPath: in.ScriptPath, Groups: in.Groups, UniqueName: in.UniqueName,
		})
		return catalog.Edit("Create "+in.NodeName, step, func(r wire.NewNodeResult, a catalog.Applied) (createNodeOut, error) {
			return createNodeOut{
				NodePath: r.NodePath, Name: r.Name, Renamed: r.Renamed, Type: r.Type, Created: !a.DryRun,
				Properties: r.Properties, Edited: a.Edited(r.Verdict, r.NodePath),
			}, nil
		}), nil
	},
})

type setNodePropertyIn struct {
	NodePath string          `json:"node_path" desc:"Node; \".\" is the scene root."`
	Property string          `json:"property" desc:"Name; colons reach inside (position:x, shape:size)." minlen:"1"`
	Value    json.RawMessage `json:"value" desc:"Number, text, {x,y}, \"#ff8800\", {resource:\"res://a.tres\"}, {new:\"Class\",properties:{...}} or null."`
}

type setNodePropertyOut struct {
	NodePath string          `json:"node_path"`
	Property string          `json:"property"`
	Type     string          `json:"type"`
	Value    json.RawMessage `json:"value" desc:"As the node kept it."`
	Previous json.RawMessage `json:"previous" desc:"Value before."`
	Coerced  bool            `json:"coerced,omitempty"`
	Changed  bool            `json:"changed"`
	Set      bool            `json:"set"`
	catalog.Edited
}

var setNodeProperty = catalog.Define(catalog.Declaration[setNodePropertyIn, setNodePropertyOut]{
	Toolset: "scene_edit", Handler: "set_node_property", Class: safety.Mutating,
	Description: "Set one property of a node. The value is converted to the property's type and read back.",
	Needs:       catalog.NeedsNode,
	Target:      []string{"node_path", "property"},
	Nodes:       []string{"node_path"},
	Plan: func(in setNodePropertyIn) (catalog.Plan[setNodePropertyOut], error) {
		step := catalog.Step(wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: in.NodePath, Property: in.Property, Value: in.Value})
		return catalog.Edit("Set "+in.Property, step, func(r wire.SetNodePropertyResult, a catalog.Applied) (setNodePropertyOut, error) {
			return setNodePropertyOut{
				NodePath: r.NodePath, Property: r.Property, Type: r.Type, Value: r.Value, Previous: r.Previous,
				Coerced: r.Coerced, Changed: r.Changed, Set: !a.DryRun, Edited: a.Edited(r.Verdict, r.NodePath),
			}, nil
		}), nil
	},
})

type deleteNodeIn struct {
	NodePath string `json:"node_path" desc:"Node to delete with its subtree." minlen:"1"`
}

type deleteNodeOut struct {
	NodePath     string `json:"node_path"`
	Removed      int    `json:"removed"`
	Disconnected int    `json:"disconnected"`
	Deleted      bool   `json:"deleted"`

	BrokenNodePaths []wire.BrokenNodePath `json:"broken_node_paths,omitempty"`
	catalog.Edited
}

var deleteNode = catalog.Define(catalog.Declaration[deleteNodeIn, deleteNodeOut]{
	Toolset: "scene_edit", Handler: "delete_node", Class: safety.Destructive,
	Description: "Delete a node with its subtree and the connections to it. Undo brings all back. broken_node_paths: NodePath properties that lead nowhere now.",
	Needs:       catalog.NeedsNode,
	Target:      []string{"node_path"},
	Nodes:       []string{"node_path"},
	Plan: func(in deleteNodeIn) (catalog.Plan[deleteNodeOut], error) {
		step := catalog.Step(wire.CmdDeleteNode, wire.DeleteNode{NodePath: in.NodePath})
		return catalog.Edit("Delete "+in.NodePath, step, func(r wire.DeleteNodeResult, a catalog.Applied) (deleteNodeOut, error) {
			return deleteNodeOut{
				NodePath: r.NodePath, Removed: r.Removed, Disconnected: r.Disconnected, Deleted: !a.DryRun,
				BrokenNodePaths: r.BrokenNodePaths, Edited: a.Edited(r.Verdict, in.NodePath),
			}, nil
		}), nil
	},
})
