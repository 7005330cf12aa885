package fakeeditor

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"godot-mcp/fakeeditor/fault"
	"godot-mcp/fakeeditor/world"
	"godot-mcp/server/wire"
)

// The addon's backoff: it starts at minBackoff, doubles up to maxBackoff, and
// starts anew once a connection has worked.
const (
	minBackoff = 500 * time.Millisecond
	maxBackoff = 5 * time.Second
)

// ErrReplaced ends [Editor.Run]: the server took another editor instead and said
// so. Like the addon, the editor does not dial again by itself.
var ErrReplaced = errors.New("another editor took the place of this one")

// linkState is what the link knows; the editor's lock guards it.
type linkState struct {
	memory *memory
	queue  []*queued
	wake   chan struct{} // holds a token when there is work
	conn   *fault.Middle
	gone   time.Time // a crashed editor comes back then
	// attempts counts dials since the last connection that worked.
	attempts  int
	connected bool
	notices   []string
}

// queued is a command that waits for its frame.
type queued struct {
	command wire.Command
	outcome *outcome
	from    *fault.Middle
}

// Link describes the link for people and tests.
type Link struct {
	Connected bool
	Attempts  int      // dials since the last connection that worked
	Notices   []string // names of the server's pushes, in order
}

// Link tells how the link stands.
func (e *Editor) Link() Link {
	e.mu.Lock()
	defer e.mu.Unlock()
	return Link{e.link.connected, e.link.attempts, append([]string(nil), e.link.notices...)}
}

