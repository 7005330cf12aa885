package fakeeditor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/fakeeditor/world"
	"godot-mcp/server/wire"
)

// Editor is one simulated editor. Its methods may be called by several
// goroutines; commands run one after another.
type Editor struct {
	cfg  Config
	disk *folder // nil: in memory

	mu       sync.Mutex
	state    world.State
	starts   int      // counts starts of the editor, for the session id
	reopen   []string // scenes to open at the next start; nil at the first
	received int
	link     linkState
}

// New opens a project. [Editor.Run] makes it dial.
func New(cfg Config) (*Editor, error) {
	if cfg.Folder != "" && cfg.Project != nil {
		return nil, errors.New("a project is in memory or in a folder, not both")
	}
	e := &Editor{cfg: cfg.withDefaults(), link: newLinkState()}
	tree := files.NewTree(e.cfg.Project)
	if e.cfg.Folder != "" {
		disk, err := openFolder(e.cfg.Folder)
		if err != nil {
			return nil, err
		}
		if tree, err = disk.load(); err != nil {
			return nil, errors.Join(err, disk.close())
		}
		e.disk = disk
	}
	if err := e.start(tree); err != nil {
		return nil, err
	}
	e.cfg.Faults.OnCrash = e.Crash
	return e, nil
}

// start makes the state of an editor that has just opened the project.
func (e *Editor) start(tree files.Tree) error {
	state, err := world.Open(tree, world.Project{Path: e.cfg.ProjectPath, GodotVersion: GodotVersion}, *e.cfg.Delays, e.cfg.Seed+uint64(e.starts))
	if err != nil {
		return err
	}
	state.Clock = e.cfg.Clock.Now()
	// The journal is of the project, not of one start of the editor: what a life
	// that crashed had done stays known.
	state.Journal = e.state.Journal
	state.Files = world.Files{System: state.Files.Tick(state.Clock)}
	if err := e.persist(tree, state.Files.Disk()); err != nil {
		return err
	}
	e.state = state
	e.starts++
	for _, scene := range e.firstScenes() {
		out := e.do(world.CauseHuman, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: scene})
		if out.Err != nil {
			e.cfg.Logger.Warn("scene not opened", "path", scene, "error", out.Err)
		}
	}
	return nil
}

// firstScenes are the scenes that open by themselves.
func (e *Editor) firstScenes() []string {
	if e.reopen != nil {
		return e.reopen
	}
	if e.cfg.OpenScenes != nil {
		return e.cfg.OpenScenes
	}
	if main := world.MainScene(e.state); main != "" {
		return []string{main}
	}
	return nil
}

// Close ends the hold on a real folder. A running [Editor.Run] is ended by its context.
func (e *Editor) Close() error {
	if e.disk == nil {
		return nil
	}
	return e.disk.close()
}

// Do runs one command without a link, in the next frame. params is encoded as
// JSON; nil is no parameters. An error is a [*wire.Error].
func (e *Editor) Do(command string, params any) (json.RawMessage, error) {
	raw, err := encode(params)
	if err != nil {
		return nil, wire.Fail(wire.ReasonBadParams, "message", err.Error())
	}
	if command == wire.CmdGetOutcome {
		r := e.outcomeOf(wire.Command{Command: command, Params: raw})
		if r.Error != nil {
			return nil, r.Error
		}
		return r.Result, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	defer e.rouse()
	e.nextFrame()
	out := e.step(world.Input{Cause: "do", Command: command, Params: raw})
	if out.Err != nil {
		return nil, out.Err
	}
	return out.Result, nil
}

func encode(params any) (json.RawMessage, error) {
	switch p := params.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		return p, nil
	case []byte:
		return p, nil
	case string:
		return json.RawMessage(p), nil
	}
	return json.Marshal(params)
}

// do runs a command in this frame, with the lock held or before anyone knows e.
func (e *Editor) do(cause, command string, params any) world.Output {
	raw, err := encode(params)
	if err != nil {
		return world.Output{Err: wire.Fail(wire.ReasonBadParams, "message", err.Error())}
	}
	return e.step(world.Input{Cause: cause, Command: command, Params: raw})
}

// nextFrame brings the state to the next frame. On a clock that stands still a
// frame passes; otherwise the present moment counts.
func (e *Editor) nextFrame() {
	now := e.cfg.Clock.Now()
	if !e.cfg.Clock.Free() {
		now += Frame
		_ = e.cfg.Clock.Wait(context.Background(), now)
	}
	e.tick(now)
}

// tick lets pass what is due, and keeps a real folder up to it.
func (e *Editor) tick(now time.Duration) {
	before := e.state.Files.Disk()
	e.state = world.Tick(e.state, now)
	if err := e.persist(before, e.state.Files.Disk()); err != nil {
		e.cfg.Logger.Error("project folder not written", "error", err)
	}
}

// step runs one input against the state. A state that cannot be written to the
// project folder is dropped again.
func (e *Editor) step(in world.Input) (out world.Output) {
	defer func() {
		if r := recover(); r != nil {
			out = world.Output{Err: wire.Fail(wire.ReasonHandlerFailed, "command", in.Command, "message", fmt.Sprint(r))}
			e.cfg.Logger.Error("handler failed", "command", in.Command, "message", r)
		}
	}()
	if e.disk != nil && readsDisk(in) {
		if err := e.refresh(); err != nil {
			return world.Output{Err: wire.Fail(wire.ReasonHandlerFailed, "command", in.Command, "message", err.Error())}
		}
	}
	next, out := world.Step(e.state, in)
	if out.Err != nil {
		e.state = next
		return out
	}
	next = world.DrainFileEvents(next)
	if err := e.persist(e.state.Files.Disk(), next.Files.Disk()); err != nil {
		return world.Output{Err: wire.Fail(wire.ReasonWriteFailed, "path", e.cfg.Folder, "message", err.Error())}
	}
	e.state = next
	return out
}

// Advance lets d of the virtual clock pass, frame work included.
func (e *Editor) Advance(d time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.cfg.Clock.Now() + d
	_ = e.cfg.Clock.Wait(context.Background(), now)
	e.tick(now)
}

// Settle lets time pass until no scan or import is under way.
func (e *Editor) Settle() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		at, ok := e.state.Files.Next()
		if !ok {
			return
		}
		_ = e.cfg.Clock.Wait(context.Background(), at)
		e.tick(max(at, e.cfg.Clock.Now()))
	}
}

// State is the editor's state now; it never changes afterwards.
func (e *Editor) State() world.State {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state
}

// Snapshot is State, for [Editor.Restore].
func (e *Editor) Snapshot() world.State { return e.State() }

// Restore goes back to a state taken from this editor or from a fork of it.
func (e *Editor) Restore(s world.State) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.persist(e.state.Files.Disk(), s.Files.Disk()); err != nil {
		return err
	}
	e.state = s
	return nil
}

// Fork gives a second editor in the same state, in memory, without a link, on a
// virtual clock of its own. It shares all that neither of them changes.
func (e *Editor) Fork() *Editor {
	s := e.State()
	cfg := e.cfg
	cfg.Folder, cfg.BridgeURL, cfg.Project, cfg.Faults = "", "", nil, nil
	cfg.Clock = &VirtualClock{now: s.Clock}
	f := &Editor{cfg: cfg.withDefaults(), state: s, starts: e.starts, link: newLinkState()}
	f.cfg.Faults.OnCrash = f.Crash
	return f
}

// Journal lists every effect since the start, oldest first.
func (e *Editor) Journal() []world.Effect { return e.State().Journal.Since(0) }

// Received counts the commands that reached the editor over its links.
func (e *Editor) Received() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.received
}
