package bridge

import (
	"context"
	"net"
	"slices"
	"sync"
	"time"
)

// pendingListener bounds the connections that have not become an editor. When
// there are too many the oldest is closed, so that a flood of half-open
// connections cannot keep the next editor out. Each also has a time limit from
// its first byte to its hello, which no slow sender can stretch.
type pendingListener struct {
	net.Listener
	max  int
	mu   sync.Mutex
	open []*pendingConn // oldest first
}

func newPendingListener(ln net.Listener, limit int) *pendingListener {
	return &pendingListener{Listener: ln, max: limit}
}

// pendingConn is a connection until the bridge calls established on it.
type pendingConn struct {
	net.Conn
	list  *pendingListener
	timer *time.Timer
}

// Accept implements [net.Listener].
func (p *pendingListener) Accept() (net.Conn, error) {
	conn, err := p.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &pendingConn{Conn: conn, list: p}
	var oldest *pendingConn
	p.mu.Lock()
	c.timer = time.AfterFunc(helloTimeout, func() { _ = c.Close() })
	p.open = append(p.open, c)
	if len(p.open) > p.max {
		oldest = p.open[0]
	}
	p.mu.Unlock()
	if oldest != nil {
		_ = oldest.Close()
	}
	return c, nil
}

// established takes the connection off the list and lifts its time limit;
// false when it was closed before.
func (c *pendingConn) established() bool {
	c.list.mu.Lock()
	defer c.list.mu.Unlock()
	i := slices.Index(c.list.open, c)
	if i < 0 {
		return false
	}
	c.list.open = slices.Delete(c.list.open, i, i+1)
	c.timer.Stop()
	return true
}

// Close implements [net.Conn].
func (c *pendingConn) Close() error {
	c.established()
	return c.Conn.Close()
}

type pendingKey struct{}

func (p *pendingListener) connContext(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, pendingKey{}, conn)
}
