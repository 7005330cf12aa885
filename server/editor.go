package server

import (
	"context"

	"godot-mcp/server/bridge"
	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// bridgeEditor shows the bridge to the tools.
type bridgeEditor struct{ *bridge.Bridge }

func (e bridgeEditor) Do(ctx context.Context, o catalog.Order) catalog.Reply {
	opts := []bridge.Option{bridge.Mutating(o.Changing)}
	if o.Timeout > 0 {
		opts = append(opts, bridge.Timeout(o.Timeout))
	}
	out := e.Bridge.Do(ctx, o.Command, o.Params, opts...)
	return catalog.Reply{Result: out.Result, Err: out.Err, MayHaveApplied: out.MayHaveApplied()}
}

func (e bridgeEditor) Peer() safety.Peer {
	p := e.Bridge.Peer()
	if p == nil {
		return safety.Peer{URL: e.Status().URL}
	}
	return safety.Peer{Connected: true, URL: e.Status().URL, GodotVersion: p.GodotVersion, AddonVersion: p.AddonVersion, Commands: p.Commands}
}

func (e bridgeEditor) Hello() (wire.Hello, bool) {
	p := e.Bridge.Peer()
	if p == nil {
		return wire.Hello{}, false
	}
	return wire.Hello{
		Session: p.Session, ProjectPath: p.ProjectPath, ProjectName: p.ProjectName, GodotVersion: p.GodotVersion,
		AddonVersion: p.AddonVersion, Backend: p.Backend, PID: p.PID, Commands: p.Commands, VocabularyHash: p.VocabularyHash,
	}, true
}
