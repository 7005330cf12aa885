package world

import (
	"slices"

	"godot-mcp/fakeeditor/scene"
)

// A crossing is a persistent connection between a branch and the rest of a scene. An
// end in the branch is known by its path from the top of it, since another branch
// is to take the place.
type crossing struct {
	scene.Conn
	source         scene.NodeID
	inner          string // path of the end in the branch
	branchIsSource bool
}

// crossingLinks lists the connections into a branch, and those of its top node out
// of it.
func crossingLinks(e scene.Env, tab Tab, top scene.NodeID) []crossing {
	var out []crossing
	e.Walk(tab.Root, func(n *scene.Node) bool {
		inside := e.Inside(n.ID, top)
		if inside && n.ID != top {
			return true
		}
		for _, c := range n.Conns {
			if c.Flags&scene.ConnectPersist == 0 || e.Node(c.Target) == nil || !e.Inside(c.Target, tab.Root) || e.Inside(c.Target, top) == inside {
				continue
			}
			l := crossing{Conn: c, source: n.ID, branchIsSource: inside, inner: "."}
			if !inside {
				l.inner = e.Path(top, c.Target)
			}
			out = append(out, l)
		}
		return true
	})
	return out
}

// join makes the connection again with the branch below another top node, as far
// as that has the end.
func (l crossing) join(e scene.Env, top scene.NodeID) {
	end := e.Resolve(top, l.inner)
	if end == 0 {
		return
	}
	source, c := l.source, l.Conn
	if l.branchIsSource {
		source = end
	} else {
		c.Target = end
	}
	n := e.Node(source)
	if !e.Emits(n, c.Signal) || slices.ContainsFunc(n.Conns, c.Same) {
		return
	}
	e.Edit(source).Conns = append(n.Conns[:len(n.Conns):len(n.Conns)], c)
}
