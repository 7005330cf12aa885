package console

import (
	"net"
	"sync"
)

// bounded is a listener with at most n connections open; further ones wait in
// the operating system.
func bounded(l net.Listener, n int) net.Listener {
	return &boundedListener{Listener: l, room: make(chan struct{}, n), over: make(chan struct{})}
}

type boundedListener struct {
	net.Listener
	room chan struct{}
	once sync.Once
	over chan struct{}
}

func (l *boundedListener) Accept() (net.Conn, error) {
	select {
	case l.room <- struct{}{}:
	case <-l.over:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.room
		return nil, err
	}
	return &boundedConn{Conn: c, leave: func() { <-l.room }}, nil
}

func (l *boundedListener) Close() error {
	l.once.Do(func() { close(l.over) })
	return l.Listener.Close()
}

type boundedConn struct {
	net.Conn
	once  sync.Once
	leave func()
}

func (c *boundedConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(c.leave)
	return err
}
