package toolsets

import (
	"context"
	"strings"

	"godot-mcp/server/answer"
	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

func scripts() []*catalog.Tool {
	return []*catalog.Tool{readScript, listScripts, getScriptForNode, writeScript, patchScript, getParseErrors}
}

type readScriptIn struct {
	ScriptPath string `json:"script_path" desc:"Script file (res://, .gd or .cs)."`
	Offset     int    `json:"offset,omitempty" desc:"Bytes to skip." min:"0"`
}

// scriptText is a part of a script; Page counts bytes. SHA256 is that of the
// whole file.
type scriptText struct {
	ScriptPath string `json:"script_path"`
	Content    string `json:"content"`
	SHA256     string `json:"sha256"`
	catalog.Page
}

var readScript = catalog.Define(catalog.Declaration[readScriptIn, scriptText]{
	Toolset: "scripts", Handler: "read_script", Class: safety.ReadOnly,
	Description: "Text of a script, with the sha256 that guards a later write. A long one comes in parts: go on at next_offset.",
	Needs:       catalog.NeedsEditor,
	Files:       []string{"script_path"},
	Plan: func(in readScriptIn) (catalog.Plan[scriptText], error) {
		if err := wantExtension(in.ScriptPath, ".gd", ".cs"); err != nil {
			return catalog.Plan[scriptText]{}, err
		}
		return catalog.Command(wire.CmdReadFile, wire.ReadFile{Path: in.ScriptPath}, func(r wire.ReadFileResult, _ catalog.Applied) (scriptText, error) {
			content, page := pageOfText(r.Content, in.Offset)
			return scriptText{in.ScriptPath, content, r.SHA256, page}, nil
		}), nil
	},
})

type listScriptsIn struct {
	Directory string `json:"directory,omitempty" desc:"Folder; below it too." default:"res://"`
	Language  string `json:"language,omitempty" desc:"GDScript or C#." enum:"gd,cs" default:"gd"`
	Offset    int    `json:"offset,omitempty" desc:"Files to skip." min:"0"`
	Limit     int    `json:"limit,omitempty" desc:"Most files to list." min:"1" max:"1000" default:"200"`
}

type listScriptsOut struct {
	Directory string   `json:"directory"`
	Scripts   []string `json:"scripts"`
	catalog.Page
}

var listScripts = catalog.Define(catalog.Declaration[listScriptsIn, listScriptsOut]{
	Toolset: "scripts", Handler: "list_scripts", Class: safety.ReadOnly,
	Description: "Script files below a folder.",
	Needs:       catalog.NeedsEditor,
	Files:       []string{"directory"},
	Plan: func(in listScriptsIn) (catalog.Plan[listScriptsOut], error) {
		cmd := wire.ListFiles{Directory: in.Directory, Extensions: []string{in.Language}, Offset: in.Offset, Limit: in.Limit}
		return catalog.Command(wire.CmdListFiles, cmd, func(r wire.ListFilesResult, _ catalog.Applied) (listScriptsOut, error) {
			files, page := catalog.Paged(r.Files, in.Offset, r.Total, room)
			return listScriptsOut{in.Directory, files, page}, nil
		}), nil
	},
})

type scriptForNodeIn struct {
	NodePath string `json:"node_path,omitempty" desc:"Node; the selected one if left out."`
	Offset   int    `json:"offset,omitempty" desc:"Bytes to skip." min:"0"`
}

type scriptForNodeOut struct {
	NodePath   string  `json:"node_path"`
	ScriptPath string  `json:"script_path,omitempty"`
	BuiltIn    bool    `json:"built_in,omitempty"`
	Content    *string `json:"content,omitempty"`
	SHA256     string  `json:"sha256,omitempty"`
	catalog.Page
}

// builtInScript is what the wire calls a script that lies inside a scene.
const builtInScript = "built-in"

var getScriptForNode = catalog.Define(catalog.Declaration[scriptForNodeIn, scriptForNodeOut]{
	Toolset: "scripts", Handler: "get_script_for_node", Action: "get_for_node", Class: safety.ReadOnly,
	Description: "The script of a node and its text; no script_path when it has none. built_in: it lies inside the scene file.",
	Needs:       catalog.NeedsNode,
	Nodes:       []string{"node_path?"},
	Commands:    []string{wire.CmdGetSelectedNodes, wire.CmdGetNode, wire.CmdReadFile},
	Run: func(ctx context.Context, c *catalog.Call, in scriptForNodeIn) (scriptForNodeOut, error) {
		node, err := nodeOrSelected(ctx, c, in.NodePath)
		if err != nil {
			return scriptForNodeOut{}, err
		}
		out := scriptForNodeOut{NodePath: node.Path}
		switch {
		case node.Script == "":
			return out, nil
		case node.Script == builtInScript || strings.Contains(node.Script, "::"):
			out.BuiltIn = true
			return out, nil
		}
		if f := c.Reached(node.Script, "node_path", node.Path); f != nil {
			return scriptForNodeOut{}, f
		}
		var file wire.ReadFileResult
		if err := c.Ask(ctx, wire.CmdReadFile, wire.ReadFile{Path: node.Script}, &file); err != nil {
			return scriptForNodeOut{}, err
		}
		content, page := pageOfText(file.Content, in.Offset)
		out.ScriptPath, out.Content, out.SHA256, out.Page = node.Script, &content, file.SHA256, page
		return out, nil
	},
})

func nodeOrSelected(ctx context.Context, c *catalog.Call, path string) (wire.GetNodeResult, error) {
	if path != "" {
		var node wire.GetNodeResult
		err := c.Ask(ctx, wire.CmdGetNode, wire.GetNode{NodePath: path}, &node)
		return node, err
	}
	var selected wire.GetSelectedNodesResult
	if err := c.Ask(ctx, wire.CmdGetSelectedNodes, wire.GetSelectedNodes{}, &selected); err != nil {
		return wire.GetNodeResult{}, err
	}
	if len(selected.Selected) == 0 {
		return wire.GetNodeResult{}, answer.New(answer.MissingArgument, "param", "node_path", "tool", c.Tool.Name)
	}
	return selected.Selected[0], nil
}
