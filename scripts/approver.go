package scripts

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"
)

// approver is the person of a scenario, behind a webhook or the client's dialogue:
// it answers questions as the scenario says and keeps them.
type approver struct {
	server *httptest.Server
	// elicits is the protocol revision of a client that asks its user; empty: the
	// webhook is asked.
	elicits string

	mu        sync.Mutex
	manner    string
	reason    string
	meanwhile func() *Look // once, before the next answer
	seen      *Look        // what meanwhile left
	asked     []map[string]any
	marked    int // questions when the last mcp verb began
}

// manners are how an approver can answer. A dialogue can be cancelled but neither
// fails nor redirects.
var manners = []string{"approve", "deny", "hang", "malformed", "fail", "redirect", "cancel"}

// configure adds what the server and the client need to know of an approver.
func (a *approver) configure(flags map[string]string) (*mcp.ClientOptions, *mcp.ClientSessionOptions) {
	switch {
	case a == nil:
		return nil, nil
	case a.elicits == "":
		flags["approval-webhook"] = a.server.URL
		return nil, nil
	}
	flags["approval"] = "elicitation"
	return &mcp.ClientOptions{ElicitationHandler: a.elicit}, &mcp.ClientSessionOptions{ProtocolVersion: a.elicits}
}

// elicit is the client's dialogue.
func (a *approver) elicit(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	manner, reason := a.heard(map[string]any{"message": r.Params.Message})
	switch manner {
	case "hang":
		<-ctx.Done()
		return nil, ctx.Err()
	case "cancel":
		return &mcp.ElicitResult{Action: "cancel"}, nil
	case "deny":
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "deny", "reason": reason}}, nil
	case "approve":
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "approve", "reason": reason}}, nil
	}
	return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "perhaps"}}, nil
}

// heard keeps a question and says how to answer it.
func (a *approver) heard(q map[string]any) (manner, reason string) {
	a.mu.Lock()
	a.asked = append(a.asked, q)
	manner, reason, meanwhile := a.manner, a.reason, a.meanwhile
	a.meanwhile = nil
	a.mu.Unlock()
	if meanwhile != nil {
		look := meanwhile()
		a.mu.Lock()
		a.seen = look
		a.mu.Unlock()
	}
	return manner, reason
}

func newApprover() *approver {
	a := &approver{}
	a.server = httptest.NewServer(a)
	return a
}

func (a *approver) close() {
	a.server.CloseClientConnections()
	a.server.Close()
}

// ServeHTTP is the webhook.
func (a *approver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	var q map[string]any
	if err != nil || json.Unmarshal(raw, &q) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	manner, reason := a.heard(q)
	w.Header().Set("Content-Type", "application/json")
	switch manner {
	case "hang":
		<-r.Context().Done()
	case "malformed":
		_, _ = io.WriteString(w, `{"approved":"yes"}`)
	case "fail":
		w.WriteHeader(http.StatusServiceUnavailable)
	case "redirect":
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	default:
		// A client that is gone does not matter.
		_ = json.NewEncoder(w).Encode(map[string]any{"approved": manner == "approve", "reason": reason})
	}
}

// questions are those since the last mcp verb, or all, about one tool if named.
func (a *approver) questions(all bool, tool string) []map[string]any {
	a.mu.Lock()
	defer a.mu.Unlock()
	from := a.marked
	if all {
		from = 0
	}
	return slices.DeleteFunc(slices.Clone(a.asked[from:]), func(q map[string]any) bool { return tool != "" && q["action"] != tool })
}

func (a *approver) mark() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.marked = len(a.asked)
}

// meanwhile does what a person does while a question waits and says what that left;
// nil when it failed, which the law of refused calls then brings to light.
func (s *session) meanwhile(ctx context.Context, words []string) *Look {
	if err := s.backend.Human(ctx, words); err != nil {
		return nil
	}
	look, err := s.backend.Look(ctx)
	if err != nil {
		return nil
	}
	return &look
}

// left is what a person left who did something while the last question waited.
func (a *approver) left() *Look {
	a.mu.Lock()
	defer a.mu.Unlock()
	l := a.seen
	a.seen = nil
	return l
}

func verbApprover(sc *scenario, _ *testscript.TestScript, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("usage: approver %s [REASON], or approver meanwhile VERB ARG…", strings.Join(manners, "|"))
	}
	for _, s := range sc.sessions {
		if s.approver == nil {
			if sc.started {
				return fmt.Errorf("the first approver must come before the first call")
			}
			s.approver = newApprover()
		}
		a := s.approver
		a.mu.Lock()
		switch {
		case args[0] == "meanwhile" && len(args) > 1:
			a.meanwhile = func() *Look { return s.meanwhile(sc.ctx, args[1:]) }
		case args[0] == "elicitation" && len(args) == 2 && !sc.started:
			a.elicits = args[1]
		case slices.Contains(manners, args[0]):
			a.manner, a.reason = args[0], strings.Join(args[1:], " ")
		default:
			a.mu.Unlock()
			return fmt.Errorf("approver: unknown manner %q", args[0])
		}
		a.mu.Unlock()
	}
	return nil
}

// verbAsked counts questions: asked N [TOOL|total].
func verbAsked(sc *scenario, _ *testscript.TestScript, args []string) error {
	if len(args) == 0 || len(args) > 2 {
		return fmt.Errorf("usage: asked N [TOOL|total]")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	return sc.each(func(s *session) error {
		if s.approver == nil {
			return fmt.Errorf("there is no approver")
		}
		tool := ""
		if len(args) == 2 && args[1] != "total" {
			tool = s.tool(args[1]).name
		}
		if got := s.approver.questions(len(args) == 2 && args[1] == "total", tool); len(got) != want {
			return fmt.Errorf("the approver was asked %d times, want %d:\n%s", len(got), want, pretty(got))
		}
		return nil
	})
}

// verbQuestion looks at the first question of the last mcp verb.
func verbQuestion(sc *scenario, _ *testscript.TestScript, args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("usage: question KEY OP [VALUE]")
	}
	return sc.each(func(s *session) error {
		var list []map[string]any
		if s.approver != nil {
			list = s.approver.questions(false, "")
		}
		if len(list) == 0 {
			return fmt.Errorf("nobody was asked")
		}
		if err := expect(list[0], args[0], args[1], args[2:]); err != nil {
			return fmt.Errorf("%w\nthe question:\n%s", err, pretty(list[0]))
		}
		return nil
	})
}
