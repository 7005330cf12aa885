package world

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"godot-mcp/fakeeditor/scene"
	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
	"godot-mcp/server/wire"
)

func groupName(g string) error {
	// An underscore marks the editor's own groups.
	if g == "" || strings.HasPrefix(g, "_") {
		return wire.Fail(wire.ReasonBadGroup, "group", g)
	}
	return nil
}

// joinGroup makes a node a persistent member; false if it is one already.
func joinGroup(e scene.Env, id scene.NodeID, group string) bool {
	list := slices.Clone(e.Node(id).Groups)
	for i, g := range list {
		if g.Name == group {
			if g.Persistent {
				return false
			}
			list[i].Persistent = true
			e.Edit(id).Groups = list
			return true
		}
	}
	e.Edit(id).Groups = append(list, scene.Group{Name: group, Persistent: true})
	return true
}

func addToGroup(tx *Tx, p wire.AddToGroup) (func() wire.GroupResult, error) {
	return tx.group(p.NodePath, p.Group, true)
}

func removeFromGroup(tx *Tx, p wire.RemoveFromGroup) (func() wire.GroupResult, error) {
	return tx.group(p.NodePath, p.Group, false)
}

func (tx *Tx) group(nodePath, group string, join bool) (func() wire.GroupResult, error) {
	e, tab, n, err := tx.find(nodePath)
	if err != nil {
		return nil, err
	}
	if err := groupName(group); err != nil {
		return nil, err
	}
	path := e.Path(tab.Root, n.ID)
	r := wire.GroupResult{NodePath: path, Group: group, InGroup: join}
	if join {
		r.Changed = joinGroup(e, n.ID, group)
	} else {
		r.Changed = leaveGroup(e, n, group)
	}
	if r.Changed {
		tx.effect(Effect{Kind: EffectGroup, Target: path + ":" + group, Before: !join, After: join})
	}
	return func() wire.GroupResult {
		r.Verdict = verdict(e, n.ID, func() wire.Verdict { return e.GroupVerdict(tab.Root, n.ID, group, join) })
		return r
	}, nil
}

func leaveGroup(e scene.Env, n *scene.Node, group string) bool {
	at := slices.IndexFunc(n.Groups, func(g scene.Group) bool { return g.Name == group })
	if at < 0 {
		return false
	}
	e.Edit(n.ID).Groups = slices.Delete(slices.Clone(n.Groups), at, at+1)
	return true
}

// ends finds both ends of a connection and checks signal and method.
func (tx *Tx) ends(source, signal, target string) (e scene.Env, tab Tab, from, to *scene.Node, err error) {
	e, tab, from, err = tx.find(source)
	if err != nil {
		return
	}
	id, err := tx.resolve(e, tab, target)
	if err != nil {
		return
	}
	return e, tab, from, e.Node(id), checkSignal(e, tab, from, signal)
}

func checkSignal(e scene.Env, tab Tab, n *scene.Node, signal string) error {
	list := signalsOf(e, n)
	for _, s := range list {
		if s.Name == signal {
			return nil
		}
	}
	if e.Unreadable(n) {
		return nil
	}
	all := make([]string, len(list))
	for i, s := range list {
		all[i] = s.Name
	}
	return wire.Fail(wire.ReasonNoSignal, "path", e.Path(tab.Root, n.ID), "signal", signal, "near", near(signal, all))
}

func checkMethod(e scene.Env, tab Tab, n *scene.Node, method string) error {
	if !e.LacksMethod(n, method) {
		return nil
	}
	var all []string
	if s := e.ScriptOf(n); s != nil {
		for _, f := range s.Functions {
			all = append(all, f.Name)
		}
	}
	for _, m := range classdb.Methods(n.Class, true) {
		all = append(all, m.Name)
	}
	return wire.Fail(wire.ReasonNoMethod, "path", e.Path(tab.Root, n.ID), "method", method, "near", near(method, all))
}

// connectFlags are the flags that a command may add.
const connectFlags = scene.ConnectDeferred | scene.ConnectPersist | scene.ConnectOneShot | scene.ConnectCounted

