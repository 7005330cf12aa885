package toolsets

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/catalogtest"
	"godot-mcp/server/wire"
)

// toolCase is one call of a tool against canned answers. Sent are the commands
// that must have gone out, as [wireText] writes them. Want holds fields of the
// result; fails is the reason of a failure.
type toolCase struct {
	tool, args string
	replies    map[string]any
	sent       []string
	want       string
	fails      string
}

func runCases(t *testing.T, cases []toolCase) {
	t.Helper()
	for i, c := range cases {
		t.Run(fmt.Sprintf("%d_%s", i, strings.TrimPrefix(c.tool, "godot_")), func(t *testing.T) {
			e := cannedEditor(c.replies)
			out := call(t, catalogtest.Env(e), c.tool, c.args)
			if c.sent != nil {
				assert.Equal(t, c.sent, wireText(t, e))
			}
			if c.fails != "" {
				require.NotNil(t, out.Failure, string(out.Structured))
				assert.Equal(t, c.fails, out.Failure.Reason, out.Failure.Hint)
				assert.NotEmpty(t, out.Failure.Hint)
				return
			}
			require.Nil(t, out.Failure, "%v", out.Failure)
			var got, want map[string]any
			require.NoError(t, json.Unmarshal(out.Structured, &got))
			require.NoError(t, json.Unmarshal([]byte(c.want), &want))
			for k, v := range want {
				assert.Equal(t, v, got[k], "%s of %s", k, out.Structured)
			}
		})
	}
}

// recorder keeps what was sent, with the params.
type recorder struct {
	*catalogtest.Editor
	sent []wire.StepParam
}

func (r *recorder) Do(ctx context.Context, o catalog.Order) catalog.Reply {
	raw, err := json.Marshal(o.Params)
	if err == nil {
		r.sent = append(r.sent, wire.StepParam{Command: o.Command, Params: raw})
	}
	return r.Editor.Do(ctx, o)
}

// cannedEditor answers each command with a fixed value, an error, or the next
// of a list of both.
func cannedEditor(replies map[string]any) *recorder {
	e := &recorder{Editor: catalogtest.New()}
	for command, reply := range replies {
		catalogtest.On(e.Editor, command, func(json.RawMessage) (any, error) {
			now := reply
			if list, ok := reply.(*[]any); ok {
				now = (*list)[0]
				if len(*list) > 1 {
					*list = (*list)[1:]
				}
			}
			switch now := now.(type) {
			case error:
				return nil, now
			case string:
				return json.RawMessage(now), nil
			}
			return now, nil
		})
	}
	return e
}

// wireText writes what was sent, one text a command: "cmd_x {params}", edits as
// "[steps]", batches as "batch[entries]"; a preview ends with "?".
func wireText(t *testing.T, e *recorder) []string {
	t.Helper()
	out := []string{}
	for _, s := range e.sent {
		var parts struct {
			Steps    []wire.StepParam `json:"steps"`
			Commands []wire.StepParam `json:"commands"`
			DryRun   bool             `json:"dry_run"`
		}
		require.NoError(t, json.Unmarshal(s.Params, &parts))
		text := s.Command + " " + string(s.Params)
		if s.Command == wire.CmdTransaction || s.Command == wire.CmdRunCommands {
			var lines []string
			for _, p := range append(parts.Steps, parts.Commands...) {
				lines = append(lines, p.Command+" "+string(p.Params))
			}
			text = "[" + strings.Join(lines, "; ") + "]"
			if s.Command == wire.CmdRunCommands {
				text = "batch" + text
			}
			if parts.DryRun {
				text += "?"
			}
		}
		out = append(out, text)
	}
	return out
}

const kept = `,"persisted":true`

// dropped is a verdict that a save would not keep.
const dropped = `,"persisted":false,"reason":"instanced_child_not_editable","subject":"Inst","source":"res://inst.tscn"`
