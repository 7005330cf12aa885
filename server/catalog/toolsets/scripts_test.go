package toolsets

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/catalogtest"
	"godot-mcp/server/wire"
)

func TestScripts(t *testing.T) {
	const digest = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	file := `"path":"res://a.gd"`
	selected := `{"selected":[{"path":"A","name":"A","type":"Node","script":"res://a.gd"}],"count":1}`
	runCases(t, []toolCase{
		{
			tool: "godot_scripts_read", args: `{"script_path":"res://a.gd"}`, replies: map[string]any{wire.CmdReadFile: `{` + file + `,"content":"extends Node\n","size":13,"sha256":"ab"}`},
			sent: []string{`cmd_read_file {` + file + `}`}, want: `{"script_path":"res://a.gd","content":"extends Node\n","sha256":"ab","total":13,"returned":13,"truncated":false}`,
		},
		{tool: "godot_scripts_read", args: `{"script_path":"res://a.tscn"}`, sent: []string{}, fails: "bad_extension"},
		{tool: "godot_scripts_read", args: `{"script_path":"res://a.gd"}`, replies: map[string]any{wire.CmdReadFile: wire.Fail(wire.ReasonFileNotFound, "path", "res://a.gd")}, fails: "file_not_found"},
		{
			tool: "godot_scripts_list", args: `{"directory":"res://src/","language":"cs"}`, replies: map[string]any{wire.CmdListFiles: `{"files":["res://src/a.cs"],"total":1}`},
			sent: []string{`cmd_list_files {"directory":"res://src","extensions":["cs"],"offset":0,"limit":200}`}, want: `{"directory":"res://src","scripts":["res://src/a.cs"],"total":1}`,
		},
		{tool: "godot_scripts_list", args: `{"language":"py"}`, sent: []string{}, fails: "not_a_choice"},
		{
			tool: "godot_scripts_get_for_node", replies: map[string]any{wire.CmdGetSelectedNodes: selected, wire.CmdReadFile: `{` + file + `,"content":"x","sha256":"ab"}`},
			sent: []string{`cmd_get_selected_nodes {}`, `cmd_read_file {` + file + `}`}, want: `{"node_path":"A","script_path":"res://a.gd","content":"x","sha256":"ab"}`,
		},
		{
			tool: "godot_scripts_get_for_node", args: `{"node_path":"B"}`, replies: map[string]any{wire.CmdGetNode: `{"path":"B","script":"built-in"}`},
			sent: []string{`cmd_get_node {"node_path":"B"}`}, want: `{"node_path":"B","built_in":true}`,
		},
		{tool: "godot_scripts_get_for_node", args: `{"node_path":"B"}`, replies: map[string]any{wire.CmdGetNode: `{"path":"B"}`}, want: `{"node_path":"B","total":0}`},
		{tool: "godot_scripts_get_for_node", args: `{"node_path":"Gone"}`, replies: map[string]any{wire.CmdGetNode: noNode}, fails: "node_not_found"},
		{tool: "godot_scripts_get_for_node", replies: map[string]any{wire.CmdGetSelectedNodes: `{"selected":[],"count":0}`}, fails: "missing_argument"},
		{
			tool: "godot_scripts_write", args: `{"script_path":"res://a.gd","content":"x<y","must_be_new":true}`,
			replies: map[string]any{wire.CmdWriteFile: `{` + file + `,"created":true,"changed":true,"sha256":"cd","undoable":true,"rescan_pending":true}`},
			sent:    []string{`cmd_write_file {` + file + `,"content":"x\u003cy","must_be_new":true}`},
			want:    `{"script_path":"res://a.gd","created":true,"would_overwrite":false,"written":true,"sha256":"cd","undoable":true,"rescan_pending":true}`,
		},
		{
			tool: "godot_scripts_write", args: `{"script_path":"res://a.cs","content":"x","expected_sha256":"` + strings.ToUpper(digest) + `","dry_run":true}`,
			replies: map[string]any{wire.CmdWriteFile: `{"path":"res://a.cs","created":false,"changed":true,"sha256":"cd","previous_sha256":"` + digest + `","undoable":true}`},
			sent:    []string{`cmd_write_file {"content":"x","dry_run":true,"expected_sha256":"` + digest + `","path":"res://a.cs"}`},
			want:    `{"created":false,"would_overwrite":true,"written":false,"dry_run":true,"hint":"` + buildHint + `"}`,
		},
		{
			tool: "godot_scripts_write", args: `{"script_path":"res://a.gd","content":"x","expected_sha256":"` + digest + `"}`,
			replies: map[string]any{wire.CmdWriteFile: wire.Fail(wire.ReasonChanged, "path", "res://a.gd")}, fails: "changed",
		},
		{tool: "godot_scripts_write", args: `{"script_path":"res://a.gd","content":"x","must_be_new":true,"expected_sha256":"` + digest + `"}`, sent: []string{}, fails: "bad_arguments"},
		{tool: "godot_scripts_write", args: `{"script_path":"res://a.txt","content":"x"}`, sent: []string{}, fails: "bad_extension"},
		{
			tool: "godot_scripts_patch", args: `{"script_path":"res://a.gd","find":"1\n2","replace":"3\n"}`,
			replies: map[string]any{
				wire.CmdReadFile:  `{` + file + `,"content":"0\r\n1\r\n2","sha256":"` + digest + `"}`,
				wire.CmdWriteFile: `{` + file + `,"changed":true,"sha256":"cd","undoable":true}`,
			},
			sent: []string{`cmd_read_file {` + file + `}`, `cmd_write_file {` + file + `,"content":"0\r\n3\r\n","expected_sha256":"` + digest + `"}`},
			want: `{"replacements":1,"changed":true,"sha256":"cd","previous_sha256":"` + digest + `","undoable":true}`,
		},
		{
			tool: "godot_scripts_patch", args: `{"script_path":"res://a.gd","find":"a","replace":"b","replace_all":true,"dry_run":true}`,
			replies: map[string]any{wire.CmdReadFile: `{` + file + `,"content":"aXa","sha256":"` + digest + `"}`, wire.CmdWriteFile: `{` + file + `,"changed":true,"sha256":"cd"}`},
			sent:    []string{`cmd_read_file {` + file + `}`, `cmd_write_file {` + file + `,"content":"bXb","expected_sha256":"` + digest + `","dry_run":true}`},
			want:    `{"replacements":2,"dry_run":true}`,
		},
		{tool: "godot_scripts_patch", args: `{"script_path":"res://a.gd","find":"a","replace":"b"}`, replies: map[string]any{wire.CmdReadFile: `{` + file + `,"content":"aXa"}`}, sent: []string{`cmd_read_file {` + file + `}`}, fails: "text_ambiguous"},
		{tool: "godot_scripts_patch", args: `{"script_path":"res://a.gd","find":"z","replace":"b"}`, replies: map[string]any{wire.CmdReadFile: `{` + file + `,"content":"aXa"}`}, fails: "text_not_found"},
		{tool: "godot_scripts_patch", args: `{"script_path":"res://a.gd","find":"X","replace":"b"}`, replies: map[string]any{wire.CmdReadFile: `{` + file + `,"content":"aXa"}`, wire.CmdWriteFile: wire.Fail(wire.ReasonChanged, "path", "res://a.gd")}, fails: "changed"},
		{tool: "godot_scripts_patch", args: `{"script_path":"res://a.cs","find":"X","replace":"b"}`, sent: []string{}, fails: "bad_extension"},
		{tool: "godot_scripts_get_parse_errors", args: `{"script_path":"res://a.cs"}`, sent: []string{}, fails: "bad_extension"},
	})
}

