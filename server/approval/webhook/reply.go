package webhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// parse reads a reply. A name that stands twice, or is written otherwise, could
// be read in two ways, so it is not read at all.
func parse(raw []byte) (approved bool, reason string, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false, "", errors.New("its answer is not a JSON object")
	}
	var verdict *bool
	seen := map[string]bool{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return false, "", errors.New("its answer is not JSON")
		}
		key, _ := name.(string)
		if seen[key] {
			return false, "", fmt.Errorf("its answer says %.40q twice", key)
		}
		seen[key] = true
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return false, "", errors.New("its answer is not JSON")
		}
		switch key {
		case "approved":
			if text := string(value); text == "true" || text == "false" {
				verdict = new(text == "true")
			}
		case "reason":
			if string(value) != "null" && json.Unmarshal(value, &reason) != nil {
				return false, "", errors.New("its reason is not a text")
			}
		}
	}
	if _, err := d.Token(); err != nil {
		return false, "", errors.New("its answer is not JSON")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return false, "", errors.New("its answer is more than one JSON object")
	}
	if verdict == nil {
		return false, "", errors.New("its answer has no true or false in approved")
	}
	return *verdict, reason, nil
}
