package scripts

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// expect checks one line "KEY OP VALUE" against an answer and returns what is
// wrong with it.
func expect(answer any, key, op string, rest []string) error {
	got, found := lookup(answer, key)
	switch op {
	case "exists", "absent":
		if len(rest) != 0 {
			return fmt.Errorf("%s takes no value", op)
		}
		if found != (op == "exists") {
			return fmt.Errorf("%s: want it %s, have %s", key, op, compact(got))
		}
		return nil
	}
	if len(rest) != 1 {
		return fmt.Errorf("expect KEY %s needs one value", op)
	}
	if !found {
		return fmt.Errorf("%s is not in the answer", key)
	}
	want := looseValue(rest[0])
	ok, err := compare(got, op, want, rest[0])
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("%s: have %s, want it %s %s", key, compact(got), op, rest[0])
	}
	return nil
}

func compare(got any, op string, want any, text string) (bool, error) {
	switch op {
	case "==", "!=":
		equal := reflect.DeepEqual(got, want)
		if s, isText := got.(string); isText {
			equal = s == text || reflect.DeepEqual(got, want)
		}
		return equal == (op == "=="), nil
	case "has":
		switch g := got.(type) {
		case string:
			return strings.Contains(g, text), nil
		case []any:
			return slices.ContainsFunc(g, func(v any) bool {
				s, isText := v.(string)
				return reflect.DeepEqual(v, want) || isText && s == text
			}), nil
		case map[string]any:
			_, ok := g[text]
			return ok, nil
		}
		return false, fmt.Errorf("has needs a text, a list or an object, have %s", compact(got))
	case "matches":
		re, err := regexp.Compile(text)
		if err != nil {
			return false, err
		}
		s, ok := got.(string)
		if !ok {
			s = compact(got)
		}
		return re.MatchString(s), nil
	case "<", ">":
		g, okG := got.(float64)
		w, okW := want.(float64)
		if !okG || !okW {
			return false, fmt.Errorf("%s needs numbers, have %s and %s", op, compact(got), text)
		}
		return op == "<" && g < w || op == ">" && g > w, nil
	}
	return false, fmt.Errorf("unknown comparison %q", op)
}

// lookup follows a dotted path: object keys, list indices, and # for a length.
// Keys that hold dots themselves are found by trying longer pieces.
func lookup(v any, path string) (any, bool) {
	if path == "" || path == "." {
		return v, true
	}
	parts := strings.Split(path, ".")
	for n := 1; n <= len(parts); n++ {
		head, tail := strings.Join(parts[:n], "."), strings.Join(parts[n:], ".")
		switch x := v.(type) {
		case map[string]any:
			if head == "#" {
				return float64(len(x)), tail == ""
			}
			if next, ok := x[head]; ok {
				if got, found := lookup(next, tail); found {
					return got, true
				}
			}
		case []any:
			if head == "#" {
				return float64(len(x)), tail == ""
			}
			i, err := strconv.Atoi(head)
			if err != nil || i < 0 || i >= len(x) {
				return nil, false
			}
			return lookup(x[i], tail)
		default:
			return nil, false
		}
	}
	return nil, false
}

// compact renders a value for a message.
func compact(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
