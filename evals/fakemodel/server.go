// Package fakemodel is a language model that follows a script: an HTTP server
// on loopback that speaks the Anthropic Messages API and OpenAI's Chat
// Completions and Responses as far as agents use them. With it whole chains of
// agent, client and server are tested without a key.
package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Turn is what the model does next: a call, or its last message when Tool is
// empty. Tool is matched as the end of a name that the client offers
// ("mcp__godot__" and the like come before it).
type Turn struct {
	Tool  string
	Input map[string]any
	Final string
}

// Brain decides by what the conversation holds: the first message of the user
// and the results of the calls so far, in order. So a repeated request gets the
// same answer.
type Brain func(prompt string, results []string) Turn

// Script is a brain that plays turns and then says final.
func Script(final string, turns ...Turn) Brain {
	return func(_ string, results []string) Turn {
		if len(results) < len(turns) {
			return turns[len(results)]
		}
		return Turn{Final: final}
	}
}

// Fault is something that goes wrong in place of an answer.
type Fault string

// The faults.
const (
	TooMany   Fault = "429"
	Broken    Fault = "500"
	Truncated Fault = "truncated" // the answer ends in the middle
	BadJSON   Fault = "bad-json"  // a tool call whose arguments are no JSON
)

// Model is the server. Set the fields before it serves.
type Model struct {
	Brain Brain
	// Faults happen to the first requests that offer tools, one each; "" is none.
	Faults []Fault

	mu       sync.Mutex
	requests int
	offered  []string
	results  []string
	problems []string
}

// Offered lists the tool names of the last request that offered any.
func (m *Model) Offered() []string { m.mu.Lock(); defer m.mu.Unlock(); return slices.Clone(m.offered) }

// Results lists the texts of the tool results of the last request, in order.
func (m *Model) Results() []string { m.mu.Lock(); defer m.mu.Unlock(); return slices.Clone(m.results) }

// Problems lists what the script wanted and the client did not offer.
func (m *Model) Problems() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.problems)
}

// Requests counts the requests that offered tools.
func (m *Model) Requests() int { m.mu.Lock(); defer m.mu.Unlock(); return m.requests }

// conversation is a request in whatever API.
type conversation struct {
	model   string
	stream  bool
	tools   []string
	spaces  map[string]string // tool → its namespace, where a client has such
	prompt  string
	results []string
}

// step is the answer in whatever API.
type step struct {
	id, name string
	space    string // of the name
	input    string // JSON, or not
	text     string
	fault    Fault
}

// ServeHTTP implements http.Handler.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	type api struct {
		path   string
		decode func([]byte) (conversation, error)
		answer func(http.ResponseWriter, conversation, step)
	}
	for _, a := range []api{
		{"/v1/messages", decodeMessages, answerMessages},
		{"/chat/completions", decodeChat, answerChat},
		{"/responses", decodeResponses, answerResponses},
	} {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, a.path) {
			var raw json.RawMessage
			err := json.NewDecoder(r.Body).Decode(&raw)
			var c conversation
			if err == nil {
				c, err = a.decode(raw)
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			s := m.next(c)
			if !fails(w, s.fault) {
				a.answer(w, c, s)
			}
			return
		}
	}
	switch {
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		writeJSON(w, map[string]any{"input_tokens": 1})
	case strings.HasSuffix(r.URL.Path, "/models"):
		writeJSON(w, map[string]any{"object": "list", "data": []any{}, "models": []any{}})
	default:
		http.Error(w, `{"type":"error","error":{"type":"not_found_error","message":"not here"}}`, http.StatusNotFound)
	}
}

// fails answers with an error where that is the fault.
func fails(w http.ResponseWriter, f Fault) bool {
	code := map[Fault]int{TooMany: http.StatusTooManyRequests, Broken: http.StatusInternalServerError}[f]
	if code == 0 {
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After-Ms", "1")
	w.WriteHeader(code)
	fmt.Fprintf(w, `{"type":"error","error":{"type":"scripted","message":"scripted %d"}}`, code)
	return true
}

// next decides by the conversation.
func (m *Model) next(c conversation) step {
	if len(c.tools) == 0 {
		return step{text: "Scripted"} // a request for a title or the like
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.offered, m.results = c.tools, c.results
	s := step{}
	if m.requests < len(m.Faults) {
		s.fault = m.Faults[m.requests]
	}
	m.requests++
	t := m.Brain(c.prompt, c.results)
	if t.Tool == "" {
		s.text = t.Final
		return s
	}
	s.id = fmt.Sprintf("call_%d", len(c.results))
	var like string
	s.name, like = m.nameOf(t.Tool)
	s.space = c.spaces[like]
	input, err := json.Marshal(t.Input)
	if s.input = string(input); err != nil || s.fault == BadJSON {
		s.input = `{"broken": `
	}
	return s
}

// nameOf is the offered name of a tool, and the offered tool that it is like. A
// tool that is not offered (yet) is called by the name that it would have.
func (m *Model) nameOf(tool string) (name, like string) {
	for _, name := range m.offered {
		if strings.HasSuffix(name, tool) {
			return name, name
		}
	}
	m.problems = append(m.problems, "the client does not offer "+tool)
	const known = "godot_health_check"
	for _, name := range m.offered {
		if prefix, ok := strings.CutSuffix(name, known); ok {
			return prefix + tool, name
		}
	}
	return tool, ""
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// cut sends an answer, half of it when it is to be cut off.
func cut(w http.ResponseWriter, f Fault, v any) {
	if f != Truncated {
		writeJSON(w, v)
		return
	}
	b, _ := json.Marshal(v)
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(b[:len(b)/2])
}

// texts joins the texts of a content that is a string or a list of parts.
func texts(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(raw, &parts)
	var out []string
	for _, p := range parts {
		out = append(out, p.Text)
	}
	return strings.Join(out, "\n")
}
