package world

import (
	"slices"
	"strings"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/fakeeditor/scene"
	"godot-mcp/fakeeditor/undo"
	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// reread lets the nodes of all open scenes go on with the new text of a script: they
// lose what they had in variables that it does not have any more, has in another type
// or begins with that value; where the script runs, variables stay as they are when
// others are what they begin with (engine 4.6 experiments). It gives what was lost. A
// text that is no script, or a base that is not there, leaves the values alone.
func (tx *Tx) reread(path string, old Files) (lost []undo.ScriptValue) {
	if files.Ext(path) != "gd" {
		return nil
	}
	var pinned []undo.ScriptValue
	before, now := scene.NewEnv(&tx.Store, tx.Project.Library(old)), tx.env()
	for _, tab := range tx.Tabs {
		now.Walk(tab.Root, func(n *scene.Node) bool {
			was := before.ScriptOf(n)
			if was == nil || was.Path != path && !slices.Contains(was.Bases, path) {
				return true
			}
			is := now.ScriptOf(n)
			if is == nil || is.Broken || is.Faulty {
				return true
			}
			if was.Faulty {
				lost = append(lost, unknownNow(n, is)...)
			}
			for _, x := range was.Exports {
				v, ok := n.Props.Get(x.Name)
				y := is.Export(x.Name)
				gone := y == nil || y.Type != x.Type && y.Type != variant.TypeNil
				switch {
				case ok && (gone || y.HasDefault && v.Equal(y.Default)):
					lost = append(lost, undo.ScriptValue{Node: n.ID, Name: x.Name, Value: v})
				case !ok && !gone && was.Tool && x.HasDefault && y.HasDefault && !x.Default.Equal(y.Default):
					pinned = append(pinned, undo.ScriptValue{Node: n.ID, Name: x.Name, Value: x.Default})
				}
			}
			return true
		})
	}
	tx.Store = tx.Store.Begin(nil)
	for _, v := range lost {
		n := tx.Store.Edit(v.Node)
		n.Props = n.Props.Without(v.Name)
	}
	tx.Store, tx.envs = tx.Store.Freeze(), nil
	tx.giveBack(pinned)
	return lost
}

// unknownNow gives the values that a node kept while its script did not compile and that
// are no variables of it, or what those begin with.
func unknownNow(n *scene.Node, is *scene.Script) (lost []undo.ScriptValue) {
	for _, p := range n.Props {
		if _, known := classdb.Property(n.Class, p.Name); known || strings.ContainsAny(p.Name, "/0123456789") {
			continue
		}
		if x := is.Export(p.Name); x == nil || x.HasDefault && x.Default.Equal(p.Value) {
			lost = append(lost, undo.ScriptValue{Node: n.ID, Name: p.Name, Value: p.Value})
		}
	}
	return lost
}

// giveBack puts values into script variables again.
func (tx *Tx) giveBack(values []undo.ScriptValue) {
	tx.Store = tx.Store.Begin(nil)
	for _, v := range values {
		if tx.Store.Node(v.Node) != nil {
			n := tx.Store.Edit(v.Node)
			n.Props = n.Props.With(v.Name, v.Value)
		}
	}
	tx.Store, tx.envs = tx.Store.Freeze(), nil
}
