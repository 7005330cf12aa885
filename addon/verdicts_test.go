//go:build godot

package addon_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/wire"
)

// verdictCase is one edit of section 5 of the persistence experiments: what the
// verdict says, and what a fresh load of the saved file shows.
type verdictCase struct {
	name    string
	scene   string
	setup   string // snippet run first, past the addon
	steps   []wire.StepParam
	kept    string // expression over the reloaded root r: the edit is there
	loss    wire.LossReason
	subject string
	source  string
}

func step(command string, params any) wire.StepParam {
	b, err := json.Marshal(params)
	if err != nil {
		panic(err)
	}
	return wire.StepParam{Command: command, Params: b}
}

func create(parent, name string) wire.StepParam {
	return step(wire.CmdCreateNode, wire.CreateNode{ParentPath: parent, Type: "Node2D", Name: name})
}

func set(path, property, value string) wire.StepParam {
	return step(wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: path, Property: property, Value: json.RawMessage(value)})
}

func group(path, name string) wire.StepParam {
	return step(wire.CmdAddToGroup, wire.AddToGroup{NodePath: path, Group: name})
}

func ungroup(path, name string) wire.StepParam {
	return step(wire.CmdRemoveFromGroup, wire.RemoveFromGroup{NodePath: path, Group: name})
}

func connect(from, signal, to, method string) wire.StepParam {
	return step(wire.CmdConnectSignal, wire.ConnectSignal{SourcePath: from, Signal: signal, TargetPath: to, Method: method})
}

func disconnect(from, signal, to, method string) wire.StepParam {
	return step(wire.CmdDisconnectSignal, wire.DisconnectSignal{SourcePath: from, Signal: signal, TargetPath: to, Method: method})
}

func move(path, parent string, index int) wire.StepParam {
	return step(wire.CmdMoveNode, wire.MoveNode{NodePath: path, NewParentPath: parent, Index: index})
}

func attach(path, script string) wire.StepParam {
	return step(wire.CmdAttachScript, wire.AttachScript{NodePath: path, ScriptPath: script})
}

func editable(path string, on, force bool) wire.StepParam {
	return step(wire.CmdSetEditableChildren, wire.SetEditableChildren{NodePath: path, Editable: on, Force: force})
}

func names(node string) string { return node + ".get_children().map(func(c): return str(c.name))" }

