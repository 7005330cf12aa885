package scripts

import (
	"encoding/json"
	"fmt"
	"strings"
)

// parseArgs reads the arguments of a call: one JSON object, or key=value words
// whose value is JSON where it parses as JSON and text where it does not.
func parseArgs(words []string) (map[string]any, error) {
	out := map[string]any{}
	if len(words) == 1 && strings.HasPrefix(strings.TrimSpace(words[0]), "{") {
		if err := json.Unmarshal([]byte(words[0]), &out); err != nil {
			return nil, fmt.Errorf("arguments: %w", err)
		}
		return out, nil
	}
	for _, w := range words {
		key, text, ok := strings.Cut(w, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("argument %q is not key=value", w)
		}
		if _, twice := out[key]; twice {
			return nil, fmt.Errorf("argument %q is given twice", key)
		}
		out[key] = looseValue(text)
	}
	return out, nil
}

// looseValue is the JSON value of text, or text itself.
func looseValue(text string) any {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return text
	}
	return v
}
