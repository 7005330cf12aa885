package catalog

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"godot-mcp/server/safety"
)

// unquote gives the value that stands in a JSON text when it fits the wanted
// type, else the text unchanged.
func unquote(s *Schema, raw json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return raw
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return raw
	}
	switch s.Type {
	case "boolean":
		if lower := strings.ToLower(text); lower == "true" || lower == "false" {
			return json.RawMessage(lower)
		}
		return raw
	case "integer", "number":
		if json.Valid([]byte(text)) && (text[0] == '-' || text[0] >= '0' && text[0] <= '9') {
			return json.RawMessage(text)
		}
		return raw
	}
	want := map[string]byte{"object": '{', "array": '['}[s.Type]
	if text[0] != want {
		return raw
	}
	if safety.StrictJSON([]byte(text)) == nil {
		return json.RawMessage(text)
	}
	if python := fromPython(text); safety.StrictJSON([]byte(python)) == nil {
		return json.RawMessage(python)
	}
	return raw
}

// fromPython replaces the bare words True, False and None outside of texts.
func fromPython(text string) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\' && i+1 < len(text):
			b.WriteByte(c)
			i++
			b.WriteByte(text[i])
			continue
		case c == '"':
			quoted = !quoted
		case !quoted:
			if word, value := pythonWord(text[i:]); word != "" {
				b.WriteString(value)
				i += len(word) - 1
				continue
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

func pythonWord(s string) (word, value string) {
	for w, v := range map[string]string{"True": "true", "False": "false", "None": "null"} {
		if strings.HasPrefix(s, w) {
			return w, v
		}
	}
	return "", ""
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

func joinMembers(members []member) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(m.name)
		b.Write(name)
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func rawSlices(items []json.RawMessage) [][]byte {
	out := make([][]byte, len(items))
	for i, it := range items {
		out[i] = it
	}
	return out
}

func toFloat(n *int) *float64 {
	if n == nil {
		return nil
	}
	f := float64(*n)
	return &f
}

func limits(low, high *float64, what string) string {
	show := func(f *float64) string { return strconv.FormatFloat(*f, 'f', -1, 64) }
	switch {
	case low != nil && high != nil:
		return show(low) + " to " + show(high) + what
	case low != nil:
		return "at least " + show(low) + what
	case high != nil:
		return "at most " + show(high) + what
	}
	return ""
}

func shorten(s string) string {
	const limit = 60
	r := []rune(s)
	if len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return s
}

// depth is the nesting of valid JSON.
func depth(raw []byte) int {
	deepest, now, quoted := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}
