package scripts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"godot-mcp/server"
	"godot-mcp/server/bridge/memory"
	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/toolsets"
	"godot-mcp/server/safety"
)

// defaultFlags let a scenario call every tool.
var defaultFlags = []string{"--profile", "full", "--toolsets", "all", "--allow-destructive"}

// A session is one server with one client and one editor.
type session struct {
	backend Backend
	flags   []string
	srv     *server.Server
	client  *mcp.ClientSession
	url     string
	marked  int    // commands received when the last mcp verb began
	state   string // a folder of its own for what the server remembers
	// audited: the server keeps an audit file in its folder, if no flag names one.
	audited bool
	// network is where server and editor meet; nil is a port of this machine.
	network *memory.Net
	// approver is the person who approves calls; nil without one.
	approver *approver
	// strange is the folder beside the project that nothing may change, and kept
	// what it held at the start.
	strange, kept string
	// http says how the server is served over HTTP, and door is where.
	http server.HTTPOptions
	door *httpDoor
	// last is the newest answer; keeps is what the verb keep took from answers.
	last  any
	keeps map[string]any
	// seen are texts that are this session's by nature, with what stands for
	// them when the answers of two editors are compared.
	seen map[string]string
}

func (s *session) start(ctx context.Context, files map[string][]byte) error {
	flags := map[string]string{"bridge-url": "ws://127.0.0.1:0"}
	for i := 0; i < len(s.flags); i++ {
		name, value, joined := strings.Cut(strings.TrimPrefix(s.flags[i], "--"), "=")
		if !joined {
			if name == "allow-destructive" || name == "require-idempotency" || name == "approval-fail-open" {
				flags[name] = "true"
				continue
			}
			if i+1 >= len(s.flags) {
				return fmt.Errorf("server flag --%s has no value", name)
			}
			i++
			value = s.flags[i]
		}
		flags[name] = value
	}
	clientOptions, sessionOptions := s.approver.configure(flags)
	cfg, err := server.Load(flags, func(string) string { return "" })
	if err != nil {
		return err
	}
	cfg.Log, cfg.Version = io.Discard, "scenario"
	if cfg.StateDir == "" {
		// What other servers of this user remember is not for a scenario.
		if s.state == "" {
			if s.state, err = os.MkdirTemp("", "godot-mcp-state-"); err != nil {
				return err
			}
		}
		cfg.StateDir = s.state
	}
	if s.audited && cfg.Audit == "" && s.state != "" {
		cfg.Audit = filepath.Join(cfg.StateDir, "audit.jsonl")
	}
	if s.network != nil {
		cfg.Listen = s.network.Listen
	}
	s.http = cfg.HTTP
	if s.srv, err = server.New(cfg); err != nil {
		return err
	}
	if err := s.srv.Start(); err != nil {
		return err
	}
	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := s.srv.MCP().Connect(ctx, theirs, nil); err != nil {
		return err
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "scenario", Version: "1"}, clientOptions)
	if s.client, err = c.Connect(ctx, ours, sessionOptions); err != nil {
		return err
	}
	s.url = s.srv.Bridge().Status().URL
	if err := s.backend.Open(ctx, files, s.url, cfg.BridgeToken); err != nil {
		return err
	}
	return s.await(ctx, true)
}

