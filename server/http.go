package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"godot-mcp/server/httpguard"
)

// Limits of the HTTP front that no operator has had a reason to change.
const (
	httpPath      = "/mcp"
	httpBody      = 4 << 20          // of one request
	httpBodies    = 64 << 20         // of all at once
	httpBodyLimit = 15 * time.Second // for a body to arrive
	// httpWriteLimit is how long a client may leave a piece of an answer unread
	// before its connection is ended.
	httpWriteLimit = 20 * time.Second
	// httpStreams is how many streams of news one client may hold open.
	httpStreams = 16
)

// modernProtocol is the first revision without sessions.
const modernProtocol = "2026-07-28"

// HTTPOptions say how MCP is served over HTTP. The zero value serves programs
// on this machine that name loopback, without a token.
type HTTPOptions struct {
	// Addr is host:port to listen on; its host is one that clients may name.
	// Without it only loopback is named. See [Server.ListenHTTP].
	Addr string
	// Hosts and Origins are further values of these headers that are served.
	Hosts, Origins []string
	// Token, if set, must come with every request as a bearer token. An address
	// that other machines reach needs one.
	Token string
	// Sessions bounds the sessions of older clients; 0 is 256.
	Sessions int
	// SessionIdle ends a session without requests and streams; 0 is 30 minutes.
	SessionIdle time.Duration
}

// HTTPHandler serves MCP over HTTP at /mcp: the revision without sessions and
// the older ones with them. Every call passes the same checks as on stdio.
// [HTTPHandler.Close] ends its sessions.
type HTTPHandler struct {
	server   *Server
	guard    *httpguard.Guard
	body     httpguard.Body
	modern   http.Handler
	legacy   http.Handler
	sessions *webSessions
	refused  *httpguard.Quiet

	mu      sync.Mutex
	closing bool
	calls   int           // requests under way that will be answered
	idle    chan struct{} // closed when closing and none is left
	streams map[clientKey]int
}

// HTTPHandler makes a handler over the server, which is not in use yet. The error
// is one of the options and never holds the token.
func (s *Server) HTTPHandler(o HTTPOptions) (*HTTPHandler, error) {
	guard, err := o.guard()
	if err != nil {
		return nil, err
	}
	if !slices.Contains(s.sanitizer.Secrets, o.Token) {
		s.sanitizer.Secrets = append(slices.Clone(s.sanitizer.Secrets), o.Token)
	}
	s.env.Server.Transport = HTTP
	s.limits.share()
	h := &HTTPHandler{
		server: s, guard: guard, refused: &httpguard.Quiet{Log: s.log}, idle: make(chan struct{}), streams: map[clientKey]int{},
		body: httpguard.Body{Max: httpBody, Limit: httpBodyLimit, Budget: &httpguard.Budget{Max: httpBodies}},
	}
	h.sessions = newWebSessions(s, o)
	// The guard has looked at Host and Origin before, with its own lists.
	one := func(*http.Request) *mcp.Server { return s.mcp }
	h.modern = mcp.NewStreamableHTTPHandler(one, &mcp.StreamableHTTPOptions{
		Stateless: true, Logger: s.log, DisableLocalhostProtection: true, MaxRequestBodyBytes: -1, PropagateRequestCancellation: true,
	})
	h.legacy = mcp.NewStreamableHTTPHandler(one, &mcp.StreamableHTTPOptions{
		Logger: s.log, DisableLocalhostProtection: true, MaxRequestBodyBytes: -1,
	})
	return h, nil
}

// ServeHTTP implements [http.Handler]: first the guards, on the headers alone,
// then the body, then the era that the request belongs to.
func (h *HTTPHandler) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w := &webWriter{ResponseWriter: rw, control: http.NewResponseController(rw)}
	w.extend()
	if f := h.admit(r); f != nil {
		h.refuse(w, r, f)
		return
	}
	if origin := httpguard.AllowedOrigin(r); origin != "" {
		allowPage(w.Header(), origin)
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
	}
	if f := h.guard.Token(r); f != nil {
		h.refuse(w, r, f)
		return
	}
	m, f := h.read(w, r)
	defer m.release()
	if f != nil {
		h.refuse(w, r, f)
		return
	}
	if m.fault != nil {
		m.fault.write(w)
		return
	}
	h.serve(w, m)
}

// admit looks at what needs neither token nor body.
func (h *HTTPHandler) admit(r *http.Request) *httpguard.Refusal {
	if f := h.guard.Origin(r); f != nil {
		return f
	}
	switch {
	case !r.ProtoAtLeast(1, 1):
		return &httpguard.Refusal{Status: http.StatusHTTPVersionNotSupported, Text: "HTTP/1.1 is needed"}
	case r.URL.EscapedPath() != httpPath:
		return &httpguard.Refusal{Status: http.StatusNotFound, Text: "MCP is served at " + httpPath}
	case r.URL.RawQuery != "" || r.URL.ForceQuery:
		return &httpguard.Refusal{Status: http.StatusBadRequest, Text: "the address takes no query; a token goes into the Authorization header"}
	case r.Method == http.MethodOptions && r.Header.Get("Origin") != "":
		return nil
	case r.Method != http.MethodPost && r.Method != http.MethodGet && r.Method != http.MethodDelete:
		return &httpguard.Refusal{Status: http.StatusMethodNotAllowed, Text: "only POST, GET and DELETE are served", Allow: "POST, GET, DELETE"}
	}
	return nil
}

