package server

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

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
			_, taken, f, err := l.enter(t.Context(), clientKey{session: client})
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
		<-time.After(time.Duration(f.RetryAfterMS) * time.Millisecond)
		require.Nil(t, enter("a"), "after the wait it goes on")
		require.NotNil(t, enter("a"))
		<-time.After(time.Hour)
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
				_, taken, f, err := l.enter(ctx, clientKey{session: client})
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
		assert.Zero(t, l.running)
		assert.Zero(t, l.waiting)
		assert.Zero(t, l.clients[clientKey{session: "flood"}].running+l.clients[clientKey{session: "other"}].running)
	})
}

func TestIdleClientsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limitsOf(2, 10)
		for n := range keptClients {
			_, taken, _, _ := l.enter(t.Context(), clientKey{session: fmt.Sprint(n)})
			taken.leave()
		}
		<-time.After(2 * time.Minute)
		_, taken, _, _ := l.enter(t.Context(), clientKey{session: "one more"})
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
	_, taken, f, err := s.limits.enter(t.Context(), clientKey{})
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

// crowd asks for slots of a limits and keeps what it gets.
type crowd struct {
	t     *testing.T
	l     *limits
	mu    sync.Mutex
	seats map[string][]*seat
	busy  map[string]int
}

func newCrowd(t *testing.T, l *limits) *crowd {
	return &crowd{t: t, l: l, seats: map[string][]*seat{}, busy: map[string]int{}}
}

func (c *crowd) ask(client string, n int) {
	for range n {
		go func() {
			_, s, f, err := c.l.enter(c.t.Context(), clientKey{session: client})
			c.mu.Lock()
			defer c.mu.Unlock()
			switch {
			case err != nil:
			case f != nil:
				c.busy[client]++
			default:
				c.seats[client] = append(c.seats[client], s)
			}
		}()
		synctest.Wait()
	}
}

// leave ends the oldest call of a client.
func (c *crowd) leave(client string) {
	c.mu.Lock()
	s := c.seats[client][0]
	c.seats[client] = c.seats[client][1:]
	c.mu.Unlock()
	s.leave()
	synctest.Wait()
}

// Clients take turns: one with a thousand calls in line is served no more often
// than one with a few, and never holds all slots.
func TestClientsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limitsOf(8, 0)
		l.share()
		c := newCrowd(t, l)
		c.ask("flood", 1000)
		assert.Len(t, c.seats["flood"], 6, "a quarter of the slots is kept from it")
		assert.Equal(t, 1000-6-maxWaitingEach, c.busy["flood"])
		c.ask("a", 3)
		assert.Len(t, c.seats["a"], 2, "it need not wait for slow calls")
		c.ask("b", 2)
		assert.Empty(t, c.seats["b"])
		// Whose turn it is does not depend on who waits with more.
		for range 5 {
			c.leave("flood")
		}
		assert.Len(t, c.seats["a"], 3)
		assert.Len(t, c.seats["b"], 2)
		assert.Zero(t, c.busy["a"]+c.busy["b"])
		for client := range c.seats {
			for len(c.seats[client]) > 0 {
				c.leave(client)
			}
		}
		assert.Zero(t, l.running)
		assert.Zero(t, l.waiting)
		assert.Empty(t, l.turns)
	})
}

// Two floods fill the line; whoever comes after them takes the last place of the longer.
func TestAFullLineMakesRoomForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limitsOf(2, 0)
		l.share()
		c := newCrowd(t, l)
		c.ask("x", 400)
		c.ask("y", 400)
		assert.Equal(t, maxWaiting, l.waiting)
		before := c.busy["x"] + c.busy["y"]
		c.ask("late", 3)
		assert.Zero(t, c.busy["late"])
		assert.Equal(t, before+3, c.busy["x"]+c.busy["y"])
		assert.Equal(t, maxWaiting, l.waiting)
		c.leave("x")
		c.leave("y")
		c.leave("x")
		assert.Len(t, c.seats["late"], 1, "at most the third that gets a slot")
	})
}

