package sim

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"godot-mcp/evals/evidence"
	"godot-mcp/server/catalog"
)

// recorder is the outermost middleware of the server: it sees what the client
// asked and what it was answered, and lets things happen between calls.
type recorder struct {
	tools  *catalog.Catalog
	gap    time.Duration
	limit  func(calls, bytes int) bool // reports that the trial is over
	before func(ctx context.Context, call int) error

	one sync.Mutex // calls are made one after another

	mu        sync.Mutex
	zero      time.Time
	calls     []evidence.Call
	commands  map[string]int // command id → number of the call
	current   int
	bytes     int
	schemas   int
	surface   map[string]bool // tools whose schemas were served
	connected bool
	listed    bool
	stopped   bool
	broken    error
}

func newRecorder(tools *catalog.Catalog) *recorder {
	return &recorder{tools: tools, commands: map[string]int{}, surface: map[string]bool{}}
}

// sent notes that a command left the server.
func (r *recorder) sent(id, command string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.current == 0 || command == "cmd_get_outcome" {
		return
	}
	r.commands[id] = r.current
	c := &r.calls[r.current-1]
	c.Commands = append(c.Commands, command)
}

var errOver = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the session is over"}

func (r *recorder) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		r.mu.Lock()
		r.connected = true // newer clients do not initialize any more
		r.mu.Unlock()
		switch method {
		case "tools/list":
			res, err := next(ctx, method, req)
			r.mu.Lock()
			defer r.mu.Unlock()
			r.listed = true
			if l, ok := res.(*mcp.ListToolsResult); ok && err == nil {
				for _, t := range l.Tools {
					r.served(t.Name, t.Description, t.InputSchema)
				}
			}
			return res, err
		case "tools/call":
			return r.call(ctx, next, method, req)
		}
		return next(ctx, method, req)
	}
}

func (r *recorder) call(ctx context.Context, next mcp.MethodHandler, method string, req mcp.Request) (mcp.Result, error) {
	r.one.Lock()
	defer r.one.Unlock()
	time.Sleep(r.gap)
	r.mu.Lock()
	if r.stopped {
		r.mu.Unlock()
		return nil, errOver
	}
	n := len(r.calls) + 1
	c := evidence.Call{N: n}
	if p, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && p != nil {
		c.Name = p.Name
		if len(p.Arguments) > 0 && json.Unmarshal(p.Arguments, &c.Args) != nil {
			c.BadArgs = string(p.Arguments)
		}
	}
	if t, ok := r.tools.Tool(c.Name); ok {
		c.Tool, c.Class = t.Handler, string(t.Class)
	}
	c.DryRun, c.Confirm = truth(c.Args["dry_run"]), given(c.Args["confirm"])
	r.calls = append(r.calls, c)
	r.current = n
	r.mu.Unlock()

	if err := r.before(ctx, n); err != nil {
		r.mu.Lock()
		r.broken = errors.Join(r.broken, err)
		r.mu.Unlock()
	}
	start := time.Since(r.zero)
	res, err := next(ctx, method, req)

	r.mu.Lock()
	defer r.mu.Unlock()
	done := &r.calls[n-1]
	done.Start, done.End = start, time.Since(r.zero)
	answered(done, res, err)
	if tools, ok := done.Reply["tools"].([]any); ok && done.Tool == "enable_toolset" {
		for _, t := range tools {
			if m, ok := t.(map[string]any); ok {
				r.served(fmt.Sprint(m["name"]), fmt.Sprint(m["description"]), m["input_schema"])
			}
		}
	}
	r.bytes += done.Bytes
	r.stopped = r.limit(n, r.bytes)
	return res, err
}

// served counts the name, description and input schema of a tool, each tool
// once: how often a client reads the list again, and whether it got a schema from
// the list or from the answer of the call that switched it on, is its own affair.
func (r *recorder) served(name, description string, schema any) {
	if r.surface[name] {
		return
	}
	r.surface[name] = true
	if b, err := json.Marshal(schema); err == nil {
		r.schemas += len(name) + len(description) + len(b)
	}
}

// truth reads a flag as the server does, which takes texts too.
func truth(v any) bool { return v == true || v == "true" }

// given says that a confirm argument agrees; it may repeat a target instead.
func given(v any) bool { return v != nil && v != false && v != "false" && v != "" }

// lost are the reasons of answers that did not pass through the editor's queue.
var lost = []string{"deadline", "link_lost", "not_applied", "bad_reply", "cancelled", "bridge_connected", "call_deadline", "call_cancelled", "queue_full"}

// answered notes what the client got.
func answered(c *evidence.Call, res mcp.Result, err error) {
	if err != nil {
		c.Refused = err.Error()
		c.Bytes = len(c.Refused)
		return
	}
	out, ok := res.(*mcp.CallToolResult)
	if !ok {
		return
	}
	c.IsError = out.IsError
	var texts []string
	for _, part := range out.Content {
		if t, ok := part.(*mcp.TextContent); ok {
			texts = append(texts, t.Text)
		}
	}
	c.Text = strings.Join(texts, "\n")
	c.Bytes = len(c.Text)
	if raw, e := json.Marshal(out.StructuredContent); e == nil {
		_ = json.Unmarshal(raw, &c.Reply)
	}
	reason, _ := c.Reply["reason"].(string)
	c.Barrier = len(c.Commands) > 0 && !c.Uncertain() && (!c.IsError || !slices.Contains(lost, reason))
}
