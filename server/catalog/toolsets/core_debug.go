package toolsets

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"godot-mcp/server/answer"
	"godot-mcp/server/catalog"
	"godot-mcp/server/headless"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

const (
	maxCheckedScripts = 200
	maxParseErrors    = 50
	scanSettles       = 2 * time.Second
)

type debugIn struct {
	Scene           string  `json:"scene,omitempty" desc:"Scene to run (res://); the main scene if left out."`
	TimeoutSeconds  float64 `json:"timeout_seconds,omitempty" desc:"How long the game may run." min:"0.1" max:"60" default:"5"`
	ExpectedTimeout bool    `json:"expected_timeout,omitempty" desc:"The game never quits by itself; no finding for that."`
}

type debugOut struct {
	Bridge      bridgeInfo `json:"bridge"`
	SceneTree   *debugTree `json:"scene_tree,omitempty"`
	Run         *debugRun  `json:"run,omitempty"`
	RunSkipped  string     `json:"run_skipped_reason,omitempty"`
	Parse       debugParse `json:"parse"`
	Findings    []string   `json:"findings"`
	Suggestions []string   `json:"suggestions"`
}

type debugTree struct {
	ScenePath string          `json:"scene_path"`
	Nodes     []wire.TreeNode `json:"nodes"`
	catalog.Page
}

type debugRun struct {
	TimedOut bool     `json:"timed_out"`
	ExitCode int      `json:"exit_code"`
	Seconds  float64  `json:"seconds"`
	Errors   []string `json:"errors"`
	Output   string   `json:"output"`
}

type debugParse struct {
	OK            bool         `json:"ok"`
	Checked       int          `json:"checked"`
	Errors        []parseError `json:"errors"`
	SkippedReason string       `json:"skipped_reason,omitempty"`
	RescanPending bool         `json:"rescan_pending"`
}

type parseError struct {
	ScriptPath string `json:"script_path"`
	wire.ScriptError
}

var debugWorkflow = catalog.Define(catalog.Declaration[debugIn, debugOut]{
	Toolset: "core", Handler: "debug_workflow", Class: safety.ReadOnly,
	Description: "One report: connection, open scene, parse errors of every script, and a short headless run where the profile allows running. Parts that cannot be done say why.",
	// The headless run is part of it where the profile has one ([safety.Gate.Run]).
	ExecutesCode: true,
	Timeout:      90 * time.Second,
	Target:       []string{"scene"},
	Files:        []string{"scene?"},
	Run: func(ctx context.Context, c *catalog.Call, in debugIn) (debugOut, error) {
		out := debugOut{Bridge: bridgeInfo{URL: c.Server.BridgeURL}, Findings: []string{}, Suggestions: []string{}}
		hello, connected := c.Editor.Hello()
		if connected {
			out.Bridge = bridgeOf(hello, c.Server.BridgeURL)
			out.SceneTree = treeReport(ctx, c, &out)
		} else {
			out.find("bridge: no Godot editor is connected", answer.FromWire(wire.Fail(wire.ReasonNoEditor, "url", c.Server.BridgeURL), false).Hint)
		}
		out.Parse = parseReport(ctx, c, connected, &out)
		out.runReport(ctx, c, in, hello)
		return out, nil
	},
})

func (o *debugOut) find(finding, suggestion string) {
	o.Findings = append(o.Findings, finding)
	if suggestion != "" {
		o.Suggestions = append(o.Suggestions, suggestion)
	}
}

func treeReport(ctx context.Context, c *catalog.Call, out *debugOut) *debugTree {
	var r wire.GetSceneTreeResult
	if err := c.Ask(ctx, wire.CmdGetSceneTree, wire.GetSceneTree{NodePath: ".", MaxDepth: -1, Limit: 200, Lightweight: true}, &r); err != nil {
		out.find("bridge: the scene tree cannot be read", answer.As(err, false).Hint)
		return nil
	}
	nodes, page := catalog.Paged(r.Nodes, 0, r.Total, catalog.MaxAnswer/3)
	return &debugTree{r.ScenePath, nodes, page}
}

