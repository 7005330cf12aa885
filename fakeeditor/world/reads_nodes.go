package world

import (
	"encoding/json"
	"sort"
	"strings"

	"godot-mcp/fakeeditor/scene"
	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
	"godot-mcp/server/wire"
)

// Ping answers.
func (Handlers) Ping(*Tx, wire.Ping) (wire.PingResult, error) {
	return wire.PingResult{Pong: true}, nil
}

// GetOutcome is answered by the shell, which has the memory of outcomes; a world
// knows of no earlier command.
func (Handlers) GetOutcome(*Tx, wire.GetOutcome) (wire.GetOutcomeResult, error) {
	return wire.GetOutcomeResult{State: "unknown"}, nil
}

// GetActiveScene describes the edited scene.
func (Handlers) GetActiveScene(tx *Tx, _ wire.GetActiveScene) (wire.GetActiveSceneResult, error) {
	e, tab, err := tx.active()
	if err != nil {
		return wire.GetActiveSceneResult{}, nil
	}
	root := e.Node(tab.Root)
	return wire.GetActiveSceneResult{
		IsOpen: true, Path: tab.Path, Name: root.Name, RootType: typeName(e, root), NodeCount: e.Count(tab.Root),
		Modified: tab.History.Modified(), HistoryVersion: tab.History.Version(),
		Version: tx.version(tab),
	}, nil
}

// ListOpenScenes lists the tabs.
func (Handlers) ListOpenScenes(tx *Tx, _ wire.ListOpenScenes) (wire.ListOpenScenesResult, error) {
	r := wire.ListOpenScenesResult{Scenes: []wire.OpenScene{}}
	for i, t := range tx.Tabs {
		r.Scenes = append(r.Scenes, wire.OpenScene{
			Path: t.Path, Name: tx.Store.Node(t.Root).Name, Active: i == tx.Active, Modified: t.History.Modified(),
		})
	}
	return r, nil
}

// lister makes the entries of listings.
type lister struct {
	e     scene.Env
	root  scene.NodeID
	light bool
}

func (l lister) entry(n *scene.Node, path string, depth int) wire.TreeNode {
	t := wire.TreeNode{
		Path: path, Name: n.Name, Type: typeName(l.e, n), Depth: depth, Children: len(n.Children),
		UniqueName: n.UniqueName(), Unowned: n.ID != l.root && n.Owner == 0, Missing: n.Missing != nil,
		Ambiguous: n.Parent != 0 && n.ID != l.root && l.e.Namesakes(n.Parent, n.Name) > 1,
	}
	if l.light {
		return t
	}
	t.Script = l.e.ScriptPath(n)
	if n.ID != l.root {
		t.Owner = n.Source
		if t.Owner == "" {
			t.Owner = l.e.FromBase(l.root, n.ID)
		}
		t.EditableChildren = n.Source != "" && n.Editable
	}
	return t
}

// walk visits nodes in tree order down to a depth, with their paths.
func walk(e scene.Env, n *scene.Node, path string, depth, most int, f func(*scene.Node, string, int) bool) bool {
	if !f(n, path, depth) {
		return false
	}
	if most >= 0 && depth >= most {
		return true
	}
	prefix := path + "/"
	if path == "." {
		prefix = ""
	}
	for _, id := range n.Children {
		c := e.Node(id)
		if !walk(e, c, prefix+c.Name, depth+1, most, f) {
			return false
		}
	}
	return true
}

// mostNodes bounds a page of a listing.
const mostNodes = 10000

// GetSceneTree lists nodes.
func (Handlers) GetSceneTree(tx *Tx, p wire.GetSceneTree) (wire.GetSceneTreeResult, error) {
	r := wire.GetSceneTreeResult{Nodes: []wire.TreeNode{}}
	if p.Limit < 1 || p.Limit > mostNodes || p.Offset < 0 || p.MaxDepth < -1 {
		return r, wire.Fail(wire.ReasonBadParams, "message", "limit must be 1 to 10000, offset at least 0, max_depth at least -1")
	}
	if _, ok := tx.ActiveTab(); !ok {
		return r, nil
	}
	e, tab, n, err := tx.find(p.NodePath)
	if err != nil {
		return r, err
	}
	r.ScenePath, r.Version = tab.Path, tx.version(tab)
	l := lister{e, tab.Root, p.Lightweight}
	walk(e, n, e.Path(tab.Root, n.ID), 0, p.MaxDepth, func(n *scene.Node, path string, depth int) bool {
		if r.Total >= p.Offset && len(r.Nodes) < p.Limit {
			r.Nodes = append(r.Nodes, l.entry(n, path, depth))
		}
		r.Total++
		return true
	})
	return r, nil
}

