package world

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"godot-mcp/fakeeditor/scene"
	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/names"
	"godot-mcp/server/wire"
)

// nodeName is what the engine makes of a name that a command gives to a node:
// characters that paths use become "_", and only the empty name is refused.
func nodeName(name string) (string, error) {
	clean, ok := names.Validate(name)
	if !ok {
		return "", wire.Fail(wire.ReasonNodeName, "name", name)
	}
	return clean, nil
}

// nodeType resolves the type of a new node: an engine class, or a class_name whose
// script is attached to its base class.
func (tx *Tx) nodeType(e scene.Env, name string) (class, script string, err error) {
	info, ok := classdb.Class(name)
	if !ok {
		path := e.Lib.ClassPath(name)
		if path == "" {
			return "", "", wire.Fail(wire.ReasonUnknownClass, "type", name, "near", nearNodeClasses(tx, name))
		}
		if _, there := e.Lib.Read(path); !there {
			// The editor goes on knowing the class of a file that is gone.
			return "", "", wire.Fail(wire.ReasonFileNotFound, "path", path)
		}
		s := e.ScriptAt(path)
		if s == nil || s.Broken || !scene.IsNodeClass(s.Native) {
			return "", "", wire.Fail(wire.ReasonNotNodeClass, "type", name, "near", []string{})
		}
		return s.Native, path, nil
	}
	if !scene.IsNodeClass(name) {
		return "", "", wire.Fail(wire.ReasonNotNodeClass, "type", name, "near", nearNodeClasses(tx, name))
	}
	if !info.Instantiable || name == "MissingNode" {
		return "", "", wire.Fail(wire.ReasonAbstractClass, "type", name)
	}
	return name, "", nil
}

// nearNodeClasses proposes node classes, those of the project included.
func nearNodeClasses(tx *Tx, name string) []string {
	var all []string
	for _, c := range classdb.Names() {
		if scene.IsNodeClass(c) {
			all = append(all, c)
		}
	}
	for _, c := range tx.Files.GlobalClasses() {
		all = append(all, c.Name)
	}
	return near(name, all)
}

// parentFor finds the node that something is added under.
func (tx *Tx) parentFor(path string) (scene.Env, Tab, *scene.Node, error) { return tx.find(path) }

// place is the index among siblings that a command asks for, -1 for last.
func place(e scene.Env, tab Tab, parent *scene.Node, index *int, own scene.NodeID) (int, error) {
	if index == nil {
		return -1, nil
	}
	count := len(parent.Children)
	if own != 0 {
		count-- // the node itself is among them
	}
	at := *index
	if at < 0 || at > count {
		return 0, wire.Fail(wire.ReasonBadParams, "message", fmt.Sprintf("index %d is outside of 0 to %d", at, count), "param", "index")
	}
	if !e.KeepsPlace(tab.Root, parent.ID, at, own) {
		return 0, wire.Fail(wire.ReasonBadParams, "message", placeLost, "param", "index")
	}
	return at, nil
}

// placeLost is worded alike in the addon.
const placeLost = "a scene keeps no place in front of the children that an instance supplies; leave index out"

// adopt puts a new node into the tree, owned by the edited root.
func (tx *Tx) adopt(e scene.Env, tab Tab, id, parent scene.NodeID, name string, at int) string {
	free := e.FreeName(parent, name, id)
	e.Edit(id).Name = free
	e.Attach(id, parent, at)
	e.Edit(id).Owner = tab.Root
	e.Parented(id)
	e.Joined(id)
	return free
}

// remember makes a node known to later steps under a name.
func (tx *Tx) remember(as string, id scene.NodeID) {
	if as != "" {
		tx.refs[as] = id
	}
}

