package journal

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/answer"
	"godot-mcp/server/wire"
)

// world is an editor's memory of outcomes.
type world struct {
	mu     sync.Mutex
	peer   Peer
	away   bool
	states map[string]string // envelope id -> state
	fails  map[string]*wire.Error
	asked  int
}

func (w *world) Peer() (Peer, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.peer, !w.away && w.peer.Session != ""
}

func (w *world) Ask(_ context.Context, id, session string) (string, json.RawMessage, *wire.Error, *wire.Error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked++
	if w.away || session != w.peer.Session {
		return "", nil, nil, wire.Fail(wire.ReasonNoEditor)
	}
	state := w.states[id]
	if state == "" {
		state = "unknown"
	}
	return state, json.RawMessage(`{"of":"` + id + `"}`), w.fails[id], nil
}

func (w *world) set(id, state string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.states == nil {
		w.states, w.fails = map[string]string{}, map[string]*wire.Error{}
	}
	w.states[id] = state
}

func editor() *world { return &world{peer: Peer{Session: "s1", Project: project, Link: "1"}} }

func keeper(t *testing.T, dir string, w *world) *Keeper {
	t.Helper()
	k := New(Config{Dir: dir, Editor: w})
	t.Cleanup(func() { assert.NoError(t, k.Close()) })
	return k
}

// claim must be new.
func claim(t *testing.T, k *Keeper, id string) *Claim {
	t.Helper()
	c, found, f := k.Claim(t.Context(), id, "digest", "tool", false)
	require.Nil(t, f)
	require.Nil(t, found)
	require.NotNil(t, c)
	return c
}

func look(t *testing.T, k *Keeper, id string) *Found {
	t.Helper()
	_, found, f := k.Claim(t.Context(), id, "digest", "tool", true)
	require.Nil(t, f)
	return found
}

func TestAnEffectIsRecordedAndRefusalsAreNot(t *testing.T) {
	k := keeper(t, t.TempDir(), editor())
	c := claim(t, k, "a")
	require.NoError(t, c.Sending("1", "s1", "cmd"))
	c.Replied(Applied, json.RawMessage(`{}`), nil)
	c.Finish(json.RawMessage(`{"x":1}`), nil)
	c.Release()
	assert.Equal(t, &Found{Digest: "digest", State: Done, Answer: json.RawMessage(`{"x":1}`)}, look(t, k, "a"))

	for _, fate := range []Fate{Refused, Unapplied} {
		c = claim(t, k, "b")
		require.NoError(t, c.Sending("2", "s1", "cmd"))
		c.Replied(fate, nil, wire.Fail(wire.ReasonNodeNotFound))
		c.Finish(nil, answer.New(answer.CallCancelled))
		c.Release()
		assert.Nil(t, look(t, k, "b"))
	}
	c = claim(t, k, "b")
	c.Looked("cmd_read", nil, nil)
	c.Finish(json.RawMessage(`{}`), nil)
	c.Release()
	assert.Nil(t, look(t, k, "b"), "a call that only read has no effect")
	assert.Error(t, claim(t, k, "b").Sending("3", "s2", "cmd"), "another session is active")
}

// A call that failed after a part of it took effect keeps its answer.
func TestAFailureAfterAnEffectIsTheAnswer(t *testing.T) {
	k := keeper(t, t.TempDir(), editor())
	c := claim(t, k, "a")
	require.NoError(t, c.Sending("1", "s1", "cmd"))
	c.Replied(Applied, json.RawMessage(`{}`), nil)
	require.NoError(t, c.Sending("2", "s1", "cmd"))
	c.Replied(Refused, nil, wire.Fail(wire.ReasonSaveFailed))
	c.Finish(nil, answer.FromWire(wire.Fail(wire.ReasonSaveFailed), true))
	c.Release()
	found := look(t, k, "a")
	assert.True(t, found.Failed)
	assert.Contains(t, string(found.Answer), `"save_failed"`)
}

func TestASecondCallWaitsForTheFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := keeper(t, t.TempDir(), editor())
		first := claim(t, k, "a")
		_, found, f := k.Claim(t.Context(), "a", "other", "tool", false)
		require.Nil(t, f)
		assert.Equal(t, "digest", found.Digest, "other arguments need not wait")
		results := make(chan *Found, 2)
		for range 2 {
			go func() {
				c, found, f := k.Claim(t.Context(), "a", "digest", "tool", false)
				assert.Nil(t, f)
				if c != nil {
					assert.NoError(t, c.Sending("2", "s1", "cmd"))
					c.Replied(Applied, nil, nil)
					c.Finish(json.RawMessage(`{"by":2}`), nil)
					c.Release()
				}
				results <- found
			}()
		}
		synctest.Wait()
		assert.Empty(t, results)
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan *answer.Failure)
		go func() { _, _, f := k.Claim(ctx, "a", "digest", "tool", false); gone <- f }()
		synctest.Wait()
		cancel()
		assert.Equal(t, string(answer.CallCancelled), (<-gone).Reason)
		ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		_, _, f = k.Claim(ctx, "a", "digest", "tool", false)
		cancel()
		assert.Equal(t, string(answer.IDInFlight), f.Reason, "the first may wait for a person")
		assert.True(t, f.Retry)
		// The first was refused, so exactly one of the others does it.
		first.Finish(nil, nil)
		first.Release()
		a, b := <-results, <-results
		if a == nil {
			a, b = b, a
		}
		assert.Nil(t, b)
		require.NotNil(t, a)
		assert.JSONEq(t, `{"by":2}`, string(a.Answer))
	})
}

// crash is a server that dies after a command of a call was sent.
func crash(t *testing.T, dir string, w *world, envelope string) {
	t.Helper()
	k := New(Config{Dir: dir, Editor: w})
	c := claim(t, k, "a")
	c.Args(json.RawMessage(`{}`))
	require.NoError(t, c.Sending(envelope, "s1", "cmd"))
	require.NoError(t, k.Close())
}

// After a crash the editor is asked before anything else is served.
func TestSettlingAfterACrash(t *testing.T) {
	for state, want := range map[string]*Found{
		"done":    {Digest: "digest", State: Done, Answer: json.RawMessage(`{"made":"of 7"}`)},
		"unknown": nil,
		"refused": nil,
		"other":   {Digest: "digest", State: Uncertain},
	} {
		dir, w := t.TempDir(), editor()
		crash(t, dir, w, "7")
		w.set("7", state)
		w.peer.Link = "2"
		switch state {
		case "refused":
			w.set("7", "done")
			w.fails["7"] = wire.Fail(wire.ReasonNodeNotFound)
		case "other":
			w.peer.Session = "s2"
		}
		k := keeper(t, dir, w)
		k.cfg.Reenact = func(_ context.Context, r Record) (json.RawMessage, *answer.Failure, bool) {
			return json.RawMessage(fmt.Sprintf(`{"made":"of %s"}`, r.Commands[0].ID)), nil, true
		}
		require.Nil(t, k.Settle(t.Context()), state)
		assert.Empty(t, k.books[project].open(), state)
		assert.Equal(t, want, look(t, k, "a"), state)
	}
}

func TestSettlingWaitsForARunningCommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir, w := t.TempDir(), editor()
		crash(t, dir, w, "7")
		w.set("7", "running")
		k := keeper(t, dir, w)
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		f := k.Settle(ctx)
		require.NotNil(t, f)
		assert.Equal(t, string(answer.Unsettled), f.Reason)
		assert.True(t, f.Retry)
		time.AfterFunc(10*time.Second, func() { w.set("7", "done") })
		require.Nil(t, k.Settle(t.Context()))
		assert.Equal(t, Done, look(t, k, "a").State)
		assert.Contains(t, string(look(t, k, "a").Answer), `"settled":true`, "without the means to find the answer it says so")
	})
}

