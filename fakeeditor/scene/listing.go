package scene

import (
	"slices"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/gdscript"
	"godot-mcp/server/godot/variant"
)

// ResProperties is [Env.Properties] for resources.
func (e Env) ResProperties(r *Resource) []Property { return e.properties(r.object()) }

// ResValue gives the value of a resource's property.
func (e Env) ResValue(r *Resource, name string) variant.Value {
	v, _ := e.value(r.object(), name)
	return v
}

// ClassDefault gives what ClassDB says is the default of a property; ok is false
// when it knows none.
func (e Env) ClassDefault(class, name string) (variant.Value, bool) {
	return classOf(class).classDefault(name)
}

// Emits reports whether a node has a signal, as far as can be told. A connection
// stays with a node whose script is taken off, but nothing lists or saves it then; nor
// those of signals that an unknown class, or a script whose base is unknown, would have
// (engine 4.6 experiment).
func (e Env) Emits(n *Node, signal string) bool {
	if _, ok := classdb.FindSignal(n.Class, signal); ok {
		return true
	}
	if _, scripted := n.Props.Get("script"); !scripted {
		return false
	}
	s := e.ScriptOf(n)
	return s == nil || !s.Broken && slices.ContainsFunc(s.Signals, func(x gdscript.Signal) bool { return x.Name == signal })
}
