package catalog

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"godot-mcp/server/approval"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// Bounds on what is read for a person who looks at a call.
const (
	maxShownFile   = 1 << 20 // bytes
	maxShownNodes  = 200
	maxShownValues = 40
)

// newText are the arguments of tools that write a text file.
var newText = []string{"content", "find"}

// present reads what calls would replace, as it is now: previews say that a file
// changes or how many nodes go, and a person wants to see which. What the editor
// does not give is left out.
func (e *Env) present(ctx context.Context, p *prepared, shown json.RawMessage) (out approval.Present) {
	if p.parts == nil {
		e.presentOf(ctx, p, shown, &out)
		return out
	}
	var batch struct {
		Results []struct {
			Result json.RawMessage `json:"result"`
		} `json:"results"`
	}
	if json.Unmarshal(shown, &batch) != nil {
		return out
	}
	for i, part := range p.parts {
		if i < len(batch.Results) {
			e.presentOf(ctx, part, batch.Results[i].Result, &out)
		}
	}
	return out
}

func (e *Env) presentOf(ctx context.Context, p *prepared, shown json.RawMessage, out *approval.Present) {
	var args struct {
		Node  string `json:"node_path"`
		Edits []struct {
			Node       string                     `json:"node_path"`
			Properties map[string]json.RawMessage `json:"properties"`
		} `json:"edits"`
	}
	var preview struct {
		Removed  int      `json:"removed"`
		Property string   `json:"property"`
		Applied  []string `json:"applied"`
	}
	// Answers of other shapes have nothing that is read here.
	if json.Unmarshal(p.args, &args) != nil || json.Unmarshal(shown, &preview) != nil {
		return
	}
	e.presentFiles(ctx, p, out)
	if preview.Removed > 1 && args.Node != "" {
		e.presentNodes(ctx, args.Node, out)
	}
	for _, node := range preview.Applied {
		e.presentValue(ctx, node, preview.Property, out)
	}
	for _, edit := range args.Edits {
		for _, property := range slices.Sorted(maps.Keys(edit.Properties)) {
			e.presentValue(ctx, edit.Node, property, out)
		}
	}
}

func (e *Env) presentFiles(ctx context.Context, p *prepared, out *approval.Present) {
	if !p.tool.WritesDisk || !slices.ContainsFunc(newText, func(name string) bool { return slices.Contains(p.tool.Args, name) }) {
		return
	}
	args := map[string]json.RawMessage{}
	if json.Unmarshal(p.args, &args) != nil {
		return
	}
	for _, param := range p.tool.Paths {
		var path string
		var file wire.ReadFileResult
		if param.Kind == safety.FilePath && json.Unmarshal(args[param.Name], &path) == nil && path != "" &&
			!slices.ContainsFunc(out.Files, func(f approval.File) bool { return f.Path == path }) &&
			e.read(ctx, wire.CmdReadFile, wire.ReadFile{Path: path}, &file) && len(file.Content) <= maxShownFile {
			out.Files = append(out.Files, approval.File{Path: path, Text: file.Content})
		}
	}
}

func (e *Env) presentNodes(ctx context.Context, node string, out *approval.Present) {
	var tree wire.GetSceneTreeResult
	if !e.read(ctx, wire.CmdGetSceneTree, wire.GetSceneTree{NodePath: node, MaxDepth: -1, Offset: 1, Limit: maxShownNodes, Lightweight: true}, &tree) {
		return
	}
	for _, n := range tree.Nodes {
		out.Nodes = append(out.Nodes, approval.Node{Below: node, Path: n.Path, Type: n.Type})
	}
}

func (e *Env) presentValue(ctx context.Context, node, property string, out *approval.Present) {
	var v wire.GetNodePropertyResult
	if node == "" || property == "" || len(out.Values) >= maxShownValues ||
		!e.read(ctx, wire.CmdGetNodeProperty, wire.GetNodeProperty{NodePath: node, Property: property}, &v) || !v.Exists {
		return
	}
	out.Values = append(out.Values, approval.Value{Node: node, Property: property, Value: v.Value})
}

func (e *Env) read(ctx context.Context, command string, params, result any) bool {
	r := e.Editor.Do(ctx, Order{Command: command, Params: params})
	return r.Failure() == nil && json.Unmarshal(r.Result, result) == nil
}
