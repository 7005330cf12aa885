package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/catalogtest"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

func testConfig() Config {
	cfg := DefaultConfig()
	cfg.Version, cfg.Log, cfg.GodotBin = "1.2.3", io.Discard, ""
	return cfg
}

func editing() Config {
	cfg := testConfig()
	cfg.Profile, cfg.AllowDestructive = safety.Full, true
	return cfg
}

// client is a raw line client: what is written and read are the bytes.
type client struct {
	t      testing.TB
	server *Server
	in     *io.PipeWriter
	out    *bufio.Reader
	outEnd *io.PipeReader
	ended  chan error
	stop   context.CancelFunc // as a signal to the process does
}

func connect(t testing.TB, cfg Config, e catalog.Editor) *client {
	t.Helper()
	return connectTo(t, NewWith(cfg, e))
}

func connectTo(t testing.TB, s *Server) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	c := &client{t: t, server: s, in: inW, out: bufio.NewReader(outR), outEnd: outR, ended: make(chan error, 1), stop: stop}
	go func() {
		c.ended <- c.server.ServeLines(ctx, inR, outW)
		_ = outW.Close()
	}()
	t.Cleanup(func() {
		stop()
		_ = inW.Close()
		_ = outR.Close()
		c.server.Close()
	})
	return c
}

func (c *client) send(line string) {
	c.t.Helper()
	_, err := io.WriteString(c.in, line+"\n")
	require.NoError(c.t, err)
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// next reads one line, which must be JSON-RPC.
func (c *client) next() message {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	require.NoError(c.t, err)
	var m message
	require.NoError(c.t, json.Unmarshal([]byte(line), &m), line)
	require.Contains(c.t, line, `"jsonrpc":"2.0"`)
	return m
}

func (c *client) request(id int, method, params string) message {
	c.t.Helper()
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
	for {
		if m := c.next(); string(m.ID) == fmt.Sprint(id) {
			return m
		}
	}
}

func (c *client) initialize() message {
	c.t.Helper()
	m := c.request(0, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return m
}

type toolResult struct {
	IsError           bool             `json:"isError"`
	Content           []map[string]any `json:"content"`
	StructuredContent json.RawMessage  `json:"structuredContent"`
}

func (c *client) call(id int, name, args string) toolResult {
	c.t.Helper()
	m := c.request(id, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, args))
	require.Nil(c.t, m.Error, "%+v", m.Error)
	var r toolResult
	require.NoError(c.t, json.Unmarshal(m.Result, &r))
	return r
}

func TestBadLinesAreAnsweredAndSkipped(t *testing.T) {
	c := connect(t, testConfig(), &catalogtest.Editor{})
	c.send(`not json`)
	assert.Equal(t, -32700, c.next().Error.Code)
	c.send(`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
	assert.Equal(t, -32600, c.next().Error.Code)
	c.send(`{"jsonrpc":"1.0","id":7,"method":"ping"}`)
	m := c.next()
	assert.Equal(t, -32600, m.Error.Code)
	assert.Equal(t, "7", string(m.ID))
	c.send("")
	c.send("\xff\xfe{")
	assert.Equal(t, -32700, c.next().Error.Code)
	c.send("  \r")
	assert.Contains(t, string(c.initialize().Result), `"godot-mcp"`)
	assert.False(t, c.call(1, "godot_health_check", `{}`).IsError)
}

// An id that the SDK would round answers a request that nobody made.
func TestIDsComeBackAsSentOrAreRefused(t *testing.T) {
	c := connect(t, testConfig(), &catalogtest.Editor{})
	c.initialize()
	for _, id := range []string{"1.5", "1e3", "9007199254740993", "99999999999999999999", "-9223372036854775808", "null", "true"} {
		c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		m := c.next()
		require.NotNil(t, m.Error, id)
		assert.Equal(t, -32600, m.Error.Code, id)
		if id != "null" {
			assert.Equal(t, id, string(m.ID))
		}
	}
	c.send(`{"jsonrpc":"2.0","id":913,"METHOD":"ping"}`)
	m := c.next()
	require.NotNil(t, m.Error)
	assert.Equal(t, "913", string(m.ID))
	for _, id := range []string{`"a"`, "0", "-7", "9007199254740991"} {
		c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		m := c.next()
		assert.Nil(t, m.Error, id)
		assert.Equal(t, id, string(m.ID))
	}
}

// An answer names the request only where it can: text that is not UTF-8 would not
// be read, and of two ids nobody knows which is meant.
func TestFaultsAreAnsweredInUTF8(t *testing.T) {
	c := connect(t, testConfig(), &catalogtest.Editor{})
	c.initialize()
	for line, id := range map[string]string{
		`{"jsonrpc":"2.0","id":"` + "\xff" + `","method":"ping"}`:                   "null",
		`{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`:                           "null",
		`{"jsonrpc":"2.0","id":1,"method":"ping","id":2}`:                           "null",
		`{"jsonrpc":"2.0","id":1,"method":"ping","\u0069d":2}`:                      "null",
		`{"jsonrpc":"2.0","id":7,"method":"ping","x":"` + "\xff" + `"}`:             "7",
		`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"\udfff"}}`:          "7",
		`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":1,"a":2}}`:           "7",
		`{"jsonrpc":"2.0","id":7,"ID":{},"method":"ping","params":{"a":1,"a":2}}`:   "7",
		`{"jsonrpc":"2.0","id":1.5,"result":{}}`:                                    "1.5",
		`{"jsonrpc":"2.0","id":9007199254740993,"error":{"code":1,"message":"no"}}`: "9007199254740993",
		`["id","id"]`: "null",
	} {
		c.send(line)
		text, err := c.out.ReadString('\n')
		require.NoError(t, err)
		assert.True(t, utf8.ValidString(text), "%q", text)
		var m message
		require.NoError(t, json.Unmarshal([]byte(text), &m))
		require.NotNil(t, m.Error, line)
		assert.Equal(t, -32600, m.Error.Code, line)
		if id == "null" {
			assert.Contains(t, text, `"id":null`, line)
		} else {
			assert.Equal(t, id, string(m.ID), line)
		}
	}
}

