package world

import (
	"encoding/json"
	"slices"
	"strings"

	"godot-mcp/fakeeditor/scene"
	"godot-mcp/server/godot/variant"
)

// The rows of the scene dock (engine 4.6, SceneTreeEditor). A node has one if it belongs
// to the edited scene or to an instance with editable children, and its parent has one.
// Rows are drawn anew, with those of their ancestors, when something below them changes
// that they show; a child that should have no row is let go then, as the dock's current
// node as well.

// hasRow reports whether the scene dock shows a node.
func hasRow(now *scene.Store, root, id scene.NodeID) bool {
	for id != root {
		n := now.Node(id)
		if n == nil || n.Owner == 0 {
			return false
		}
		if owner := now.Node(n.Owner); n.Owner != root && (owner == nil || !owner.Editable) {
			return false
		}
		id = n.Parent
	}
	return true
}

// losesLead reports whether what changed in a scene since old has the scene dock forget
// its current node.
func losesLead(old, now *scene.Store, tab Tab) bool {
	lead := now.Node(tab.Lead)
	if lead == nil || len(tab.Selected) < 2 || hasRow(now, tab.Root, lead.ID) {
		return false
	}
	return hasRow(old, tab.Root, lead.ID) || hasRow(now, tab.Root, lead.Parent) && redraws(old, now, tab.Root, lead.Parent)
}

// noteRows notes what the steps of the addon that are taken back now, from those that began
// with a state, do to the dock's current node. Of one step alone the addon predicts most
// and tries little in the tree.
func (tx *Tx) noteRows(before State, predicted bool) {
	if tab, ok := before.ActiveTab(); ok && tx.prefix != "" && (!predicted || tx.stirred.placed) {
		tx.rows = tx.rows || losesLead(&before.Store, &tx.Store, tab)
	}
}

// forgetLead has the dock forget the current node of a state that is as before otherwise.
func (tx *Tx) forgetLead(s State) State {
	if tab, ok := s.ActiveTab(); ok && tx.rows {
		forgetful := Tx{State: s}
		tab.Lead = 0
		forgetful.setTab(s.Active, tab)
		return forgetful.State
	}
	return s
}

// redraws reports whether the row of a node is drawn anew for what changed since old.
func redraws(old, now *scene.Store, root, id scene.NodeID) (anew bool) {
	now.Walk(id, func(n *scene.Node) bool {
		was := old.Node(n.ID)
		anew = anew || was == nil || was.Name != n.Name || was.Parent != n.Parent ||
			hasRow(now, root, n.ID) && looksOther(was, n)
		return !anew
	})
	return anew
}

// looksOther reports whether what the row of a node shows has changed, or its place.
func looksOther(was, n *scene.Node) bool {
	if was.Owner != n.Owner || was.Editable != n.Editable || !slices.Equal(was.Children, n.Children) || len(was.Groups) != len(n.Groups) {
		return true
	}
	for _, name := range []string{"script", "process_mode", "unique_name_in_owner"} {
		a, had := was.Props.Get(name)
		b, has := n.Props.Get(name)
		if had != has || !a.Equal(b) {
			return true
		}
	}
	return false
}

// dependsOnPlace reports whether the addon tries values of a new node in the tree, also
// for a preview.
func dependsOnPlace(e scene.Env, n *scene.Node, values map[string]json.RawMessage) bool {
	for name := range values {
		p, ok := e.Property(n, name)
		if e.IsControl(n.ID) || strings.HasPrefix(name, "global_") || strings.Contains(name, "path") || strings.Contains(name, ":") ||
			ok && p.VariantType() == variant.TypeObject {
			return true
		}
	}
	return false
}
