package scene

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"godot-mcp/server/godot/classdb"
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
	resets, entries := e.resetters(root)
	if len(resets) == 0 {
		text, p, _ := e.saveScene(root, file, s, entries)
		return text, p
	}
	// The animations change a fork of the store; only identities come back from it.
	fork := e.Store.Begin(nil)
	work := NewEnv(&fork, e.Lib)
	for _, id := range slices.Sorted(maps.Keys(resets)) {
		work.applyReset(id, resets[id])
	}
	text, p, w := work.saveScene(root, file, s, entries)
	e.Store.uniqueIDs, e.Store.sceneIDs, e.Store.extIDs = fork.uniqueIDs, fork.sceneIDs, fork.extIDs
	if !s.Copy {
		e.settle(file, w.subIDs)
	}
	return text, p
}

func (e Env) saveScene(root NodeID, file string, s Saver, entries int) (string, *Packed, *writer) {
	pk := e.pack(root, entries)
	pk.Path = file
	pk.UID = s.UID(file)
	shareContainers(pk.Packed)
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
	return w.scene(pk.Packed), pk.Packed, w
}

// scene writes the whole file of a scene, one section after the other.
func (w *writer) scene(p *Packed) string {
	header := tscn.NewSection(tscn.TagScene, tscn.With("format", variant.Int(3)))
	if p.UID != "" {
		header.SetAttr("uid", variant.String(p.UID))
	}
	head, format := w.sections([]*tscn.Section{header})
	l := tscn.Layout{Format: format}
	for i := range p.Nodes {
		for j := range p.Nodes[i].Props {
			l.Format = max(l.Format, tscn.FormatFor(p.Nodes[i].Props[j].Value))
		}
	}
	for i := range p.Conns {
		for _, b := range p.Conns[i].Binds {
			l.Format = max(l.Format, tscn.FormatFor(b))
		}
	}
	var text strings.Builder
	const usual = 80 // bytes of a node without values
	text.Grow(usual * len(p.Nodes))
	var line []byte
	add := func(s *tscn.Section) {
		line = l.Append(line[:0], s)
		text.Write(line)
	}
	for _, s := range head {
		add(s)
	}
	node := tscn.NewSection(tscn.TagNode)
	for i := range p.Nodes {
		node.Clear()
		w.node(node, &p.Nodes[i], i == 0, p.Base)
		add(node)
	}
	for i := range p.Conns {
		add(w.connection(&p.Conns[i]))
	}
	for _, path := range p.Editable {
		add(tscn.NewSection(tscn.TagEditable, tscn.Text("path", path)))
	}
	text.WriteString(l.End())
	return text.String()
}

// settle gives embedded resources the places that they have in a file now. What had
// such a place before, and is in the history only, has none from then on, also when it
// comes back (engine 4.6: a path is taken over).
func (e Env) settle(file string, subIDs map[ResID]string) {
	taken := map[string]ResID{}
	for id, sid := range subIDs {
		path := file + "::" + sid
		r := e.Res(id)
		if r == nil || r.Path == path {
			continue
		}
		home, _, embedded := strings.Cut(r.Path, "::")
		e.relocate(id, path)
		taken[path] = id
		if embedded && home != file {
			e.forgetUsers(home)
		}
	}
	if len(taken) == 0 {
		return
	}
	var homeless []ResID
	e.Store.res.Each(func(id ResID, r *Resource) bool {
		if now := taken[r.Path]; now != 0 && now != id {
			homeless = append(homeless, id)
		}
		return true
	})
	for _, id := range homeless {
		e.relocate(id, "")
	}
}

func (e Env) relocate(id ResID, path string) {
	moved := *e.Res(id)
	moved.Path = path
	e.PutRes(id, &moved)
}

// forgetUsers makes a scene file, and those that instance it, be read again when they
// are wanted: what was embedded there belongs to the scene that was saved now, and the
// file has one of its own (engine 4.6: the packed scene is in memory only while
// another one holds it).
func (e Env) forgetUsers(home string) {
	var files []Text
	e.Store.scenes.Each(func(path Text, c cachedScene) bool {
		if string(path) == home && !e.HeldInside(home) || string(path) != home && c.packed.Uses(home) {
			files = append(files, path)
		}
		return true
	})
	for _, f := range files {
		e.Store.scenes.Delete(f, e.owner)
	}
}

