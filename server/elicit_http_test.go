package server

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/approval"
)

func approving(by string, a approval.Approver) Config {
	cfg := editing()
	cfg.AllowDestructive, cfg.Toolsets, cfg.Approval.By, cfg.Approval.Approver = false, []string{"all"}, by, a
	return cfg
}

// Real clients of every revision that can ask, over HTTP.
func TestElicitationOverHTTP(t *testing.T) {
	e := undoEditor()
	w := serveWeb(t, approving(byElicitation, nil), HTTPOptions{}, e)
	for _, version := range []string{"2026-07-28", "2025-11-25", "2025-06-18"} {
		answer := &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "approve", "reason": "go"}}
		asked := 0
		c := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, &mcp.ClientOptions{
			ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				asked++
				assert.Contains(t, r.Params.Message, "godot_undo")
				return answer, nil
			},
		})
		s, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: "http://127.0.0.1:9090/mcp", HTTPClient: w.httpClient()}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		require.NoError(t, err, version)
		before := changed(e)
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "godot_undo"})
		require.NoError(t, err, version)
		require.False(t, r.IsError, "%s %v", version, r.StructuredContent)
		assert.Equal(t, map[string]any{"by": "elicitation", "reason": "go"}, r.StructuredContent.(map[string]any)["approval"], version)
		assert.Equal(t, before+1, changed(e))
		answer = &mcp.ElicitResult{Action: "decline"}
		r, err = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "godot_undo"})
		require.NoError(t, err, version)
		assert.True(t, r.IsError, version)
		assert.Equal(t, before+1, changed(e))
		assert.Equal(t, 2, asked, version)
		require.NoError(t, s.Close())
	}
	r := w.raw(modern("tools/call", "godot_undo", `"name":"godot_undo","arguments":{}`))
	assert.Equal(t, http.StatusBadRequest, r.StatusCode)
	assert.Equal(t, -32021, rpcCode(t, r))
}

// A question lasts longer than any limit of the transport, and goes with its caller.
func TestQuestionsOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newSlowPerson(4*time.Minute, approval.Verdict{Approved: true, By: "console"})
		e := undoEditor()
		w := serveWeb(t, approving("", p), HTTPOptions{SessionIdle: time.Minute}, e)
		for _, version := range []string{"2026-07-28", "2025-11-25"} {
			c := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil)
			s, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: "http://127.0.0.1:9090/mcp", HTTPClient: w.httpClient()}, &mcp.ClientSessionOptions{ProtocolVersion: version})
			require.NoError(t, err, version)
			before := changed(e)
			r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "godot_undo"})
			require.NoError(t, err, version)
			require.False(t, r.IsError, "%s %v", version, r.StructuredContent)
			<-p.asked
			assert.Equal(t, before+1, changed(e))
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				<-p.asked
				cancel(errors.New("changed my mind"))
			}()
			_, err = s.CallTool(ctx, &mcp.CallToolParams{Name: "godot_undo"})
			require.Error(t, err)
			<-p.withdrawn
			synctest.Wait()
			assert.Equal(t, before+1, changed(e))
			require.NoError(t, s.Close())
		}
		w.close()
	})
}
