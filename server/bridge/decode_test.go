package bridge

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestScanID(t *testing.T) {
	for text, want := range map[string]string{
		`{"id":"12"`:                          "12",
		`{"id" : "12`:                         "12",
		`{"a":{"id":"1"},"b":"\"id\"","id":7`: "7",
		`{"result":["id","x"],"id":"5"}`:      "5",
		`{"a":"id","id":"3"}`:                 "3",
		`"id":"1"`:                            "",
		`{"id":"x"}`:                          "",
		`{"id"`:                               "",
		`{"id":`:                              "",
		`{"a":"\`:                             "",
		`}}}{"id":"1"}`:                       "",
	} {
		assert.Equal(t, want, scanID([]byte(text)), text)
	}
}

// Valid JSON keeps its meaning and, unless it holds half a surrogate pair or a
// number out of range, its bytes.
func TestRepairKeepsValidJSON(t *testing.T) {
	for _, text := range []string{
		`{"a":[1,-2.5e+10,true,false,null,"é\u00e9\ud83d\ude00\\\"\/\b\f\n\r\t"]}`, `[]`, `0`, `-0.0`, `" "`, `1e5`, `1E5`, `"null"`,
	} {
		assert.Equal(t, text, string(repair([]byte(text))))
	}
	assert.False(t, needsRepair([]byte(`{"id":"1","ok":true,"result":{"a":[null,false,true],"b":-1.5,"é":"\n"}}`)), "the common case is not copied")
}

func TestRepair(t *testing.T) {
	for text, want := range map[string]string{
		`"\a\v\'\q\"`:                   `"\u0007\u000b'\\q\"`,
		`"\u12"`:                        `"\\u12"`,
		`"\u12g4 \ud800\u0041 \udc00"`:  `"\\u12g4 \ufffd\u0041 \ufffd"`,
		`"\ud800`:                       `"\ufffd`,
		`"\`:                            `"\`,
		`[-nan,Infinity,inf_neg]`:       `["nan","inf","-inf"]`,
		"{\"\x1f\":1}":                  `{"\u001f":1}`,
		`{a:1}`:                         `{a:1}`,
		"-2" + strings.Repeat("0", 308): `"-inf"`,
	} {
		assert.Equal(t, want, string(repair([]byte(text))), text)
	}
}

func TestShortenCutsBetweenLetters(t *testing.T) {
	long := "x" + strings.Repeat("é", 100)
	assert.True(t, utf8.ValidString(shorten([]byte(long))))
	assert.Less(t, len(shorten([]byte(long))), 70)
	assert.Equal(t, "nothing", shorten(nil))
}

// Any string that went through Godot's way of writing comes out valid and, for
// valid text, equal.
func TestRepairOfGodotStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.String().Draw(t, "text")
		text := `{"a":` + godotString(want) + `}`
		var got struct{ A string }
		require.NoError(t, json.Unmarshal(repair([]byte(text)), &got), text)
		require.Equal(t, want, got.A)
		require.True(t, json.Valid(repair([]byte(text))))
		if json.Valid([]byte(text)) {
			return
		}
		require.True(t, needsRepair([]byte(text)), text)
	})
}

// godotString writes as String::json_escape of engine 4.6 does.
func godotString(s string) string {
	return `"` + strings.NewReplacer("\\", "\\\\", "\b", "\\b", "\f", "\\f", "\n", "\\n", "\r", "\\r",
		"\t", "\\t", "\v", "\\v", "\"", "\\\"").Replace(s) + `"`
}

func FuzzEnvelope(f *testing.F) {
	for _, seed := range []string{
		`{"id":"1","ok":true,"result":{"a":1}}`,
		`{"id":"1","ok":false,"error":"CONFLICT","reason":"file_exists","details":{"path":"res://a"},"step":2,"log":["x"]}`,
		"{\"id\":\"1\",\"ok\":true,\"result\":{\"a\":\"\x1b\\v\\ud800\xff\",\"b\":NaN,\"c\":-inf,\"d\":1e99999}}",
		`{"id":"1","ok":true,"result":{"a":2` + strings.Repeat("0", 308) + `}}`,
		`{"id":1`, `{"command":"cmd_peer_hello"}`, `[[[`, `{"id":"1","ok":true,"result":` + strings.Repeat("[", 600),
		`{"state":"done","answer":{"id":"1","ok":true,"result":{}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := decodeReply(data)
		if m.problem == "" && m.control == "" {
			require.NotEmpty(t, m.id)
		}
		out := m.outcome("cmd_ping")
		if m.control == "" {
			require.NotEqual(t, out.Err == nil, out.Result == nil)
		}
		if out.Result != nil {
			require.True(t, json.Valid(out.Result))
			require.True(t, utf8.Valid(out.Result))
			require.Equal(t, byte('{'), out.Result[0])
			var v any
			require.NoError(t, json.Unmarshal(out.Result, &v))
		}
		if json.Valid(data) {
			require.True(t, json.Valid(repair(data)), "repair breaks nothing")
		}
		if !needsRepair(data) {
			require.Equal(t, data, repair(data), "the quick look misses nothing")
		}
		once := repair(data)
		require.Equal(t, once, repair(once))
		_, _ = readOutcome("1", "cmd_ping", data)
		_ = scanID(data)
	})
}
