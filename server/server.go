package server

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"godot-mcp/server/approval/console"
	"godot-mcp/server/audit"
	"godot-mcp/server/bridge"
	"godot-mcp/server/catalog"
	"godot-mcp/server/isolate"
	"godot-mcp/server/journal"
)

// The end of a server takes at most five seconds: answers under way may still
// go to the client, then edits that were sent may still be answered.
const (
	sessionEndLimit = 3 * time.Second
	bridgeEndLimit  = 1500 * time.Millisecond
)

// Server is one running server: one MCP front, one bridge, one editor at most.
type Server struct {
	cfg     Config
	log     *slog.Logger
	catalog *catalog.Catalog
	env     *catalog.Env
	bridge  *bridge.Bridge // nil when an editor was given to [NewWith]
	mcp     *mcp.Server
	limits  *limits
	web     webCalls
	// queue and page are for [Approval] by console, nil otherwise.
	queue *console.Queue
	page  *console.Console
	// audit gets a line for every call; run and calls name them.
	audit     *audit.Log
	sanitizer audit.Sanitizer
	run       string
	calls     atomic.Uint64
	keeper    *journal.Keeper // nil when an editor was given to [NewWith]
	// base is the parent of all work; it ends with the server.
	base context.Context
	stop context.CancelFunc
}

// New makes a server with its own bridge. Nothing listens before [Server.Start],
// but the approval page, if there is one.
func New(cfg Config) (*Server, error) {
	if err := cfg.isolated(); err != nil {
		return nil, err
	}
	cfg.share()
	if cfg.StateDir == "" {
		cfg.StateDir = DefaultStateDir()
	}
	var s *Server
	b, err := bridge.New(bridge.Config{
		URL: cfg.BridgeURL, Token: cfg.BridgeToken, Version: cfg.Version,
		Logger: cfg.logger(), RetryBind: 2 * time.Second, Listen: cfg.Listen,
		OnLate: func(l bridge.Late) { s.late(l) },
	})
	if err != nil {
		return nil, err
	}
	log, err := cfg.openAudit()
	if err != nil {
		return nil, err
	}
	s = newOver(cfg, b)
	s.audit = log
	if cfg.Isolation != isolate.Off {
		s.log.Info("the process is isolated", "mode", string(cfg.Isolation), "project", cfg.ProjectDir)
	}
	if cfg.Isolation == isolate.On {
		s.env.Server.GodotHome = filepath.Join(cfg.StateDir, "godot-home")
	}
	if err = s.keeper.Check(); err == nil && s.queue != nil {
		err = s.openConsole()
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func newOver(cfg Config, b *bridge.Bridge) *Server {
	e := &bridgeEditor{Bridge: b}
	s := NewWith(cfg, e)
	s.bridge, s.keeper = b, s.newKeeper(b)
	e.keeper, s.env.Journal = s.keeper, s.keeper
	s.env.BridgeProblem = func() string { return bridgeProblem(b.Status()) }
	b.SetToolsets(s.env.Gate.Toolsets.List())
	return s
}

// NewWith makes a server over an editor link that somebody else runs. It has no
// audit file.
func NewWith(cfg Config, editor catalog.Editor) *Server {
	cfg.share()
	s := &Server{
		cfg: cfg, log: cfg.logger(), catalog: cfg.catalog(), limits: newLimits(&cfg),
		audit: audit.New(cfg.Log), sanitizer: audit.Sanitizer{Secrets: []string{cfg.BridgeToken, cfg.HTTP.Token, cfg.Approval.Token, cfg.Approval.Secret}}, run: newRun(),
	}
	s.base, s.stop = context.WithCancel(context.Background())
	gate, unknown := cfg.gate()
	for _, name := range unknown {
		s.log.Warn("unknown toolset left out", "toolset", name)
	}
	if gate.OpenGate && gate.Approver == "" {
		s.log.Warn("tools whose effect nothing undoes are open, and nobody approves their calls", "flag", "--allow-destructive")
	}
	s.env = &catalog.Env{
		Editor: editor, Gate: gate, Snapshots: &catalog.Snapshots{}, Record: s.record,
		Server: catalog.ServerInfo{
			Version: cfg.Version, Transport: "stdio", BridgeURL: cfg.BridgeURL,
			GodotBin: cfg.GodotBin, ProjectDir: cfg.ProjectDir,
		},
	}
	if a := s.approver(); a != nil {
		s.env.Ask = (&asker{approver: a, limit: cfg.Approval.timeout(), server: s}).ask
	}
	s.mcp = s.newFront()
	gate.Toolsets.OnChange(s.toolsetsChanged)
	return s
}

// Start makes the bridge listen. An error is the operating system's, such as
// a port in use; the server then still answers, and says so.
func (s *Server) Start() error {
	if s.bridge == nil {
		return nil
	}
	err := s.bridge.Start()
	if err != nil {
		s.log.Warn("bridge does not listen", "url", s.cfg.BridgeURL, "error", err.Error())
	}
	// Port 0 in the configuration means a free one; answers name the one it is.
	s.env.Server.BridgeURL = s.bridge.Status().URL
	return err
}

// MCP is the front, for transports other than stdio.
func (s *Server) MCP() *mcp.Server { return s.mcp }

// Bridge is the link to the editor; nil when the server was made with [NewWith].
func (s *Server) Bridge() *bridge.Bridge { return s.bridge }

// Close ends the server within a few seconds: new calls are refused, edits
// that were sent may still be answered, then everything goes.
func (s *Server) Close() {
	s.stop()
	if s.page != nil {
		if err := s.page.Close(); err != nil {
			s.log.Warn("the approval page does not close", "error", err.Error())
		}
	}
	if s.bridge != nil {
		ctx, cancel := context.WithTimeout(context.Background(), bridgeEndLimit)
		defer cancel()
		s.bridge.Shutdown(ctx)
	}
	if s.keeper != nil {
		if err := s.keeper.Close(); err != nil {
			s.log.Error("journal does not close", "error", err.Error())
		}
	}
	if err := s.audit.Close(); err != nil {
		s.log.Error("the audit file lacks lines", "error", err.Error())
	}
}

func (s *Server) toolsetsChanged(enabled []string) {
	if s.bridge != nil {
		s.bridge.SetToolsets(enabled)
	}
	s.announceTools()
}

// bridgeProblem says why no editor can connect at all; empty when one can.
func bridgeProblem(st bridge.Status) string {
	if st.BindError == "" {
		return ""
	}
	text := "the server does not listen on " + st.URL + " (" + st.BindError + ")"
	if o := st.Owner; o != nil {
		text += fmt.Sprintf("; %s %s, process %d, holds the port since %s", o.Product, o.Version, o.PID, o.Since.Format(time.DateTime))
		if o.Project != "" {
			text += ", connected with the editor of " + o.Project
		} else {
			text += ", with no editor that it tells of"
		}
	}
	return text
}
