// Package memory is a network in memory, on which a bridge and an editor meet
// that live in one process. It works inside a testing/synctest bubble.
package memory

import (
	"context"
	"errors"
	"net"
	"sync"
)

// Net is one listening address.
type Net struct {
	// Accepted, if set, wraps the listener's end of each connection.
	Accepted func(net.Conn) net.Conn

	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

// NewNet makes a network that nobody listens on yet; dialling waits.
func NewNet() *Net { return &Net{conns: make(chan net.Conn), done: make(chan struct{})} }

// Listen is a Listen function of a bridge's configuration.
func (n *Net) Listen(string, string) (net.Listener, error) { return listener{n}, nil }

// Dial connects to the listener.
func (n *Net) Dial(ctx context.Context) (net.Conn, error) {
	near, far := net.Pipe()
	if n.Accepted != nil {
		far = n.Accepted(far)
	}
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

type listener struct{ n *Net }

// Accept implements [net.Listener].
func (l listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.n.conns:
		return c, nil
	case <-l.n.done:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (l listener) Close() error {
	l.n.once.Do(func() { close(l.n.done) })
	return nil
}

// Addr implements [net.Listener].
func (l listener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9080} }
