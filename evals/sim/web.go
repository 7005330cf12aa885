package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"time"

	"godot-mcp/evals/evidence"
	"godot-mcp/server"
)

// Web is the way into a world for an agent that speaks HTTP. It is an
// [http.Handler]; requests that carry the world's token are answered by the
// server's own HTTP front, inside the bubble.
//
// As with [Lines], requests are taken one after another, and the world's clock
// runs only while one is answered. Streams of news stay open beside them.
type Web struct {
	ending
	token string
	asked chan *exchange
}

// webBody bounds the body of one request, as the server itself does.
const webBody = 4 << 20

// NewWeb makes a way in that the token opens. It must be made outside of the
// bubble.
func NewWeb(token string) *Web {
	return &Web{ending: newEnding(), token: token, asked: make(chan *exchange)}
}

// exchange is one request, and its end: the context of the request may not be
// waited for inside of the bubble.
type exchange struct {
	request *http.Request
	body    []byte
	to      http.ResponseWriter
	done    chan struct{} // closed when it is answered
	left    bool          // the client has gone; this only says so
}

// ServeHTTP implements [http.Handler], outside of the bubble.
func (w *Web) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(to, r.Body, webBody))
	if err != nil {
		http.Error(to, "the body cannot be read", http.StatusBadRequest)
		return
	}
	x := &exchange{request: r, body: body, to: to, done: make(chan struct{})}
	if !w.hand(x) {
		http.Error(to, "the trial is over", http.StatusServiceUnavailable)
		return
	}
	select {
	case <-x.done:
	case <-r.Context().Done():
		// The writer is in use until the answer has ended. A call ends by itself, and
		// while it lasts nothing is taken; a stream has to be told.
		w.hand(&exchange{to: to, left: true})
		<-x.done
	}
}

func (w *Web) hand(x *exchange) bool {
	select {
	case w.asked <- x:
		return true
	case <-w.gone:
		return false
	case <-w.over:
		return false
	}
}

// Agent is the end of the way inside the bubble.
func (w *Web) Agent(ctx context.Context, r *Room) (string, evidence.Stop, error) {
	defer close(w.gone)
	front, err := r.server.HTTPHandler(server.HTTPOptions{Token: w.token})
	if err != nil {
		return "", "", err
	}
	s := &webServer{front: front, open: map[http.ResponseWriter]context.CancelFunc{}}
	for {
		select {
		case x := <-w.asked:
			s.take(ctx, x)
			continue
		case <-w.over:
		}
		break
	}
	s.end()
	return w.final, w.stop, w.err
}

// webServer answers requests inside the bubble.
type webServer struct {
	front *server.HTTPHandler
	wg    sync.WaitGroup

	mu   sync.Mutex
	open map[http.ResponseWriter]context.CancelFunc
}

// take answers a request, and waits for its end unless it is a stream.
func (s *webServer) take(ctx context.Context, x *exchange) {
	if x.left {
		s.mu.Lock()
		defer s.mu.Unlock()
		if cancel := s.open[x.to]; cancel != nil {
			cancel()
		}
		return
	}
	inside, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.open[x.to] = cancel
	s.mu.Unlock()
	answered := make(chan struct{})
	s.wg.Go(func() {
		defer func() {
			s.mu.Lock()
			delete(s.open, x.to)
			s.mu.Unlock()
			cancel()
			close(x.done)
			close(answered)
		}()
		o := x.request
		s.front.ServeHTTP(plainWriter{x.to}, (&http.Request{
			Method: o.Method, URL: o.URL, Proto: o.Proto, ProtoMajor: o.ProtoMajor, ProtoMinor: o.ProtoMinor, Header: o.Header.Clone(),
			Body: io.NopCloser(bytes.NewReader(x.body)), ContentLength: int64(len(x.body)), Host: o.Host, RemoteAddr: o.RemoteAddr, RequestURI: o.RequestURI,
		}).WithContext(inside))
	})
	if !stays(x) {
		<-answered
	}
	time.Sleep(aftermath) // for what the server says unasked, as in [Lines.Agent]
}

// stays says whether a request is one for a stream of news.
func stays(x *exchange) bool {
	var m message
	return x.request.Method == http.MethodGet || json.Unmarshal(x.body, &m) == nil && m.Method == "subscriptions/listen"
}

// end ends every stream.
func (s *webServer) end() {
	s.mu.Lock()
	for _, cancel := range s.open {
		cancel()
	}
	s.mu.Unlock()
	s.front.Close()
	s.wg.Wait()
}

// plainWriter hides the deadlines of a connection: inside of the bubble it is
// another time.
type plainWriter struct{ to http.ResponseWriter }

// Header implements [http.ResponseWriter].
func (w plainWriter) Header() http.Header { return w.to.Header() }

// Write implements [http.ResponseWriter].
func (w plainWriter) Write(b []byte) (int, error) { return w.to.Write(b) }

// WriteHeader implements [http.ResponseWriter].
func (w plainWriter) WriteHeader(status int) { w.to.WriteHeader(status) }

// FlushError is what a response controller looks for.
func (w plainWriter) FlushError() error { return http.NewResponseController(w.to).Flush() }

// Flush implements [http.Flusher].
func (w plainWriter) Flush() { _ = w.FlushError() }
