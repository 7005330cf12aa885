package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxText   = 200 // letters of one value
	maxKey    = 64
	maxItems  = 20
	maxDepth  = 8
	maxParams = 6 << 10
	window    = 8 << 10 // bytes of a long value that are looked at
)

const redacted = "[redacted]"

// Sanitizer takes out of parameters what an audit log must not hold.
type Sanitizer struct {
	// Secrets are texts that never appear, such as the server's own tokens.
	Secrets []string
}

// secretWord is what a name of a secret has in it. Words are matched anywhere,
// so that db_password, apiKey and X-Auth-Token are found; a harmless name too
// many costs less than a secret.
const secretWord = `pass(?:word|wd|phrase|code)|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|authorization|bearer|cookie|jwt|signing[_-]?key|encryption[_-]?key`

var (
	secretName = regexp.MustCompile(`(?i)(?:` + secretWord + `)`)
	// assigned finds the value in name = "value", name: value, name := value.
	assigned = regexp.MustCompile(`(?i)([\w.-]*(?:` + secretWord + `)[\w.-]*["']?\s*(?::\s*\w*\s*)?[:=]+\s*)(?:"[^"]*"?|'[^']*'?|[^\s,;)}\]]+)`)
	// shaped are texts that look like secrets by themselves.
	shaped = regexp.MustCompile(`(?i)bearer\s+[\w.~+/=-]{8,}|basic\s+[A-Za-z0-9+/=]{12,}|-----BEGIN[^-]*PRIVATE KEY-----(?:[\s\S]*?-----END[^-]*-----|[\s\S]*)|\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9]{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[a-z]-[\w-]{10,}|\bAKIA[0-9A-Z]{12,}|\bAIza[\w-]{30,}|\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]+@`)
)

// Params sanitises the arguments of a call. Marked are argument names that hold
// secrets whatever they are called. Arguments that are no JSON are not shown.
func (z *Sanitizer) Params(raw json.RawMessage, marked []string) json.RawMessage {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return leftOut("not JSON", raw)
	}
	if m, ok := v.(map[string]any); ok {
		for _, name := range marked {
			if _, given := m[name]; given {
				m[name] = redacted
			}
		}
	}
	out, err := json.Marshal(z.value(v, 0))
	if err != nil || len(out) > maxParams {
		return leftOut("long", raw)
	}
	return out
}

func leftOut(why string, raw []byte) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"left_out":%q,"bytes":%d,"sha256":"%x"}`, why, len(raw), sha256.Sum256(raw)))
}

func (z *Sanitizer) value(v any, depth int) any {
	if depth > maxDepth {
		return "…"
	}
	switch v := v.(type) {
	case string:
		return z.nested(v, depth)
	case json.Number:
		return z.number(v)
	case []any:
		out := make([]any, 0, min(len(v), maxItems+1))
		for i, it := range v {
			if i == maxItems {
				out = append(out, fmt.Sprintf("… %d more", len(v)-i))
				break
			}
			out = append(out, z.value(it, depth+1))
		}
		return out
	case map[string]any:
		return z.object(v, depth)
	}
	return v
}

// object takes out the members with names of secrets, and the value beside a
// text that is one: {"property": "api_token", "value": …}.
func (z *Sanitizer) object(m map[string]any, depth int) map[string]any {
	names := false
	for _, text := range m {
		if s, ok := text.(string); ok && len(s) <= maxText && secretName.MatchString(s) {
			names = true
		}
	}
	out := make(map[string]any, min(len(m), maxItems+1))
	for i, k := range sortedKeys(m) {
		if i == maxItems {
			out["…"] = fmt.Sprintf("%d more", len(m)-i)
			break
		}
		v := m[k]
		key := cut(z.Text(k), maxKey)
		switch {
		case secretName.MatchString(k), names && (k == "value" || k == "default"):
			out[key] = redacted
		default:
			out[key] = z.value(v, depth+1)
		}
	}
	return out
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (z *Sanitizer) number(n json.Number) any {
	if len(n) > 40 {
		return cut(n.String(), 40)
	}
	return n
}

// nested looks into JSON that stands inside a text, as clients send it.
func (z *Sanitizer) nested(s string, depth int) any {
	t := strings.TrimSpace(s)
	if len(t) > 1 && (t[0] == '{' || t[0] == '[') {
		d := json.NewDecoder(strings.NewReader(t))
		d.UseNumber()
		var inner any
		if d.Decode(&inner) == nil && !d.More() {
			return z.value(inner, depth+1)
		}
	}
	clean := z.shown(s)
	if utf8.RuneCountInString(clean) > maxText {
		return fmt.Sprintf("%s (%d bytes, sha256 %x)", cut(clean, maxText), len(s), sha256.Sum256([]byte(s)))
	}
	return clean
}

// shown is what Text makes of a text as far as it can be shown: only the
// beginning is, and a file of megabytes is not searched for that.
func (z *Sanitizer) shown(s string) string {
	if len(s) > 2*window {
		head := strings.ToValidUTF8(s[:window], "")
		// What stands at the window's end may be half a secret, so it must be far
		// from what is shown.
		if clean := z.Text(head); utf8.RuneCountInString(clean) > window/2 {
			return clean
		}
	}
	return z.Text(s)
}

// Text takes secrets out of a text. It keeps its length otherwise.
func (z *Sanitizer) Text(s string) string {
	for _, secret := range z.Secrets {
		if secret != "" {
			s = strings.ReplaceAll(s, secret, redacted)
		}
	}
	s = shaped.ReplaceAllString(s, redacted)
	return assigned.ReplaceAllString(s, "${1}"+redacted)
}

func cut(s string, letters int) string {
	n := 0
	for i := range s {
		if n == letters {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// escape writes every character that a terminal or a reader could take for
// something else as a JSON escape: controls, line separators, direction marks
// and bytes that are no text. In JSON such characters stand in strings only.
func escape(line []byte) []byte {
	plain := true
	for _, c := range line {
		if c < 0x20 || c >= 0x7f {
			plain = false
			break
		}
	}
	if plain {
		return line
	}
	var b bytes.Buffer
	for len(line) > 0 {
		r, n := utf8.DecodeRune(line)
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\ufffd`)
		case r > 0xffff && !unicode.IsPrint(r):
			b.WriteString(`\ufffd`)
		case r != ' ' && !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.Write(line[:n])
		}
		line = line[n:]
	}
	return b.Bytes()
}

func quote(s string) []byte {
	b, err := json.Marshal(s)
	if err != nil {
		return []byte(`""`)
	}
	return b
}
