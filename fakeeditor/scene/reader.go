package scene

import (
	"path"
	"slices"
	"strings"

	"godot-mcp/server/godot/ids"
	"godot-mcp/server/godot/tscn"
	"godot-mcp/server/godot/variant"
	"godot-mcp/server/wire"
)

// reader turns one parsed file into scene states and resources.
type reader struct {
	e      Env
	file   string
	doc    *tscn.File
	within []string
	ext    map[string]extRef
	sub    map[string]ResID
	err    *wire.Error
	// reuse takes what the file embeds from memory where it is there, and replace
	// gives that the values of the file again.
	reuse, replace bool
}

// extRef is one [ext_resource]: a resource, or a scene that is read when needed.
type extRef struct {
	path  string
	scene bool
	id    ResID
	// failed says that the file cannot be read, which matters where it is used.
	failed bool
}

// refs reads the [ext_resource] and [sub_resource] sections.
func (r *reader) refs() *wire.Error {
	e := r.e
	r.ext, r.sub = map[string]extRef{}, map[string]ResID{}
	var missing []string
	for _, s := range r.doc.All(tscn.TagExt) {
		target := e.target(r.file, s)
		id := s.AttrText("id")
		e.Store.extIDs.Set(extKey{r.file, target}, id, e.owner)
		x := extRef{path: target, scene: s.AttrText("type") == "PackedScene"}
		if !e.Lib.Exists(target) {
			missing = append(missing, target)
		} else if !x.scene {
			res, err := e.loadResource(target, r.within)
			if err != nil {
				if lost, ok := err.Details["missing"].([]string); ok {
					missing = append(missing, lost...)
				} else if err.Reason == wire.ReasonCorrupt {
					x.failed = true
				} else {
					missing = append(missing, target)
				}
			}
			x.id = res
			e.hint(res, s)
		}
		r.ext[id] = x
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		return wire.Fail(wire.ReasonMissingDep, "path", r.file, "missing", slices.Compact(missing))
	}
	// One at a time: a resource can use those before it alone.
	for _, s := range r.doc.All(tscn.TagSub) {
		id := s.AttrText("id")
		if r.reuse {
			known := e.newest(r.file + "::" + id)
			if known != 0 && (!r.replace || e.Res(known).Class == s.AttrText("type")) {
				r.sub[id] = known
				if r.replace {
					r.fill(known, s)
				}
				continue
			}
		}
		res := e.AddRes(Resource{Class: s.AttrText("type"), Path: r.file + "::" + id})
		known := id
		if strings.Trim(id, idCharacters) != "" {
			known = strings.TrimPrefix(ids.ForFile(res.Path).Sub(""), "_")
		}
		e.Store.sceneIDs.Set(res.ID, known, e.owner)
		r.sub[id] = res.ID
		r.fill(res.ID, s)
	}
	return r.err
}

// idCharacters are those that the id of a resource in a file can have; the engine draws
// another one where it has others.
const idCharacters = "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// hint takes class and uid of a binary file from a reference to it, when the file
// itself does not tell.
func (e Env) hint(id ResID, s *tscn.Section) {
	r := e.Res(id)
	if r == nil || !r.Opaque || r.Class != "Resource" {
		return
	}
	if class := s.AttrText("type"); class != "" && class != r.Class {
		r = e.EditRes(id)
		r.Class = class
		if r.UID == "" {
			r.UID = s.AttrText("uid")
		}
	}
}

// target gives the file that an [ext_resource] means: its uid decides if it is known.
func (e Env) target(from string, s *tscn.Section) string {
	if uid := s.AttrText("uid"); uid != "" {
		if p := e.Lib.PathOf(uid); p != "" && e.Lib.Exists(p) {
			return p
		}
	}
	p := s.AttrText("path")
	if !s.HasAttr("path") {
		p = "<null>" // as the engine reads it
	}
	if p != "" && !strings.Contains(p, "://") {
		p = "res://" + strings.TrimPrefix(path.Join("/", strings.TrimPrefix(path.Dir(from), "res:"), p), "/")
	}
	return p
}