// HeldInside reports whether the packed scene of a file is in memory because a scene
// that is instanced somewhere instances it in turn. What is instanced directly is held
// by its state only, and not as the scene of its file (engine 4.6 experiment).
func (e Env) HeldInside(file string) bool {
	held := false
	e.Store.nodes.Each(func(_ NodeID, n *Node) bool {
		held = n.State.instances(file) || n.Inherited.instances(file)
		return !held
	})
	return held
}

// CacheScene remembers what a file holds now and since which second, as far as what it
// instances is still what those files hold; if not, it is read again when it is wanted.
func (e Env) CacheScene(file, text string, time int64, p *Packed) {
	p.text, p.time, p.object = text, time, e.objectOf(file)
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
		n := pk.Live[i]
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

// packResource gives the values of a resource that its file holds.
func (e Env) packResource(r *Resource) []PackedProp {
	c := classOf(r.Class)
	if r.Class == "FontFile" {
		// It is asked for its name, which makes a cache (engine 4.6 experiment).
		font := *r
		font.Props = cached(r.Props, 0)
		r = &font
	}
	script := e.scriptOf(r.object())
	var all []string
	for _, p := range r.Props {
		all = append(all, p.Name)
	}
	for _, name := range c.written {
		if _, ok := r.Props.Get(name); !ok {
			all = append(all, name)
		}
	}
	if script != nil {
		for _, x := range script.Exports {
			// Variables that only a running script gives a value to are written as null.
			if _, ok := r.Props.Get(x.Name); !ok && x.atRuntime() {
				all = append(all, x.Name)
			}
		}
	}
	var names []candidate
	for i, name := range e.withPasses(r.object(), all) {
		names = append(names, c.rank(name, script, i))
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
		if x := p.Export; x != nil && x.HasDefault && !x.Default.IsNil() && (x.Default.Equal(e.scriptsByPath(v)) || passesFor(v, x.Default)) {
			continue
		}
		if isNull(v) && p.VariantType() == variant.TypeObject && p.Usage&classdb.UsageStoreIfNull == 0 {
			continue
		}
		out = append(out, PackedProp{Name: cand.name, Value: v})
	}
	return e.asUniforms(r, out)
}

// untold gives the lists and dictionaries of a script that hold what they start with, and
// the files that it preloads: the file leaves them out, and the engine still looks into them for what it refers to.
func (e Env) untold(r *Resource) (out []PackedProp) {
	script := e.scriptOf(r.object())
	if script == nil {
		return nil
	}
	for _, x := range script.Exports {
		if _, told := r.Props.Get(x.Name); !told && x.Usage&classdb.UsageStorage != 0 && hasObject(x.Default) {
			out = append(out, PackedProp{Name: x.Name, Value: x.Default})
		}
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
	header := tscn.NewSection(tscn.TagResourceDoc, tscn.Text("type", r.Class))
	if script := e.scriptOf(r.object()); script != nil && script.Name != "" {
		header.SetAttr("script_class", variant.String(script.Name))
	}
	header.SetAttr("format", variant.Int(3))
	if uid := s.UID(r.Path); uid != "" {
		header.SetAttr("uid", variant.String(uid))
	}
	all, format := w.sections([]*tscn.Section{header})
	main := tscn.NewSection(tscn.TagResource)
	for _, p := range e.packResource(r) {
		main.Set(p.Name, w.value(p.Value))
	}
	all = append(all, main)
	l := tscn.Layout{Format: max(format, tscn.FormatOf(all[len(all)-1:]))}
	var text []byte
	for _, s := range all {
		text = l.Append(text, s)
	}
	return string(text) + l.End()
}

// EditedFiles lists the external resources that were changed since their file was
// written, by path. Packed scenes are none: a save leaves their files alone.
func (e Env) EditedFiles() []ResID {
	var out []ResID
	e.Store.cached.Each(func(_ Text, id ResID) bool {
		if r := e.Res(id); r != nil && r.Edited && r.Class != "PackedScene" {
			out = append(out, id)
		}
		return true
	})
	slices.SortFunc(out, func(a, b ResID) int { return strings.Compare(e.Res(a).Path, e.Res(b).Path) })
	return out
}

// MarkSaved clears the edited mark of a resource, whose file is now as it says,
// without a trace in the history.
func (e Env) MarkSaved(id ResID, file Origin) {
	r := *e.Res(id)
	r.Edited, r.Origin = false, file
	e.PutRes(id, &r)
}