var verdictCases = []verdictCase{
	// 5.1 Adding nodes.
	{name: "add under own", steps: []wire.StepParam{create("A", "New")}, kept: `r.has_node("A/New")`},
	{name: "add under root", steps: []wire.StepParam{create(".", "New")}, kept: `r.has_node("New")`},
	{name: "below a node without owner", setup: "var n = Node2D.new()\nn.name = 'Loose'\nroot.add_child(n)", steps: []wire.StepParam{create("Loose", "New")},
		kept: `r.has_node("Loose/New")`, loss: wire.LossNotOwned, subject: "Loose"},
	{name: "below a node with a foreign owner", setup: "var n = Node2D.new()\nn.name = 'Loose'\nroot.get_node('A').add_child(n)\nn.owner = root.get_node('A')",
		steps: []wire.StepParam{create("A/Loose", "New")}, kept: `r.has_node("A/Loose/New")`, loss: wire.LossNotOwned, subject: "A/Loose"},
	{name: "add under instance root", steps: []wire.StepParam{create("Inst", "New")}, kept: `r.has_node("Inst/New")`},
	{name: "add inside plain instance", steps: []wire.StepParam{create("Inst/Inner", "New")}, kept: `r.has_node("Inst/Inner/New")`,
		loss: wire.LossInstanceChild, subject: "Inst", source: "res://v/base.tscn"},
	{name: "add inside editable instance", steps: []wire.StepParam{create("Edit/Inner", "New")}, kept: `r.has_node("Edit/Inner/New")`},
	{name: "add below base node", scene: "inh.tscn", steps: []wire.StepParam{create("Inner", "New")}, kept: `r.has_node("Inner/New")`},
	{name: "duplicate with children", steps: []wire.StepParam{step(wire.CmdDuplicateNode, wire.DuplicateNode{NodePath: "A"})}, kept: `r.has_node("A2/B")`},
	{name: "duplicate an instance", steps: []wire.StepParam{step(wire.CmdDuplicateNode, wire.DuplicateNode{NodePath: "Inst"})},
		kept: `r.has_node("Inst2/Inner/Deep") and r.get_node("Inst2").get_child_count() == 4 and r.get_node("Inst2").scene_file_path != ""`},
	{name: "duplicate inside a plain instance", steps: []wire.StepParam{step(wire.CmdDuplicateNode, wire.DuplicateNode{NodePath: "Inst/Inner/Deep"})},
		kept: `r.has_node("Inst/Inner/Deep2")`, loss: wire.LossInstanceChild, subject: "Inst", source: "res://v/base.tscn"},
	{name: "duplicate below a plain instance's root", steps: []wire.StepParam{step(wire.CmdDuplicateNode, wire.DuplicateNode{NodePath: "Inst/Sprite"})},
		kept: `r.has_node("Inst/Sprite2")`},
	{name: "instance a scene", steps: []wire.StepParam{step(wire.CmdInstanceScene, wire.InstanceScene{ParentPath: "A", ScenePath: "res://v/base.tscn"})},
		kept: `r.has_node("A/Enemy/Inner")`},

	// 5.2 Property overrides.
	{name: "property on own node", steps: []wire.StepParam{set("A", "position", `{"x":5,"y":6}`)}, kept: `r.get_node("A").position == Vector2(5, 6)`},
	{name: "property on instance root", steps: []wire.StepParam{set("Inst", "position", `[5,6]`)}, kept: `r.get_node("Inst").position == Vector2(5, 6)`},
	{name: "property inside plain instance", steps: []wire.StepParam{set("Inst/Sprite", "position", `[5,6]`)}, kept: `r.get_node("Inst/Sprite").position == Vector2(5, 6)`,
		loss: wire.LossInstanceChild, subject: "Inst", source: "res://v/base.tscn"},
	{name: "property inside editable instance", steps: []wire.StepParam{set("Edit/Sprite", "position", `[5,6]`)}, kept: `r.get_node("Edit/Sprite").position == Vector2(5, 6)`},
	{name: "make editable, then set inside", steps: []wire.StepParam{editable("Inst", true, false), set("Inst/Sprite", "position", `[5,6]`)},
		kept: `r.get_node("Inst/Sprite").position == Vector2(5, 6)`},
	{name: "set inside, then make editable", steps: []wire.StepParam{set("Inst/Sprite", "position", `[5,6]`), editable("Inst", true, false)},
		kept: `r.get_node("Inst/Sprite").position == Vector2(5, 6) and r.is_editable_instance(r.get_node("Inst"))`},
	{name: "property in inherited scene", scene: "inh.tscn", steps: []wire.StepParam{set("Sprite", "position", `[5,6]`)}, kept: `r.get_node("Sprite").position == Vector2(5, 6)`},
	{name: "export variable", steps: []wire.StepParam{set("Vars", "hp", `5`)}, kept: `r.get_node("Vars").get("hp") == 5`},
	{name: "export array", steps: []wire.StepParam{set("Vars", "names", `["a","b"]`)}, kept: `r.get_node("Vars").get("names") == ["a", "b"]`},
	{name: "export node", steps: []wire.StepParam{set("Vars", "tgt", `"../Lab"`)}, kept: `r.get_node("Vars").get("tgt") == r.get_node("Lab")`},
	{name: "plain variable", steps: []wire.StepParam{set("Vars", "plain", `9`)}, kept: `r.get_node("Vars").get("plain") == 9`, loss: wire.LossNotStored, subject: "Vars"},
	{name: "global position", steps: []wire.StepParam{set("A/B", "global_position", `[7,8]`)}, kept: `r.get_node("A/B").position == Vector2(7, 8)`},
	{name: "control size", steps: []wire.StepParam{set("Lab", "size", `[300,50]`)}, kept: `r.get_node("Lab").size == Vector2(300, 50)`},
	{name: "unique name", steps: []wire.StepParam{set("A/B", "unique_name_in_owner", `true`)}, kept: `r.get_node_or_null("%B") != null`},
	{name: "metadata", steps: []wire.StepParam{set("A", "metadata/k", `{"x":[1,2.5]}`)}, kept: `r.get_node("A").has_meta("k") and r.get_node("A").get_meta("k") == {"x": [1, 2.5]}`},
	{name: "metadata inside plain instance", steps: []wire.StepParam{set("Inst/Sprite", "metadata/k", `1`)}, kept: `r.get_node("Inst/Sprite").has_meta("k")`,
		loss: wire.LossInstanceChild, subject: "Inst", source: "res://v/base.tscn"},
	{name: "script on own node", steps: []wire.StepParam{attach("A", "res://v/all.gd")}, kept: `r.get_node("A").get_script() != null`},
	{name: "script on instance root", steps: []wire.StepParam{attach("Inst", "res://v/all.gd")}, kept: `r.get_node("Inst").get_script() != null`},
	{name: "script inside editable instance", steps: []wire.StepParam{attach("Edit/Inner", "res://v/all.gd")}, kept: `r.get_node("Edit/Inner").get_script() != null`},

	// 5.3 Groups.
	{name: "group on own node", steps: []wire.StepParam{group("A", "g1")}, kept: `r.get_node("A").is_in_group("g1")`},
	{name: "group on instance root", steps: []wire.StepParam{group("Inst", "g1")}, kept: `r.get_node("Inst").is_in_group("g1")`},
	{name: "group made persistent", setup: `root.get_node("A").add_to_group("g1")`, steps: []wire.StepParam{group("A", "g1")}, kept: `r.get_node("A").is_in_group("g1")`},
	{name: "group inside editable instance", steps: []wire.StepParam{group("Edit/Inner", "g1")}, kept: `r.get_node("Edit/Inner").is_in_group("g1")`},
	{name: "group inside plain instance", steps: []wire.StepParam{group("Inst/Inner", "g1")}, kept: `r.get_node("Inst/Inner").is_in_group("g1")`,
		loss: wire.LossInstanceChild, subject: "Inst", source: "res://v/base.tscn"},
	{name: "group in inherited scene", scene: "inh.tscn", steps: []wire.StepParam{group("Sprite", "g1")}, kept: `r.get_node("Sprite").is_in_group("g1")`},
	{name: "remove base group inside instance", steps: []wire.StepParam{ungroup("Edit/Sprite", "base_group")}, kept: `not r.get_node("Edit/Sprite").is_in_group("base_group")`,
		loss: wire.LossGroupFromBase, subject: "Edit/Sprite", source: "res://v/base.tscn"},
	{name: "remove base group of instance root", steps: []wire.StepParam{ungroup("Inst", "base_root_group")}, kept: `not r.get_node("Inst").is_in_group("base_root_group")`,
		loss: wire.LossGroupFromBase, subject: "Inst", source: "res://v/base.tscn"},
	{name: "remove base group in inherited scene", scene: "inh.tscn", steps: []wire.StepParam{ungroup("Sprite", "base_group")}, kept: `not r.get_node("Sprite").is_in_group("base_group")`,
		loss: wire.LossGroupFromBase, subject: "Sprite", source: "res://v/base.tscn"},
	{name: "remove base group of inherited root", scene: "inh.tscn", steps: []wire.StepParam{ungroup(".", "base_root_group")}, kept: `not r.is_in_group("base_root_group")`,
		loss: wire.LossGroupFromBase, subject: ".", source: "res://v/base.tscn"},
	{name: "add and remove an own group", steps: []wire.StepParam{group("A", "g1"), ungroup("A", "g1")}, kept: `not r.get_node("A").is_in_group("g1")`},

	// 5.4 Connections.
	{name: "own to own", steps: []wire.StepParam{connect("A", "draw", "Lab", "queue_redraw")}, kept: `linked(r, "A", "draw", "Lab", "queue_redraw")`},
	{name: "with flags and binds", steps: []wire.StepParam{step(wire.CmdConnectSignal, wire.ConnectSignal{SourcePath: "A", Signal: "draw", TargetPath: "Lab", Method: "set_text", Flags: 5,
		Binds: []json.RawMessage{json.RawMessage(`"hi"`), json.RawMessage(`3`)}})}, kept: `linked(r, "A", "draw", "Lab", "set_text")`},
	{name: "with unbinds", steps: []wire.StepParam{step(wire.CmdConnectSignal, wire.ConnectSignal{SourcePath: "Vars", Signal: "hurt", TargetPath: "Lab", Method: "queue_redraw", Unbinds: 1})},
		kept: `linked(r, "Vars", "hurt", "Lab", "queue_redraw")`},
	{name: "from instance root", steps: []wire.StepParam{connect("Inst", "draw", "Lab", "queue_redraw")}, kept: `linked(r, "Inst", "draw", "Lab", "queue_redraw")`},
	{name: "from inside editable", steps: []wire.StepParam{connect("Edit/T", "timeout", ".", "queue_redraw")}, kept: `linked(r, "Edit/T", "timeout", ".", "queue_redraw")`},
	{name: "from inside plain", steps: []wire.StepParam{connect("Inst/T", "timeout", ".", "queue_redraw")}, kept: `linked(r, "Inst/T", "timeout", ".", "queue_redraw")`,
		loss: wire.LossInstanceChild, subject: "Inst", source: "res://v/base.tscn"},
	{name: "to inside plain", steps: []wire.StepParam{connect("A", "draw", "Inst/Sprite", "queue_redraw")}, kept: `linked(r, "A", "draw", "Inst/Sprite", "queue_redraw")`},
	{name: "both inside plain", steps: []wire.StepParam{connect("Inst/T", "timeout", "Inst/Sprite", "queue_redraw")}, kept: `linked(r, "Inst/T", "timeout", "Inst/Sprite", "queue_redraw")`,
		loss: wire.LossInstanceChild, subject: "Inst", source: "res://v/base.tscn"},
	{name: "disconnect base connection", steps: []wire.StepParam{disconnect("Edit/T", "timeout", "Edit", "queue_redraw")}, kept: `not linked(r, "Edit/T", "timeout", "Edit", "queue_redraw")`,
		loss: wire.LossConnectionFromBase, subject: "Edit/T", source: "res://v/base.tscn"},
	{name: "disconnect own connection", steps: []wire.StepParam{disconnect("A", "visibility_changed", "Lab", "queue_redraw")}, kept: `not linked(r, "A", "visibility_changed", "Lab", "queue_redraw")`},
	{name: "disconnect in inherited scene", scene: "inh.tscn", steps: []wire.StepParam{disconnect("T", "timeout", ".", "queue_redraw")}, kept: `not linked(r, "T", "timeout", ".", "queue_redraw")`,
		loss: wire.LossConnectionFromBase, subject: "T", source: "res://v/base.tscn"},

	// 5.5 Deleting, renaming, moving.
	{name: "delete own", steps: []wire.StepParam{step(wire.CmdDeleteNode, wire.DeleteNode{NodePath: "A"})}, kept: `not r.has_node("A")`},
	{name: "delete instance", steps: []wire.StepParam{step(wire.CmdDeleteNode, wire.DeleteNode{NodePath: "Edit"})}, kept: `not r.has_node("Edit")`},
	{name: "rename instance root", steps: []wire.StepParam{step(wire.CmdRenameNode, wire.RenameNode{NodePath: "Edit", NewName: "Edit9"})}, kept: `r.has_node("Edit9/Inner") and r.is_editable_instance(r.get_node("Edit9"))`},
	{name: "rename root", steps: []wire.StepParam{step(wire.CmdRenameNode, wire.RenameNode{NodePath: ".", NewName: "Other"})}, kept: `r.name == &"Other"`},
	{name: "rename inherited root", scene: "inh.tscn", steps: []wire.StepParam{step(wire.CmdRenameNode, wire.RenameNode{NodePath: ".", NewName: "Boss"})}, kept: `r.name == &"Boss"`},
	{name: "move own subtree", steps: []wire.StepParam{move("A", "Col", -1)}, kept: `r.has_node("Col/A/B")`},
	{name: "move into plain instance", steps: []wire.StepParam{move("A", "Inst/Inner", -1)}, kept: `r.has_node("Inst/Inner/A")`,
		loss: wire.LossInstanceChild, subject: "Inst", source: "res://v/base.tscn"},
	{name: "reorder own", steps: []wire.StepParam{move("Col2", ".", 0)}, kept: names("r") + `[0] == "Col2"`},
	{name: "reorder below base node of inherited scene", scene: "inh.tscn", steps: []wire.StepParam{create(".", "New"), move("New", ".", 1)}, kept: names("r") + `[1] == "New"`},

	// 5.6 Resources.
	{name: "embedded resource", steps: []wire.StepParam{set("Col", "shape:size", `[33,34]`)}, kept: `r.get_node("Col2").shape.size == Vector2(33, 34)`},
	{name: "external resource", steps: []wire.StepParam{set("Lab", "label_settings:font_size", `44`)}, kept: `FileAccess.get_file_as_string("res://v/ls.tres").contains("44")`},
	{name: "resource of a plain instance", steps: []wire.StepParam{set("Inst/Shape", "shape:size", `[77,77]`)}, kept: `r.get_node("Inst/Shape").shape.size == Vector2(77, 77)`,
		loss: wire.LossEmbeddedElsewhere, subject: "Inst/Shape", source: "res://v/base.tscn"},
	{name: "resource of an editable instance", steps: []wire.StepParam{set("Edit/Shape", "shape:size", `[77,77]`)}, kept: `r.get_node("Edit/Shape").shape.size == Vector2(77, 77)`,
		loss: wire.LossEmbeddedElsewhere, subject: "Edit/Shape", source: "res://v/base.tscn"},
	{name: "new resource on editable child", steps: []wire.StepParam{set("Edit/Shape", "shape", `{"new":"RectangleShape2D","properties":{"size":{"type":"Vector2","x":5,"y":5}}}`)},
		kept: `r.get_node("Edit/Shape").shape.size == Vector2(5, 5) and r.get_node("Inst/Shape").shape.size == Vector2(10, 10)`},
	{name: "new resource", steps: []wire.StepParam{set("Col", "shape", `{"new":"CircleShape2D","properties":{"radius":3.25}}`)}, kept: `r.get_node("Col").shape.radius == 3.25`},
	{name: "resource by path", steps: []wire.StepParam{set("Lab", "label_settings", `null`), set("Lab", "label_settings", `"res://v/ls.tres"`)}, kept: `r.get_node("Lab").label_settings.resource_path == "res://v/ls.tres"`},
}

