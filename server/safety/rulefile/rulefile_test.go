package rulefile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog/toolsets"
	"godot-mcp/server/safety"
)

var all = toolsets.Catalog()

func TestEveryCondition(t *testing.T) {
	l, err := Parse("p.yaml", []byte(`# who may do what
rules:
  - effect: deny
    path: res://addons/*
    reason: the addons are vendored.
  - {effect: ask, class: destructive, gated: true}
  - effect: allow
    tool: "*_delete_node"
    toolset: scene_edit
    args:
      node_path: {glob: "Tmp/*"}
    overrides: true
  - effect: deny
    args: {node_type: Camera3D, index: {equals: 0}}
`), all)
	require.NoError(t, err)
	gated := true
	assert.Equal(t, &safety.Layer{Name: "p.yaml", Rules: []safety.Rule{
		{ID: "deny path res://addons/*", Effect: safety.Deny, Path: "res://addons/*", Reason: "the addons are vendored", Line: 3},
		{ID: "ask class destructive gated true", Effect: safety.Ask, Class: safety.Destructive, Gated: &gated, Line: 6},
		{ID: "allow tool *_delete_node toolset scene_edit args.node_path like Tmp/* overrides", Effect: safety.Allow, Tool: "*_delete_node", Toolset: "scene_edit",
			Args: map[string]safety.Match{"node_path": {Text: "Tmp/*", Glob: true}}, Overrides: true, Line: 7},
		{ID: "deny args.index 0 args.node_type Camera3D", Effect: safety.Deny, Args: map[string]safety.Match{"node_type": {Text: "Camera3D"}, "index": {Text: "0"}}, Line: 13},
	}}, l)
}

// Whatever is not understood is an error that names the line.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		``:                                      "is empty",
		`# nothing`:                             "is empty",
		`rules:`:                                "line 1: rules must be a list",
		`rules: []`:                             "line 1: rules must be a list",
		`[]`:                                    "line 1: keys with values",
		`rule: []`:                              `line 1: unknown key "rule"; there are rules`,
		"rules:\n- effect: deny\n  efect: x":    `line 3: unknown key "efect"`,
		"rules:\n- effect: deny\n  effect: ask": `line 3: "effect" stands twice`,
		"rules:\n- tool: godot_undo":            "line 2: the rule has no effect",
		"rules:\n- effect: Deny":                `line 2: "Deny" is none of allow, ask, deny`,
		"rules:\n- effect: deny\n  tool: godot_scripts_wrote":                `line 3: there is no tool "godot_scripts_wrote"; near: godot_scripts_write`,
		"rules:\n- effect: deny\n  tool: '['":                                "line 3: \"[\" is not a pattern",
		"rules:\n- effect: deny\n  tool: '[!a]*'":                            "line 3: \"[!a]*\" is not a pattern",
		"rules:\n- effect: deny\n  tool: *x":                                 "unknown anchor",
		"rules:\n- effect: deny\n  tool: ":                                   "line 3: a text is expected",
		"rules:\n- effect: deny\n  tool: [a]":                                "line 3: a text is expected",
		"rules:\n- effect: deny\n  toolset: nope":                            `line 3: "nope" is none of core,`,
		"rules:\n- effect: deny\n  class: write":                             `line 3: "write" is none of read_only,`,
		"rules:\n- effect: deny\n  gated: yes please":                        "line 3: true or false",
		"rules:\n- effect: deny\n  gated: \"true\"":                          "line 3: true or false",
		"rules:\n- effect: deny\n  path: /etc/*":                             "line 3: paths begin with res://",
		"rules:\n- effect: deny\n  args: {}":                                 "line 3: argument names",
		"rules:\n- effect: deny\n  args: {nodepath: A}":                      `line 3: no tool has the argument "nodepath"`,
		"rules:\n- effect: deny\n  args: {node_path: {like: A}}":             `line 3: unknown key "like"; there are equals, glob`,
		"rules:\n- effect: deny\n  args: {node_path: {glob: A, equals: B}}":  "line 3: write equals or glob",
		"rules:\n- effect: deny\n  args: {node_path: [A]}":                   "line 3: a text is expected",
		"rules:\n- effect: deny\n  tool: godot_undo\n  args: {node_path: A}": "line 4: no tool that the rule concerns has these arguments",
		"rules:\n- effect: deny\n  tool: godot_undo\n  class: destructive":   "line 2: no tool meets all conditions",
		"rules:\n- effect: deny\n  reason: \"a\\nb\"":                        "line 3: a reason is one line",
		"rules:\n- &a {effect: deny}\n- *a":                                  "line 3: keys with values",
		"rules:\n- effect: deny\n  <<: {tool: x}":                            `line 3: unknown key "<<"`,
		"rules:\n- effect: deny\n---\nrules: []":                             "only one YAML document",
		"rules: [":                                                           "did not find expected node content",
		"rules:\n\t- effect: deny":                                           "line 2",
		strings.Repeat(" ", maxFile+1):                                       "longer than 1 MiB",
	} {
		_, err := Parse("p.yaml", []byte(text), all)
		if assert.Error(t, err, "%.80q", text) {
			assert.Contains(t, err.Error(), want, "%.80q", text)
			assert.Contains(t, err.Error(), "p.yaml")
		}
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.yaml")
	_, err := Load(file, all)
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Load(dir, all)
	require.ErrorContains(t, err, "is not a file")
	require.NoError(t, os.WriteFile(file, []byte("rules: [{effect: deny}]"), 0o600))
	l, err := Load(file, all)
	require.NoError(t, err)
	assert.Equal(t, "p.yaml", l.Name)
	require.NoError(t, os.Chmod(file, 0o606))
	_, err = Load(file, all)
	require.ErrorContains(t, err, "written by everybody")
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("rules:\n- effect: deny\n  tool: godot_*\n  args: {node_path: {glob: 'A*'}}"))
	f.Add([]byte("rules: [{effect: allow, overrides: true, class: destructive, path: 'res://*'}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := Parse("p", text, all)
		if err != nil {
			require.Nil(t, l)
			return
		}
		require.NotEmpty(t, l.Rules)
		for _, r := range l.Rules {
			require.Contains(t, safety.Effects(), r.Effect)
			require.NotEmpty(t, r.ID)
			require.Positive(t, r.Line)
		}
	})
}
