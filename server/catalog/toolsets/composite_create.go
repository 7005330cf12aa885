package toolsets

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

type composeNodeIn struct {
	ParentPath string                     `json:"parent_path" desc:"Parent node; \".\" is the scene root."`
	NodeType   string                     `json:"node_type" desc:"Engine class or script class_name." minlen:"1"`
	NodeName   string                     `json:"node_name" desc:"Name of the new node." minlen:"1"`
	Properties map[string]json.RawMessage `json:"properties,omitempty" desc:"Property values by name."`
	ScriptPath string                     `json:"script_path,omitempty" desc:"Script to attach (res://)."`
	Children   []composeChild             `json:"children,omitempty" desc:"Nodes to make below it."`
	Save       bool                       `json:"save,omitempty" desc:"Save the scene afterwards."`
}

type composeChild struct {
	NodeType   string                     `json:"node_type" desc:"Class." minlen:"1"`
	NodeName   string                     `json:"node_name" desc:"Name." minlen:"1"`
	Properties map[string]json.RawMessage `json:"properties,omitempty" desc:"Values."`
}

type composeNodeOut struct {
	NodePath       string   `json:"node_path"`
	Created        bool     `json:"created"`
	Children       []string `json:"children"`
	ScriptAttached bool     `json:"script_attached"`
	PropertiesSet  []string `json:"properties_set"`
	Truncated      bool     `json:"truncated,omitempty"`
	saving
	catalog.Edited
}

var composeNode = catalog.Define(catalog.Declaration[composeNodeIn, composeNodeOut]{
	Toolset: "composite", Handler: "compose_node", Class: safety.Mutating, WritesDisk: true,
	Description: "Make a node with values, script and children as one undo action, all or nothing. saved false: see hint.",
	Needs:       catalog.NeedsNode,
	Target:      []string{"parent_path", "node_name"},
	Nodes:       []string{"parent_path"},
	Files:       []string{"script_path?"},
	Commands:    []string{wire.CmdGetActiveScene, wire.CmdTransaction, wire.CmdSaveScene},
	Timeout:     manyEdits,
	Run: func(ctx context.Context, c *catalog.Call, in composeNodeIn) (composeNodeOut, error) {
		const made = "made"
		steps := []wire.StepParam{catalog.Step(wire.CmdCreateNode, wire.CreateNode{
			ParentPath: in.ParentPath, Type: in.NodeType, Name: in.NodeName, Properties: in.Properties, ScriptPath: in.ScriptPath, As: made,
		})}
		for _, ch := range in.Children {
			steps = append(steps, catalog.Step(wire.CmdCreateNode, wire.CreateNode{
				ParentPath: ":" + made, Type: ch.NodeType, Name: ch.NodeName, Properties: ch.Properties,
			}))
		}
		n, edited, saved, err := createAll(ctx, c, "Compose "+in.NodeName, steps, in.Save)
		if err != nil {
			return composeNodeOut{}, err
		}
		out := composeNodeOut{
			NodePath: n[0].NodePath, Created: !c.DryRun, ScriptAttached: in.ScriptPath != "" && !c.DryRun,
			PropertiesSet: orEmpty(slices.Sorted(maps.Keys(n[0].Properties))), saving: saved, Edited: edited,
		}
		var page catalog.Page
		out.Children, page = catalog.Paged(pathsOf(n[1:]), 0, len(n)-1, room/2)
		out.Truncated = page.Truncated
		return out, nil
	},
})

type batchCreateIn struct {
	ParentPath string                     `json:"parent_path" desc:"Parent node; \".\" is the scene root."`
	NodeType   string                     `json:"node_type" desc:"Engine class or script class_name." minlen:"1"`
	Names      []string                   `json:"names" desc:"One node for each." minlen:"1"`
	Properties map[string]json.RawMessage `json:"properties,omitempty" desc:"Property values for all of them."`
	Save       bool                       `json:"save,omitempty" desc:"Save the scene afterwards."`
}

type batchCreateOut struct {
	Created   []string `json:"created"`
	Count     int      `json:"count"`
	Truncated bool     `json:"truncated,omitempty"`
	saving
	catalog.Edited
}

var batchCreateNodes = catalog.Define(catalog.Declaration[batchCreateIn, batchCreateOut]{
	Toolset: "composite", Handler: "batch_create_nodes", Class: safety.Mutating, WritesDisk: true,
	Description: "Make many nodes of one class as one undo action, all or nothing. created holds the paths in the order of names.",
	Needs:       catalog.NeedsNode,
	Target:      []string{"parent_path", "node_type"},
	Nodes:       []string{"parent_path"},
	Commands:    []string{wire.CmdGetActiveScene, wire.CmdTransaction, wire.CmdSaveScene},
	Timeout:     manyEdits,
	Run: func(ctx context.Context, c *catalog.Call, in batchCreateIn) (batchCreateOut, error) {
		var steps []wire.StepParam
		for _, name := range in.Names {
			steps = append(steps, catalog.Step(wire.CmdCreateNode, wire.CreateNode{
				ParentPath: in.ParentPath, Type: in.NodeType, Name: name, Properties: in.Properties,
			}))
		}
		n, edited, saved, err := createAll(ctx, c, "Create "+in.NodeType+" nodes", steps, in.Save)
		if err != nil {
			return batchCreateOut{}, err
		}
		out := batchCreateOut{Count: len(n), saving: saved, Edited: edited}
		var page catalog.Page
		out.Created, page = catalog.Paged(pathsOf(n), 0, len(n), room/2)
		out.Truncated = page.Truncated
		return out, nil
	},
})

// createAll runs steps that all make nodes, then saves if that is wanted.
func createAll(ctx context.Context, c *catalog.Call, label string, steps []wire.StepParam, save bool) (n []wire.NewNodeResult, e catalog.Edited, s saving, err error) {
	after, err := beforeEdit(ctx, c, save)
	if err != nil {
		return nil, e, s, err
	}
	tx, err := transact(ctx, c, label, steps)
	if err != nil {
		return nil, e, s, err
	}
	if n, err = decodeAll[wire.NewNodeResult](tx.Results); err != nil {
		return nil, e, s, err
	}
	var v verdicts
	for _, r := range n {
		v.add(r.NodePath, r.Verdict)
	}
	e = catalog.Edited{DryRun: c.DryRun, Undoable: tx.Undoable, Lasting: v.all()}
	s = after.run(ctx, c, &e)
	return n, e, s, nil
}

func pathsOf(nodes []wire.NewNodeResult) []string {
	out := make([]string, len(nodes))
	for i, n := range nodes {
		out[i] = n.NodePath
	}
	return out
}
