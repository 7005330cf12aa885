package scene

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// Packing is a packed scene with what the writer needs to know besides.
type Packing struct {
	*Packed
	// Live are the nodes of the entries.
	Live  []*Node
	saved map[NodeID]bool
}

// packer walks one scene the way the engine's packer does.
type packer struct {
	e    Env
	root *Node
	Packing
}

// Pack gives what a save would write of the scene below root. It changes nothing;
// ids that a first save hands out are handed out by [Env.SaveScene].
func (e Env) Pack(root NodeID) Packing { return e.pack(root, 0) }

// pack is Pack with room for a number of entries.
func (e Env) pack(root NodeID, entries int) Packing {
	n := e.Node(root)
	pk := packer{e: e, root: n, Packing: Packing{
		Packed: &Packed{Path: n.Source, Base: n.Inherited, Nodes: make([]PackedNode, 0, entries)},
		Live:   make([]*Node, 0, entries), saved: map[NodeID]bool{},
	}}
	pk.walk(n, nil, "", true)
	return pk.Packing
}

// walk packs a node and its descendants. up is the node's parent and parent the path
// of that, "" for the root; entries is false where connections alone are packed:
// below a node that nobody owns.
func (pk *packer) walk(n, up *Node, parent string, entries bool) {
	own := up == nil || n.Owner == pk.root.ID
	if !own {
		owner := pk.e.Node(n.Owner)
		if n.Owner != 0 && (owner == nil || !owner.Editable) {
			return
		}
		entries = entries && owner != nil
	}
	if entries {
		pk.node(n, up, parent, own)
	}
	if len(n.Children) == 0 && len(n.Conns) == 0 {
		return
	}
	path := "."
	if up != nil {
		path = join(parent, n.Name)
	}
	pk.conns(n, path)
	for _, c := range n.Children {
		pk.walk(pk.e.Node(c), n, path, entries)
	}
}

// node packs the entry of a node, if it needs one.
func (pk *packer) node(n, up *Node, parent string, own bool) {
	e, root := pk.e, pk.root
	inEditable := !own || n.Ghost != nil
	if up != nil && n.Source != "" && n.Editable {
		pk.Editable = append(pk.Editable, join(parent, n.Name))
		inEditable = true
	}
	d := PackedNode{Name: n.Name, Parent: parent, Index: -1}
	switch {
	case up == nil:
	case root.Inherited == nil && own && (up == root || up.Owner == root.ID):
	case n.Ghost != nil:
		d.Index, d.ParentIDs = n.Ghost.Index, n.Ghost.ParentIDs
	default:
		d.Index = e.IndexOf(n.ID) + internalFront(up.Class)
	}
	var list []supply
	created := true
	if !own || n.State != nil || root.Inherited != nil {
		list, created = e.supplies(root.ID, n.ID)
	}
	created = created && n.Ghost == nil
	if up != nil && n.Source != "" && n.Owner == root.ID && created {
		if n.Placeholder {
			d.Placeholder = n.Source
		}
		d.Scene = n.State
	}
	d.Props = e.packProps(n, list)
	for _, g := range n.Groups {
		if g.Persistent && !slices.ContainsFunc(list, func(s supply) bool { return s.node.inGroup(g.Name) }) {
			d.Groups = append(d.Groups, g.Name)
		}
	}
	sort.Strings(d.Groups)
	if len(list) == 0 && !inEditable {
		d.Type = n.Class
		if n.Missing != nil {
			d.Type = n.Missing.Class
		}
	}
	if up == nil || len(d.Props) > 0 || len(d.Groups) > 0 || n.Owner == root.ID && created {
		if len(n.Children) > 0 {
			pk.saved[n.ID] = true
		}
		pk.Nodes = append(pk.Nodes, d)
		pk.Live = append(pk.Live, n)
	}
}

// candidate is a property that may have to be written, with its place in the order.
type candidate struct {
	name   string
	rank   int // of the class property that it is, or comes after
	behind int // among those of the same rank
}

