package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/approval"
)

// pipes is a network of its own, for tests in a bubble.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error { close(p.done); return nil }

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func question() approval.Question {
	now := time.Now()
	return approval.Question{
		ID: "q1", Asked: now, Until: now.Add(Timeout), Client: "c 1", Tool: "godot_scene_edit_delete_node", Class: "destructive",
		Targets: []string{"A"}, Rule: "it is destructive", Arguments: json.RawMessage(`{"node_path":"A<b>"}`), Preview: json.RawMessage(`{"dry_run":true}`),
		Entries: []approval.Entry{{Tool: "t", Class: "mutating", Arguments: json.RawMessage(`{}`)}}, IdempotencyID: "i",
	}
}

// ask puts the question to a handler inside a bubble.
func ask(t *testing.T, cfg Config, h http.HandlerFunc) approval.Verdict {
	t.Helper()
	var v approval.Verdict
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{make(chan net.Conn), make(chan struct{})}
		s := &http.Server{Handler: h}
		go func() { _ = s.Serve(p) }()
		cfg.Dial = p.dial
		if cfg.URL == "" {
			cfg.URL = "http://127.0.0.1/approve"
		}
		q := question()
		ctx, cancel := context.WithDeadline(t.Context(), q.Until)
		v = New(cfg).Ask(ctx, q)
		cancel()
		require.NoError(t, s.Close())
		synctest.Wait()
	})
	return v
}

func reply(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestRequest(t *testing.T) {
	var got map[string]any
	v := ask(t, Config{Token: "tok", Secret: "key", Profile: "editor", Mode: "full", Server: "1.0"}, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		assert.Equal(t, http.MethodPost, r.Method)
		assert.Equal(t, "/approve", r.URL.Path)
		assert.Equal(t, "application/json", r.Header.Get("Content-Type"))
		assert.Equal(t, "Bearer tok", r.Header.Get("Authorization"))
		assert.Equal(t, Signature("key", body), r.Header.Get(SignatureHeader))
		assert.NotEqual(t, Signature("other", body), r.Header.Get(SignatureHeader))
		assert.NoError(t, json.Unmarshal(body, &got))
		reply(200, "application/json; charset=utf-8", `{"approved":true,"reason":"fine"}`)(w, r)
	})
	assert.Equal(t, approval.Verdict{Approved: true, Reason: "fine", By: "webhook"}, v)
	assert.Equal(t, "godot_scene_edit_delete_node", got["action"])
	assert.Equal(t, "destructive", got["safety_class"])
	assert.Equal(t, map[string]any{"node_path": "A<b>"}, got["params"])
	assert.Equal(t, map[string]any{"dry_run": true}, got["preview"])
	_, err := time.Parse(time.RFC3339Nano, got["timestamp"].(string))
	require.NoError(t, err)
	about := got["task_context"].(map[string]any)
	assert.Equal(t, "q1", about["id"])
	assert.Equal(t, "editor", about["profile"])
	assert.Equal(t, "it is destructive", about["because"])
	assert.Equal(t, []any{"A"}, about["targets"])
	assert.Len(t, about["entries"], 1)
}

func TestReplies(t *testing.T) {
	const j = "application/json"
	for what, tc := range map[string]struct {
		h        http.HandlerFunc
		approved bool
		kind     approval.FaultKind
	}{
		"yes":            {reply(200, j, `{"approved":true}`), true, ""},
		"201":            {reply(201, j, ` {"approved" : true, "reason": null, "by": {"a":[1]}} `), true, ""},
		"no":             {reply(200, j, `{"approved":false,"reason":"no"}`), false, ""},
		"204":            {reply(204, j, ""), false, approval.Malformed},
		"empty":          {reply(200, j, ""), false, approval.Malformed},
		"500":            {reply(500, j, `{"approved":true}`), false, approval.Unreachable},
		"403":            {reply(403, j, `{"approved":true}`), false, approval.Unreachable},
		"404":            {reply(404, "text/html", "<h1>"), false, approval.Unreachable},
		"no JSON":        {reply(200, j, "yes"), false, approval.Malformed},
		"HTML":           {reply(200, "text/html", `{"approved":true}`), false, approval.Malformed},
		"text":           {reply(200, "text/plain", `{"approved":true}`), false, approval.Malformed},
		"no type":        {reply(200, "", `{"approved":true}`), false, approval.Malformed},
		"text true":      {reply(200, j, `{"approved":"true"}`), false, approval.Malformed},
		"number":         {reply(200, j, `{"approved":1}`), false, approval.Malformed},
		"null":           {reply(200, j, `{"approved":null}`), false, approval.Malformed},
		"missing":        {reply(200, j, `{"reason":"fine"}`), false, approval.Malformed},
		"other case":     {reply(200, j, `{"Approved":true}`), false, approval.Malformed},
		"twice":          {reply(200, j, `{"approved":false,"approved":true}`), false, approval.Malformed},
		"nested":         {reply(200, j, `{"result":{"approved":true}}`), false, approval.Malformed},
		"list":           {reply(200, j, `[{"approved":true}]`), false, approval.Malformed},
		"two objects":    {reply(200, j, `{"approved":true}{"approved":false}`), false, approval.Malformed},
		"cut":            {reply(200, j, `{"approved":true`), false, approval.Malformed},
		"reason no text": {reply(200, j, `{"approved":true,"reason":7}`), false, approval.Malformed},
		"huge":           {reply(200, j, `{"approved":true,"reason":"`+strings.Repeat("x", maxReply)+`"}`), false, approval.Malformed},
		"endless":        {endless, false, approval.Malformed},
		"slow drip":      {drip, false, approval.Expired},
		"silent":         {silent, false, approval.Expired},
		"breaks off":     {brokenOff, false, approval.Malformed},
		"hangs up":       {hangUp, false, approval.Unreachable},
		"not HTTP":       {notHTTP, false, approval.Malformed},
		"huge header": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X", strings.Repeat("x", 1<<20))
			reply(200, j, `{"approved":true}`)(w, r)
		}, false, approval.Malformed},
		"wrong length": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "9000")
			reply(200, j, `{"approved":true}`)(w, r)
		}, false, approval.Malformed},
		"redirect":         {redirect(302), false, approval.Malformed},
		"keeps the method": {redirect(307), false, approval.Malformed},
		"not modified":     {reply(304, j, ""), false, approval.Malformed},
	} {
		v := ask(t, Config{}, tc.h)
		assert.Equal(t, tc.approved, v.Approved, what)
		assert.Equal(t, tc.kind != "", v.Fault, what)
		assert.Equal(t, tc.kind, v.Kind, "%s: %s", what, v.Reason)
		assert.Equal(t, "webhook", v.By, what)
	}
}