// Slots are neither lost nor made, whatever clients do.
func TestSlotsAreConserved(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		synctest.Test(t, func(t *testing.T) {
			slots := rapid.IntRange(1, 5).Draw(rt, "slots")
			l := limitsOf(slots, 0)
			if rapid.Bool().Draw(rt, "shared") {
				l.share()
			}
			type caller struct {
				seat   *seat
				cancel context.CancelFunc
			}
			var mu sync.Mutex
			callers := map[int]*caller{}
			for n := range rapid.IntRange(1, 60).Draw(rt, "steps") {
				c := &caller{}
				var ctx context.Context
				ctx, c.cancel = context.WithCancel(t.Context())
				key := clientKey{session: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "client")}
				go func() {
					_, s, _, _ := l.enter(ctx, key)
					mu.Lock()
					defer mu.Unlock()
					c.seat = s
				}()
				callers[n] = c
				synctest.Wait()
				victim := callers[rapid.IntRange(0, n).Draw(rt, "victim")]
				mu.Lock()
				s := victim.seat
				mu.Unlock()
				switch rapid.IntRange(0, 3).Draw(rt, "do") {
				case 0:
					victim.cancel()
				case 1:
					if s != nil {
						s.leave()
					}
				case 2:
					if s != nil && s.taken {
						s.rise()
						go func() { _ = s.sit(ctx) }()
					}
				}
				synctest.Wait()
				assert.LessOrEqual(t, l.running, slots)
				total, waiting := 0, 0
				for _, c := range l.clients {
					assert.LessOrEqual(t, c.running, l.each)
					total += c.running
					waiting += len(c.queue)
				}
				assert.Equal(t, l.running, total)
				assert.Equal(t, l.waiting, waiting)
				// Nobody waits for a slot that is free for him.
				for _, c := range l.turns {
					assert.True(t, l.running == l.slots || c.running == l.each)
				}
			}
			for _, c := range callers {
				c.cancel()
			}
			synctest.Wait()
			for _, c := range callers {
				if c.seat != nil {
					c.seat.leave()
				}
			}
			assert.Zero(t, l.running)
			assert.Zero(t, l.waiting)
		})
	})
}

// Invented names gain a bounded number of shares, and ended sessions none.
func TestNamesAndSessionsGainNoCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limitsOf(4, 10)
		made := func(key clientKey, tries int) (n int) {
			for range tries {
				if _, s, f, _ := l.enter(t.Context(), key); f == nil {
					s.leave()
					n++
				}
			}
			return n
		}
		all := 0
		for n := range 1000 {
			all += made(clientKey{remote: "10.0.0.1", name: fmt.Sprint(n)}, 2)
		}
		assert.Equal(t, namedClients*2+10, all)
		assert.Equal(t, 10, made(clientKey{remote: "10.0.0.2", name: "1"}, 20), "another address has its own")
		assert.Len(t, l.clients, namedClients+1+1)

		all = 0
		for n := range 100 {
			key := clientKey{session: fmt.Sprint(n)}
			l.adopt(key, "10.0.0.3")
			all += made(key, 20)
			l.retire(key, "10.0.0.3")
		}
		assert.Equal(t, 10, all)
		assert.Len(t, l.left["10.0.0.3"], 1)
		<-time.After(2 * time.Minute)
		l.adopt(clientKey{session: "later"}, "10.0.0.3")
		assert.Empty(t, l.left["10.0.0.3"])
		assert.Equal(t, 10, made(clientKey{session: "later"}, 20))
	})
}

// Questions to a person have places for several clients too.
func TestQuestionsAreShared(t *testing.T) {
	l := limitsOf(8, 0)
	seatOf := func(client string) *seat {
		_, s, f, err := l.enter(t.Context(), clientKey{session: client})
		require.NoError(t, err)
		require.Nil(t, f)
		return s
	}
	one, other := seatOf("one"), seatOf("other")
	var answered []func()
	ask := func(s *seat) bool {
		done, ok := s.question()
		if ok {
			answered = append(answered, done)
		}
		return ok
	}
	for range maxQuestions {
		require.True(t, ask(one), "on stdio there is one client")
	}
	l.share()
	assert.False(t, ask(one))
	assert.True(t, ask(other))
	for _, done := range answered {
		done()
	}
	assert.True(t, ask(one))
	answered[len(answered)-1]()
	assert.Zero(t, l.clients[clientKey{session: "one"}].asking)
}