func createNode(tx *Tx, p wire.CreateNode) (func() wire.NewNodeResult, error) {
	e, tab, parent, err := tx.parentFor(p.ParentPath)
	if err != nil {
		return nil, err
	}
	class, script, err := tx.nodeType(e, p.Type)
	if err != nil {
		return nil, err
	}
	asked := p.Name
	if asked == "" {
		asked = p.Type
	}
	at, err := place(e, tab, parent, p.Index, 0)
	if err != nil {
		return nil, err
	}
	for _, g := range p.Groups {
		if err := groupName(g); err != nil {
			return nil, err
		}
	}
	name, err := nodeName(asked)
	if err != nil {
		return nil, err
	}
	n := e.Add(scene.Node{Name: name, Class: class})
	tx.stirred.placed = dependsOnPlace(e, n, p.Properties)
	free := tx.adopt(e, tab, n.ID, parent.ID, name, at)
	tx.remember(p.As, n.ID)
	if p.ScriptPath != "" {
		script = p.ScriptPath
	}
	if script != "" {
		if err := tx.setScript(e, tab, n.ID, script); err != nil {
			return nil, err
		}
	}
	for _, g := range p.Groups {
		joinGroup(e, n.ID, g)
	}
	if p.UniqueName {
		setUnique(e, n.ID)
	}
	kept, err := tx.setAll(e, tab, n.ID, p.Properties)
	if err != nil {
		return nil, err
	}
	return tx.newNode(e, tab, n.ID, p.Type, free != asked, kept), nil
}

// withValues judges a new node and the values that were given with it: what is lost
// first, by name, is told.
func withValues(e scene.Env, root, id scene.NodeID, values map[string]json.RawMessage) wire.Verdict {
	v := e.ReferenceVerdict(root, id, e.Node(id).Source)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if v.Persisted {
			v = e.PropertyVerdict(root, id, name)
		}
	}
	return v
}

// newNode words the answer of the steps that make a node.
func (tx *Tx) newNode(e scene.Env, tab Tab, id scene.NodeID, typ string, renamed bool, kept map[string]json.RawMessage) func() wire.NewNodeResult {
	path := e.Path(tab.Root, id)
	r := wire.NewNodeResult{NodePath: path, Name: e.Node(id).Name, Renamed: renamed, Type: typ, Properties: kept}
	tx.effect(Effect{Kind: EffectCreateNode, Target: path, After: typ})
	return func() wire.NewNodeResult {
		r.Verdict = verdict(e, id, func() wire.Verdict { return withValues(e, tab.Root, id, kept) })
		return r
	}
}

// verdict judges an edit of a node, unless a later step of the same transaction
// removed it: then there is nothing to keep or lose.
func verdict(e scene.Env, id scene.NodeID, judge func() wire.Verdict) wire.Verdict {
	if e.Node(id) == nil {
		return wire.Verdict{Persisted: true}
	}
	return judge()
}

func instanceScene(tx *Tx, p wire.InstanceScene) (func() wire.NewNodeResult, error) {
	e, tab, parent, err := tx.parentFor(p.ParentPath)
	if err != nil {
		return nil, err
	}
	file, err := sceneFile(p.ScenePath)
	if err != nil {
		return nil, err
	}
	if tab.Path == file {
		return nil, wire.Fail(wire.ReasonCyclic, "path", file)
	}
	packed, failure := e.LoadInstanced(file)
	if failure != nil {
		return nil, failure
	}
	if tab.Path != "" && packed.Uses(tab.Path) {
		return nil, wire.Fail(wire.ReasonCyclic, "path", file)
	}
	at, err := place(e, tab, parent, p.Index, 0)
	if err != nil {
		return nil, err
	}
	id := e.Instantiate(packed, scene.Instance, nil)
	asked := p.Name
	if asked == "" {
		asked = e.Node(id).Name
	}
	name, err := nodeName(asked)
	if err != nil {
		return nil, err
	}
	free := tx.adopt(e, tab, id, parent.ID, name, at)
	tx.remember(p.As, id)
	kept, err := tx.setAll(e, tab, id, p.Properties)
	if err != nil {
		return nil, err
	}
	return tx.newNode(e, tab, id, typeName(e, e.Node(id)), free != asked, kept), nil
}

