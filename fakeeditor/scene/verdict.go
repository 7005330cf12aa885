package scene

import (
	"sort"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
	"godot-mcp/server/wire"
)

// A verdict says what a save and a fresh load would leave of an edit. All verdicts
// come from the rules of the packer: a node is kept if the packer reaches it, its
// values if files store them, and what another scene supplies comes back.

var kept = wire.Verdict{Persisted: true}

// NodeVerdict judges whether edits of a node itself, or nodes added under it, are kept.
func (e Env) NodeVerdict(root, id NodeID) wire.Verdict {
	blocker, why := e.Reached(root, id)
	switch why {
	case BlockedUnowned:
		return wire.Verdict{Reason: wire.LossNotOwned, Subject: e.Path(root, blocker.ID)}
	case BlockedInstance:
		owner := e.Node(blocker.Owner)
		return wire.Verdict{Reason: wire.LossInstanceChild, Subject: e.Path(root, owner.ID), Source: owner.Source}
	}
	return kept
}

// DeleteVerdict judges the removal of a node.
func (e Env) DeleteVerdict(root, id NodeID) wire.Verdict {
	if from := e.FromBase(root, id); from != "" {
		return wire.Verdict{Reason: wire.LossFromBase, Subject: e.Path(root, id), Source: from}
	}
	return kept
}

// KeepsPlace reports whether a file keeps the place at an index below a parent;
// own is the node that is to have it if it stands there already. Below the root of
// an instance the file has no index, so a node ends up behind what the instance
// supplies (engine 4.6 experiment).
func (e Env) KeepsPlace(root, parent NodeID, at int, own NodeID) bool {
	p := e.Node(parent)
	if !e.placeless(root, p) {
		return true
	}
	i := 0
	for _, child := range p.Children {
		if child == own {
			continue
		}
		if i >= at && e.FromBase(root, child) != "" {
			return false
		}
		i++
	}
	return true
}

// GroupVerdict judges a membership that was made, or (added false) ended.
func (e Env) GroupVerdict(root, id NodeID, group string, added bool) wire.Verdict {
	if added {
		return e.NodeVerdict(root, id)
	}
	if from := e.GroupFromBase(root, id, group); from != "" {
		return wire.Verdict{Reason: wire.LossGroupFromBase, Subject: e.Path(root, id), Source: from}
	}
	return kept
}

// ConnectVerdict judges a connection that was made.
func (e Env) ConnectVerdict(root, from NodeID, c Conn) wire.Verdict {
	if e.ConnectionFromBase(root, from, c) != "" {
		return kept
	}
	if v := e.NodeVerdict(root, from); !v.Persisted {
		return v
	}
	if c.Flags&ConnectPersist == 0 {
		return wire.Verdict{Reason: wire.LossNotPersistent, Subject: e.Path(root, from)}
	}
	if !e.Survives(root, c.Target) {
		v := e.NodeVerdict(root, c.Target)
		if v.Persisted {
			v = wire.Verdict{Reason: wire.LossNotOwned, Subject: e.Path(root, c.Target)}
		}
		return v
	}
	return kept
}

// DisconnectVerdict judges a connection that was broken.
func (e Env) DisconnectVerdict(root, from NodeID, c Conn) wire.Verdict {
	if source := e.ConnectionFromBase(root, from, c); source != "" {
		return wire.Verdict{Reason: wire.LossConnectionFromBase, Subject: e.Path(root, from), Source: source}
	}
	return kept
}

// Survives reports whether a node is there again after a save and a fresh load:
// because the packer reaches it, or because a scene that survives supplies it.
func (e Env) Survives(root, id NodeID) bool {
	n := e.Node(id)
	if n == nil {
		return false
	}
	if id == root || n.Owner == root {
		_, why := e.Reached(root, id)
		return why == NotBlocked
	}
	owner := e.Node(n.Owner)
	if owner == nil || owner.Source == "" || !e.Inside(id, owner.ID) {
		return false
	}
	state := owner.State
	if state == nil {
		state = owner.Inherited
	}
	if state == nil || !state.knows(e.Path(owner.ID, id)) && n.Ghost == nil {
		return false
	}
	return e.Survives(root, owner.ID)
}

