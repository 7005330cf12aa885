package scene

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/ids"
	"godot-mcp/server/godot/tscn"
	"godot-mcp/server/godot/variant"
)

// Saver says where a save takes identities from.
type Saver struct {
	// UID gives the uid of the file that is saved: its present one or a new one.
	UID func(path string) string
	// Random gives a positive 31-bit number for the unique_id of a node.
	Random func() int32
	// Copy says that the file is written beside the scene that is open: its
	// embedded resources go on living in that one.
	Copy bool
}

// SaveScene gives the text of the scene below root as the engine saves it to a
// file, and what instances of that file are made from afterwards. Ids given to
// nodes and resources on the way are remembered in the store.
func (e Env) SaveScene(root NodeID, file string, s Saver) (string, *Packed) {
	resets := e.resetters(root)
	if len(resets) == 0 {
		text, p, _ := e.saveScene(root, file, s)
		return text, p
	}
	// The animations change a fork of the store; only identities come back from it.
	fork := e.Store.Begin(nil)
	work := NewEnv(&fork, e.Lib)
	for _, id := range slices.Sorted(maps.Keys(resets)) {
		work.applyReset(id, resets[id])
	}
	text, p, w := work.saveScene(root, file, s)
	e.Store.uniqueIDs, e.Store.sceneIDs, e.Store.extIDs = fork.uniqueIDs, fork.sceneIDs, fork.extIDs
	for id, sid := range w.subIDs {
		if !s.Copy {
			e.settle(id, file+"::"+sid)
		}
	}
	return text, p
}

func (e Env) saveScene(root NodeID, file string, s Saver) (string, *Packed, *writer) {
	pk := e.Pack(root)
	pk.Path = file
	pk.UID = s.UID(file)
	e.giveUniqueIDs(root, pk, s.Random)
	w := newWriter(e, file)
	w.copy = s.Copy
	for i := range pk.Nodes {
		n := &pk.Nodes[i]
		if i == 0 && pk.Base != nil {
			w.ref(scenePath(pk.Base))
		}
		if n.Scene != nil && n.Placeholder == "" {
			w.ref(scenePath(n.Scene))
		}
		for _, p := range n.Props {
			w.find(p.Value)
		}
	}
	for _, c := range pk.Conns {
		for _, b := range c.Binds {
			w.find(b)
		}
	}
	w.giveIDs(0)
	doc := &tscn.File{}
	header := tscn.NewSection(tscn.TagScene, tscn.With("format", variant.Int(3)))
	if pk.UID != "" {
		header.SetAttr("uid", variant.String(pk.UID))
	}
	doc.Sections = append(doc.Sections, header)
	w.sections(doc)
	for i := range pk.Nodes {
		doc.Sections = append(doc.Sections, w.node(&pk.Nodes[i], i == 0, pk.Base))
	}
	for i := range pk.Conns {
		doc.Sections = append(doc.Sections, w.connection(&pk.Conns[i]))
	}
	for _, path := range pk.Editable {
		doc.Sections = append(doc.Sections, tscn.NewSection(tscn.TagEditable, tscn.Text("path", path)))
	}
	return string(tscn.Format(doc)), pk.Packed, w
}

// settle gives an embedded resource the place that it has in a file now.
func (e Env) settle(id ResID, path string) {
	if r := e.Res(id); r != nil && r.Path != path {
		home, _, embedded := strings.Cut(r.Path, "::")
		moved := *r
		moved.Path = path
		e.PutRes(id, &moved)
		if to, _, _ := strings.Cut(path, "::"); embedded && home != to {
			e.forgetUsers(home)
		}
	}
}

// forgetUsers makes a scene file, and those that instance it, be read again when they
// are wanted: what was embedded there belongs to the scene that was saved now, and the
// file has one of its own (engine 4.6: the packed scene is in memory only while
// another one holds it).
func (e Env) forgetUsers(home string) {
	var files []Text
	e.Store.scenes.Each(func(path Text, c cachedScene) bool {
		if string(path) == home || c.packed.Uses(home) {
			files = append(files, path)
		}
		return true
	})
	for _, f := range files {
		e.Store.scenes.Delete(f, e.owner)
	}
}

