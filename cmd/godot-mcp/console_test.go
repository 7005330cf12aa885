package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/approval/console"
)

var printedLink = regexp.MustCompile(`http://127\.0\.0\.1:\d+/#[A-Za-z0-9_-]{43}`)

// link is the one that the server printed.
func (s *served) link() string {
	s.t.Helper()
	links := printedLink.FindAllString(s.stderr.String(), -1)
	require.Len(s.t, links, 1, "%s", s.stderr.String())
	return links[0]
}

func startApproved(t *testing.T, args ...string) *served {
	t.Helper()
	return startServe(t, append([]string{"--simulate", "--profile", "editor", "--toolsets", "all", "--approval", "console", "--state-dir", t.TempDir()}, args...)...)
}

// later makes a call that a person will be asked about.
func (s *served) later(tool, args string) <-chan map[string]any {
	got := make(chan map[string]any, 1)
	go func() { got <- s.call(tool, args) }()
	return got
}

// answerOf waits for the answer to such a call.
func answerOf(t *testing.T, got <-chan map[string]any) map[string]any {
	t.Helper()
	select {
	case a := <-got:
		return a
	case <-time.After(patience):
		t.Fatal("the call is not answered")
		return nil
	}
}

const (
	setNode = "godot_scene_edit_set_node_property"
	getNode = "godot_inspection_get_node_property"
	reload  = "godot_scene_edit_reload_scene"
	hide    = `{"node_path":"Player","property":"visible","value":false}`
)

// visible is what the editor has for the property that the tests change.
func (s *served) visible() any {
	s.t.Helper()
	return s.call(getNode, `{"node_path":"Player","property":"visible"}`)["value"]
}

// TestConsoleByHand approves and denies a call as the page does, without a
// browser.
func TestConsoleByHand(t *testing.T) {
	s := startApproved(t)
	origin, token, _ := strings.Cut(s.link(), "/#")
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	client, key := &http.Client{Jar: jar}, ""
	do := func(method, path, body string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, origin+path, strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set(console.KeyHeader, key)
		if method == http.MethodPost {
			r.Header.Set("Origin", origin)
		}
		w, err := client.Do(r)
		require.NoError(t, err)
		t.Cleanup(func() { _ = w.Body.Close() })
		return w
	}
	in := do(http.MethodPost, "/session", `{"token":"`+token+`"}`)
	require.Equal(t, http.StatusOK, in.StatusCode)
	var got struct{ Key string }
	require.NoError(t, json.NewDecoder(in.Body).Decode(&got))
	key = got.Key
	require.Equal(t, http.StatusForbidden, do(http.MethodPost, "/session", `{"token":"`+token+`"}`).StatusCode)

	events := bufio.NewReader(do(http.MethodGet, "/stream", "").Body)
	waits := func() string {
		t.Helper()
		for {
			line, err := events.ReadString('\n')
			require.NoError(t, err)
			var state struct{ Pending []struct{ ID string } }
			if data, ok := strings.CutPrefix(line, "data: "); ok && json.Unmarshal([]byte(data), &state) == nil && len(state.Pending) > 0 {
				return state.Pending[0].ID
			}
		}
	}
	before := s.visible()
	denied := s.later(setNode, hide)
	id := waits()
	text, err := io.ReadAll(do(http.MethodGet, "/question?id="+id, "").Body)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"before":"true","after":"false"`)
	require.Equal(t, http.StatusOK, do(http.MethodPost, "/decide", `{"id":"`+id+`","approve":false,"reason":"keep it"}`).StatusCode)
	no := answerOf(t, denied)
	assert.Equal(t, "permission_denied", no["code"])
	assert.Contains(t, no["hint"], "keep it")
	assert.Equal(t, before, s.visible(), "nothing was sent")

	allowed := s.later(setNode, hide)
	require.Equal(t, http.StatusOK, do(http.MethodPost, "/decide", `{"id":"`+waits()+`","approve":true}`).StatusCode)
	yes := answerOf(t, allowed)
	assert.Equal(t, true, yes["set"])
	assert.Equal(t, map[string]any{"by": "console"}, yes["approval"])
	assert.Equal(t, false, s.visible())
	s.gone()
	assert.Equal(t, 1, strings.Count(s.stderr.String(), token), "the token is nowhere but in the link")
	assert.NotContains(t, s.stderr.String(), key)
}

func TestConsoleThatCannotBeServed(t *testing.T) {
	for address, want := range map[string]string{
		"0.0.0.0:0": "no loopback address", "localhost": "HOST:PORT", "10.1.1.1:80": "no loopback address",
	} {
		out, err := command(t.Context(), "serve", "--approval", "console", "--approval-console", address).CombinedOutput()
		assert.Error(t, err)
		assert.Contains(t, string(out), want)
	}
}
