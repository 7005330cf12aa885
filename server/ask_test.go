package server

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/approval"
	"godot-mcp/server/catalog/catalogtest"
	"godot-mcp/server/wire"
)

// slowPerson answers after a while, unless the question is withdrawn first.
type slowPerson struct {
	after     time.Duration
	verdict   approval.Verdict
	asked     chan approval.Question
	withdrawn chan struct{}
}

func newSlowPerson(after time.Duration, v approval.Verdict) *slowPerson {
	return &slowPerson{after, v, make(chan approval.Question, 100), make(chan struct{}, 100)}
}

func (*slowPerson) Name() string { return "console" }

func (p *slowPerson) Ask(ctx context.Context, q approval.Question) approval.Verdict {
	p.asked <- q
	select {
	case <-time.After(p.after):
		return p.verdict
	case <-ctx.Done():
		p.withdrawn <- struct{}{}
		return approval.Verdict{}
	}
}

func undoEditor() *catalogtest.Editor {
	e := catalogtest.New()
	catalogtest.On(e, wire.CmdUndo, func(wire.Undo) (any, error) {
		return wire.HistoryMoveResult{Available: true}, nil
	})
	return e
}

// approved starts a server whose calls a person decides, inside a bubble.
func approved(t *testing.T, a approval.Approver, change func(*Config)) (*client, *catalogtest.Editor) {
	t.Helper()
	cfg := editing()
	cfg.AllowDestructive, cfg.Toolsets, cfg.Approval.Approver = false, []string{"all"}, a
	if change != nil {
		change(&cfg)
	}
	e := undoEditor()
	c := connect(t, cfg, e)
	c.initialize()
	return c, e
}

func (c *client) end() {
	c.t.Helper()
	require.NoError(c.t, c.in.Close())
	require.NoError(c.t, <-c.ended)
}

// drain reads what still comes from a server that was told to stop.
func (c *client) drain() {
	go func() {
		for {
			if _, err := c.out.ReadString('\n'); err != nil {
				return
			}
		}
	}()
	<-c.ended
}

