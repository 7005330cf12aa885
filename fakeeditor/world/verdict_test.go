package world

import (
	"encoding/json"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/fakeeditor/scene"
	"godot-mcp/server/wire"
)

// A verdict is what a save and a fresh load give: an edit that is said to be kept
// is there again, one that is said to be lost is not.
func TestVerdictIsSaveAndReload(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := genStart(t)
		for range rapid.IntRange(0, 3).Draw(t, "before") {
			for _, p := range genSteps(t, s) {
				s, _ = Step(s, Input{Cause: "1", Command: p.Command, Params: p.Params})
			}
		}
		p := genStep(t, s)
		next, out := Step(s, Input{Cause: "1", Command: p.Command, Params: p.Params})
		if out.Err != nil {
			return
		}
		fresh := reload(t, next)
		// Edits before this one may have been lost already; one that takes such an
		// edit back is lost too, though nobody can tell.
		kept := seen(fresh, next, p, out.Result)
		var v wire.Verdict
		require.NoError(t, json.Unmarshal(out.Result, &v))
		require.Equal(t, v.Persisted, v.Reason == wire.LossNone)
		if kept && !v.Persisted && seen(reload(t, s), next, p, out.Result) {
			return
		}
		if p.Command == wire.CmdRemoveFromGroup && v.Persisted && !kept {
			_, _, n := at(fresh, decoded(out.Result).NodePath)
			if n == nil {
				return // it left a group and the scene
			}
		}
		require.Equal(t, v.Persisted, kept, "%s %s: %s", p.Command, p.Params, out.Result)
	})
}

// reload saves the edited scene and opens it in a new editor on the same disk.
func reload(t *rapid.T, s State) State {
	s = run(t, s, wire.CmdSaveScene, wire.SaveScene{})
	tab, _ := s.ActiveTab()
	fresh, err := Open(s.Files.Disk(), s.Project, files.DefaultDelays(), 99)
	require.NoError(t, err)
	return run(t, fresh, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: tab.Path})
}

// at finds a node by path in the edited scene.
func at(s State, path string) (scene.Env, Tab, *scene.Node) {
	tx := Begin(s, "t")
	e, tab, err := tx.active()
	if err != nil {
		panic(err)
	}
	id := e.Resolve(tab.Root, path)
	return e, tab, e.Node(id)
}

// seen reports whether the effect of a step is in a freshly opened scene.
func seen(fresh, live State, p wire.StepParam, result json.RawMessage) bool {
	r := decoded(result)
	e, _, n := at(fresh, r.NodePath)
	switch p.Command {
	case wire.CmdDeleteNode:
		return n == nil
	case wire.CmdSetNodeProperty:
		le, _, ln := at(live, r.NodePath)
		return n != nil && valueAt(le, ln, r.Property) == valueAt(e, n, r.Property)
	case wire.CmdAttachScript:
		return n != nil && e.ScriptPath(n) == r.ScriptPath
	case wire.CmdAddToGroup, wire.CmdRemoveFromGroup:
		in := n != nil && slices.ContainsFunc(n.Groups, func(g scene.Group) bool { return g.Name == r.Group })
		return n != nil && in == (p.Command == wire.CmdAddToGroup)
	case wire.CmdConnectSignal, wire.CmdDisconnectSignal:
		_, _, from := at(fresh, r.SourcePath)
		_, _, to := at(fresh, r.TargetPath)
		linked := from != nil && to != nil &&
			slices.ContainsFunc(from.Conns, scene.Conn{Signal: r.Signal, Target: to.ID, Method: r.Method}.Same)
		return linked == (p.Command == wire.CmdConnectSignal)
	case wire.CmdSetEditableChildren:
		return n != nil && n.Editable == r.Editable
	}
	return n != nil
}

// answer is what the answers of steps have in common, more or less.
type answer struct {
	NodePath   string `json:"node_path"`
	SourcePath string `json:"source_path"`
	TargetPath string `json:"target_path"`
	Signal     string `json:"signal_name"`
	Method     string `json:"method_name"`
	Property   string `json:"property"`
	Group      string `json:"group"`
	Editable   bool   `json:"editable"`
	ScriptPath string `json:"script_path"`
}

func decoded(result json.RawMessage) (r answer) {
	if err := json.Unmarshal(result, &r); err != nil {
		panic(err)
	}
	return r
}

// embeddedIn is where an embedded resource lives: a save may have given it the place.
var embeddedIn = regexp.MustCompile(`res://\S*::\S*`)

// valueAt spells out a value, resources by content.
func valueAt(e scene.Env, n *scene.Node, property string) string {
	place, ok := e.Locate(n, property)
	if !ok {
		return "nothing"
	}
	return embeddedIn.ReplaceAllString((&looker{e: e, root: n.ID}).value(e.At(place), nil), "")
}
