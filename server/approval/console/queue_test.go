package console_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"godot-mcp/server/approval"
	"godot-mcp/server/approval/console"
)

func question(id string, limit time.Duration) approval.Question {
	return approval.Question{ID: id, Tool: "t", Class: "mutating", Asked: time.Now(), Until: time.Now().Add(limit)}
}

func TestNobodyAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := console.NewQueue()
		from := time.Now()
		v := q.Ask(t.Context(), question("q", 30*time.Second))
		assert.Equal(t, 30*time.Second, time.Since(from))
		assert.Equal(t, approval.Failed("console", approval.Expired, "nobody answered in time, and no browser had the approval page open"), v)
		assert.Zero(t, q.Waiting())
		assert.Equal(t, console.AlreadyDecided, q.Decide(console.Answer{ID: "q", Approve: true}), "too late")

		// A caller whose own limit is the same does not withdraw the question.
		ask := question("p", time.Second)
		ctx, cancel := context.WithDeadline(t.Context(), ask.Until)
		defer cancel()
		assert.Equal(t, approval.Expired, q.Ask(ctx, ask).Kind)
	})
}

func TestOverBeforeItBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := console.NewQueue()
		assert.True(t, q.Ask(t.Context(), question("q", -time.Second)).Fault)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		v := q.Ask(ctx, question("p", time.Second))
		assert.False(t, v.Approved)
		assert.Zero(t, q.Waiting())
	})
}

func TestCancelTakesTheCallAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := console.NewQueue()
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan approval.Verdict, 1)
		go func() { got <- q.Ask(ctx, question("q", time.Minute)) }()
		synctest.Wait()
		require.Equal(t, 1, q.Waiting())
		cancel()
		assert.True(t, (<-got).Fault)
		assert.Zero(t, q.Waiting())
		assert.Equal(t, console.AlreadyDecided, q.Decide(console.Answer{ID: "q", Approve: true}))
	})
}

func TestFirstAnswerCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := console.NewQueue()
		got := make(chan approval.Verdict, 1)
		go func() { got <- q.Ask(t.Context(), question("q", time.Minute)) }()
		synctest.Wait()
		require.Empty(t, q.Decide(console.Answer{ID: "q", Reason: "no"}))
		assert.Equal(t, console.AlreadyDecided, q.Decide(console.Answer{ID: "q", Approve: true}))
		assert.Equal(t, approval.Verdict{Reason: "no", By: "console"}, <-got)
	})
}

func TestBoundsAreFaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := console.NewQueue()
		ctx, cancel := context.WithCancel(t.Context())
		for i := range 64 {
			go q.Ask(ctx, question(fmt.Sprint(i), time.Minute))
		}
		synctest.Wait()
		require.Equal(t, 64, q.Waiting())
		v := q.Ask(ctx, question("more", time.Minute))
		assert.True(t, v.Fault)
		assert.Contains(t, v.Reason, "too many")
		v = q.Ask(ctx, question("5", time.Minute))
		assert.True(t, v.Fault, "an id that waits already")
		cancel()
		synctest.Wait()

		large := question("large", time.Minute)
		large.Arguments = raw(strings.Repeat("a", 65<<20))
		v = q.Ask(t.Context(), large)
		assert.True(t, v.Fault)
		assert.Contains(t, v.Reason, "too large")
		assert.True(t, q.Ask(t.Context(), question("", time.Minute)).Fault, "no id")
	})
}

func TestCloseDenies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := console.NewQueue()
		got := make(chan approval.Verdict, 1)
		go func() { got <- q.Ask(t.Context(), question("q", time.Minute)) }()
		synctest.Wait()
		q.Close()
		assert.True(t, (<-got).Fault)
		assert.True(t, q.Ask(t.Context(), question("p", time.Minute)).Fault)
	})
}

// TestPhrase: what nothing undoes takes a text, and denying never does.
func TestPhrase(t *testing.T) {
	for name, c := range map[string]struct {
		targets []string
		phrase  string
	}{
		"target":          {[]string{"res://level.tscn"}, "res://level.tscn"},
		"no target":       {nil, "t"},
		"first that fits": {[]string{"res://\u202egnp.tscn", "Node 2D"}, "Node 2D"},
		"long":            {[]string{strings.Repeat("a", 61)}, "t"},
		"look-alike":      {[]string{"res://аpple.tscn"}, "t"},
		"spaces":          {[]string{" a "}, "t"},
		"new line":        {[]string{"a\nb"}, "t"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := console.NewQueue()
				ask := question("q", time.Minute)
				ask.Irreversible, ask.Targets = true, c.targets
				got := make(chan approval.Verdict, 2)
				go func() { got <- q.Ask(t.Context(), ask) }()
				synctest.Wait()
				for _, wrong := range []string{"", c.phrase + " ", strings.ToUpper(c.phrase), "yes"} {
					assert.Equal(t, console.PhraseDiffers, q.Decide(console.Answer{ID: "q", Approve: true, Typed: wrong}))
				}
				require.Empty(t, q.Decide(console.Answer{ID: "q", Approve: true, Typed: c.phrase}))
				assert.True(t, (<-got).Approved)

				go func() { got <- q.Ask(t.Context(), ask) }()
				synctest.Wait()
				require.Empty(t, q.Decide(console.Answer{ID: "q"}))
				assert.False(t, (<-got).Approved)
			})
		})
	}
}

// TestEveryQuestionEndsOnce: whatever persons, clocks and callers do, each
// question gets one verdict, and an approval only when a person gave it.
func TestEveryQuestionEndsOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		n := rapid.IntRange(1, 20).Draw(rt, "questions")
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			q := console.NewQueue()
			type end struct {
				id string
				v  approval.Verdict
			}
			ends, said := make(chan end, n), make(chan string, 3*n)
			var people sync.WaitGroup
			for i := range n {
				id, limit := fmt.Sprint(i), time.Duration(r.IntN(10))*time.Second
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(r.IntN(15))*time.Second)
				defer cancel()
				go func() { ends <- end{id, q.Ask(ctx, question(id, limit))} }()
				for range r.IntN(3) {
					wait, approve := time.Duration(r.IntN(12))*time.Second, r.IntN(2) == 0
					people.Go(func() {
						<-time.After(wait)
						if q.Decide(console.Answer{ID: id, Approve: approve}) == "" {
							said <- fmt.Sprint(id, approve)
						}
					})
				}
			}
			seen := map[string]approval.Verdict{}
			for range n {
				e := <-ends
				_, twice := seen[e.id]
				require.False(t, twice)
				seen[e.id] = e.v
			}
			people.Wait()
			close(said)
			answered := map[string]int{}
			for s := range said {
				answered[s]++
			}
			for id, v := range seen {
				yes, no := answered[id+"true"], answered[id+"false"]
				require.LessOrEqual(t, yes+no, 1)
				require.Equal(t, yes == 1, v.Approved)
				require.Equal(t, yes+no == 0, v.Fault)
			}
			require.Zero(t, q.Waiting())
		})
	})
}
