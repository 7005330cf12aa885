package toolsets

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"godot-mcp/server/answer"
	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// Resource is one row of the table of resources.
type Resource struct {
	URI         string // a template when it has braces
	Name        string
	Description string
}

// Resources is the table of resources.
func Resources() []Resource {
	return []Resource{
		{"godot://project/info", "project_info", "Name, version, main scene, autoloads and input actions of the open project."},
		{"godot://scene/current", "scene_current", "The scene being edited."},
		{"godot://scene/tree", "scene_tree", "Nodes of the scene being edited, in tree order."},
		{sceneTreePrefix + "{max_depth}", "scene_tree_depth", "The same down to a depth (0: the root only)."},
		{"godot://node/selected", "node_selected", "The nodes selected in the editor."},
	}
}

const sceneTreePrefix = "godot://scene/tree/"

// ResourceURIs lists the addresses and the template.
func ResourceURIs() []string {
	var out []string
	for _, r := range Resources() {
		out = append(out, r.URI)
	}
	return out
}

// ReadResource reads one resource as bounded JSON. A failure is for an address
// that does not exist or an editor that does not answer.
func ReadResource(ctx context.Context, e catalog.Editor, uri string) (json.RawMessage, *answer.Failure) {
	ask := func(command string, params any) (json.RawMessage, *answer.Failure) {
		r := e.Do(ctx, catalog.Order{Command: command, Params: params})
		return r.Result, r.Failure()
	}
	switch uri {
	case "godot://project/info":
		return bounded(ask(wire.CmdGetProjectInfo, wire.GetProjectInfo{}))
	case "godot://scene/current":
		return bounded(ask(wire.CmdGetActiveScene, wire.GetActiveScene{}))
	case "godot://node/selected":
		return bounded(ask(wire.CmdGetSelectedNodes, wire.GetSelectedNodes{}))
	case "godot://scene/tree":
		return sceneTree(ask, -1)
	}
	if rest, ok := strings.CutPrefix(uri, sceneTreePrefix); ok {
		depth, err := strconv.Atoi(rest)
		if err == nil && depth >= -1 && depth <= 1000 {
			return sceneTree(ask, depth)
		}
	}
	return nil, answer.New(answer.UnknownResource, "uri", uri, "valid", ResourceURIs())
}

// bounded replaces what is too long by a truthful marker.
func bounded(raw json.RawMessage, f *answer.Failure) (json.RawMessage, *answer.Failure) {
	if f != nil || len(raw) <= catalog.MaxAnswer {
		return raw, f
	}
	marker, err := json.Marshal(struct {
		Truncated bool   `json:"truncated"`
		Bytes     int    `json:"bytes"`
		Hint      string `json:"hint"`
	}{true, len(raw), "Too long for one answer; the inspection tools read it in parts."})
	return marker, answer.As(err, false)
}

type sceneTreeResource struct {
	ScenePath string          `json:"scene_path,omitempty"`
	Nodes     []wire.TreeNode `json:"nodes"`
	catalog.Page
}

func sceneTree(ask func(string, any) (json.RawMessage, *answer.Failure), depth int) (json.RawMessage, *answer.Failure) {
	raw, f := ask(wire.CmdGetSceneTree, wire.GetSceneTree{NodePath: ".", MaxDepth: depth, Limit: 1000, Lightweight: true})
	if f != nil {
		return nil, f
	}
	r, err := catalog.Result[wire.GetSceneTreeResult](raw)
	if err != nil {
		return nil, answer.As(err, false)
	}
	nodes, page := catalog.Paged(r.Nodes, 0, r.Total, 0)
	out, err := json.Marshal(sceneTreeResource{r.ScenePath, nodes, page})
	return out, answer.As(err, false)
}

type readResourceIn struct {
	URI string `json:"uri" desc:"Such as godot://scene/tree or godot://scene/tree/2." minlen:"1"`
}

type readResourceOut struct {
	URI     string          `json:"uri"`
	Content json.RawMessage `json:"content" desc:"The resource as JSON."`
}

var readResource = catalog.Define(catalog.Declaration[readResourceIn, readResourceOut]{
	Toolset: "core", Handler: "read_resource", Class: safety.ReadOnly,
	Description: "Read a godot:// resource: project/info, scene/current, scene/tree, scene/tree/{max_depth}, node/selected.",
	Target:      []string{"uri"},
	Run: func(ctx context.Context, c *catalog.Call, in readResourceIn) (readResourceOut, error) {
		raw, f := ReadResource(ctx, c.Editor, in.URI)
		if f != nil {
			return readResourceOut{}, f
		}
		return readResourceOut{URI: in.URI, Content: raw}, nil
	},
})
