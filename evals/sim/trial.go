// Package sim gives each trial a world of its own: a simulated editor, the real
// server in front of it, and virtual time. Nothing is shared between worlds and
// nothing touches disk or network.
package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"godot-mcp/evals/evidence"
	"godot-mcp/evals/task"
	"godot-mcp/fakeeditor"
	"godot-mcp/fakeeditor/fault"
	"godot-mcp/server"
	"godot-mcp/server/catalog/toolsets"
	"godot-mcp/server/safety/rulefile"
)

// Bridge is the address that server and editor of a world meet at, in memory.
const bridgeURL = "ws://127.0.0.1:9080"

// drain is the virtual time that a world gets after its agent has stopped. It
// is longer than any delay that a task may ask for ([task.MostDelay]).
const drain = task.MostDelay + time.Minute

// Agent works in a room until it is done. It returns its last message. An error
// is a fault of the infrastructure, never of the agent's work.
type Agent func(ctx context.Context, r *Room) (final string, stop evidence.Stop, err error)

// Room is what an agent is given. It is inside the bubble.
type Room struct {
	Task *task.Task
	// Prompt is the task's prompt with the report contract.
	Prompt string
	server *server.Server
	w      *scenery
}

// Prompt is what an agent is told.
func Prompt(t *task.Task) string { return t.Prompt + "\n\n" + evidence.Contract }

// Over says that the trial has reached a limit; calls are refused from then on.
func (r *Room) Over() bool {
	r.w.rec.mu.Lock()
	defer r.w.rec.mu.Unlock()
	return r.w.rec.stopped
}

// Client connects an MCP client in memory.
func (r *Room) Client(ctx context.Context) (*mcp.ClientSession, error) {
	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := r.server.MCP().Connect(ctx, theirs, nil); err != nil {
		return nil, err
	}
	return mcp.NewClient(&mcp.Implementation{Name: "evals", Version: "1"}, nil).Connect(ctx, ours, nil)
}

// ServeLines serves a client that speaks JSON lines.
func (r *Room) ServeLines(ctx context.Context, in io.Reader, out io.Writer) error {
	return r.server.ServeLines(ctx, in, out)
}

// Config is the server's configuration for a task.
func Config(t *task.Task) (server.Config, error) {
	flags := map[string]string{"profile": t.Server.Profile, "bridge-url": bridgeURL}
	if t.Server.AllowDestructive {
		flags["allow-destructive"] = "true"
	}
	cfg, err := server.Load(flags, func(string) string { return "" })
	if err != nil {
		return cfg, err
	}
	if t.Rules != "" {
		if cfg.Permissions, err = rulefile.Parse("rules.yaml", []byte(t.Rules), toolsets.Catalog()); err != nil {
			return cfg, err
		}
	}
	if len(t.World.Approver) > 0 {
		cfg.Approval.Approver = person{t.World.Approver, toolsets.Catalog()}
	}
	cfg.DefaultToolsets = append(cfg.DefaultToolsets, t.Server.Toolsets...)
	cfg.Log, cfg.Version, cfg.GodotBin = io.Discard, "eval", ""
	return cfg, nil
}

// scenery is a running trial's side of the editor.
type scenery struct {
	task   *task.Task
	rec    *recorder
	editor *fakeeditor.Editor
	faults *fault.Script
}

