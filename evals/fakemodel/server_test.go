package fakemodel

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	chatRequest = `{"model":"m","stream":STREAM,"tools":[{"type":"function","function":{"name":"a_godot_health_check"}},{"type":"function","function":{"name":"a_godot_undo"}}],
		"messages":[{"role":"user","content":"hello"}]}`
	messagesRequest = `{"model":"m","stream":STREAM,"tools":[{"name":"a_godot_health_check"},{"name":"a_godot_undo"}],
		"messages":[{"role":"user","content":[{"type":"text","text":"hello"}]}]}`
	responsesRequest = `{"model":"m","stream":STREAM,"tools":[{"type":"namespace","name":"mcp__a","tools":[{"type":"function","name":"godot_health_check"},{"type":"function","name":"godot_undo"}]}],
		"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}]}`
)

var apis = map[string]string{"/v1/messages": messagesRequest, "/v1/chat/completions": chatRequest, "/v1/responses": responsesRequest}

func ask(t *testing.T, m *Model, path string, stream bool) (int, string) {
	t.Helper()
	api := httptest.NewServer(m)
	defer api.Close()
	body := strings.Replace(apis[path], "STREAM", map[bool]string{true: "true", false: "false"}[stream], 1)
	res, err := http.Post(api.URL+path, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer res.Body.Close()
	out, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(out)
}

func TestCallsAndMessages(t *testing.T) {
	for path := range apis {
		for _, stream := range []bool{true, false} {
			prompts := ""
			m := &Model{Brain: func(prompt string, results []string) Turn {
				prompts += prompt
				return Turn{Tool: "undo", Input: map[string]any{"n": 1}}
			}}
			code, out := ask(t, m, path, stream)
			assert.Equal(t, 200, code)
			assert.Contains(t, out, `godot_undo"`, path)
			assert.Contains(t, strings.ReplaceAll(out, `\"`, `"`), `"n":1`, path)
			assert.Contains(t, prompts, "hello")
			assert.Empty(t, m.Problems())
			assert.Len(t, m.Offered(), 2)
			_, out = ask(t, &Model{Brain: Script("All done.")}, path, stream)
			assert.Contains(t, out, "All done.", path)
		}
	}
}

func TestNamespaces(t *testing.T) {
	for _, tool := range []string{"undo", "godot_redo"} { // offered, and not
		_, out := ask(t, &Model{Brain: Script("", Turn{Tool: tool})}, "/v1/responses", false)
		assert.Contains(t, out, `"namespace":"mcp__a"`)
	}
	m := &Model{Brain: Script("", Turn{Tool: "godot_redo"})}
	_, out := ask(t, m, "/v1/chat/completions", false)
	assert.Contains(t, out, `"a_godot_redo"`)
	assert.Equal(t, []string{"the client does not offer godot_redo"}, m.Problems())
}

func TestFaults(t *testing.T) {
	for path := range apis {
		for _, stream := range []bool{true, false} {
			whole := func(f Fault) (int, string) {
				return ask(t, &Model{Brain: Script("", Turn{Tool: "undo", Input: map[string]any{"n": 1}}), Faults: []Fault{f}}, path, stream)
			}
			code, _ := whole(TooMany)
			assert.Equal(t, http.StatusTooManyRequests, code)
			code, _ = whole(Broken)
			assert.Equal(t, http.StatusInternalServerError, code)
			_, good := whole("")
			code, cut := whole(Truncated)
			assert.Equal(t, 200, code)
			assert.Less(t, len(cut), len(good))
			_, bad := whole(BadJSON)
			assert.Contains(t, bad, "broken", path)
			assert.NotContains(t, strings.ReplaceAll(bad, `\"`, `"`), `"n":1`)
		}
	}
	m := &Model{Brain: Script("Done."), Faults: []Fault{Broken}}
	first, _ := ask(t, m, "/v1/messages", false)
	second, _ := ask(t, m, "/v1/messages", false)
	assert.Equal(t, []int{500, 200}, []int{first, second})
	assert.Equal(t, 2, m.Requests())
}

func TestOtherPaths(t *testing.T) {
	api := httptest.NewServer(&Model{})
	defer api.Close()
	for path, want := range map[string]int{"/v1/models": 200, "/v1/messages/count_tokens": 200, "/nothing": 404} {
		res, err := http.Get(api.URL + path)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		assert.Equal(t, want, res.StatusCode, path)
	}
	res, err := http.Post(api.URL+"/v1/responses", "application/json", strings.NewReader("{"))
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, http.StatusBadRequest, res.StatusCode)
}
