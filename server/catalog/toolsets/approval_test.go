package toolsets

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/answer"
	"godot-mcp/server/approval"
	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/catalogtest"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// person answers questions and keeps them.
type person struct {
	asked   []approval.Question
	verdict approval.Verdict
	then    func() // what happens while the person thinks
}

func (p *person) ask(_ context.Context, q approval.Question) (approval.Verdict, *answer.Failure) {
	p.asked = append(p.asked, q)
	if p.then != nil {
		p.then()
	}
	return p.verdict, nil
}

func withPerson(e catalog.Editor, v approval.Verdict) (*catalog.Env, *person) {
	p := &person{verdict: v}
	env := catalogtest.Env(e)
	env.Gate.Approver, env.Gate.OpenGate, env.Ask = "console", false, p.ask
	return env, p
}

var yes = approval.Verdict{Approved: true, By: "console", Reason: "go ahead"}

func TestAPersonSeesWhatWillRun(t *testing.T) {
	e := sceneEditor()
	env, who := withPerson(e, yes)
	out := call(t, env, "godot_scene_edit_delete_node", `{"node_path":"/root/Main/A","confirm":true,"idempotencyId":"i"}`)
	require.Nil(t, out.Failure)
	require.Len(t, who.asked, 1)
	q := who.asked[0]
	assert.Equal(t, "godot_scene_edit_delete_node", q.Tool)
	assert.Equal(t, "destructive", q.Class)
	assert.Equal(t, "it is destructive", q.Rule)
	assert.Equal(t, "i", q.IdempotencyID)
	assert.JSONEq(t, `{"node_path":"A"}`, string(q.Arguments), "final arguments, and no confirm")
	assert.Contains(t, string(q.Preview), `"dry_run":true`)
	assert.Contains(t, string(q.Preview), `"node_path":"A"`)
	var answered struct {
		Deleted  bool
		Approval catalog.Approved
	}
	require.NoError(t, json.Unmarshal(out.Structured, &answered))
	assert.True(t, answered.Deleted)
	assert.Equal(t, catalog.Approved{By: "console", Reason: "go ahead"}, answered.Approval)
	assert.True(t, out.Decision.Consent.Given)
}

func TestANoSendsNothingThatChanges(t *testing.T) {
	e := sceneEditor()
	env, who := withPerson(e, approval.Verdict{By: "console", Reason: "not that\nnode"})
	f := call(t, env, "godot_scene_edit_delete_node", `{"node_path":"A","confirm":true}`).Failure
	require.NotNil(t, f)
	assert.Equal(t, wire.ApprovalDenied, f.ErrorCode)
	assert.Equal(t, answer.PermissionDenied, f.Code)
	assert.Equal(t, "human", f.Required)
	assert.Contains(t, f.Hint, `"not that node"`)
	assert.Len(t, who.asked, 1)
	assert.False(t, e.LastOrder().Changing)
	assert.Equal(t, []string{wire.CmdGetActiveScene, wire.CmdTransaction, wire.CmdGetSceneTree}, e.Sent(), "the preview, and a look at what would go")
}

// A person sees what is there now, and a yes does not hold for something else.
func TestAPersonSeesWhatIsThere(t *testing.T) {
	e := sceneEditor()
	below, value := "A/B", json.RawMessage(`1`)
	catalogtest.On(e, wire.CmdGetSceneTree, func(p wire.GetSceneTree) (any, error) {
		assert.Equal(t, wire.GetSceneTree{NodePath: "A", MaxDepth: -1, Offset: 1, Limit: 200, Lightweight: true}, p)
		return wire.GetSceneTreeResult{Nodes: []wire.TreeNode{{Path: below, Type: "Timer"}}}, nil
	})
	catalogtest.On(e, wire.CmdGetNodeProperty, func(p wire.GetNodeProperty) (any, error) {
		return wire.GetNodePropertyResult{NodePath: p.NodePath, Property: p.Property, Exists: true, Value: value}, nil
	})
	env, who := withPerson(e, yes)
	const remove = `{"node_path":"A","confirm":true}`
	require.Nil(t, call(t, env, "godot_scene_edit_delete_node", remove).Failure)
	assert.Equal(t, []approval.Node{{Below: "A", Path: "A/B", Type: "Timer"}}, who.asked[0].Present.Nodes)
	who.then = func() { below = "A/Other" }
	f := call(t, env, "godot_scene_edit_delete_node", remove).Failure
	require.NotNil(t, f)
	assert.Equal(t, "changed_since_asked", f.Reason)

	const edits = `{"edits":[{"node_path":"A","properties":{"a":2}},{"node_path":"B","properties":{"a":2}}]}`
	who.then = nil
	require.Nil(t, call(t, env, "godot_composite_apply_node_edits", edits).Failure)
	assert.Len(t, who.asked[2].Present.Values, 2)
	who.then = func() { value = json.RawMessage(`3`) }
	f = call(t, env, "godot_composite_apply_node_edits", edits).Failure
	require.NotNil(t, f)
	assert.Equal(t, "changed_since_asked", f.Reason)
}

