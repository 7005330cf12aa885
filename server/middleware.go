package server

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"godot-mcp/server/answer"
)

// The middleware, outermost first: errors that can be sent, recover, audit, recover again (so that a call
// that failed by a panic has its line too), deadline, limits, list filter,
// known tools, then the call itself.

const (
	methodCall = "tools/call"
	methodList = "tools/list"
	// editorGrace is what the bridge may take beyond a command's time limit.
	editorGrace = 3 * time.Second
)

func toolName(req mcp.Request) string {
	if p, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && p != nil {
		return p.Name
	}
	return ""
}

// recover turns a panic into an answer: a fault in one call must not end the process.
func (s *Server) recover(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			r := recover()
			if r == nil {
				return
			}
			s.log.Error("panic in a call", "method", method, "tool", toolName(req), "panic", r, "stack", string(debug.Stack()))
			if method == methodCall {
				res, err = failed(answer.New(answer.ServerFault, "tool", toolName(req))), nil
				return
			}
			res, err = nil, internalFault()
		}()
		return next(ctx, method, req)
	}
}

func internalFault() *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error; the server's log has the cause"}
}

// validData mends errors whose data is no JSON: the SDK writes the address of a
// resource that is not there as Go text, and an answer that cannot be encoded
// would end the connection.
func validData(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		var fault *jsonrpc.Error
		if !errors.As(err, &fault) || len(fault.Data) == 0 || json.Valid(fault.Data) {
			return res, err
		}
		mended := &jsonrpc.Error{Code: fault.Code, Message: fault.Message}
		if p, ok := req.GetParams().(*mcp.ReadResourceParams); ok {
			// A string can be encoded.
			mended.Data, _ = json.Marshal(map[string]string{"uri": p.URI})
		}
		return res, mended
	}
}

// deadline bounds every call and ties it to the life of the server.
func (s *Server) deadline(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		limit := s.cfg.CallTimeout
		name := toolName(req)
		if t, ok := s.catalog.Tool(name); ok && t.Timeout > 0 {
			// The editor's own limit comes first, so that its better answer wins.
			limit = t.Timeout + editorGrace
		}
		if method == "subscriptions/listen" || limit <= 0 {
			return next(ctx, method, req)
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.base, cancel)()
		clock := newClock(ctx, limit)
		defer clock.stop()
		res, err := next(clock, method, req)
		if method != methodCall || err == nil {
			return res, err
		}
		switch {
		case s.base.Err() != nil && errors.Is(err, context.Canceled):
			return failed(answer.New(answer.ShuttingDown)), nil
		case errors.Is(err, context.DeadlineExceeded):
			return failed(answer.New(answer.CallDeadline, "tool", name, "seconds", limit.Seconds())), nil
		case errors.Is(err, context.Canceled):
			return failed(answer.New(answer.CallCancelled, "tool", name)), nil
		}
		return res, err
	}
}

// listTools puts the exposed tools into the answer of tools/list.
func (s *Server) listTools(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if list, ok := res.(*mcp.ListToolsResult); ok && method == methodList && err == nil {
			// All names fit one page of the SDK, so this is the only one.
			list.Tools = s.ExposedTools()
		}
		return res, err
	}
}

// knownTools answers calls of names that no tool has. Names of another
// profile, mode or toolset are known; their refusal is a tool's answer.
func (s *Server) knownTools(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method == methodCall {
			if _, ok := s.catalog.Tool(toolName(req)); !ok {
				return nil, s.unknownTool(toolName(req))
			}
		}
		return next(ctx, method, req)
	}
}
