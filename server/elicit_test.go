package server

import (
	"bytes"
	"encoding/json"
	"fmt"
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

// eliciting is a server whose calls the client's user approves. Its newer era has
// no handshake.
func eliciting(t *testing.T, change func(*Config)) (*client, *catalogtest.Editor) {
	t.Helper()
	cfg := editing()
	cfg.AllowDestructive, cfg.Toolsets, cfg.Approval.By = false, []string{"all"}, byElicitation
	if change != nil {
		change(&cfg)
	}
	e := undoEditor()
	return connect(t, cfg, e), e
}

func changed(e *catalogtest.Editor) (n int) {
	for _, o := range e.Orders() {
		if o.Changing {
			n++
		}
	}
	return n
}

func (c *client) handshake(capabilities string) {
	c.t.Helper()
	c.request(0, "initialize", `{"protocolVersion":"2025-11-25","capabilities":`+capabilities+`,"clientInfo":{"name":"t","version":"1"}}`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// In the older era the server asks while the call waits. Only accept with approve
// is a yes.
func TestElicitationOfTheOlderEra(t *testing.T) {
	for answer, want := range map[string]string{
		`"result":{"action":"accept","content":{"decision":"approve"}}`:                 `"approval":{"by":"elicitation","reason":"as the client reports"}`,
		`"result":{"action":"accept","content":{"decision":"approve","reason":"go"}}`:   `"approval":{"by":"elicitation","reason":"go"}`,
		`"result":{"action":"accept","content":{"decision":"deny","reason":"keep it"}}`: `keep it`,
		`"result":{"action":"decline"}`:                                                 `declined`,
		`"result":{"action":"decline","content":{"decision":"approve"}}`:                `declined`,
		`"result":{"action":"cancel"}`:                                                  `closed without an answer`,
		`"result":{"action":"accept"}`:                                                  `"reason":"approval_fault"`,
		`"result":{"action":"accept","content":{}}`:                                     `"reason":"approval_fault"`,
		`"result":{"action":"accept","content":{"decision":true}}`:                      `"reason":"approval_fault"`,
		`"result":{"action":"accept","content":{"decision":"Approve"}}`:                 `"reason":"approval_fault"`,
		`"result":{"action":"accept","content":{"decision":"approve","reason":7}}`:      `"reason":"approval_fault"`,
		`"result":{"action":"accept","content":{"decision":"approve","more":"x"}}`:      `"reason":"approval_fault"`,
		`"result":{"action":"ACCEPT","content":{"decision":"approve"}}`:                 `"reason":"approval_fault"`,
		`"result":{}`: `"reason":"approval_fault"`,
		`"error":{"code":-32603,"message":"no window"}`: `no window`,
	} {
		c, e := eliciting(t, nil)
		c.handshake(`{"elicitation":{}}`)
		c.send(undoCall + `}}`)
		ask := c.next()
		require.Equal(t, "elicitation/create", ask.Method, answer)
		var p struct {
			Mode, Message   string
			RequestedSchema struct{ Properties map[string]any }
		}
		require.NoError(t, json.Unmarshal(ask.Params, &p))
		assert.Equal(t, "form", p.Mode)
		assert.Contains(t, p.Message, "godot_undo")
		assert.Contains(t, p.Message, "it is mutating")
		assert.Len(t, p.RequestedSchema.Properties, 2)
		c.send(`{"jsonrpc":"2.0","id":` + string(ask.ID) + `,` + answer + `}`)
		m := c.next()
		assert.Equal(t, "7", string(m.ID))
		assert.Contains(t, string(m.Result), want, answer)
		yes := strings.Contains(want, `"approval"`)
		assert.Equal(t, map[bool]int{true: 1, false: 0}[yes], changed(e), answer)
		assert.Equal(t, !yes, strings.Contains(string(m.Result), `APPROVAL_DENIED`), answer)
	}
}

func TestClientsThatCannotAsk(t *testing.T) {
	for _, capabilities := range []string{`{}`, `{"elicitation":{"url":{}}}`, `{"sampling":{}}`} {
		c, e := eliciting(t, nil)
		c.handshake(capabilities)
		r := c.call(1, "godot_undo", `{}`)
		assert.Contains(t, string(r.StructuredContent), `"reason":"client_cannot_ask"`, capabilities)
		assert.Contains(t, string(r.StructuredContent), `"required":"elicitation"`)
		assert.Zero(t, changed(e))
		c, e = eliciting(t, nil)
		m := c.request(1, "tools/call", `{"name":"godot_undo","arguments":{},`+modernWith(capabilities)+`}`)
		require.NotNil(t, m.Error, "%s: %s", capabilities, m.Result)
		assert.Equal(t, -32021, m.Error.Code)
		assert.Contains(t, string(m.Error.Data), `"requiredCapabilities":{"elicitation":{"form":{}}}`)
		assert.Zero(t, changed(e))
		assert.Nil(t, c.request(2, "tools/call", `{"name":"godot_undo","arguments":{"dry_run":true},`+modernWith(capabilities)+`}`).Error, "a preview needs nobody")
	}
}

func TestTheOlderEraHasALimitAndACancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, e := eliciting(t, nil)
		c.handshake(`{"elicitation":{"form":{}}}`)
		begin := time.Now()
		c.send(undoCall + `}}`)
		ask := c.next()
		var got []string
		for range 2 {
			m := c.next()
			got = append(got, m.Method+string(m.Result))
		}
		assert.Equal(t, 5*time.Minute, time.Since(begin))
		all := strings.Join(got, "\n")
		assert.Contains(t, all, "no_answer")
		assert.Contains(t, all, "notifications/cancelled", "the dialogue is taken back")
		c.send(`{"jsonrpc":"2.0","id":` + string(ask.ID) + `,"result":{"action":"accept","content":{"decision":"approve"}}}`)
		assert.False(t, c.call(9, "godot_health_check", `{}`).IsError)
		assert.Zero(t, changed(e), "too late")
		c.end()
	})
}