func TestNobodyIsAskedInVain(t *testing.T) {
	e := sceneEditor()
	env, who := withPerson(e, yes)
	assert.Nil(t, call(t, env, "godot_scene_edit_delete_node", `{"node_path":"A","dry_run":true}`).Failure)
	assert.Equal(t, "confirm", call(t, env, "godot_scene_edit_delete_node", `{"node_path":"A"}`).Failure.Required)
	assert.Nil(t, call(t, env, "godot_inspection_get_active_scene", `{}`).Failure)
	f := call(t, env, "godot_scene_edit_set_node_property", `{"node_path":"Gone","property":"a","value":1}`).Failure
	assert.Equal(t, "node_not_found", f.Reason, "a call whose preview fails would fail too")
	assert.Empty(t, who.asked)
}

// What was approved is what runs: a project that changed meanwhile, or another
// editor, needs a new question.
func TestAYesIsForWhatWasShown(t *testing.T) {
	e := sceneEditor()
	env, who := withPerson(e, yes)
	who.then = func() {
		catalogtest.On(e, wire.CmdDeleteNode, func(p wire.DeleteNode) (any, error) {
			return wire.DeleteNodeResult{NodePath: p.NodePath, Removed: 90, Verdict: wire.Verdict{Persisted: true}}, nil
		})
	}
	out := call(t, env, "godot_scene_edit_delete_node", `{"node_path":"A","confirm":true}`)
	require.NotNil(t, out.Failure)
	assert.Equal(t, "changed_since_asked", out.Failure.Reason)
	assert.Equal(t, wire.Conflict, out.Failure.ErrorCode)
	assert.True(t, out.Decision.Consent.Given)
	assert.False(t, e.LastOrder().Changing)
	who.then = func() {
		hello, _ := e.Hello()
		hello.Session = "another"
		e.SetHello(&hello)
	}
	assert.Equal(t, "changed_since_asked", call(t, env, "godot_scene_edit_delete_node", `{"node_path":"A","confirm":true}`).Failure.Reason)
	who.then = func() { e.SetHello(nil) }
	assert.Equal(t, wire.BridgeDisconnected, call(t, env, "godot_scene_edit_delete_node", `{"node_path":"A","confirm":true}`).Failure.ErrorCode)
	for _, o := range e.Orders() {
		assert.False(t, o.Changing)
	}
}

// What removes things rests on the whole scene, not only on looks: between its
// question and its answer no edit may have been made. Other edits need not wait for
// each other.
func TestDestructiveCallsRestOnTheHistory(t *testing.T) {
	e := sceneEditor()
	version := 1
	catalogtest.On(e, wire.CmdGetActiveScene, func(wire.GetActiveScene) (any, error) {
		return wire.GetActiveSceneResult{IsOpen: true, Name: "Main", HistoryVersion: version}, nil
	})
	env, who := withPerson(e, yes)
	who.then = func() { version++ }
	assert.Equal(t, "changed_since_asked", call(t, env, "godot_scene_edit_delete_node", `{"node_path":"A","confirm":true}`).Failure.Reason)
	assert.Nil(t, call(t, env, "godot_scene_edit_set_node_property", `{"node_path":"A","property":"a","value":1}`).Failure)
	f := call(t, env, "godot_composite_run_commands", `{"commands":[{"command":"delete_node","params":{"node_path":"A","confirm":true}}]}`).Failure
	assert.Equal(t, "changed_since_asked", f.Reason)
	who.then = nil
	assert.Nil(t, call(t, env, "godot_scene_edit_delete_node", `{"node_path":"A","confirm":true}`).Failure)
}

