//go:build godot

package addon_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/addon/addontest"
	"godot-mcp/server/wire"
)

// own starts an editor of its own on a project.
func own(t *testing.T, files map[string]string, bridge *addontest.Server, env []string, args ...string) (*addontest.Editor, *addontest.Lab) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, addontest.Prepare(dir, files))
	lab, err := addontest.Listen()
	require.NoError(t, err)
	t.Cleanup(lab.Close)
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	t.Cleanup(cancel)
	e, err := addontest.Start(ctx, addontest.Options{
		ProjectDir: dir, BridgeURL: bridge.URL, Env: append(env, "ADDON_LAB_URL="+lab.URL), Args: args,
	})
	require.NoError(t, err)
	l, err := lab.ConnectLab(ctx)
	if err != nil {
		require.NoError(t, e.Stop(ctx, nil))
		require.NoError(t, err, e.Log())
	}
	t.Cleanup(func() { assert.NoError(t, e.Stop(context.Background(), nil)) })
	return e, l
}

func listen(t *testing.T) *addontest.Server {
	t.Helper()
	s, err := addontest.Listen()
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// One editor through its life: the token first, a refusal, a lost link, a game
// that ends with the editor, and the order to stop.
func TestLifecycle(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	bridge := listen(t)
	files := project()
	files["project.godot"] = "config_version=5\n\n[application]\n\nconfig/name=\"Life\"\nrun/main_scene=\"res://main.tscn\"\n"
	e, lab := own(t, files, bridge, []string{"GODOT_MCP_BRIDGE_TOKEN=secret"})
	link, err := bridge.Connect(ctx)
	require.NoError(t, err)
	assert.Equal(t, "secret", link.Auth)
	assert.Equal(t, "Life", link.Hello.ProjectName)

	// A server that goes away is dialled again, by the same session, and remembers.
	r, err := link.Do(ctx, wire.CmdGetProjectInfo, nil)
	require.NoError(t, err)
	require.True(t, r.OK)
	require.NoError(t, link.Close())
	again, err := bridge.Connect(ctx)
	require.NoError(t, err)
	assert.Equal(t, link.Hello.Session, again.Hello.Session)
	o, err := again.Do(ctx, wire.CmdGetOutcome, wire.GetOutcome{ID: "1"})
	require.NoError(t, err)
	assert.Contains(t, string(o.Result), `"done"`)

	// Notices are taken without an answer.
	_, err = again.Send(ctx, "none", []byte(`{"command":"cmd_server_hello","params":{"version":"9.9"}}`))
	require.NoError(t, err)
	_, err = again.Send(ctx, "none", []byte(`{"command":"cmd_toolsets_update","params":{"enabled":["core"]}}`))
	require.NoError(t, err)
	ping, err := again.Do(ctx, wire.CmdPing, nil)
	require.NoError(t, err)
	require.True(t, ping.OK)
	text, err := lab.Eval(ctx, "for i in 3:\n\tawait plugin.get_tree().process_frame\nvar out = []\nfor l in EditorInterface.get_base_control().find_children('*', 'Label', true, false):\n\tout.append(l.text)\nreturn out")
	require.NoError(t, err)
	assert.Contains(t, string(text), "Server 9.9")
	assert.Contains(t, string(text), "Toolsets: core")
	assert.Contains(t, string(text), "Connected to "+bridge.URL)

	// A low frame rate comes back when nobody asks.
	sleep, err := lab.Eval(ctx, "return OS.low_processor_usage_mode_sleep_usec")
	require.NoError(t, err)
	assert.JSONEq(t, "1", string(sleep))
	require.Eventually(t, func() bool {
		sleep, err = lab.Eval(ctx, "return OS.low_processor_usage_mode_sleep_usec")
		return err == nil && string(sleep) == "6900"
	}, 20*time.Second, 100*time.Millisecond)

	// A game ends with the editor.
	_, err = lab.Eval(ctx, "ProjectSettings.set_setting('editor/run/main_run_args', '--headless')\nfor i in 3:\n\tawait plugin.get_tree().process_frame\nEditorInterface.play_main_scene()")
	require.NoError(t, err)
	require.Eventually(t, func() bool { return len(e.Games()) > 0 }, 20*time.Second, 50*time.Millisecond)

	// The server has another editor now: this one must not take it back.
	text, err = json.Marshal(wire.Notice{OK: new(bool), Error: wire.Fail(wire.ReasonReplaced, "project_path", "/x")})
	require.NoError(t, err)
	_, err = again.Send(ctx, "none", text)
	require.NoError(t, err)
	require.Eventually(t, func() bool { _, err := again.Do(ctx, wire.CmdPing, nil); return err != nil }, 20*time.Second, 50*time.Millisecond)
	short, stop := context.WithTimeout(ctx, 3*time.Second)
	defer stop()
	_, err = bridge.Accept(short)
	assert.Error(t, err, "a replaced editor dialled again")

	require.NoError(t, e.Stop(ctx, lab.Quit))
	assert.Empty(t, e.Games())
	for _, line := range fault.FindAllString(e.Log(), -1) {
		assert.NotContains(t, line, "godot_mcp", line)
	}
	assert.NotContains(t, e.Log(), "leaked", e.Log())
}

// An editor that only imports quits by itself and never dials.
func TestImportDoesNotDial(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	bridge := listen(t)
	dir := t.TempDir()
	require.NoError(t, addontest.Prepare(dir, project()))
	e, err := addontest.Start(ctx, addontest.Options{ProjectDir: dir, BridgeURL: bridge.URL, Args: []string{"--import"}})
	require.NoError(t, err)
	select {
	case <-e.Done():
	case <-ctx.Done():
		t.Fatal("the import did not end")
	}
	require.NoError(t, e.Stop(ctx, nil))
	done, stop := context.WithTimeout(ctx, 10*time.Millisecond)
	defer stop()
	_, err = bridge.Accept(done)
	assert.Error(t, err)
	assert.NotContains(t, e.Log(), "SCRIPT ERROR", e.Log())
}

// Warnings that a person may switch on for addons too, as errors. Left out are those
// that forbid what the style of the addon asks for.
var warnings = strings.Fields(`
unassigned_variable unassigned_variable_op_assign unused_variable unused_local_constant
unused_private_class_variable unused_parameter unused_signal shadowed_variable
shadowed_variable_base_class shadowed_global_identifier unreachable_code unreachable_pattern
standalone_expression standalone_ternary incompatible_ternary untyped_declaration
int_as_enum_without_cast int_as_enum_without_match enum_variable_without_default empty_file
deprecated_keyword integer_division narrowing_conversion redundant_await redundant_static_unload
missing_tool static_called_on_instance assert_always_true assert_always_false
confusable_identifier confusable_local_declaration confusable_local_usage
confusable_capture_reassignment inference_on_variant native_method_override`)

// No script of the addon has a warning.
func TestNoWarnings(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	bridge := listen(t)
	var settings strings.Builder
	settings.WriteString("config_version=5\n\n[application]\n\nconfig/name=\"Warnings\"\n\n[debug]\n\ngdscript/warnings/exclude_addons=false\ngdscript/warnings/directory_rules={\n}\n")
	for _, w := range warnings {
		settings.WriteString("gdscript/warnings/" + w + "=2\n")
	}
	e, lab := own(t, map[string]string{"project.godot": settings.String()}, bridge, nil)
	_, err := bridge.Connect(ctx)
	require.NoError(t, err, e.Log())
	// A warning shows only when a script is compiled.
	_, err = lab.Eval(ctx, "for folder: String in ['res://addons/godot_mcp/', 'res://addons/godot_mcp/handlers/']:\n\tfor f: String in DirAccess.get_files_at(folder):\n\t\tif f.get_extension() == 'gd':\n\t\t\tload(folder + f)")
	require.NoError(t, err)
	require.NoError(t, e.Stop(ctx, lab.Quit))
	assert.NotContains(t, e.Log(), "ERROR")
}
