package sim

import (
	"context"
	"errors"
	"net"
	"regexp"
	"sync"
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
	near, far := net.Pipe()
	select {
	case n.conns <- &tapped{far, n.onSend}:
		return near, nil
	case <-n.done:
		return nil, errors.New("connection refused")
	case <-ctx.Done():
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

// tapped is the server's end of a connection. A server's WebSocket frames are
// not masked and each command is written as a whole, so its head can be read
// off the bytes; inside texts the quotes would be escaped.
type tapped struct {
	net.Conn
	onSend func(id, command string)
}

var commandHead = regexp.MustCompile(`\{"id":"([0-9]+)","command":"(cmd_[a-z_]+)"`)

// Write implements net.Conn.
func (t *tapped) Write(b []byte) (int, error) {
	if m := commandHead.FindSubmatch(b); m != nil {
		t.onSend(string(m[1]), string(m[2]))
	}
	return t.Conn.Write(b)
}
