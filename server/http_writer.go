package server

import (
	"net/http"
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
