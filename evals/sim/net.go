package sim

import (
	"context"
	"net"
	"regexp"
	"slices"
	"sync"
	"time"

	"godot-mcp/server/bridge/memory"
)

// newNetwork is an address in memory. onSend sees the commands that the server
// sends; dial is the editor's way in.
func newNetwork(onSend func(id, command string)) (n *memory.Net, dial func(context.Context, string, string) (net.Conn, error)) {
	n = memory.NewNet()
	n.Accepted = func(c net.Conn) net.Conn { return tap(c, onSend) }
	return n, func(ctx context.Context, _, _ string) (net.Conn, error) { return n.Dial(ctx) }
}

// tapped is the server's end of a connection. What the server writes waits in a
// buffer for its peer, as in a socket: a peer that does not read must not stop
// the writer at once. A server's WebSocket frames are not masked and each
// command is written as a whole, so its head can be read off the bytes; inside
// texts the quotes would be escaped.
type tapped struct {
	net.Conn
	onSend func(id, command string)
	queue  chan []byte
	closed chan struct{}
	once   sync.Once
}

// socketBuffer is the number of writes that wait at most.
const socketBuffer = 1024

func tap(c net.Conn, onSend func(id, command string)) *tapped {
	t := &tapped{Conn: c, onSend: onSend, queue: make(chan []byte, socketBuffer), closed: make(chan struct{})}
	go t.pump()
	return t
}

var commandHead = regexp.MustCompile(`\{"id":"([0-9]+)","command":"(cmd_[a-z_]+)"`)

// Write implements net.Conn.
func (t *tapped) Write(b []byte) (int, error) {
	if m := commandHead.FindSubmatch(b); m != nil {
		t.onSend(string(m[1]), string(m[2]))
	}
	select {
	case <-t.closed:
		return 0, net.ErrClosed
	case t.queue <- slices.Clone(b):
		return len(b), nil
	}
}

func (t *tapped) pump() {
	defer t.Conn.Close()
	for {
		select {
		case b := <-t.queue:
			if _, err := t.Conn.Write(b); err != nil {
				_ = t.Close()
				return
			}
		case <-t.closed:
			if len(t.queue) == 0 {
				return
			}
		}
	}
}

// Close implements net.Conn. What waits still goes out if the peer takes it soon.
func (t *tapped) Close() error {
	t.once.Do(func() {
		_ = t.SetReadDeadline(time.Now())
		_ = t.SetWriteDeadline(time.Now().Add(time.Second))
		close(t.closed)
	})
	return nil
}
