package console_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/approval"
	"godot-mcp/server/approval/console"
)

// shown is the part of a state event that tests look at.
type shown struct {
	Pending []struct {
		ID          string
		Left, Total int64
		Targets     []string
		More        int
	}
	Decided []struct {
		ID, Outcome, Reason string
		Ago                 int64
	}
}

func stateOf(t *testing.T, e event) (s shown) {
	t.Helper()
	require.Equal(t, "state", e.name, e.data)
	require.NoError(t, json.Unmarshal([]byte(e.data), &s))
	return s
}

// inBubble runs a test with a signed-in console in virtual time.
func inBubble(t *testing.T, f func(t *testing.T, b *bench)) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t).signIn()
		f(t, b)
		_ = b.console.Close()
	})
}

func (b *bench) start(ctx context.Context, q approval.Question) {
	go b.queue.Ask(ctx, q)
	synctest.Wait()
}

func TestStreamTellsEverything(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bench) {
		events, conn := b.listen()
		defer conn.Close()
		assert.Empty(t, stateOf(t, next(t, events)).Pending)

		ctx, cancel := context.WithCancel(t.Context())
		b.start(t.Context(), question("a", 40*time.Second))
		s := stateOf(t, next(t, events))
		require.Len(t, s.Pending, 1)
		assert.EqualValues(t, 40000, s.Pending[0].Left)
		assert.EqualValues(t, 40000, s.Pending[0].Total)
		b.start(ctx, question("b", time.Minute))
		require.Len(t, stateOf(t, next(t, events)).Pending, 2)

		// The link shows life while nothing happens, longer than a request may take.
		for range 3 {
			assert.Equal(t, "beat", next(t, events).name)
		}
		cancel()
		s = stateOf(t, next(t, events))
		require.Len(t, s.Pending, 1)
		assert.Equal(t, "a", s.Pending[0].ID)
		assert.EqualValues(t, 10000, s.Pending[0].Left)
		assert.Equal(t, "withdrawn", s.Decided[0].Outcome)
		for e := next(t, events); ; e = next(t, events) {
			if e.name == "beat" {
				continue
			}
			s = stateOf(t, e)
			break
		}
		assert.Empty(t, s.Pending)
		require.Len(t, s.Decided, 2)
		assert.Equal(t, "expired", s.Decided[0].Outcome)
		assert.Equal(t, "nobody answered in time", s.Decided[0].Reason, "although they could see it")
		assert.EqualValues(t, 10000, s.Decided[1].Ago)

		b.start(t.Context(), question("c", time.Minute))
		next(t, events)
		require.Empty(t, b.queue.Decide(console.Answer{ID: "c", Reason: "not now"}))
		s = stateOf(t, next(t, events))
		assert.Equal(t, "denied", s.Decided[0].Outcome)
		assert.Equal(t, "not now", s.Decided[0].Reason)
	})
}

// TestStreamIsShort: a state names few of many long targets, so that it stays
// small however large the calls are.
func TestStreamIsShort(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bench) {
		for i := range 64 {
			q := question(fmt.Sprint(i), time.Minute)
			q.Targets = []string{strings.Repeat("ä", 1<<20)}
			for j := range 20 {
				q.Targets = append(q.Targets, fmt.Sprint(j))
			}
			b.start(t.Context(), q)
		}
		events, conn := b.listen()
		defer conn.Close()
		e := next(t, events)
		assert.Less(t, len(e.data), 100<<10)
		s := stateOf(t, e)
		require.Len(t, s.Pending, 64)
		assert.Len(t, s.Pending[0].Targets, 6)
		assert.Equal(t, 15, s.Pending[0].More)
	})
}

// TestSlowReader: a page that does not read costs no memory and does not hold up
// the others; its stream ends, and the next one has the newest state.
func TestSlowReader(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bench) {
		slow, slowConn := b.listen()
		defer slowConn.Close()
		next(t, slow)
		fast, fastConn := b.listen()
		defer fastConn.Close()
		next(t, fast)
		for i := range 500 {
			ctx, cancel := context.WithCancel(t.Context())
			b.start(ctx, question(fmt.Sprint(i), time.Minute))
			stateOf(t, next(t, fast))
			cancel()
			synctest.Wait()
			stateOf(t, next(t, fast))
		}
		// The write to the slow one stands still; its limit passes.
		for range 3 {
			assert.Equal(t, "beat", next(t, fast).name)
		}
		left, err := io.ReadAll(slowConn)
		require.NoError(t, err, "the server closed it")
		assert.Less(t, len(left), 64<<10, "what had piled up")
		again, conn := b.listen()
		defer conn.Close()
		assert.Empty(t, stateOf(t, next(t, again)).Pending)
	})
}

// TestFifthStream: a browser opens six connections to a host. The fifth page of
// one session takes the place of the first, which is told.
func TestFifthStream(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bench) {
		first, conn := b.listen()
		defer conn.Close()
		next(t, first)
		for range 4 {
			events, conn := b.listen()
			defer conn.Close()
			next(t, events)
		}
		assert.Equal(t, "moved", next(t, first).name)
		assert.Equal(t, "end", next(t, first).name)
	})
}

func TestCloseEndsStreams(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bench) {
		events, conn := b.listen()
		defer conn.Close()
		next(t, events)
		b.start(t.Context(), question("q", time.Minute))
		next(t, events)
		closed := make(chan error, 1)
		go func() { closed <- b.console.Close() }()
		e := next(t, events)
		if e.name == "state" {
			e = next(t, events)
		}
		assert.Equal(t, "bye", e.name)
		require.NoError(t, <-closed)
		assert.Zero(t, b.queue.Waiting())
	})
}

// TestHalfOpen: a client that never finishes its request is not waited for.
func TestHalfOpen(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bench) {
		for name, sent := range map[string]string{
			"nothing": "", "half a line": "GET /str", "half the headers": "GET / HTTP/1.1\r\nHost: " + host + "\r\n",
		} {
			conn := b.net.dial()
			if sent != "" {
				_, err := conn.Write([]byte(sent))
				require.NoError(t, err)
			}
			from := time.Now()
			_, err := io.ReadAll(conn)
			require.NoError(t, err, name)
			assert.Equal(t, 5*time.Second, time.Since(from), name)
		}
		conn := b.net.dial()
		_, err := io.WriteString(conn, "POST /session HTTP/1.1\r\nHost: "+host+"\r\nOrigin: "+origin+"\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{")
		require.NoError(t, err)
		from := time.Now()
		text, err := io.ReadAll(conn)
		require.NoError(t, err)
		assert.Equal(t, 10*time.Second, time.Since(from), "half a body")
		assert.Contains(t, string(text), "400 Bad Request")
	})
}

// TestLargeHeaders: they are refused before anything looks at them.
func TestLargeHeaders(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bench) {
		conn := b.net.dial()
		go func() {
			_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: "+host+"\r\nX: "+strings.Repeat("a", 1<<20)+"\r\n\r\n")
		}()
		text, err := io.ReadAll(conn)
		require.NoError(t, err)
		assert.Contains(t, string(text), fmt.Sprint(http.StatusRequestHeaderFieldsTooLarge))
	})
}

// TestFlood: beyond the bound, connections wait until others go; the page then
// answers again.
func TestFlood(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bench) {
		for range 64 {
			conn := b.net.dial()
			defer conn.Close()
		}
		synctest.Wait()
		from := time.Now()
		events, conn := b.listen()
		defer conn.Close()
		assert.Empty(t, stateOf(t, next(t, events)).Pending)
		assert.Equal(t, 5*time.Second, time.Since(from), "until the silent ones are dropped")
	})
}
