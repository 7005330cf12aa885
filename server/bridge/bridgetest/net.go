// Package bridgetest has what tests need to run a bridge without an editor: an
// in-memory network, which works inside a testing/synctest bubble, and a
// scripted peer that speaks the wire protocol.
package bridgetest

import (
	"context"
	"errors"
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"godot-mcp/server/bridge"
)

// Net is one listening address in memory.
type Net struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

// NewNet makes a network that nobody listens on yet; dialling waits.
func NewNet() *Net { return &Net{conns: make(chan net.Conn), done: make(chan struct{})} }

// Listen is a [bridge.Config] Listen function.
func (n *Net) Listen(string, string) (net.Listener, error) { return listener{n}, nil }

// Dial connects to the listener.
func (n *Net) Dial(ctx context.Context) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case n.conns <- far:
		return near, nil
	case <-n.done:
		return nil, errors.New("connection refused")
	case <-ctx.Done():
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

// Start runs a bridge in memory until the test ends.
func Start(t testing.TB, cfg bridge.Config) (*bridge.Bridge, *Net) {
	t.Helper()
	n := NewNet()
	cfg.Listen = n.Listen
	b, err := bridge.New(cfg)
	require.NoError(t, err)
	require.NoError(t, b.Start())
	t.Cleanup(b.Close)
	return b, n
}
