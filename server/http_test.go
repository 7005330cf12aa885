package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/bridge/bridgetest"
	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/catalogtest"
)

// web is a server over HTTP in memory.
type web struct {
	t       testing.TB
	server  *Server
	handler *HTTPHandler
	net     *bridgetest.Net
	stop    context.CancelFunc
	ended   chan error
}

// serveWeb serves until the test ends. Inside a synctest bubble it lives there.
func serveWeb(t testing.TB, cfg Config, o HTTPOptions, e catalog.Editor) *web {
	t.Helper()
	w := &web{t: t, server: NewWith(cfg, e), net: bridgetest.NewNet(), ended: make(chan error, 1)}
	var err error
	w.handler, err = w.server.HTTPHandler(o)
	require.NoError(t, err)
	ln, err := w.net.Listen("tcp", "127.0.0.1:9090")
	require.NoError(t, err)
	var ctx context.Context
	ctx, w.stop = context.WithCancel(context.Background())
	go func() { w.ended <- w.handler.Serve(ctx, ln) }()
	t.Cleanup(w.close)
	return w
}

func (w *web) close() {
	w.stop()
	select {
	case err := <-w.ended:
		require.NoError(w.t, err)
		w.ended <- nil
	case <-time.After(time.Minute):
		w.t.Error("the server does not end")
	}
	w.server.Close()
}

func (w *web) dial() net.Conn {
	w.t.Helper()
	c, err := w.net.Dial(context.Background())
	require.NoError(w.t, err)
	return c
}

// raw sends bytes on a new connection and reads one answer.
func (w *web) raw(text string) *http.Response {
	w.t.Helper()
	c := w.dial()
	w.t.Cleanup(func() { _ = c.Close() })
	go func() { _, _ = io.WriteString(c, text) }()
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	require.NoError(w.t, err, text)
	return resp
}

// httpClient dials the server in memory.
func (w *web) httpClient() *http.Client {
	t := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return w.net.Dial(ctx) }}
	w.t.Cleanup(t.CloseIdleConnections)
	return &http.Client{Transport: t}
}

const legacyHead = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:9090\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"

const initializeBody = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// post makes a request of an older revision.
func post(body string, headers ...string) string {
	var b strings.Builder
	b.WriteString(legacyHead)
	for i := 0; i < len(headers); i += 2 {
		fmt.Fprintf(&b, "%s: %s\r\n", headers[i], headers[i+1])
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return b.String()
}

// modern makes a request of the newest revision; name is that of its tool.
func modern(method, name, params string, headers ...string) string {
	if params != "" {
		params += ","
	}
	headers = append([]string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method}, headers...)
	if name != "" {
		headers = append(headers, "Mcp-Name", name)
	}
	return post(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+params+modernMeta+`}}`, headers...)
}

func text(t testing.TB, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	return string(b)
}

// rpcCode is the code of the JSON-RPC error in an answer.
func rpcCode(t testing.TB, r *http.Response) int {
	t.Helper()
	var m struct{ Error struct{ Code int } }
	body := text(t, r)
	require.NoError(t, json.Unmarshal([]byte(body), &m), body)
	return m.Error.Code
}

// open initializes a session and returns its id.
func (w *web) open() string {
	w.t.Helper()
	r := w.raw(post(initializeBody))
	require.Equal(w.t, http.StatusOK, r.StatusCode, text(w.t, r))
	id := r.Header.Get("Mcp-Session-Id")
	require.NotEmpty(w.t, id)
	return id
}

// Clients of every revision use one address at the same time: calls, and news of
// the list of tools.
func TestBothErasOnOneAddress(t *testing.T) {
	w := serveWeb(t, editing(), HTTPOptions{Token: "secret"}, catalogtest.New())
	versions := []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
	var sessions []*mcp.ClientSession
	var news []chan struct{}
	for i, version := range versions {
		news = append(news, make(chan struct{}, 10))
		c := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, &mcp.ClientOptions{
			ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { news[i] <- struct{}{} },
		})
		s, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: "http://127.0.0.1:9090/mcp", HTTPClient: w.authorized("secret")}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		require.NoError(t, err, version)
		assert.Equal(t, version, s.InitializeResult().ProtocolVersion)
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "godot_health_check"})
		require.NoError(t, err)
		assert.False(t, r.IsError)
		sessions = append(sessions, s)
	}
	_, err := sessions[0].CallTool(t.Context(), &mcp.CallToolParams{Name: "godot_enable_toolset", Arguments: map[string]any{"category": "scene_edit"}})
	require.NoError(t, err)
	for i := range news {
		<-news[i]
		list, err := sessions[i].ListTools(t.Context(), nil)
		require.NoError(t, err)
		assert.Greater(t, len(list.Tools), 24, versions[i])
		require.NoError(t, sessions[i].Close())
	}
	assert.Zero(t, w.sessions())
}

// sessions counts those that are open or being opened.
func (w *web) sessions() int {
	s := w.handler.sessions
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.byID) + s.opening
}

func (w *web) authorized(token string) *http.Client {
	c := w.httpClient()
	c.Transport = bearer{token, c.Transport}
	return c
}

type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}
