package toolsets

import (
	"context"
	"strings"
	"time"

	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

type scriptIn struct {
	ScriptPath string `json:"script_path" desc:"Script file (res://, .gd)."`
}

type parseErrorsOut struct {
	ScriptPath    string        `json:"script_path"`
	OK            bool          `json:"ok"`
	Errors        []scriptError `json:"errors"`
	Level         string        `json:"level"`
	RescanPending bool          `json:"rescan_pending"`
	Pending       []string      `json:"pending_registration"`
	SHA256        string        `json:"sha256,omitempty"`
	Total         int           `json:"total"`
	Truncated     bool          `json:"truncated"`
	Hint          string        `json:"hint,omitempty"`
}

type scriptError struct {
	Message string `json:"message"`
	Source  string `json:"source"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
}

const (
	checkPause = 100 * time.Millisecond
	// checkerWait is how long a check waits for the checker: the language server
	// reads its class reference at the first question, which takes seconds.
	checkerWait = 8 * time.Second
	// checkWait is how long a check waits for a running scan and for classes to
	// be registered.
	checkWait = 2 * time.Second
)

const pendingHint = "The editor has not registered all classes yet, so an error about an unknown class may go away by itself. Check again once before you change the script."

var getParseErrors = catalog.Define(catalog.Declaration[scriptIn, parseErrorsOut]{
	Toolset: "scripts", Handler: "get_parse_errors", Class: safety.ReadOnly,
	Description: "Errors of a GDScript file with line and column. level says how deep the check went. rescan_pending: check once more before you trust errors about unknown classes; pending_registration names classes that wait. ok: checked and clean.",
	Needs:       catalog.NeedsEditor,
	Files:       []string{"script_path"},
	Commands:    []string{wire.CmdGetScanState, wire.CmdCheckScript},
	Run: func(ctx context.Context, c *catalog.Call, in scriptIn) (parseErrorsOut, error) {
		if err := wantExtension(in.ScriptPath, ".gd"); err != nil {
			return parseErrorsOut{}, err
		}
		var scanning bool
		var r wire.CheckScriptResult
		var since time.Time // the first answer
		_, err := catalog.Poll(ctx, checkPause, checkerWait+checkWait, func() (bool, error) {
			s, next, err := checkOnce(ctx, c, in.ScriptPath)
			if err != nil {
				return false, err
			}
			now := time.Now()
			if next.Ready && since.IsZero() {
				since = now
			}
			if next.Ready || !r.Ready {
				scanning, r = s, next
			}
			if !r.Ready {
				return false, nil
			}
			return !scanning && len(r.Pending) == 0 || now.Sub(since)+checkPause >= checkWait, nil
		})
		if err != nil {
			return parseErrorsOut{}, err
		}
		if !r.Ready {
			reason := r.Reason
			if reason == "" {
				reason = wire.ReasonDiagnostics
			}
			return parseErrorsOut{}, fromWire(reason, "path", in.ScriptPath)
		}
		return parseReportOf(r, scanning), nil
	},
})

// checkOnce reads the scan state before it checks, so that a check is never
// older than the state it is reported with.
func checkOnce(ctx context.Context, c *catalog.Call, path string) (scanning bool, r wire.CheckScriptResult, err error) {
	var state wire.ScanState
	if err = c.Ask(ctx, wire.CmdGetScanState, wire.GetScanState{}, &state); err != nil {
		return false, r, err
	}
	err = c.Ask(ctx, wire.CmdCheckScript, wire.CheckScript{Path: path}, &r)
	return state.Scanning, r, err
}

// parseReportOf keeps errors about classes that wait for registration out of
// the errors: an agent would mend what is not broken. Then ok is false all the same.
func parseReportOf(r wire.CheckScriptResult, scanning bool) parseErrorsOut {
	out := parseErrorsOut{
		ScriptPath: r.Path, Level: r.Level, Pending: orEmpty(r.Pending), SHA256: r.SHA256,
		RescanPending: scanning || len(r.Pending) > 0,
	}
	var errors []scriptError
	for _, e := range r.Errors {
		if !names(e.Message, r.Pending) {
			errors = append(errors, scriptError{e.Message, r.Path, e.Line, e.Column})
		}
	}
	out.Total = len(errors)
	out.Errors, out.Truncated = fit(errors, room)
	out.OK = len(errors) == 0 && len(r.Pending) == 0
	if out.RescanPending {
		out.Hint = pendingHint
	}
	return out
}

// names says whether a message speaks of one of the classes. The engine puts
// names in quotes.
func names(message string, classes []string) bool {
	for _, c := range classes {
		if strings.Contains(message, `"`+c+`"`) {
			return true
		}
	}
	return false
}