func duplicateNode(tx *Tx, p wire.DuplicateNode) (func() wire.NewNodeResult, error) {
	e, tab, n, err := tx.find(p.NodePath)
	if err != nil {
		return nil, err
	}
	if n.ID == tab.Root {
		return nil, wire.Fail(wire.ReasonIsRoot, "path", ".")
	}
	asked := p.Name
	if asked == "" {
		asked = n.Name
	}
	name, err := nodeName(asked)
	if err != nil {
		return nil, err
	}
	id := e.Duplicate(tab.Root, n.ID)
	index := e.IndexOf(n.ID) + 1
	free := e.FreeName(n.Parent, name, id)
	e.Edit(id).Name = free
	if !e.KeepsPlace(tab.Root, n.Parent, index, 0) {
		index = -1
	}
	e.Attach(id, n.Parent, index)
	e.Edit(id).Owner = tab.Root
	e.Joined(id)
	e.DropTakenNames(tab.Root, id)
	tx.remember(p.As, id)
	return tx.newNode(e, tab, id, typeName(e, n), p.Name != "" && free != p.Name, nil), nil
}

func deleteNode(tx *Tx, p wire.DeleteNode) (func() wire.DeleteNodeResult, error) {
	e, tab, n, err := tx.find(p.NodePath)
	if err != nil {
		return nil, err
	}
	if n.ID == tab.Root {
		return nil, wire.Fail(wire.ReasonIsRoot, "path", ".")
	}
	path := e.Path(tab.Root, n.ID)
	if from := e.FromBase(tab.Root, n.ID); from != "" {
		return nil, wire.Fail(wire.ReasonFromBase, "path", path, "source", from)
	}
	r := wire.DeleteNodeResult{NodePath: path, Verdict: wire.Verdict{Persisted: true}}
	r.BrokenNodePaths = brokenPaths(e, tab.Root, n.ID, 0, n.Name)
	r.Removed, r.Disconnected = tx.removeSubtree(e, tab, n.ID)
	tx.effect(Effect{Kind: EffectDeleteNode, Target: path, Before: n.Class})
	return func() wire.DeleteNodeResult { return r }, nil
}

// removeSubtree takes a node with its descendants out of the store, and the
// connections that lead into it from outside.
func (tx *Tx) removeSubtree(e scene.Env, tab Tab, id scene.NodeID) (removed, disconnected int) {
	gone := map[scene.NodeID]bool{}
	e.Walk(id, func(n *scene.Node) bool { gone[n.ID] = true; return true })
	var sources []scene.NodeID
	e.Walk(tab.Root, func(n *scene.Node) bool {
		if n.ID == id {
			return false
		}
		for _, c := range n.Conns {
			if gone[c.Target] {
				sources = append(sources, n.ID)
				break
			}
		}
		return true
	})
	for _, s := range sources {
		n := e.Edit(s)
		n.Conns = slices.DeleteFunc(slices.Clone(n.Conns), func(c scene.Conn) bool {
			if gone[c.Target] && c.Flags&scene.ConnectPersist != 0 {
				disconnected++
			}
			return gone[c.Target]
		})
	}
	parent := e.Node(id).Parent
	e.Leaving(id)
	e.Detach(id)
	e.Left(parent)
	for g := range gone {
		e.Drop(g)
	}
	return len(gone), disconnected
}