func TestABatchIsOneQuestion(t *testing.T) {
	e := sceneEditor()
	env, who := withPerson(e, yes)
	batch := func(entries string) catalog.Outcome {
		who.asked = nil
		return call(t, env, "godot_composite_run_commands", `{"commands":[`+entries+`]}`)
	}
	const create = `{"command":"create_node","params":{"parent_path":".","node_type":"Node","node_name":"A"}}`
	const read = `{"command":"get_active_scene"}`
	out := batch(create + `,{"command":"cmd_delete_node","params":{"node_path":"B","confirm":true}},` + read)
	require.Nil(t, out.Failure)
	require.Len(t, who.asked, 1)
	q := who.asked[0]
	assert.Equal(t, "destructive", q.Class)
	require.Len(t, q.Entries, 3)
	assert.Equal(t, "godot_scene_edit_delete_node", q.Entries[1].Tool)
	assert.Equal(t, []string{"B"}, q.Entries[1].Targets)
	assert.JSONEq(t, `{"node_path":"B"}`, string(q.Entries[1].Arguments))
	assert.Contains(t, string(q.Preview), `"planned"`)
	assert.Len(t, out.Entries, 3)

	require.Nil(t, batch(read).Failure)
	assert.Empty(t, who.asked, "reads need nobody")
	out = batch(create + `,{"command":"delete_node","params":{"node_path":"B"}}`)
	assert.Equal(t, "confirm", out.Failure.Required)
	assert.EqualValues(t, 1, out.Failure.Details["failed_index"])
	assert.Empty(t, who.asked, "an entry without confirm is refused first")
	assert.Len(t, out.Entries, 2)
	sent := len(e.Sent())
	who.verdict = approval.Verdict{}
	assert.Equal(t, "human", batch(create).Failure.Required)
	assert.Len(t, e.Sent(), sent+1, "the preview")
	assert.False(t, e.LastOrder().Changing)
}

// An entry never goes on by itself: without the consent to its batch it is denied.
func TestEntriesNeedTheConsentOfTheirBatch(t *testing.T) {
	e := sceneEditor()
	env, _ := withPerson(e, yes)
	c := &catalog.Call{Env: env, Catalog: testCatalog}
	_, _, f := c.PrepareEntries(t.Context(), []catalog.EntryCall{{Command: "create_node", Params: []byte(`{"parent_path":".","node_type":"Node","node_name":"A"}`)}})
	require.NotNil(t, f)
	assert.Equal(t, wire.ApprovalDenied, f.ErrorCode)
	env.Ask = nil
	assert.Equal(t, "approver", call(t, env, "godot_scene_edit_delete_node", `{"node_path":"A","confirm":true}`).Failure.Required)
	assert.Equal(t, "approver", call(t, env, "godot_composite_run_commands", `{"commands":[{"command":"get_active_scene"}]}`).Failure.Required)
	assert.Empty(t, e.Sent())
}

// Every tool that changes something or runs code is put to a person, and denied
// without one; every other tool is not.
func TestEveryToolAsksByItsClass(t *testing.T) {
	for _, tool := range testCatalog.Tools() {
		e := blandEditor()
		env := blandEnv(e)
		who := &person{}
		env.Gate.Approver, env.Gate.OpenGate, env.Ask = "console", false, who.ask
		f := testCatalog.Call(t.Context(), env, tool, []byte(goodArgs(tool))).Failure
		asks := tool.Class == safety.Mutating || tool.Class == safety.Destructive || tool.ExecutesCode || tool.WritesDisk
		if asks && len(who.asked) == 0 {
			// Its preview fails on the bland editor, or the batch has no changing entry.
			assert.True(t, f != nil || tool.Handler == catalog.BatchTool, tool.Name)
			continue
		}
		assert.Equal(t, asks, len(who.asked) == 1, tool.Name)
		if asks {
			assert.Equal(t, "human", f.Required, tool.Name)
		}
	}
}
