package server

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// webCall is an HTTP request as the middleware sees it.
type webCall struct {
	era     era
	remote  string
	client  clientKey
	session string // as logs name it; empty in the modern era
	// ctx ends when nobody can hear the answer any more: with the session, or
	// in the modern era with the request.
	ctx context.Context

	mu   sync.Mutex
	by   *load
	held int64 // bytes of answers that are not out yet
	over bool
}

// hold counts an answer until the request ends. One that comes later goes nowhere.
func (c *webCall) hold(l *limits, by *load, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.over {
		c.by, c.held = by, c.held+size
		l.hold(by, size)
	}
}

func (c *webCall) end(l *limits) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	if c.by != nil {
		l.hold(c.by, -c.held)
	}
}

// webCalls finds the HTTP request that a call came with. The protocol library
// hands middleware nothing of it but its headers, so one of them is the way: its
// name has a space, which no client can send.
type webCalls struct {
	next atomic.Uint64
	open sync.Map // string → *webCall
}

const headerCall = "godot-mcp call"

// remember marks a request until forget.
func (w *webCalls) remember(r *http.Request, c *webCall) (forget func()) {
	id := strconv.FormatUint(w.next.Add(1), 10)
	w.open.Store(id, c)
	r.Header[headerCall] = []string{id}
	return func() { w.open.Delete(id) }
}

// of is the HTTP request of a call; nil on other transports, and when the client
// has gone already.
func (w *webCalls) of(req mcp.Request) *webCall {
	extra := req.GetExtra()
	if extra == nil || len(extra.Header[headerCall]) == 0 {
		return nil
	}
	c, _ := w.open.Load(extra.Header[headerCall][0])
	call, _ := c.(*webCall)
	return call
}

// overHTTP says whether a call came over HTTP, also when its client has gone.
func overHTTP(req mcp.Request) bool {
	extra := req.GetExtra()
	return extra != nil && len(extra.Header[headerCall]) > 0
}

type webCallKey struct{}

func webCallOf(ctx context.Context) *webCall {
	c, _ := ctx.Value(webCallKey{}).(*webCall)
	return c
}

// tie gives a call the HTTP request it came with, and ends it with its session.
func (s *Server) tie(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		c := s.web.of(req)
		if c == nil {
			return next(ctx, method, req)
		}
		ctx, cancel := context.WithCancel(context.WithValue(ctx, webCallKey{}, c))
		defer cancel()
		if c.session != "" {
			defer context.AfterFunc(c.ctx, cancel)()
		}
		return next(ctx, method, req)
	}
}