func moveNode(tx *Tx, p wire.MoveNode) (func() wire.MoveNodeResult, error) {
	e, tab, n, err := tx.find(p.NodePath)
	if err != nil {
		return nil, err
	}
	parent, err := tx.resolve(e, tab, p.NewParentPath)
	if err != nil {
		return nil, err
	}
	if n.ID == tab.Root {
		return nil, wire.Fail(wire.ReasonIsRoot, "path", ".")
	}
	old := e.Path(tab.Root, n.ID)
	if from := e.FromBase(tab.Root, n.ID); from != "" {
		return nil, wire.Fail(wire.ReasonFromBase, "path", old, "source", from)
	}
	if e.Inside(parent, n.ID) {
		return nil, wire.Fail(wire.ReasonIntoItself, "path", old, "new_parent", e.Path(tab.Root, parent))
	}
	was := e.IndexOf(n.ID)
	var index *int
	if p.Index != -1 {
		index = &p.Index
	}
	own := n.ID
	if parent != n.Parent {
		own = 0
	}
	to, err := place(e, tab, e.Node(parent), index, own)
	if err != nil {
		return nil, err
	}
	changed, same := false, parent == n.Parent
	var broken []wire.BrokenNodePath
	if !same {
		free := e.FreeName(parent, n.Name, n.ID)
		broken = brokenPaths(e, tab.Root, n.ID, parent, free)
		e.KeepSlot(n.ID)
		left := n.Parent
		e.Leaving(n.ID)
		e.Detach(n.ID)
		e.Left(left)
		e.Edit(n.ID).Name = free
		e.Attach(n.ID, parent, to)
		e.Parented(n.ID)
		e.Joined(n.ID)
		changed = true
		tx.stirred.left = append(tx.stirred.left, n.ID)
	} else {
		if to < 0 {
			to = len(e.Node(parent).Children) - 1
		}
		if to != was {
			tab := e.TabOf(n.ID)
			e.Reorder(n.ID, to)
			e.Moved(n.ID, tab)
			changed = true
		}
	}
	r := wire.MoveNodeResult{NodePath: e.Path(tab.Root, n.ID), OldPath: old, Index: e.IndexOf(n.ID), Changed: changed, BrokenNodePaths: broken}
	if changed {
		tx.effect(Effect{Kind: EffectMoveNode, Target: r.NodePath, Before: old, After: r.NodePath})
	}
	return func() wire.MoveNodeResult {
		r.Verdict = verdict(e, n.ID, func() wire.Verdict { return e.NodeVerdict(tab.Root, n.ID) })
		return r
	}, nil
}

func renameNode(tx *Tx, p wire.RenameNode) (func() wire.RenameNodeResult, error) {
	e, tab, n, err := tx.find(p.NodePath)
	if err != nil {
		return nil, err
	}
	r, err := tx.rename(e, tab, n, p.NewName)
	if err != nil {
		return nil, err
	}
	return func() wire.RenameNodeResult {
		r.Verdict = verdict(e, n.ID, func() wire.Verdict { return e.NodeVerdict(tab.Root, n.ID) })
		return r
	}, nil
}

// rename gives a node the name that the engine makes of a wanted one.
func (tx *Tx) rename(e scene.Env, tab Tab, n *scene.Node, wanted string) (wire.RenameNodeResult, error) {
	path := e.Path(tab.Root, n.ID)
	if from := e.FromBase(tab.Root, n.ID); from != "" {
		return wire.RenameNodeResult{}, wire.Fail(wire.ReasonFromBase, "path", path, "source", from)
	}
	free, ok := names.Validate(wanted)
	if !ok {
		return wire.RenameNodeResult{}, wire.Fail(wire.ReasonNodeName, "name", wanted)
	}
	if n.Parent != 0 {
		free = e.FreeName(n.Parent, free, n.ID)
	}
	r := wire.RenameNodeResult{OldName: n.Name, NewName: free, Renamed: free != wanted, Changed: free != n.Name}
	r.BrokenNodePaths = brokenPaths(e, tab.Root, n.ID, n.Parent, free)
	if r.Changed {
		e.Rename(n.ID, free)
		e.Renamed(n.ID)
		tx.stirred.renamed = true
		if n.UniqueName() && e.UniqueTaken(n.ID) {
			e.Edit(n.ID).Props = e.Node(n.ID).Props.Without("unique_name_in_owner")
			if tx.prefix == "" {
				e.Unremembered(n.ID, "unique_name_in_owner") // the editor's own action knows of the name only
			}
		}
	}
	r.NodePath = e.Path(tab.Root, n.ID)
	if r.Changed {
		tx.effect(Effect{Kind: EffectRenameNode, Target: r.NodePath, Before: r.OldName, After: free})
	}
	return r, nil
}
