package catalog

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"godot-mcp/server/answer"
)

type sampleIn struct {
	Name   string                     `json:"name" desc:"Text." minlen:"1" maxlen:"8"`
	Kind   string                     `json:"kind,omitempty" desc:"Choice." enum:"a,b"`
	Count  int64                      `json:"count,omitempty" desc:"Number." min:"1" default:"1"`
	Ratio  float64                    `json:"ratio,omitempty" desc:"Number." max:"2"`
	On     bool                       `json:"on,omitempty" desc:"Switch."`
	Value  json.RawMessage            `json:"value,omitempty" desc:"Any."`
	Paths  []string                   `json:"paths,omitempty" desc:"Texts." maxlen:"3"`
	Props  map[string]json.RawMessage `json:"props,omitempty" desc:"Any by name."`
	Events []sampleEvent              `json:"events,omitempty" desc:"Objects."`
}

type sampleEvent struct {
	Key     string `json:"key" desc:"Text."`
	Pressed bool   `json:"pressed,omitempty" desc:"Switch."`
}

func sample() *Schema { return infer(reflect.TypeFor[sampleIn](), "sample", true) }

func TestRepairMends(t *testing.T) {
	for in, want := range map[string]string{
		`{"name":"x"}`: `{"name":"x","count":1}`,
		`{"name":"x","count":"3","ratio":"0.5","on":"True"}`:                         `{"name":"x","count":3,"ratio":0.5,"on":true}`,
		`{"name":"x","count":3.0,"on":"false"}`:                                      `{"name":"x","count":3,"on":false}`,
		`{"name":"x","count":1e3}`:                                                   `{"name":"x","count":1000}`,
		`{"name":"x","count":9223372036854775807}`:                                   `{"name":"x","count":9223372036854775807}`,
		`{"name":"x","count":null,"value":null,"kind":null}`:                         `{"name":"x","count":1}`,
		`{"name":"x","count":2,"paths":"[\"a\",\"b\"]"}`:                             `{"name":"x","count":2,"paths":["a","b"]}`,
		`{"name":"x","count":2,"paths":"a"}`:                                         `{"name":"x","count":2,"paths":["a"]}`,
		`{"name":"x","count":2,"props":"{\"p\": {\"x\": 1}}"}`:                       `{"name":"x","count":2,"props":{"p":{"x": 1}}}`,
		`{"name":"x","count":2,"events":"[{\"key\": \"True\", \"pressed\": True}]"}`: `{"name":"x","count":2,"events":[{"key":"True","pressed":true}]}`,
		`{"name":"x","count":2,"events":[{"key":"k","pressed":"True"}]}`:             `{"name":"x","count":2,"events":[{"key":"k","pressed":true}]}`,
		`{"name":"x","count":2,"value":{"b":1,"a":12345678901234567890}}`:            `{"name":"x","count":2,"value":{"b":1,"a":12345678901234567890}}`,
		`{"name":"x","count":2,"value":"{\"x\":1}"}`:                                 `{"name":"x","count":2,"value":"{\"x\":1}"}`,
		`{"arguments":{"name":"x","count":2}}`:                                       `{"name":"x","count":2}`,
	} {
		got, f := Repair(sample(), json.RawMessage(in), "t")
		if assert.Nil(t, f, in) {
			assert.Equal(t, want, string(got), in)
		}
	}
}

