package toolsets

import (
	"encoding/json"
	"maps"
	"slices"

	"godot-mcp/server/answer"
	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

type nodeIn struct {
	NodePath string `json:"node_path" desc:"Node; \".\" is the scene root."`
}

// nodeInfo describes one node. Omitted names the script variables whose values
// are too long to show.
type nodeInfo struct {
	NodePath         string                     `json:"node_path"`
	Type             string                     `json:"type"`
	Script           string                     `json:"script,omitempty"`
	Owner            string                     `json:"owner,omitempty"`
	EditableChildren bool                       `json:"editable_children,omitempty"`
	UniqueName       bool                       `json:"unique_name,omitempty"`
	Unowned          bool                       `json:"unowned,omitempty"`
	Missing          bool                       `json:"missing,omitempty"`
	Ambiguous        bool                       `json:"ambiguous,omitempty"`
	Groups           []string                   `json:"groups"`
	Properties       map[string]json.RawMessage `json:"properties"`
	Omitted          []string                   `json:"omitted,omitempty"`
	Children         []string                   `json:"children"`
	ChildCount       int                        `json:"child_count"`
}

func infoOf(r wire.GetNodeResult) nodeInfo {
	info := nodeInfo{
		NodePath: r.Path, Type: r.Type, Script: r.Script, Owner: r.Owner, EditableChildren: r.EditableChildren,
		UniqueName: r.UniqueName, Unowned: r.Unowned, Missing: r.Missing, Ambiguous: r.Ambiguous, ChildCount: r.Children,
	}
	info.Groups, _ = catalog.Paged(r.Groups, 0, len(r.Groups), room/8)
	info.Children, _ = catalog.Paged(r.ChildNames, 0, r.Children, room/4)
	info.Properties, info.Omitted = boundValues(r.Properties, room/2)
	return info
}

// boundValues keeps the values that fit, by name, and names the others.
func boundValues(all map[string]json.RawMessage, budget int) (kept map[string]json.RawMessage, omitted []string) {
	kept = map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if size := len(name) + len(all[name]) + 4; size <= budget {
			kept[name] = all[name]
			budget -= size
		} else {
			omitted = append(omitted, name)
		}
	}
	return kept, omitted
}

type selectedOut struct {
	Selected *nodeInfo `json:"selected,omitempty"`
	Count    int       `json:"count"`
	Also     []string  `json:"also,omitempty"`
}

var getSelectedNode = catalog.Define(catalog.Declaration[struct{}, selectedOut]{
	Toolset: "inspection", Handler: "get_selected_node", Class: safety.ReadOnly,
	Description: "The node selected in the editor; no selected field when there is none. also: further selected nodes.",
	Needs:       catalog.NeedsEditor,
	Plan: func(struct{}) (catalog.Plan[selectedOut], error) {
		return catalog.Command(wire.CmdGetSelectedNodes, wire.GetSelectedNodes{}, func(r wire.GetSelectedNodesResult, _ catalog.Applied) (selectedOut, error) {
			out := selectedOut{Count: r.Count}
			for i, n := range r.Selected {
				if i == 0 {
					out.Selected = new(infoOf(n))
				} else {
					out.Also = append(out.Also, n.Path)
				}
			}
			return out, nil
		}), nil
	},
})

var getNodeProperties = catalog.Define(catalog.Declaration[nodeIn, nodeInfo]{
	Toolset: "inspection", Handler: "get_node_properties", Class: safety.ReadOnly,
	Description: "One node: type, script, script variables with values, groups, names of children. Built-in properties: godot_inspection_get_node_property.",
	Needs:       catalog.NeedsNode,
	Nodes:       []string{"node_path"},
	Plan: func(in nodeIn) (catalog.Plan[nodeInfo], error) {
		return catalog.Command(wire.CmdGetNode, wire.GetNode{NodePath: in.NodePath}, func(r wire.GetNodeResult, _ catalog.Applied) (nodeInfo, error) {
			return infoOf(r), nil
		}), nil
	},
})