// No address of a resource ends the connection, whatever the SDK makes of it.
func TestAnyAddressOfAResourceIsAnswered(t *testing.T) {
	c := connect(t, testConfig(), &catalogtest.Editor{})
	c.initialize()
	for i, uri := range []string{"", "\x00", "\a\v", "\x7f", "\U000e0001", "\ufffd", "godot://scene/\x00", "godot://script/res://\x7f.gd", `"}`} {
		quoted, err := json.Marshal(uri)
		require.NoError(t, err)
		m := c.request(i+1, "resources/read", `{"uri":`+string(quoted)+`}`)
		if m.Error != nil && m.Error.Data != nil {
			var data struct{ URI string }
			require.NoError(t, json.Unmarshal(m.Error.Data, &data))
			assert.Equal(t, uri, data.URI)
		}
	}
	assert.Nil(t, c.request(99, "ping", `{}`).Error)
}

// An answer that cannot be encoded is one internal error, not the end.
func TestAnswerThatCannotBeEncoded(t *testing.T) {
	var out bytes.Buffer
	l := &lines{in: strings.NewReader(""), out: &out, max: maxLine}
	conn, err := l.Connect(t.Context())
	require.NoError(t, err)
	id, err := jsonrpc.MakeID("a")
	require.NoError(t, err)
	require.NoError(t, conn.Write(t.Context(), &jsonrpc.Response{ID: id, Result: json.RawMessage("{")}))
	assert.Contains(t, out.String(), `"id":"a"`)
	assert.Contains(t, out.String(), "-32603")
}

// What is no cancellation to the SDK drops no answer.
func TestLookAlikesOfACancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &pausedEditor{Editor: catalogtest.New(), release: make(chan struct{})}
		c := connect(t, testConfig(), e)
		c.initialize()
		c.send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"godot_list_history"}}`)
		synctest.Wait()
		for _, params := range []string{`{"REQUESTID":7}`, `{"requestID":7}`, `{"requestId":7.5}`, `{"requestId":"7"}`, `{"requestId":null}`, `{"requestId":[7]}`, `7`, `null`} {
			c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":` + params + `}`)
		}
		synctest.Wait()
		close(e.release)
		assert.Equal(t, "7", string(c.next().ID))
		assert.False(t, e.gaveUp.Load(), "the call went on")
	})
}