const linked = `var linked = func(top, from, sig, to, method):
	for c in top.get_node(from).get_signal_connection_list(sig):
		if c.callable.get_object() == top.get_node(to) and c.callable.get_method() == StringName(method): return true
	return false
`

// The verdict of the last step must be what a save and a fresh load show.
func TestVerdictEqualsReload(t *testing.T) {
	for _, c := range verdictCases {
		t.Run(c.name, func(t *testing.T) {
			if c.scene == "" {
				c.scene = "main.tscn"
			}
			fixture(t, c.scene)
			quiet(t)
			if c.setup != "" {
				eval(t, c.setup)
			}
			// The preview first: it says the same and leaves no trace.
			before := snapshot(t)
			preview := ask[wire.TransactionResult](t, wire.CmdTransaction, wire.Transaction{Name: "case", Steps: c.steps, DryRun: true})
			require.False(t, preview.Committed)
			require.Equal(t, before, snapshot(t), "the preview left a trace")
			real := ask[wire.TransactionResult](t, wire.CmdTransaction, wire.Transaction{Name: "case", Steps: c.steps})
			require.Len(t, real.Results, len(c.steps))
			assert.Equal(t, real.Undoable, preview.Undoable)
			for i := range real.Results {
				assert.JSONEq(t, string(real.Results[i]), string(preview.Results[i]), "preview of step %d", i)
				assert.Empty(t, preview.Action)
			}
			var v wire.Verdict
			require.NoError(t, json.Unmarshal(real.Results[len(real.Results)-1], &v))
			assert.Equal(t, c.loss == wire.LossNone, v.Persisted, "%+v", v)
			assert.Equal(t, c.loss, v.Reason)
			if c.subject != "" {
				assert.Equal(t, c.subject, v.Subject)
				assert.Equal(t, c.source, v.Source)
			}
			ask[wire.SaveSceneResult](t, wire.CmdSaveScene, wire.SaveScene{})
			kept := reloaded(t, "v/"+c.scene, c.kept)
			assert.Equal(t, v.Persisted, kept, "the reload shows %v\n%s", kept, read(t, "v/"+c.scene))
		})
	}
}

