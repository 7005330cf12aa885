package httpguard

import (
	"net"
	"net/http"
	"sync"
)

// Conns bounds the connections of an HTTP server. When there are too many, one
// that carries no request makes room: of the address that has most of them, the
// oldest, and rather one that never carried any. If all carry requests, the new
// one is closed at once.
//
// Wrap the listener with [Conns.Listen] and give [Conns.State] to the server.
type Conns struct {
	Max int

	mu   sync.Mutex
	open map[net.Conn]*conn
	next uint64
}

type conn struct {
	order uint64 // of the last change of state
	host  string
	busy  bool // carries a request
	known bool // carried one
}

// Host is the address of a peer without its port.
func Host(address string) string {
	if h, _, err := net.SplitHostPort(address); err == nil {
		return h
	}
	return address
}

// Listen wraps a listener.
func (c *Conns) Listen(ln net.Listener) net.Listener { return &gate{Listener: ln, conns: c} }

// State is the server's ConnState hook.
func (c *Conns) State(n net.Conn, s http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.open[n]
	if k == nil {
		return
	}
	switch s {
	case http.StateActive:
		k.busy, k.known = true, true
	case http.StateIdle, http.StateNew:
		k.busy = false
		c.next++
		k.order = c.next
	case http.StateClosed, http.StateHijacked:
		delete(c.open, n)
	}
}

// Open is the number of connections.
func (c *Conns) Open() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}

// admit takes a connection in; false when it has to be closed.
func (c *Conns) admit(n net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil {
		c.open = map[net.Conn]*conn{}
	}
	if len(c.open) >= c.Max {
		victim := c.idleLocked()
		if victim == nil {
			return false
		}
		delete(c.open, victim)
		_ = victim.Close()
	}
	c.next++
	c.open[n] = &conn{order: c.next, host: Host(n.RemoteAddr().String())}
	return true
}

func (c *Conns) idleLocked() net.Conn {
	count := map[string]int{}
	for _, k := range c.open {
		count[k.host]++
	}
	var victim net.Conn
	var best *conn
	for n, k := range c.open {
		if !k.busy && (best == nil || k.before(best, count)) {
			victim, best = n, k
		}
	}
	return victim
}

// before says whether k has to go rather than o.
func (k *conn) before(o *conn, count map[string]int) bool {
	switch {
	case count[k.host] != count[o.host]:
		return count[k.host] > count[o.host]
	case k.known != o.known:
		return o.known
	}
	return k.order < o.order
}

type gate struct {
	net.Listener
	conns *Conns
}

// Accept implements [net.Listener].
func (g *gate) Accept() (net.Conn, error) {
	for {
		n, err := g.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if g.conns.admit(n) {
			return n, nil
		}
		_ = n.Close()
	}
}
