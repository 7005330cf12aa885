package scene

import (
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/names"
	"godot-mcp/server/godot/variant"
)

// Mode says what an instance is for, as PackedScene.GenEditState does.
type Mode int

// The modes: the scene that is edited, or an instance inside another one.
const (
	Main Mode = iota
	Instance
)

// builder makes the nodes of one scene state.
type builder struct {
	e     Env
	p     *Packed
	mode  Mode
	nodes []NodeID
	later []laterPath
	local localCopies
	warn  *[]string
	// moved says that a node is at another path than the file says.
	moved bool
}

// Instantiate makes the nodes of a scene and gives its root, which has no parent
// and no owner. Warnings (nodes that have vanished, names that clash) are added
// to warn, in the words of the engine.
func (e Env) Instantiate(p *Packed, mode Mode, warn *[]string) NodeID {
	if len(p.Nodes) == 0 {
		return 0
	}
	e.loading = true
	if e.leastRead == nil {
		e.leastRead, e.unread = map[NodeID]vec2{}, map[NodeID]unread{}
	}
	b := builder{e: e, p: p, mode: mode, local: localCopies{}, warn: warn}
	for i := range p.Nodes {
		b.nodes = append(b.nodes, b.node(i))
	}
	root := b.nodes[0]
	if b.moved {
		p.indexAs(func(i int) string {
			if b.nodes[i] == 0 {
				return p.Nodes[i].path()
			}
			return e.Path(root, b.nodes[i])
		})
	}
	for _, l := range b.later {
		b.setPath(l)
	}
	for i := range p.Conns {
		b.connect(root, &p.Conns[i])
	}
	for _, path := range p.Editable {
		if id := e.Resolve(root, path); id != 0 && id != root {
			e.Edit(id).Editable = true
		}
	}
	n := e.Edit(root)
	n.Source = p.Path
	if mode == Instance {
		n.State = p
	} else {
		e.Parented(root)
		if classdb.Inherits(n.Class, "Popup") {
			// The editor shows a popup that it edits (engine 4.6).
			e.put(root, "visible", variant.Bool(true))
		}
		e.showWindows(root)
		e.arrange(root)
	}
	return root
}

func (b *builder) warnf(text string) {
	if b.warn != nil {
		*b.warn = append(*b.warn, text)
	}
}

// node makes, or finds, the node of one entry.
func (b *builder) node(i int) NodeID {
	d := &b.p.Nodes[i]
	var parent NodeID
	var prefix string
	if i > 0 {
		var vanished bool
		parent, vanished = b.parentOf(d)
		if parent == 0 {
			return 0
		}
		b.moved = b.moved || vanished
		if vanished {
			// The name tells where the node stood (engine 4.6).
			moved := *d
			prefix = strings.ReplaceAll(vanishedPath(d.Parent), "/", "_") + "#"
			moved.Name, _ = names.Validate(prefix + d.Name)
			d = &moved
		}
	}
	id, made := b.create(i, d, parent)
	if id == 0 {
		return 0
	}
	e := b.e
	if prefix != "" && !made {
		// Also one that was found by its unique id is named so, and stands where it did.
		n := e.Edit(id)
		n.Name, _ = names.Validate(prefix + n.Name)
	}
	b.setProps(id, d)
	for _, g := range d.Groups {
		n := e.Edit(id)
		if !n.inGroup(g) {
			n.Groups = append(append([]Group(nil), n.Groups...), Group{Name: g, Persistent: true})
		}
	}
	if d.UniqueID != 0 && (made || e.Node(id).Ghost != nil) {
		e.uniqueIDs.Set(id, d.UniqueID, e.owner)
	} else if made && i > 0 {
		// An old file says nothing; the id of the instanced scene's root is not this one's.
		e.uniqueIDs.Delete(id, e.owner)
	}
	if made {
		b.place(i, id, parent, d)
	}
	return id
}

// vanishedPath is the path of a parent that is gone, as the engine holds it.
func vanishedPath(path string) string {
	if strings.HasPrefix(path, "/") && path != "/" {
		return "/." + path
	}
	return strings.TrimPrefix(path, "./")
}

