package fault

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"godot-mcp/server/wire"
)

func TestParse(t *testing.T) {
	for line, want := range map[string]Rule{
		"drop-reply cmd_transaction nth=1": {Kind: DropReply, Command: "cmd_transaction", Nth: 1},
		"drop-reply":                       {Kind: DropReply, Nth: 1},
		"delay-apply cmd_create_node arg.name=Player delay=31s": {Kind: DelayApply, Command: "cmd_create_node", Nth: 1, Args: []Arg{{"name", "Player"}}, Delay: 31 * time.Second},
		"delay-drop every delay=1m # for good":                  {Kind: DelayDrop, Every: true, Delay: time.Minute},
		"malformed-reply cmd_ping as=truncated nth=3":           {Kind: MalformedReply, Command: "cmd_ping", Nth: 3, As: "truncated"},
		"disconnect": {Kind: Disconnect, For: time.Second, When: After},
		"disconnect cmd_save_scene when=before for=2s": {Kind: Disconnect, Command: "cmd_save_scene", Nth: 1, For: 2 * time.Second, When: Before},
		"hang for=30s":                               {Kind: Hang, For: 30 * time.Second},
		"slow frame=200ms for=5s":                    {Kind: Slow, For: 5 * time.Second, Frame: 200 * time.Millisecond},
		"oversized-reply":                            {Kind: OversizedReply, Nth: 1, Bytes: wire.MaxMessageBytes + 1},
		"wrong-version godot=4.3.stable addon=0.0.1": {Kind: WrongVersion, Godot: "4.3.stable", Addon: "0.0.1"},
		"drop-command cmd_rename_node 'arg.new_name=It''s # one'": {Kind: DropCommand, Command: "cmd_rename_node", Nth: 1, Args: []Arg{{"new_name", "It's # one"}}},
		"clear": {Kind: Clear},
	} {
		r, err := ParseLine(line)
		require.NoError(t, err, line)
		assert.Equal(t, want, r, line)
		again, err := ParseLine(r.String())
		require.NoError(t, err, r.String())
		assert.Equal(t, r, again)
	}
}

func TestParseErrorsSayWhatIsWanted(t *testing.T) {
	for line, part := range map[string]string{
		"":                              "begins with one of",
		"dropreply":                     "must be one of clear, crash, delay-apply",
		"drop-reply cmd_nothing":        "not a command of the vocabulary",
		"drop-reply cmd_ping cmd_undo":  "one command is enough",
		"drop-reply nth=0":              "nth counts from 1",
		"drop-reply every nth=2":        "cannot stand with nth",
		"drop-reply delay=3s":           "drop-reply takes a command, nth, every, arg.NAME",
		"delay-apply delay=soon":        "not a duration",
		"delay-apply delay=-1s":         "not a duration",
		"delay-apply delay=1s delay=2s": "given twice",
		"malformed-reply as=odd":        "is none of array, bad-code",
		"oversized-reply bytes=x":       "not a number of bytes",
		"wrong-version":                 "at least one of addon, godot, vocabulary",
		"wrong-version cmd_ping":        "it concerns no command",
		"clear for=1s":                  "unknown option",
		"disconnect when=never":         "none of before, after",
		"slow frame=0s":                 "frame must be positive",
		"drop-reply 'x":                 "quote is not closed",
	} {
		_, err := ParseLine(line)
		require.Error(t, err, line)
		assert.Contains(t, err.Error(), part, line)
	}
}

func FuzzParseLine(f *testing.F) {
	f.Add("drop-reply cmd_transaction nth=1 arg.a.b='x y'")
	f.Fuzz(func(t *testing.T, line string) {
		r, err := ParseLine(line)
		if err != nil {
			return
		}
		again, err := ParseLine(r.String())
		require.NoError(t, err, "%q from %q", r.String(), line)
		require.Equal(t, r, again)
	})
}

func command(id, name, params string) wire.Command {
	return wire.Command{ID: id, Command: name, Params: json.RawMessage(params)}
}