// Run dials the server, serves it and dials again whenever the link is lost. It
// ends with ctx, or with [ErrReplaced].
func (e *Editor) Run(ctx context.Context) error {
	if e.cfg.BridgeURL == "" {
		return errors.New("no bridge URL")
	}
	e.mu.Lock()
	if e.link.memory == nil {
		e.link.memory = newMemory()
	}
	e.link.wake = make(chan struct{}, 1)
	e.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	frames := make(chan struct{})
	go func() {
		defer close(frames)
		e.frames(ctx)
	}()
	defer func() {
		cancel()
		<-frames
	}()
	backoff := minBackoff
	for {
		if err := e.sleepGone(ctx); err != nil {
			return err
		}
		worked, err := e.connect(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, ErrReplaced) {
			return err
		}
		if worked {
			backoff = minBackoff
		}
		e.cfg.Logger.Info("link lost", "error", err, "retry", backoff)
		if err := sleep(ctx, backoff); err != nil {
			return err
		}
		backoff = min(2*backoff, maxBackoff)
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// sleepGone waits while the editor is dead.
func (e *Editor) sleepGone(ctx context.Context) error {
	e.mu.Lock()
	d := time.Until(e.link.gone)
	e.mu.Unlock()
	if d <= 0 {
		return nil
	}
	return sleep(ctx, d)
}

// dial opens a WebSocket through the gate.
func (e *Editor) dial(ctx context.Context, gate *fault.Gate) (*websocket.Conn, error) {
	transport := &http.Transport{DialContext: gate.Dial(e.cfg.Dial), DisableKeepAlives: true}
	conn, resp, err := websocket.Dial(ctx, e.cfg.BridgeURL, &websocket.DialOptions{
		HTTPClient: &http.Client{Transport: transport}, CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return nil, err
	}
	if resp.Body != nil {
		_ = resp.Body.Close()
	}
	conn.SetReadLimit(wire.MaxMessageBytes)
	return conn, nil
}

var errDown = errors.New("connection refused")

// connect serves one connection to its end; worked says whether it was accepted.
func (e *Editor) connect(ctx context.Context) (worked bool, err error) {
	e.mu.Lock()
	e.link.attempts++
	e.mu.Unlock()
	if e.cfg.Faults.Down() > 0 {
		return false, errDown
	}
	gate := &fault.Gate{}
	conn, err := e.dial(ctx, gate)
	if err != nil {
		return false, err
	}
	m := fault.Wrap(conn, e.cfg.Faults, fault.Hooks{
		Gate:   gate,
		Ghost:  func(ctx context.Context) (fault.Link, error) { return e.dial(ctx, &fault.Gate{}) },
		Orphan: func(msg []byte) { _, _ = e.receive(nil, msg) },
	})
	defer m.CloseNow()
	if e.cfg.Token != "" {
		if err := send(ctx, m, wire.Auth{Command: wire.AuthCommand, Token: e.cfg.Token}); err != nil {
			return false, err
		}
	}
	if err := send(ctx, m, e.Hello()); err != nil {
		return false, err
	}
	e.setConn(m, true)
	defer e.setConn(m, false)
	for {
		_, msg, err := m.Read(ctx)
		if err != nil {
			return worked, err
		}
		accepted, err := e.receive(m, msg)
		if err != nil {
			return worked, err
		}
		if accepted && !worked {
			worked = true
			e.mu.Lock()
			e.link.attempts, e.link.connected = 0, true
			e.mu.Unlock()
		}
	}
}

func (e *Editor) setConn(m *fault.Middle, on bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if on {
		e.link.conn = m
	} else if e.link.conn == m {
		e.link.conn, e.link.connected = nil, false
	}
}

func send(ctx context.Context, m *fault.Middle, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return m.Write(ctx, websocket.MessageText, text)
}

// receive takes one message of the server: a notice, a question for an outcome,
// or a command for the queue. accepted is false for a refusal of this editor.
func (e *Editor) receive(m *fault.Middle, msg []byte) (accepted bool, err error) {
	var in struct {
		wire.Command
		OK    *bool     `json:"ok"`
		Error wire.Code `json:"error"`
	}
	if json.Unmarshal(msg, &in) != nil {
		return true, e.answer(m, reply("", nil, wire.Fail(wire.ReasonBadParams, "message", "not a JSON object")))
	}
	if in.Command.Command == "" && in.OK != nil {
		e.note(string(in.Error))
		if in.Error == wire.PeerReplaced {
			return false, ErrReplaced
		}
		return false, nil
	}
	switch in.Command.Command {
	case wire.NoticeServerHello, wire.NoticeToolsets:
		e.note(in.Command.Command)
		return true, nil
	case wire.CmdGetOutcome:
		return true, e.answer(m, e.outcomeOf(in.Command))
	case "":
		return true, e.answer(m, reply(in.ID, nil, wire.Fail(wire.ReasonBadParams, "message", "a command is missing", "param", "command")))
	}
	return true, e.enqueue(m, in.Command)
}

func (e *Editor) note(name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.link.notices = append(e.link.notices, name)
}

func (e *Editor) outcomeOf(c wire.Command) *wire.Reply {
	var p wire.GetOutcome
	if err := wire.DecodeParams(c.Params, &p); err != nil {
		return reply(c.ID, nil, wire.AsError(err))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	text, err := json.Marshal(e.link.memory.ask(p.ID))
	return reply(c.ID, text, wire.AsError(err))
}

// enqueue puts a command into the queue. An id that came before is answered from
// memory, or by the run that is still to come.
func (e *Editor) enqueue(m *fault.Middle, c wire.Command) error {
	e.mu.Lock()
	e.received++
	if o := e.link.memory.find(c.ID); o != nil && c.ID != "" {
		done := o.reply
		e.mu.Unlock()
		if done == nil {
			return nil
		}
		return e.answer(m, done)
	}
	e.link.queue = append(e.link.queue, &queued{c, e.link.memory.arrive(c.ID), m})
	e.mu.Unlock()
	e.rouse()
	return nil
}

func (e *Editor) rouse() {
	select {
	case e.link.wake <- struct{}{}:
	default:
	}
}

// answer sends a reply on the connection that asked. A failed send is the
// server's to find out: the outcome is remembered.
func (e *Editor) answer(m *fault.Middle, r *wire.Reply) error {
	if m == nil {
		return nil
	}
	return send(context.Background(), m, r)
}

// frames drains the queue once per frame until ctx ends.
func (e *Editor) frames(ctx context.Context) {
	clock := e.cfg.Clock
	last := clock.Now()
	for {
		if !e.waitForWork(ctx) {
			return
		}
		next := last + Frame*((clock.Now()-last)/Frame+1)
		if clock.Wait(ctx, next) != nil {
			return
		}
		last = next
		e.frame(next)
	}
}

// waitForWork returns when a command waits or the file system has something due.
func (e *Editor) waitForWork(ctx context.Context) bool {
	e.mu.Lock()
	waiting := len(e.link.queue) > 0
	at, due := e.state.Files.Next()
	e.mu.Unlock()
	if waiting {
		return ctx.Err() == nil
	}
	var timer <-chan time.Time
	if due && e.cfg.Clock.Free() {
		t := time.NewTimer(at - e.cfg.Clock.Now())
		defer t.Stop()
		timer = t.C
	}
	select {
	case <-ctx.Done():
		return false
	case <-e.link.wake:
	case <-timer:
	}
	return true
}

// frame runs all that waits, in order, and answers each.
func (e *Editor) frame(now time.Duration) {
	e.mu.Lock()
	e.tick(now)
	queue, starts := e.link.queue, e.starts
	e.link.queue = nil
	e.mu.Unlock()
	for _, q := range queue {
		e.mu.Lock()
		if e.starts != starts { // it crashed; what waited is lost
			e.mu.Unlock()
			return
		}
		q.outcome.state = "running"
		out := e.step(world.Input{Cause: q.command.ID, Command: q.command.Command, Params: q.command.Params})
		q.outcome.state, q.outcome.reply = "done", reply(q.command.ID, out.Result, out.Err)
		e.mu.Unlock()
		_ = e.answer(q.from, q.outcome.reply)
	}
}
