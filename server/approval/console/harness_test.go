package console_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"godot-mcp/server/approval"
	"godot-mcp/server/approval/console"
)

const (
	host   = "127.0.0.1:4711"
	origin = "http://" + host
)

// memory is a listener in memory, so that tests of time run in a bubble.
type memory struct {
	conns chan net.Conn
	once  sync.Once
	over  chan struct{}
}

func newMemory() *memory { return &memory{conns: make(chan net.Conn), over: make(chan struct{})} }

func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.over:
		return nil, net.ErrClosed
	}
}

func (m *memory) Close() error {
	m.once.Do(func() { close(m.over) })
	return nil
}

func (m *memory) Addr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4711}
}

// dial is a new connection; it does not wait until the server takes it.
func (m *memory) dial() net.Conn {
	ours, theirs := net.Pipe()
	go func() {
		select {
		case m.conns <- theirs:
		case <-m.over:
			_ = theirs.Close()
		}
	}()
	return ours
}

// bench is a console whose requests a test makes by hand.
type bench struct {
	t       *testing.T
	queue   *console.Queue
	console *console.Console
	net     *memory
	cookie  *http.Cookie
	key     string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, queue: console.NewQueue(), net: newMemory()}
	var err error
	b.console, err = console.Start(console.Config{Address: host, Listen: func(string, string) (net.Listener, error) { return b.net, nil }}, b.queue)
	require.NoError(t, err)
	t.Cleanup(func() { _ = b.console.Close() })
	return b
}

// token makes a link and gives the token in it.
func (b *bench) token() string {
	b.t.Helper()
	link, err := b.console.Link()
	require.NoError(b.t, err)
	at, token, ok := strings.Cut(link, "/#")
	require.True(b.t, ok, link)
	require.Equal(b.t, origin, at)
	return token
}

// signIn exchanges a fresh link.
func (b *bench) signIn() *bench {
	b.t.Helper()
	w := b.do(b.post("/session", map[string]string{"token": b.token()}))
	require.Equal(b.t, http.StatusOK, w.Code, w.Body)
	var in struct{ Key string }
	require.NoError(b.t, json.Unmarshal(w.Body.Bytes(), &in))
	cookies := w.Result().Cookies()
	require.Len(b.t, cookies, 1)
	b.cookie, b.key = cookies[0], in.Key
	return b
}

// get and post are requests as the page makes them.
func (b *bench) get(path string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, origin+path, nil)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.proof(r)
}

func (b *bench) post(path string, body any) *http.Request {
	text, is := body.(string)
	if !is {
		text = string(raw(body))
	}
	r := httptest.NewRequest(http.MethodPost, origin+path, strings.NewReader(text))
	r.Header.Set("Origin", origin)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Content-Type", "application/json")
	return b.proof(r)
}

func (b *bench) proof(r *http.Request) *http.Request {
	if b.cookie != nil {
		r.AddCookie(&http.Cookie{Name: b.cookie.Name, Value: b.cookie.Value})
		r.Header.Set(console.KeyHeader, b.key)
	}
	return r
}

func (b *bench) do(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	b.console.ServeHTTP(w, r)
	return w
}

// problem is the code of a refusal.
func problem(t *testing.T, w *httptest.ResponseRecorder) console.Problem {
	t.Helper()
	var p struct {
		Error console.Problem
		Hint  string
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &p), w.Body)
	require.NotEmpty(t, p.Hint)
	return p.Error
}

// ask asks in the background; the verdict arrives on the channel.
func (b *bench) ask(ctx context.Context, q approval.Question) <-chan approval.Verdict {
	b.t.Helper()
	if q.Until.IsZero() {
		q.Asked, q.Until = time.Now(), time.Now().Add(time.Minute)
	}
	n, got := b.queue.Waiting(), make(chan approval.Verdict, 1)
	go func() { got <- b.queue.Ask(ctx, q) }()
	require.Eventually(b.t, func() bool { return b.queue.Waiting() > n || len(got) > 0 }, 5*time.Second, time.Millisecond)
	return got
}

// event is one server-sent event.
type event struct {
	name string
	data string
}

// listen opens a stream on a connection of its own. Closing it ends the stream.
func (b *bench) listen() (events *bufio.Reader, conn net.Conn) {
	b.t.Helper()
	conn = b.net.dial()
	require.NoError(b.t, b.get("/stream").Write(conn))
	r := bufio.NewReader(conn)
	answer, err := http.ReadResponse(r, nil)
	require.NoError(b.t, err)
	require.Equal(b.t, http.StatusOK, answer.StatusCode)
	require.Equal(b.t, "text/event-stream; charset=utf-8", answer.Header.Get("Content-Type"))
	return bufio.NewReader(answer.Body), conn
}

// next reads one event; at the end of the stream its name is "end".
func next(t *testing.T, r *bufio.Reader) event {
	t.Helper()
	var e event
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			require.ErrorIs(t, err, io.EOF)
			return event{name: "end"}
		}
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "":
			return e
		case strings.HasPrefix(line, "event: "):
			e.name = line[len("event: "):]
		case strings.HasPrefix(line, "data: "):
			e.data = line[len("data: "):]
		}
	}
}