// PropertyVerdict judges a value at a property path ("position", "shape:size").
func (e Env) PropertyVerdict(root, id NodeID, path string) wire.Verdict {
	v := e.propertyVerdict(root, id, path)
	if v.Persisted && !e.readsBack(e.Node(id), path) {
		return wire.Verdict{Reason: wire.LossNotExact, Subject: e.Path(root, id)}
	}
	return v
}

// readsBack reports whether the value of the property that a path ends in, or goes on
// into, is read from a file as it is.
func (e Env) readsBack(n *Node, path string) bool {
	holder, parts := n.object(), strings.Split(path, ":")
	if chain := e.resourcesAt(n, path); len(chain) > 0 {
		holder, parts = chain[len(chain)-1].object(), parts[len(chain):]
	}
	v, set := holder.props.Get(parts[0])
	return !set || variant.ReadsBack(v)
}

// FileVerdict judges a value of a scene that is no tab's: its file alone is written.
func (e Env) FileVerdict(root, id NodeID, path string) wire.Verdict {
	for _, r := range e.resourcesAt(e.Node(id), path) {
		if r.ownFile() {
			return wire.Verdict{Reason: wire.LossEmbeddedElsewhere, Subject: e.Path(root, id), Source: r.Path}
		}
	}
	return e.PropertyVerdict(root, id, path)
}

func (e Env) propertyVerdict(root, id NodeID, path string) wire.Verdict {
	n := e.Node(id)
	name, _, _ := strings.Cut(path, ":")
	if chain := e.resourcesAt(n, path); len(chain) > 0 {
		return e.resourceVerdict(root, id, name, chain)
	}
	if v := e.NodeVerdict(root, id); !v.Persisted {
		return v
	}
	subject := e.Path(root, id)
	p, ok := e.Property(n, name)
	if strings.HasPrefix(name, MetaPrefix) {
		return kept
	}
	if ok && e.asBegun(n, name) {
		if list, _ := e.supplies(root, id); !suppliedBy(list, name) {
			return kept
		}
	}
	if !ok || p.Usage&classdb.UsageStorage == 0 {
		if _, computed := e.computed(n, name); !computed {
			return wire.Verdict{Reason: wire.LossNotStored, Subject: subject}
		}
	} else if !e.stores(n, p) {
		return wire.Verdict{Reason: wire.LossNotStored, Subject: subject}
	}
	if v, ok := n.Props.Get(name); ok {
		if r := e.Res(ResOf(v)); r != nil && r.ownFile() {
			if !e.Lib.Exists(r.Path) {
				return wire.Verdict{Reason: wire.LossFileMissing, Subject: subject, Source: r.Path}
			}
			return e.fileVerdict(subject, r.Path)
		}
	}
	return kept
}

// fileVerdict judges a reference to a file: it is written with the file's uid, and
// a load follows the uid (engine 4.6).
func (e Env) fileVerdict(subject, file string) wire.Verdict {
	uid := e.Lib.UID(file)
	if at := e.Lib.PathOf(uid); uid != "" && at != "" && at != file && e.Lib.Exists(at) {
		return wire.Verdict{Reason: wire.LossUIDTaken, Subject: subject, Source: at}
	}
	return kept
}

// ReferenceVerdict judges a node that refers to a file: an instance to its scene, a
// node to its script.
func (e Env) ReferenceVerdict(root, id NodeID, file string) wire.Verdict {
	v := e.NodeVerdict(root, id)
	if !v.Persisted || file == "" || strings.Contains(file, "::") {
		return v
	}
	return e.fileVerdict(e.Path(root, id), file)
}

