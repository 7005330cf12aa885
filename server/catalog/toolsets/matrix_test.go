package toolsets

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/catalogtest"
	"godot-mcp/server/safety"
)

// coreArgs are good calls of the core tools that need arguments.
var coreArgs = map[string]string{
	"godot_describe_class": `{"class_name":"Node"}`, "godot_enable_toolset": `{"category":"batch"}`,
	"godot_disable_toolset": `{"category":"batch"}`, "godot_read_resource": `{"uri":"godot://scene/tree"}`,
}

func goodArgs(t *catalog.Tool) string {
	args := sampleArgs[t.Name]
	if args == "" {
		args = coreArgs[t.Name]
	}
	if args == "" {
		args = `{}`
	}
	if t.Class == safety.Destructive {
		args = with(args, "confirm", "true")
	}
	return args
}

// Every tool × profile × mode × gate × toolset state × rules: a tool is listed
// exactly when a good call of it passes exposure and rules, called by its own
// name or as an entry of a batch; and an unlisted one is refused, with nothing
// sent, whoever names it.
func TestMembershipAndCallsAgree(t *testing.T) {
	yes := true
	files := map[string]*safety.Layer{
		"no file":    nil,
		"deny names": {Name: "f", Rules: []safety.Rule{{ID: "r", Effect: safety.Deny, Tool: "godot_scripts_*"}}},
		"ask":        {Name: "f", Rules: []safety.Rule{{ID: "r", Effect: safety.Ask, Class: safety.Mutating}}},
		"loosen":     {Name: "f", Rules: []safety.Rule{{ID: "r", Effect: safety.Allow, Class: safety.Destructive, Overrides: true}}},
		"gated":      {Name: "f", Rules: []safety.Rule{{ID: "r", Effect: safety.Deny, Gated: &yes}}},
	}
	goods := map[string]string{}
	for _, tool := range testCatalog.Tools() {
		goods[tool.Name] = goodArgs(tool)
	}
	n := 0
	for what, file := range files {
		for _, p := range safety.Profiles() {
			for _, m := range safety.Modes() {
				for bits := range 16 {
					open, on, goOn := bits&1 > 0, bits&2 > 0, bits&4 > 0
					approver := ""
					if bits&8 > 0 {
						approver = "console"
					}
					enabled := []string{}
					if on {
						enabled = []string{"all"}
					}
					state, _ := safety.NewToolsets(catalog.ToolsetNames(), enabled, false)
					e := &recorder{Editor: catalogtest.New()}
					env := blandEnv(e)
					env.Gate = safety.NewGate(p, m, state)
					if file != nil {
						env.Gate = safety.NewGate(p, m, state, *file)
					}
					env.Gate.OpenGate, env.Gate.GoOn, env.Gate.Approver = open, goOn, approver
					for _, tool := range testCatalog.Tools() {
						args := goods[tool.Name]
						at := fmt.Sprintf("%s: %s %s gate %v toolsets %v go on %v approver %q: %s", what, p, m, open, on, goOn, approver, tool.Name)
						n++
						listed := env.Gate.Exposure(&tool.Spec) == nil
						d, _ := testCatalog.Explain(env.Gate, tool, []byte(args))
						require.Equal(t, listed, d.Outcome == safety.Proceed, at)
						if listed {
							continue
						}
						f := testCatalog.Call(t.Context(), env, tool, []byte(args)).Failure
						require.NotNil(t, f, at)
						require.Equal(t, d.Failure.Reason, f.Reason, at)
						require.Equal(t, "exposure", d.Stage, at)
						c := &catalog.Call{Env: env, Catalog: testCatalog}
						_, _, f = c.PrepareEntries(t.Context(), []catalog.EntryCall{{Command: tool.Aliases[0], Params: []byte(args)}})
						require.NotNil(t, f, at)
						require.Empty(t, e.Sent(), at)
					}
				}
			}
		}
	}
	assert.Greater(t, n, 40_000)
}

// Class, undo and what else a tool is are read from one table, reviewed whole.
func TestGatedTools(t *testing.T) {
	var gated []string
	for _, tool := range testCatalog.Tools() {
		if tool.Irreversible {
			gated = append(gated, tool.Name)
		}
	}
	assert.Equal(t, []string{"godot_batch_cross_scene_set_property", "godot_scene_edit_close_scene", "godot_scene_edit_reload_scene"}, gated)
}

// With typed echo the schema takes a text, and only the target's own bytes let a
// destructive call pass, directly or in a batch.
func TestEchoOfEveryDestructiveTool(t *testing.T) {
	echoing := testCatalog.Adapt(catalog.Variant{Echo: true})
	targets := map[string]string{
		"godot_scene_edit_delete_node":         "A",
		"godot_scene_edit_disconnect_signal":   "A s B m",
		"godot_scene_edit_close_scene":         "res://a.tscn",
		"godot_scene_edit_reload_scene":        "res://a.tscn",
		"godot_batch_cross_scene_set_property": "res://a.tscn Node p",
	}
	n := 0
	for _, tool := range echoing.Tools() {
		if tool.Class != safety.Destructive {
			continue
		}
		n++
		assert.Contains(t, string(tool.InputSchema()), `"confirm":{"type":"string"`, tool.Name)
		want := targets[tool.Name]
		for _, echo := range []string{want, "true", "", want + " ", "A b", " " + want} {
			e := blandEditor()
			env := blandEnv(e)
			env.Gate.Echo = true
			args := with(sampleArgs[tool.Name], "confirm", string(quote(echo)))
			f := echoing.Call(t.Context(), env, tool, []byte(args)).Failure
			c := &catalog.Call{Env: env, Catalog: echoing}
			_, _, inBatch := c.PrepareEntries(t.Context(), []catalog.EntryCall{{Command: tool.Name, Params: []byte(args)}})
			if echo == want {
				assert.Nil(t, f, tool.Name)
				continue
			}
			require.NotNil(t, f, "%s %q", tool.Name, echo)
			require.NotNil(t, inBatch, "%s %q", tool.Name, echo)
			assert.Equal(t, "confirm", f.Required)
			assert.Empty(t, e.Sent())
		}
		e := blandEditor()
		env := blandEnv(e)
		env.Gate.Echo = true
		f := echoing.Call(t.Context(), env, tool, []byte(with(sampleArgs[tool.Name], "confirm", "true"))).Failure
		assert.Equal(t, "confirm", f.Required, "a boolean is no echo")
		f = echoing.Call(t.Context(), env, tool, []byte(sampleArgs[tool.Name])).Failure
		assert.Equal(t, "confirm_echo", f.Reason)
		assert.NotContains(t, f.Hint, want+" ")
		assert.Empty(t, e.Sent())
	}
	assert.Len(t, targets, n)
	plain, _ := testCatalog.Tool("godot_scene_edit_delete_node")
	assert.Contains(t, string(plain.InputSchema()), `"confirm":{"type":"boolean"`, "the plain catalogue stays")
	deleteNode, _ := echoing.Tool("godot_scene_edit_delete_node")
	e := blandEditor()
	env := blandEnv(e)
	env.Gate.Echo = true
	f := echoing.Call(t.Context(), env, deleteNode, []byte(`{"node_path":"/root/Main/A","confirm":"/root/Main/A"}`)).Failure
	assert.Equal(t, "bad_node_path_form", f.Reason)
	assert.Empty(t, e.Sent())
}
