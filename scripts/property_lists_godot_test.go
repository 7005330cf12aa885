//go:build godot

package scripts

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"godot-mcp/fakeeditor/world"
	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/wire"
)

// TestPropertyListsGodot compares what the two editors tell of the properties of
// nodes, with their hints: of a fresh node of every class that a scene can hold, which
// stands in a plain node and, a control, in a container as well, and of nodes whose
// properties follow from their state, in testdata/property_lists.txt.
func TestPropertyListsGodot(t *testing.T) {
	states, err := txtar.ParseFile("testdata/property_lists.txt")
	require.NoError(t, err)
	files := map[string][]byte{"project.godot": []byte(plainProject), "classes.tscn": []byte(everyClass())}
	for _, f := range states.Files {
		files[f.Name] = f.Data
	}
	p := newPool(godotBin(t), 1)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	st, err := p.stage(t.Context(), files)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, st.close()) })
	for _, scene := range []string{"res://classes.tscn", "res://states.tscn"} {
		require.NoError(t, st.do(t.Context(), 0, deed{Tool: "open_scene", Args: args{"scene_path": scene}}))
		all := spots(world.Live(st.simulated()))
		require.NotEmpty(t, all)
		for _, s := range all {
			sim, real := propertyLines(t, st.sessions[0], s.path), propertyLines(t, st.sessions[1], s.path)
			if sim != real {
				t.Errorf("%s of %s:\n%s", s.path, scene, diff.Diff("sim", []byte(sim), "godot", []byte(real)))
			}
		}
	}
}

// everyClass is a scene with a node of every class.
func everyClass() string {
	var b strings.Builder
	b.WriteString("[gd_scene format=3]\n\n[node name=\"Main\" type=\"Node\"]\n\n[node name=\"Box\" type=\"VBoxContainer\" parent=\".\"]\n")
	for _, class := range classdb.Names() {
		if !classdb.Instantiable(class) || !classdb.Inherits(class, "Node") {
			continue
		}
		fmt.Fprintf(&b, "\n[node name=\"%s\" type=\"%[1]s\" parent=\".\"]\n", class)
		if classdb.Inherits(class, "Control") {
			fmt.Fprintf(&b, "\n[node name=\"%s\" type=\"%[1]s\" parent=\"Box\"]\n", class)
		}
	}
	return b.String()
}

// propertyLines is the list of a node's properties as the wire tells it, one a line.
func propertyLines(t *testing.T, s *session, node string) string {
	got := s.srv.Bridge().Do(t.Context(), wire.CmdGetNodePropertyList, wire.GetNodePropertyList{NodePath: node})
	require.True(t, got.OK(), "%s of %s: %v", node, s.backend.Name(), got.Err)
	var list wire.GetNodePropertyListResult
	require.NoError(t, json.Unmarshal(got.Result, &list))
	var b strings.Builder
	for _, x := range list.Properties {
		line, err := json.Marshal(x)
		require.NoError(t, err)
		fmt.Fprintf(&b, "%s\n", line)
	}
	return b.String()
}
