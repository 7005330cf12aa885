package bridgetest

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/wire"
)

// Handler answers one command with a result or an error ([wire.AsError] maps it).
type Handler func(params json.RawMessage) (any, error)

// An Editor is a scripted peer. It keeps the answers of the commands it ran, as
// an editor does, over its connections; it runs one command at a time. Set the
// exported fields before Connect.
type Editor struct {
	// Hello is what it says of itself; zero fields get sound values.
	Hello wire.Hello
	// Token, when set, goes into a cmd_auth message; Header into the handshake.
	Token  string
	Header http.Header
	// Frozen is an editor whose main thread hangs: pings get no answer. What
	// it does with commands is up to Intercept.
	Frozen atomic.Bool

	url  string
	dial func(ctx context.Context) (net.Conn, error) // nil: over TCP

	mu        sync.Mutex
	intercept func(c *Conn, cmd wire.Command) bool
	handlers  map[string]Handler
	memory    map[string]*wire.Reply
	commands  []wire.Command
	notices   []wire.Notice
	conn      *Conn
}

// NewEditor makes an editor that answers cmd_ping and cmd_get_outcome.
func NewEditor(n *Net) *Editor { return newEditor("ws://127.0.0.1:9080", n.Dial) }

// NewTCPEditor is [NewEditor] for a bridge that listens on a real port.
func NewTCPEditor(url string) *Editor { return newEditor(url, nil) }

func newEditor(url string, dial func(ctx context.Context) (net.Conn, error)) *Editor {
	e := &Editor{url: url, dial: dial, handlers: map[string]Handler{}, memory: map[string]*wire.Reply{}}
	e.Handle(wire.CmdPing, func(json.RawMessage) (any, error) { return wire.PingResult{Pong: true}, nil })
	return e
}

// Handle sets the handler of a command.
func (e *Editor) Handle(command string, h Handler) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.handlers[command] = h
}

// Intercept lets f see every command before its handler. True means that the
// command has been dealt with: answered in an odd way, or not at all. Nil ends it.
func (e *Editor) Intercept(f func(c *Conn, cmd wire.Command) bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.intercept = f
}

// On sets a typed handler; params are decoded strictly.
func On[P, R any](e *Editor, command string, f func(P) (R, error)) {
	e.Handle(command, func(params json.RawMessage) (any, error) {
		var p P
		if err := wire.DecodeParams(params, &p); err != nil {
			return nil, err
		}
		return f(p)
	})
}

// Connect dials, introduces itself and returns when the server has accepted it.
// A refusal is a *wire.Error, a refused handshake another error.
func (e *Editor) Connect(ctx context.Context) error {
	hello := e.hello()
	c, err := e.open(ctx)
	if err != nil {
		return err
	}
	e.mu.Lock()
	e.conn = c
	e.mu.Unlock()
	go c.read()
	if e.Token != "" {
		c.SendJSON(wire.Auth{Command: wire.AuthCommand, Token: e.Token})
	}
	c.SendJSON(hello)
	select {
	case err := <-c.accepted:
		return err
	case <-ctx.Done():
		c.Drop()
		return ctx.Err()
	}
}

func (e *Editor) open(ctx context.Context) (*Conn, error) {
	transport := &http.Transport{DisableKeepAlives: true}
	if e.dial != nil {
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) { return e.dial(ctx) }
	}
	client := &http.Client{Transport: transport}
	ws, _, err := websocket.Dial(ctx, e.url, &websocket.DialOptions{
		HTTPClient: client, HTTPHeader: e.Header,
		OnPingReceived: func(context.Context, []byte) bool { return !e.Frozen.Load() },
	})
	if err != nil {
		return nil, err
	}
	ws.SetReadLimit(wire.MaxMessageBytes)
	c := &Conn{editor: e, ws: ws, accepted: make(chan error, 1), done: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c, nil
}

// DialRaw opens a connection that says nothing by itself.
func DialRaw(t testing.TB, n *Net) *Conn {
	t.Helper()
	c, err := NewEditor(n).open(t.Context())
	require.NoError(t, err)
	go c.read()
	t.Cleanup(c.Drop)
	return c
}

func (e *Editor) hello() wire.Hello {
	e.mu.Lock()
	defer e.mu.Unlock()
	h := &e.Hello
	h.Command = wire.HelloCommand
	set := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	set(&h.Session, "session-1")
	set(&h.ProjectPath, "/project")
	set(&h.ProjectName, "Project")
	set(&h.GodotVersion, "4.6.3-stable")
	set(&h.AddonVersion, "1.0.0")
	set(&h.Backend, "simulator")
	set(&h.VocabularyHash, wire.VocabularyHash)
	if h.MaxBytes == 0 {
		h.MaxBytes = wire.MaxMessageBytes
	}
	if h.Commands == nil {
		for _, c := range wire.Commands {
			h.Commands = append(h.Commands, c.Name)
		}
	}
	return *h
}

// Sibling is another editor on the same network, with its own memory.
func (e *Editor) Sibling(session string) *Editor {
	s := newEditor(e.url, e.dial)
	s.Hello.Session = session
	return s
}

// Restart is a new start of the editor: another session, nothing remembered.
func (e *Editor) Restart(session string) {
	e.Drop()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Hello.Session = session
	e.memory = map[string]*wire.Reply{}
}

// Drop breaks the connection without a closing handshake and waits until the
// command that is running has ended.
func (e *Editor) Drop() {
	if c := e.Conn(); c != nil {
		c.Drop()
		<-c.done
	}
}

// Conn is the newest connection, nil before the first.
func (e *Editor) Conn() *Conn {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.conn
}

// Commands lists the commands received so far, without cmd_get_outcome.
func (e *Editor) Commands() []wire.Command {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.commands)
}

// Notices lists the pushes received so far.
func (e *Editor) Notices() []wire.Notice {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.notices)
}

// Remembered lists the ids whose answers the editor keeps, sorted.
func (e *Editor) Remembered() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Sorted(maps.Keys(e.memory))
}

// Run runs a command through its handler and remembers the answer. An id that
// was run before is answered from memory.
func (e *Editor) Run(cmd wire.Command) wire.Reply {
	e.mu.Lock()
	if old := e.memory[cmd.ID]; old != nil {
		e.mu.Unlock()
		return *old
	}
	h := e.handlers[cmd.Command]
	e.mu.Unlock()
	r := wire.Reply{ID: cmd.ID}
	var result any
	err := error(wire.Fail(wire.ReasonUnknownCommand, "command", cmd.Command))
	if h != nil {
		result, err = h(cmd.Params)
	}
	if err == nil {
		r.Result, err = json.Marshal(result)
	}
	if err != nil {
		r.Error = wire.AsError(err)
	}
	r.OK = err == nil
	e.mu.Lock()
	defer e.mu.Unlock()
	e.memory[cmd.ID] = &r
	return r
}

func (e *Editor) outcome(params json.RawMessage) (wire.GetOutcomeResult, error) {
	var p wire.GetOutcome
	if err := wire.DecodeParams(params, &p); err != nil {
		return wire.GetOutcomeResult{}, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if r := e.memory[p.ID]; r != nil {
		return wire.GetOutcomeResult{State: "done", Answer: r}, nil
	}
	return wire.GetOutcomeResult{State: "unknown"}, nil
}

// ErrClosed ends a Connect whose connection ended without a word.
var ErrClosed = errors.New("the server closed the connection")