// CacheScene remembers what a file holds now, as far as what it instances is still
// what those files hold; if not, it is read again when it is wanted.
func (e Env) CacheScene(file, text string, p *Packed) {
	p.text = text
	current := func(part *Packed) bool {
		if part == nil || part.Opaque {
			return true
		}
		c, ok := e.Store.scenes.Get(Text(part.Path))
		return ok && c.packed == part
	}
	fresh := current(p.Base)
	for i := range p.Nodes {
		fresh = fresh && current(p.Nodes[i].Scene)
	}
	if !fresh {
		e.Store.scenes.Delete(Text(file), e.owner)
		return
	}
	e.Store.scenes.Set(Text(file), cachedScene{text, p}, e.owner)
}

// giveUniqueIDs gives every node that the scene itself creates an id of its own.
// Nodes that another scene supplies keep the id from there.
func (e Env) giveUniqueIDs(root NodeID, pk Packing, random func() int32) {
	used := make(map[int32]bool, len(pk.Nodes))
	inherits := e.Node(root).Inherited != nil
	for i := range pk.Nodes {
		n := e.Node(pk.IDs[i])
		had, _ := e.uniqueIDs.Get(n.ID)
		id := had
		if n.ID == root || n.Owner == root && (!inherits || e.FromBase(root, n.ID) == "") {
			if id == 0 && n.State != nil {
				id = n.State.rootID() // the first instance of a scene takes its root's
			}
			for id == 0 || used[id] {
				id = random()
			}
			used[id] = true
		}
		if id != had {
			e.Store.uniqueIDs.Set(n.ID, id, e.owner)
		}
		pk.Nodes[i].UniqueID = id
		if n.ID != root && !pk.saved[n.Parent] && n.Ghost == nil {
			pk.Nodes[i].ParentIDs = e.idChain(root, n.Parent)
		}
	}
}

// idChain gives the unique ids from below the root down to a node; nil if one of
// them is not known.
func (e Env) idChain(root, id NodeID) []int32 {
	var out []int32
	for id != root {
		u, _ := e.uniqueIDs.Get(id)
		if u == 0 {
			return nil
		}
		out = append(out, u)
		id = e.Node(id).Parent
	}
	slices.Reverse(out)
	return out
}

// writer collects what a file refers to and writes sections.
type writer struct {
	e    Env
	file string
	// ext are the files referred to, in finding order, with their ids.
	ext     []*extEntry
	byPath  map[string]*extEntry
	byRes   map[ResID]*extEntry
	subs    []ResID
	subIDs  map[ResID]string
	visited map[ResID]bool
	main    ResID
	copy    bool
}

type extEntry struct{ path, class, uid, id string }

func newWriter(e Env, file string) *writer {
	return &writer{
		e: e, file: file, byPath: map[string]*extEntry{}, byRes: map[ResID]*extEntry{},
		subIDs: map[ResID]string{}, visited: map[ResID]bool{},
	}
}

func scenePath(p *Packed) (path, class string) { return p.Path, "PackedScene" }

// ref notes a reference to a file.
func (w *writer) ref(path, class string) *extEntry {
	if x := w.byPath[path]; x != nil {
		return x
	}
	x := &extEntry{path: path, class: class, uid: w.e.Lib.UID(path)}
	w.byPath[path] = x
	w.ext = append(w.ext, x)
	return x
}

// find walks a value for resources as the engine does: files are noted, resources
// of this file are listed after those that they need.
func (w *writer) find(v variant.Value) {
	if !hasObject(v) {
		return
	}
	EachObject(v, func(o variant.Value) {
		id := ResOf(o)
		r := w.e.Res(id)
		if r == nil || w.visited[id] {
			return
		}
		w.visited[id] = true
		if r.ownFile() && id != w.main {
			x := w.ref(r.Path, saveClass(r.Class))
			if x.uid == "" {
				x.uid = r.UID
			}
			w.byRes[id] = x
			return
		}
		props := w.e.packResource(r)
		byName := slices.Clone(props)
		slices.SortStableFunc(byName, func(a, b PackedProp) int { return cmp.Compare(a.Name, b.Name) })
		for _, p := range byName {
			w.find(p.Value)
		}
		w.subs = append(w.subs, id)
	})
}

