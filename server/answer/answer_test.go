package answer

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/wire"
)

var placeholder = regexp.MustCompile(`\{([a-z_0-9]+)`)

func allEntries(t *testing.T) map[string]entry {
	t.Helper()
	for r := range wire.Reasons() {
		require.Contains(t, wireEntries, r, "a wire reason without a hint")
	}
	require.Len(t, wireEntries, len(wire.Reasons()))
	require.Len(t, entries, len(wireEntries)+len(serverEntries), "a reason of the server has the token of a wire reason")
	return entries
}

// A hint is readable with no details, with all, and with each one missing.
func TestHintsHaveNoUnfilledPlaceholder(t *testing.T) {
	hints := map[string]string{}
	for reason, e := range allEntries(t) {
		hints[reason] = e.hint
		for _, s := range e.others {
			hints[reason+" with "+s.mark] = s.hint
		}
	}
	for reason, hint := range hints {
		full := map[string]any{}
		for _, m := range placeholder.FindAllStringSubmatch(hint, -1) {
			full[m[1]] = "x" + m[1]
		}
		check := func(d map[string]any) {
			h := render(hint, d)
			assert.NotRegexp(t, `[{}\[\]|]`, h, reason)
			assert.NotContains(t, h, "  ", reason)
			assert.Regexp(t, `^["A-Zx0-9].*[.]$`, h, reason)
		}
		check(nil)
		check(full)
		for name := range full {
			d := map[string]any{}
			for k, v := range full {
				if k != name {
					d[k] = v
				}
			}
			check(d)
		}
	}
}

func TestLossHintsNameNodeAndScene(t *testing.T) {
	for r, template := range lossHints {
		for _, v := range []wire.Verdict{{Reason: r}, {Reason: r, Subject: "A/B", Source: "res://b.tscn"}} {
			h := LossHint(v, "N")
			assert.NotRegexp(t, `[{}\[\]|]`, h)
			assert.NotEmpty(t, h)
			if strings.Contains(template, "{source") && v.Source != "" {
				assert.Contains(t, h, v.Source)
			}
			if strings.Contains(template, "{node") && v.Subject != "" {
				assert.Contains(t, h, v.Subject)
			}
		}
	}
	assert.Empty(t, LossHint(wire.Verdict{Persisted: true}, "N"))
	assert.NotEmpty(t, LossHint(wire.Verdict{Reason: "something_new"}, "N"))
}

func TestEveryReasonGivesAWholeFailure(t *testing.T) {
	for r, c := range wire.Reasons() {
		if r == wire.ReasonReplaced {
			continue
		}
		f := FromWire(wire.Fail(r), false)
		require.Equal(t, c, f.ErrorCode, r)
		require.Contains(t, Codes(), f.Code)
		require.NotEmpty(t, f.Hint)
	}
	for r, c := range Reasons() {
		f := New(r)
		require.Equal(t, c, f.ErrorCode, r)
		require.Contains(t, Codes(), f.Code)
		require.NotEmpty(t, f.Hint)
	}
}

func TestFromWireIsHonestAboutLostAnswers(t *testing.T) {
	read := FromWire(wire.Fail(wire.ReasonDeadline, "command", "cmd_get_node", "seconds", 10), false)
	assert.Equal(t, Timeout, read.Code)
	assert.False(t, read.MayHaveApplied)
	write := FromWire(wire.Fail(wire.ReasonDeadline, "command", "cmd_transaction", "seconds", 10), true)
	assert.Equal(t, Uncertain, write.Code)
	assert.True(t, write.MayHaveApplied)
	assert.Contains(t, write.Hint, "may have been applied")
	never := FromWire(wire.Fail(wire.ReasonNotApplied, "command", "cmd_transaction"), true)
	assert.False(t, never.MayHaveApplied)
	assert.True(t, never.Retry)
}

func TestText(t *testing.T) {
	f := New(NeedsConfirm, "tool", "godot_scene_edit_delete_node", "target", "Player")
	assert.Equal(t, InvalidInput, f.Code)
	assert.Regexp(t, `^PRECONDITION_FAILED: .*Player.* \[required=confirm\]$`, f.Text())
	assert.Equal(t, "node_type", New(WrongType, "param", "node_type").Required)
	step := 2
	w := wire.Fail(wire.ReasonNodeNotFound, "path", "A", "near", []any{"B", "C"})
	w.Step = &step
	assert.Equal(t, `RESOURCE_NOT_FOUND: Step 2 of this edit failed and nothing of it was applied. There is no node "A" in the edited scene. Near: B, C. Call godot_inspection_get_scene_tree for the paths. [required=node_exists]`, FromWire(w, true).Text())
}

// Project text in details can neither forge lines nor fill the answer.
func TestDetailsAreBounded(t *testing.T) {
	f := FromWire(wire.Fail(wire.ReasonNodeNotFound, "path", "A\nERROR: x\x1b[0m"+strings.Repeat("y", 10_000), "near", make([]any, 500)), false)
	assert.NotContains(t, f.Text(), "\n")
	assert.NotContains(t, f.Text(), "\x1b")
	assert.Less(t, len(f.JSON()), 2000)
	var back map[string]any
	require.NoError(t, json.Unmarshal(f.JSON(), &back))
	require.Equal(t, "RESOURCE_NOT_FOUND", back["error"])
	odd := FromWire(fmt.Errorf("boom"), false)
	assert.Equal(t, wire.InternalError, odd.ErrorCode)
}
