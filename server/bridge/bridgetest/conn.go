package bridgetest

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/coder/websocket"

	"godot-mcp/server/wire"
)

// Conn is one connection of an [Editor].
type Conn struct {
	editor   *Editor
	ws       *websocket.Conn
	ctx      context.Context
	cancel   context.CancelFunc
	accepted chan error
	once     sync.Once
	done     chan struct{} // closed when the reader has ended
}

func (c *Conn) read() {
	defer close(c.done)
	defer c.Drop()
	defer c.decide(ErrClosed)
	for {
		_, data, err := c.ws.Read(c.ctx)
		if err != nil {
			return
		}
		var m struct {
			wire.Command
			OK *bool `json:"ok"`
		}
		if json.Unmarshal(data, &m) != nil {
			continue
		}
		if m.ID == "" {
			c.notice(data)
			continue
		}
		c.run(m.Command)
	}
}

func (c *Conn) decide(err error) { c.once.Do(func() { c.accepted <- err }) }

func (c *Conn) notice(data []byte) {
	var n wire.Notice
	if json.Unmarshal(data, &n) != nil {
		return
	}
	e := c.editor
	e.mu.Lock()
	e.notices = append(e.notices, n)
	e.mu.Unlock()
	if n.OK != nil && !*n.OK && n.Error != nil {
		c.decide(n.Error)
	}
	if n.Command == wire.NoticeServerHello {
		c.decide(nil)
	}
}

func (c *Conn) run(cmd wire.Command) {
	e := c.editor
	e.mu.Lock()
	if cmd.Command != wire.CmdGetOutcome {
		e.commands = append(e.commands, cmd)
	}
	intercept := e.intercept
	e.mu.Unlock()
	if intercept != nil && intercept(c, cmd) {
		return
	}
	if cmd.Command == wire.CmdGetOutcome {
		c.answerOutcome(cmd)
		return
	}
	c.SendJSON(e.Run(cmd))
}

func (c *Conn) answerOutcome(cmd wire.Command) {
	r := wire.Reply{ID: cmd.ID}
	o, err := c.editor.outcome(cmd.Params)
	if err == nil {
		r.Result, err = json.Marshal(o)
	}
	if err != nil {
		r.Error = wire.AsError(err)
	}
	r.OK = err == nil
	c.SendJSON(r)
}

// SendJSON sends a value as a text message; failures show as a lost link.
func (c *Conn) SendJSON(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // a mistake of the test
	}
	c.Send(data)
}

// Send sends text as it is, JSON or not.
func (c *Conn) Send(data []byte) { _ = c.ws.Write(c.ctx, websocket.MessageText, data) }

// SendBinary sends a binary message.
func (c *Conn) SendBinary(data []byte) { _ = c.ws.Write(c.ctx, websocket.MessageBinary, data) }

// Drop breaks the connection without a closing handshake.
func (c *Conn) Drop() {
	c.cancel()
	_ = c.ws.CloseNow()
}

// Done is closed when the connection has ended and its last command with it.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Notices lists the pushes that the connection's editor received so far.
func (c *Conn) Notices() []wire.Notice { return c.editor.Notices() }