// packProps gives the values of a node that differ from what supplies it, in the
// order of the engine's property list.
func (e Env) packProps(n *Node, list []supply) []PackedProp {
	if n.Missing != nil {
		return e.rawProps(n)
	}
	c := classOf(n.Class)
	if len(n.Props) == 0 && len(list) == 0 && len(c.written) == 0 && !c.control {
		return nil
	}
	var script *Script
	if _, ok := n.Props.Get("script"); ok {
		script = e.ScriptOf(n)
	}
	names := make([]candidate, 0, len(n.Props)+len(c.written)+2)
	add := func(name string, at int) {
		if !slices.ContainsFunc(names, func(c candidate) bool { return c.name == name }) {
			names = append(names, c.rank(name, script, at))
		}
	}
	for i, p := range n.Props {
		add(p.Name, i)
	}
	for _, name := range c.written {
		add(name, 0)
	}
	if c.control {
		add("layout_mode", 0)
		add("anchors_preset", 0)
	}
	for _, name := range slices.Concat(e.drawPasses(n), e.arisen(n), c.elements.numbers(n.object())) {
		add(name, 0)
	}
	for _, s := range list {
		for i, p := range s.node.Props {
			add(p.Name, len(n.Props)+i)
		}
	}
	if d := e.defaultsScript(n, list); script != nil && (d == nil || d.Path != script.Path) {
		for i := range script.Exports {
			add(script.Exports[i].Name, i)
		}
	}
	slices.SortStableFunc(names, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.behind, b.behind))
	})
	pinned := n.pinned()
	var out []PackedProp
	for _, cand := range names {
		if p, ok := e.packProp(n, list, cand.name, pinned); ok {
			out = append(out, p)
		}
	}
	return out
}

// rank gives the place of a property among all of an object.
func (c *class) rank(name string, script *Script, at int) candidate {
	if i, ok := c.index[name]; ok {
		return candidate{name, i, -1}
	}
	end := len(c.props)
	if strings.HasPrefix(name, MetaPrefix) {
		return candidate{name, end + 1, at}
	}
	if script != nil {
		for i := range script.Exports {
			if script.Exports[i].Name == name {
				return candidate{name, end, i}
			}
		}
	}
	if i, ok := c.overrides[name]; ok {
		return candidate{name, c.controlEnd, i}
	}
	if element, part, ok := c.elements.part(name); ok {
		return candidate{name, c.elementsEnd, element*len(c.elements.parts) + part}
	}
	if i, ok := c.place(name); ok {
		return candidate{name, i, at}
	}
	if i, ok := c.index["script"]; ok {
		if script != nil && !strings.Contains(name, "/") {
			return candidate{name, end, len(script.Exports) + at}
		}
		// Properties that only some objects have come at the end of their class.
		return candidate{name, i - 1, at}
	}
	return candidate{name, end, at}
}

// pinned lists the properties that a person asked to keep whatever their value.
func (n *Node) pinned() []string {
	v, ok := n.Props.Get("metadata/_edit_pinned_properties_")
	if !ok {
		return nil
	}
	var out []string
	if a, ok := v.Array(); ok {
		for _, item := range a.Items() {
			if s, ok := item.Text(); ok {
				out = append(out, s)
			}
		}
	}
	if s, ok := v.Strings(); ok {
		out = append(out, s...)
	}
	return out
}

