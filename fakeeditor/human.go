package fakeeditor

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"godot-mcp/fakeeditor/world"
	"godot-mcp/server/godot/variant"
	"godot-mcp/server/wire"
)

// Human is the person at the keyboard: its edits are undo actions that are not
// ours, and the journal says so.
type Human struct{ e *Editor }

// Human acts in the editor as a person does.
func (e *Editor) Human() Human { return Human{e} }

func (h Human) act(command string, params any) (json.RawMessage, error) {
	h.e.mu.Lock()
	defer h.e.mu.Unlock()
	defer h.e.rouse()
	h.e.nextFrame()
	out := h.e.do(world.CauseHuman, command, params)
	if out.Err != nil {
		return nil, out.Err
	}
	return out.Result, nil
}

func (h Human) edit(command string, params any) error {
	_, err := h.act(command, params)
	return err
}

// Set changes a property in the inspector; value is wire JSON, or what encodes to it.
func (h Human) Set(node, property string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return h.edit(wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: node, Property: property, Value: raw})
}

// File changes a property of a resource that has a file of its own, which is shown in the
// inspector by itself: an action of the global history (engine 4.6 experiment).
func (h Human) File(node, property string, value any) error {
	e := h.e
	before := e.State()
	if err := h.Set(node, property, value); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.state = world.InGlobalHistory(before, e.state)
	return nil
}

// Direct changes a property past the undo history, as a tool script does: the
// scene is not marked as modified (engine 4.6 experiment).
func (h Human) Direct(node, property string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = h.unnoticed(wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: node, Property: property, Value: raw})
	return err
}

// Stray adds a node without owner past the undo history, as a tool script does that
// forgets about owners: a save leaves it out (engine 4.6 experiment).
func (h Human) Stray(parent, class, name string) error {
	raw, err := h.unnoticed(wire.CmdCreateNode, wire.CreateNode{ParentPath: parent, Type: class, Name: name})
	if err != nil {
		return err
	}
	var r wire.NewNodeResult
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	h.e.mu.Lock()
	defer h.e.mu.Unlock()
	h.e.state = world.Disown(h.e.state, r.NodePath)
	return nil
}

// unnoticed makes an edit of which the undo history hears nothing.
func (h Human) unnoticed(command string, params any) (json.RawMessage, error) {
	e := h.e
	e.mu.Lock()
	defer e.mu.Unlock()
	e.nextFrame()
	before := e.state
	out := e.do(world.CauseHuman, command, params)
	if out.Err != nil {
		return nil, out.Err
	}
	if before.Active >= 0 {
		tabs := slices.Clone(e.state.Tabs)
		tabs[before.Active].History = before.Tabs[before.Active].History
		e.state.Tabs = tabs
	}
	return out.Result, nil
}

// Add makes a node.
func (h Human) Add(parent, class, name string) error {
	return h.edit(wire.CmdCreateNode, wire.CreateNode{ParentPath: parent, Type: class, Name: name})
}

// Move gives a node another parent or place; index -1 is last.
func (h Human) Move(node, parent string, index int) error {
	return h.edit(wire.CmdMoveNode, wire.MoveNode{NodePath: node, NewParentPath: parent, Index: index})
}

// Rename renames a node.
func (h Human) Rename(node, name string) error {
	return h.edit(wire.CmdRenameNode, wire.RenameNode{NodePath: node, NewName: name})
}

// Delete removes a node.
func (h Human) Delete(node string) error {
	return h.edit(wire.CmdDeleteNode, wire.DeleteNode{NodePath: node})
}

// Select selects nodes.
func (h Human) Select(nodes ...string) error {
	return h.edit(wire.CmdSelectNodes, wire.SelectNodes{NodePaths: append([]string{}, nodes...)})
}

// Save saves the edited scene (Ctrl+S).
func (h Human) Save() error { return h.edit(wire.CmdSaveScene, wire.SaveScene{}) }

// Tab opens a scene, or switches to its tab.
func (h Human) Tab(path string) error {
	return h.edit(wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: path})
}

// Close closes a scene's tab and drops what was not saved.
func (h Human) Close(path string) error {
	return h.edit(wire.CmdCloseScene, wire.CloseScene{ScenePath: path})
}

// Reload reads an open scene from disk again (Scene > Reload Saved Scene).
func (h Human) Reload(path string) error {
	return h.edit(wire.CmdReloadScene, wire.ReloadScene{ScenePath: path})
}

// Undo undoes one action, whoever made it (Ctrl+Z).
func (h Human) Undo() error { return h.history(wire.CmdUndo, wire.Undo{Count: 1}) }

// Redo repeats one action.
func (h Human) Redo() error { return h.history(wire.CmdRedo, wire.Redo{Count: 1}) }

func (h Human) history(command string, params any) error {
	raw, err := h.act(command, params)
	if err != nil {
		return err
	}
	var r wire.HistoryMoveResult
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	if r.Done == 0 {
		return fmt.Errorf("%s: nothing to do", command)
	}
	return nil
}

// EditFile changes a file in another program; the editor does not notice.
func (h Human) EditFile(path, content string) error {
	if err := h.e.DiskWrite(path, content); err != nil {
		return err
	}
	h.e.mu.Lock()
	defer h.e.mu.Unlock()
	h.e.state.Journal = h.e.state.Journal.Add(world.Effect{
		Time: h.e.state.Clock, Cause: world.CauseHuman, Kind: world.EffectWriteFile, Target: path,
	})
	return nil
}

