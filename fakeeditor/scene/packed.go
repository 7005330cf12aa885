package scene

import (
	"slices"
	"strings"
	"sync"

	"godot-mcp/server/godot/variant"
)

// Packed is what a scene file holds, understood: the engine's SceneState. It is
// immutable; instances of the scene keep the one they were made from, also when
// the file is saved again.
type Packed struct {
	Path string
	UID  string
	// Base is the scene that this one inherits from.
	Base     *Packed
	Nodes    []PackedNode
	Conns    []PackedConn
	Editable []string
	// Opaque scenes are files whose nodes cannot be read here (imported models and
	// binary scenes): only the root is known.
	Opaque bool
	// fault tells why the scene must not be made, "" if it may.
	fault string
	// text and time are those of the file when it was read or saved, to tell whether
	// it has changed.
	text string
	time int64
	// object is the packed scene in memory whose state this was made as.
	object *sceneObject
	// index finds entries by path; it is made when it is wanted first.
	index   map[string]int
	indexed sync.Once
}

// PackedNode is one [node] section.
type PackedNode struct {
	Name string
	// Type is empty for instances and for nodes that another scene supplies.
	Type string
	// Parent is the path of the parent from the root: "" for the root itself,
	// "." for its children.
	Parent string
	// Owner is not written by engine 4.6; old files may hold it.
	Owner string
	Index int // -1: none
	// Scene is the instanced scene; Placeholder the path of one to be loaded later.
	Scene       *Packed
	Placeholder string
	UniqueID    int32
	ParentIDs   []int32
	Props       []PackedProp
	Groups      []string
}

// PackedProp is one value. NodePath marks a path that stands for a node.
type PackedProp struct {
	Name     string
	Value    variant.Value
	NodePath bool
}

// PackedConn is one [connection] section.
type PackedConn struct {
	From, Signal, To, Method string
	Flags, Unbinds           int
	Binds                    []variant.Value
}

// path gives the path of a node entry from the root.
func (n *PackedNode) path() string {
	switch n.Parent {
	case "":
		return "."
	case ".":
		return n.Name
	}
	return n.Parent + "/" + n.Name
}

// find gives the entry of a node in this state alone.
func (p *Packed) find(path string) *PackedNode {
	p.indexAs(func(i int) string { return p.Nodes[i].path() })
	if i, ok := p.index[path]; ok {
		return &p.Nodes[i]
	}
	return nil
}

// indexAs makes the index with these paths of the entries, unless it is there: entries are
// found by the paths that their nodes had when the scene was instanced first, which are
// others than in the file where a node was renamed or its parent is gone (engine 4.6
// experiment).
func (p *Packed) indexAs(path func(i int) string) {
	p.indexed.Do(func() {
		p.index = make(map[string]int, len(p.Nodes))
		for i := range p.Nodes {
			if _, taken := p.index[path(i)]; !taken {
				p.index[path(i)] = i
			}
		}
	})
}

// knows reports whether the state or one that it inherits from has an entry.
func (p *Packed) knows(path string) bool {
	for ; p != nil; p = p.Base {
		if p.find(path) != nil {
			return true
		}
	}
	return false
}

// connected gives the file of the state, or of the one that it inherits from, that
// defines a connection; "" for none.
func (p *Packed) connected(from, signal, to, method string) string {
	for ; p != nil; p = p.Base {
		for i := range p.Conns {
			c := &p.Conns[i]
			if c.Signal == signal && c.Method == method && c.From == from && c.To == to {
				return p.Path
			}
		}
	}
	return ""
}

func (n *PackedNode) prop(name string) (*PackedProp, bool) {
	for i := range n.Props {
		if n.Props[i].Name == name {
			return &n.Props[i], true
		}
	}
	return nil, false
}

func (n *PackedNode) inGroup(group string) bool { return contains(n.Groups, group) }

// uses reports whether the scene instances or inherits from a file, at any depth.
func (p *Packed) uses(path string) bool {
	if p.Path == path {
		return true
	}
	if p.Base != nil && p.Base.uses(path) {
		return true
	}
	for i := range p.Nodes {
		n := &p.Nodes[i]
		if n.Placeholder == path || n.Scene != nil && n.Scene.uses(path) {
			return true
		}
	}
	return false
}

// rootID gives the unique id of the scene's root, 0 if it has none.
func (p *Packed) rootID() int32 {
	for ; p != nil; p = p.Base {
		if len(p.Nodes) > 0 && p.Nodes[0].UniqueID != 0 {
			return p.Nodes[0].UniqueID
		}
	}
	return 0
}

// entry gives the entry with a unique id, of this scene or else of one that it inherits
// from; nil if there is none.
func (p *Packed) entry(id int32) *PackedNode {
	for ; p != nil; p = p.Base {
		for i := range p.Nodes {
			if p.Nodes[i].UniqueID == id {
				return &p.Nodes[i]
			}
		}
	}
	return nil
}

// join puts a child path under a parent path.
func join(parent, child string) string {
	switch {
	case parent == "" || parent == ".":
		return child
	case child == ".":
		return parent
	}
	return parent + "/" + child
}

// below gives the rest of a path under a parent path.
func below(path, parent string) (string, bool) {
	if parent == "." {
		return path, true
	}
	if path == parent {
		return ".", true
	}
	return strings.CutPrefix(path, parent+"/")
}

// instances reports whether a scene is made of others, at any depth, of which one is
// that of a file.
func (p *Packed) instances(path string) bool {
	if p == nil {
		return false
	}
	if p.Base != nil && p.Base.uses(path) {
		return true
	}
	return slices.ContainsFunc(p.Nodes, func(n PackedNode) bool { return n.Scene != nil && n.Scene.uses(path) })
}

// Uses reports whether the scene is, instances or inherits from a file, at any depth.
func (p *Packed) Uses(path string) bool { return p.uses(path) }
