package server

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"godot-mcp/server/answer"
	"godot-mcp/server/approval"
)

const (
	// maxQuestions is how many calls may wait for a person at once.
	maxQuestions = 64
	// noteInterval is how often a waiting call tells its client so.
	noteInterval = 5 * time.Second
)

// asker puts the questions of one server.
type asker struct {
	approver approval.Approver
	limit    time.Duration
	waiting  atomic.Int64
	server   *Server
}

// callState is the request of a running call, and its answer when a person has to
// be asked by way of the client first.
type callState struct {
	req   *mcp.CallToolRequest
	await *mcp.CallToolResult
}

type callKey struct{}

// callOf is the running call; nil outside of one.
func callOf(ctx context.Context) *callState {
	c, _ := ctx.Value(callKey{}).(*callState)
	return c
}

// ask puts a question and waits for its verdict. Meanwhile the call's clock
// stands still, its slot is free for others, and its client hears from time to
// time that it still waits. When the client cancels, the question is withdrawn.
func (a *asker) ask(ctx context.Context, q approval.Question) (approval.Verdict, *answer.Failure) {
	seat, _ := ctx.Value(seatKey{}).(*seat)
	answered, mayAsk := seat.question()
	if !mayAsk || a.waiting.Add(1) > maxQuestions {
		if mayAsk {
			answered()
			a.waiting.Add(-1)
		}
		return approval.Verdict{}, answer.New(answer.QuestionsWait, "limit", maxQuestions)
	}
	defer a.waiting.Add(-1)
	defer answered()
	if clock, ok := ctx.Value(clockKey{}).(*callClock); ok {
		clock.pause()
		defer clock.resume()
	}
	if seat != nil {
		seat.rise()
	}
	v := a.put(ctx, a.complete(ctx, q))
	if err := ctx.Err(); err != nil {
		return approval.Verdict{}, a.ended(q.Tool)
	}
	if seat != nil && seat.sit(ctx) != nil {
		return approval.Verdict{}, a.ended(q.Tool)
	}
	return v, nil
}

// ended is the answer to a call that nobody waits for any more.
func (a *asker) ended(tool string) *answer.Failure {
	if a.server.base.Err() != nil {
		return answer.New(answer.ShuttingDown)
	}
	return answer.New(answer.CallCancelled, "tool", tool)
}

// complete fills in who asks and until when, and takes the server's own secrets
// out of what is shown.
func (a *asker) complete(ctx context.Context, q approval.Question) approval.Question {
	q.ID, q.Asked = rand.Text(), time.Now()
	q.Until = q.Asked.Add(a.limit)
	if call := callOf(ctx); call != nil {
		if info := call.req.ClientInfo(); info != nil {
			q.Client = short(answer.Shown(strings.TrimSpace(info.Name + " " + info.Version)))
		}
	}
	hide := a.server.withoutSecrets
	q.Arguments, q.Preview = hide(q.Arguments), hide(q.Preview)
	for i := range q.Entries {
		q.Entries[i].Arguments = hide(q.Entries[i].Arguments)
	}
	// The texts and values of before are copied: what was read is compared later.
	q.Present.Files, q.Present.Values = slices.Clone(q.Present.Files), slices.Clone(q.Present.Values)
	for i := range q.Present.Files {
		for _, secret := range a.server.sanitizer.Secrets {
			if secret != "" {
				q.Present.Files[i].Text = strings.ReplaceAll(q.Present.Files[i].Text, secret, "[secret]")
			}
		}
	}
	for i := range q.Present.Values {
		q.Present.Values[i].Value = hide(q.Present.Values[i].Value)
	}
	return q
}

// withoutSecrets takes the server's own secrets out of JSON text.
func (s *Server) withoutSecrets(raw json.RawMessage) json.RawMessage {
	text := string(raw)
	for _, secret := range s.sanitizer.Secrets {
		if secret == "" {
			continue
		}
		text = strings.ReplaceAll(text, secret, "[secret]")
		if quoted, err := json.Marshal(secret); err == nil && len(quoted) > 2 {
			text = strings.ReplaceAll(text, string(quoted[1:len(quoted)-1]), "[secret]")
		}
	}
	if text == string(raw) {
		return raw
	}
	return json.RawMessage(text)
}

// put waits for the approver, and not for one that forgets its limit.
func (a *asker) put(ctx context.Context, q approval.Question) approval.Verdict {
	wait, cancel := context.WithDeadline(ctx, q.Until)
	defer cancel()
	answered := make(chan approval.Verdict, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				a.server.log.Error("panic in an approver", "approver", a.approver.Name(), "panic", r)
				answered <- approval.Failed(a.approver.Name(), approval.Malformed, "the approver failed")
			}
		}()
		answered <- a.approver.Ask(wait, q)
	}()
	notes := time.NewTicker(noteInterval)
	defer notes.Stop()
	for {
		select {
		case v := <-answered:
			if wait.Err() != nil || !time.Now().Before(q.Until) {
				break // whatever it is, it came too late
			}
			return v
		case <-notes.C:
			a.note(ctx, q)
			continue
		case <-wait.Done():
		}
		return approval.Failed(a.approver.Name(), approval.Expired, fmt.Sprintf("no answer within %s", a.limit))
	}
}

// note tells the client of a call, if it wants to know, that a person is asked.
func (a *asker) note(ctx context.Context, q approval.Question) {
	call := callOf(ctx)
	if call == nil || call.req.Params.GetProgressToken() == nil {
		return
	}
	req := call.req
	// A note that does not arrive changes nothing.
	_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: req.Params.GetProgressToken(), Progress: time.Since(q.Asked).Seconds(), Total: a.limit.Seconds(),
		Message: "Waiting for a person to approve " + q.Tool + " (" + a.approver.Name() + ").",
	})
}