// A lost command of this very connection is not taken for one that never
// arrived: nobody can tell, until its late reply does.
func TestUnheardOfOnTheSameConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := editor()
		k := keeper(t, t.TempDir(), w)
		c := claim(t, k, "a")
		require.NoError(t, c.Sending("7", "s1", "cmd"))
		c.Replied(Unknown, nil, wire.Fail(wire.ReasonDeadline))
		c.Finish(nil, answer.FromWire(wire.Fail(wire.ReasonDeadline), true))
		c.Release()
		begin := time.Now()
		require.Nil(t, k.Settle(t.Context()))
		assert.GreaterOrEqual(t, time.Since(begin), unheardLimit)
		assert.Equal(t, Uncertain, look(t, k, "a").State)
	})
}

func TestALateReplySettles(t *testing.T) {
	for _, refused := range []*wire.Error{nil, wire.Fail(wire.ReasonNodeNotFound), wire.Fail(wire.ReasonNotApplied)} {
		w := editor()
		k := keeper(t, t.TempDir(), w)
		c := claim(t, k, "a")
		require.NoError(t, c.Sending("7", "s1", "cmd"))
		c.Replied(Unknown, nil, wire.Fail(wire.ReasonDeadline))
		c.Finish(nil, answer.FromWire(wire.Fail(wire.ReasonDeadline), true))
		c.Release()
		k.Late(t.Context(), "7", "s1", json.RawMessage(`{}`), refused)
		assert.Empty(t, k.books[project].open())
		assert.Equal(t, refused == nil, look(t, k, "a") != nil)
		assert.Zero(t, w.asked)
	}
}

func TestWithoutAnEditorRecordedAnswersStillCount(t *testing.T) {
	dir, w := t.TempDir(), editor()
	k := keeper(t, dir, w)
	c := claim(t, k, "a")
	require.NoError(t, c.Sending("1", "s1", "cmd"))
	c.Replied(Applied, nil, nil)
	c.Finish(json.RawMessage(`{}`), nil)
	c.Release()
	w.away = true
	assert.Equal(t, Done, look(t, k, "a").State)
	require.NoError(t, k.Close())
	nobody := New(Config{Dir: dir, Editor: &world{}})
	_, _, f := nobody.Claim(t.Context(), "a", "digest", "tool", false)
	assert.Equal(t, "bridge_connected", f.Required)
	named := New(Config{Dir: dir, Editor: &world{}, Project: project})
	assert.Equal(t, Done, look(t, named, "a").State)
	require.NoError(t, named.Close())
}

func TestExpiry(t *testing.T) {
	dir, w := t.TempDir(), editor()
	now := time.Unix(1_700_000_000, 0)
	k := New(Config{Dir: dir, Editor: w, Now: func() time.Time { return now }})
	for _, id := range []string{"done", "open"} {
		c := claim(t, k, id)
		require.NoError(t, c.Sending(id, "s1", "cmd"))
		if id == "done" {
			c.Replied(Applied, nil, nil)
			c.Finish(json.RawMessage(`{}`), nil)
		}
		c.Release()
	}
	w.set("open", "running")
	now = now.Add(Expiry)
	require.NoError(t, k.books[project].expire(now))
	assert.NotNil(t, look(t, k, "done"))
	now = now.Add(time.Second)
	require.NoError(t, k.books[project].expire(now))
	b := k.books[project]
	assert.NotContains(t, b.records, "done")
	assert.Contains(t, b.records, "open", "what is not settled stays")
	require.NoError(t, k.Close())
}

func TestDigest(t *testing.T) {
	a := Digest("t", json.RawMessage(`{"a": 1.50, "b":[1, {"y":2,"x":"é"}]}`))
	assert.Equal(t, a, Digest("t", json.RawMessage(`{"b":[1,{"x":"\u00e9","y":2}],"a":1.50}`)))
	for _, other := range []string{`{"a":1.5,"b":[1,{"x":"é","y":2}]}`, `{"a":1.50,"b":[{"x":"é","y":2},1]}`, `{}`} {
		assert.NotEqual(t, a, Digest("t", json.RawMessage(other)))
	}
	assert.NotEqual(t, a, Digest("u", json.RawMessage(`{"b":[1,{"x":"é","y":2}],"a":1.50}`)))
}