const undoCall = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"godot_undo","arguments":{}`

// The wait for a person is longer than the time limit of the call, and the client
// hears of it, if it wants to.
func TestAPersonMayTakeLongerThanACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newSlowPerson(2*time.Minute, approval.Verdict{Approved: true, By: "console"})
		c, e := approved(t, p, nil)
		c.send(undoCall + `,"_meta":{"progressToken":"p"}}}`)
		var last float64
		notes := 0
		for {
			m := c.next()
			if m.Method == "" {
				assert.Contains(t, string(m.Result), `"approval":{"by":"console"}`)
				assert.NotContains(t, string(m.Result), `"isError":true`)
				break
			}
			var note struct {
				ProgressToken string
				Progress      float64
				Total         float64
				Message       string
			}
			require.NoError(t, json.Unmarshal(m.Params, &note))
			assert.Equal(t, "p", note.ProgressToken)
			assert.Greater(t, note.Progress, last)
			assert.Contains(t, note.Message, "godot_undo")
			last = note.Progress
			notes++
		}
		assert.InDelta(t, 24, notes, 1)
		assert.True(t, e.LastOrder().Changing)
		q := <-p.asked
		assert.Equal(t, "t 1", q.Client)
		assert.Equal(t, 5*time.Minute, q.Until.Sub(q.Asked))
		assert.Len(t, q.ID, 26)
		c.end()
	})
}

func TestNoNotesWithoutATokenAndNoAnswerInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newSlowPerson(time.Hour, approval.Verdict{Approved: true})
		c, e := approved(t, p, func(cfg *Config) { cfg.Approval.Timeout = time.Minute })
		begin := time.Now()
		r := c.call(7, "godot_undo", `{}`)
		assert.True(t, r.IsError)
		assert.Contains(t, string(r.StructuredContent), `"reason":"no_answer"`)
		assert.Contains(t, string(r.StructuredContent), `"error":"APPROVAL_DENIED"`)
		assert.Equal(t, time.Minute, time.Since(begin))
		<-p.withdrawn
		assert.False(t, e.LastOrder().Changing)
		c.end()
	})
}

// An approver that forgets its limit, says yes too late, or falls over.
func TestApproversThatMisbehave(t *testing.T) {
	for what, tc := range map[string]struct {
		ask    func(context.Context) approval.Verdict
		reason string
	}{
		"deaf":  {func(context.Context) approval.Verdict { time.Sleep(time.Hour); return approval.Verdict{Approved: true} }, "no_answer"},
		"late":  {func(ctx context.Context) approval.Verdict { <-ctx.Done(); return approval.Verdict{Approved: true} }, "no_answer"},
		"panic": {func(context.Context) approval.Verdict { panic("boom") }, "approval_fault"},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, e := approved(t, approverFunc(tc.ask), func(cfg *Config) { cfg.Approval.FailOpen = true })
			r := c.call(7, "godot_undo", `{}`)
			assert.Contains(t, string(r.StructuredContent), `"reason":"`+tc.reason+`"`, what)
			assert.False(t, e.LastOrder().Changing)
			c.end()
			time.Sleep(2 * time.Hour)
		})
	}
}

type approverFunc func(context.Context) approval.Verdict

func (approverFunc) Name() string { return "odd" }

func (f approverFunc) Ask(ctx context.Context, _ approval.Question) approval.Verdict { return f(ctx) }

// The client's cancel takes the question back, and nothing happens.
func TestCancelWithdrawsTheQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newSlowPerson(time.Hour, approval.Verdict{Approved: true})
		var log bytes.Buffer
		c, e := approved(t, p, func(cfg *Config) { cfg.Log = &log })
		c.send(undoCall + `}}`)
		<-p.asked
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
		<-p.withdrawn
		synctest.Wait()
		assert.False(t, e.LastOrder().Changing)
		assert.False(t, c.call(8, "godot_health_check", `{}`).IsError)
		assert.Contains(t, log.String(), `"reason":"call_cancelled"`)
		c.end()
	})
}

// A waiting question holds no slot; one answered waits for a slot again.
func TestAQuestionHoldsNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newSlowPerson(time.Minute, approval.Verdict{Approved: true})
		c, e := approved(t, p, func(cfg *Config) { cfg.MaxCalls = 1 })
		for i := range 5 {
			c.send(strings.Replace(undoCall, `"id":7`, `"id":`+strconv.Itoa(20+i), 1) + `}}`)
			<-p.asked
		}
		assert.Contains(t, string(c.call(8, "godot_list_toolsets", `{}`).StructuredContent), "scene_edit")
		for range 5 {
			assert.Contains(t, string(c.next().Result), `"approval"`)
		}
		changing := 0
		for _, o := range e.Orders() {
			if o.Changing {
				changing++
			}
		}
		assert.Equal(t, 5, changing)
		assert.Zero(t, c.server.limits.running)
		c.end()
	})
}

func TestTooManyQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newSlowPerson(time.Hour, approval.Verdict{})
		c, _ := approved(t, p, nil)
		for i := range maxQuestions {
			c.send(strings.Replace(undoCall, `"id":7`, `"id":`+strconv.Itoa(100+i), 1) + `}}`)
			<-p.asked
		}
		r := c.call(8, "godot_undo", `{}`)
		assert.Contains(t, string(r.StructuredContent), `"reason":"questions_wait"`)
		assert.Contains(t, string(r.StructuredContent), `"retry":true`)
		c.server.stop()
		c.drain()
	})
}

// Audit and question hold no secret of the server; the audit line says who was
// asked, apart from the caller's confirm.
func TestApprovalInTheAudit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		v := approval.Failed("webhook", approval.Unreachable, "no route to hunter2hunter2")
		p := newSlowPerson(0, v)
		c, e := approved(t, p, func(cfg *Config) {
			cfg.Log, cfg.Approval.FailOpen, cfg.BridgeToken = &log, true, "hunter2hunter2"
		})
		r := c.call(7, "godot_undo", `{"idempotencyId":"hunter2hunter2"}`)
		assert.Contains(t, string(r.StructuredContent), `"approval":{"by":"nobody"`)
		assert.True(t, e.LastOrder().Changing)
		line := log.String()
		assert.Contains(t, line, `"approver":"executed without a human"`)
		assert.Contains(t, line, `"approval":"unreachable"`)
		assert.Contains(t, line, `"asked_because":"it is mutating"`)
		assert.NotContains(t, line, "hunter2hunter2")
		p.verdict = approval.Verdict{By: "console", Reason: "no\nline"}
		c.call(8, "godot_undo", `{}`)
		assert.Contains(t, log.String(), `"approver":"console","approval":"refused","approval_reason":"no line"`)
		c.end()
	})
}

// The limit of the call goes on after the wait, and counts the time before it.
func TestTheClockOfACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClock(t.Context(), 10*time.Second)
		defer c.stop()
		time.Sleep(4 * time.Second)
		c.pause()
		c.pause()
		time.Sleep(time.Hour)
		_, limited := c.Deadline()
		assert.False(t, limited)
		require.NoError(t, c.Err())
		child, cancel := context.WithTimeout(c, time.Hour)
		defer cancel()
		c.resume()
		c.resume()
		time.Sleep(6*time.Second - time.Nanosecond)
		require.NoError(t, child.Err())
		time.Sleep(time.Nanosecond)
		<-child.Done()
		assert.ErrorIs(t, c.Err(), context.DeadlineExceeded)
		assert.ErrorIs(t, child.Err(), context.DeadlineExceeded)
		outer, stop := context.WithCancel(t.Context())
		d := newClock(outer, time.Hour)
		defer d.stop()
		stop()
		<-d.Done()
		assert.ErrorIs(t, d.Err(), context.Canceled)
	})
}
