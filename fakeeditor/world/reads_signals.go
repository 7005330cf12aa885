package world

import (
	"cmp"
	"slices"

	"godot-mcp/fakeeditor/scene"
	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/gdscript"
	"godot-mcp/server/godot/variant"
	"godot-mcp/server/wire"
)

// signalsOf lists what a node can emit, in the engine's order: the script's
// signals, then those of the class and its ancestors, nearest first.
func signalsOf(e scene.Env, n *scene.Node) []wire.SignalInfo {
	out := []wire.SignalInfo{}
	if s := e.ScriptOf(n); s != nil {
		for _, sig := range s.Signals {
			out = append(out, scriptSignal(sig))
		}
	}
	for _, c := range classdb.Chain(n.Class) {
		for _, sig := range classdb.Signals(c, false) {
			out = append(out, engineSignal(sig))
		}
	}
	return out
}

func scriptSignal(s gdscript.Signal) wire.SignalInfo {
	info := wire.SignalInfo{Name: s.Name, Args: []string{}}
	for _, p := range s.Params {
		t := p.Type
		if t == "" {
			t = "Variant"
		}
		info.Args = append(info.Args, p.Name+": "+t)
	}
	return info
}

func engineSignal(s classdb.Signal) wire.SignalInfo {
	info := wire.SignalInfo{Name: s.Name, Args: []string{}}
	for _, a := range s.Args {
		info.Args = append(info.Args, a.Name+": "+argType(a.Type, a.ClassName, a.Type == classdb.TypeNil))
	}
	return info
}

// argType names the type of an argument: the class of an object, else the Variant type.
func argType(t classdb.Type, class string, isVariant bool) string {
	switch {
	case t == classdb.TypeObject && class != "":
		return class
	case t == classdb.TypeNil && isVariant:
		return "Variant"
	}
	return t.String()
}

// ListSignalConnections lists the connections of a node.
func (Handlers) ListSignalConnections(tx *Tx, p wire.ListSignalConnections) (wire.ListSignalConnectionsResult, error) {
	e, tab, n, err := tx.find(p.NodePath)
	if err != nil {
		return wire.ListSignalConnectionsResult{}, err
	}
	r := wire.ListSignalConnectionsResult{NodePath: e.Path(tab.Root, n.ID), Connections: []wire.Connection{}, Signals: signalsOf(e, n)}
	e.Walk(tab.Root, func(from *scene.Node) bool {
		for _, c := range from.Conns {
			if from.ID != n.ID && c.Target != n.ID || !e.Emits(from, c.Signal) || e.Node(c.Target) == nil || !e.Inside(c.Target, tab.Root) {
				continue
			}
			x := wire.Connection{
				SourcePath: e.Path(tab.Root, from.ID), Signal: c.Signal, TargetPath: e.Path(tab.Root, c.Target), Method: c.Method,
				Persistent: c.Flags&scene.ConnectPersist != 0, Flags: c.Flags &^ scene.ConnectInherited, Unbinds: c.Unbinds,
				FromBase: e.ConnectionFromBase(tab.Root, from.ID, c) != "",
			}
			for _, b := range c.Binds {
				x.Binds = append(x.Binds, variant.EncodeTagged(e.Outward(from.ID, b)))
			}
			r.Connections = append(r.Connections, x)
		}
		return true
	})
	slices.SortStableFunc(r.Connections, func(a, b wire.Connection) int {
		return cmp.Or(cmp.Compare(a.SourcePath, b.SourcePath), cmp.Compare(a.Signal, b.Signal),
			cmp.Compare(a.TargetPath, b.TargetPath), cmp.Compare(a.Method, b.Method))
	})
	return r, nil
}
