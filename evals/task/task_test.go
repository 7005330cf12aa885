package task

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const small = `Why it exists.
-- task.json --
{"schema": "evals/1", "id": "a/b", "version": 1, "category": "a", "split": "public", "why": "x",
 "editor": {"godot": "4.6", "open": []}, "server": {"profile": "editor"}, "limits": {"calls": 9, "wall": "1m", "result_tokens": 9}, "oracle_calls": 1, "catches": {}, "canary": "c"}
-- prompt.md --
Do it.
-- checks.txt --
one state.unchanged
-- oracle.txt --
report outcome=done saved=no
-- project/project.godot --
config_version=5
`

func TestParse(t *testing.T) {
	x, err := Parse("a/b.txtar", []byte(small))
	require.NoError(t, err)
	assert.Equal(t, "Do it.", x.Prompt)
	assert.Equal(t, map[string]string{"project.godot": "config_version=5\n"}, x.Project)

	for name, change := range map[string][2]string{
		"unknown member extra.txt":       {"-- prompt.md --", "-- extra.txt --\nx\n-- prompt.md --"},
		"member prompt.md is missing":    {"-- prompt.md --", "-- faults.txt --"},
		"unknown field":                  {`"version": 1`, `"version": 1, "colour": 2`},
		"stands twice in one object":     {`"version": 1`, `"version": 1, "version": 2`},
		"member prompt.md stands twice":  {"-- checks.txt --", "-- prompt.md --\nagain\n-- checks.txt --"},
		"does not lie inside project/":   {"-- project/project.godot --", "-- project/../project.godot --"},
		"the first lines must say why":   {"Why it exists.\n", ""},
		"the id one stands twice":        {"one state.unchanged", "one state.unchanged\none state.unchanged"},
		"unknown statement \"sing\"":     {"report outcome", "sing\nreport outcome"},
		"a report has no \"mood\"":       {"saved=no", "mood=good"},
		"oracle.txt:1: a quote is not":   {"saved=no", "why='open"},
		"is not key=value":               {"report outcome=done", "call undo twice\nreport outcome=done"},
		"checks.txt:1: a check is ID[@G": {"one state.unchanged", "One state.unchanged"},
	} {
		require.Contains(t, small, change[0])
		_, err := Parse("a/b.txtar", []byte(strings.Replace(small, change[0], change[1], 1)))
		assert.ErrorContains(t, err, name)
	}
}

func TestDecisions(t *testing.T) {
	var w World
	require.NoError(t, w.parse("faults.txt", "approver deny delete_node node_path=*Backup after=20s why='it is in use'\napprover approve *\n", false))
	require.Len(t, w.Approver, 2)
	d := w.Approver[0]
	assert.Equal(t, Decision{Answer: "deny", Tool: "delete_node", Args: map[string]string{"node_path": "*Backup"}, After: 20 * time.Second, Why: "it is in use"}, d)
	assert.True(t, d.Fits("delete_node", map[string]any{"node_path": "SaveBackup"}))
	assert.False(t, d.Fits("delete_node", map[string]any{"node_path": "Save"}))
	assert.False(t, d.Fits("delete_node", nil))
	assert.False(t, d.Fits("rename_node", map[string]any{"node_path": "SaveBackup"}))
	assert.True(t, w.Approver[1].Fits("anything", nil))
	for _, bad := range []string{"approver", "approver deny", "approver shrug delete_node", "approver deny x y", "approver deny x after=1h", "approver deny x a=["} {
		assert.Error(t, new(World).parse("faults.txt", bad, false), bad)
	}
}

// FuzzLines: no text makes a parser panic, and what is read is read again from
// what it says.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{
		"one disk.node res://a.tscn A type=Node prop.x==3", "human set A x 'Vector2(1, 2)'", "fault delay-apply cmd_transaction delay=15s",
		"at call 4: human undo", "if required == confirm: call undo a={\"b\":1}", "report outcome=done why='it''s'", "approver deny * after=1s", "clock gap=2s",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, setup := range []bool{true, false} {
			_ = new(World).parse("w", text, setup)
		}
		_, _ = parseChecks("c", text)
		_, _ = parseScript("s", text)
		words, err := Words(text)
		if err != nil {
			return
		}
		var quoted []string
		for _, w := range words {
			quoted = append(quoted, "'"+strings.ReplaceAll(w, "'", "''")+"'")
		}
		again, err := Words(strings.Join(quoted, " "))
		require.NoError(t, err)
		require.Equal(t, len(words), len(again))
		for i := range words {
			require.Equal(t, words[i], again[i])
		}
	})
}

// FuzzParse: no file makes the parser panic.
func FuzzParse(f *testing.F) {
	f.Add(small)
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Parse("a/b.txtar", []byte(text))
		require.Equal(t, err == nil, x != nil)
	})
}
