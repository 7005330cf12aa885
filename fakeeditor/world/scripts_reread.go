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

// A rereading is what came of a new text of a script.
type rereading struct {
	lost, held []undo.ScriptValue // values that nodes lost, and all that they had
	users      []scene.NodeID
}

// reread lets the nodes of all open scenes go on with the new text of a script: they
// lose what they had in variables that it does not have any more, has in another type
// or begins with that value; where the script runs, variables stay as they are when
// others are what they begin with or of another type, and those that are new and files do
// not keep are null, but on the nodes that are spared (engine 4.6 experiments). A
// text that is no script, or a base that is not there, leaves the values alone.
func (tx *Tx) reread(path string, old Files, spared []scene.NodeID) (r rereading) {
	if files.Ext(path) != "gd" {
		return r
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
				r.lost = append(r.lost, unknownNow(n, is)...)
			}
			r.users = append(r.users, n.ID)
			for _, x := range was.Exports {
				v, ok := n.Props.Get(x.Name)
				y := is.Export(x.Name)
				if ok {
					r.held = append(r.held, undo.ScriptValue{Node: n.ID, Name: x.Name, Value: v})
				}
				gone := y == nil || !was.Tool && v.Type() != y.Type && y.Type != variant.TypeNil
				switch {
				case ok && (gone || y.HasDefault && v.Equal(y.Default)):
					r.lost = append(r.lost, undo.ScriptValue{Node: n.ID, Name: x.Name, Value: v})
				case !ok && !gone && was.Tool && x.HasDefault && y.HasDefault && !x.Default.Equal(y.Default):
					pinned = append(pinned, undo.ScriptValue{Node: n.ID, Name: x.Name, Value: x.Default})
				}
			}
			for _, y := range is.Exports {
				if was.Tool && !was.Faulty && !slices.Contains(spared, n.ID) && y.Usage&classdb.UsageStorage == 0 && was.Export(y.Name) == nil {
					pinned = append(pinned, undo.ScriptValue{Node: n.ID, Name: y.Name, Value: variant.Nil})
				}
			}
			return true
		})
	}
	tx.Store = tx.Store.Begin(nil)
	for _, v := range r.lost {
		n := tx.Store.Edit(v.Node)
		n.Props = n.Props.Without(v.Name)
	}
	tx.Store, tx.envs = tx.Store.Freeze(), nil
	tx.giveBack(pinned)
	return r
}

// among gives those values that stand in variables of which another list tells as well.
func among(values, list []undo.ScriptValue) []undo.ScriptValue {
	return slices.DeleteFunc(slices.Clone(values), func(v undo.ScriptValue) bool {
		return !slices.ContainsFunc(list, func(o undo.ScriptValue) bool { return o.Node == v.Node && o.Name == v.Name })
	})
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
