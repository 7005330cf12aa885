package scene

import (
	"cmp"
	"slices"
	"sort"

	"godot-mcp/server/godot/ids"
	"godot-mcp/server/godot/tscn"
	"godot-mcp/server/godot/variant"
)

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
	// light are the resources whose bytes do not make the file format 4.
	light map[ResID]bool
}

type extEntry struct{ path, class, uid, id string }

func newWriter(e Env, file string) *writer {
	return &writer{
		e: e, file: file, byPath: map[string]*extEntry{}, byRes: map[ResID]*extEntry{},
		subIDs: map[ResID]string{}, visited: map[ResID]bool{}, light: map[ResID]bool{},
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
		byName := append(w.e.packResource(r), w.e.untold(r)...)
		slices.SortStableFunc(byName, func(a, b PackedProp) int { return cmp.Compare(a.Name, b.Name) })
		for _, p := range byName {
			// The image of a texture is asked for anew by every save, and the engine does
			// not look into it for the format (engine 4.6 experiment).
			if image := ResOf(p.Value); r.Class == "ImageTexture" && p.Name == "image" && !w.visited[image] {
				w.light[image] = true
			}
			w.find(p.Value)
			w.findElements(p.Value)
		}
		w.subs = append(w.subs, id)
	})
}

// findElements notes the scripts that a list or dictionary names as its types and
// that are not in memory.
func (w *writer) findElements(v variant.Value) {
	note := func(c variant.ContainerType) {
		if ref, ok := c.Script.Resource(); ok && ref.Path != "" {
			w.ref(ref.Path, "Script")
		}
	}
	if a, ok := v.Array(); ok {
		note(a.Elem)
	}
	if d, ok := v.Dictionary(); ok {
		note(d.Key)
		note(d.Val)
	}
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
	e.settle(w.file, w.subIDs)
}

// sections puts the [ext_resource] sections, by id, and the [sub_resource] sections
// behind others.
// The format is the one that they need.
func (w *writer) sections(to []*tscn.Section) (out []*tscn.Section, format variant.Format) {
	format = tscn.FormatOf(to)
	byID := slices.Clone(w.ext)
	sort.SliceStable(byID, func(i, j int) bool { return variant.NaturalLess(byID[i].id, byID[j].id) })
	for _, x := range byID {
		s := tscn.NewSection(tscn.TagExt, tscn.Text("type", x.class))
		if x.uid != "" {
			s.SetAttr("uid", variant.String(x.uid))
		}
		s.SetAttr("path", variant.String(x.path))
		s.SetAttr("id", variant.String(x.id))
		to = append(to, s)
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
		to = append(to, s)
		if !w.light[id] {
			format = max(format, tscn.FormatOf(to[len(to)-1:]))
		}
	}
	return to, format
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

// node fills the section of a node.
func (w *writer) node(s *tscn.Section, n *PackedNode, root bool, base *Packed) {
	s.SetAttr("name", variant.String(n.Name))
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
		if p.NodePath && !contains(paths, p.Name) {
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
		s.Add(p.Name, w.value(p.Value))
	}
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
