package toolsets

import (
	"encoding/json"
	"sort"
	"strings"

	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

type sceneTreeIn struct {
	NodePath    string `json:"node_path,omitempty" desc:"Where the tree begins." default:"."`
	MaxDepth    int    `json:"max_depth,omitempty" desc:"Levels below it; -1: all." min:"-1" max:"1000" default:"-1"`
	Lightweight bool   `json:"lightweight,omitempty" desc:"Only name, type and children."`
	Offset      int    `json:"offset,omitempty" desc:"Nodes to skip, in tree order." min:"0"`
	Limit       int    `json:"limit,omitempty" desc:"Most nodes to read." min:"1" max:"500" default:"500"`
}

type sceneTreeOut struct {
	ScenePath string `json:"scene_path,omitempty"`
	Version   string `json:"version,omitempty"`
	// Tree is a treeView, or null; its type is recursive, which clients' schemas are not.
	Tree        json.RawMessage `json:"tree"`
	Lightweight bool            `json:"lightweight"`
	catalog.Page
}

var getSceneTree = catalog.Define(catalog.Declaration[sceneTreeIn, sceneTreeOut]{
	Toolset: "inspection", Handler: "get_scene_tree", Class: safety.ReadOnly,
	Description: "Nodes of the open scene as a tree. Paths (\".\" is the root) fit node arguments. owner: from that scene file; partial: parent of listed nodes; child_count: not all listed. Lightweight: join names with / for paths. truncated: go on at next_offset. version: for expected_version.",
	Needs:       catalog.NeedsEditor,
	Nodes:       []string{"node_path"},
	Plan: func(in sceneTreeIn) (catalog.Plan[sceneTreeOut], error) {
		cmd := wire.GetSceneTree{NodePath: in.NodePath, MaxDepth: in.MaxDepth, Offset: in.Offset, Limit: in.Limit, Lightweight: in.Lightweight}
		return catalog.Command(wire.CmdGetSceneTree, cmd, func(r wire.GetSceneTreeResult, _ catalog.Applied) (sceneTreeOut, error) {
			return showTree(r, in)
		}), nil
	},
})

// treeView is one node as clients see it. Without a page's own parent nodes
// the tree would fall apart, so they stand in as partial ones.
type treeView struct {
	Name             string      `json:"name,omitempty"`
	Type             string      `json:"type,omitempty"`
	Path             string      `json:"path,omitempty"`
	Script           string      `json:"script,omitempty"`
	Owner            string      `json:"owner,omitempty"`
	EditableChildren bool        `json:"editable_children,omitempty"`
	UniqueName       bool        `json:"unique_name,omitempty"`
	Unowned          bool        `json:"unowned,omitempty"`
	Missing          bool        `json:"missing,omitempty"`
	Ambiguous        bool        `json:"ambiguous,omitempty"`
	Partial          bool        `json:"partial,omitempty"`
	ChildCount       int         `json:"child_count,omitempty"`
	Children         []*treeView `json:"children,omitempty"`

	listed int // children that the node has in the scene
}

// showTree fits a listing into an answer: in full, else light, else the first
// nodes of it light.
func showTree(r wire.GetSceneTreeResult, in sceneTreeIn) (sceneTreeOut, error) {
	out := sceneTreeOut{ScenePath: r.ScenePath, Version: r.Version, Tree: json.RawMessage("null"), Lightweight: in.Lightweight}
	nodes := r.Nodes[:min(len(r.Nodes), in.Limit)]
	kept := len(nodes)
	if kept > 0 {
		raw, err := encodeText(nestTree(nodes, in.Lightweight))
		if err == nil && len(raw) > room {
			out.Lightweight = true
			raw, kept, err = lightPrefix(nodes)
		}
		if err != nil {
			return out, err
		}
		out.Tree = raw
	}
	out.Page = catalog.Page{Total: r.Total, Returned: kept, Truncated: out.Lightweight != in.Lightweight}
	if end := in.Offset + kept; end < r.Total && kept > 0 {
		out.Truncated, out.NextOffset = true, end
	}
	return out, nil
}

// lightPrefix finds how many of the nodes fit when shown light.
func lightPrefix(nodes []wire.TreeNode) (raw []byte, kept int, err error) {
	size := func(n int) int {
		raw, err = encodeText(nestTree(nodes[:n], true))
		return len(raw)
	}
	kept = sort.Search(len(nodes), func(i int) bool { return size(i+1) > room })
	kept = max(kept, 1)
	for size(kept) > room && kept > 1 {
		kept--
	}
	return raw, kept, err
}

// nestTree makes one tree of nodes in tree order. The order makes the parent
// of a node the last node one level up, so paths that two siblings share do no harm.
func nestTree(nodes []wire.TreeNode, light bool) *treeView {
	var open []*treeView // the branch down to the last node
	for _, n := range nodes {
		depth := max(n.Depth, 0)
		for len(open) < depth {
			open = hang(open, stubOf(n, depth-len(open)))
		}
		open = hang(open[:depth], viewOf(n, light && depth > 0, light))
	}
	countChildren(open[0])
	return open[0]
}

func hang(open []*treeView, v *treeView) []*treeView {
	if len(open) > 0 {
		parent := open[len(open)-1]
		parent.Children = append(parent.Children, v)
	}
	return append(open, v)
}

// stubOf stands in for the ancestor some levels above a node.
func stubOf(n wire.TreeNode, above int) *treeView {
	p := n.Path
	for range above {
		i := strings.LastIndexByte(p, '/')
		if i < 0 {
			return &treeView{Path: ".", Partial: true}
		}
		p = p[:i]
	}
	return &treeView{Name: p[strings.LastIndexByte(p, '/')+1:], Path: p, Partial: true}
}

func viewOf(n wire.TreeNode, withoutPath, light bool) *treeView {
	v := &treeView{
		Name: n.Name, Type: n.Type, Path: n.Path, UniqueName: n.UniqueName,
		Unowned: n.Unowned, Missing: n.Missing, Ambiguous: n.Ambiguous, listed: n.Children,
	}
	if withoutPath {
		v.Path = ""
	}
	if !light {
		v.Script, v.Owner, v.EditableChildren = n.Script, n.Owner, n.EditableChildren
	}
	return v
}

func countChildren(v *treeView) {
	if len(v.Children) < v.listed {
		v.ChildCount = v.listed
	}
	for _, c := range v.Children {
		countChildren(c)
	}
}
