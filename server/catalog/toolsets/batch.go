package toolsets

import (
	"context"
	"encoding/json"
	"slices"

	"godot-mcp/server/answer"
	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

func batch() []*catalog.Tool {
	return []*catalog.Tool{findNodesByType, batchSetProperty, crossSceneSetProperty, getDependencies}
}

type findNodesIn struct {
	NodeType   string `json:"node_type" desc:"Engine class or script class_name." minlen:"1"`
	ParentPath string `json:"parent_path,omitempty" desc:"Look here and below." default:"."`
	Recursive  bool   `json:"recursive,omitempty" desc:"Below its children too." default:"true"`
	Offset     int    `json:"offset,omitempty" desc:"Nodes to skip." min:"0"`
	Limit      int    `json:"limit,omitempty" desc:"Most nodes to list." min:"1" max:"1000" default:"200"`
}

type findNodesOut struct {
	Type  string           `json:"type"`
	Nodes []wire.FoundNode `json:"nodes"`
	Count int              `json:"count"`
	catalog.Page
}

var findNodesByType = catalog.Define(catalog.Declaration[findNodesIn, findNodesOut]{
	Toolset: "batch", Handler: "find_nodes_by_type", Class: safety.ReadOnly,
	Description: "Nodes of a class or of one derived from it, in tree order.",
	Needs:       catalog.NeedsNode,
	Nodes:       []string{"parent_path"},
	Plan: func(in findNodesIn) (catalog.Plan[findNodesOut], error) {
		cmd := wire.FindNodesByType{Type: in.NodeType, ParentPath: in.ParentPath, Recursive: in.Recursive, Offset: in.Offset, Limit: in.Limit}
		return catalog.Command(wire.CmdFindNodesByType, cmd, func(r wire.FindNodesByTypeResult, _ catalog.Applied) (findNodesOut, error) {
			nodes, page := catalog.Paged(r.Nodes, in.Offset, r.Total, room)
			return findNodesOut{in.NodeType, nodes, len(nodes), page}, nil
		}), nil
	},
})

type batchSetIn struct {
	Property  string          `json:"property" desc:"Name; colons reach inside (position:x)." minlen:"1"`
	Value     json.RawMessage `json:"value" desc:"As for godot_scene_edit_set_node_property."`
	NodePaths []string        `json:"node_paths,omitempty" desc:"These nodes; or give node_type." minlen:"1"`
	NodeType  string          `json:"node_type,omitempty" desc:"All nodes of this class, inside instances too."`
}

type batchSetOut struct {
	Property     string        `json:"property"`
	Applied      []string      `json:"applied"`
	Skipped      []skippedNode `json:"skipped"`
	Count        int           `json:"count"`
	SkippedCount int           `json:"skipped_count"`
	Persistence  []verdictRow  `json:"persistence"`
	Truncated    bool          `json:"truncated,omitempty"`
	catalog.Edited
}

var batchSetProperty = catalog.Define(catalog.Declaration[batchSetIn, batchSetOut]{
	Toolset: "batch", Handler: "batch_set_property", Class: safety.Mutating,
	Description: "Set one property on many nodes as one undo action, all or nothing. Nodes without it stand in skipped. persistence: one verdict per node.",
	Needs:       catalog.NeedsNode,
	Target:      []string{"property", "node_type"},
	Nodes:       []string{"node_paths[]"},
	Commands:    []string{wire.CmdFindNodesByType, wire.CmdGetNodeProperty, wire.CmdRunCommands, wire.CmdTransaction},
	Timeout:     manyEdits,
	Run: func(ctx context.Context, c *catalog.Call, in batchSetIn) (batchSetOut, error) {
		nodes, err := targets(ctx, c, in)
		if err != nil {
			return batchSetOut{}, err
		}
		var sets []wire.SetNodeProperty
		for _, n := range nodes {
			sets = append(sets, wire.SetNodeProperty{NodePath: n, Property: in.Property, Value: in.Value})
		}
		done, err := setAll(ctx, c, "Set "+in.Property+" on nodes", sets, false)
		if err != nil {
			return batchSetOut{}, err
		}
		out := batchSetOut{Property: in.Property, Count: len(done.applied), SkippedCount: len(done.skipped), Edited: done.edited}
		var applied []string
		for _, r := range done.applied {
			applied = append(applied, r.NodePath)
		}
		var cut [3]bool
		out.Applied, cut[0] = fit(applied, room/3)
		out.Skipped, cut[1] = fit(done.skipped, room/5)
		out.Persistence, cut[2] = done.verdicts.shown(room / 3)
		out.Truncated = cut[0] || cut[1] || cut[2]
		return out, nil
	},
})

// targets lists the nodes to edit, each once.
func targets(ctx context.Context, c *catalog.Call, in batchSetIn) ([]string, error) {
	switch {
	case len(in.NodePaths) > 0 && in.NodeType != "":
		return nil, answer.New(answer.BadArguments, "param", "node_type", "message", "give node_paths or node_type, not both")
	case in.NodeType == "" && len(in.NodePaths) == 0:
		return nil, answer.New(answer.MissingArgument, "param", "node_paths", "tool", c.Tool.Name)
	case in.NodeType == "":
		var out []string
		seen := map[string]bool{}
		for _, p := range in.NodePaths {
			if !seen[p] {
				seen[p] = true
				out = append(out, p)
			}
		}
		return out, nil
	}
	const pageSize = 1_000
	var out []string
	for {
		var r wire.FindNodesByTypeResult
		cmd := wire.FindNodesByType{Type: in.NodeType, ParentPath: ".", Recursive: true, Offset: len(out), Limit: pageSize}
		if err := c.Ask(ctx, wire.CmdFindNodesByType, cmd, &r); err != nil {
			return nil, err
		}
		for _, n := range r.Nodes {
			out = append(out, n.Path)
		}
		if len(r.Nodes) == 0 || len(out) >= r.Total {
			return slices.Clip(out), nil
		}
	}
}

type dependenciesIn struct {
	Path   string `json:"path" desc:"Scene, resource or script file (res://)."`
	Offset int    `json:"offset,omitempty" desc:"References to skip." min:"0"`
}

type dependenciesOut struct {
	Path         string            `json:"path"`
	Dependencies []wire.Dependency `json:"dependencies"`
	Count        int               `json:"count"`
	catalog.Page
}

var getDependencies = catalog.Define(catalog.Declaration[dependenciesIn, dependenciesOut]{
	Toolset: "batch", Handler: "get_dependencies", Class: safety.ReadOnly,
	Description: "Files that a scene, resource or script refers to, and whether they exist.",
	Needs:       catalog.NeedsEditor,
	Files:       []string{"path"},
	Plan: func(in dependenciesIn) (catalog.Plan[dependenciesOut], error) {
		return catalog.Command(wire.CmdGetDependencies, wire.GetDependencies{Path: in.Path}, func(r wire.GetDependenciesResult, _ catalog.Applied) (dependenciesOut, error) {
			list, page := pageFrom(r.Dependencies, in.Offset)
			return dependenciesOut{r.Path, list, len(r.Dependencies), page}, nil
		}), nil
	},
})
