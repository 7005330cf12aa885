package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog/catalogtest"
)

// ask sends a request on a connection of its own, and gives the answer later.
func (w *web) ask(request string) <-chan *http.Response {
	c := w.dial()
	w.t.Cleanup(func() { _ = c.Close() })
	out := make(chan *http.Response, 1)
	go func() {
		_, _ = io.WriteString(c, request)
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err == nil {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(strings.NewReader(string(body)))
		}
		out <- r
	}()
	return out
}

// When the server is told to stop, a call that ends soon is answered as ever,
// one that does not is given up with an answer, news end, and new
// requests are not served.
func TestTheEndOfTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newSlowEditor()
		w := serveWeb(t, testConfig(), HTTPOptions{}, e)
		id := w.open()
		_, news := w.stream(id)
		listen := w.ask(modern("subscriptions/listen", "", `"notifications":{"toolsListChanged":true}`))
		synctest.Wait()
		soon := w.ask(post(historyCall, "Mcp-Session-Id", id))
		first := <-e.calls
		late := w.ask(modern("tools/call", "godot_list_history", `"name":"godot_list_history"`))
		<-e.calls
		kept := w.dial()
		defer func() { _ = kept.Close() }()
		reader := bufio.NewReader(kept)
		go func() { _, _ = io.WriteString(kept, post(okBody, "Mcp-Session-Id", id)) }()
		r, err := http.ReadResponse(reader, nil)
		require.NoError(t, err)
		require.Contains(t, text(t, r), "result")

		begin := time.Now()
		w.stop()
		synctest.Wait()
		go func() { _, _ = io.WriteString(kept, post(okBody, "Mcp-Session-Id", id)) }()
		if r, err = http.ReadResponse(reader, nil); err == nil {
			assert.Equal(t, http.StatusServiceUnavailable, r.StatusCode)
		}
		_, err = w.net.Dial(t.Context())
		require.Error(t, err, "nobody listens any more")
		close(first.done)
		body := text(t, <-soon)
		assert.Contains(t, body, `"isError":true`, "the editor of this test knows no history")
		assert.NotContains(t, body, "given up")
		assert.Contains(t, text(t, <-late), "Nothing changed")
		_ = text(t, news)
		assert.Contains(t, text(t, <-listen), "acknowledged")
		require.NoError(t, <-w.ended)
		w.ended <- nil
		assert.LessOrEqual(t, time.Since(begin), httpDrain+sessionEndLimit+time.Second)
		w.close()
	})
}

// A client of the newest revision that hangs up gives up its call; one of the
// older revisions may only have lost its connection.
func TestHangingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newSlowEditor()
		w := serveWeb(t, testConfig(), HTTPOptions{}, e)
		id := w.open()
		call := func(request string) (net.Conn, slowCall) {
			c := w.dial()
			go func() { _, _ = io.WriteString(c, request) }()
			return c, <-e.calls
		}
		newest, one := call(modern("tools/call", "godot_list_history", `"name":"godot_list_history"`))
		older, two := call(post(historyCall, "Mcp-Session-Id", id))
		_ = newest.Close()
		_ = older.Close()
		synctest.Wait()
		require.ErrorIs(t, one.ctx.Err(), context.Canceled)
		require.NoError(t, two.ctx.Err())
		rounded := w.raw(post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7.5}}`, "Mcp-Session-Id", id))
		assert.Equal(t, http.StatusBadRequest, rounded.StatusCode)
		synctest.Wait()
		require.NoError(t, two.ctx.Err(), "7.5 is not 7")
		cancelled := w.raw(post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, "Mcp-Session-Id", id))
		assert.Equal(t, http.StatusAccepted, cancelled.StatusCode)
		synctest.Wait()
		require.ErrorIs(t, two.ctx.Err(), context.Canceled)
		w.close()
	})
}

// A client that does not read its answer loses its connection after a while; until
// then its answers count, and only for it.
func TestAnswersNobodyReadsOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := testConfig()
		cfg.AnswerMemory = 4000 // a quarter of it each
		w := serveWeb(t, cfg, HTTPOptions{}, catalogtest.New())
		lazy, other := w.open(), w.open()
		list := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"godot_list_toolsets"}}`
		stuck := w.dial() // it writes and never reads
		go func() { _, _ = io.WriteString(stuck, post(list, "Mcp-Session-Id", lazy)) }()
		synctest.Wait()
		assert.Contains(t, text(t, <-w.ask(post(strings.Replace(list, "7", "8", 1), "Mcp-Session-Id", lazy))), "answers_unread")
		assert.Contains(t, text(t, <-w.ask(post(list, "Mcp-Session-Id", other))), "scene_edit")
		<-time.After(httpWriteLimit + time.Second)
		assert.Contains(t, text(t, <-w.ask(post(list, "Mcp-Session-Id", lazy))), "scene_edit")
		assert.Zero(t, w.server.limits.heldWeb)
		w.close()
	})
}

