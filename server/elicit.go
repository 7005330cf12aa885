package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"godot-mcp/server/answer"
	"godot-mcp/server/approval"
	"godot-mcp/server/approval/ticket"
)

// roundTripEra is the first protocol revision in which a server asks nothing by
// itself: a call is answered with what it wants to know, and made again.
const roundTripEra = "2026-07-28"

// inputKey is the name of the question in an input-required result.
const inputKey = "approval"

// asReported is the reason of an approval without one: that a person was there is
// the client's word.
const asReported = "as the client reports"

// elicitor asks the user of the client by way of its own dialogue. What comes back
// is as good as the client: the server cannot see whether a person answered.
type elicitor struct {
	server *Server
	office *ticket.Office
}

func newElicitor(s *Server) *elicitor { return &elicitor{s, ticket.NewOffice(nil, nil)} }

// Name implements [approval.Approver].
func (*elicitor) Name() string { return byElicitation }

// Ask implements [approval.Approver]. In the older era it waits for the answer. In
// the newer it answers the call with the question and a ticket, and takes both
// back when the call is made again.
func (e *elicitor) Ask(ctx context.Context, q approval.Question) approval.Verdict {
	call := callOf(ctx)
	if call == nil || call.req.Session == nil {
		return approval.Failed(byElicitation, approval.Unable, "there is no client to ask")
	}
	modern := call.req.ProtocolVersion() >= roundTripEra
	if p := call.req.Session.InitializeParams(); p != nil && (p.ProtocolVersion >= roundTripEra) != modern {
		return approval.Failed(byElicitation, approval.Unable, "this client mixes two eras of the protocol")
	}
	if !canAsk(call.req.ClientCapabilities()) {
		return approval.Failed(byElicitation, approval.Unable, "it has no form elicitation")
	}
	if modern {
		return e.roundTrip(ctx, call, q)
	}
	res, err := call.req.Session.Elicit(ctx, form(q))
	if err != nil {
		if ctx.Err() != nil {
			return approval.Failed(byElicitation, approval.Expired, "no answer in time")
		}
		return approval.Failed(byElicitation, approval.Malformed, "the client could not ask: "+err.Error())
	}
	return answered(res)
}

// canAsk says whether a client shows forms. An empty capability means that it does.
func canAsk(c *mcp.ClientCapabilities) bool {
	return c != nil && c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

// noElicitation is the refusal of the newer era for a client that cannot ask.
func noElicitation(f *answer.Failure) error {
	data, err := json.Marshal(map[string]any{
		"requiredCapabilities": map[string]any{"elicitation": map[string]any{"form": map[string]any{}}}, "failure": f,
	})
	if err != nil {
		data = nil
	}
	return &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: f.Hint, Data: data}
}

// roundTrip asks by an input-required result, unless the call brings the answer.
func (e *elicitor) roundTrip(ctx context.Context, call *callState, q approval.Question) approval.Verdict {
	what, shown := e.digests(call.req, q)
	note := noteOf(ctx)
	response, given := call.req.Params.InputResponses[inputKey]
	if state := call.req.Params.RequestState; state != "" && given {
		t, err := e.office.Take(state, what, shown)
		if note != nil && t.Call != "" {
			note.id = t.Call
		}
		if err != nil {
			return approval.Failed(byElicitation, approval.Stale, err.Error())
		}
		res, ok := response.(*mcp.ElicitResult)
		if !ok {
			return approval.Failed(byElicitation, approval.Malformed, "the answer is not one to a form")
		}
		return answered(res)
	}
	t := ticket.Ticket{ID: q.ID, What: what, Shown: shown, Until: q.Until}
	if note != nil {
		t.Call = note.id
	}
	state, err := e.office.Issue(t)
	if err != nil {
		return approval.Failed(byElicitation, approval.Malformed, err.Error())
	}
	call.await = &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{inputKey: form(q)}, RequestState: state}
	return approval.Verdict{Later: true, By: byElicitation}
}

// digests name the call with who makes it, and what the person is shown beside it.
func (e *elicitor) digests(req *mcp.CallToolRequest, q approval.Question) (what, shown ticket.Digest) {
	g := e.server.env.Gate
	user := ""
	if x := req.GetExtra(); x != nil && x.TokenInfo != nil {
		user = x.TokenInfo.UserID
	}
	what = ticket.DigestOf(q.Tool, string(q.Arguments), q.IdempotencyID, strings.Join(q.Targets, "\x00"),
		string(g.Profile), string(g.Mode), q.Client, user)
	parts := []string{q.Class, fmt.Sprint(q.Irreversible, len(q.Entries)), q.Rule, string(q.Preview), q.State}
	for _, entry := range q.Entries {
		parts = append(parts, entry.Tool, entry.Class, string(entry.Arguments))
	}
	// It holds nothing that cannot be encoded.
	present, _ := json.Marshal(q.Present)
	return what, ticket.DigestOf(append(parts, string(present))...)
}