// describe gives all that one node answers.
func describe(e scene.Env, tab Tab, n *scene.Node) wire.GetNodeResult {
	r := wire.GetNodeResult{
		TreeNode: lister{e, tab.Root, false}.entry(n, e.Path(tab.Root, n.ID), 0),
		Groups:   []string{}, Properties: map[string]json.RawMessage{}, ChildNames: []string{},
	}
	for _, g := range n.Groups {
		if !strings.HasPrefix(g.Name, "_") {
			r.Groups = append(r.Groups, g.Name)
		}
	}
	sort.Strings(r.Groups)
	scriptValues(e, n, r.Properties)
	for _, c := range n.Children {
		if len(r.ChildNames) == 200 {
			break
		}
		r.ChildNames = append(r.ChildNames, e.Node(c).Name)
	}
	return r
}

// scriptValues adds the variables of a node's script.
func scriptValues(e scene.Env, n *scene.Node, into map[string]json.RawMessage) {
	s := e.ScriptOf(n)
	if s == nil {
		return
	}
	for _, x := range s.Exports {
		v, _ := e.Value(n, x.Name)
		into[x.Name] = encodeFor(e, n.ID, x.Type, v)
	}
}

// GetNode describes one node.
func (Handlers) GetNode(tx *Tx, p wire.GetNode) (wire.GetNodeResult, error) {
	e, tab, n, err := tx.find(p.NodePath)
	if err != nil {
		return wire.GetNodeResult{}, err
	}
	return describe(e, tab, n), nil
}

// GetSelectedNodes describes the selection.
func (Handlers) GetSelectedNodes(tx *Tx, _ wire.GetSelectedNodes) (wire.GetSelectedNodesResult, error) {
	r := wire.GetSelectedNodesResult{Selected: []wire.GetNodeResult{}}
	e, tab, err := tx.active()
	if err != nil {
		return r, nil
	}
	for _, id := range tab.Selected {
		n := e.Node(id)
		if n == nil || !e.Inside(id, tab.Root) {
			continue
		}
		r.Count++
		if len(r.Selected) < 50 {
			r.Selected = append(r.Selected, describe(e, tab, n))
		}
	}
	return r, nil
}

// GetNodeProperty reads one property.
func (Handlers) GetNodeProperty(tx *Tx, p wire.GetNodeProperty) (wire.GetNodePropertyResult, error) {
	e, tab, n, err := tx.find(p.NodePath)
	if err != nil {
		return wire.GetNodePropertyResult{}, err
	}
	r := wire.GetNodePropertyResult{NodePath: e.Path(tab.Root, n.ID), Property: p.Property, Value: json.RawMessage("null")}
	place, ok := e.Locate(n, p.Property)
	if !ok {
		r.Near = nearProperties(e, n, p.Property)
		return r, nil
	}
	v := e.At(place)
	t := place.VariantType()
	if len(place.Parts) > 0 {
		t = v.Type()
	}
	r.Exists, r.Type, r.Value = true, t.String(), encodeFor(e, n.ID, t, v)
	return r, nil
}

// GetNodePropertyList lists the properties of a node.
func (Handlers) GetNodePropertyList(tx *Tx, p wire.GetNodePropertyList) (wire.GetNodePropertyListResult, error) {
	e, tab, n, err := tx.find(p.NodePath)
	if err != nil {
		return wire.GetNodePropertyListResult{}, err
	}
	r := wire.GetNodePropertyListResult{NodePath: e.Path(tab.Root, n.ID), Type: typeName(e, n), Properties: []wire.PropertyInfo{}}
	for _, x := range e.Listed(n) {
		_, set := n.Props.Get(x.Name)
		info := wire.PropertyInfo{
			Name: x.Name, Type: x.VariantType().String(), Hint: x.Hint, HintString: x.HintString,
			Stored: e.Stores(n, x) && e.Present(n, x, set), Script: x.Export != nil,
		}
		if x.VariantType() == variant.TypeObject {
			info.Class = x.ClassName
			if x.HintString != "" && (x.Hint == 17 || x.Hint == 34) {
				info.Class = x.HintString
			}
		}
		r.Properties = append(r.Properties, info)
	}
	return r, nil
}

// GetNodeGroups lists memberships.
func (Handlers) GetNodeGroups(tx *Tx, p wire.GetNodeGroups) (wire.GetNodeGroupsResult, error) {
	e, tab, n, err := tx.find(p.NodePath)
	if err != nil {
		return wire.GetNodeGroupsResult{}, err
	}
	r := wire.GetNodeGroupsResult{NodePath: e.Path(tab.Root, n.ID), Groups: []wire.NodeGroup{}}
	for _, g := range n.Groups {
		if !strings.HasPrefix(g.Name, "_") {
			r.Groups = append(r.Groups, wire.NodeGroup{
				Name: g.Name, Persistent: g.Persistent, FromBase: e.GroupFromBase(tab.Root, n.ID, g.Name) != "",
			})
		}
	}
	sort.Slice(r.Groups, func(i, j int) bool { return r.Groups[i].Name < r.Groups[j].Name })
	return r, nil
}