// fill gives a resource the values of its section.
func (r *reader) fill(id ResID, s *tscn.Section) {
	props := s.Properties()
	if len(props) == 0 {
		return
	}
	res := r.e.EditRes(id)
	for _, p := range props {
		v := r.value(p.Value)
		if r.err != nil {
			return
		}
		v = classOf(res.Class).cast(p.Key, v)
		if r.e.dropped(res.object(), p.Key, v) {
			continue
		}
		if image := r.e.Res(ResOf(v)); image != nil && res.Class == "ImageTexture" && p.Key == "image" {
			// A texture makes an image of its own, which has no id until a save.
			v = r.e.AddRes(Resource{Class: image.Class, Props: image.Props}).ID.Value()
			res = r.e.EditRes(id)
		}
		if v, ok := r.e.converted(res.object(), p.Key, v); ok {
			res.Props = r.e.with(res.object(), p.Key, v)
		}
	}
	if res.Class == "ShaderMaterial" {
		res.Props = r.e.keptUniforms(res.object())
	}
}

// value resolves the references of a file into resources.
func (r *reader) value(v variant.Value) variant.Value {
	if !hasObject(v) {
		return v
	}
	v = typesKnown(r.resolved(v))
	if !holdsContent(v) {
		return v
	}
	made, ok := r.e.inline(v)
	if !ok {
		r.corrupt("Can't instantiate Object()")
	}
	return made
}

func (r *reader) resolved(v variant.Value) variant.Value {
	return MapObjects(v, func(o variant.Value) variant.Value {
		ref, ok := o.Resource()
		if !ok {
			return o
		}
		switch ref.Kind {
		case variant.ResourceExt:
			x, ok := r.ext[ref.ID]
			if !ok {
				r.corrupt("no ext_resource with the id " + ref.ID)
				return variant.Nil
			}
			if x.failed {
				r.corrupt(x.path + " cannot be read")
			}
			if x.scene && x.id == 0 {
				x.id, _ = r.e.LoadResource(x.path)
				r.ext[ref.ID] = x
			}
			return x.id.Value()
		case variant.ResourceSub:
			id, ok := r.sub[ref.ID]
			if !ok {
				r.corrupt("no sub_resource with the id " + ref.ID)
			}
			return id.Value()
		}
		return r.named(ref, o)
	})
}

// named gives the resource that is named by its path or uid.
func (r *reader) named(ref variant.ResourceRef, o variant.Value) variant.Value {
	for _, p := range []string{r.e.Lib.PathOf(ref.UID), ref.Path} {
		if p == "" {
			continue
		}
		if id, err := r.e.loadResource(p, r.within); err == nil {
			return id.Value()
		}
	}
	r.corrupt("Can't load resource at path: " + ref.Path)
	return o
}

// wrong notes a fault of the scene itself; the first counts.
func wrong(p *Packed, fault string) {
	if p.fault == "" {
		p.fault = fault
	}
}

func (r *reader) corrupt(message string) {
	if r.err == nil {
		r.err = wire.Fail(wire.ReasonCorrupt, "path", r.file, "message", message, "line", 0)
	}
}

// resource reads a resource file.
func (r *reader) resource() (ResID, *wire.Error) {
	if err := r.refs(); err != nil {
		return 0, err
	}
	class := r.doc.Header().AttrText("type")
	res := r.e.AddRes(Resource{Class: class, Path: r.file, Origin: r.e.Lib.Origin(r.file)})
	r.e.Store.cached.Set(Text(r.file), res.ID, r.e.owner)
	r.fill(res.ID, r.doc.All(tscn.TagResource)[0])
	return res.ID, r.err
}

// scene reads the sections of a scene file.
func (r *reader) scene() (*Packed, *wire.Error) {
	if err := r.refs(); err != nil {
		return nil, err
	}
	p := &Packed{Path: r.file, UID: r.doc.Header().AttrText("uid")}
	p.Nodes = make([]PackedNode, 0, r.doc.Count(tscn.TagNode))
	for _, s := range r.doc.Sections {
		switch s.Tag {
		case tscn.TagNode:
			r.node(p, s)
		case tscn.TagConnection:
			r.connection(p, s)
		case tscn.TagEditable:
			p.Editable = append(p.Editable, s.AttrText("path"))
		}
		if r.err != nil {
			return nil, r.err
		}
	}
	return p, nil
}