// Lock makes a scene file one that the editor cannot save over, as on a disk that
// is read-only.
func (h Human) Lock(path string) error {
	clean, err := projectPath(path)
	if err != nil {
		return err
	}
	h.e.mu.Lock()
	defer h.e.mu.Unlock()
	h.e.state.Locked = append(slices.Clone(h.e.state.Locked), clean)
	return nil
}

// Type types over the text of a script in the script editor and does not save it.
func (h Human) Type(path, text string) error {
	clean, err := projectPath(path)
	if err != nil {
		return err
	}
	h.e.mu.Lock()
	defer h.e.mu.Unlock()
	if !h.e.state.Files.Exists(clean) {
		return fmt.Errorf("type: there is no %s", clean)
	}
	h.e.state.Type(clean, text)
	return nil
}

// SaveFile saves a file in the editor's own script editor: an action of the
// global history that the editor knows of.
func (h Human) SaveFile(path, content string) error {
	return h.edit(wire.CmdWriteFile, wire.WriteFile{Path: path, Content: content})
}

// Wait does nothing for a while.
func (h Human) Wait(d time.Duration) { h.e.Advance(d) }

// Run does what words say, as scenarios write it:
//
//	set NODE PROPERTY VALUE     direct NODE PROPERTY VALUE    (VALUE: Godot text)
//	stray PARENT CLASS NAME     file NODE PROPERTY VALUE
//	add PARENT CLASS NAME       move NODE PARENT [INDEX]      rename NODE NAME
//	delete NODE                 select NODE...                tab PATH
//	close PATH                  reload PATH                   edit PATH TEXT
//	lock PATH                   wait MILLISECONDS             type SCRIPT TEXT
//	save    undo    redo
func (h Human) Run(words []string) error {
	if len(words) == 0 {
		return fmt.Errorf("a person does one of %s", strings.Join(humanVerbs(), ", "))
	}
	v, ok := humanWords[words[0]]
	args := words[1:]
	switch {
	case !ok:
		return fmt.Errorf("unknown %q; a person does one of %s", words[0], strings.Join(humanVerbs(), ", "))
	case len(args) < v.min || v.max >= 0 && len(args) > v.max:
		return fmt.Errorf("%s wants: %s %s", words[0], words[0], v.usage)
	}
	return v.do(h, args)
}

type humanWord struct {
	min, max int // arguments; max -1: any number
	usage    string
	do       func(Human, []string) error
}

func humanVerbs() []string {
	var out []string
	for w := range humanWords {
		out = append(out, w)
	}
	slices.Sort(out)
	return out
}

var humanWords = map[string]humanWord{
	"set": {3, 3, "NODE PROPERTY VALUE", func(h Human, a []string) error {
		v, err := godotText(a[2])
		if err != nil {
			return err
		}
		return h.Set(a[0], a[1], v)
	}},
	"file": {3, 3, "NODE PROPERTY VALUE", func(h Human, a []string) error {
		v, err := godotText(a[2])
		if err != nil {
			return err
		}
		return h.File(a[0], a[1], v)
	}},
	"direct": {3, 3, "NODE PROPERTY VALUE", func(h Human, a []string) error {
		v, err := godotText(a[2])
		if err != nil {
			return err
		}
		return h.Direct(a[0], a[1], v)
	}},
	"add":   {3, 3, "PARENT CLASS NAME", func(h Human, a []string) error { return h.Add(a[0], a[1], a[2]) }},
	"stray": {3, 3, "PARENT CLASS NAME", func(h Human, a []string) error { return h.Stray(a[0], a[1], a[2]) }},
	"move": {2, 3, "NODE PARENT [INDEX]", func(h Human, a []string) error {
		index := -1
		if len(a) == 3 {
			var err error
			if index, err = strconv.Atoi(a[2]); err != nil {
				return fmt.Errorf("move: %q is not an index", a[2])
			}
		}
		return h.Move(a[0], a[1], index)
	}},
	"rename": {2, 2, "NODE NAME", func(h Human, a []string) error { return h.Rename(a[0], a[1]) }},
	"delete": {1, 1, "NODE", func(h Human, a []string) error { return h.Delete(a[0]) }},
	"select": {0, -1, "NODE...", func(h Human, a []string) error { return h.Select(a...) }},
	"tab":    {1, 1, "PATH", func(h Human, a []string) error { return h.Tab(a[0]) }},
	"close":  {1, 1, "PATH", func(h Human, a []string) error { return h.Close(a[0]) }},
	"reload": {1, 1, "PATH", func(h Human, a []string) error { return h.Reload(a[0]) }},
	"save":   {0, 0, "", func(h Human, _ []string) error { return h.Save() }},
	"undo":   {0, 0, "", func(h Human, _ []string) error { return h.Undo() }},
	"redo":   {0, 0, "", func(h Human, _ []string) error { return h.Redo() }},
	"type":   {2, 2, "SCRIPT TEXT", func(h Human, a []string) error { return h.Type(a[0], a[1]) }},
	"lock":   {1, 1, "PATH", func(h Human, a []string) error { return h.Lock(a[0]) }},
	"wait": {1, 1, "MILLISECONDS", func(h Human, a []string) error {
		ms, err := strconv.Atoi(a[0])
		if err != nil || ms < 0 {
			return fmt.Errorf("wait: %q is no number of milliseconds", a[0])
		}
		h.Wait(time.Duration(ms) * time.Millisecond)
		return nil
	}},
	"edit": {2, 2, "PATH TEXT", func(h Human, a []string) error { return h.EditFile(a[0], a[1]) }},
}

// godotText turns a value as Godot writes it into wire JSON.
func godotText(text string) (json.RawMessage, error) {
	v, err := variant.ParseText(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not a value in Godot's text form: %w", text, err)
	}
	return variant.EncodeWire(v), nil
}
