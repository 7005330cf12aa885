package sim

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/evals/evidence"
)

// TestLines lets a client outside of the bubble work through a task whose first
// edit takes longer than the server waits, on no wall time.
func TestLines(t *testing.T) {
	l := NewLines()
	go func() {
		final, err := outsideOver(t.Context(), &mcp.IOTransport{Reader: l, Writer: l}, nil)
		l.Finish(final, evidence.Done, err)
	}()
	ev, err := Run(t.Context(), taskNamed(t, "timeout/late-apply"), l.Agent)
	require.NoError(t, err)
	assert.True(t, ev.Connected)
	assert.True(t, ev.Listed)
	require.Len(t, ev.Calls, 3)
	assert.True(t, ev.Calls[1].Uncertain())
	assert.False(t, ev.Calls[1].Barrier)
	assert.True(t, ev.Calls[2].Barrier)
	assert.False(t, ev.Calls[2].IsError)
	assert.Equal(t, "partial", ev.Report.Outcome)
	assert.GreaterOrEqual(t, ev.Calls[2].End.Seconds(), 17.0)
}

// outsideOver is a client outside of the bubble; heard is told when the list of
// tools changes.
func outsideOver(ctx context.Context, way mcp.Transport, heard chan<- struct{}) (string, error) {
	c, err := mcp.NewClient(&mcp.Implementation{Name: "outside", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			if heard != nil {
				heard <- struct{}{}
			}
		},
	}).Connect(ctx, way, nil)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if _, err := c.ListTools(ctx, nil); err != nil {
		return "", err
	}
	for _, call := range []*mcp.CallToolParams{
		{Name: "godot_enable_toolset", Arguments: map[string]any{"category": "scene_edit"}},
		{Name: "godot_scene_edit_create_node", Arguments: map[string]any{"parent_path": ".", "node_type": "CharacterBody2D", "node_name": "Player"}},
		{Name: "godot_inspection_get_node_properties", Arguments: map[string]any{"node_path": "Player"}},
	} {
		if _, err := c.CallTool(ctx, call); err != nil {
			return "", err
		}
	}
	return `{"outcome":"partial","saved":"no"}`, nil
}