func parseReport(ctx context.Context, c *catalog.Call, connected bool, out *debugOut) debugParse {
	p := debugParse{Errors: []parseError{}}
	if !connected {
		p.SkippedReason = "no editor is connected to check scripts"
		return p
	}
	var state wire.ScanState
	settled, err := catalog.Poll(ctx, 100*time.Millisecond, scanSettles, func() (bool, error) {
		err := c.Ask(ctx, wire.CmdGetScanState, wire.GetScanState{}, &state)
		return !state.Scanning, err
	})
	p.RescanPending = err == nil && !settled
	var files wire.ListFilesResult
	if err := c.Ask(ctx, wire.CmdListFiles, wire.ListFiles{Directory: "res://", Extensions: []string{"gd"}, Limit: maxCheckedScripts}, &files); err != nil {
		p.SkippedReason = answer.As(err, false).Hint
		return p
	}
	for _, path := range files.Files {
		var r wire.CheckScriptResult
		ready, err := catalog.Poll(ctx, 100*time.Millisecond, scanSettles, func() (bool, error) {
			err := c.Ask(ctx, wire.CmdCheckScript, wire.CheckScript{Path: path}, &r)
			return r.Ready, err
		})
		if err != nil || !ready {
			hint := "the check is not ready"
			if err != nil {
				hint = answer.As(err, false).Hint
			}
			p.SkippedReason = fmt.Sprintf("stopped at %s: %s", path, hint)
			break
		}
		p.Checked++
		for _, e := range r.Errors {
			if len(p.Errors) < maxParseErrors {
				p.Errors = append(p.Errors, parseError{path, e})
			}
		}
	}
	if p.SkippedReason == "" && files.Total > len(files.Files) {
		p.SkippedReason = fmt.Sprintf("only the first %d of %d scripts were checked", len(files.Files), files.Total)
	}
	p.OK = len(p.Errors) == 0 && p.SkippedReason == ""
	for _, e := range p.Errors {
		out.find(fmt.Sprintf("parse error: %s:%d %s", e.ScriptPath, e.Line, e.Message), "")
	}
	if len(p.Errors) > 0 {
		out.Suggestions = append(out.Suggestions, "Mend the parse errors first; with rescan_pending true check once more before that.")
	}
	return p
}

// runReport runs the project, where the safety model has it.
func (o *debugOut) runReport(ctx context.Context, c *catalog.Call, in debugIn, hello wire.Hello) {
	project := c.Server.ProjectDir
	if project == "" {
		project = hello.ProjectPath
	}
	_, closed := c.Gate.Run(&c.Tool.Spec)
	_, noProject := os.Stat(filepath.Join(project, "project.godot"))
	switch {
	case closed != nil:
		o.RunSkipped = "The project is not run. " + closed.Hint
	case c.Server.GodotBin == "":
		o.RunSkipped = answer.New(answer.NoGodotBin).Hint
	case project == "":
		o.RunSkipped = answer.New(answer.NoProjectDir).Hint
	case noProject != nil:
		o.RunSkipped = "there is no project.godot in " + project + " on this machine"
	}
	if o.RunSkipped != "" {
		return
	}
	// A setting may name any program; only one that says it is Godot is given a project.
	if _, err := headless.Prove(ctx, c.Server.GodotBin); err != nil {
		o.RunSkipped = err.Error()
		return
	}
	r, err := headless.Run(ctx, headless.Options{
		Bin: c.Server.GodotBin, Home: c.Server.GodotHome, Project: project, Scene: in.Scene, Limit: time.Duration(in.TimeoutSeconds * float64(time.Second)),
	})
	if err != nil {
		o.RunSkipped = "the Godot program cannot be started: " + err.Error()
		return
	}
	const shown = 4000
	output := []rune(r.Output)
	o.Run = &debugRun{r.TimedOut, r.ExitCode, r.Seconds, append([]string{}, r.Errors[:min(len(r.Errors), maxParseErrors)]...), string(output[:min(len(output), shown)])}
	for _, e := range o.Run.Errors {
		o.find("runtime error: "+e, "")
	}
	switch {
	case r.TimedOut && !in.ExpectedTimeout:
		o.find(fmt.Sprintf("run timeout: the game still ran after %g s", in.TimeoutSeconds), "A game that never quits is no crash; pass expected_timeout true if that is meant.")
	case !r.TimedOut && r.ExitCode != 0:
		o.find(fmt.Sprintf("exit code: %d", r.ExitCode), "Read run.output from the first error on.")
	}
}