func TestSelectors(t *testing.T) {
	rule := func(line string) Rule {
		r, err := ParseLine(line)
		require.NoError(t, err)
		return r
	}
	tx := command("1", wire.CmdTransaction, `{"name":"n","steps":[{"command":"cmd_create_node","params":{"name":"Player","n":2,"l":[{"x":true}]}}]}`)
	for line, want := range map[string]bool{
		"drop-reply":                                       true,
		"drop-reply cmd_transaction":                       true,
		"drop-reply cmd_create_node":                       true,
		"drop-reply cmd_delete_node":                       false,
		"drop-reply cmd_create_node arg.name=Player":       true,
		"drop-reply cmd_create_node arg.name=Other":        false,
		"drop-reply cmd_create_node arg.n=2":               true,
		"drop-reply cmd_create_node arg.l.0.x=true":        true,
		"drop-reply cmd_create_node arg.l.1.x=true":        false,
		"drop-reply cmd_transaction arg.name=n":            true,
		"drop-reply cmd_transaction arg.steps.0.command=x": false,
		"disconnect":                           false,
		"wrong-version godot=4":                false,
		`drop-reply cmd_create_node arg.n="2"`: false,
	} {
		assert.Equal(t, want, rule(line).matches(tx), line)
	}
}

func TestNthAndEvery(t *testing.T) {
	var s Script
	require.NoError(t, s.AddLine("drop-reply cmd_ping nth=2"))
	require.NoError(t, s.AddLine("duplicate-reply cmd_ping every"))
	var got []int
	for range 3 {
		got = append(got, len(s.take(command("1", wire.CmdPing, ""))))
	}
	assert.Equal(t, []int{1, 2, 1}, got)
	assert.Equal(t, []string{"duplicate-reply cmd_ping every"}, s.Armed())
	require.NoError(t, s.AddLine("clear"))
	assert.Empty(t, s.Armed())
	assert.ErrorIs(t, s.AddLine("crash"), errNoCrash)
}

func TestEveryMalformationIsMalformed(t *testing.T) {
	good, err := json.Marshal(wire.Reply{ID: "7", OK: true, Result: json.RawMessage(`{"pong":true}`)})
	require.NoError(t, err)
	for _, as := range Malformations() {
		_, bad := malformations[as](good)
		if as != "binary" {
			assert.NotEqual(t, string(good), string(bad), as)
		}
	}
}

func TestRulesKeepTheirTextForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[ -~äß]{0,8}`)
		kinds := keys(grammar)
		line := rapid.SampledFrom(kinds).Draw(t, "kind")
		g := grammar[Kind(line)]
		words := []string{line}
		for _, k := range keys(g.options) {
			if rapid.Bool().Draw(t, k) {
				v := map[string]string{"as": "array", "when": "before", "bytes": "77", "godot": "4.2", "addon": "x y", "vocabulary": "#1"}[k]
				if v == "" {
					v = time.Duration(rapid.IntRange(1, 1e12).Draw(t, "d")).String()
				}
				words = append(words, k+"="+v)
			}
		}
		if Kind(line) != Clear && Kind(line) != WrongVersion {
			if rapid.Bool().Draw(t, "command") {
				words = append(words, rapid.SampledFrom(wire.Commands).Draw(t, "command").Name)
			}
			if rapid.Bool().Draw(t, "arg") {
				words = append(words, "arg.p="+word.Draw(t, "value"))
			}
			switch rapid.IntRange(0, 2).Draw(t, "which") {
			case 1:
				words = append(words, "every")
			case 2:
				words = append(words, "nth=3")
			}
		}
		r, err := Parse(words)
		if Kind(line) == WrongVersion && len(words) == 1 {
			require.Error(t, err)
			return
		}
		require.NoError(t, err, "%q", words)
		again, err := ParseLine(r.String())
		require.NoError(t, err, r.String())
		require.Equal(t, r, again)
	})
}