// Reading on at next_offset gives every byte of the file once, whatever the
// text, and no answer is too long.
func TestScriptTextPages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.StringN(1, 40, -1).Draw(t, "unit")
		text := strings.Repeat(unit+rapid.SampledFrom([]string{"", "\n", "\r\n", "\"", "ü"}).Draw(t, "end"), rapid.IntRange(0, 3000).Draw(t, "times"))
		var got strings.Builder
		for offset := 0; ; {
			part, page := pageOfText(text, offset)
			raw, err := encodeText(part)
			require.NoError(t, err)
			require.LessOrEqual(t, len(raw), catalog.MaxAnswer-1000)
			got.WriteString(part)
			require.Equal(t, len(part), page.Returned)
			require.Equal(t, page.Truncated, page.NextOffset > 0)
			if !page.Truncated {
				break
			}
			require.Greater(t, page.NextOffset, offset)
			offset = page.NextOffset
		}
		require.Equal(t, text, got.String())
	})
}

func TestParseErrors(t *testing.T) {
	const tool = "godot_scripts_get_parse_errors"
	const args = `{"script_path":"res://a.gd"}`
	quiet, busy := `{"scanning":false,"generation":2}`, `{"scanning":true,"generation":1}`
	clean := `{"path":"res://a.gd","ready":true,"level":"language_server","errors":[],"sha256":"ab"}`
	pending := `{"path":"res://a.gd","ready":true,"level":"compile","pending_registration":["Waypoint"],"errors":[` +
		`{"line":2,"column":0,"message":"Could not find type \"Waypoint\" in the current scope."},{"line":5,"column":3,"message":"Expected expression."}]}`
	notReady := `{"path":"res://a.gd","ready":false,"reason":"diagnostics_pending"}`
	check := func(t *testing.T, scan, result any) (*recorder, *catalog.Outcome, time.Duration) {
		e := cannedEditor(map[string]any{wire.CmdGetScanState: scan, wire.CmdCheckScript: result})
		begin := time.Now()
		out := call(t, catalogtest.Env(e), tool, args)
		return e, &out, time.Since(begin)
	}
	report := func(t *testing.T, out *catalog.Outcome) (r parseErrorsOut) {
		require.Nil(t, out.Failure, "%v", out.Failure)
		require.NoError(t, json.Unmarshal(out.Structured, &r))
		return r
	}
	synctest.Test(t, func(t *testing.T) {
		e, out, took := check(t, quiet, clean)
		assert.Equal(t, []string{`cmd_get_scan_state {}`, `cmd_check_script {"path":"res://a.gd"}`}, wireText(t, e))
		r := report(t, out)
		assert.Zero(t, took)
		assert.True(t, r.OK)
		assert.Equal(t, "language_server", r.Level)
		assert.Empty(t, r.Hint)

		// B092: it waits for a running scan.
		_, out, took = check(t, &[]any{busy, busy, quiet}, &[]any{pending, pending, clean})
		assert.Equal(t, 2*checkPause, took)
		assert.True(t, report(t, out).OK)

		// B097: what only waits for registration is no error, and not ok either.
		_, out, took = check(t, busy, pending)
		r = report(t, out)
		assert.LessOrEqual(t, took, checkWait)
		assert.False(t, r.OK)
		assert.True(t, r.RescanPending)
		assert.Equal(t, []string{"Waypoint"}, r.Pending)
		assert.Equal(t, []scriptError{{"Expected expression.", "res://a.gd", 5, 3}}, r.Errors)
		assert.Equal(t, pendingHint, r.Hint)

		_, out, took = check(t, quiet, &[]any{notReady, clean})
		assert.Equal(t, checkPause, took)
		assert.True(t, report(t, out).OK)

		_, out, _ = check(t, quiet, notReady)
		assert.Equal(t, "diagnostics_pending", out.Failure.Reason)
		assert.Equal(t, wire.Timeout, out.Failure.ErrorCode)
		assert.True(t, out.Failure.Retry)

		_, out, took = check(t, quiet, wire.Fail(wire.ReasonLanguageServer, "root", "/other"))
		assert.Zero(t, took)
		assert.Equal(t, "lsp_project", out.Failure.Reason)
	})
}
