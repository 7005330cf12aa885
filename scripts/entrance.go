package scripts

import (
	"net"
	"sync"
)

// entrance is a listener on a fixed port behind which scenarios come and go.
// Between two of them connections are turned away.
type entrance struct {
	ln net.Listener

	mu   sync.Mutex
	room *room
}

func newEntrance() (*entrance, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	e := &entrance{ln: ln}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			e.mu.Lock()
			r := e.room
			e.mu.Unlock()
			if r == nil || !r.enter(c) {
				_ = c.Close()
			}
		}
	}()
	return e, nil
}

func (e *entrance) url() string { return "ws://" + e.ln.Addr().String() }
func (e *entrance) close()      { _ = e.ln.Close() }

// open gives a listener for one scenario.
func (e *entrance) open() net.Listener {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.room = &room{entrance: e, came: make(chan net.Conn), closed: make(chan struct{})}
	return e.room
}

type room struct {
	entrance *entrance
	came     chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func (r *room) enter(c net.Conn) bool {
	select {
	case r.came <- c:
		return true
	case <-r.closed:
		return false
	}
}

func (r *room) Accept() (net.Conn, error) {
	select {
	case <-r.closed:
		return nil, net.ErrClosed
	case c := <-r.came:
		return c, nil
	}
}

func (r *room) Close() error {
	r.once.Do(func() { close(r.closed) })
	return nil
}

func (r *room) Addr() net.Addr { return r.entrance.ln.Addr() }
