package scene

import (
	"godot-mcp/fakeeditor/internal/pmap"
	"godot-mcp/server/godot/variant"
)

// NodeID is the identity of a node; 0 is no node. Ids are never used twice.
type NodeID uint32

// Hash implements pmap.Key. Ids are dense, so they spread themselves.
func (id NodeID) Hash() uint32 { return uint32(id) }

// ResID is the identity of a resource object; 0 is none.
type ResID uint32

// Hash implements pmap.Key.
func (id ResID) Hash() uint32 { return uint32(id) }

// Text is a string as a map key.
type Text string

// Hash implements pmap.Key (FNV-1a).
func (s Text) Hash() uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// Node is one node. Nodes in a Store are immutable: a change makes a new Node
// with the same ID.
type Node struct {
	ID    NodeID
	Name  string
	Class string // the engine class that exists in memory; MissingNode for an unknown one

	Parent   NodeID
	Children []NodeID
	Owner    NodeID

	// Props holds the values that differ from the defaults of class and script,
	// script and metadata included, in the order in which they were first set.
	Props  Props
	Groups []Group
	// Conns are the connections that this node emits, in the order made.
	Conns []Conn

	// Source is the scene file of an instance root (scene_file_path); State is
	// what that file held when it was instanced, and Inherited the state of the
	// base scene if the node is the root of an inherited scene.
	Source    string
	State     *Packed
	Inherited *Packed
	// Editable is the Editable Children flag of an instance root.
	Editable bool
	// Placeholder marks an instance that the file asks to load later.
	Placeholder bool
	// Missing remembers what a MissingNode stands for.
	Missing *Missing
	// Ghost marks a node inside a scene that cannot be read (an imported model):
	// the file names it, so it is there.
	Ghost *Ghost

	// names indexes the children of a node with many; twins says that some have
	// the same name. grown says that Children belongs to the current writer.
	names nameIndex
	twins bool
	grown bool
	edit  *pmap.Owner
}

// Missing is what a node of an unknown class keeps for the next save.
type Missing struct {
	Class string // its class in the file
	Scene string // or the scene that could not be instanced
}

// Ghost is what a file says of a node that is known from it alone.
type Ghost struct {
	Index     int
	ParentIDs []int32
}

// Group is one membership. Those that the scene state supplies are found by
// comparing with it; see [Store.States].
type Group struct {
	Name       string
	Persistent bool
}

// Connection flags (Object.ConnectFlags).
const (
	ConnectDeferred  = 1
	ConnectPersist   = 2
	ConnectOneShot   = 4
	ConnectCounted   = 8
	ConnectInherited = 32
)

// Conn is one connection, kept by the node that emits.
type Conn struct {
	Signal  string
	Target  NodeID
	Method  string
	Flags   int
	Binds   []variant.Value
	Unbinds int
}

// Same reports whether two connections are one to the engine: it compares
// signal, target and method, not flags and binds.
func (c Conn) Same(o Conn) bool {
	return c.Signal == o.Signal && c.Target == o.Target && c.Method == o.Method
}

// Resource is one resource object. Immutable as nodes are.
type Resource struct {
	ID    ResID
	Class string
	// Path is empty for a new embedded resource, "res://a.tscn::id" for one that
	// lives in another file, else the file of its own.
	Path string
	// Props as those of a node; resource_name and resource_local_to_scene included.
	Props Props
	// Edited is set by every edit of a resource and cleared when its file is written.
	Edited bool
	// Origin is the file of its own as the editor read or wrote it last.
	Origin Origin
	// UID is that of a binary file, which nobody else can tell.
	UID string
	// Opaque resources have no content here: imported files, scripts, binaries.
	Opaque bool
	edit   *pmap.Owner
}

// Origin is a file at one moment.
type Origin struct {
	Text string
	Time int64 // of the last change, seconds since 1970
	Link bool  // the name is a symbolic link; Text is what stands at its end
}

// Prop is one stored value.
type Prop struct {
	Name  string
	Value variant.Value
}

// Props is a small ordered list of values. It is immutable once frozen.
type Props []Prop

// Get finds a value.
func (p Props) Get(name string) (variant.Value, bool) {
	for i := range p {
		if p[i].Name == name {
			return p[i].Value, true
		}
	}
	return variant.Value{}, false
}

// With gives the list with a value set; a new name goes to the end.
func (p Props) With(name string, v variant.Value) Props {
	for i := range p {
		if p[i].Name == name {
			out := append(Props(nil), p...)
			out[i].Value = v
			return out
		}
	}
	out := make(Props, len(p), len(p)+1)
	copy(out, p)
	return append(out, Prop{name, v})
}

// Without gives the list with a value removed.
func (p Props) Without(name string) Props {
	for i := range p {
		if p[i].Name == name {
			out := make(Props, 0, len(p)-1)
			return append(append(out, p[:i]...), p[i+1:]...)
		}
	}
	return p
}