func (r *reader) node(p *Packed, s *tscn.Section) {
	name, _ := s.Attr("name").Text() // a number is no name
	n := PackedNode{Name: name, Type: s.AttrText("type"), Index: -1}
	var paths []string
	for _, a := range s.Attrs() {
		switch a.Key {
		case "parent":
			text, _ := a.Value.Text()
			n.Parent = cleanPath(text)
		case "owner":
			n.Owner = s.AttrText("owner")
		case "index":
			n.Index = asInt(a.Value)
		case "unique_id":
			n.UniqueID = int32(asInt(a.Value))
		case "parent_id_path":
			n.ParentIDs, _ = a.Value.Int32s()
		case "node_paths":
			paths, _ = a.Value.Strings()
		case "groups":
			n.Groups = groupNames(a.Value)
		case "instance":
			r.instance(p, &n, a.Value)
		case "instance_placeholder":
			r.placeholder(p, &n, a.Value)
		}
	}
	root := len(p.Nodes) == 0
	switch text, isText := s.Attr("type").Text(); {
	case n.Name == "":
		wrong(p, "a node without a name")
	case root && s.HasAttr("parent"):
		wrong(p, "a root with a parent")
	case root && !s.HasAttr("type") && p.Base == nil:
		wrong(p, "a root without a type")
	case !root && n.Parent == "":
		wrong(p, "a node without a parent")
	case s.HasAttr("type") && (!isText || text == ""):
		wrong(p, "a node without a type")
	}
	n.Props = make([]PackedProp, 0, len(s.Properties()))
	for _, prop := range s.Properties() {
		n.Props = append(n.Props, PackedProp{Name: prop.Key, Value: r.value(prop.Value), NodePath: slices.Contains(paths, prop.Key)})
	}
	p.Nodes = append(p.Nodes, n)
}

// instance resolves instance=ExtResource("..."), which on the root means inheritance.
func (r *reader) instance(p *Packed, n *PackedNode, v variant.Value) {
	ref, ok := v.Resource()
	x, known := r.ext[ref.ID]
	if ok && ref.Kind == variant.ResourceExt && !known {
		r.corrupt("no ext_resource with the id " + ref.ID)
		return
	}
	if !ok || ref.Kind != variant.ResourceExt {
		wrong(p, "an instance of what is no scene")
		return
	}
	if !x.scene && !x.failed && r.e.Res(x.id).Class != "PackedScene" {
		wrong(p, "an instance of what is no scene")
		return
	}
	scene, err := r.e.loadScene(x.path, r.within)
	if err != nil {
		switch {
		case r.err != nil:
		case err.Reason == wire.ReasonCorrupt || err.Reason == wire.ReasonNotAScene:
			r.corrupt(x.path + " cannot be read")
		case err.Reason == wire.ReasonMissingDep:
			r.err = err
		default:
			r.err = wire.Fail(wire.ReasonMissingDep, "path", r.file, "missing", []string{x.path})
		}
		return
	}
	if len(p.Nodes) == 0 {
		p.Base = scene
		return
	}
	n.Scene = scene
}

// placeholder notes the scene that a node is a placeholder of. The editor makes its
// nodes.
func (r *reader) placeholder(p *Packed, n *PackedNode, v variant.Value) {
	if len(p.Nodes) == 0 {
		r.corrupt("Instance Placeholder can't be used for inheritance.")
		return
	}
	n.Placeholder, _ = v.Text()
	if v.Type() == variant.TypeInt {
		n.Placeholder = v.String()
	}
	if strings.HasPrefix(n.Placeholder, "uid://") {
		n.Placeholder = r.e.Lib.PathOf(n.Placeholder)
	}
	scene, err := r.e.loadScene(n.Placeholder, r.within)
	if err != nil && r.e.Lib.Exists(n.Placeholder) {
		wrong(p, "a placeholder of what is no scene")
	}
	n.Scene = scene
}

// groupNames are the texts of a list that name groups.
func groupNames(v variant.Value) []string {
	names, _ := v.Strings()
	if list, ok := v.Array(); ok {
		for _, g := range list.Items() {
			if text, ok := g.Text(); ok && g.Type() != variant.TypeNodePath {
				names = append(names, text)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "" })
}

func (r *reader) connection(p *Packed, s *tscn.Section) {
	c := PackedConn{Flags: ConnectPersist}
	for _, a := range s.Attrs() {
		switch a.Key {
		case "signal":
			c.Signal = s.AttrText("signal")
		case "from":
			c.From = cleanPath(s.AttrText("from"))
		case "to":
			c.To = cleanPath(s.AttrText("to"))
		case "method":
			c.Method = s.AttrText("method")
		case "flags":
			c.Flags = asInt(a.Value)
		case "unbinds":
			c.Unbinds = asInt(a.Value)
		case "binds":
			if list, ok := a.Value.Array(); ok {
				for _, b := range list.Items() {
					c.Binds = append(c.Binds, r.value(b))
				}
			}
		}
	}
	p.Conns = append(p.Conns, c)
}