// await waits until an editor is attached, or until none is.
func (s *session) await(ctx context.Context, attached bool) error {
	pause := time.Millisecond
	if s.network != nil {
		// On a clock that stands still, first let happen what happens now, and look at no
		// moment at which something else may be due.
		pause += time.Nanosecond
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for (s.srv.Bridge().Peer() != nil) != attached {
		select {
		case <-ctx.Done():
			said := ""
			if b, ok := s.backend.(interface{ said() string }); ok {
				said = "\n" + b.said()
			}
			return fmt.Errorf("waiting for the editor (attached: %v): %w%s", attached, ctx.Err(), said)
		case <-tick.C:
		}
	}
	return nil
}

func (s *session) stopEditor(ctx context.Context) error {
	if err := s.backend.Stop(ctx); err != nil {
		return err
	}
	return s.await(ctx, false)
}

func (s *session) startEditor(ctx context.Context) error {
	if err := s.backend.Restart(ctx); err != nil {
		return err
	}
	return s.await(ctx, true)
}

func (s *session) close() error {
	var errs []error
	if s.client != nil {
		errs = append(errs, s.client.Close())
	}
	if s.door != nil {
		s.door.close()
	}
	if s.srv != nil {
		s.srv.Close()
	}
	if s.approver != nil {
		s.approver.close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return errors.Join(append(errs, s.backend.Reset(ctx), s.leave())...)
}

func (s *session) mark() {
	if s.srv != nil {
		s.marked = s.backend.Received()
	}
	if s.approver != nil {
		s.approver.mark()
	}
}

// A tool is a catalogue entry by the name that a scenario used.
type tool struct {
	name string // exposed
	*catalog.Tool
}

// tools is the catalogue; made on first use, since the command line links this
// package whether or not it runs scenarios.
var tools = sync.OnceValue(toolsets.Catalog)

// tool finds a tool by exposed name or handler; an unknown name goes out as it is.
func (s *session) tool(name string) tool {
	for _, t := range tools().Tools() {
		if t.Name == name || t.Handler == name {
			return tool{t.Name, t}
		}
	}
	return tool{name, nil}
}

func (t tool) readOnly() bool { return t.Tool != nil && t.Class == safety.ReadOnly && !t.history() }

// previews reports whether the tool takes dry_run.
func (t tool) previews() bool {
	return t.Tool != nil && (t.Class == safety.Mutating || t.Class == safety.Destructive)
}

// history marks the tools that move along the undo history.
func (t tool) history() bool {
	return t.Tool != nil && slices.Contains([]string{"undo", "redo"}, t.Handler)
}

// batch marks the tool whose entries are undo steps of their own.
func (t tool) batch() bool { return t.Tool != nil && t.Handler == catalog.BatchTool }

func (s *session) call(ctx context.Context, t tool, args map[string]any) (*mcp.CallToolResult, error) {
	return s.client.CallTool(ctx, &mcp.CallToolParams{Name: t.name, Arguments: args})
}

func (s *session) mustSucceed(ctx context.Context, t tool, args map[string]any) (map[string]any, error) {
	res, err := s.call(ctx, t, args)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.name, err)
	}
	answer, err := structured(res)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.name, err)
	}
	if res.IsError {
		return nil, &refusal{t.name, answer}
	}
	if err := obeysSchema(t, res); err != nil {
		return nil, broken("an answer obeys its output schema", "%s: %v\n%s", t.name, err, pretty(answer))
	}
	return answer, nil
}

// A refusal is a call that was answered with a failure.
type refusal struct {
	tool   string
	answer map[string]any
}

func (r *refusal) Error() string { return r.tool + " failed:\n" + pretty(r.answer) }

// mustFail makes a call that has to be refused, and holds it to having changed nothing.
func (s *session) mustFail(ctx context.Context, t tool, args map[string]any) (any, error) {
	before, err := s.backend.Look(ctx)
	if err != nil {
		return nil, err
	}
	res, err := s.call(ctx, t, args)
	if err != nil {
		return nil, fmt.Errorf("%s: a protocol error where a tool error is due: %w", t.name, err)
	}
	answer, err := structured(res)
	if err != nil {
		return nil, err
	}
	if !res.IsError {
		return nil, fmt.Errorf("%s succeeded:\n%s", t.name, pretty(answer))
	}
	if answer["may_have_applied"] == true {
		return answer, nil
	}
	if s.approver != nil {
		if left := s.approver.left(); left != nil {
			before = *left
		}
	}
	after, err := s.backend.Look(ctx)
	if err != nil {
		return nil, err
	}
	return answer, same("a refused call changes nothing", before, after)
}

func (s *session) mustBeRefused(ctx context.Context, name string, args map[string]any) (any, error) {
	res, err := s.call(ctx, tool{name, nil}, args)
	if err == nil {
		return nil, fmt.Errorf("%s was answered: %s", name, compact(res))
	}
	return err.Error(), nil
}

// structured is the structured content as plain JSON values. The text must
// carry the same, or the failure in words.
func structured(res *mcp.CallToolResult) (map[string]any, error) {
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		return nil, err
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil || out == nil {
		return nil, fmt.Errorf("the answer has no structured object: %s", compact(res))
	}
	if len(res.Content) == 0 {
		return nil, errors.New("the answer has no text")
	}
	return out, nil
}

func obeysSchema(t tool, res *mcp.CallToolResult) error {
	if t.Tool == nil {
		return nil
	}
	return validate(t.Tool, res.StructuredContent)
}

func (s *session) list(ctx context.Context) (any, error) {
	out := []any{}
	for t, err := range s.client.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		out = append(out, t.Name)
	}
	return out, nil
}

func (s *session) read(ctx context.Context, uri string) (any, error) {
	res, err := s.client.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return nil, err
	}
	if len(res.Contents) != 1 {
		return nil, fmt.Errorf("%d contents", len(res.Contents))
	}
	var v any
	if err := json.Unmarshal([]byte(res.Contents[0].Text), &v); err != nil {
		return nil, fmt.Errorf("%s is not JSON: %w", uri, err)
	}
	return v, nil
}
