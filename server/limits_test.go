package server

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/answer"
	"godot-mcp/server/catalog/catalogtest"
)

func limitsOf(calls, perMinute int) *limits {
	cfg := testConfig()
	cfg.MaxCalls, cfg.CallsPerMinute = calls, perMinute
	return newLimits(&cfg)
}

// A client gets its calls of a minute evenly, whatever others do, and is told
// how long to wait.
func TestCallsPerMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limitsOf(4, 60)
		enter := func(client string) *answer.Failure {
			taken, f, err := l.enter(t.Context(), client)
			require.NoError(t, err)
			if f == nil {
				taken.leave()
			}
			return f
		}
		for range 60 {
			require.Nil(t, enter("a"))
		}
		f := enter("a")
		require.NotNil(t, f)
		assert.Equal(t, "too_fast", f.Reason)
		assert.True(t, f.Retry)
		assert.InDelta(t, 1000, f.RetryAfterMS, 2)
		require.Nil(t, enter("b"), "another client is not slowed down")
		time.Sleep(time.Duration(f.RetryAfterMS) * time.Millisecond)
		require.Nil(t, enter("a"), "after the wait it goes on")
		require.NotNil(t, enter("a"))
		time.Sleep(time.Hour)
		for range 60 {
			require.Nil(t, enter("a"))
		}
		require.NotNil(t, enter("a"), "a quiet hour is no credit")
	})
}

// One client's flood leaves places in the line for others, and every slot is
// given back.
func TestAFloodLeavesRoomForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limitsOf(2, 0)
		type result struct {
			client string
			taken  *seat
			f      *answer.Failure
			err    error
		}
		results := make(chan result, 2000)
		ctx, cancel := context.WithCancel(t.Context())
		ask := func(ctx context.Context, client string) {
			go func() {
				taken, f, err := l.enter(ctx, client)
				results <- result{client, taken, f, err}
			}()
		}
		for range 1000 {
			ask(ctx, "flood")
		}
		synctest.Wait()
		busy, running := 0, []result{}
		for range len(results) {
			if r := <-results; r.f != nil {
				assert.Equal(t, "too_many_calls", r.f.Reason)
				assert.True(t, r.f.Retry)
				busy++
			} else {
				running = append(running, r)
			}
		}
		assert.Len(t, running, 2)
		assert.Equal(t, 1000-2-maxWaitingEach, busy)
		ask(t.Context(), "other")
		synctest.Wait()
		assert.Empty(t, results, "the other client waits and is not refused")
		cancel()
		synctest.Wait()
		for range maxWaitingEach {
			require.ErrorIs(t, (<-results).err, context.Canceled)
		}
		running[0].taken.leave()
		r := <-results
		assert.Equal(t, "other", r.client)
		require.NotNil(t, r.taken)
		r.taken.leave()
		running[1].taken.leave()
		assert.Empty(t, l.slots)
		assert.Zero(t, l.waiting)
		assert.Zero(t, l.clients["flood"].running+l.clients["other"].running)
	})
}

func TestIdleClientsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limitsOf(2, 10)
		for n := range keptClients {
			taken, _, _ := l.enter(t.Context(), fmt.Sprint(n))
			taken.leave()
		}
		time.Sleep(2 * time.Minute)
		taken, _, _ := l.enter(t.Context(), "one more")
		taken.leave()
		assert.Len(t, l.clients, 1)
	})
}

// While a client does not read its answers, further calls are refused; then the
// server stops reading the client. Nothing of it costs memory without bound.
func TestAnswersThatNobodyReads(t *testing.T) {
	cfg := testConfig()
	cfg.AnswerMemory = 20_000
	c := connect(t, cfg, catalogtest.New())
	c.initialize()
	s := c.server
	const all = maxUnanswered + 500
	var sent atomic.Int64
	flooded := make(chan struct{})
	go func() {
		defer close(flooded)
		for n := range all {
			if _, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"godot_list_toolsets"}}`+"\n", n+10); err != nil {
				return
			}
			sent.Add(1)
		}
	}()
	require.Eventually(t, func() bool { return sent.Load() >= maxUnanswered }, time.Minute, time.Millisecond)
	require.Eventually(t, func() bool { return s.limits.held.bytes() > cfg.AnswerMemory }, time.Minute, time.Millisecond)
	taken, f, err := s.limits.enter(t.Context(), "")
	require.NoError(t, err)
	require.Nil(t, taken)
	assert.Equal(t, "answers_unread", f.Reason)
	assert.LessOrEqual(t, sent.Load(), int64(maxUnanswered+1), "the server stopped reading")
	// A client that reads again gets an answer to everything.
	refused := 0
	for range all {
		if m := c.next(); strings.Contains(string(m.Result), "answers_unread") {
			refused++
		}
	}
	<-flooded
	assert.Positive(t, refused)
	assert.Less(t, refused, all)
	require.NoError(t, c.in.Close())
	require.NoError(t, <-c.ended)
	assert.Zero(t, s.limits.held.bytes())
}
