package scene

import (
	"slices"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/gdscript"
)

// Unreadable reports whether a node's script is in a language or a state in which
// its members are not known here.
func (e Env) Unreadable(n *Node) bool {
	if n.Missing != nil {
		return true
	}
	s := e.ScriptOf(n)
	return e.ScriptPath(n) != "" && (s == nil || s.Broken)
}

// LacksMethod reports whether neither the class nor the script of a node has a method,
// as far as is known here.
func (e Env) LacksMethod(n *Node, method string) bool {
	if s := e.ScriptOf(n); s != nil && slices.ContainsFunc(s.Functions, func(f gdscript.Function) bool { return f.Name == method }) {
		return false
	}
	_, ok := classdb.FindMethod(n.Class, method)
	return !ok && !e.Unreadable(n)
}