const (
	decisionField = "decision"
	reasonField   = "reason"
	approveChoice = "approve"
	denyChoice    = "deny"
	maxReason     = 500
)

var formSchema = json.RawMessage(`{"type":"object","properties":{` +
	`"decision":{"type":"string","title":"Decision","description":"May this call run?","enum":["approve","deny"]},` +
	`"reason":{"type":"string","title":"Reason","description":"The agent is told.","maxLength":500}},"required":["decision"]}`)

func form(q approval.Question) *mcp.ElicitParams {
	return &mcp.ElicitParams{Mode: "form", Message: describeQuestion(q), RequestedSchema: formSchema}
}

// answered takes the answer to a form. Only accept with the decision approve is a
// yes; what does not fit the form is none.
func answered(res *mcp.ElicitResult) approval.Verdict {
	v := approval.Verdict{By: byElicitation}
	switch res.Action {
	case "decline":
		v.Reason = "declined"
		return v
	case "cancel":
		v.Reason = "the question was closed without an answer"
		return v
	case "accept":
	default:
		return approval.Failed(byElicitation, approval.Malformed, fmt.Sprintf("unknown action %.40q", res.Action))
	}
	reason, err := textField(res.Content, reasonField)
	decision, err2 := textField(res.Content, decisionField)
	if err := errors.Join(err, err2); err != nil {
		return approval.Failed(byElicitation, approval.Malformed, err.Error())
	}
	for name := range res.Content {
		if !slices.Contains([]string{decisionField, reasonField}, name) {
			return approval.Failed(byElicitation, approval.Malformed, fmt.Sprintf("the form has no field %.40q", name))
		}
	}
	if decision != approveChoice && decision != denyChoice || len([]rune(reason)) > maxReason {
		return approval.Failed(byElicitation, approval.Malformed, "the answer does not fit the form")
	}
	v.Approved, v.Reason = decision == approveChoice, reason
	if v.Approved && reason == "" {
		v.Reason = asReported
	}
	return v
}

func textField(content map[string]any, name string) (string, error) {
	v, ok := content[name]
	if !ok {
		return "", nil
	}
	s, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("%s is not a text", name)
	}
	return s, nil
}

const (
	maxShownArgs    = 6 << 10
	maxShownPreview = 3 << 10
	maxShownEntries = 30
)

// describeQuestion is the text of a form. What comes from the caller stands as JSON
// in one line each, with everything unprintable escaped, so that it cannot look
// like a line of ours; what has no room is said to be missing.
func describeQuestion(q approval.Question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "An agent wants to call %s in the Godot editor (%s", q.Tool, q.Class)
	if q.Irreversible {
		b.WriteString(", and nothing undoes it")
	}
	b.WriteString(").\n")
	if len(q.Entries) > 0 {
		fmt.Fprintf(&b, "It is a batch of %d calls:\n", len(q.Entries))
		for i, e := range q.Entries {
			if i == maxShownEntries {
				fmt.Fprintf(&b, "NOT SHOWN: %d more calls.\n", len(q.Entries)-i)
				break
			}
			fmt.Fprintf(&b, "%d. %s (%s): %s\n", i+1, e.Tool, e.Class, plain(string(e.Arguments), maxShownArgs/maxShownEntries))
		}
	} else {
		if len(q.Targets) > 0 {
			fmt.Fprintf(&b, "It acts on: %s\n", plain(fmt.Sprintf("%q", q.Targets), 500))
		}
		fmt.Fprintf(&b, "Arguments: %s\n", plain(string(q.Arguments), maxShownArgs))
	}
	if len(q.Preview) > 0 {
		fmt.Fprintf(&b, "Preview of what it would answer: %s\n", plain(string(q.Preview), maxShownPreview))
	}
	fmt.Fprintf(&b, "You are asked because: %s. Without an answer by %s it is denied.", plain(q.Rule, 500), q.Until.Format("15:04:05"))
	return b.String()
}

// plain escapes what could break or hide a line, and says how much it leaves out.
func plain(s string, limit int) string {
	var b strings.Builder
	for i, r := range s {
		if b.Len() > limit {
			fmt.Fprintf(&b, " … NOT SHOWN: %d more bytes", len(s)-i)
			break
		}
		switch {
		case r > 0xffff && !unicode.IsPrint(r):
			b.WriteString(`\ufffd`)
		case r != ' ' && !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
