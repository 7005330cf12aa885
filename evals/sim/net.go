package sim

import (
	"context"
	"errors"
	"net"
	"regexp"
	"slices"
	"sync"
	"time"
)

// network is one address in memory. It sees the commands that the server sends.
type network struct {
	conns  chan net.Conn
	done   chan struct{}
	once   sync.Once
	onSend func(id, command string)
}

func newNetwork(onSend func(id, command string)) *network {
	return &network{conns: make(chan net.Conn), done: make(chan struct{}), onSend: onSend}
}

// Listen is what server.Config.Listen wants.
func (n *network) Listen(string, string) (net.Listener, error) { return listener{n}, nil }

// Dial is the editor's way in.
func (n *network) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, pipe := net.Pipe()
	far := tap(pipe, n.onSend)
	select {
	case n.conns <- far:
		return near, nil
	case <-n.done:
		_ = far.Close()
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		_ = far.Close()
		return nil, ctx.Err()
	}
}

type listener struct{ n *network }

// Accept implements net.Listener.
func (l listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.n.conns:
		return c, nil
	case <-l.n.done:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (l listener) Close() error {
	l.n.once.Do(func() { close(l.n.done) })
	return nil
}

// Addr implements net.Listener.
func (l listener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9080} }

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
