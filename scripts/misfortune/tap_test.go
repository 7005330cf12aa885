package misfortune

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"net"
	"sync"
	"time"

	"godot-mcp/server/bridge/bridgetest"
	"godot-mcp/server/wire"
)

// frame is one command that the server put on the wire.
type frame struct {
	at      time.Duration
	id      string
	command string
	params  json.RawMessage
	dry     bool
}

// tap sees every command that reaches the editor's end of the link.
type tap struct {
	day *day

	mu     sync.Mutex
	net    *bridgetest.Net
	conns  []net.Conn
	frames []frame
}

// dial is the editor's way to whatever server there is now.
func (t *tap) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	t.mu.Lock()
	n := t.net
	t.mu.Unlock()
	c, err := n.Dial(ctx)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	t.conns = append(t.conns, c)
	t.mu.Unlock()
	return &tapped{Conn: c, tap: t}, nil
}

// move makes the editor dial another server, and cuts it off from the old one.
func (t *tap) move(n *bridgetest.Net) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.net = n
	for _, c := range t.conns {
		_ = c.Close()
	}
	t.conns = nil
}

func (t *tap) list() []frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]frame(nil), t.frames...)
}

// tapped reads the frames off the bytes: those of a server are not masked, and
// come after the head of the handshake's answer.
type tapped struct {
	net.Conn
	tap    *tap
	buf    bytes.Buffer
	opened bool
}

// Read implements net.Conn.
func (c *tapped) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.buf.Write(b[:n])
	for c.next() {
	}
	return n, err
}

func (c *tapped) next() bool {
	b := c.buf.Bytes()
	if !c.opened {
		i := bytes.Index(b, []byte("\r\n\r\n"))
		if i < 0 {
			return false
		}
		c.buf.Next(i + 4)
		c.opened = true
		return true
	}
	if len(b) < 2 {
		return false
	}
	size, head := int(b[1]&0x7f), 2
	switch size {
	case 126:
		if head = 4; len(b) < head {
			return false
		}
		size = int(binary.BigEndian.Uint16(b[2:]))
	case 127:
		if head = 10; len(b) < head {
			return false
		}
		size = int(binary.BigEndian.Uint64(b[2:]))
	}
	if len(b) < head+size {
		return false
	}
	c.tap.saw(b[head : head+size])
	c.buf.Next(head + size)
	return true
}

// saw notes a command; questions for outcomes and notices are none.
func (t *tap) saw(message []byte) {
	var m wire.Command
	if json.Unmarshal(message, &m) != nil || m.ID == "" || m.Command == wire.CmdGetOutcome {
		return
	}
	var p struct {
		DryRun bool `json:"dry_run"`
	}
	_ = json.Unmarshal(m.Params, &p)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.frames = append(t.frames, frame{t.day.now(), m.ID, m.Command, bytes.Clone(m.Params), p.DryRun})
}
