package client

import (
	"bufio"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"godot-mcp/evals/sim"
)

// The environment of an attached process.
const (
	AddressEnv = "GODOT_MCP_EVAL_ADDRESS"
	TokenEnv   = "GODOT_MCP_EVAL_TOKEN"
)

// Attach is the program that a client starts as its server: it carries lines
// between stdin and stdout and the world that the token belongs to.
func Attach(ctx context.Context, address, token string, in io.Reader, out io.Writer) error {
	if address == "" || token == "" {
		return fmt.Errorf("%s and %s must be set; eval run sets them", AddressEnv, TokenEnv)
	}
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := io.WriteString(c, token+"\n"); err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(c, in)
		_ = c.(*net.TCPConn).CloseWrite()
	}()
	_, err = io.Copy(out, c)
	return err
}

// gate is a port on loopback where the attached process of one trial arrives.
type gate struct {
	ln    net.Listener
	token string
	// traffic is told of everything that the client says.
	traffic func()
	wg      sync.WaitGroup
	mu      sync.Mutex
	taken   bool
	conn    net.Conn
}

const helloTimeout = 10 * time.Second

func openGate(l *sim.Lines, token string, traffic func()) (*gate, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	g := &gate{ln: ln, token: token, traffic: traffic}
	g.wg.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			g.wg.Go(func() { g.serve(c, l) })
		}
	})
	return g, nil
}

var errToken = errors.New("wrong token")

// serve carries the lines of one connection. Only the first that shows the
// token is let in: a world has one client.
func (g *gate) serve(c net.Conn, l *sim.Lines) {
	defer c.Close()
	_ = c.SetReadDeadline(time.Now().Add(helloTimeout))
	r := bufio.NewReader(c)
	line, err := r.ReadString('\n')
	if err != nil || g.admit(strings.TrimSpace(line), c) != nil {
		return
	}
	_ = c.SetReadDeadline(time.Time{})
	g.wg.Go(func() {
		_, _ = io.Copy(c, l)
		_ = c.Close()
	})
	_, _ = io.Copy(l, io.TeeReader(r, noticed(g.traffic)))
}

func (g *gate) admit(token string, c net.Conn) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.taken || subtle.ConstantTimeCompare([]byte(token), []byte(g.token)) != 1 {
		return errToken
	}
	g.taken, g.conn = true, c
	return nil
}

// hangUp ends the listener and the connection; wait waits for what is left.
func (g *gate) hangUp() {
	_ = g.ln.Close()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.conn != nil {
		_ = g.conn.Close()
	}
}

// noticed is a writer that only tells that something was written.
type noticed func()

// Write implements io.Writer.
func (f noticed) Write(b []byte) (int, error) {
	f()
	return len(b), nil
}
