package server

import (
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// webWriter gives every piece of an answer a time limit of its own: streams have
// no other, and a client that does not read must not hold up its session.
type webWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	wrote   bool
	// opened is told the id of a session that the answer opens.
	opened func(id string)
}

// Unwrap lets a response controller reach the connection.
func (w *webWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// extend fails where the writer knows no deadlines, which only a test's does not.
func (w *webWriter) extend() { _ = w.control.SetWriteDeadline(time.Now().Add(httpWriteLimit)) }

// WriteHeader implements [http.ResponseWriter].
func (w *webWriter) WriteHeader(status int) {
	if !w.wrote && w.opened != nil {
		if id := w.Header().Get(headerSession); id != "" {
			w.opened(id)
		}
	}
	w.wrote = true
	w.extend()
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *webWriter) Write(p []byte) (int, error) {
	if !w.wrote {
		w.WriteHeader(http.StatusOK)
	}
	w.extend()
	return w.ResponseWriter.Write(p)
}

// quiet logs refusals, but no more than some in a minute: who is refused can ask
// again as fast as he likes.
type quiet struct {
	log *slog.Logger

	mu      sync.Mutex
	since   time.Time
	noted   int
	dropped int
}

const quietLines = 20

func (q *quiet) note(why string, args ...any) {
	q.mu.Lock()
	now := time.Now()
	if now.Sub(q.since) >= time.Minute {
		if q.dropped > 0 {
			args = append(args, "more_since", q.dropped)
		}
		q.since, q.noted, q.dropped = now, 0, 0
	}
	q.noted++
	if q.noted > quietLines {
		q.dropped++
		q.mu.Unlock()
		return
	}
	q.mu.Unlock()
	q.log.Warn("HTTP request refused: "+why, args...)
}