// Run lives through one trial. The end of ctx ends the trial at the agent's next
// call. It is asked and never waited for: a wait for something outside the
// bubble would stop the clock.
func Run(ctx context.Context, t *task.Task, agent Agent) (*evidence.Evidence, error) {
	var ev *evidence.Evidence
	_ = ctx.Done() // so that the channel is made out here
	err := bubble(func() (err error) {
		inside, cancel := context.WithCancel(context.Background())
		defer cancel()
		ev, err = trial(inside, ctx.Err, t, agent)
		return err
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return ev, err
}

func trial(ctx context.Context, ended func() error, t *task.Task, agent Agent) (*evidence.Evidence, error) {
	cfg, err := Config(t)
	if err != nil {
		return nil, err
	}
	w := &scenery{task: t, faults: &fault.Script{}, rec: newRecorder(toolsets.Catalog())}
	w.rec.gap, w.rec.before = t.World.GapTime(), w.between
	w.rec.limit = func(calls, bytes int) bool {
		return ended() != nil || t.Limits.Calls > 0 && calls >= t.Limits.Calls || t.Limits.ResultTokens > 0 && evidence.Tokens(bytes) > t.Limits.ResultTokens
	}
	link, dial := newNetwork(w.rec.sent)
	cfg.Listen = link.Listen
	srv, err := server.New(cfg)
	if err != nil {
		return nil, err
	}
	srv.MCP().AddReceivingMiddleware(w.rec.middleware)
	if err := srv.Start(); err != nil {
		return nil, err
	}
	defer srv.Close()
	if err := w.open(dial); err != nil {
		return nil, err
	}
	defer func() { _ = w.editor.Close() }()
	editing, stop := context.WithCancel(context.Background())
	ran := make(chan struct{})
	go func() {
		defer close(ran)
		_ = w.editor.Run(editing) // it is told to end; what it did is in the journal
	}()
	defer func() { stop(); <-ran }()
	if err := await(srv); err != nil {
		return nil, err
	}

	ev := &evidence.Evidence{Task: t.ID}
	if ev.Start, err = look(w.editor.State(), t.Asked()); err != nil {
		return nil, err
	}
	for _, r := range t.World.Rules {
		if err := w.faults.Add(r); err != nil {
			return nil, err
		}
	}
	w.rec.zero = time.Now()
	room := &Room{Task: t, Prompt: Prompt(t), server: srv, w: w}
	ev.FinalText, ev.Stop, err = agent(ctx, room)
	if err != nil {
		return nil, err
	}
	time.Sleep(drain)
	ev.Report = evidence.ParseReport(ev.FinalText)
	if ev.Stop == evidence.Done && room.Over() && ev.Report == nil {
		ev.Stop = evidence.Limit
	}
	return ev, w.collect(ev)
}

// collect fills in what is known at the end.
func (w *scenery) collect(ev *evidence.Evidence) (err error) {
	s := w.editor.State()
	if ev.Final, err = look(s, w.task.Asked()); err != nil {
		return err
	}
	r := w.rec
	r.mu.Lock()
	defer r.mu.Unlock()
	ev.Calls, ev.Schemas, ev.Connected, ev.Listed = slices.Clone(r.calls), r.schemas, r.connected, r.listed
	ev.Journal = effects(s.Journal.Since(0), r.commands)
	if w.task.WantsUndo() {
		return errors.Join(r.broken, w.undo(ev))
	}
	return r.broken
}

// open starts the editor and lets the person do what they did before.
func (w *scenery) open(dial fault.DialFunc) error {
	var err error
	w.editor, err = fakeeditor.New(fakeeditor.Config{
		Project: w.task.Project, ProjectPath: "/home/user/game", BridgeURL: bridgeURL, Dial: dial,
		Seed: 1, Faults: w.faults, OpenScenes: slices.Concat([]string{}, w.task.Editor.Open), Clock: fakeeditor.NewTimerClock(),
	})
	if err != nil {
		return err
	}
	for _, words := range w.task.World.Setup {
		if err := w.editor.Human().Run(words); err != nil {
			return fmt.Errorf("setup: %w", err)
		}
	}
	return nil
}

// between lets happen what the task has for the moment before a call.
func (w *scenery) between(_ context.Context, call int) error {
	var errs []error
	for _, e := range w.task.World.At {
		switch {
		case e.Call != call:
		case e.Fault != nil:
			errs = append(errs, w.faults.Add(*e.Fault))
		default:
			if err := w.editor.Human().Run(e.Human); err != nil {
				errs = append(errs, fmt.Errorf("before call %d: %w", call, err))
			}
		}
	}
	return errors.Join(errs...)
}

// await waits until the editor is attached. The first look comes late enough for
// every attempt that does not fail: whether the editor was there at once depends on
// the scheduler, and the trial must begin at the same moment of its frames.
func await(srv *server.Server) error {
	for range 100 {
		time.Sleep(100 * time.Millisecond)
		if srv.Bridge().Peer() != nil {
			return nil
		}
	}
	return errors.New("the editor did not connect")
}
