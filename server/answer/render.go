package answer

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

const (
	maxDetailText = 200
	maxDetailList = 20
	maxHintList   = 5
)

// render fills a hint template. `{name|fallback}` is a detail or its fallback;
// `[text {name} text]` disappears unless every detail in it is there. So no
// placeholder can stay unfilled. Templates are checked by the tests.
func render(template string, details map[string]any) string {
	var b strings.Builder
	for template != "" {
		i := strings.IndexAny(template, "[{")
		if i < 0 {
			b.WriteString(template)
			break
		}
		b.WriteString(template[:i])
		closer := "}"
		if template[i] == '[' {
			closer = "]"
		}
		j := strings.Index(template[i:], closer)
		if j < 0 {
			break
		}
		inner := template[i+1 : i+j]
		if closer == "}" {
			text, _ := fill(inner, details)
			b.WriteString(text)
		} else if text, ok := optional(inner, details); ok {
			b.WriteString(text)
		}
		template = template[i+j+1:]
	}
	return b.String()
}

func optional(inner string, details map[string]any) (string, bool) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(inner, "{")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		name, after, _ := strings.Cut(rest, "}")
		text, ok := fill(name, details)
		if !ok {
			return "", false
		}
		b.WriteString(text)
		inner = after
	}
}

func fill(placeholder string, details map[string]any) (string, bool) {
	name, fallback, _ := strings.Cut(placeholder, "|")
	if text := detailText(details[name]); text != "" {
		return text, true
	}
	return fallback, false
}

func detailText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []string:
		items := make([]any, len(v))
		for i, s := range v {
			items[i] = s
		}
		return listText(items)
	case []any:
		return listText(v)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return clean(string(b))
}

func listText(items []any) string {
	var parts []string
	for i, it := range items {
		if i == maxHintList {
			parts = append(parts, fmt.Sprintf("and %d more", len(items)-i))
			break
		}
		if t := detailText(it); t != "" {
			parts = append(parts, t)
		}
	}
	return strings.Join(parts, ", ")
}

// boundDetails cuts long values and drops control characters: details quote
// project text, which nobody may use to forge lines or to fill an answer.
func boundDetails(in map[string]any) map[string]any {
	if len(in) == 0 {
		return nil
	}
	out := make(map[string]any, len(in))
	for k, v := range in {
		out[k] = boundDetail(v)
	}
	return out
}

func boundDetail(v any) any {
	switch v := v.(type) {
	case string:
		return clean(v)
	case []string:
		out := make([]any, 0, min(len(v), maxDetailList))
		for _, s := range v[:min(len(v), maxDetailList)] {
			out = append(out, clean(s))
		}
		return out
	case []any:
		out := make([]any, 0, min(len(v), maxDetailList))
		for _, it := range v[:min(len(v), maxDetailList)] {
			out = append(out, boundDetail(it))
		}
		return out
	case map[string]any, json.RawMessage:
		return detailText(v)
	}
	return v
}

// Shown is text from outside as answers may hold it: one bounded line.
func Shown(s string) string { return clean(s) }

func clean(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n == maxDetailText {
			b.WriteString("…")
			break
		}
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		case unicode.IsControl(r) || r == '\u2028' || r == '\u2029':
			b.WriteRune('\ufffd')
		default:
			b.WriteRune(r)
		}
		n++
	}
	return b.String()
}
