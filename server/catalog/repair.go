package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"godot-mcp/server/answer"
)

const (
	maxArgumentDepth = 64
	maxArgumentBytes = 8 << 20
)

// Repair holds arguments against a schema, and mends what clients get wrong:
// objects, lists, numbers and booleans sent as text (also as Python writes
// them), explicit nulls of optional arguments, whole floats for integers.
// Defaults are filled in. Numbers keep every digit, values of arguments
// without a type keep every byte.
func Repair(s *Schema, raw json.RawMessage, tool string) (json.RawMessage, *answer.Failure) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	if len(raw) > maxArgumentBytes {
		return nil, answer.New(answer.BadArguments, "message", "longer than 8 MiB")
	}
	if !json.Valid(raw) {
		return nil, answer.New(answer.BadArguments, "message", "not valid JSON")
	}
	if depth(raw) > maxArgumentDepth {
		return nil, answer.New(answer.BadArguments, "message", "nested too deeply")
	}
	r := &repairer{tool: tool}
	out, f := r.value(s, raw, "")
	if f != nil {
		return nil, f
	}
	return out, nil
}

type repairer struct{ tool string }

func (r *repairer) value(s *Schema, raw json.RawMessage, at string) (json.RawMessage, *answer.Failure) {
	raw = bytes.TrimSpace(raw)
	if s.Type == "" {
		return raw, nil
	}
	if raw[0] == '"' && s.Type != "string" {
		raw = unquote(s, raw)
	}
	switch s.Type {
	case "object":
		return r.object(s, raw, at)
	case "array":
		return r.array(s, raw, at)
	case "string":
		return r.text(s, raw, at)
	case "boolean":
		if v := string(raw); v == "true" || v == "false" {
			return raw, nil
		}
		return nil, r.wrong(s, raw, at)
	}
	return r.number(s, raw, at)
}

func (r *repairer) object(s *Schema, raw json.RawMessage, at string) (json.RawMessage, *answer.Failure) {
	if raw[0] != '{' {
		return nil, r.wrong(s, raw, at)
	}
	members, err := objectMembers(raw)
	if err != nil {
		return nil, answer.New(answer.BadArguments, "param", at, "message", err.Error())
	}
	if at == "" {
		members = unwrap(s, members)
	}
	seen := make(map[string]bool, len(members))
	var out []member
	for _, m := range members {
		name := join(at, m.name)
		if seen[m.name] {
			return nil, answer.New(answer.DuplicateArgument, "param", name)
		}
		seen[m.name] = true
		p := s.Property(m.name)
		switch {
		case p == nil && s.Closed:
			return nil, r.unknown(s, name)
		case p == nil && s.Values != nil:
			p = s.Values
		case p == nil:
			p = &Schema{}
		case string(m.value) == "null" && !slices.Contains(s.Required, m.name):
			seen[m.name] = false
			continue
		}
		v, f := r.value(p, m.value, name)
		if f != nil {
			return nil, f
		}
		out = append(out, member{m.name, v})
	}
	for _, name := range s.Required {
		if !seen[name] {
			return nil, answer.New(answer.MissingArgument, "param", join(at, name), "tool", r.tool)
		}
	}
	for _, p := range s.Properties {
		if p.Default != nil && !seen[p.Name] {
			out = append(out, member{p.Name, p.Default})
		}
	}
	return joinMembers(out), nil
}

// unwrap undoes {"arguments": {...}}, which some clients send.
func unwrap(s *Schema, members []member) []member {
	if len(members) != 1 || s.Property(members[0].name) != nil || members[0].name != "arguments" && members[0].name != "params" {
		return members
	}
	if inner, err := objectMembers(members[0].value); err == nil {
		return inner
	}
	return members
}

func (r *repairer) unknown(s *Schema, name string) *answer.Failure {
	valid := make([]string, len(s.Properties))
	for i, p := range s.Properties {
		valid[i] = p.Name
	}
	if len(valid) == 0 {
		valid = []string{"none"}
	}
	return answer.New(answer.UnknownArgument, "param", name, "valid", strings.Join(valid, ", "), "tool", r.tool)
}

