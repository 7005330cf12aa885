package server

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"
)

// heartbeat is the interval of the one ticker of the process. It keeps the Go
// 1.26 runtime from stalling for a minute when a stop of the world misses a
// thread in a system call, and it looks whether somebody still reads stdout.
const heartbeat = 200 * time.Millisecond

// goneLimit is how long calls may still take to end after their client left.
const goneLimit = 100 * time.Millisecond

// ServeStdio serves one client on the process's own stdin and stdout until the
// client is gone or ctx ends. Nothing else may write to stdout.
func (s *Server) ServeStdio(ctx context.Context) error {
	// Go's own rate of collections: fewer gain no time (p50 of a call the same at
	// 100, 150 and 200 percent) and cost memory (21, 23 and 25 MB after 10,000
	// calls); at 50 percent it is 20 MB for half as much processor time again.
	debug.SetMemoryLimit(256 << 20)
	// A write to a closed stdout must be an error, not the end of the process.
	signal.Ignore(syscall.SIGPIPE)
	in, restore := pollable(os.Stdin)
	defer restore()
	broken := make(chan struct{})
	done := make(chan struct{})
	defer close(done)
	go func() {
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if readerGone(os.Stdout) {
					close(broken)
					return
				}
			case <-done:
				return
			}
		}
	}()
	return s.serve(ctx, &lines{in: in, out: writable(os.Stdout), max: maxLine, broken: broken, held: s.limits.held})
}

// ServeLines serves one client on a reader and a writer of JSON lines. The
// reader is closed at the end when it can be.
func (s *Server) ServeLines(ctx context.Context, in io.Reader, out io.Writer) error {
	return s.serve(ctx, &lines{in: in, out: out, max: maxLine, held: s.limits.held})
}

func (s *Server) serve(ctx context.Context, l *lines) error {
	l.held.begin()
	l.gone = make(chan struct{})
	// The connection outlives ctx, so that the calls that end with it are answered.
	session, err := s.mcp.Connect(context.WithoutCancel(ctx), l, nil)
	if err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		// How the session ended does not matter: the client is gone.
		_ = session.Wait()
	}()
	select {
	case <-ended:
		return nil
	case <-l.gone:
		// A call that the editor does not answer must not hold the process:
		// nobody would hear its answer any more.
		select {
		case <-ended:
		case <-time.After(goneLimit):
		}
		return nil
	case <-ctx.Done():
	case <-s.base.Done():
	}
	s.stop()
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), sessionEndLimit)
	defer cancel()
	if s.bridge != nil {
		// Edits under way get a while for their answer, and then the one that it is
		// not known.
		edits, cancel := context.WithTimeout(limit, bridgeEndLimit)
		defer cancel()
		go s.bridge.Shutdown(edits)
	}
	// The SDK writes no answer once its session closes.
	l.conn.flush(limit)
	go func() { _ = session.Close() }()
	select {
	case <-ended:
	case <-limit.Done():
		s.log.Warn("calls did not end in time")
		_ = l.conn.Close()
	}
	return ctx.Err()
}