// create gives the node of an entry; made is false for one that an instance
// already supplied.
func (b *builder) create(i int, d *PackedNode, parent NodeID) (id NodeID, made bool) {
	e := b.e
	switch {
	case i == 0 && b.p.Base != nil:
		id = e.Instantiate(b.p.Base, Instance, b.warn)
		if id != 0 {
			n := e.Edit(id)
			n.Inherited, n.State = b.p.Base, nil
		}
		return id, true
	case d.Scene != nil:
		id = e.Instantiate(d.Scene, Instance, b.warn)
		if id != 0 && d.Placeholder != "" {
			e.Edit(id).Placeholder = true
		}
		return id, true
	case d.Placeholder != "":
		n := e.Add(Node{Name: d.Name, Class: "InstancePlaceholder", Source: d.Placeholder, Placeholder: true})
		return n.ID, true
	case d.Type == "":
		if parent == 0 {
			return 0, false
		}
		id = e.Child(parent, d.Name)
		if id == 0 {
			id = b.renamed(parent, d)
			b.moved = b.moved || id != 0
		}
		if id == 0 {
			if g := b.ghost(parent, d); g != 0 {
				return g, false
			}
			b.warnf("Node '" + join(e.Path(b.nodes[0], parent), d.Name) + "' was modified from inside an instance, but it has vanished.")
		}
		return id, false
	}
	info, ok := classdb.Class(d.Type)
	if !ok || !classdb.Inherits(d.Type, "Node") || !info.Instantiable {
		n := e.Add(Node{Name: d.Name, Class: "MissingNode", Missing: &Missing{Class: d.Type}})
		return n.ID, true
	}
	return e.Add(Node{Name: d.Name, Class: d.Type}).ID, true
}

// ghost stands in for a node of a scene that cannot be read; 0 if the parent is in
// no such scene.
func (b *builder) ghost(parent NodeID, d *PackedNode) NodeID {
	e := b.e
	p := e.Node(parent)
	holder := p
	if p.State == nil && p.Inherited == nil {
		holder = e.Node(p.Owner)
	}
	if holder == nil || !opaque(holder.State) && !opaque(holder.Inherited) {
		return 0
	}
	n := e.Add(Node{Name: d.Name, Class: "Node", Owner: holder.ID, Ghost: &Ghost{Index: d.Index, ParentIDs: d.ParentIDs}})
	e.Attach(n.ID, parent, -1)
	return n.ID
}

func opaque(p *Packed) bool { return p != nil && p.Opaque }

// dropped reports whether the engine loses a value of a file, since no setter takes
// it: null for what cannot be null, names that neither the class nor the script has,
// and resources of unknown classes where no property is declared for them. Names with a slash are kept, since many classes make up such properties.
func (e Env) dropped(o object, name string, v variant.Value) bool {
	if meta, ok := strings.CutPrefix(name, MetaPrefix); ok && !identifier(meta) {
		return true
	}
	c := classOf(o.class)
	if _, ok := c.property(name); ok {
		return v.IsNil() && !c.nullable(name)
	}
	if element, _, ok := c.elements.part(name); ok {
		return element >= c.elements.size(o)
	}
	if strings.HasPrefix(name, uniformPrefix) && o.class == "ShaderMaterial" {
		_, shaded := o.props.Get("shader")
		return !shaded
	}
	if (c.known || o.class == "MissingNode") && e.unknownResource(v) && e.scriptOf(o).Export(name) == nil {
		return true
	}
	if !c.known || o.class == "MissingNode" || strings.Contains(name, "/") || c.madeUp(name) || name == "auto_translate" {
		return false
	}
	if _, scripted := o.props.Get("script"); scripted {
		s := e.scriptOf(o)
		return s != nil && !s.Broken && !s.Faulty && s.Export(name) == nil
	}
	return true
}

// unknownResource reports whether a value is a resource of a class that nobody knows.
func (e Env) unknownResource(v variant.Value) bool {
	r := e.Res(ResOf(v))
	return r != nil && !classdb.Exists(r.Class)
}

// ghostPath makes the parents of an entry that lie in a scene that cannot be read.
// They have the unique ids that the entry gives: the last is that of the parent itself.
func (b *builder) ghostPath(root NodeID, d *PackedNode) NodeID {
	parts := strings.Split(d.Parent, "/")
	id := root
	for i, part := range parts {
		next := b.e.Child(id, part)
		if next == 0 {
			next = b.ghost(id, &PackedNode{Name: part, Index: -1})
		}
		if next == 0 {
			return 0
		}
		id = next
		switch ids := d.ParentIDs; {
		case len(ids) == len(parts):
			b.e.uniqueIDs.Set(id, ids[i], b.e.owner)
		case i == len(parts)-1 && len(ids) > 0:
			b.e.uniqueIDs.Set(id, ids[len(ids)-1], b.e.owner)
		}
	}
	return id
}

