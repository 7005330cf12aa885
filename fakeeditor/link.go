package fakeeditor

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"godot-mcp/fakeeditor/fault"
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

func newLinkState() linkState {
	return linkState{memory: newMemory(), wake: make(chan struct{}, 1)}
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
	if resp != nil && resp.Body != nil {
		_ = resp.Body.Close()
	}
	if err != nil {
		return nil, err
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
	gate := e.cfg.Faults.Gate()
	conn, err := e.dial(ctx, gate)
	if err != nil {
		return false, err
	}
	m := fault.Wrap(conn, e.cfg.Faults, fault.Hooks{
		Gate:   gate,
		Ghost:  func(ctx context.Context) (fault.Link, error) { return e.dial(ctx, &fault.Gate{}) },
		Orphan: e.adopt,
	})
	defer func() { _ = m.CloseNow() }()
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
