package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"godot-mcp/server/httpguard"
)

const (
	httpHeaderLimit = 5 * time.Second // for the headers of a request to arrive
	httpKeepAlive   = 2 * time.Minute // a connection without a request
	httpHeaderBytes = 32 << 10
	httpConns       = 512
	// httpDrain is how long calls may go on after the server was told to stop,
	// before they are cut short; [sessionEndLimit] is left for their answers.
	httpDrain = 1500 * time.Millisecond
)

// ListenHTTP serves MCP at the address of the options until ctx ends, then
// answers the calls under way and ends within a few seconds. Ready, if not nil,
// is called once with the address that clients can use.
func (s *Server) ListenHTTP(ctx context.Context, o HTTPOptions, ready func(url string)) error {
	host, port, err := splitAddr(o.Addr)
	if err != nil {
		return err
	}
	h, err := s.HTTPHandler(o)
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		h.Close()
		return err
	}
	url := "http://" + ln.Addr().String() + httpPath
	s.log.Info("MCP is served over HTTP", "url", url, "token", h.guard.Secured())
	if !httpguard.IsLoopback(host) {
		s.log.Warn("HTTP is not encrypted: put a proxy with TLS before it where others share the network", "url", url)
	}
	if ready != nil {
		ready(url)
	}
	debug.SetMemoryLimit(256 << 20)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	return h.Serve(ctx, ln)
}

// Serve serves a listener until ctx or the server ends, answers the calls under
// way and closes the handler. The error is one of the listener.
func (h *HTTPHandler) Serve(ctx context.Context, ln net.Listener) error {
	conns := &httpguard.Conns{Max: httpConns}
	srv := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: httpHeaderLimit,
		IdleTimeout:       httpKeepAlive,
		MaxHeaderBytes:    httpHeaderBytes,
		// Its answer to "OPTIONS *" would wait for a body, and look at no header.
		DisableGeneralOptionsHandler: true,
		ConnState:                    conns.State,
		ErrorLog:                     slog.NewLogLogger(h.server.log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(conns.Listen(ln)) }()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
	case <-h.server.base.Done():
	}
	h.end(srv)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// end stops listening, lets calls finish, then cuts them short, then ends the
// streams and whatever is left.
func (h *HTTPHandler) end(srv *http.Server) {
	h.mu.Lock()
	h.closing = true
	h.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), httpDrain+sessionEndLimit+time.Second)
	defer cancel()
	shut := make(chan struct{})
	go func() {
		defer close(shut)
		if srv.Shutdown(ctx) != nil {
			_ = srv.Close()
		}
	}()
	finish := func(limit time.Duration) error {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		return h.Shutdown(ctx)
	}
	if finish(httpDrain) != nil {
		h.server.stop()
		if finish(sessionEndLimit) != nil {
			h.server.log.Warn("calls did not end in time")
		}
	}
	h.server.stop()
	h.Close()
	<-shut
}
