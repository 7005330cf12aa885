package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
)

type block struct {
	Type    string          `json:"type"`
	Text    string          `json:"text,omitempty"`
	ID      string          `json:"id,omitempty"`
	Name    string          `json:"name,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
	Content json.RawMessage `json:"content,omitempty"`
}

func decodeMessages(raw []byte) (c conversation, err error) {
	var req struct {
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
	err = json.Unmarshal(raw, &req)
	c.model, c.stream = req.Model, req.Stream
	for _, t := range req.Tools {
		c.tools = append(c.tools, t.Name)
	}
	for i, m := range req.Messages {
		if i == 0 {
			c.prompt = texts(m.Content)
		}
		var blocks []block
		_ = json.Unmarshal(m.Content, &blocks)
		for _, b := range blocks {
			if b.Type == "tool_result" {
				c.results = append(c.results, texts(b.Content))
			}
		}
	}
	return c, err
}

func answerMessages(w http.ResponseWriter, c conversation, s step) {
	stop, content := "end_turn", any(block{Type: "text", Text: s.text})
	if s.name != "" {
		stop = "tool_use"
		input := json.RawMessage(s.input)
		if !json.Valid(input) {
			input, _ = json.Marshal(s.input) // a text where an object is due
		}
		content = block{Type: "tool_use", ID: s.id, Name: s.name, Input: input}
	}
	message := map[string]any{
		"id": "msg_scripted", "type": "message", "role": "assistant", "model": c.model,
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": 100, "output_tokens": 10},
	}
	if !c.stream {
		message["content"], message["stop_reason"] = []any{content}, stop
		cut(w, s.fault, message)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(name string, v map[string]any) {
		v["type"] = name
		b, _ := json.Marshal(v)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, b)
	}
	event("message_start", map[string]any{"message": message})
	start := map[string]any{"type": "text", "text": ""}
	delta := map[string]any{"type": "text_delta", "text": s.text}
	if s.name != "" {
		start = map[string]any{"type": "tool_use", "id": s.id, "name": s.name, "input": map[string]any{}}
		delta = map[string]any{"type": "input_json_delta", "partial_json": s.input}
	}
	event("content_block_start", map[string]any{"index": 0, "content_block": start})
	event("content_block_delta", map[string]any{"index": 0, "delta": delta})
	if s.fault == Truncated {
		return
	}
	event("content_block_stop", map[string]any{"index": 0})
	event("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 10}})
	event("message_stop", map[string]any{})
}