// giveIDs draws the ids that are still missing, in the engine's order; main is the
// resource that needs none.
func (w *writer) giveIDs(main ResID) {
	e := w.e
	taken := map[string]bool{}
	var missing []*extEntry
	for _, x := range w.ext {
		id, _ := e.extIDs.Get(extKey{w.file, x.path})
		if id == "" || taken[id] {
			missing = append(missing, x)
			continue
		}
		x.id = id
		taken[id] = true
	}
	used := make([]string, 0, len(taken))
	for id := range taken {
		used = append(used, id)
	}
	subsTaken := map[string]bool{}
	var bare []ResID
	for _, id := range w.subs {
		if id == main {
			continue
		}
		sid, _ := e.sceneIDs.Get(id)
		if sid == "" || subsTaken[sid] {
			bare = append(bare, id)
			continue
		}
		subsTaken[sid] = true
		used = append(used, sid)
		w.subIDs[id] = sid
	}
	draw := ids.ForFile(w.file, used...)
	for range w.ext {
		draw.Skip()
	}
	for _, x := range missing {
		x.id = draw.Ext(1 + slices.Index(w.ext, x))
		e.Store.extIDs.Set(extKey{w.file, x.path}, x.id, e.owner)
	}
	for _, id := range bare {
		sid := draw.Sub(e.Res(id).Class)
		w.subIDs[id] = sid
		e.Store.sceneIDs.Set(id, sid, e.owner)
	}
	if w.copy {
		return
	}
	for id, sid := range w.subIDs {
		e.settle(id, w.file+"::"+sid)
	}
}

// sections adds the [ext_resource] and [sub_resource] sections.
func (w *writer) sections(doc *tscn.File) {
	for _, x := range w.ext {
		s := tscn.NewSection(tscn.TagExt, tscn.Text("type", x.class))
		if x.uid != "" {
			s.SetAttr("uid", variant.String(x.uid))
		}
		s.SetAttr("path", variant.String(x.path))
		s.SetAttr("id", variant.String(x.id))
		doc.Sections = append(doc.Sections, s)
	}
	for _, id := range w.subs {
		if id == w.main {
			continue
		}
		r := w.e.Res(id)
		s := tscn.NewSection(tscn.TagSub, tscn.Text("type", r.Class), tscn.Text("id", w.subIDs[id]))
		for _, p := range w.e.packResource(r) {
			s.Set(p.Name, w.value(p.Value))
		}
		doc.Sections = append(doc.Sections, s)
	}
}

// value turns handles into the references of this file.
func (w *writer) value(v variant.Value) variant.Value {
	if !hasObject(v) {
		return v
	}
	return MapObjects(v, func(o variant.Value) variant.Value {
		id := ResOf(o)
		if id == 0 {
			return o
		}
		if x := w.byRes[id]; x != nil {
			return variant.ExtResource(x.id)
		}
		if sid, ok := w.subIDs[id]; ok {
			return variant.SubResource(sid)
		}
		return variant.Nil
	})
}

func (w *writer) node(n *PackedNode, root bool, base *Packed) *tscn.Section {
	s := tscn.NewSection(tscn.TagNode, tscn.Text("name", n.Name))
	if n.Type != "" {
		s.SetAttr("type", variant.String(n.Type))
	}
	if n.Parent != "" {
		s.SetAttr("parent", variant.String(n.Parent))
	}
	if len(n.ParentIDs) > 0 {
		s.SetAttr("parent_id_path", variant.PackedInt32Array(n.ParentIDs))
	}
	if n.Index >= 0 {
		s.SetAttr("index", variant.String(variant.Int(int64(n.Index)).String()))
	}
	if n.UniqueID != 0 {
		s.SetAttr("unique_id", variant.Int(int64(n.UniqueID)))
	}
	var paths []string
	for _, p := range n.Props {
		if p.NodePath {
			paths = append(paths, p.Name)
		}
	}
	if len(paths) > 0 {
		s.SetAttr("node_paths", variant.PackedStringArray(paths))
	}
	if len(n.Groups) > 0 {
		var groups []variant.Value
		for _, g := range n.Groups {
			groups = append(groups, variant.String(g))
		}
		s.SetAttr("groups", variant.NewArray(groups...))
	}
	switch {
	case root && base != nil:
		s.SetAttr("instance", variant.ExtResource(w.ref(scenePath(base)).id))
	case n.Placeholder != "":
		s.SetAttr("instance_placeholder", variant.String(n.Placeholder))
	case n.Scene != nil:
		s.SetAttr("instance", variant.ExtResource(w.ref(scenePath(n.Scene)).id))
	}
	for _, p := range n.Props {
		s.Set(p.Name, w.value(p.Value))
	}
	return s
}

