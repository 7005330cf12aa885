// Package catalogtest has a scripted editor for tests of tools: canned answers
// per command, and a record of what was sent. It knows nothing of Godot.
package catalogtest

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// Editor is a [catalog.Editor] that answers from a table. Its zero value has
// no editor attached; [New] gives one that has.
type Editor struct {
	mu       sync.Mutex
	hello    *wire.Hello
	handlers map[string]func(json.RawMessage) (any, error)
	sent     []wire.StepParam
	orders   []catalog.Order
}

// New is an attached editor that implements every command and answers those
// that [Editor.On] names; transactions and batches run their parts.
func New() *Editor {
	h := wire.Hello{
		Session: "session-1", ProjectPath: "/project", ProjectName: "Game", GodotVersion: "4.6.3-stable (official)",
		AddonVersion: "1.0", Backend: "simulator", VocabularyHash: wire.VocabularyHash,
	}
	for _, c := range wire.Commands {
		h.Commands = append(h.Commands, c.Name)
	}
	return &Editor{hello: &h}
}

// On sets the answer of a command.
func On[P any](e *Editor, command string, f func(P) (any, error)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.handlers == nil {
		e.handlers = map[string]func(json.RawMessage) (any, error){}
	}
	e.handlers[command] = func(raw json.RawMessage) (any, error) {
		var p P
		if err := wire.DecodeParams(raw, &p); err != nil {
			return nil, err
		}
		return f(p)
	}
}

// SetHello attaches an editor, or with nil takes it away.
func (e *Editor) SetHello(h *wire.Hello) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.hello = h
}

// Sent lists the commands that were sent, in order; the parts of a
// transaction or batch do not count.
func (e *Editor) Sent() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := []string{}
	for _, s := range e.sent {
		out = append(out, s.Command)
	}
	return out
}

// Last is the command sent last, with its params.
func (e *Editor) Last() wire.StepParam {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.sent) == 0 {
		return wire.StepParam{}
	}
	return e.sent[len(e.sent)-1]
}

// LastOrder is the order behind [Editor.Last].
func (e *Editor) LastOrder() catalog.Order {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.orders) == 0 {
		return catalog.Order{}
	}
	return e.orders[len(e.orders)-1]
}

// Orders lists the orders behind [Editor.Sent].
func (e *Editor) Orders() []catalog.Order {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]catalog.Order(nil), e.orders...)
}

// Do implements [catalog.Editor].
func (e *Editor) Do(ctx context.Context, o catalog.Order) catalog.Reply {
	raw, err := json.Marshal(o.Params)
	if err != nil {
		return catalog.Reply{Err: wire.AsError(err)}
	}
	e.mu.Lock()
	attached := e.hello != nil
	if attached {
		e.sent = append(e.sent, wire.StepParam{Command: o.Command, Params: raw})
		e.orders = append(e.orders, o)
	}
	e.mu.Unlock()
	if attached && o.Before != nil && ctx.Err() == nil {
		if err := o.Before(strconv.Itoa(len(e.Sent())), "session-1"); err != nil {
			return catalog.Reply{Err: wire.AsError(err)}
		}
	}
	if ctx.Err() != nil {
		return catalog.Reply{Err: wire.Fail(wire.ReasonCancelled, "command", o.Command)}
	}
	if !attached {
		return catalog.Reply{Err: wire.Fail(wire.ReasonNoEditor, "url", "ws://127.0.0.1:9080")}
	}
	result, err := e.run(o.Command, raw)
	if err != nil {
		w := wire.AsError(err)
		return catalog.Reply{Err: w, MayHaveApplied: o.Changing && w.Reason == wire.ReasonDeadline}
	}
	out, err := json.Marshal(result)
	return catalog.Reply{Result: out, Err: wire.AsError(err)}
}

func (e *Editor) run(command string, raw json.RawMessage) (any, error) {
	e.mu.Lock()
	h := e.handlers[command]
	e.mu.Unlock()
	switch {
	case h != nil:
		return h(raw)
	case command == wire.CmdPing:
		return wire.PingResult{Pong: true}, nil
	case command == wire.CmdTransaction:
		return e.transaction(raw)
	case command == wire.CmdRunCommands:
		return e.batch(raw)
	}
	return nil, wire.Fail(wire.ReasonUnknownCommand, "command", command)
}

func (e *Editor) transaction(raw json.RawMessage) (any, error) {
	var tx wire.Transaction
	if err := wire.DecodeParams(raw, &tx); err != nil {
		return nil, err
	}
	out := wire.TransactionResult{Committed: !tx.DryRun, Undoable: true, Action: "MCP: " + tx.Name}
	for i, s := range tx.Steps {
		r, err := e.run(s.Command, s.Params)
		if err != nil {
			w := wire.AsError(err)
			w.Step = &i
			return nil, w
		}
		b, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		out.Results = append(out.Results, b)
	}
	return out, nil
}

func (e *Editor) batch(raw json.RawMessage) (any, error) {
	var b wire.RunCommands
	if err := wire.DecodeParams(raw, &b); err != nil {
		return nil, err
	}
	out := wire.RunCommandsResult{Results: []wire.EntryResult{}}
	for _, c := range b.Commands {
		r, err := e.run(c.Command, c.Params)
		if err != nil {
			out.Results = append(out.Results, wire.EntryResult{Error: wire.AsError(err)})
			if b.StopOnError {
				break
			}
			continue
		}
		enc, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		out.Results = append(out.Results, wire.EntryResult{OK: true, Result: enc})
	}
	return out, nil
}

// Peer implements [catalog.Editor].
func (e *Editor) Peer() safety.Peer {
	h, ok := e.Hello()
	if !ok {
		return safety.Peer{URL: "ws://127.0.0.1:9080"}
	}
	return safety.Peer{Connected: true, URL: "ws://127.0.0.1:9080", GodotVersion: h.GodotVersion, AddonVersion: h.AddonVersion, Commands: h.Commands}
}

// Hello implements [catalog.Editor].
func (e *Editor) Hello() (wire.Hello, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.hello == nil {
		return wire.Hello{}, false
	}
	return *e.hello, true
}

// Env is an environment in which every tool is exposed, over the editor.
func Env(e catalog.Editor) *catalog.Env {
	state, _ := safety.NewToolsets(catalog.ToolsetNames(), []string{"all"}, false)
	gate := safety.NewGate(safety.Full, safety.ModeFull, state)
	gate.OpenGate = true
	return &catalog.Env{
		Editor: e, Gate: gate, Snapshots: &catalog.Snapshots{},
		Server: catalog.ServerInfo{Version: "test", Transport: "stdio", BridgeURL: "ws://127.0.0.1:9080"},
	}
}
