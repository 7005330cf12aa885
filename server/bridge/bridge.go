package bridge

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/coder/websocket"

	"godot-mcp/server/httpguard"
	"godot-mcp/server/wire"
)

// A Bridge holds the listener, the active editor and the calls under way. All
// methods may be called concurrently.
type Bridge struct {
	cfg  Config
	addr address
	log  *slog.Logger
	// quiet logs what peers can cause as often as they like.
	quiet *httpguard.Quiet
	base  context.Context // ends with the bridge; parent of every connection
	stop  context.CancelFunc
	wg    sync.WaitGroup

	mu       sync.Mutex
	srv      *http.Server
	bound    string // address listened on, empty while not listening
	bindErr  error
	owner    *Owner
	active   *link
	links    map[*link]struct{} // every link that said hello and lives
	calls    map[string]*call   // by id, not yet ended
	late     *lateLog
	nextID   uint64
	toolsets []string
	toolsSet bool
	closing  bool
	closed   bool
	drained  chan struct{} // made by Shutdown, closed when no sent mutation is left
	count    Counters
	lastErr  string
	lastAt   time.Time
}

// Start binds the port and serves until [Bridge.Close]. The error is the
// operating system's; the bridge then stays usable, answers every call with
// [wire.ReasonNoEditor] and shows the error in [Bridge.Status].
func (b *Bridge) Start() error {
	err := b.bind()
	if err != nil && b.cfg.RetryBind > 0 {
		b.spawn(b.retryBind)
	}
	return err
}

func (b *Bridge) bind() error {
	ln, err := b.cfg.Listen("tcp", b.addr.String())
	if err != nil {
		var owner *Owner
		if errors.Is(err, syscall.EADDRINUSE) {
			owner = askOwner(b.base, b.addr)
		}
		b.mu.Lock()
		again := b.bindErr != nil && b.bindErr.Error() == err.Error()
		b.bindErr, b.owner = err, owner
		b.noteLocked(err.Error())
		b.mu.Unlock()
		if !again {
			b.log.Error("bridge cannot listen", "url", b.cfg.URL, "error", err)
		}
		return err
	}
	pending := newPendingListener(ln, maxPending)
	srv := &http.Server{
		Handler:           http.HandlerFunc(b.serveHTTP),
		ReadHeaderTimeout: helloTimeout,
		MaxHeaderBytes:    16 << 10,
		// Its answer to "OPTIONS *" would look at no header.
		DisableGeneralOptionsHandler: true,
		ConnContext:                  pending.connContext,
		ErrorLog:                     slog.NewLogLogger(b.log.Handler(), slog.LevelDebug),
	}
	srv.SetKeepAlivesEnabled(false)
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return errors.Join(net.ErrClosed, ln.Close())
	}
	b.srv, b.bound, b.bindErr, b.owner = srv, ln.Addr().String(), nil, nil
	b.wg.Add(1)
	b.mu.Unlock()
	b.log.Info("bridge listens", "address", ln.Addr())
	go func() {
		defer b.wg.Done()
		err := srv.Serve(pending)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.bound = ""
		if !errors.Is(err, http.ErrServerClosed) {
			b.bindErr = err
			b.noteLocked(err.Error())
		}
	}()
	return nil
}

func (b *Bridge) retryBind() {
	t := time.NewTicker(b.cfg.RetryBind)
	defer t.Stop()
	for {
		select {
		case <-b.base.Done():
			return
		case <-t.C:
			if b.bind() == nil {
				return
			}
		}
	}
}

// spawn runs f in a goroutine that Close waits for; after Close it does nothing.
func (b *Bridge) spawn(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spawnLocked(f)
}

func (b *Bridge) spawnLocked(f func()) {
	if !b.closed {
		b.wg.Go(f)
	}
}

// Shutdown refuses new calls, waits until ctx ends for the answers of mutating
// commands that have been sent, then closes everything.
func (b *Bridge) Shutdown(ctx context.Context) {
	b.mu.Lock()
	b.closing = true
	if b.drained == nil {
		b.drained = make(chan struct{})
	}
	drained := b.drained
	for _, c := range b.calls {
		if c.state == callQueued {
			b.settleLocked(c, b.unsent(c, wire.ReasonNoEditor))
		}
	}
	b.checkDrainedLocked()
	b.mu.Unlock()
	select {
	case <-drained:
	case <-ctx.Done():
	}
	b.Close()
}

func (b *Bridge) checkDrainedLocked() {
	if b.drained == nil {
		return
	}
	for _, c := range b.calls {
		if c.mutating {
			return
		}
	}
	select {
	case <-b.drained:
	default:
		close(b.drained)
	}
}

// Close ends the listener and every connection, settles every call and waits
// for the bridge's goroutines. Sent mutations end as link_lost.
func (b *Bridge) Close() {
	b.mu.Lock()
	already := b.closed
	b.closing, b.closed = true, true
	srv := b.srv
	links := b.liveLinksLocked()
	for _, l := range links {
		l.final = true
	}
	for _, c := range b.calls {
		b.settleLocked(c, b.linkGone(c))
	}
	b.mu.Unlock()
	if !already {
		if srv != nil {
			_ = srv.Close()
		}
		var goodbyes sync.WaitGroup
		for _, l := range links {
			goodbyes.Go(func() { l.close(websocket.StatusGoingAway, "the server stops") })
		}
		goodbyes.Wait()
		b.stop()
	}
	b.wg.Wait()
}

func (b *Bridge) liveLinksLocked() []*link {
	out := make([]*link, 0, len(b.links))
	for l := range b.links {
		out = append(out, l)
	}
	return out
}

// SetToolsets pushes the names of the enabled toolsets to the editor, now and
// at each connect. Before the first call nothing is pushed, which the dock
// shows as unknown rather than none.
func (b *Bridge) SetToolsets(enabled []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.toolsets, b.toolsSet = slices.Clone(enabled), true
	if b.toolsets == nil {
		b.toolsets = []string{}
	}
	if b.active != nil {
		b.active.pushLocked(toolsetsNotice(b.toolsets))
	}
}

func (b *Bridge) noteLocked(text string) {
	b.lastErr, b.lastAt = text, time.Now()
}
