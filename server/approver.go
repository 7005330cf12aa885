package server

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"godot-mcp/server/approval"
	"godot-mcp/server/approval/console"
	"godot-mcp/server/approval/webhook"
)

// The ways to ask a person; a server has one of them or none.
const (
	byConsole     = console.Name
	byWebhook     = webhook.Name
	byElicitation = "elicitation"
	byNobody      = "none"
)

// PeopleTimeout is how long a person may take to answer, unless somebody says.
const PeopleTimeout = 5 * time.Minute

// Approval says how a person is asked about calls that change something.
type Approval struct {
	// By is console, webhook or elicitation; empty asks nobody.
	By string
	// Console is where the page is served, on loopback; empty: a free port. Open
	// shows it in the browser at the start.
	Console string
	Open    bool
	// Webhook is where questions are posted; Token and Secret go with them
	// ([webhook.Config]).
	Webhook, Token, Secret string
	// FailOpen lets calls through while the webhook cannot be reached.
	FailOpen bool
	// Timeout is how long an answer may take; zero is the approver's own.
	Timeout time.Duration
	// Approver is asked in place of all that; for other programs and tests.
	Approver approval.Approver

	require bool
}

// name is the approver's in decisions and audit lines; empty without one.
func (a *Approval) name() string {
	if a.Approver != nil {
		return a.Approver.Name()
	}
	return a.By
}

func (a *Approval) timeout() time.Duration {
	switch {
	case a.Timeout > 0:
		return a.Timeout
	case a.By == byWebhook && a.Approver == nil:
		return webhook.Timeout
	}
	return PeopleTimeout
}

// settle chooses the approver from what was set, and refuses settings of one that
// is not chosen: who sets them expects to be asked.
func (a *Approval) settle() error {
	switch {
	case a.By == byNobody:
		*a = Approval{} // whatever the environment says beside it
		return nil
	case a.By != byConsole && (a.Console != "" || a.Open):
		return errors.New("--approval-console and --approval-open are for --approval console")
	case a.By == "" && a.Webhook != "" && a.require:
		return errors.New("a webhook and elicitation are set, and only one can be used; choose with --approval")
	case a.By == "" && a.Webhook != "":
		a.By = byWebhook
	case a.By == "" && a.require:
		a.By = byElicitation
	}
	switch {
	case a.By == byWebhook && a.Webhook == "":
		return errors.New("--approval webhook needs --approval-webhook URL")
	case a.By != byWebhook && (a.FailOpen || a.Token != "" || a.Secret != "") && a.By != "":
		return fmt.Errorf("--approval-fail-open, -token and -secret are for the webhook, and calls are approved by %s", a.By)
	case a.By == "" && a.FailOpen:
		return errors.New("--approval-fail-open is for the webhook, and there is none")
	}
	return nil
}

// unsafeWebhook says whether the answer of a webhook could be another's: it comes
// over a network without TLS.
func (a *Approval) unsafeWebhook() bool {
	u, err := url.Parse(a.Webhook)
	if err != nil || a.By != byWebhook || u.Scheme != "http" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback())
}

// approver makes what asks; nil when nobody is asked.
func (s *Server) approver() approval.Approver {
	a := &s.cfg.Approval
	switch {
	case a.Approver != nil:
		return a.Approver
	case a.By == byConsole:
		s.queue = console.NewQueue()
		return s.queue
	case a.By == byElicitation:
		return newElicitor(s)
	case a.By == byWebhook:
		if a.unsafeWebhook() {
			s.log.Warn("the approval webhook is asked over a network without TLS, where others can answer")
		}
		g := s.env.Gate
		return webhook.New(webhook.Config{
			URL: a.Webhook, Token: a.Token, Secret: a.Secret, Server: s.cfg.Version, Profile: string(g.Profile), Mode: string(g.Mode),
		})
	}
	return nil
}

// approvalOptions are the settings of [Approval].
func approvalOptions() []Option {
	choices := []string{byConsole, byWebhook, byElicitation, byNobody}
	return []Option{
		{"approval", []string{"GODOT_MCP_APPROVAL"}, strings.Join(choices, "|"), "who is asked before a call changes something: a person on a page of this server, a program of yours, the client's user, or nobody (default); see godot-mcp help approval", func(c *Config, v string) error {
			for _, choice := range choices {
				if v == choice {
					c.Approval.By = v
					return nil
				}
			}
			return fmt.Errorf("must be one of %s", strings.Join(choices, ", "))
		}},
		{"approval-console", []string{"GODOT_MCP_APPROVAL_CONSOLE"}, "HOST:PORT", "where the approval page is served, on loopback (default: a free port)", func(c *Config, v string) error {
			c.Approval.Console = v
			return console.CheckAddress(v)
		}},
		{"approval-open", []string{"GODOT_MCP_APPROVAL_OPEN"}, "", "open the approval page in the browser at the start", func(c *Config, v string) (err error) {
			c.Approval.Open, err = strconv.ParseBool(v)
			return err
		}},
		{"approval-webhook", []string{"GODOT_MCP_APPROVAL_WEBHOOK"}, "URL", "post questions to this address; chooses --approval webhook", func(c *Config, v string) error {
			c.Approval.Webhook = v
			return webhook.CheckURL(v)
		}},
		{"approval-token", []string{"GODOT_MCP_APPROVAL_TOKEN"}, "TEXT", "bearer token for the webhook; better set in the environment", func(c *Config, v string) error {
			c.Approval.Token = v
			return headerText(v)
		}},
		{"approval-secret", []string{"GODOT_MCP_APPROVAL_SECRET"}, "TEXT", "key of the signature over what the webhook gets; better set in the environment", func(c *Config, v string) error {
			c.Approval.Secret = v
			return nil
		}},
		{"approval-fail-open", []string{"GODOT_MCP_APPROVAL_FAIL_OPEN"}, "", "go on with a call when the webhook cannot be reached or answers with an error status", func(c *Config, v string) (err error) {
			c.Approval.FailOpen, err = strconv.ParseBool(v)
			return err
		}},
		{"approval-require", []string{"GODOT_MCP_APPROVAL_REQUIRE"}, "", "the same as --approval elicitation", func(c *Config, v string) (err error) {
			c.Approval.require, err = strconv.ParseBool(v)
			return err
		}},
		{"approval-timeout", []string{"GODOT_MCP_APPROVAL_TIMEOUT"}, "SECONDS", "how long an answer may take (default 300, for the webhook 30); after that the call is denied", func(c *Config, v string) error {
			s, err := strconv.ParseFloat(v, 64)
			if err != nil || !(s >= 0.1 && s <= 86_400) { // NaN is neither
				return errors.New("must be seconds from 0.1 to 86400")
			}
			c.Approval.Timeout = time.Duration(s * float64(time.Second))
			return nil
		}},
	}
}

// headerText refuses what cannot stand in a header.
func headerText(v string) error {
	for _, r := range v {
		if r < 0x21 || r > 0x7e {
			return errors.New("must be printable ASCII without spaces")
		}
	}
	return nil
}
