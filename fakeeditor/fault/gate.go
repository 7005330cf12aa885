package fault

import (
	"context"
	"net"
	"sync"
	"time"
)

// Gate can hold the bytes of a connection back, in both directions, so that
// not even a ping is answered: what a hung main thread looks like from outside.
type Gate struct {
	mu    sync.Mutex
	until time.Time
}

// Hold shuts the gate for d.
func (g *Gate) Hold(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if t := time.Now().Add(d); t.After(g.until) {
		g.until = t
	}
}

func (g *Gate) wait(closed <-chan struct{}) {
	for {
		g.mu.Lock()
		d := time.Until(g.until)
		g.mu.Unlock()
		if d <= 0 {
			return
		}
		t := time.NewTimer(d)
		select {
		case <-t.C:
		case <-closed:
			t.Stop()
			return
		}
	}
}

// DialFunc opens a connection, as net.Dialer.DialContext does.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Dial makes a DialFunc whose connections pass the gate; nil dials the network.
func (g *Gate) Dial(dial DialFunc) DialFunc {
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &gatedConn{Conn: c, gate: g, closed: make(chan struct{})}, nil
	}
}

type gatedConn struct {
	net.Conn
	gate   *Gate
	once   sync.Once
	closed chan struct{}
}

func (c *gatedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.gate.wait(c.closed)
	return n, err
}

func (c *gatedConn) Write(b []byte) (int, error) {
	c.gate.wait(c.closed)
	return c.Conn.Write(b)
}

func (c *gatedConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