// SnapshotSubtree reads what a comparison needs.
func (Handlers) SnapshotSubtree(tx *Tx, p wire.SnapshotSubtree) (wire.SnapshotSubtreeResult, error) {
	e, tab, n, err := tx.find(p.NodePath)
	r := wire.SnapshotSubtreeResult{Nodes: []wire.SnapshotNode{}}
	if err != nil {
		return r, err
	}
	r.ScenePath = tab.Path
	size := 0
	walk(e, n, e.Path(tab.Root, n.ID), 0, p.MaxDepth, func(n *scene.Node, path string, _ int) bool {
		size++
		if size <= p.Limit {
			r.Nodes = append(r.Nodes, snapshot(e, n, path, p.Properties))
		}
		return true
	})
	if size > p.Limit {
		return wire.SnapshotSubtreeResult{}, wire.Fail(wire.ReasonTooBig, "limit", p.Limit, "size", size)
	}
	return r, nil
}

func snapshot(e scene.Env, n *scene.Node, path string, asked []string) wire.SnapshotNode {
	s := wire.SnapshotNode{Path: path, Type: typeName(e, n), Properties: map[string]json.RawMessage{}, Groups: []string{}}
	scriptValues(e, n, s.Properties)
	var names []string
	if !e.UnderContainer(n) {
		names = []string{"position", "rotation", "scale"}
	}
	for _, name := range append(names, asked...) {
		place, ok := e.Locate(n, name)
		if !ok {
			continue
		}
		v := e.At(place)
		t := place.VariantType()
		if len(place.Parts) > 0 {
			t = v.Type()
		}
		s.Properties[name] = encodeFor(e, n.ID, t, v)
	}
	for _, g := range n.Groups {
		if g.Persistent {
			s.Groups = append(s.Groups, g.Name)
		}
	}
	sort.Strings(s.Groups)
	return s
}

// FindNodesByType lists nodes of a class below a node.
func (Handlers) FindNodesByType(tx *Tx, p wire.FindNodesByType) (wire.FindNodesByTypeResult, error) {
	r := wire.FindNodesByTypeResult{Nodes: []wire.FoundNode{}}
	e, tab, n, err := tx.find(p.ParentPath)
	if err != nil {
		return r, err
	}
	if p.Limit < 1 || p.Limit > mostNodes || p.Offset < 0 {
		return r, wire.Fail(wire.ReasonBadParams, "message", "limit must be 1 to 10000 and offset at least 0")
	}
	engine := classdb.Exists(p.Type)
	if !engine && e.Lib.ClassPath(p.Type) == "" {
		return r, wire.Fail(wire.ReasonUnknownClass, "type", p.Type, "near", nearNodeClasses(tx, p.Type))
	}
	if engine && !classdb.Inherits(p.Type, "Node") {
		return r, wire.Fail(wire.ReasonNotNodeClass, "type", p.Type, "near", nearNodeClasses(tx, p.Type))
	}
	depth := 1
	if p.Recursive {
		depth = -1
	}
	walk(e, n, e.Path(tab.Root, n.ID), 0, depth, func(c *scene.Node, path string, _ int) bool {
		if isType(e, c, p.Type, engine) {
			if r.Total >= p.Offset && len(r.Nodes) < p.Limit {
				r.Nodes = append(r.Nodes, wire.FoundNode{Path: path, Type: typeName(e, c)})
			}
			r.Total++
		}
		return true
	})
	return r, nil
}

func isType(e scene.Env, n *scene.Node, name string, engine bool) bool {
	if engine {
		return classdb.Inherits(n.Class, name)
	}
	s := e.ScriptOf(n)
	if s == nil {
		return false
	}
	for _, x := range s.Names {
		if x == name {
			return true
		}
	}
	return false
}

// NodePersistence gives the verdict for an edit that nobody makes.
func (Handlers) NodePersistence(tx *Tx, p wire.NodePersistence) (wire.NodePersistenceResult, error) {
	e, tab, n, err := tx.find(p.NodePath)
	if err != nil {
		return wire.NodePersistenceResult{}, err
	}
	r := wire.NodePersistenceResult{NodePath: e.Path(tab.Root, n.ID)}
	switch p.Kind {
	case "property":
		if _, ok := e.Locate(n, p.Property); !ok && !strings.HasPrefix(p.Property, scene.MetaPrefix) {
			return r, wire.Fail(wire.ReasonNoProperty, "path", r.NodePath, "property", p.Property, "near", nearProperties(e, n, p.Property))
		}
		r.Verdict = e.PropertyVerdict(tab.Root, n.ID, p.Property)
	case "child", "group", "connection":
		r.Verdict = e.NodeVerdict(tab.Root, n.ID)
	case "delete":
		r.Verdict = e.DeleteVerdict(tab.Root, n.ID)
	default:
		return r, wire.Fail(wire.ReasonBadParams, "message", "kind is property, child, group, connection or delete", "param", "kind")
	}
	return r, nil
}
