package audit

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// planted is a secret that no pattern knows by its shape.
const planted = "correct-horse-7"

// Secrets are found by mark, by name, by the name beside them, by assignment in
// a text, in nested JSON, and by their own shape.
func TestPlantedSecretsNeverAppear(t *testing.T) {
	z := &Sanitizer{Secrets: []string{"bridge-" + planted}}
	for _, args := range []string{
		`{"plain":"` + planted + `"}`, // marked
		`{"password":"` + planted + `"}`,
		`{"dbPassword":["` + planted + `"]}`,
		`{"X-Auth-Token":{"a":"` + planted + `"}}`,
		`{"api_key":12345,"apiKey":"` + planted + `","API-KEY":"` + planted + `"}`,
		`{"a":[{"b":{"client_secret":"` + planted + `"}}]}`,
		`{"property":"api_token","value":"` + planted + `"}`,
		`{"edits":[{"name":"password","value":{"x":"` + planted + `"}}]}`,
		`{"content":"var api_key: String = \"` + planted + `\"\n"}`,
		`{"content":"const PASSWORD := '` + planted + `'"}`,
		`{"content":"password=` + planted + `"}`,
		`{"content":"token: ` + planted + `"}`,
		`{"find":"\"secret\": \"` + planted + `\""}`,
		`{"value":"{\"password\":\"` + planted + `\"}"}`,
		`{"value":"[{\"password\":\"` + planted + `\"}]"}`,
		`{"text":"Authorization: Bearer ` + planted + `-and-more"}`,
		`{"url":"https://user:` + planted + `@host/x"}`,
		`{"text":"say bridge-` + planted + ` to enter"}`,
	} {
		out := string(z.Params(json.RawMessage(args), []string{"plain"}))
		assert.NotContains(t, out, planted, args)
		assert.Contains(t, out, redacted, args)
	}
	for _, shape := range []string{
		"sk-proj-" + strings.Repeat("a1", 12), "sk_live_abcdefghijklmnop1234", "ghp_" + strings.Repeat("a1", 12), "github_pat_" + strings.Repeat("a1", 12),
		"AKIAIOSFODNN7EXAMPLE", "xoxb-1234567890-abc", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "-----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA PRIVATE KEY-----",
		"-----BEGIN PRIVATE KEY-----\\nMIIEcut",
	} {
		out := string(z.Params(json.RawMessage(`{"content":"x `+shape+` y"}`), nil))
		assert.NotContains(t, out, shape[len(shape)-6:], shape)
		assert.Contains(t, string(z.Params(json.RawMessage(`{"`+shape+`":1}`), nil)), redacted, "as a name")
	}
	// Long texts hold none either: they are cut after the secrets are out.
	long := strings.Repeat("x", 195) + " password=" + planted
	assert.NotContains(t, string(z.Params(json.RawMessage(`{"content":"`+long+`"}`), nil)), planted[:6])
}

func TestOrdinaryArgumentsStay(t *testing.T) {
	z := &Sanitizer{}
	for _, args := range []string{
		`{"node_path":"Player/Sprite2D","property":"position","value":{"x":1.50,"y":9007199254740993}}`,
		`{"node_path":"TokenLabel","text":"Press any key"}`,
		`{"list":[1,2,null,true],"script_path":"res://a.gd"}`,
	} {
		assert.JSONEq(t, args, string(z.Params(json.RawMessage(args), nil)))
	}
	assert.Contains(t, string(z.Params(json.RawMessage(`{"value":1.50}`), nil)), "1.50", "numbers keep their digits")
	assert.Nil(t, z.Params(nil, nil))
	assert.Contains(t, string(z.Params(json.RawMessage(`{"a":`), nil)), "left_out")
	assert.Contains(t, string(z.Params(json.RawMessage(strings.Repeat(`{"a":`, 60)+"1"+strings.Repeat("}", 60)), nil)), "…")
}

func FuzzParams(f *testing.F) {
	f.Add([]byte(`{"password":"x","a":"{\"b\":1}"}`), "secret")
	f.Fuzz(func(t *testing.T, raw []byte, secret string) {
		z := &Sanitizer{Secrets: []string{secret}}
		out := z.Params(raw, []string{"a"})
		if out != nil && !json.Valid(out) {
			t.Fatalf("%q", out)
		}
		if len(out) > maxParams+200 {
			t.Fatalf("%d bytes", len(out))
		}
	})
}

// A secret under a telling name is gone however the arguments are nested.
func TestSecretsAtAnyDepth(t *testing.T) {
	z := &Sanitizer{}
	rapid.Check(t, func(t *rapid.T) {
		var v any = map[string]any{rapid.SampledFrom([]string{"password", "Token", "my_secret", "apiKey"}).Draw(t, "name"): planted}
		for range rapid.IntRange(0, 12).Draw(t, "depth") {
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 0:
				v = []any{v}
			case 1:
				v = map[string]any{"k": v}
			default:
				raw, err := json.Marshal(v)
				if err != nil || len(raw) > 4000 {
					t.Skip()
				}
				v = map[string]any{"k": string(raw)}
			}
		}
		raw, err := json.Marshal(map[string]any{"args": v})
		if err != nil {
			t.Fatal(err)
		}
		if out := string(z.Params(raw, nil)); strings.Contains(out, planted) {
			t.Fatalf("%s", out)
		}
	})
}

// The beginning of a long text is shown as it would be if all of it were searched.
func TestLongTextsAreSearchedAtTheirBeginning(t *testing.T) {
	z := &Sanitizer{Secrets: []string{"hunter2"}}
	for _, text := range []string{
		"password: hunter2 " + strings.Repeat("# a comment\n", 100_000),
		strings.Repeat("x", window-3) + "hunter2" + strings.Repeat("y", 3*window),
		strings.Repeat("token=abcdefgh ", 100_000),
		"-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("QUJD", 100_000) + "\n-----END PRIVATE KEY-----",
		strings.Repeat("ä", 50_000),
	} {
		want := cut(z.Text(text), maxText)
		assert.Equal(t, want, cut(z.shown(text), maxText))
		assert.NotContains(t, z.shown(text)[:min(maxText, len(z.shown(text)))], "hunter2")
	}
}