// A client that floods neither keeps others waiting nor gives the editor more
// than its share of calls.
func TestAFloodOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := testConfig()
		cfg.MaxCalls = 4
		e := newSlowEditor()
		e.calls = make(chan slowCall, 1000)
		w := serveWeb(t, cfg, HTTPOptions{}, e)
		flood, honest := w.open(), w.open()
		var answers []<-chan *http.Response
		for n := range 300 {
			answers = append(answers, w.ask(post(strings.Replace(historyCall, "7", jsonNumber(n+10), 1), "Mcp-Session-Id", flood)))
		}
		synctest.Wait()
		assert.Len(t, e.calls, 3, "the editor has no more than the flood's share")
		busy := 0
		for _, a := range answers {
			select {
			case r := <-a:
				require.Contains(t, text(t, r), "too_many_calls")
				busy++
			default:
			}
		}
		assert.Equal(t, 300-3-maxWaitingEach, busy)
		mine := w.ask(post(historyCall, "Mcp-Session-Id", honest))
		synctest.Wait()
		assert.Len(t, e.calls, 4, "another client's call runs at once")
		newest := w.ask(modern("tools/call", "godot_list_history", `"name":"godot_list_history"`))
		synctest.Wait()
		close((<-e.calls).done)
		synctest.Wait()
		for range 4 {
			close((<-e.calls).done)
			synctest.Wait()
		}
		assert.NotContains(t, text(t, <-mine), "too_many_calls")
		assert.NotContains(t, text(t, <-newest), "too_many_calls", "after five calls at most")
		w.close()
	})
}

func jsonNumber(n int) string {
	b, _ := json.Marshal(n)
	return string(b)
}

// Calls of a minute are counted by session and by name, not for all together.
func TestCallsPerMinuteOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := testConfig()
		cfg.CallsPerMinute = 5
		w := serveWeb(t, cfg, HTTPOptions{}, catalogtest.New())
		a, b := w.open(), w.open()
		list := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"godot_list_toolsets"}}`
		read := `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"godot://scene/tree"}}`
		count := func(request string, n int) (refused int) {
			for range n {
				if strings.Contains(text(t, <-w.ask(request)), "too_fast") {
					refused++
				}
			}
			return refused
		}
		assert.Equal(t, 5, count(post(list, "Mcp-Session-Id", a), 10))
		assert.Equal(t, 1, count(post(read, "Mcp-Session-Id", a), 1), "reading a resource is a call too")
		assert.Equal(t, 0, count(post(read, "Mcp-Session-Id", b), 5))
		assert.Equal(t, 1, count(post(list, "Mcp-Session-Id", b), 1))
		w.end(a)
		assert.Equal(t, 1, count(post(list, "Mcp-Session-Id", w.open()), 1), "a new session gains nothing")
		request := modern("tools/call", "godot_list_toolsets", `"name":"godot_list_toolsets"`)
		assert.Equal(t, 5, count(request, 10))
		assert.Equal(t, 0, count(strings.Replace(request, `"name":"t"`, `"name":"u"`, 1), 5))
		w.close()
	})
}

// A flood of connections neither piles up nor keeps clients out.
func TestAFloodOfConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serveWeb(t, testConfig(), HTTPOptions{}, catalogtest.New())
		id := w.open()
		var open []net.Conn
		for range 2 * httpConns {
			open = append(open, w.dial())
		}
		synctest.Wait()
		assert.Equal(t, 200, w.ping(id))
		alive := 0
		for _, c := range open {
			_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
			if _, err := c.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
				alive++
			}
			_ = c.Close()
		}
		assert.LessOrEqual(t, alive, httpConns)
		w.close()
	})
}

// A client holds a bounded number of streams.
func TestStreamsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serveWeb(t, testConfig(), HTTPOptions{}, catalogtest.New())
		request := modern("subscriptions/listen", "", `"notifications":{"toolsListChanged":true}`)
		var open []net.Conn
		for range httpStreams {
			c := w.dial()
			go func() { _, _ = io.WriteString(c, request) }()
			r, err := http.ReadResponse(bufio.NewReader(c), nil)
			require.NoError(t, err)
			require.Equal(t, 200, r.StatusCode)
			open = append(open, c)
		}
		assert.Equal(t, http.StatusTooManyRequests, w.raw(request).StatusCode)
		_ = open[0].Close()
		synctest.Wait()
		other := w.ask(request)
		synctest.Wait()
		assert.Empty(t, other)
		w.stop()
		assert.Equal(t, 200, (<-other).StatusCode)
		w.close()
	})
}

// Every call over HTTP has the line that it has on stdio, with who made it; ids
// of sessions and the token are in none.
func TestTheAuditOfHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := editing()
		log := &buffer{}
		cfg.Log, cfg.Toolsets = log, []string{"all"}
		w := serveWeb(t, cfg, HTTPOptions{Token: "hunter2hunter2"}, deleting())
		auth := []string{"Authorization", "Bearer hunter2hunter2"}
		r := w.raw(post(initializeBody, auth...))
		id := r.Header.Get("Mcp-Session-Id")
		_ = text(t, r)
		refused := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"godot_scene_edit_delete_node","arguments":{"node_path":"hunter2hunter2"}}}`
		assert.Contains(t, text(t, w.raw(post(refused, append(auth, "Mcp-Session-Id", id)...))), "required=confirm")
		_ = text(t, w.raw(modern("tools/call", "godot_health_check", `"name":"godot_health_check"`, auth...)))
		got := records(t, log.b.String())
		require.Len(t, got, 2)
		assert.Equal(t, []string{"http", "t 1", label(id), "pipe"}, []string{got[0].Transport, got[0].Client, got[0].Session, got[0].Remote})
		assert.Equal(t, []string{"http", "t 1", "", "pipe"}, []string{got[1].Transport, got[1].Client, got[1].Session, got[1].Remote})
		assert.NotContains(t, log.b.String(), "hunter2")
		assert.NotContains(t, log.b.String(), id)
		w.close()
	})
}