// Store holds the nodes and resources of all open scenes. It is a value: a copy
// is a fork. Only the holder of a write token (see [Store.Begin]) changes it.
type Store struct {
	nodes pmap.Map[NodeID, *Node]
	res   pmap.Map[ResID, *Resource]
	// cached finds the resource object that the path of a file stands for, and
	// scenes the packed scene of a file as it was when it was last read or saved.
	cached pmap.Map[Text, ResID]
	scenes pmap.Map[Text, cachedScene]
	// objects are the packed scenes that the paths of files stand for.
	objects pmap.Map[Text, *sceneObject]

	// Side tables that undo never touches: identity given to things when they
	// were first saved stays with them (engine 4.6 experiment).
	uniqueIDs pmap.Map[NodeID, int32]  // unique_id of nodes
	sceneIDs  pmap.Map[ResID, string]  // id of an embedded resource in its file
	extIDs    pmap.Map[extKey, string] // id of a file in the files that refer to it

	nextNode NodeID
	nextRes  ResID
	owner    *pmap.Owner
	log      *Log
}

// Log collects what a writer touches, with what was there before.
type Log struct {
	Nodes []NodeChange
	Res   []ResChange
}

// NodeChange is one node before and after; nil is absent.
type NodeChange struct {
	ID            NodeID
	Before, After *Node
}

// ResChange is one resource before and after; nil is absent.
type ResChange struct {
	ID            ResID
	Before, After *Resource
}

type cachedScene struct {
	text   string
	packed *Packed
}

type extKey struct{ file, target string }

func (k extKey) Hash() uint32 { return Text(k.file).Hash()*31 ^ Text(k.target).Hash() }

// Begin gives a fork that may be written; what it writes is not seen by s. The
// log, if there is one, gets every node and resource that is touched.
func (s Store) Begin(log *Log) Store {
	s.owner, s.log = new(pmap.Owner), log
	return s
}

// Freeze ends the right to write in place and completes the log.
func (s Store) Freeze() Store {
	if s.log != nil {
		for i := range s.log.Nodes {
			s.log.Nodes[i].After = s.Node(s.log.Nodes[i].ID)
		}
		for i := range s.log.Res {
			s.log.Res[i].After = s.Res(s.log.Res[i].ID)
		}
	}
	s.owner, s.log = nil, nil
	return s
}

// Node finds a node; nil if there is none.
func (s *Store) Node(id NodeID) *Node {
	n, _ := s.nodes.Get(id)
	return n
}

// Res finds a resource; nil if there is none.
func (s *Store) Res(id ResID) *Resource {
	r, _ := s.res.Get(id)
	return r
}

// Edit gives a copy of a node to change; the copy is in the store already. The
// node must exist. Slices of it must be replaced, not written into.
func (s *Store) Edit(id NodeID) *Node {
	n := s.Node(id)
	if s.owner != nil && n.edit == s.owner {
		return n
	}
	if s.log != nil {
		s.log.Nodes = append(s.log.Nodes, NodeChange{ID: id, Before: n})
	}
	c := *n
	c.edit, c.grown = s.owner, false
	s.nodes.Set(id, &c, s.owner)
	return &c
}

// Unremembered leaves a property out of what the log says that a node had before.
func (s *Store) Unremembered(id NodeID, property string) {
	if s.log == nil {
		return
	}
	for i := range s.log.Nodes {
		if c := &s.log.Nodes[i]; c.ID == id && c.Before != nil {
			before := *c.Before
			before.Props = before.Props.Without(property)
			c.Before = &before
		}
	}
}

// EditRes is [Store.Edit] for resources.
func (s *Store) EditRes(id ResID) *Resource {
	r := s.Res(id)
	if s.owner != nil && r.edit == s.owner {
		return r
	}
	if s.log != nil {
		s.log.Res = append(s.log.Res, ResChange{ID: id, Before: r})
	}
	c := *r
	c.edit = s.owner
	s.res.Set(id, &c, s.owner)
	return &c
}

// Add puts a new node into the store and gives it an id.
func (s *Store) Add(n Node) *Node {
	s.nextNode++
	n.ID, n.edit = s.nextNode, s.owner
	if s.log != nil {
		s.log.Nodes = append(s.log.Nodes, NodeChange{ID: n.ID})
	}
	s.nodes.Set(n.ID, &n, s.owner)
	return &n
}

// AddRes puts a new resource into the store and gives it an id.
func (s *Store) AddRes(r Resource) *Resource {
	s.nextRes++
	r.ID, r.edit = s.nextRes, s.owner
	if s.log != nil {
		s.log.Res = append(s.log.Res, ResChange{ID: r.ID})
	}
	s.res.Set(r.ID, &r, s.owner)
	return &r
}

// Drop removes a node from the store; its children must be dropped too.
func (s *Store) Drop(id NodeID) {
	n := s.Node(id)
	if n == nil {
		return
	}
	if s.log != nil && (s.owner == nil || n.edit != s.owner) {
		s.log.Nodes = append(s.log.Nodes, NodeChange{ID: id, Before: n})
	}
	s.nodes.Delete(id, s.owner)
}

// Put sets what an id stands for, nil for nothing, without a log entry: undo and
// redo use it.
func (s *Store) Put(id NodeID, n *Node) {
	if n == nil {
		s.nodes.Delete(id, s.owner)
		return
	}
	s.nodes.Set(id, n, s.owner)
}

// PutRes is [Store.Put] for resources.
func (s *Store) PutRes(id ResID, r *Resource) {
	if r == nil {
		s.res.Delete(id, s.owner)
		return
	}
	s.res.Set(id, r, s.owner)
}