func (w *writer) connection(c *PackedConn) *tscn.Section {
	s := tscn.NewSection(tscn.TagConnection, tscn.Text("signal", c.Signal), tscn.Text("from", c.From), tscn.Text("to", c.To), tscn.Text("method", c.Method))
	if c.Flags != ConnectPersist {
		s.SetAttr("flags", variant.Int(int64(c.Flags)))
	}
	if c.Unbinds > 0 {
		s.SetAttr("unbinds", variant.Int(int64(c.Unbinds)))
	}
	if len(c.Binds) > 0 {
		binds := make([]variant.Value, len(c.Binds))
		for i, b := range c.Binds {
			binds[i] = w.value(b)
		}
		s.SetAttr("binds", variant.NewArray(binds...))
	}
	return s
}

// packResource gives the values of a resource that its file holds.
func (e Env) packResource(r *Resource) []PackedProp {
	c := classOf(r.Class)
	script := e.scriptOf(r.object())
	var names []candidate
	for i, p := range r.Props {
		names = append(names, c.rank(p.Name, script, i))
	}
	for _, name := range c.written {
		if _, ok := r.Props.Get(name); !ok {
			names = append(names, c.rank(name, script, 0))
		}
	}
	slices.SortStableFunc(names, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.behind, b.behind))
	})
	var out []PackedProp
	for _, cand := range names {
		p, known := e.ResProperty(r, cand.name)
		if known && p.Usage&classdb.UsageStorage == 0 {
			continue
		}
		v, ok := e.value(r.object(), cand.name)
		if !ok {
			continue
		}
		if def, ok := c.classDefault(cand.name); ok && !def.IsNil() && def.Equal(v) {
			continue
		}
		if isNull(v) && p.VariantType() == variant.TypeObject && p.Usage&classdb.UsageStoreIfNull == 0 {
			continue
		}
		out = append(out, PackedProp{Name: cand.name, Value: v})
	}
	return out
}

// SaveResource gives the text of the file of an external resource.
func (e Env) SaveResource(id ResID, s Saver) string {
	r := e.Res(id)
	w := newWriter(e, r.Path)
	w.main = id
	w.find(id.Value())
	w.giveIDs(id)
	doc := &tscn.File{}
	header := tscn.NewSection(tscn.TagResourceDoc, tscn.Text("type", r.Class))
	if script := e.scriptOf(r.object()); script != nil && script.Name != "" {
		header.SetAttr("script_class", variant.String(script.Name))
	}
	header.SetAttr("format", variant.Int(3))
	if uid := s.UID(r.Path); uid != "" {
		header.SetAttr("uid", variant.String(uid))
	}
	doc.Sections = append(doc.Sections, header)
	w.sections(doc)
	main := tscn.NewSection(tscn.TagResource)
	for _, p := range e.packResource(r) {
		main.Set(p.Name, w.value(p.Value))
	}
	doc.Sections = append(doc.Sections, main)
	return string(tscn.Format(doc))
}

// EditedFiles lists the external resources that were changed since their file was
// written, by path.
func (e Env) EditedFiles() []ResID {
	var out []ResID
	e.Store.cached.Each(func(_ Text, id ResID) bool {
		if r := e.Res(id); r != nil && r.Edited {
			out = append(out, id)
		}
		return true
	})
	slices.SortFunc(out, func(a, b ResID) int { return strings.Compare(e.Res(a).Path, e.Res(b).Path) })
	return out
}

// MarkSaved clears the edited mark of a resource, without a trace in the history.
func (e Env) MarkSaved(id ResID) {
	r := *e.Res(id)
	r.Edited = false
	e.PutRes(id, &r)
}
