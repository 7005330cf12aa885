package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"godot-mcp/server/answer"
	"godot-mcp/server/audit"
	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
)

const methodRead = "resources/read"

// unasked is the approver of calls that a rule wanted a person to approve, made
// although there was none.
const unasked = "executed without a human"

// sharedWriter lets log and audit use one stream without mixing their lines.
type sharedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *sharedWriter) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}

// share makes the stream of the configuration one that may be shared.
func (c *Config) share() {
	if _, ok := c.Log.(*sharedWriter); ok {
		return
	}
	if c.Log == nil {
		c.Log = os.Stderr
	}
	c.Log = &sharedWriter{w: c.Log}
}

// openAudit opens the audit log of a configuration.
func (c *Config) openAudit() (*audit.Log, error) {
	if c.Audit == "" {
		return audit.New(c.Log), nil
	}
	if within(c.ProjectDir, c.Audit) {
		return nil, fmt.Errorf("the audit file %s lies inside the project, where tools can write; choose another place", c.Audit)
	}
	g, _ := c.gate()
	details := map[string]any{"version": c.Version, "pid": os.Getpid(), "gate_open": g.OpenGate, "ask": "deny", "confirm": "plain", "transport": c.Transport}
	details["isolate"] = cmp.Or(string(c.Isolation), "off")
	if c.Transport == HTTP {
		details["http"], details["http_token"] = c.HTTP.Addr, c.HTTP.Token != ""
	}
	if g.GoOn {
		details["ask"] = "execute"
	}
	if g.Approver != "" {
		details["approval"] = g.Approver
		if g.FailOpen {
			details["approval_fail_open"] = true
		}
	}
	if g.Echo {
		details["confirm"] = "echo"
	}
	if c.Permissions != nil {
		details["permissions"] = c.Permissions.Name
	}
	return audit.Open(c.Log, c.Audit, audit.Record{
		Time: time.Now(), Event: audit.Start, Profile: string(g.Profile), Mode: string(g.Mode), Details: details,
	})
}

// within says whether a file lies below a folder.
func within(folder, file string) bool {
	if folder == "" || file == "" {
		return false
	}
	real := func(p string) string {
		if r, err := filepath.EvalSymlinks(p); err == nil {
			return r
		}
		return p
	}
	rel, err := filepath.Rel(real(folder), filepath.Join(real(filepath.Dir(file)), filepath.Base(file)))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// callNote is what a call leaves for its audit line.
type callNote struct {
	id       string
	decision safety.Decision
	entries  []catalog.EntryNote
	done     func()
}

type noteKey struct{}

func noteOf(ctx context.Context) *callNote {
	n, _ := ctx.Value(noteKey{}).(*callNote)
	return n
}

// newRun names a run of the server; call ids begin with it.
func newRun() string {
	b := make([]byte, 6)
	// It never fails (package documentation).
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

// auditCalls writes one line for every call of a tool and every read of a resource.
func (s *Server) auditCalls(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method != methodCall && method != methodRead {
			return next(ctx, method, req)
		}
		note := &callNote{id: fmt.Sprintf("%s-%d", s.run, s.calls.Add(1))}
		begin := time.Now()
		res, err := next(context.WithValue(ctx, noteKey{}, note), method, req)
		r := audit.Record{
			Time: begin, Event: audit.Call, Call: note.id, Profile: string(s.env.Gate.Profile), Mode: string(s.env.Gate.Mode),
			Duration: float64(time.Since(begin).Microseconds()) / 1000,
		}
		if method == methodRead {
			r.Event = audit.Read
		}
		s.describe(&r, note, req)
		s.whose(ctx, &r, req)
		r.Outcome, r.Reason = outcomeOf(res, err)
		s.audit.Write(r)
		if note.done != nil {
			note.done()
		}
		return res, err
	}
}

// whose says who made a call.
func (s *Server) whose(ctx context.Context, r *audit.Record, req mcp.Request) {
	if named, ok := req.(interface{ ClientInfo() *mcp.Implementation }); ok {
		if info := named.ClientInfo(); info != nil {
			r.Client = s.sanitizer.Text(clientName(info.Name, info.Version))
		}
	}
	r.Transport = Stdio
	if overHTTP(req) {
		r.Transport = HTTP
	}
	if web := webCallOf(ctx); web != nil {
		r.Session, r.Remote = web.session, web.remote
	}
}

func (s *Server) describe(r *audit.Record, note *callNote, req mcp.Request) {
	var marked []string
	var raw json.RawMessage
	switch p := req.GetParams().(type) {
	case *mcp.CallToolParamsRaw:
		r.Tool, raw = short(s.sanitizer.Text(p.Name)), p.Arguments
		if t, ok := s.catalog.Tool(p.Name); ok {
			r.Class, marked = string(t.Class), t.Secret
		}
	case *mcp.ReadResourceParams:
		raw, _ = json.Marshal(map[string]string{"uri": p.URI})
	}
	r.Params = s.sanitizer.Params(raw, marked)
	d := note.decision
	r.Decision, r.Stage, r.Effect = string(d.Outcome), d.Stage, string(d.Ruling.Effect)
	if d.Ruling.Layer != "" {
		r.Rule = d.Ruling.String()
	}
	asked := d.Ruling.Unasked
	for _, e := range note.entries {
		entry := audit.Entry{Tool: e.Tool.Name, Class: string(e.Tool.Class), Effect: string(e.Ruling.Effect)}
		if e.Ruling.Layer != "" {
			entry.Rule = e.Ruling.String()
		}
		asked = asked || e.Ruling.Unasked
		r.Entries = append(r.Entries, entry)
	}
	if asked && d.Outcome != safety.Refuse {
		r.Approver = unasked
	}
	if d.Consent != nil {
		s.describeConsent(r, d.Consent)
	}
}

func (s *Server) describeConsent(r *audit.Record, c *safety.Consent) {
	r.Approver, r.Asked = c.By, c.Why
	r.ApprovalReason = answer.Shown(s.sanitizer.Text(c.Reason))
	switch {
	case c.Unasked:
		r.Approver, r.Approval = unasked, string(c.Fault)
	case c.Given:
		r.Approval = "approved"
	case c.Later:
		r.Approval = "later"
	case c.Fault != "":
		r.Approval = string(c.Fault)
	default:
		r.Approval = "refused"
	}
}

// outcomeOf is "ok" or the code of the failure, as the client gets it.
func outcomeOf(res mcp.Result, err error) (outcome, reason string) {
	if err != nil {
		return "protocol_error", ""
	}
	r, ok := res.(*mcp.CallToolResult)
	switch {
	case ok && r.InputRequests != nil:
		return "input_required", ""
	case !ok || !r.IsError:
		return "ok", ""
	}
	var f answer.Failure
	if raw, isRaw := r.StructuredContent.(json.RawMessage); isRaw && json.Unmarshal(raw, &f) == nil {
		return string(f.ErrorCode), f.Reason
	}
	return "error", ""
}

// record is asked before an effect: it must be possible to write it down.
func (s *Server) record(ctx context.Context, _ *catalog.Tool) *answer.Failure {
	note := noteOf(ctx)
	if hello, ok := s.env.Editor.Hello(); ok && s.cfg.Audit != "" && within(hello.ProjectPath, s.cfg.Audit) {
		return answer.New(answer.AuditBroken, "message", "it lies inside the project, where tools can write")
	}
	done, err := s.audit.Ready()
	if err != nil {
		return answer.New(answer.AuditBroken, "message", err.Error())
	}
	if note == nil {
		done()
		return nil
	}
	note.done = done
	return nil
}