func (r *repairer) array(s *Schema, raw json.RawMessage, at string) (json.RawMessage, *answer.Failure) {
	if raw[0] == '"' && s.Items.Type == "string" {
		raw = slices.Concat(json.RawMessage("["), raw, json.RawMessage("]"))
	}
	if raw[0] != '[' {
		return nil, r.wrong(s, raw, at)
	}
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, answer.New(answer.BadArguments, "param", at, "message", err.Error())
	}
	if f := r.count(s.MinItems, s.MaxItems, len(items), "entries", at); f != nil {
		return nil, f
	}
	for i, it := range items {
		v, f := r.value(s.Items, bytes.TrimSpace(it), fmt.Sprintf("%s[%d]", at, i))
		if f != nil {
			return nil, f
		}
		items[i] = v
	}
	return slices.Concat(json.RawMessage("["), bytes.Join(rawSlices(items), []byte(",")), json.RawMessage("]")), nil
}

func (r *repairer) text(s *Schema, raw json.RawMessage, at string) (json.RawMessage, *answer.Failure) {
	var v string
	if raw[0] != '"' || json.Unmarshal(raw, &v) != nil {
		return nil, r.wrong(s, raw, at)
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, v) {
		return nil, answer.New(answer.NotAChoice, "param", at, "got", v, "choices", strings.Join(s.Enum, ", "))
	}
	if f := r.count(s.MinLength, s.MaxLength, utf8.RuneCountInString(v), "characters", at); f != nil {
		return nil, f
	}
	return raw, nil
}

func (r *repairer) number(s *Schema, raw json.RawMessage, at string) (json.RawMessage, *answer.Failure) {
	text := string(raw)
	if c := text[0]; c != '-' && (c < '0' || c > '9') {
		return nil, r.wrong(s, raw, at)
	}
	if s.Type == "integer" {
		whole, ok := wholeNumber(text)
		if !ok {
			return nil, r.wrong(s, raw, at)
		}
		text = whole
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) {
		return nil, answer.New(answer.OutOfRange, "param", at, "got", text)
	}
	if s.Minimum != nil && f < *s.Minimum || s.Maximum != nil && f > *s.Maximum {
		return nil, answer.New(answer.OutOfRange, "param", at, "got", text, "limits", limits(s.Minimum, s.Maximum, ""))
	}
	return json.RawMessage(text), nil
}

// wholeNumber writes 3.0 and 1e3 as integers; everything must fit 64 bits.
func wholeNumber(text string) (string, bool) {
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return text, true
	}
	if strings.ContainsAny(text, "eE") {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 || f == 0 && strings.ContainsAny(text[:strings.IndexAny(text, "eE")], "123456789") {
			return "", false
		}
		return strconv.FormatInt(int64(f), 10), true
	}
	whole, fraction, _ := strings.Cut(text, ".")
	if _, err := strconv.ParseInt(whole, 10, 64); err != nil || strings.Trim(fraction, "0") != "" {
		return "", false
	}
	return whole, true
}

func (r *repairer) count(low, high *int, n int, what, at string) *answer.Failure {
	if low != nil && n < *low || high != nil && n > *high {
		return answer.New(answer.OutOfRange, "param", at, "got", fmt.Sprintf("%d %s", n, what), "limits", limits(toFloat(low), toFloat(high), " "+what))
	}
	return nil
}

func (r *repairer) wrong(s *Schema, raw json.RawMessage, at string) *answer.Failure {
	if at == "" {
		return answer.New(answer.BadArguments, "message", "they are not a JSON object")
	}
	expected := map[string]string{"object": "an object", "array": "a list", "string": "a text", "boolean": "true or false", "integer": "a whole number", "number": "a number"}[s.Type]
	return answer.New(answer.WrongType, "param", at, "expected", expected, "got", shorten(string(raw)))
}