// redirect points at a path that would say yes.
func redirect(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/yes" {
			reply(200, "application/json", `{"approved":true}`)(w, r)
			return
		}
		http.Redirect(w, r, "/yes", status)
	}
}

func endless(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	for {
		if _, err := w.Write([]byte(strings.Repeat(" ", 4096))); err != nil {
			return
		}
	}
}

// drip sends a letter a second of an answer that would be yes.
func drip(w http.ResponseWriter, r *http.Request) {
	_, _ = io.ReadAll(r.Body) // only then the server sees the caller go
	w.Header().Set("Content-Type", "application/json")
	for _, c := range `{"approved":true,"reason":"` + strings.Repeat("x", 100) + `"}` {
		fmt.Fprintf(w, "%c", c)
		_ = http.NewResponseController(w).Flush()
		select {
		case <-time.After(time.Second):
		case <-r.Context().Done():
			return
		}
	}
}

func silent(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.ReadAll(r.Body)
	<-r.Context().Done()
}

func brokenOff(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"approved":true}`)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

func hangUp(w http.ResponseWriter, _ *http.Request) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = c.Close()
	}
}

func notHTTP(w http.ResponseWriter, _ *http.Request) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_, _ = io.WriteString(c, "approved: true\r\n\r\n")
		_ = c.Close()
	}
}

func TestUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := l.Addr().String()
	require.NoError(t, l.Close())
	v := New(Config{URL: "http://" + address}).Ask(t.Context(), question())
	assert.Equal(t, approval.Unreachable, v.Kind)
	assert.Contains(t, v.Reason, "cannot be reached")
	dial := func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.DNSError{Err: "no such host", Name: "x"}
	}
	assert.Equal(t, approval.Unreachable, New(Config{URL: "http://x", Dial: dial}).Ask(t.Context(), question()).Kind)
	odd := func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("odd") }
	assert.Equal(t, approval.Malformed, New(Config{URL: "http://x", Dial: odd}).Ask(t.Context(), question()).Kind)
	assert.Equal(t, approval.Malformed, New(Config{URL: "::"}).Ask(t.Context(), question()).Kind)
}

// Somebody else behind the address is not somebody who cannot be reached.
func TestForeignCertificate(t *testing.T) {
	s := httptest.NewTLSServer(reply(200, "application/json", `{"approved":true}`))
	defer s.Close()
	v := New(Config{URL: s.URL}).Ask(t.Context(), question())
	assert.Equal(t, approval.Malformed, v.Kind)
	assert.False(t, v.Approved)
}

func TestWithdrawn(t *testing.T) {
	gone := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		<-r.Context().Done()
		close(gone)
	}))
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.False(t, New(Config{URL: s.URL}).Ask(ctx, question()).Approved)
	ctx, cancel = context.WithCancel(t.Context())
	go cancel()
	assert.False(t, New(Config{URL: s.URL}).Ask(ctx, question()).Approved)
}

func TestCheckURL(t *testing.T) {
	for url, ok := range map[string]bool{
		"http://127.0.0.1:9/x?y=1": true, "https://a.example/b": true, "": false, "ftp://a": false, "a.example": false,
		"http://": false, "https://u:p@a.example": false, "http://a/#b": false, "http://a b": false, "://": false,
	} {
		assert.Equal(t, ok, CheckURL(url) == nil, url)
	}
}

func FuzzReply(f *testing.F) {
	for _, s := range []string{`{"approved":true}`, `{"approved":false,"reason":"x"}`, `{"approved":true,"approved":true}`, `[]`, `{"a":{"approved":true}}`, `{"approved":true} x`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		approved, _, err := parse([]byte(s))
		if approved && err == nil {
			var m map[string]json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(s), &m))
			require.Equal(t, "true", string(m["approved"]))
		}
	})
}
