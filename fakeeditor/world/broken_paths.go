package world

import (
	"strings"

	"godot-mcp/fakeeditor/scene"
	"godot-mcp/server/godot/variant"
	"godot-mcp/server/wire"
)

// mostBroken bounds the list of broken node paths.
const mostBroken = 20

// brokenPaths lists the stored node paths that lead somewhere now and will lead
// nowhere when a node is somewhere else: below another parent (0: gone), under
// another name.
func brokenPaths(e scene.Env, root, id, parent scene.NodeID, name string) []wire.BrokenNodePath {
	var out []wire.BrokenNodePath
	if id == root {
		return nil
	}
	old := e.Node(id)
	if parent == old.Parent && name == old.Name {
		return nil
	}
	up := func(n scene.NodeID, later bool) scene.NodeID {
		if later && n == id {
			return parent
		}
		if n == root {
			return 0
		}
		return e.Node(n).Parent
	}
	down := func(n scene.NodeID, child string, later bool) scene.NodeID {
		if later && n == parent && child == name {
			return id
		}
		for _, c := range e.Node(n).Children {
			if e.Node(c).Name == child && (!later || c != id) {
				return c
			}
		}
		return 0
	}
	leads := func(from scene.NodeID, path string, later bool) bool {
		at := from
		for step := range strings.SplitSeq(path, "/") {
			switch step {
			case ".":
			case "..":
				at = up(at, later)
			default:
				at = down(at, step, later)
			}
			if at == 0 {
				return false
			}
		}
		return true
	}
	e.Walk(root, func(n *scene.Node) bool {
		if parent == 0 && n.ID == id {
			return false
		}
		for _, p := range n.Props {
			text, isText := p.Value.Text()
			if !isText || p.Value.Type() != variant.TypeNodePath || len(out) == mostBroken {
				continue
			}
			path, _, _ := strings.Cut(text, ":")
			if path == "" || path[0] == '/' || strings.Contains(path, "%") {
				continue
			}
			if leads(n.ID, path, false) && !leads(n.ID, path, true) {
				out = append(out, wire.BrokenNodePath{NodePath: e.Path(root, n.ID), Property: p.Name, Value: text})
			}
		}
		return true
	})
	return out
}
