package toolsets

import (
	"context"
	"encoding/json"
	"fmt"

	"godot-mcp/server/answer"
	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

type runEntry struct {
	Command string          `json:"command" desc:"Tool name." minlen:"1"`
	Params  json.RawMessage `json:"params,omitempty" desc:"Its arguments, confirm among them."`
}

type runCommandsIn struct {
	Commands    []runEntry `json:"commands" desc:"In order." minlen:"1" maxlen:"1000"`
	StopOnError bool       `json:"stop_on_error,omitempty" desc:"Skip the rest after a failure." default:"true"`
}

type runCommandsOut struct {
	DryRun       bool        `json:"dry_run"`
	Results      []runResult `json:"results"`
	OKAll        bool        `json:"ok_all"`
	Count        int         `json:"count"`
	Failed       []int       `json:"failed,omitempty"`
	Planned      []string    `json:"planned"`
	AbortedAt    *int        `json:"aborted_at,omitempty"`
	SkippedCount *int        `json:"skipped_count,omitempty"`
	Truncated    bool        `json:"truncated,omitempty"`
	Hint         string      `json:"hint,omitempty"`
}

// runResult is the outcome of one entry: the result of its own tool, or a
// failure. Omitted says that the result is too long for this answer.
type runResult struct {
	Command        string          `json:"command"`
	OK             bool            `json:"ok"`
	Result         json.RawMessage `json:"result,omitempty"`
	Omitted        bool            `json:"omitted,omitempty"`
	Error          wire.Code       `json:"error,omitempty"`
	Reason         string          `json:"reason,omitempty"`
	Required       string          `json:"required,omitempty"`
	Hint           string          `json:"hint,omitempty"`
	MayHaveApplied bool            `json:"may_have_applied,omitempty"`
}

var runCommands = catalog.Define(catalog.Declaration[runCommandsIn, runCommandsOut]{
	Toolset: "composite", Handler: catalog.BatchTool, Class: safety.Mutating, WritesDisk: true,
	Description: "Run several tools in one editor frame, each edit its own undo step. Every entry obeys the rules of its tool; one that is refused stops all before anything is sent. Look at ok_all: entries can fail.",
	Needs:       catalog.NeedsEditor,
	Commands:    []string{wire.CmdRunCommands},
	Timeout:     manyEdits,
	Entries:     func(in runCommandsIn) []catalog.EntryCall { return entryCalls(in.Commands) },
	Run: func(ctx context.Context, c *catalog.Call, in runCommandsIn) (runCommandsOut, error) {
		entries, err := prepareEntries(ctx, c, in.Commands)
		if err != nil {
			return runCommandsOut{}, err
		}
		batch := wire.RunCommands{StopOnError: in.StopOnError, DryRun: c.DryRun}
		out := runCommandsOut{DryRun: c.DryRun, OKAll: true}
		changing := false
		for _, e := range entries {
			batch.Commands = append(batch.Commands, e.Ready)
			out.Planned = append(out.Planned, e.Tool.Name)
			changing = changing || e.Tool.Class != safety.ReadOnly
		}
		c.Changing = c.Changing && changing
		var r wire.RunCommandsResult
		if err := c.Ask(ctx, wire.CmdRunCommands, batch, &r); err != nil {
			return out, err
		}
		if len(r.Results) > len(entries) {
			return out, answer.New(answer.BadResult, "tool", c.Tool.Name, "message", fmt.Sprintf("%d results for %d entries", len(r.Results), len(entries)))
		}
		for i, res := range r.Results {
			out.add(entries[i], res, c.Changing && entries[i].Tool.Class != safety.ReadOnly)
		}
		return out, out.close(c, in.StopOnError, len(entries))
	},
})

// prepareEntries checks every entry before the first one is sent.
func prepareEntries(ctx context.Context, c *catalog.Call, commands []runEntry) ([]*catalog.Entry, error) {
	entries, at, f := c.PrepareEntries(ctx, entryCalls(commands))
	if f != nil {
		return nil, catalog.AtEntry(f, at)
	}
	return entries, nil
}

func entryCalls(commands []runEntry) []catalog.EntryCall {
	calls := make([]catalog.EntryCall, len(commands))
	for i, cmd := range commands {
		calls[i] = catalog.EntryCall{Command: cmd.Command, Params: cmd.Params}
	}
	return calls
}

func (o *runCommandsOut) add(e *catalog.Entry, res wire.EntryResult, changing bool) {
	line := runResult{Command: e.Tool.Name, OK: res.OK}
	var f *answer.Failure
	if res.OK {
		line.Result, f = e.Result(res.Result)
	} else {
		f = e.Failure(res.Error, changing)
		if f == nil {
			f = answer.New(answer.BadResult, "tool", e.Tool.Name, "message", "a failure without a code")
		}
	}
	if f != nil {
		line.OK, line.Error, line.Reason, line.Required, line.Hint = false, f.ErrorCode, f.Reason, f.Required, f.Hint
		// The editor said ok, but what it did cannot be told.
		line.MayHaveApplied = f.MayHaveApplied || res.OK && changing
	}
	o.OKAll = o.OKAll && line.OK
	o.Results = append(o.Results, line)
}

// close counts, fits the results into the answer and says what did not run.
func (o *runCommandsOut) close(c *catalog.Call, stopOnError bool, wanted int) error {
	o.Results = orEmpty(o.Results)
	o.Count = len(o.Results)
	if skipped := wanted - o.Count; !o.OKAll && stopOnError {
		at := o.Count - 1
		o.AbortedAt, o.SkippedCount = &at, &skipped
		if skipped > 0 {
			o.Hint = fmt.Sprintf("Entry %d failed and %d after it did not run, a save among them neither. The entries before it are applied.", at, skipped)
		}
	} else if skipped != 0 {
		return answer.New(answer.BadResult, "tool", c.Tool.Name, "message", fmt.Sprintf("%d results for %d entries", o.Count, wanted))
	}
	o.bound()
	if o.DryRun && o.Hint != "" {
		o.Hint = fmt.Sprintf("Entry %d would fail and stop the rest.", *o.AbortedAt)
	}
	return nil
}

// bound leaves out what an answer has no room for: first the longest part, the
// results of the entries, then the rows at the end. Failed still tells.
func (o *runCommandsOut) bound() {
	left := room
	if !o.DryRun {
		o.Planned = []string{}
	}
	for i := range o.Results {
		r := o.Results[i]
		if !r.OK && len(o.Failed) < 50 {
			o.Failed = append(o.Failed, i)
		}
		r.Result = nil
		left -= len(quote(r)) + len(`,"result":,"omitted":true`)
	}
	for _, name := range o.Planned {
		left -= len(name) + 3
	}
	for i := range o.Results {
		r := &o.Results[i]
		if len(r.Result) <= left {
			left -= len(r.Result)
			continue
		}
		r.Omitted, r.Result, o.Truncated = true, nil, true
	}
	if left < 0 {
		o.Planned, _ = fit(o.Planned, room/4)
		o.Results, _ = fit(o.Results, room/2)
		o.Truncated = true
	}
}
