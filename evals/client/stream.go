package client

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"godot-mcp/evals/run"
)

// seen is what a client's own output tells beside the record at the server.
type seen struct {
	final string // last message
	// offered: the output shows that our tools were offered; blocked: it shows
	// calls of them that never reached us.
	offered, blocked bool
	foreign          []string // tools of others that were called
	use              run.Metrics
	failed           string // the client's own error
}

var parsers = map[string]func([]byte) seen{
	"text": parseText, "claude": parseClaude, "codex": parseCodex, "opencode": parseOpencode,
}

func streams() []string {
	var out []string
	for k := range parsers {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func parseText(b []byte) seen { return seen{final: string(b), offered: true} }

// events decodes the lines of a stream that are JSON.
func events[T any](b []byte, f func(T)) {
	for line := range bytes.Lines(b) {
		var v T
		if json.Unmarshal(line, &v) == nil {
			f(v)
		}
	}
}

type claudeEvent struct {
	Type    string   `json:"type"`
	Subtype string   `json:"subtype"`
	Tools   []string `json:"tools"`
	Servers []struct {
		Name   string `json:"name"`
		Status string `json:"status"`
	} `json:"mcp_servers"`
	Result  string  `json:"result"`
	IsError bool    `json:"is_error"`
	Turns   int     `json:"num_turns"`
	Cost    float64 `json:"total_cost_usd"`
	Usage   struct {
		Input       int `json:"input_tokens"`
		CacheRead   int `json:"cache_read_input_tokens"`
		CacheCreate int `json:"cache_creation_input_tokens"`
		Output      int `json:"output_tokens"`
	} `json:"usage"`
	Message struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

func parseClaude(b []byte) (s seen) {
	events(b, func(e claudeEvent) {
		switch e.Type {
		case "system":
			for _, m := range e.Servers {
				s.offered = s.offered || m.Status == "connected"
			}
		case "assistant":
			var blocks []struct {
				Type string `json:"type"`
				Name string `json:"name"`
			}
			_ = json.Unmarshal(e.Message.Content, &blocks)
			for _, x := range blocks {
				if x.Type == "tool_use" && !strings.HasPrefix(x.Name, "mcp__godot__") {
					s.foreign = append(s.foreign, x.Name)
				}
			}
		case "result":
			s.final = e.Result
			if e.IsError {
				s.failed = e.Subtype + " " + e.Result
			}
			s.use = run.Metrics{Turns: e.Turns, Cost: e.Cost, InputTokens: e.Usage.Input + e.Usage.CacheRead + e.Usage.CacheCreate, OutputTokens: e.Usage.Output}
		}
	})
	return s
}

type codexEvent struct {
	Type  string `json:"type"`
	Error struct {
		Message string `json:"message"`
	} `json:"error"`
	Message string `json:"message"`
	Item    struct {
		Type   string          `json:"type"`
		Text   string          `json:"text"`
		Server string          `json:"server"`
		Tool   string          `json:"tool"`
		Status string          `json:"status"`
		Error  json.RawMessage `json:"error"`
	} `json:"item"`
	Usage struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"`
	} `json:"usage"`
}

func parseCodex(b []byte) (s seen) {
	events(b, func(e codexEvent) {
		switch e.Type {
		case "item.completed":
			switch e.Item.Type {
			case "agent_message":
				s.final = e.Item.Text
			case "mcp_tool_call":
				s.offered = true
				s.blocked = s.blocked || e.Item.Status == "failed" && strings.Contains(string(e.Item.Error), "approv")
				if e.Item.Server != "godot" {
					s.foreign = append(s.foreign, e.Item.Server+"."+e.Item.Tool)
				}
			case "command_execution", "file_change", "web_search":
				s.foreign = append(s.foreign, e.Item.Type)
			}
		case "turn.completed":
			s.use.Turns++
			s.use.InputTokens += e.Usage.Input
			s.use.OutputTokens += e.Usage.Output
		case "turn.failed":
			s.failed = e.Error.Message
		case "error":
			s.failed = e.Message
		}
	})
	if s.final != "" {
		s.failed = "" // an error that was got over
	}
	return s
}

type opencodeEvent struct {
	Type  string `json:"type"`
	Error any    `json:"error"`
	Part  struct {
		Text   string  `json:"text"`
		Tool   string  `json:"tool"`
		Cost   float64 `json:"cost"`
		Tokens struct {
			Input  int `json:"input"`
			Output int `json:"output"`
		} `json:"tokens"`
	} `json:"part"`
}

func parseOpencode(b []byte) (s seen) {
	events(b, func(e opencodeEvent) {
		switch e.Type {
		case "text":
			s.final = e.Part.Text
		case "tool_use":
			s.offered = true
			if !strings.HasPrefix(e.Part.Tool, "godot_") {
				s.foreign = append(s.foreign, e.Part.Tool)
			}
		case "step_finish":
			s.use.Turns++
			s.use.Cost += e.Part.Cost
			s.use.InputTokens += e.Part.Tokens.Input
			s.use.OutputTokens += e.Part.Tokens.Output
		case "error":
			b, _ := json.Marshal(e.Error)
			s.failed = string(b)
		}
	})
	return s
}