func TestLongLinesAreDropped(t *testing.T) {
	r := bufio.NewReaderSize(strings.NewReader("abc\n"+strings.Repeat("x", 100)+"\nlast"), 16)
	line, long, err := nextLine(r, 50)
	require.NoError(t, err)
	assert.Equal(t, "abc", string(line))
	assert.False(t, long)
	_, long, err = nextLine(r, 50)
	require.NoError(t, err)
	assert.True(t, long)
	line, long, err = nextLine(r, 50)
	require.ErrorIs(t, err, io.EOF)
	assert.False(t, long)
	assert.Equal(t, "last", string(line))
}

// A second request with the id of one under way is refused, and the first one is
// answered all the same.
func TestIDUnderWayIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &pausedEditor{Editor: catalogtest.New(), release: make(chan struct{})}
		c := connect(t, testConfig(), e)
		c.initialize()
		const call = `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"godot_list_history"}}`
		for _, id := range []string{`7`, `"7"`, `"a\u0062"`} {
			c.send(fmt.Sprintf(call, id))
			synctest.Wait()
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id))
			m := c.next()
			require.NotNil(t, m.Error)
			assert.Equal(t, -32600, m.Error.Code)
			assert.Contains(t, m.Error.Message, "still under way")
			assert.JSONEq(t, id, string(m.ID))
		}
		close(e.release)
		for range 3 {
			assert.Nil(t, c.next().Error)
		}
		// Once it is answered, the id is free.
		for range 50 {
			assert.Nil(t, c.request(7, "ping", `{}`).Error)
		}
		require.NoError(t, c.in.Close())
		begin := time.Now()
		require.NoError(t, <-c.ended)
		assert.Zero(t, time.Since(begin), "nothing is left to wait for")
	})
}

// pausedEditor answers when it is released.
type pausedEditor struct {
	*catalogtest.Editor
	release chan struct{}
	gaveUp  atomic.Bool // a call was given up while it waited
}

func (e *pausedEditor) Do(ctx context.Context, o catalog.Order) catalog.Reply {
	select {
	case <-e.release:
	case <-ctx.Done():
		e.gaveUp.Store(true)
		<-e.release
	}
	return e.Editor.Do(ctx, o)
}

// printf … | server: what was asked is answered although the input has ended.
func TestAnswersAreDrainedAtEndOfInput(t *testing.T) {
	c := connect(t, testConfig(), &catalogtest.Editor{})
	go func() {
		_, _ = io.WriteString(c.in, strings.Join([]string{
			`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"godot_health_check"}}`,
		}, "\n"))
		_ = c.in.Close()
	}()
	seen := map[string]bool{}
	for range 3 {
		seen[string(c.next().ID)] = true
	}
	assert.Len(t, seen, 3)
	_, err := c.out.ReadString('\n')
	assert.ErrorIs(t, err, io.EOF)
	assert.NoError(t, <-c.ended)
}

// hungEditor never answers before its context ends.
type hungEditor struct{ *catalogtest.Editor }

func (hungEditor) Do(ctx context.Context, o catalog.Order) catalog.Reply {
	<-ctx.Done()
	return catalog.Reply{Err: wire.Fail(wire.ReasonCancelled, "command", o.Command)}
}

func TestEndOfInputEndsTheServerWithinASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, testConfig(), hungEditor{catalogtest.New()})
		go func() { _, _ = io.Copy(io.Discard, c.out) }()
		c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
		c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"godot_list_history"}}`)
		synctest.Wait()
		begin := time.Now()
		require.NoError(t, c.in.Close())
		require.NoError(t, <-c.ended)
		assert.LessOrEqual(t, time.Since(begin), time.Second)
	})
}

func TestBrokenOutputEndsTheServer(t *testing.T) {
	c := connect(t, testConfig(), &catalogtest.Editor{})
	c.initialize()
	require.NoError(t, c.outEnd.CloseWithError(errors.New("broken pipe")))
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	require.NoError(t, <-c.ended)
}

// Shutdown is bounded although a call hangs.
func TestShutdownIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := testConfig()
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		s := NewWith(cfg, hungEditor{catalogtest.New()})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.ServeLines(ctx, inR, outW); _ = outW.Close() }()
		go func() { _, _ = io.Copy(io.Discard, outR) }()
		for _, line := range []string{
			`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"godot_list_history"}}`,
		} {
			_, err := io.WriteString(inW, line+"\n")
			require.NoError(t, err)
		}
		synctest.Wait()
		begin := time.Now()
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
		assert.LessOrEqual(t, time.Since(begin), sessionEndLimit)
		_ = inW.Close()
		s.Close()
	})
}
