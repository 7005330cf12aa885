package httpguard

import (
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fakeConn is a connection of an address that remembers whether it was closed.
type fakeConn struct {
	net.Conn
	address string
	closed  bool
}

func (c *fakeConn) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.ParseIP(c.address), Port: 1}
}

func (c *fakeConn) Close() error {
	c.closed = true
	return nil
}

func TestWhichConnectionMakesRoom(t *testing.T) {
	conns := &Conns{Max: 4}
	add := func(address string, states ...http.ConnState) *fakeConn {
		c := &fakeConn{address: address}
		if !conns.admit(c) {
			return nil
		}
		for _, s := range states {
			conns.State(c, s)
		}
		return c
	}
	used := add("10.0.0.1", http.StateNew, http.StateActive, http.StateIdle)
	busy := add("10.0.0.1", http.StateNew, http.StateActive)
	fresh := add("10.0.0.1", http.StateNew)
	other := add("10.0.0.2", http.StateNew)
	require.Equal(t, 4, conns.Open())

	add("10.0.0.3", http.StateNew, http.StateActive)
	assert.True(t, fresh.closed, "one without a request, of the address that has most")
	assert.False(t, used.closed || busy.closed || other.closed)

	add("10.0.0.3", http.StateNew, http.StateActive)
	assert.True(t, used.closed, "one that carries none now")
	assert.False(t, other.closed)

	add("10.0.0.3", http.StateNew, http.StateActive)
	assert.True(t, other.closed)
	assert.Nil(t, add("10.0.0.4"), "all carry requests")
	conns.State(busy, http.StateClosed)
	assert.NotNil(t, add("10.0.0.4"))
	assert.Equal(t, 4, conns.Open())
	conns.State(&fakeConn{}, http.StateActive) // one that it closed itself
	assert.Equal(t, 4, conns.Open())
}

// acceptor hands out connections, then ends.
type acceptor struct{ conns []net.Conn }

func (a *acceptor) Accept() (net.Conn, error) {
	if len(a.conns) == 0 {
		return nil, io.EOF
	}
	c := a.conns[0]
	a.conns = a.conns[1:]
	return c, nil
}
func (a *acceptor) Close() error   { return nil }
func (a *acceptor) Addr() net.Addr { return &net.TCPAddr{} }

func TestTheListenerClosesWhatIsTooMuch(t *testing.T) {
	conns := &Conns{Max: 1}
	first, second := &fakeConn{address: "::1"}, &fakeConn{address: "::1"}
	ln := conns.Listen(&acceptor{conns: []net.Conn{first, second}})
	c, err := ln.Accept()
	require.NoError(t, err)
	conns.State(c, http.StateActive)
	_, err = ln.Accept()
	require.ErrorIs(t, err, io.EOF)
	assert.True(t, second.closed)
	assert.False(t, first.closed)
}