func TestRepairRefuses(t *testing.T) {
	for in, want := range map[string]answer.Reason{
		`{}`:                                answer.MissingArgument,
		``:                                  answer.MissingArgument,
		`{"name":null}`:                     answer.WrongType,
		`[]`:                                answer.BadArguments,
		`"text"`:                            answer.BadArguments,
		`{"name":"x"`:                       answer.BadArguments,
		`{"name":5}`:                        answer.WrongType,
		`{"name":""}`:                       answer.OutOfRange,
		`{"name":"123456789"}`:              answer.OutOfRange,
		`{"name":"x","kind":"c"}`:           answer.NotAChoice,
		`{"name":"x","count":0}`:            answer.OutOfRange,
		`{"name":"x","count":1.5}`:          answer.WrongType,
		`{"name":"x","count":"many"}`:       answer.WrongType,
		`{"name":"x","count":1e400}`:        answer.WrongType,
		`{"name":"x","count":1e-400000000}`: answer.WrongType,
		`{"name":"x","count":9223372036854775808}`:    answer.WrongType,
		`{"name":"x","ratio":1e999}`:                  answer.OutOfRange,
		`{"name":"x","ratio":3}`:                      answer.OutOfRange,
		`{"name":"x","on":1}`:                         answer.WrongType,
		`{"name":"x","paths":["a","b","c","d"]}`:      answer.OutOfRange,
		`{"name":"x","paths":[1]}`:                    answer.WrongType,
		`{"name":"x","events":[{"pressed":true}]}`:    answer.MissingArgument,
		`{"name":"x","events":[{"key":"k","kee":1}]}`: answer.UnknownArgument,
		`{"name":"x","nam":"y"}`:                      answer.UnknownArgument,
		`{"name":"x","name":"y"}`:                     answer.DuplicateArgument,
		`{"name":"x","value":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`: answer.BadArguments,
	} {
		_, f := Repair(sample(), json.RawMessage(in), "t")
		if assert.NotNil(t, f, in) {
			assert.Equal(t, string(want), f.Reason, in)
		}
	}
	_, f := Repair(sample(), json.RawMessage(`{"name":"x","nam":"y"}`), "godot_t")
	assert.Contains(t, f.Hint, "name, kind, count")
}

// What passes the repair also passes an independent validator, and a repair
// of the result changes nothing.
func TestRepairAgreesWithJSONSchema(t *testing.T) {
	s := sample()
	raw, err := s.MarshalJSON()
	require.NoError(t, err)
	var js jsonschema.Schema
	require.NoError(t, json.Unmarshal(raw, &js))
	resolved, err := js.Resolve(nil)
	require.NoError(t, err)
	scalar := rapid.SampledFrom([]string{`"x"`, `"a"`, `"True"`, `"5"`, `1`, `0`, `-1`, `2.0`, `2.5`, `true`, `null`, `[]`, `["a"]`, `"[1]"`, `{}`, `{"key":"k"}`, `[{"key":"k","pressed":"False"}]`, `"{\"a\":1}"`, `1e2`})
	names := rapid.SampledFrom([]string{"name", "kind", "count", "ratio", "on", "value", "paths", "props", "events", "other"})
	rapid.Check(t, func(t *rapid.T) {
		members := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) member {
			return member{names.Draw(t, "name"), json.RawMessage(scalar.Draw(t, "value"))}
		}), 0, 6).Draw(t, "members")
		if rapid.Bool().Draw(t, "named") {
			members = append(members, member{"name", json.RawMessage(`"n"`)})
		}
		in := joinMembers(members)
		out, f := Repair(s, in, "t")
		if f != nil {
			return
		}
		var v map[string]any
		require.NoError(t, json.Unmarshal(out, &v))
		require.NoError(t, resolved.Validate(v), "%s -> %s", in, out)
		var typed sampleIn
		require.NoError(t, json.Unmarshal(out, &typed))
		again, f := Repair(s, out, "t")
		require.Nil(t, f)
		require.JSONEq(t, string(out), string(again))
	})
}

func FuzzRepair(f *testing.F) {
	s := sample()
	f.Add([]byte(`{"name":"x","events":"[{\"key\": True}]"}`))
	f.Add([]byte(`{"name":"x","count":1e9,"value":[1,{"a":null}]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		out, fail := Repair(s, in, "t")
		if fail != nil {
			require.NotEmpty(t, fail.Hint)
			return
		}
		require.True(t, json.Valid(out))
	})
}
