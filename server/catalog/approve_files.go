package catalog

import (
	"context"
	"encoding/json"
	"slices"

	"godot-mcp/server/approval"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// maxShownFile bounds a file whose present text is shown to a person.
const maxShownFile = 1 << 20

// newText are the arguments of tools that write a text file.
var newText = []string{"content", "find"}

// replaced are the texts that calls would replace, where the editor gives them: a
// preview says that a file changes, and a person wants to see how.
func (e *Env) replaced(ctx context.Context, calls []*prepared) []approval.File {
	var out []approval.File
	for _, p := range calls {
		if !p.tool.WritesDisk || !slices.ContainsFunc(newText, func(name string) bool { return slices.Contains(p.tool.Args, name) }) {
			continue
		}
		args := map[string]json.RawMessage{}
		if json.Unmarshal(p.args, &args) != nil {
			continue
		}
		for _, param := range p.tool.Spec.Paths {
			var path string
			if param.Kind != safety.FilePath || json.Unmarshal(args[param.Name], &path) != nil || path == "" ||
				slices.ContainsFunc(out, func(f approval.File) bool { return f.Path == path }) {
				continue
			}
			r := e.Editor.Do(ctx, Order{Command: wire.CmdReadFile, Params: wire.ReadFile{Path: path}})
			var file wire.ReadFileResult
			// A file that is not there yet, or is no text, has nothing to show.
			if r.Failure() == nil && json.Unmarshal(r.Result, &file) == nil && len(file.Content) <= maxShownFile {
				out = append(out, approval.File{Path: path, Text: file.Content})
			}
		}
	}
	return out
}
