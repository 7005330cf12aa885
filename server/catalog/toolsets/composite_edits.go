package toolsets

import (
	"context"
	"encoding/json"

	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

type nodeEdit struct {
	NodePath   string                     `json:"node_path" desc:"Node."`
	Properties map[string]json.RawMessage `json:"properties" desc:"Values by name."`
}

type applyEditsIn struct {
	Edits []nodeEdit `json:"edits" desc:"Nodes and what to set." minlen:"1"`
	Save  bool       `json:"save,omitempty" desc:"Save the scene afterwards."`
}

type editedNode struct {
	NodePath string   `json:"node_path"`
	Set      []string `json:"set"`
}

// skippedNode is a node that lacks the property; reason is unknown_property.
type skippedNode struct {
	NodePath string      `json:"node_path"`
	Property string      `json:"property"`
	Why      wire.Reason `json:"why"`
	Near     []string    `json:"near,omitempty"`
}

type applyEditsOut struct {
	EditedNodes  []editedNode  `json:"edited"`
	Skipped      []skippedNode `json:"skipped"`
	Count        int           `json:"count"`
	SkippedCount int           `json:"skipped_count"`
	Persistence  []verdictRow  `json:"persistence"`
	Truncated    bool          `json:"truncated,omitempty"`
	saving
	catalog.Edited
}

var applyNodeEdits = catalog.Define(catalog.Declaration[applyEditsIn, applyEditsOut]{
	Toolset: "composite", Handler: "apply_node_edits", Class: safety.Mutating, WritesDisk: true,
	Description: "Set many properties of many nodes as one undo action, all or nothing. A property that a node lacks is left out and stands in skipped. persistence: one verdict per node.",
	Needs:       catalog.NeedsNode,
	Nodes:       []string{"edits[].node_path"},
	Commands:    []string{wire.CmdGetNodeProperty, wire.CmdRunCommands, wire.CmdTransaction, wire.CmdSaveScene},
	Timeout:     manyEdits,
	Run: func(ctx context.Context, c *catalog.Call, in applyEditsIn) (applyEditsOut, error) {
		var sets []wire.SetNodeProperty
		for _, e := range in.Edits {
			for _, name := range settingOrder(e.Properties) {
				sets = append(sets, wire.SetNodeProperty{NodePath: e.NodePath, Property: name, Value: e.Properties[name]})
			}
		}
		done, err := setAll(ctx, c, "Edit nodes", sets, in.Save)
		if err != nil {
			return applyEditsOut{}, err
		}
		nodes := editedNodes(done.applied)
		out := applyEditsOut{Count: len(nodes), SkippedCount: len(done.skipped), saving: done.saving, Edited: done.edited}
		var cut [3]bool
		out.EditedNodes, cut[0] = fit(nodes, room/3)
		out.Skipped, cut[1] = fit(done.skipped, room/5)
		out.Persistence, cut[2] = done.verdicts.shown(room / 3)
		out.Truncated = cut[0] || cut[1] || cut[2]
		return out, nil
	},
})

// editedNodes gathers consecutive sets of one node.
func editedNodes(applied []wire.SetNodePropertyResult) []editedNode {
	var out []editedNode
	for _, r := range applied {
		if n := len(out); n > 0 && out[n-1].NodePath == r.NodePath {
			out[n-1].Set = append(out[n-1].Set, r.Property)
			continue
		}
		out = append(out, editedNode{r.NodePath, []string{r.Property}})
	}
	return out
}
