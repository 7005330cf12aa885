package server

import (
	"context"
	"encoding/json"
	"strconv"

	"godot-mcp/server/bridge"
	"godot-mcp/server/catalog"
	"godot-mcp/server/journal"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// bridgeEditor shows the bridge to the tools.
type bridgeEditor struct {
	*bridge.Bridge
	keeper *journal.Keeper // nil without a journal
}

func (e *bridgeEditor) Do(ctx context.Context, o catalog.Order) catalog.Reply {
	if e.keeper != nil && o.Command != wire.CmdPing {
		if f := e.keeper.Settle(ctx); f != nil {
			return catalog.Reply{Err: wire.Fail(wire.ReasonNotApplied, "command", o.Command), Refused: f}
		}
	}
	opts := []bridge.Option{bridge.Mutating(o.Changing)}
	if o.Timeout > 0 {
		opts = append(opts, bridge.Timeout(o.Timeout))
	}
	if o.Before != nil {
		id, session, ok := e.Reserve()
		if !ok {
			return catalog.Reply{Err: wire.Fail(wire.ReasonNoEditor, "command", o.Command, "url", e.Status().URL)}
		}
		if err := o.Before(id, session); err != nil {
			return catalog.Reply{Err: wire.Fail(wire.ReasonNotApplied, "command", o.Command), Refused: notJournaled(err)}
		}
		opts = append(opts, bridge.As(id, session))
	}
	out := e.Bridge.Do(ctx, o.Command, o.Params, opts...)
	return catalog.Reply{Result: out.Result, Err: out.Err, MayHaveApplied: out.MayHaveApplied()}
}

func (e *bridgeEditor) Peer() safety.Peer {
	p := e.Bridge.Peer()
	if p == nil {
		return safety.Peer{URL: e.Status().URL}
	}
	return safety.Peer{Connected: true, URL: e.Status().URL, GodotVersion: p.GodotVersion, AddonVersion: p.AddonVersion, Commands: p.Commands}
}

func (e *bridgeEditor) Hello() (wire.Hello, bool) {
	p := e.Bridge.Peer()
	if p == nil {
		return wire.Hello{}, false
	}
	return wire.Hello{
		Session: p.Session, ProjectPath: p.ProjectPath, ProjectName: p.ProjectName, GodotVersion: p.GodotVersion,
		AddonVersion: p.AddonVersion, Backend: p.Backend, PID: p.PID, Commands: p.Commands, VocabularyHash: p.VocabularyHash,
	}, true
}

// witness shows the bridge to the journal.
type witness struct{ *bridge.Bridge }

func (w witness) Peer() (journal.Peer, bool) {
	p := w.Bridge.Peer()
	if p == nil {
		return journal.Peer{}, false
	}
	return journal.Peer{Session: p.Session, Project: p.ProjectPath, Link: strconv.FormatInt(p.Since.UnixNano(), 10)}, true
}

func (w witness) Ask(ctx context.Context, id, session string) (state string, result json.RawMessage, refused, failed *wire.Error) {
	state, out, failed := w.AskOutcome(ctx, id, session)
	return state, out.Result, out.Err, failed
}