type nodePropertyIn struct {
	NodePath string `json:"node_path" desc:"Node; \".\" is the scene root."`
	Property string `json:"property" desc:"Name; colons reach inside (position:x)." minlen:"1"`
}

type nodePropertyOut struct {
	NodePath string          `json:"node_path"`
	Property string          `json:"property"`
	Value    json.RawMessage `json:"value"`
	Exists   bool            `json:"exists"`
	Type     string          `json:"type,omitempty"`
	Near     []string        `json:"near,omitempty"`
}

var getNodeProperty = catalog.Define(catalog.Declaration[nodePropertyIn, nodePropertyOut]{
	Toolset: "inspection", Handler: "get_node_property", Class: safety.ReadOnly,
	Description: "Value of one property, built-in ones too. A property that is not there: exists false, near names.",
	Needs:       catalog.NeedsNode,
	Nodes:       []string{"node_path"},
	Plan: func(in nodePropertyIn) (catalog.Plan[nodePropertyOut], error) {
		cmd := wire.GetNodeProperty{NodePath: in.NodePath, Property: in.Property}
		return catalog.Command(wire.CmdGetNodeProperty, cmd, func(r wire.GetNodePropertyResult, _ catalog.Applied) (nodePropertyOut, error) {
			if len(r.Value) > room {
				return nodePropertyOut{}, answer.New(answer.OutputLimit, "limit", catalog.MaxAnswer, "narrow", "Name a part of the value with a colon.")
			}
			return nodePropertyOut{r.NodePath, r.Property, r.Value, r.Exists, r.Type, r.Near}, nil
		}), nil
	},
})

type propertyListIn struct {
	NodePath string `json:"node_path" desc:"Node; \".\" is the scene root."`
	Offset   int    `json:"offset,omitempty" desc:"Properties to skip." min:"0"`
}

type propertyListOut struct {
	NodePath   string              `json:"node_path"`
	Type       string              `json:"type"`
	Properties []wire.PropertyInfo `json:"properties"`
	catalog.Page
}

var getNodePropertyList = catalog.Define(catalog.Declaration[propertyListIn, propertyListOut]{
	Toolset: "inspection", Handler: "get_node_property_list", Class: safety.ReadOnly,
	Description: "Properties of a node with types and hints. stored: scene files keep it; script: a script declares it.",
	Needs:       catalog.NeedsNode,
	Nodes:       []string{"node_path"},
	Plan: func(in propertyListIn) (catalog.Plan[propertyListOut], error) {
		cmd := wire.GetNodePropertyList{NodePath: in.NodePath}
		return catalog.Command(wire.CmdGetNodePropertyList, cmd, func(r wire.GetNodePropertyListResult, _ catalog.Applied) (propertyListOut, error) {
			list, page := pageFrom(r.Properties, in.Offset)
			return propertyListOut{r.NodePath, r.Type, list, page}, nil
		}), nil
	},
})

type nodeGroupsOut struct {
	NodePath string           `json:"node_path"`
	Groups   []wire.NodeGroup `json:"groups"`
}

var getNodeGroups = catalog.Define(catalog.Declaration[nodeIn, nodeGroupsOut]{
	Toolset: "inspection", Handler: "get_node_groups", Class: safety.ReadOnly,
	Description: "Groups of a node. persistent: saved; from_base: an instanced or base scene supplies it.",
	Needs:       catalog.NeedsNode,
	Nodes:       []string{"node_path"},
	Plan: func(in nodeIn) (catalog.Plan[nodeGroupsOut], error) {
		return catalog.Command(wire.CmdGetNodeGroups, wire.GetNodeGroups{NodePath: in.NodePath}, func(r wire.GetNodeGroupsResult, _ catalog.Applied) (nodeGroupsOut, error) {
			return nodeGroupsOut{r.NodePath, orEmpty(r.Groups)}, nil
		}), nil
	},
})