// reloaded evaluates an expression over a fresh load of a scene file.
func reloaded(t *testing.T, path, expression string) any {
	t.Helper()
	closeAll(t)
	return eval(t, fmt.Sprintf("%svar r = ResourceLoader.load(%q, '', ResourceLoader.CACHE_MODE_IGNORE_DEEP).instantiate()\nvar x = %s\nr.free()\nreturn x", linked, "res://"+path, strings.ReplaceAll(expression, "linked(", "linked.call(")))
}

// snapshot is all that a preview must leave alone: the tree with values, groups
// and connections, the history, the selection.
func snapshot(t *testing.T) string {
	t.Helper()
	out := eval(t, `var out = []
var todo = [root]
while not todo.is_empty():
	var n = todo.pop_front()
	var row = [str(root.get_path_to(n)), n.get_class(), "" if n.owner == null else str(root.get_path_to(n.owner)), n.get_groups().filter(func(g): return not str(g).begins_with("_"))]
	for p in n.get_property_list():
		if p.usage & (PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_SCRIPT_VARIABLE):
			row.append("%s=%s" % [p.name, var_to_str(n.get(p.name)) if not n.get(p.name) is Object else str(n.get(p.name))])
	for s in n.get_signal_list():
		for c in n.get_signal_connection_list(s.name):
			if c.callable.get_object() is Node and root.is_ancestor_of(c.callable.get_object()):
				row.append("%s->%s.%s %d" % [s.name, root.get_path_to(c.callable.get_object()), c.callable.get_method(), c.flags])
	if n != root:
		row.append(root.is_editable_instance(n))
	out.append("\n".join(row.map(func(x): return str(row[0]) + "  " + str(x))))
	todo.append_array(n.get_children())
var ur = EditorInterface.get_editor_undo_redo()
var h = ur.get_history_undo_redo(ur.get_object_history_id(root))
return JSON.stringify(["\n".join(out), h.get_version(), h.get_history_count(), EditorInterface.get_selection().get_selected_nodes().map(func(n): return str(n.name))])`)
	var parts []any
	require.NoError(t, json.Unmarshal([]byte(out.(string)), &parts))
	return fmt.Sprintln(parts[1:]) + parts[0].(string)
}