// place gives a made node its name, parent, position and owner.
func (b *builder) place(i int, id, parent NodeID, d *PackedNode) {
	e := b.e
	if i == 0 {
		e.Edit(id).Name, _ = names.Validate(d.Name)
		return
	}
	root := b.nodes[0]
	name := d.Name
	if e.Child(parent, name) != 0 {
		name = e.FreeName(parent, name, 0)
		b.moved = true
	}
	e.Edit(id).Name = name
	e.Attach(id, parent, -1)
	p := e.Node(parent)
	if d.Index >= 0 && d.Index < len(p.Children)+internalFront(p.Class)-1 && d.Index < len(p.Children) {
		e.Reorder(id, d.Index)
	}
	owner := root
	if d.Owner != "" && d.Owner != "." {
		owner = e.Resolve(root, d.Owner)
	}
	e.Edit(id).Owner = owner
	e.Parented(id)
}

// setProps gives a node the values of its entry.
func (b *builder) setProps(id NodeID, d *PackedNode) {
	for _, p := range d.Props {
		if p.NodePath {
			b.later = append(b.later, laterPath{id, p.Name, p.Value})
			continue
		}
		v := p.Value
		if hasObject(v) {
			v = b.localized(id, d, p.Name, v)
		}
		n := b.e.Node(id)
		o := n.object()
		if n.Ghost == nil && n.Missing == nil {
			v = classOf(o.class).cast(p.Name, v)
		}
		// What stands in for a node has its properties, whatever its class is.
		if n.Ghost == nil && b.e.dropped(o, p.Name, v) {
			continue
		}
		if _, scripted := n.Props.Get("script"); n.Missing != nil && scripted {
			b.e.Edit(id).Props = n.Props.Without(p.Name) // it is one that the script keeps now
		}
		if p.Name == "script" {
			b.e.takeOver(id, v)
			continue
		}
		if b.e.setVariable(id, p.Name, v) {
			continue
		}
		if v, ok := b.e.converted(o, p.Name, v); ok {
			b.e.assign(id, p.Name, v)
			b.e.sizedBy(id, p.Name)
		}
	}
}

func hasObject(v variant.Value) bool {
	switch v.Type() {
	case variant.TypeObject, variant.TypeArray, variant.TypeDictionary:
		return true
	}
	return false
}

// converted adapts a value to the declared type of an engine property, as setters do; ok
// is false for one that the setter refuses.
func (e Env) converted(o object, name string, v variant.Value) (_ variant.Value, ok bool) {
	c := classOf(o.class)
	p, declared := c.property(name)
	if !declared || v.IsNil() {
		return v, true
	}
	if v, ok = c.limited(name, c.typed(name, v)); !ok {
		return v, false
	}
	if v.Type() == variant.TypeArray {
		v = e.taken(v, c.fresh(name))
	}
	return e.normalize(p.Owner, name, v), true
}

// taken is fitted for a property of the engine, whose list takes resources of a class.
func (e Env) taken(v, old variant.Value) variant.Value {
	v = fitted(v, old)
	list, _ := v.Array()
	for _, item := range list.Items() {
		if list.Elem.Type == variant.TypeObject && list.Elem.Class != "" && !isNull(item) && isNull(e.ofClass(item, list.Elem.Class)) {
			return variant.NewTypedArray(list.Elem)
		}
	}
	return v
}

// ownFile reports whether the resource is a file by itself.
func (r *Resource) ownFile() bool { return r.Path != "" && !strings.Contains(r.Path, "::") }

func (b *builder) connect(root NodeID, c *PackedConn) {
	from, to := b.e.Resolve(root, c.From), b.e.Resolve(root, c.To)
	if from == 0 || to == 0 || c.From == "" || c.To == "" {
		return
	}
	// A method with arguments bound to it has to exist, a plain one has not (engine 4.6
	// experiment).
	if (len(c.Binds) > 0 || c.Unbinds > 0) && b.e.LacksMethod(b.e.Node(to), c.Method) {
		return
	}
	flags := ConnectPersist | c.Flags
	if b.mode == Instance {
		flags |= ConnectInherited
	}
	conn := Conn{Signal: c.Signal, Target: to, Method: c.Method, Flags: flags, Binds: c.Binds, Unbinds: c.Unbinds}
	n := b.e.Node(from)
	for _, x := range n.Conns {
		if x.Same(conn) {
			return
		}
	}
	b.e.Edit(from).Conns = append(n.Conns[:len(n.Conns):len(n.Conns)], conn)
}

func (n *Node) inGroup(name string) bool {
	for _, g := range n.Groups {
		if g.Name == name {
			return true
		}
	}
	return false
}

// FreeName gives the readable name that a child called name gets under a parent:
// the name itself, or the next free number behind its stem. The child itself may
// hold a name already.
func (s *Store) FreeName(parent NodeID, name string, self NodeID) string {
	return names.Readable(name, func(n string) bool {
		id := s.Child(parent, n)
		return id != 0 && id != self
	})
}
