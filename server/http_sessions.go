package server

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	defaultSessions    = 256
	defaultSessionIdle = 30 * time.Minute
	// sessionAge is the longest life of a session, however busy.
	sessionAge = 24 * time.Hour
	// When all places are taken, one makes room that nothing came of since it was
	// initialized, or that was quiet for a while.
	newSessionGrace = 10 * time.Second
	quietSession    = 5 * time.Minute
)

// webSessions are the sessions of clients of the older revisions. An id is not a
// proof of who asks: the token is looked at with every request.
type webSessions struct {
	server *Server
	max    int
	idle   time.Duration

	mu      sync.Mutex
	byID    map[string]*webSession
	opening int // initialize requests under way
	closed  bool
	ended   sync.WaitGroup
}

// webSession is one of them. Its context ends with it.
type webSession struct {
	id, label, remote string
	key               clientKey

	ctx    context.Context
	cancel context.CancelFunc
	mcp    *mcp.ServerSession

	// Guarded by webSessions.mu.
	calls, streams int // requests under way
	used           time.Time
	proven         bool // a request came after initialize
	old            bool // past its age; ends after its last call
	gone           bool
	idle, age      *time.Timer
}

func newWebSessions(s *Server, o HTTPOptions) *webSessions {
	return &webSessions{
		server: s, max: cmp.Or(o.Sessions, defaultSessions), idle: cmp.Or(o.SessionIdle, defaultSessionIdle),
		byID: map[string]*webSession{},
	}
}

// reserve keeps a place for a session; false when there is none. The place is
// given back by open or abandon.
func (w *webSessions) reserve(remote string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	if len(w.byID)+w.opening >= w.max {
		victim := w.victimLocked()
		if victim == nil {
			return false
		}
		w.endLocked(victim)
	}
	w.opening++
	return true
}

func (w *webSessions) abandon() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.opening--
}

// victimLocked is the session that can best be missed: of the address that has
// most of them, one that nothing came of, or the one that was quiet longest.
func (w *webSessions) victimLocked() *webSession {
	count := map[string]int{}
	for _, s := range w.byID {
		count[s.remote]++
	}
	var best *webSession
	for _, s := range w.byID {
		quiet := time.Since(s.used)
		if s.calls+s.streams > 0 || s.proven && quiet < quietSession || quiet < newSessionGrace {
			continue
		}
		if best == nil || s.before(best, count) {
			best = s
		}
	}
	return best
}

func (s *webSession) before(o *webSession, count map[string]int) bool {
	switch {
	case count[s.remote] != count[o.remote]:
		return count[s.remote] > count[o.remote]
	case s.proven != o.proven:
		return o.proven
	}
	return s.used.Before(o.used)
}

// open takes in a session that the protocol library has made.
func (w *webSessions) open(id, remote string) {
	s := &webSession{id: id, key: clientKey{session: id}, label: label(id), remote: remote, used: time.Now()}
	s.ctx, s.cancel = context.WithCancel(w.server.base)
	for m := range w.server.mcp.Sessions() {
		if m.ID() == id {
			s.mcp = m
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.opening--
	if w.closed || s.mcp == nil {
		s.cancel()
		if s.mcp != nil {
			w.ended.Go(func() { _ = s.mcp.Close() })
		}
		return
	}
	w.byID[id] = s
	w.server.limits.adopt(s.key, remote)
	s.idle = time.AfterFunc(w.idle, func() { w.expire(s, false) })
	s.age = time.AfterFunc(sessionAge, func() { w.expire(s, true) })
	w.ended.Go(func() {
		// However it ended, it is over.
		_ = s.mcp.Wait()
		w.end(s)
	})
}

// use finds a session for a request; done has to be called after it.
func (w *webSessions) use(id string, stream bool) (s *webSession, done func(), ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s, ok = w.byID[id]
	if !ok {
		return nil, nil, false
	}
	n := &s.calls
	if stream {
		n = &s.streams
	}
	*n++
	s.proven = true
	s.idle.Stop()
	return s, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		*n--
		s.used = time.Now()
		switch {
		case s.gone:
		case s.old && s.calls == 0:
			w.endLocked(s)
		case s.calls+s.streams == 0:
			s.idle.Reset(w.idle)
		}
	}, true
}

func (w *webSessions) expire(s *webSession, old bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s.old = s.old || old
	if s.calls == 0 && (s.old || s.streams == 0) {
		w.endLocked(s)
	}
}

// end ends a session: its id is unknown from now on, and calls of it that have
// not had an effect yet are given up.
func (w *webSessions) end(s *webSession) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.endLocked(s)
}

func (w *webSessions) endLocked(s *webSession) {
	if s.gone {
		return
	}
	s.gone = true
	delete(w.byID, s.id)
	s.idle.Stop()
	s.age.Stop()
	s.cancel()
	w.server.limits.retire(s.key, s.remote)
	// Close waits for the calls of the session.
	w.ended.Go(func() { _ = s.mcp.Close() })
}

// close ends all sessions and waits for it.
func (w *webSessions) close() {
	w.mu.Lock()
	w.closed = true
	for _, s := range w.byID {
		w.endLocked(s)
	}
	w.mu.Unlock()
	w.ended.Wait()
}
