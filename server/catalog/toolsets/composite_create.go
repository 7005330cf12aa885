package toolsets

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"godot-mcp/server/answer"
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
	Renamed        bool     `json:"renamed"`
	Children       []string `json:"children"`
	ScriptAttached bool     `json:"script_attached"`
	PropertiesSet  []string `json:"properties_set"`
	Truncated      bool     `json:"truncated,omitempty"`
	saving
	catalog.Edited
}

var composeNode = catalog.Define(catalog.Declaration[composeNodeIn, composeNodeOut]{
	Toolset: "composite", Handler: "compose_node", Class: safety.Mutating, WritesDisk: true,
	Description: "Make a node with values, script and children as one undo action, all or nothing. renamed: a name was taken or not allowed and another stands in its path. saved false: see hint.",
	Needs:       catalog.NeedsNode,
	Target:      []string{"parent_path", "node_name"},
	Nodes:       []string{"parent_path"},
	Files:       []string{"script_path?"},
	Timeout:     manyEdits,
	Plan: func(in composeNodeIn) (catalog.Plan[composeNodeOut], error) {
		const made = "made"
		steps := []wire.StepParam{catalog.Step(wire.CmdCreateNode, wire.CreateNode{
			ParentPath: in.ParentPath, Type: in.NodeType, Name: in.NodeName, Properties: in.Properties, ScriptPath: in.ScriptPath, As: made,
		})}
		for _, ch := range in.Children {
			steps = append(steps, catalog.Step(wire.CmdCreateNode, wire.CreateNode{
				ParentPath: ":" + made, Type: ch.NodeType, Name: ch.NodeName, Properties: ch.Properties,
			}))
		}
		return createAll("Compose "+in.NodeName, steps, in.Save, func(n []wire.NewNodeResult, e catalog.Edited, s saving) composeNodeOut {
			out := composeNodeOut{
				NodePath: n[0].NodePath, Created: !e.DryRun, Renamed: anyRenamed(n), ScriptAttached: in.ScriptPath != "" && !e.DryRun,
				PropertiesSet: orEmpty(slices.Sorted(maps.Keys(n[0].Properties))), saving: s, Edited: e,
			}
			out.Children, out.Truncated = fit(pathsOf(n[1:]), room/2)
			return out
		}), nil
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
	Renamed   bool     `json:"renamed"`
	Truncated bool     `json:"truncated,omitempty"`
	saving
	catalog.Edited
}

var batchCreateNodes = catalog.Define(catalog.Declaration[batchCreateIn, batchCreateOut]{
	Toolset: "composite", Handler: "batch_create_nodes", Class: safety.Mutating, WritesDisk: true,
	Description: "Make many nodes of one class as one undo action, all or nothing. created holds the paths in the order of names. renamed: a name was taken or not allowed and another stands in its path.",
	Needs:       catalog.NeedsNode,
	Target:      []string{"parent_path", "node_type"},
	Nodes:       []string{"parent_path"},
	Timeout:     manyEdits,
	Plan: func(in batchCreateIn) (catalog.Plan[batchCreateOut], error) {
		var steps []wire.StepParam
		for _, name := range in.Names {
			steps = append(steps, catalog.Step(wire.CmdCreateNode, wire.CreateNode{
				ParentPath: in.ParentPath, Type: in.NodeType, Name: name, Properties: in.Properties,
			}))
		}
		return createAll("Create "+in.NodeType+" nodes", steps, in.Save, func(n []wire.NewNodeResult, e catalog.Edited, s saving) batchCreateOut {
			out := batchCreateOut{Count: len(n), Renamed: anyRenamed(n), saving: s, Edited: e}
			out.Created, out.Truncated = fit(pathsOf(n), room/2)
			return out
		}), nil
	},
})

// anyRenamed says that a node did not get the name that was asked for, since
// that was taken or has characters that no name can have.
func anyRenamed(made []wire.NewNodeResult) bool {
	return slices.ContainsFunc(made, func(n wire.NewNodeResult) bool { return n.Renamed })
}

// createAll plans steps that all make nodes, and a save after them if that is
// wanted.
func createAll[Out any](label string, steps []wire.StepParam, save bool, shape func([]wire.NewNodeResult, catalog.Edited, saving) Out) catalog.Plan[Out] {
	made := func(raw []json.RawMessage, a catalog.Applied, s saving) (out Out, err error) {
		if len(raw) != len(steps) {
			return out, answer.New(answer.BadResult, "message", fmt.Sprintf("%d results for %d steps", len(raw), len(steps)))
		}
		n, err := decodeAll[wire.NewNodeResult](raw)
		if err != nil {
			return out, err
		}
		var v verdicts
		for _, r := range n {
			v.add(r.NodePath, r.Verdict)
		}
		return shape(n, catalog.Edited{DryRun: a.DryRun, Undoable: a.Undoable, Lasting: s.lasting(v.all())}, s), nil
	}
	if !save {
		return catalog.Edits(label, steps, func(raw []json.RawMessage, a catalog.Applied) (Out, error) { return made(raw, a, saving{}) })
	}
	return catalog.Command(wire.CmdRunCommands, savedEdit(label, steps), func(r wire.RunCommandsResult, a catalog.Applied) (out Out, err error) {
		tx, s, err := ofSavedEdit(r, a.DryRun)
		if err != nil {
			return out, err
		}
		a.Undoable = tx.Undoable
		return made(tx.Results, a, s)
	})
}

func pathsOf(nodes []wire.NewNodeResult) []string {
	out := make([]string, len(nodes))
	for i, n := range nodes {
		out[i] = n.NodePath
	}
	return out
}