// allowPage lets the page of an allowed origin read answers. The Origin check
// has let it through already.
func allowPage(to http.Header, origin string) {
	to.Set("Vary", "Origin")
	to.Set("Access-Control-Allow-Origin", origin)
	to.Set("Access-Control-Allow-Methods", "POST, GET, DELETE")
	to.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name")
	to.Set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate")
}

func (h *HTTPHandler) refuse(w *webWriter, r *http.Request, f *httpguard.Refusal) {
	h.refused.Warn("HTTP request refused: "+f.Text, "status", f.Status, "method", short(r.Method), "remote", httpguard.Host(r.RemoteAddr))
	f.Write(w)
}

// serve hands a request to its era.
func (h *HTTPHandler) serve(w *webWriter, m *webMessage) {
	r := m.r
	call := &webCall{era: m.era, remote: httpguard.Host(r.RemoteAddr), ctx: r.Context()}
	next := h.modern
	switch {
	case m.era == modernEra:
		call.client = clientKey{remote: call.remote, name: m.client}
	case r.Header.Get(headerSession) != "":
		s, done, ok := h.sessions.use(r.Header.Get(headerSession), m.stream)
		if !ok {
			http.Error(w, "there is no such session; initialize a new one", http.StatusNotFound)
			return
		}
		defer done()
		if r.Method == http.MethodDelete {
			h.sessions.end(s)
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next, call.session, call.client = h.legacy, s.label, s.key
		call.ctx = s.ctx
	case m.method == "initialize":
		if !h.sessions.reserve(call.remote) {
			w.Header().Set("Retry-After", "60")
			(&httpguard.Refusal{Status: http.StatusServiceUnavailable, Text: "too many sessions are open; end one or wait"}).Write(w)
			return
		}
		opened := false
		w.opened = func(id string) {
			opened = true
			h.sessions.open(id, call.remote)
		}
		defer func() {
			if !opened {
				h.sessions.abandon()
			}
		}()
		next = h.legacy
	default:
		http.Error(w, "an Mcp-Session-Id is needed; initialize comes first", http.StatusBadRequest)
		return
	}
	leave, f := h.enter(call.client, m.stream)
	if f != nil {
		f.Write(w)
		return
	}
	defer leave()
	forget := h.server.web.remember(r, call)
	defer func() {
		forget()
		call.end(h.server.limits)
	}()
	next.ServeHTTP(w, r)
}

// enter counts a request; after [HTTPHandler.Shutdown] began there are no more.
func (h *HTTPHandler) enter(client clientKey, stream bool) (leave func(), f *httpguard.Refusal) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closing:
		return nil, &httpguard.Refusal{Status: http.StatusServiceUnavailable, Text: "the server is shutting down"}
	case stream && h.streams[client] >= httpStreams:
		return nil, &httpguard.Refusal{Status: http.StatusTooManyRequests, Text: fmt.Sprintf("a client may hold %d streams open", httpStreams)}
	case stream:
		h.streams[client]++
	default:
		h.calls++
	}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if stream {
			if h.streams[client]--; h.streams[client] == 0 {
				delete(h.streams, client)
			}
			return
		}
		h.calls--
		h.checkIdleLocked()
	}, nil
}

func (h *HTTPHandler) checkIdleLocked() {
	if h.closing && h.calls == 0 {
		select {
		case <-h.idle:
		default:
			close(h.idle)
		}
	}
}

// Shutdown refuses new requests, and waits until ctx ends for the answers of
// those under way. Streams of news stay open until [HTTPHandler.Close].
func (h *HTTPHandler) Shutdown(ctx context.Context) error {
	h.mu.Lock()
	h.closing = true
	h.checkIdleLocked()
	h.mu.Unlock()
	select {
	case <-h.idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close ends every session and stream.
func (h *HTTPHandler) Close() {
	h.mu.Lock()
	h.closing = true
	h.checkIdleLocked()
	h.mu.Unlock()
	h.sessions.close()
	var ended sync.WaitGroup
	for s := range h.server.mcp.Sessions() {
		// Its error does not matter: the session is over.
		ended.Go(func() { _ = s.Close() })
	}
	ended.Wait()
}

// label names a session in logs without telling its id.
func label(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:4])
}

// splitAddr reads the address to listen on: host:port, or only the port.
func splitAddr(addr string) (host, port string, err error) {
	if !strings.Contains(addr, ":") {
		addr = ":" + addr
	}
	host, port, err = net.SplitHostPort(addr)
	n, numberErr := strconv.ParseUint(port, 10, 16)
	if err != nil || numberErr != nil || strings.ContainsAny(host, "/@?# ") {
		return "", "", fmt.Errorf("address %q: must be host:port or a port", addr)
	}
	return cmp.Or(host, "127.0.0.1"), strconv.FormatUint(n, 10), nil
}
