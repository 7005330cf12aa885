package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
)

type chatTool struct {
	Type     string     `json:"type"`
	Name     string     `json:"name"`  // Responses
	Tools    []chatTool `json:"tools"` // Responses: of a namespace
	Function struct {
		Name string `json:"name"` // Chat Completions
	} `json:"function"`
}

func decodeChat(raw []byte) (c conversation, err error) {
	var req struct {
		Model    string     `json:"model"`
		Stream   bool       `json:"stream"`
		Tools    []chatTool `json:"tools"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	err = json.Unmarshal(raw, &req)
	c.model, c.stream = req.Model, req.Stream
	for _, t := range req.Tools {
		c.tools = append(c.tools, t.Function.Name)
	}
	for _, m := range req.Messages {
		switch {
		case m.Role == "tool":
			c.results = append(c.results, texts(m.Content))
		case m.Role == "user" && c.prompt == "":
			c.prompt = texts(m.Content)
		}
	}
	return c, err
}

func answerChat(w http.ResponseWriter, c conversation, s step) {
	finish := "stop"
	message := map[string]any{"role": "assistant", "content": s.text}
	if s.name != "" {
		finish = "tool_calls"
		call := map[string]any{"index": 0, "id": s.id, "type": "function", "function": map[string]any{"name": s.name, "arguments": s.input}}
		message = map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call}}
	}
	body := map[string]any{
		"id": "chatcmpl-scripted", "object": "chat.completion", "created": 1, "model": c.model,
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": finish, "logprobs": nil}},
		"usage":   map[string]any{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
	}
	if !c.stream {
		cut(w, s.fault, body)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	chunk := func(delta any, finish any) {
		b, _ := json.Marshal(map[string]any{
			"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 1, "model": c.model,
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
		})
		fmt.Fprintf(w, "data: %s\n\n", b)
	}
	chunk(message, nil)
	if s.fault == Truncated {
		return
	}
	chunk(map[string]any{}, finish)
	fmt.Fprint(w, "data: [DONE]\n\n")
}

func decodeResponses(raw []byte) (c conversation, err error) {
	var req struct {
		Model  string          `json:"model"`
		Stream bool            `json:"stream"`
		Tools  []chatTool      `json:"tools"`
		Input  json.RawMessage `json:"input"`
	}
	err = json.Unmarshal(raw, &req)
	c.model, c.stream = req.Model, req.Stream
	c.spaces = map[string]string{}
	for _, t := range req.Tools {
		if t.Type == "namespace" {
			for _, x := range t.Tools {
				c.tools = append(c.tools, x.Name)
				c.spaces[x.Name] = t.Name
			}
		} else if t.Name != "" {
			c.tools = append(c.tools, t.Name)
		}
	}
	var items []struct {
		Type    string          `json:"type"`
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
		Output  json.RawMessage `json:"output"`
	}
	if json.Unmarshal(req.Input, &items) != nil {
		c.prompt = texts(req.Input)
	}
	for _, i := range items {
		switch {
		case i.Type == "function_call_output":
			c.results = append(c.results, texts(i.Output))
		case i.Role == "user":
			c.prompt += texts(i.Content) + "\n" // clients put notes of their own before it
		}
	}
	return c, err
}

func answerResponses(w http.ResponseWriter, c conversation, s step) {
	item := map[string]any{
		"type": "message", "id": "msg_scripted", "role": "assistant", "status": "completed",
		"content": []any{map[string]any{"type": "output_text", "text": s.text, "annotations": []any{}}},
	}
	if s.name != "" {
		item = map[string]any{"type": "function_call", "id": "fc_" + s.id, "call_id": s.id, "name": s.name, "arguments": s.input, "status": "completed"}
		if s.space != "" {
			item["namespace"] = s.space
		}
	}
	body := map[string]any{
		"id": "resp_scripted", "object": "response", "created_at": 1, "model": c.model, "status": "completed", "output": []any{item},
		"usage": map[string]any{
			"input_tokens": 100, "output_tokens": 10, "total_tokens": 110,
			"input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0},
		},
	}
	if !c.stream {
		cut(w, s.fault, body)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	n := 0
	event := func(name string, v map[string]any) {
		v["type"], v["sequence_number"] = name, n
		n++
		b, _ := json.Marshal(v)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, b)
	}
	event("response.created", map[string]any{"response": map[string]any{"id": "resp_scripted", "object": "response", "status": "in_progress", "output": []any{}}})
	event("response.output_item.added", map[string]any{"output_index": 0, "item": item})
	if s.fault == Truncated {
		return
	}
	event("response.output_item.done", map[string]any{"output_index": 0, "item": item})
	event("response.completed", map[string]any{"response": body})
}
