// Package webhook asks a person by way of a program of theirs: it posts each
// question to an address and takes the reply.
//
// The request is
//
//	POST URL
//	Content-Type: application/json
//	Authorization: Bearer TOKEN             (when there is a token)
//	Godot-MCP-Signature: sha256=HEX         (when there is a secret: HMAC of the body)
//
//	{"action": "godot_scene_edit_delete_node",      the tool
//	 "safety_class": "destructive",                 worst class of a batch
//	 "params": {…},                                 final arguments
//	 "preview": {…} or null,                        the answer of the same call as a dry run
//	 "task_context": {…},                           see [TaskContext]
//	 "timestamp": "2026-01-02T03:04:05Z"}
//
// and the reply, within the time limit,
//
//	200, Content-Type: application/json
//	{"approved": true or false, "reason": "…"}
//
// Everything else is no approval: another status, a redirect (it is not
// followed), another content type, a reply that is longer than 64 KiB, is not
// one JSON object, says a thing twice or has no plain true or false in approved.
// What cannot be reached, or has another status, is told apart from what answers
// nonsense ([approval.FaultKind]): the server may be started to overlook the
// former, never the latter.
package webhook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"time"

	"godot-mcp/server/approval"
)

// Name is what the webhook is called in verdicts and audit lines.
const Name = "webhook"

// Timeout is how long a reply may take, unless somebody says.
const Timeout = 30 * time.Second

const (
	maxReply    = 64 << 10
	dialTimeout = 10 * time.Second
)

// SignatureHeader holds the HMAC of the body.
const SignatureHeader = "Godot-MCP-Signature"

// Config is what a hook is made with.
type Config struct {
	URL    string
	Token  string // for the Authorization header; may be empty
	Secret string // key of the signature; may be empty
	// Server, Profile and Mode are for [TaskContext].
	Server, Profile, Mode string
	// Dial opens connections; nil is the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Hook is an [approval.Approver].
type Hook struct {
	cfg    Config
	client *http.Client
}

// CheckURL says whether questions can be posted to an address. Secrets belong
// into token and secret, which are never written down.
func CheckURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return errors.New("is not a URL")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return errors.New("must begin with http:// or https:// and name a host")
	case u.User != nil:
		return errors.New("must not hold a user name or password; use --approval-token")
	case u.Fragment != "":
		return errors.New("must not have a fragment")
	}
	return nil
}

// New makes a hook. The address is checked when it is used.
func New(cfg Config) *Hook {
	dial := cfg.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: dialTimeout}).DialContext
	}
	return &Hook{cfg: cfg, client: &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dial, TLSHandshakeTimeout: dialTimeout,
			MaxResponseHeaderBytes: maxReply, DisableCompression: true, DisableKeepAlives: true,
		},
		// A redirect is an answer from somebody who was not asked.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Name implements [approval.Approver].
func (h *Hook) Name() string { return Name }

// payload is the body of a request.
type payload struct {
	Action      string          `json:"action"`
	SafetyClass string          `json:"safety_class"`
	Params      json.RawMessage `json:"params"`
	Preview     json.RawMessage `json:"preview"`
	TaskContext TaskContext     `json:"task_context"`
	Timestamp   string          `json:"timestamp"`
}

// TaskContext is what a request tells beside the call itself.
type TaskContext struct {
	ID string `json:"id"` // of the question; no two have the same
	// Until is when an answer comes too late.
	Until         string           `json:"until"`
	Client        string           `json:"client,omitempty"` // as it calls itself
	Server        string           `json:"server,omitempty"`
	Profile       string           `json:"profile,omitempty"`
	Mode          string           `json:"mode,omitempty"`
	Because       string           `json:"because"` // why a person is asked
	Irreversible  bool             `json:"irreversible"`
	Targets       []string         `json:"targets,omitempty"`
	Entries       []approval.Entry `json:"entries,omitempty"` // of a batch
	IdempotencyID string           `json:"idempotency_id,omitempty"`
}

// Ask implements [approval.Approver].
func (h *Hook) Ask(ctx context.Context, q approval.Question) approval.Verdict {
	body, err := h.body(q)
	if err != nil {
		return approval.Failed(Name, approval.Malformed, "the question cannot be written: "+err.Error())
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.cfg.URL, bytes.NewReader(body))
	if err != nil {
		return approval.Failed(Name, approval.Malformed, "the address is not valid")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "godot-mcp")
	if h.cfg.Token != "" {
		req.Header.Set("Authorization", "Bearer "+h.cfg.Token)
	}
	if h.cfg.Secret != "" {
		req.Header.Set(SignatureHeader, Signature(h.cfg.Secret, body))
	}
	res, err := h.client.Do(req)
	if err != nil {
		return lost(ctx, err)
	}
	defer func() { _ = res.Body.Close() }()
	return read(ctx, res)
}

func (h *Hook) body(q approval.Question) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(payload{
		Action: q.Tool, SafetyClass: q.Class, Params: q.Arguments, Preview: q.Preview,
		Timestamp: q.Asked.UTC().Format(time.RFC3339Nano),
		TaskContext: TaskContext{
			ID: q.ID, Until: q.Until.UTC().Format(time.RFC3339Nano), Client: q.Client, Server: h.cfg.Server,
			Profile: h.cfg.Profile, Mode: h.cfg.Mode, Because: q.Rule, Irreversible: q.Irreversible,
			Targets: q.Targets, Entries: q.Entries, IdempotencyID: q.IdempotencyID,
		},
	})
	return b.Bytes(), err
}

// Signature is the value of [SignatureHeader] for a body.
func Signature(secret string, body []byte) string {
	m := hmac.New(sha256.New, []byte(secret))
	m.Write(body)
	return "sha256=" + hex.EncodeToString(m.Sum(nil))
}

// lost is the verdict when no reply came. A peer that is not who it should be has
// been reached all the same.
func lost(ctx context.Context, err error) approval.Verdict {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return approval.Failed(Name, approval.Malformed, "its certificate is not valid")
	}
	if ctx.Err() != nil {
		return approval.Failed(Name, approval.Expired, "no answer in time")
	}
	// The address may hold what is nobody's business.
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if _, ok := errors.AsType[net.Error](err); ok || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return approval.Failed(Name, approval.Unreachable, "it cannot be reached: "+err.Error())
	}
	return approval.Failed(Name, approval.Malformed, "its answer cannot be read: "+err.Error())
}

// read takes the reply.
func read(ctx context.Context, res *http.Response) approval.Verdict {
	bad := func(why string) approval.Verdict { return approval.Failed(Name, approval.Malformed, why) }
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400:
		return bad(fmt.Sprintf("it redirects (status %d)", res.StatusCode))
	case res.StatusCode < 200 || res.StatusCode >= 300:
		return approval.Failed(Name, approval.Unreachable, fmt.Sprintf("it answers with status %d", res.StatusCode))
	}
	if kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return bad("its answer is not application/json")
	}
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxReply+1))
	switch {
	case ctx.Err() != nil:
		return approval.Failed(Name, approval.Expired, "no whole answer in time")
	case err != nil:
		return bad("its answer broke off")
	case len(raw) > maxReply:
		return bad("its answer is too long")
	}
	approved, reason, err := parse(raw)
	if err != nil {
		return bad(err.Error())
	}
	return approval.Verdict{Approved: approved, Reason: reason, By: Name}
}
