package sim

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"godot-mcp/evals/evidence"
	"godot-mcp/evals/task"
	"godot-mcp/evals/tasks"
)

func taskNamed(t *testing.T, id string) *task.Task {
	t.Helper()
	all, err := tasks.All()
	require.NoError(t, err)
	for _, x := range all {
		if x.ID == id {
			return x
		}
	}
	t.Fatal("no such task")
	return nil
}

// bearer adds a token to requests.
type bearer string

// RoundTrip implements [http.RoundTripper].
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func overHTTP(url, token string) *mcp.StreamableClientTransport {
	return &mcp.StreamableClientTransport{Endpoint: url + "/mcp", HTTPClient: &http.Client{Transport: bearer(token)}}
}

// TestWeb lets a client work over HTTP through a task whose first edit takes
// longer than the server waits, on no wall time. The client holds a stream of
// news open all the while, and hears of the new tools.
func TestWeb(t *testing.T) {
	w := NewWeb("t0ken")
	api := httptest.NewServer(w)
	defer api.Close()
	heard := make(chan struct{}, 8)
	go func() {
		final, err := outsideOver(t.Context(), overHTTP(api.URL, "t0ken"), heard)
		w.Finish(final, evidence.Done, err)
	}()
	ev, err := Run(t.Context(), taskNamed(t, "timeout/late-apply"), w.Agent)
	require.NoError(t, err)
	assert.True(t, ev.Connected)
	assert.True(t, ev.Listed)
	require.Len(t, ev.Calls, 3)
	assert.True(t, ev.Calls[1].Uncertain())
	assert.True(t, ev.Calls[2].Barrier)
	assert.GreaterOrEqual(t, ev.Calls[2].End.Seconds(), 17.0)
	assert.Equal(t, "partial", ev.Report.Outcome)
	select {
	case <-heard:
	default:
		t.Error("the client did not hear that the list of tools had changed")
	}
	res, err := http.Post(api.URL+"/mcp", "application/json", strings.NewReader("{}"))
	require.NoError(t, err)
	defer res.Body.Close()
	assert.Equal(t, http.StatusServiceUnavailable, res.StatusCode, "the trial is over")
}

// TestWebWantsTheToken: the server's own front looks at the token.
func TestWebWantsTheToken(t *testing.T) {
	w := NewWeb("t0ken")
	api := httptest.NewServer(w)
	defer api.Close()
	go func() {
		_, err := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil).Connect(t.Context(), overHTTP(api.URL, "other"), nil)
		assert.ErrorContains(t, err, "Unauthorized")
		w.Finish("", evidence.Done, nil)
	}()
	ev, err := Run(t.Context(), taskNamed(t, "build/player"), w.Agent)
	require.NoError(t, err)
	assert.False(t, ev.Connected)
}

// TestWebManyClients: sessions of one world share it, calls come one after another.
func TestWebManyClients(t *testing.T) {
	w := NewWeb("t")
	api := httptest.NewServer(w)
	defer api.Close()
	go func() {
		var g errgroup.Group
		for range 4 {
			g.Go(func() error {
				c, err := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil).Connect(t.Context(), overHTTP(api.URL, "t"), nil)
				if err != nil {
					return err
				}
				defer c.Close()
				for range 5 {
					if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "godot_health_check", Arguments: map[string]any{}}); err != nil {
						return err
					}
				}
				return nil
			})
		}
		w.Finish("", evidence.Done, g.Wait())
	}()
	ev, err := Run(t.Context(), taskNamed(t, "build/player"), w.Agent)
	require.NoError(t, err)
	assert.Len(t, ev.Calls, 20)
	for i, c := range ev.Calls[1:] {
		assert.GreaterOrEqual(t, c.Start, ev.Calls[i].End)
	}
}

// TestWebClientThatLeaves: a client that breaks off a call and its stream does
// no harm to the world.
func TestWebClientThatLeaves(t *testing.T) {
	w := NewWeb("t")
	api := httptest.NewServer(w)
	defer api.Close()
	go func() {
		defer w.Finish("", evidence.Done, nil)
		ctx, cancel := context.WithCancel(t.Context())
		c, err := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil).Connect(ctx, overHTTP(api.URL, "t"), nil)
		if !assert.NoError(t, err) {
			cancel()
			return
		}
		_, err = c.CallTool(ctx, &mcp.CallToolParams{Name: "godot_health_check", Arguments: map[string]any{}})
		assert.NoError(t, err)
		cancel()
		api.CloseClientConnections()
	}()
	ev, err := Run(t.Context(), taskNamed(t, "build/player"), w.Agent)
	require.NoError(t, err)
	assert.Len(t, ev.Calls, 1)
}
