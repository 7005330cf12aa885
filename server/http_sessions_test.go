package server

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/catalogtest"
)

// stream opens the stream of a session's news and returns its connection.
func (w *web) stream(id string) (net.Conn, *http.Response) {
	w.t.Helper()
	c := w.dial()
	go func() {
		_, _ = io.WriteString(c, "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nMcp-Session-Id: "+id+"\r\n\r\n")
	}()
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	require.NoError(w.t, err)
	return c, r
}

func (w *web) ping(id string) int { return w.raw(post(okBody, "Mcp-Session-Id", id)).StatusCode }

func (w *web) end(id string) int {
	return w.raw("DELETE /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nMcp-Session-Id: " + id + "\r\n\r\n").StatusCode
}

// After its end the id of a session is unknown, whoever ended it.
func TestASessionEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serveWeb(t, testConfig(), HTTPOptions{}, catalogtest.New())
		id, other := w.open(), w.open()
		assert.NotEqual(t, id, other)
		assert.GreaterOrEqual(t, len(id), 26, "128 bits in base 32")
		assert.Equal(t, 200, w.ping(id))
		conn, news := w.stream(id)
		assert.Equal(t, 200, news.StatusCode)
		_, second := w.stream(id)
		assert.Equal(t, http.StatusConflict, second.StatusCode, "a session has one stream of news")
		assert.Equal(t, 204, w.end(id))
		_, err := io.Copy(io.Discard, news.Body)
		require.NoError(t, err, "its stream ends")
		_ = conn.Close()
		assert.Equal(t, 404, w.ping(id))
		assert.Equal(t, 404, w.end(id))
		assert.Equal(t, 200, w.ping(other))
		synctest.Wait()
		n := 0
		for range w.server.mcp.Sessions() {
			n++
		}
		assert.Equal(t, 1, n)
		w.close()
	})
}

// A session without requests ends; a stream of news keeps it, and a day is its
// longest life.
func TestSessionsAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serveWeb(t, testConfig(), HTTPOptions{}, catalogtest.New())
		quiet, busy, listening := w.open(), w.open(), w.open()
		conn, _ := w.stream(listening)
		for range 3 {
			<-time.After(20 * time.Minute)
			assert.Equal(t, 200, w.ping(busy))
		}
		assert.Equal(t, 404, w.ping(quiet))
		assert.Equal(t, 200, w.ping(listening))
		gone, _ := w.stream(busy)
		_ = gone.Close()
		<-time.After(31 * time.Minute)
		assert.Equal(t, 404, w.ping(busy), "a stream that was hung up keeps nothing")
		<-time.After(24 * time.Hour)
		assert.Equal(t, 404, w.ping(listening))
		_ = conn.Close()
		assert.Zero(t, w.sessions())
		w.close()
	})
}

// A thousand sessions: those that nothing came of make room, those that are used
// stay, and the server keeps no more than its limit.
func TestAThousandSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serveWeb(t, testConfig(), HTTPOptions{}, catalogtest.New())
		client := w.open()
		assert.Equal(t, 200, w.ping(client))
		count := map[int]int{}
		for range 1000 {
			count[w.raw(post(initializeBody)).StatusCode]++
		}
		assert.Equal(t, map[int]int{200: defaultSessions - 1, 503: 1000 - defaultSessions + 1}, count)
		assert.Equal(t, 200, w.ping(client))
		r := w.raw(post(initializeBody))
		assert.Equal(t, "60", r.Header.Get("Retry-After"))
		// A moment later a client that means it gets in, and goes on getting in.
		for range 10 {
			<-time.After(newSessionGrace)
			assert.Equal(t, 200, w.ping(w.open()))
			assert.Equal(t, 200, w.ping(client))
			assert.LessOrEqual(t, w.sessions(), defaultSessions)
		}
		synctest.Wait()
		n := 0
		for range w.server.mcp.Sessions() {
			n++
		}
		assert.Equal(t, defaultSessions, n, "what made room is gone")
		<-time.After(time.Hour)
		assert.Zero(t, w.sessions())
		w.close()
	})
}

// Sessions that are all used keep newcomers out until one was quiet for a while.
func TestUsedSessionsAreNotSacrificed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serveWeb(t, testConfig(), HTTPOptions{Sessions: 2}, catalogtest.New())
		a, b := w.open(), w.open()
		w.ping(a)
		w.ping(b)
		<-time.After(time.Minute)
		assert.Equal(t, 503, w.raw(post(initializeBody)).StatusCode)
		<-time.After(quietSession - 2*time.Minute)
		assert.Equal(t, 200, w.ping(b))
		<-time.After(2 * time.Minute)
		w.open()
		assert.Equal(t, 404, w.ping(a), "the one that was quiet longest")
		assert.Equal(t, 200, w.ping(b))
		w.close()
	})
}

// An initialize that fails opens no session and keeps no place.
func TestFailedSessionsLeaveNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serveWeb(t, testConfig(), HTTPOptions{Sessions: 3}, catalogtest.New())
		for _, body := range []string{
			`{"jsonrpc":"2.0","id":0,"method":"initialize"}`,
			`{"jsonrpc":"2.0","id":0,"method":"initialize","params":5}`,
			`{"jsonrpc":"2.0","method":"initialize","params":{}}`,
			`{"jsonrpc":"1.0","id":0,"method":"initialize","params":{}}`,
			`{"Method":"initialize","id":0}`,
		} {
			for range 5 {
				_ = text(t, w.raw(post(body)))
			}
		}
		synctest.Wait()
		assert.Zero(t, w.sessions())
		assert.Equal(t, 200, w.ping(w.open()))
		w.close()
	})
}

// Ending a session gives up its calls; those of others go on.
func TestCallsEndWithTheirSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newSlowEditor()
		w := serveWeb(t, testConfig(), HTTPOptions{}, e)
		id := w.open()
		go func() { _, _ = io.WriteString(w.dial(), post(historyCall, "Mcp-Session-Id", id)) }()
		mine := <-e.calls
		assert.Equal(t, 204, w.end(id))
		synctest.Wait()
		assert.ErrorIs(t, mine.ctx.Err(), context.Canceled)
		assert.Zero(t, w.server.limits.running)
		w.close()
	})
}

const historyCall = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"godot_list_history"}}`

// slowEditor answers a command when the test says so.
type slowEditor struct {
	*catalogtest.Editor
	calls chan slowCall
}

type slowCall struct {
	ctx  context.Context
	done chan struct{}
}

func newSlowEditor() *slowEditor { return &slowEditor{catalogtest.New(), make(chan slowCall, 100)} }

func (e *slowEditor) Do(ctx context.Context, o catalog.Order) catalog.Reply {
	c := slowCall{ctx, make(chan struct{})}
	e.calls <- c
	select {
	case <-c.done:
	case <-ctx.Done():
	}
	return e.Editor.Do(ctx, o)
}
