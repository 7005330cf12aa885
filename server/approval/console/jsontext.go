package console

import (
	"bytes"
	"encoding/json"
	"strings"
)

// member is one member of an object, in the order of the text.
type member struct {
	name  string
	value json.RawMessage
}

// members reads the members of an object in their order; nil when it is none.
func members(raw json.RawMessage) []member {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var out []member
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return nil
		}
		m := member{name: name}
		if d.Decode(&m.value) != nil {
			return nil
		}
		out = append(out, m)
	}
	return out
}

// object is the members by name; nil when raw is no object.
func object(raw json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}

// longValue is where a value gets lines of its own.
const longValue = 60

// arguments are the arguments of a call to be read by a person. Numbers stay as
// they were written.
func arguments(raw json.RawMessage) []argument {
	list := members(raw)
	if list == nil && len(bytes.TrimSpace(raw)) > 0 && object(raw) == nil {
		return []argument{{JSON: indent(raw)}}
	}
	out := []argument{}
	for _, m := range list {
		out = append(out, argumentOf(m))
	}
	return out
}

func argumentOf(m member) argument {
	a := argument{Name: m.name}
	if s, ok := text(m.value); ok && (strings.ContainsAny(s, "\n\r") || len(s) > 4*longValue) {
		a.Text = s
		return a
	}
	a.JSON = value(m.value)
	return a
}

// text is a JSON string's text.
func text(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	var s string
	return s, json.Unmarshal(raw, &s) == nil
}

// value is JSON on one line when it is short, indented otherwise.
func value(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	if b.Len() > longValue {
		return indent(raw)
	}
	return plain(b.String())
}

func indent(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return plain(b.String())
}

// plain writes <, > and & as themselves, which encoders of JSON for web pages
// escape; here nothing is read as markup.
func plain(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		if i+6 <= len(s) {
			if c, ok := markup[strings.ToLower(s[i:i+6])]; ok {
				b.WriteByte(c)
				i += 5
				continue
			}
		}
		b.WriteString(s[i : i+2])
		i++
	}
	return b.String()
}

var markup = map[string]byte{`\u003c`: '<', `\u003e`: '>', `\u0026`: '&'}
