package safety

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

const maxValueNesting = 4

// CheckValue proves that a property value (typed JSON as package godot/variant
// defines it) names no file outside the project: every {"resource": …} and every
// text that climbs from res://. The error names the path and what is wrong.
// Paths are the files of the project that it names.
func CheckValue(raw json.RawMessage) (paths []string, err error) {
	if !strings.Contains(string(raw), `"`) {
		return nil, nil
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, errors.New("it is not valid JSON")
	}
	err = checkValue(v, 0, func(p string) { paths = append(paths, p) })
	return paths, err
}

func checkValue(v any, nested int, found func(path string)) error {
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["resource"].(string); ok {
			if err := resourceRef(ref); err != nil {
				return fmt.Errorf("%q: %w", ref, err)
			}
		}
		for _, member := range v {
			if err := checkValue(member, nested, found); err != nil {
				return err
			}
		}
	case []any:
		for _, item := range v {
			if err := checkValue(item, nested, found); err != nil {
				return err
			}
		}
	case string:
		return checkText(v, nested, found)
	}
	return nil
}

// checkText looks at a text as the editor might: as a path when the property
// takes a resource, or as JSON.
func checkText(s string, nested int, found func(path string)) error {
	text := strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(text, "res://"); ok && !strings.ContainsAny(text, "\n\r") {
		for part := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '/' || r == '\\' }) {
			if part == ".." {
				return fmt.Errorf("%q: it leaves its folder (..)", s)
			}
		}
		if clean, err := ResPath(file(text)); err == nil {
			found(clean)
		}
		return nil
	}
	if nested < maxValueNesting && (strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")) {
		var inner any
		if json.Unmarshal([]byte(text), &inner) == nil {
			return checkValue(inner, nested+1, found)
		}
	}
	return nil
}

// file is the file that a path names; what is embedded in it stands after ::.
func file(path string) string {
	f, _, _ := strings.Cut(path, "::")
	return f
}

// resourceRef takes a uid, a file of the project, or a resource embedded in one.
func resourceRef(s string) error {
	if id, ok := strings.CutPrefix(s, "uid://"); ok {
		if id == "" || strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return errors.New("it is not a uid")
		}
		return nil
	}
	file, embedded, found := strings.Cut(s, "::")
	if found && strings.ContainsAny(embedded, `/\:%`) {
		return errors.New("it is not the id of an embedded resource")
	}
	_, err := ResPath(file)
	return err
}
