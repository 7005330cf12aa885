package toolsets

import (
	"context"
	"strings"

	"godot-mcp/server/answer"
	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

type writeScriptIn struct {
	ScriptPath     string `json:"script_path" desc:"Script file (res://, .gd or .cs)."`
	Content        string `json:"content" desc:"Whole new text."`
	ExpectedSHA256 string `json:"expected_sha256,omitempty" desc:"Refuse when the file is another by now." minlen:"64" maxlen:"64"`
	MustBeNew      bool   `json:"must_be_new,omitempty" desc:"Refuse when the file exists."`
}

type writeScriptOut struct {
	DryRun         bool   `json:"dry_run"`
	ScriptPath     string `json:"script_path"`
	Created        bool   `json:"created"`
	WouldOverwrite bool   `json:"would_overwrite"`
	Changed        bool   `json:"changed"`
	Written        bool   `json:"written"`
	SHA256         string `json:"sha256"`
	PreviousSHA256 string `json:"previous_sha256,omitempty"`
	Undoable       bool   `json:"undoable"`
	RescanPending  bool   `json:"rescan_pending"`
	Hint           string `json:"hint,omitempty"`
}

// buildHint stands in answers about C# files, which the editor runs compiled.
const buildHint = "C# takes effect after a build; the editor checks it only then."

var writeScript = catalog.Define(catalog.Declaration[writeScriptIn, writeScriptOut]{
	Toolset: "scripts", Handler: "write_script", Class: safety.Mutating, WritesDisk: true,
	Description: "Write a script file. Undo brings the earlier text back or removes a new file. would_overwrite: the file existed. Does not check the code: call godot_scripts_get_parse_errors after the last write.",
	Needs:       catalog.NeedsEditor,
	Target:      []string{"script_path"},
	Files:       []string{"script_path"},
	Plan: func(in writeScriptIn) (catalog.Plan[writeScriptOut], error) {
		if err := wantExtension(in.ScriptPath, ".gd", ".cs"); err != nil {
			return catalog.Plan[writeScriptOut]{}, err
		}
		if hidden(in.ScriptPath) {
			return catalog.Plan[writeScriptOut]{}, answer.New(answer.BadResPath, "param", "script_path", "path", in.ScriptPath, "why", "the editor does not see names that begin with a dot")
		}
		if in.MustBeNew && in.ExpectedSHA256 != "" {
			return catalog.Plan[writeScriptOut]{}, answer.New(answer.BadArguments, "param", "must_be_new", "message", "a new file has no expected_sha256")
		}
		cmd := wire.WriteFile{Path: in.ScriptPath, Content: in.Content, ExpectedSHA256: strings.ToLower(in.ExpectedSHA256), MustBeNew: in.MustBeNew}
		return catalog.Command(wire.CmdWriteFile, cmd, func(r wire.WriteFileResult, a catalog.Applied) (writeScriptOut, error) {
			return writtenScript(r, a.DryRun), nil
		}), nil
	},
})

// hidden says that a file lies where the editor never looks: what is written
// there has no effect.
func hidden(file string) bool { return strings.Contains(file, "/.") }

func writtenScript(r wire.WriteFileResult, dryRun bool) writeScriptOut {
	out := writeScriptOut{
		DryRun: dryRun, ScriptPath: r.Path, Created: r.Created && !dryRun, WouldOverwrite: !r.Created, Changed: r.Changed,
		Written: r.Changed && !dryRun, SHA256: r.SHA256, PreviousSHA256: r.PreviousSHA256, Undoable: r.Undoable, RescanPending: r.RescanPending,
	}
	if strings.HasSuffix(strings.ToLower(r.Path), ".cs") {
		out.Hint = buildHint
	}
	return out
}

type patchScriptIn struct {
	ScriptPath string `json:"script_path" desc:"Script file (res://, .gd)."`
	Find       string `json:"find" desc:"Text to replace, exact, with enough around it to be the only place." minlen:"1"`
	Replace    string `json:"replace" desc:"New text."`
	ReplaceAll bool   `json:"replace_all,omitempty" desc:"Replace every place."`

	ExpectedSHA256 string `json:"expected_sha256,omitempty" desc:"Refuse when the file is another by now." minlen:"64" maxlen:"64"`
}

type patchScriptOut struct {
	DryRun         bool   `json:"dry_run"`
	ScriptPath     string `json:"script_path"`
	Replacements   int    `json:"replacements"`
	Changed        bool   `json:"changed"`
	SHA256         string `json:"sha256"`
	PreviousSHA256 string `json:"previous_sha256"`
	Undoable       bool   `json:"undoable"`
	RescanPending  bool   `json:"rescan_pending"`
}

var patchScript = catalog.Define(catalog.Declaration[patchScriptIn, patchScriptOut]{
	Toolset: "scripts", Handler: "patch_script", Class: safety.Mutating, WritesDisk: true,
	Description: "Replace text in a GDScript file. The text to find must stand there once, unless replace_all.",
	Needs:       catalog.NeedsEditor,
	Target:      []string{"script_path"},
	Files:       []string{"script_path"},
	Commands:    []string{wire.CmdReadFile, wire.CmdWriteFile},
	Run: func(ctx context.Context, c *catalog.Call, in patchScriptIn) (patchScriptOut, error) {
		if err := wantExtension(in.ScriptPath, ".gd"); err != nil {
			return patchScriptOut{}, err
		}
		var file wire.ReadFileResult
		if err := c.Ask(ctx, wire.CmdReadFile, wire.ReadFile{Path: in.ScriptPath}, &file); err != nil {
			return patchScriptOut{}, err
		}
		if want := strings.ToLower(in.ExpectedSHA256); want != "" && want != file.SHA256 {
			return patchScriptOut{}, fromWire(wire.ReasonChanged, "path", in.ScriptPath, "expected_sha256", want, "sha256", file.SHA256)
		}
		find, replace := lineEndsOf(file.Content, in.Find), lineEndsOf(file.Content, in.Replace)
		count := strings.Count(file.Content, find)
		switch {
		case count == 0:
			return patchScriptOut{}, fromWire(wire.ReasonTextNotFound, "path", in.ScriptPath, "find", in.Find)
		case count > 1 && !in.ReplaceAll:
			return patchScriptOut{}, fromWire(wire.ReasonTextAmbiguous, "path", in.ScriptPath, "count", count)
		}
		// The digest of what was read makes a change in between a conflict.
		write := wire.WriteFile{
			Path: in.ScriptPath, Content: strings.ReplaceAll(file.Content, find, replace), ExpectedSHA256: file.SHA256, DryRun: c.DryRun,
		}
		var r wire.WriteFileResult
		if err := c.Ask(ctx, wire.CmdWriteFile, write, &r); err != nil {
			return patchScriptOut{}, err
		}
		return patchScriptOut{c.DryRun, r.Path, count, r.Changed, r.SHA256, file.SHA256, r.Undoable, r.RescanPending}, nil
	},
})

// lineEndsOf writes a text with the line ends of a file: callers see and send
// \n where a file has \r\n.
func lineEndsOf(file, text string) string {
	if !strings.Contains(file, "\r\n") || strings.Contains(text, "\r\n") {
		return text
	}
	return strings.ReplaceAll(text, "\n", "\r\n")
}
