// Package clients drives MCP clients that others wrote against the server. In
// place of a language model they talk to a scripted one on loopback, so that no
// key and no network is needed.
package clients

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// A Turn is one tool call of the scripted model. Tool is matched as the end of
// the name that the client offers ("mcp__godot__" and the like come before it).
type Turn struct {
	Tool  string
	Input map[string]any
}

// Model is an HTTP handler that speaks the Anthropic Messages API as far as
// coding agents use it and plays its turns, one per request, then says Final.
type Model struct {
	Turns []Turn
	Final string

	mu      sync.Mutex
	offered []string
	results []string
	faults  []string
}

// Offered lists the tool names of the last request that offered any.
func (m *Model) Offered() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.offered)
}

// Results lists the texts of the tool results that came back, in order.
func (m *Model) Results() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.results)
}

// Faults lists what went wrong with the script itself.
func (m *Model) Faults() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.faults)
}

type messagesRequest struct {
	Model  string `json:"model"`
	Stream bool   `json:"stream"`
	Tools  []struct {
		Name string `json:"name"`
	} `json:"tools"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
}

type block struct {
	Type    string          `json:"type"`
	Text    string          `json:"text,omitempty"`
	ID      string          `json:"id,omitempty"`
	Name    string          `json:"name,omitempty"`
	Input   any             `json:"input,omitempty"`
	Content json.RawMessage `json:"content,omitempty"`
}

// ServeHTTP implements http.Handler.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/count_tokens"):
		writeJSON(w, map[string]any{"input_tokens": 1})
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/v1/messages"):
		m.messages(w, r)
	default:
		http.Error(w, `{"type":"error","error":{"type":"not_found_error","message":"not here"}}`, http.StatusNotFound)
	}
}

func (m *Model) messages(w http.ResponseWriter, r *http.Request) {
	var req messagesRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer := m.next(req)
	stop := "end_turn"
	if answer.Type == "tool_use" {
		stop = "tool_use"
	}
	message := map[string]any{
		"id": "msg_scripted", "type": "message", "role": "assistant", "model": req.Model,
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": 1, "output_tokens": 1},
	}
	if !req.Stream {
		message["content"], message["stop_reason"] = []block{answer}, stop
		writeJSON(w, message)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(name string, v map[string]any) {
		v["type"] = name
		b, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, b)
	}
	event("message_start", map[string]any{"message": message})
	start := map[string]any{"type": "text", "text": ""}
	delta := map[string]any{"type": "text_delta", "text": answer.Text}
	if answer.Type == "tool_use" {
		input, err := json.Marshal(answer.Input)
		if err != nil {
			panic(err)
		}
		start = map[string]any{"type": "tool_use", "id": answer.ID, "name": answer.Name, "input": map[string]any{}}
		delta = map[string]any{"type": "input_json_delta", "partial_json": string(input)}
	}
	event("content_block_start", map[string]any{"index": 0, "content_block": start})
	event("content_block_delta", map[string]any{"index": 0, "delta": delta})
	event("content_block_stop", map[string]any{"index": 0})
	event("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 1}})
	event("message_stop", map[string]any{})
}

// next decides by what the conversation holds already, so a repeated request
// gets the same answer.
func (m *Model) next(req messagesRequest) block {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(req.Tools) == 0 {
		return block{Type: "text", Text: "Scripted"} // a request for a title or the like
	}
	m.offered = m.offered[:0]
	for _, t := range req.Tools {
		m.offered = append(m.offered, t.Name)
	}
	m.results = m.results[:0]
	for _, msg := range req.Messages {
		var blocks []block
		if json.Unmarshal(msg.Content, &blocks) != nil {
			continue
		}
		for _, b := range blocks {
			if b.Type == "tool_result" {
				m.results = append(m.results, string(b.Content))
			}
		}
	}
	i := len(m.results)
	if i >= len(m.Turns) {
		return block{Type: "text", Text: m.Final}
	}
	for _, name := range m.offered {
		if strings.HasSuffix(name, m.Turns[i].Tool) {
			return block{Type: "tool_use", ID: fmt.Sprintf("toolu_%d", i), Name: name, Input: m.Turns[i].Input}
		}
	}
	m.faults = append(m.faults, "the client does not offer "+m.Turns[i].Tool)
	return block{Type: "text", Text: "I have no such tool."}
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