func connectSignal(tx *Tx, p wire.ConnectSignal) (func() wire.ConnectionResult, error) {
	e, tab, from, to, err := tx.ends(p.SourcePath, p.Signal, p.TargetPath)
	if err != nil {
		return nil, err
	}
	if err := checkMethod(e, tab, to, p.Method); err != nil {
		return nil, err
	}
	if p.Flags&^connectFlags != 0 {
		return nil, wire.Fail(wire.ReasonBadParams, "message", "flags adds up 1 deferred, 4 one-shot, 8 reference counted", "param", "flags")
	}
	binds, err := decodeBinds(p.Binds)
	if err != nil {
		return nil, err
	}
	if p.Unbinds < 0 || p.Unbinds > 0 && len(p.Binds) > 0 {
		return nil, wire.Fail(wire.ReasonBadParams, "message", "a saved connection has either binds or unbinds", "param", "unbinds")
	}
	c := scene.Conn{Signal: p.Signal, Target: to.ID, Method: p.Method, Flags: p.Flags | scene.ConnectPersist, Binds: binds, Unbinds: p.Unbinds}
	if slices.ContainsFunc(from.Conns, c.Same) {
		return nil, wire.Fail(wire.ReasonConnected, "signal", p.Signal, "method", p.Method)
	}
	if e.FiresInEditor(from.ID, c) {
		return nil, wire.Fail(wire.ReasonFires, "signal", p.Signal, "method", p.Method, "path", e.Path(tab.Root, to.ID))
	}
	if e.ClosesCircle(from.ID, c) {
		return nil, wire.Fail(wire.ReasonEndless, "signal", p.Signal, "method", p.Method, "path", e.Path(tab.Root, to.ID))
	}
	n := e.Edit(from.ID)
	n.Conns = append(slices.Clone(n.Conns), c)
	return tx.connection(e, tab, from.ID, c, true), nil
}

func decodeBinds(raw []json.RawMessage) ([]variant.Value, error) {
	var out []variant.Value
	for i, b := range raw {
		d, err := variant.DecodeJSON(b, variant.Hint{})
		if err != nil {
			return nil, badValue(fmt.Sprintf("binds[%d]", i), variant.Hint{}, b, err)
		}
		object := d.Value.Type() == variant.TypeObject
		scene.EachObject(d.Value, func(variant.Value) { object = true })
		if object {
			return nil, wire.Fail(wire.ReasonBindNotSaved, "index", i)
		}
		out = append(out, d.Value)
	}
	return out, nil
}

// connection words the answer of the connection steps.
func (tx *Tx) connection(e scene.Env, tab Tab, from scene.NodeID, c scene.Conn, made bool) func() wire.ConnectionResult {
	r := wire.ConnectionResult{
		SourcePath: e.Path(tab.Root, from), Signal: c.Signal, TargetPath: e.Path(tab.Root, c.Target), Method: c.Method,
		Flags: c.Flags &^ scene.ConnectInherited, Connected: made, Changed: true,
	}
	tx.effect(Effect{Kind: EffectConnection, Target: r.SourcePath + ":" + c.Signal + " -> " + r.TargetPath + ":" + c.Method, Before: !made, After: made})
	return func() wire.ConnectionResult {
		r.Verdict = verdict(e, from, func() wire.Verdict {
			switch {
			case e.Node(c.Target) == nil:
				return wire.Verdict{Persisted: true}
			case made:
				return e.ConnectVerdict(tab.Root, from, c)
			}
			return e.DisconnectVerdict(tab.Root, from, c)
		})
		return r
	}
}

func disconnectSignal(tx *Tx, p wire.DisconnectSignal) (func() wire.ConnectionResult, error) {
	e, tab, from, to, err := tx.ends(p.SourcePath, p.Signal, p.TargetPath)
	if err != nil {
		return nil, err
	}
	want := scene.Conn{Signal: p.Signal, Target: to.ID, Method: p.Method}
	at := slices.IndexFunc(from.Conns, want.Same)
	if at < 0 {
		return nil, wire.Fail(wire.ReasonNotConnected, "signal", p.Signal, "method", p.Method)
	}
	c := from.Conns[at]
	e.Edit(from.ID).Conns = slices.Delete(slices.Clone(from.Conns), at, at+1)
	return tx.connection(e, tab, from.ID, c, false), nil
}

func setEditableChildren(tx *Tx, p wire.SetEditableChildren) (func() wire.SetEditableChildrenResult, error) {
	e, tab, n, err := tx.find(p.NodePath)
	if err != nil {
		return nil, err
	}
	path := e.Path(tab.Root, n.ID)
	if n.ID == tab.Root || n.Source == "" {
		return nil, wire.Fail(wire.ReasonNotAnInstance, "path", path)
	}
	r := wire.SetEditableChildrenResult{NodePath: path, Editable: p.Editable, Source: n.Source, Changed: n.Editable != p.Editable}
	if r.Changed && !p.Editable {
		r.WouldLose = e.LostWithout(tab.Root, n.ID)
		if len(r.WouldLose) > 0 && !p.Force {
			return nil, wire.Fail(wire.ReasonWouldLose, "path", path, "lost", r.WouldLose)
		}
	}
	if r.Changed {
		e.Edit(n.ID).Editable = p.Editable
		tx.effect(Effect{Kind: EffectEditable, Target: path, Before: !p.Editable, After: p.Editable})
	}
	return func() wire.SetEditableChildrenResult {
		r.Verdict = verdict(e, n.ID, func() wire.Verdict { return e.EditableVerdict(tab.Root, n.ID, p.Editable) })
		return r
	}, nil
}