// packProp decides about one property.
func (e Env) packProp(n *Node, list []supply, name string, pinned []string) (PackedProp, bool) {
	p, known := e.Property(n, name)
	if known && !e.stores(n, p) {
		return PackedProp{}, false
	}
	v, ok := e.nodeValue(n, name)
	if !ok {
		return PackedProp{}, false
	}
	out := PackedProp{Name: name, Value: v}
	if hasObject(v) || p.VariantType() == variant.TypeObject {
		var paths bool
		out.Value, paths = e.asPaths(n, v)
		out.NodePath = paths || nodesInside(p)
		if p.VariantType() == variant.TypeObject && p.Hint == hintNodeType && out.Value.Type() != variant.TypeNodePath {
			return PackedProp{}, false
		}
	}
	if contains(pinned, name) {
		return out, true
	}
	base, _, ok := e.supplied(n, list, name)
	if pass, isPass := drawPass(n, name); isPass && pass > 1 && !suppliedBy(list, name) {
		return out, true
	}
	if ok && p.Export == nil && !isNull(base) && base.Type() != out.Value.Type() && slices.ContainsFunc(list, func(s supply) bool { _, has := s.node.prop(name); return has }) {
		return out, true // a file can hold a value of another type, which is never the same
	}
	if ok && !different(out.Value, base) && !(p.Export != nil && otherType(out.Value, base)) {
		return PackedProp{}, false
	}
	if !ok && !known {
		return out, true
	}
	if _, set := n.Props.Get(name); !ok && known && !e.Present(n, p, set) {
		return PackedProp{}, false // only some states of the node have it
	}
	if !ok && isSlot(n.Class, name) {
		return out, true
	}
	if !ok && isNull(out.Value) && p.VariantType() != variant.TypeObject && !strings.HasPrefix(name, MetaPrefix) && p.Export == nil && p.Dynamic {
		return PackedProp{}, false
	}
	return out, true
}

// nodesInside reports whether the declared type holds nodes.
func nodesInside(p Property) bool {
	switch p.VariantType() {
	case variant.TypeObject:
		return p.Hint == hintNodeType
	case variant.TypeArray, variant.TypeDictionary:
		return p.Hint == hintTypeString && strings.Contains(p.HintString, "24/34:")
	}
	return false
}

// stores reports whether the property is one that files keep, in the node's state.
func (e Env) stores(n *Node, p Property) bool {
	if p.Usage&classdb.UsageStorage == 0 {
		return false
	}
	if p.Owner == "Control" && e.UnderContainer(n) && layoutOnly(p.Name) {
		return false
	}
	return e.Present(n, p, true)
}

// asPaths turns nodes in a value into paths from the node that holds it.
func (e Env) asPaths(n *Node, v variant.Value) (variant.Value, bool) {
	found := false
	out := MapObjects(v, func(o variant.Value) variant.Value {
		id := NodeOf(o)
		if id == 0 {
			return o
		}
		found = true
		// Of a deleted node, which the history keeps, it is the empty path (engine 4.6
		// experiment).
		return variant.NodePath(e.RelPath(n.ID, id))
	})
	if !found {
		return v, false
	}
	// Paths do not fit the declared element type of nodes: the file has a plain container.
	if a, ok := out.Array(); ok {
		out = variant.NewArray(a.Items()...)
	}
	if d, ok := out.Dictionary(); ok {
		out = variant.NewDictionary(d.Entries()...)
	}
	return out, true
}

// conns packs the connections of a node.
func (pk *packer) conns(n *Node, path string) {
	e, root := pk.e, pk.root.ID
	list := slices.Clone(n.Conns)
	slices.SortStableFunc(list, func(a, b Conn) int {
		return cmp.Or(cmp.Compare(a.Signal, b.Signal), cmp.Compare(a.Target, b.Target))
	})
	for _, c := range list {
		if c.Flags&ConnectPersist == 0 || !e.Emits(n, c.Signal) || e.Node(c.Target) == nil || !e.Inside(c.Target, root) {
			continue
		}
		if e.ConnectionFromBase(root, n.ID, c) != "" {
			continue
		}
		pk.Conns = append(pk.Conns, PackedConn{
			From: path, Signal: c.Signal, To: e.Path(root, c.Target), Method: c.Method,
			Flags: c.Flags &^ ConnectInherited, Unbinds: c.Unbinds, Binds: c.Binds,
		})
	}
}

// Stores reports whether a scene file keeps a property of a node.
func (e Env) Stores(n *Node, p Property) bool { return e.stores(n, p) }