// resourceVerdict judges an edit inside the last of some resources, each used by the
// one before it and the first by a property of a node. It is written with the file of
// the innermost one that has a file, or else with the property: then it depends on
// whether this scene writes that, wherever the resource lived before.
func (e Env) resourceVerdict(root, id NodeID, property string, chain []*Resource) wire.Verdict {
	subject := e.Path(root, id)
	for i := len(chain) - 1; i >= 0; i-- {
		r := chain[i]
		switch {
		case r.Opaque:
			home, _, _ := strings.Cut(r.Path, "::")
			return wire.Verdict{Reason: wire.LossNotStored, Subject: subject, Source: home}
		case !r.ownFile():
		case !e.Lib.HasFolder(r.Path):
			// A file that is gone is written anew, if there is a folder for it.
			return wire.Verdict{Reason: wire.LossFileMissing, Subject: subject, Source: r.Path}
		default:
			return kept
		}
	}
	if from := e.valueFromBase(root, id, property); from != "" {
		return wire.Verdict{Reason: wire.LossEmbeddedElsewhere, Subject: subject, Source: from}
	}
	return e.NodeVerdict(root, id)
}

// valueFromBase gives the scene file that supplies the present value of a property,
// "" when the edited scene itself gives it.
func (e Env) valueFromBase(root, id NodeID, property string) string {
	v, set := e.Node(id).Props.Get(property)
	list, _ := e.supplies(root, id)
	for _, s := range list {
		if p, has := s.node.prop(property); has {
			if set && different(v, p.Value) {
				return ""
			}
			return s.state.Path
		}
	}
	return ""
}

// LostWithout lists what a save would no longer keep when an instance's children
// stopped being editable: paths of nodes added inside, and "path:property" for
// values of nodes that the instance supplies. Sorted.
func (e Env) LostWithout(root, instance NodeID) []string {
	var lost []string
	pk := e.Pack(root)
	for i, live := range pk.Live {
		if id := live.ID; id == instance || !e.Inside(id, instance) || !e.passes(id, instance) {
			continue
		}
		n := &pk.Nodes[i]
		path := n.path()
		if n.Type != "" || n.Scene != nil {
			lost = append(lost, path)
			continue
		}
		before := len(lost)
		for _, p := range n.Props {
			if !e.comesBack(root, live, p) {
				lost = append(lost, path+":"+p.Name)
			}
		}
		if len(lost) == before && (len(n.Props) == 0 || len(n.Groups) > 0) {
			lost = append(lost, path)
		}
	}
	sort.Strings(lost)
	return lost
}

// comesBack reports whether a load gives a property the value that a save writes anew:
// the scenes below turn the node and do not say its transform, or their resource is
// local to its scene, and the node has a copy of it.
func (e Env) comesBack(root NodeID, n *Node, p PackedProp) bool {
	list, _ := e.supplies(root, n.ID)
	if p.Name == "transform" && classOf(n.Class).node3d {
		return p.Value.Equal(e.loaded3(n.Class, list))
	}
	base, _, ok := e.supplied(n, list, p.Name)
	return ok && e.alike(p.Value, base)
}

// passes reports whether the way from an instance down to a node leads through a
// node that the instance owns.
func (e Env) passes(id, instance NodeID) bool {
	for id != instance {
		n := e.Node(id)
		if n.Owner == instance {
			return true
		}
		id = n.Parent
	}
	return false
}

// placeless reports whether the children that the scene adds to a node have no
// index in the file: the node is the root of an instance that the scene made.
func (e Env) placeless(root NodeID, parent *Node) bool {
	return parent != nil && parent.ID != root && parent.Source != "" && parent.Owner == root && e.Node(root).Inherited == nil
}

// EditableVerdict judges the Editable Children flag of an instance. A scene that
// brings the instance along with the flag brings it again.
func (e Env) EditableVerdict(root, id NodeID, on bool) wire.Verdict {
	v := e.NodeVerdict(root, id)
	if !v.Persisted || on {
		return v
	}
	if from := e.editableFromBase(root, id); from != "" {
		return wire.Verdict{Reason: wire.LossFromBase, Subject: e.Path(root, id), Source: from}
	}
	return v
}

// editableFromBase gives the scene file that makes an instance editable, other than
// the edited one.
func (e Env) editableFromBase(root, id NodeID) string {
	for n := e.Node(e.Node(id).Owner); n != nil; n = e.Node(n.Owner) {
		state := n.State
		if n.ID == root {
			state = n.Inherited
		}
		path := e.Path(n.ID, id)
		for p := state; p != nil; p = p.Base {
			if contains(p.Editable, path) {
				return p.Path
			}
		}
		if n.ID == root {
			break
		}
	}
	return ""
}