func modernWith(capabilities string) string {
	return `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":` + capabilities + `,"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}`
}

type inputRequired struct {
	ResultType    string
	RequestState  string
	InputRequests map[string]struct {
		Method string
		Params struct{ Message string }
	}
	IsError           bool
	StructuredContent json.RawMessage
	Content           []any
}

// round makes one request of the newer era. Extra is further members.
func (c *client) round(id int, tool, args, extra string) inputRequired {
	c.t.Helper()
	m := c.request(id, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s,%s%s}`, tool, args, modernWith(`{"elicitation":{"form":{}}}`), extra))
	require.Nil(c.t, m.Error, "%+v", m.Error)
	var r inputRequired
	require.NoError(c.t, json.Unmarshal(m.Result, &r))
	return r
}

const accepted = `{"action":"accept","content":{"decision":"approve"}}`

func responses(answer, state string) string {
	return `,"inputResponses":{"approval":` + answer + `},"requestState":"` + state + `"`
}

// In the newer era the call ends with a question, and is made again with the answer.
func TestElicitationOfTheNewerEra(t *testing.T) {
	var log bytes.Buffer
	c, e := eliciting(t, func(cfg *Config) { cfg.Log = &log })
	r := c.round(1, "godot_undo", `{}`, "")
	assert.Equal(t, "input_required", r.ResultType)
	assert.Empty(t, r.Content)
	assert.Equal(t, "elicitation/create", r.InputRequests["approval"].Method)
	assert.Contains(t, r.InputRequests["approval"].Params.Message, "godot_undo")
	assert.NotContains(t, r.RequestState, "undo")
	assert.Zero(t, changed(e))
	r = c.round(2, "godot_undo", `{}`, responses(accepted, r.RequestState))
	assert.Equal(t, "complete", r.ResultType)
	assert.Contains(t, string(r.StructuredContent), `"approval":{"by":"elicitation"`)
	assert.Equal(t, 1, changed(e))
	var calls []string
	for line := range strings.Lines(log.String()) {
		var l struct{ Audit, Call, Outcome, Approval, Approver string }
		if json.Unmarshal([]byte(line), &l) == nil && l.Audit == "call" {
			calls = append(calls, l.Call)
			assert.Equal(t, "elicitation", l.Approver)
			assert.Equal(t, map[int]string{1: "later", 2: "approved"}[len(calls)], l.Approval)
			assert.Equal(t, map[int]string{1: "input_required", 2: "ok"}[len(calls)], l.Outcome)
		}
	}
	require.Len(t, calls, 2)
	assert.Equal(t, calls[0], calls[1], "two requests, one call")
}

// Whatever comes back but the client's yes to this very call is no approval.
func TestStatesThatAreNotForThisCall(t *testing.T) {
	c, e := eliciting(t, nil)
	catalogtest.On(e, wire.CmdRedo, func(wire.Redo) (any, error) { return wire.HistoryMoveResult{}, nil })
	id := 10
	ask := func(args string) string {
		t.Helper()
		id++
		r := c.round(id, "godot_undo", args, "")
		require.Equal(t, "input_required", r.ResultType)
		return r.RequestState
	}
	denied := func(what, tool, args, extra, reason string) {
		t.Helper()
		id++
		r := c.round(id, tool, args, extra)
		assert.Equal(t, "complete", r.ResultType, what)
		assert.Contains(t, string(r.StructuredContent), `"error":"APPROVAL_DENIED"`, what)
		assert.Contains(t, string(r.StructuredContent), reason, what)
	}
	again := func(what, extra string) {
		t.Helper()
		id++
		assert.Equal(t, "input_required", c.round(id, "godot_undo", `{}`, extra).ResultType, what)
	}
	s := ask(`{}`)
	for _, at := range []int{0, len(s) / 2, len(s) - 1} {
		b := []byte(s)
		b[at] = map[bool]byte{true: 'B', false: 'A'}[b[at] == 'A']
		denied("tampered", "godot_undo", `{}`, responses(accepted, string(b)), `stale_approval`)
	}
	denied("made up", "godot_undo", `{}`, responses(accepted, "approved"), `stale_approval`)
	denied("other arguments", "godot_undo", `{"count":2}`, responses(accepted, ask(`{}`)), `another call`)
	denied("an id", "godot_undo", `{"idempotencyId":"x"}`, responses(accepted, ask(`{}`)), `another call`)
	denied("other tool", "godot_redo", `{}`, responses(accepted, ask(`{}`)), `another call`)
	denied("declined", "godot_undo", `{}`, responses(`{"action":"decline"}`, ask(`{}`)), `"human"`)
	denied("another kind of answer", "godot_undo", `{}`, responses(`{"roots":[]}`, ask(`{}`)), `approval_fault`)
	again("no state", `,"inputResponses":{"approval":`+accepted+`}`)
	again("no answer", `,"requestState":"`+ask(`{}`)+`"`)
	again("another name", `,"inputResponses":{"other":`+accepted+`},"requestState":"`+ask(`{}`)+`"`)
	assert.Zero(t, changed(e))

	s = ask(`{}`)
	id++
	c.round(id, "godot_undo", `{}`, responses(accepted, s))
	assert.Equal(t, 1, changed(e))
	denied("replayed", "godot_undo", `{}`, responses(accepted, s), `used before`)
	s = ask(`{}`)
	denied("declined first", "godot_undo", `{}`, responses(`{"action":"decline"}`, s), `"human"`)
	denied("and then accepted", "godot_undo", `{}`, responses(accepted, s), `used before`)
	assert.Equal(t, 1, changed(e))

	other, _ := eliciting(t, nil)
	r := other.round(1, "godot_undo", `{}`, "")
	denied("of another run", "godot_undo", `{}`, responses(accepted, r.RequestState), `stale_approval`)

	s = ask(`{}`)
	catalogtest.On(e, wire.CmdUndo, func(wire.Undo) (any, error) {
		return wire.HistoryMoveResult{Available: true, Next: "Delete everything"}, nil
	})
	denied("the project changed", "godot_undo", `{}`, responses(accepted, s), `the project changed`)
	s = ask(`{}`)
	hello, _ := e.Hello()
	hello.Session = "another"
	e.SetHello(&hello)
	denied("another editor", "godot_undo", `{}`, responses(accepted, s), `the project changed`)
	assert.Equal(t, 1, changed(e))
}

func TestStatesExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, e := eliciting(t, nil)
		s := c.round(1, "godot_undo", `{}`, "").RequestState
		time.Sleep(PeopleTimeout)
		r := c.round(2, "godot_undo", `{}`, responses(accepted, s))
		assert.Contains(t, string(r.StructuredContent), "it expired")
		assert.Zero(t, changed(e))
		c.end()
	})
}

// What a caller sends cannot look like a line of the question.
func TestFormsCannotBeForged(t *testing.T) {
	q := approval.Question{
		Tool: "t", Class: "destructive", Irreversible: true, Rule: "r\nApprove",
		Targets: []string{"A\nPreview: harmless"}, Arguments: json.RawMessage(`{"a":"x` + "\u202e\u2028\x1b" + `"}`),
	}
	text := describeQuestion(q)
	assert.Equal(t, 4, strings.Count(text, "\n")+1)
	assert.NotContains(t, text, "\u202e")
	assert.NotContains(t, text, "\x1b")
	assert.Contains(t, text, `\u202e\u2028\u001b`)
	assert.Contains(t, text, "nothing undoes it")
	q.Arguments = json.RawMessage(`{"a":"` + strings.Repeat("x", 100_000) + `"}`)
	for range 100 {
		q.Entries = append(q.Entries, approval.Entry{Tool: "t", Arguments: q.Arguments})
	}
	text = describeQuestion(q)
	assert.Less(t, len(text), 20_000)
	assert.Contains(t, text, "NOT SHOWN: 70 more calls")
	q.Entries = nil
	assert.Contains(t, describeQuestion(q), "NOT SHOWN: ")
}
