package scene

import (
	"errors"
	"path"
	"slices"
	"strings"

	"godot-mcp/server/godot/tscn"
	"godot-mcp/server/godot/variant"
	"godot-mcp/server/wire"
)

// LoadScene reads a scene file with the scenes and resources that it needs. A file
// that has not changed since it was read or saved is the same object again.
func (e Env) LoadScene(file string) (*Packed, *wire.Error) {
	return e.faultless(e.loadScene(file, nil))
}

func (e Env) faultless(p *Packed, err *wire.Error) (*Packed, *wire.Error) {
	if err == nil {
		err = e.fault(p)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// notImported is the failure of using a source before its import is done.
func (e Env) notImported(file string) *wire.Error {
	if e.Lib.MayBeImported(file) {
		return wire.Fail(wire.ReasonImporting, "path", file)
	}
	return wire.Fail(wire.ReasonNotImported, "path", file)
}

// ReadScene reads a scene file anew, as opening it does. What it embeds and is in
// memory already stays the same object, for other open scenes as well, and gets the
// values of the file (engine 4.6: CACHE_MODE_REPLACE).
func (e Env) ReadScene(file string) (*Packed, *wire.Error) {
	c, ok := e.Store.scenes.Get(Text(file))
	if text, exists := e.Lib.Read(file); !ok || !exists || foreignScene(file) {
		return e.LoadScene(file)
	} else if c.text != text {
		e.Store.scenes.Delete(Text(file), e.owner)
	}
	return e.faultless(e.readScene(file, nil, true))
}

func (e Env) loadScene(file string, within []string) (*Packed, *wire.Error) {
	if slices.Contains(within, file) {
		return nil, cyclic(file)
	}
	text, ok := e.Lib.Read(file)
	if !ok || foreignScene(file) {
		if !e.Lib.Exists(file) {
			return nil, wire.Fail(wire.ReasonFileNotFound, "path", file)
		}
		if e.Lib.NeedsImport(file) && e.Lib.ImportedType(file) == "" {
			return nil, e.notImported(file)
		}
		if len(within) == 0 {
			return nil, wire.Fail(wire.ReasonBinary, "path", file)
		}
		name := strings.TrimSuffix(path.Base(file), path.Ext(file))
		return &Packed{Path: file, UID: e.Lib.UID(file), Opaque: true, Nodes: []PackedNode{{Name: name, Type: "Node3D", Index: -1}}}, nil
	}
	if c, ok := e.Store.scenes.Get(Text(file)); ok && c.text == text {
		return e.renewed(c, within)
	}
	return e.readScene(file, within, false)
}

func (e Env) readScene(file string, within []string, replace bool) (*Packed, *wire.Error) {
	text, _ := e.Lib.Read(file)
	doc, err := parseDoc(file, text)
	if err != nil {
		return nil, err
	}
	if !doc.IsScene() {
		return nil, wire.Fail(wire.ReasonNotAScene, "path", file)
	}
	_, known := e.Store.scenes.Get(Text(file))
	r := reader{e: e, file: file, doc: doc, within: append(slices.Clone(within), file), replace: replace, reuse: replace || !known}
	p, err := r.scene()
	if err != nil {
		return nil, err
	}
	if p.fault == "" {
		p.fault = textFault(text, doc)
	}
	e.CacheScene(file, text, e.Lib.Modified(file), p)
	return p, nil
}

// foreignScene names files that hold scenes in a form that is not read here.
func foreignScene(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".glb", ".gltf", ".fbx", ".blend", ".dae", ".obj", ".scn", ".escn":
		return true
	}
	return false
}

// cyclic is the failure of a file that needs itself (engine 4.6: it does not load).
func cyclic(file string) *wire.Error {
	return wire.Fail(wire.ReasonCorrupt, "path", file, "message", "the file needs itself", "line", 0)
}

func parseDoc(file, text string) (*tscn.File, *wire.Error) {
	doc, err := tscn.ParseText(sound(text))
	if err == nil {
		return doc, structure(file, text, doc)
	}
	if errors.Is(err, tscn.ErrUnsupported) {
		return nil, wire.Fail(wire.ReasonBinary, "path", file)
	}
	if se, ok := errors.AsType[*variant.SyntaxError](err); ok {
		return nil, wire.Fail(wire.ReasonCorrupt, "path", file, "message", se.Error(), "line", se.Line)
	}
	return nil, wire.Fail(wire.ReasonCorrupt, "path", file, "message", err.Error(), "line", 0)
}

// LoadResource gives the resource object of a file, reading the file if it is not
// in memory.
func (e Env) LoadResource(file string) (ResID, *wire.Error) { return e.loadResource(file, nil) }

func (e Env) loadResource(file string, within []string) (ResID, *wire.Error) {
	if main, sub, ok := strings.Cut(file, "::"); ok {
		return e.embedded(main, sub)
	}
	if id, ok := e.cached.Get(Text(file)); ok && e.Res(id) != nil {
		return id, nil
	}
	if !e.Lib.Exists(file) {
		return 0, wire.Fail(wire.ReasonFileNotFound, "path", file)
	}
	if slices.Contains(within, file) {
		return 0, cyclic(file)
	}
	if e.Lib.NeedsImport(file) {
		class := e.Lib.ImportedType(file)
		if class == "" {
			return 0, e.notImported(file)
		}
		if class == "Mesh" {
			class = "ArrayMesh" // the import says only what it is used as
		}
		return e.cacheFile(file, class), nil
	}
	if class, ok := plainTypes[strings.ToLower(path.Ext(file))]; ok {
		if err := e.legible(file); err != nil {
			return 0, err
		}
		return e.cacheFile(file, class), nil
	}
	text, ok := e.Lib.Read(file)
	if !ok || strings.HasPrefix(text, "RSRC") || strings.HasPrefix(text, "RSCC") {
		// A binary resource: it can be referred to, not looked into.
		class, uid := binaryHeader(text)
		id := e.cacheFile(file, class)
		if uid != "" {
			e.EditRes(id).UID = uid
		}
		return id, nil
	}
	doc, err := parseDoc(file, text)
	if err != nil {
		return 0, err
	}
	if doc.IsScene() {
		return e.cacheFile(file, "PackedScene"), nil
	}
	if message := textFault(text, doc); message != "" {
		return 0, wire.Fail(wire.ReasonCorrupt, "path", file, "message", message, "line", 0)
	}
	if noResource(doc.Header().AttrText("type")) {
		return 0, wire.Fail(wire.ReasonCorrupt, "path", file, "message", "the type is no resource type", "line", 1)
	}
	r := reader{e: e, file: file, doc: doc, within: append(slices.Clone(within), file)}
	return r.resource()
}

// legible refuses a text scene that cannot be read, or not without loss.
func (e Env) legible(file string) *wire.Error {
	text, ok := e.Lib.Read(file)
	if !ok || path.Ext(file) != ".tscn" {
		return nil
	}
	doc, err := parseDoc(file, text)
	if err != nil {
		return err
	}
	fault := textFault(text, doc)
	for _, s := range doc.All(tscn.TagNode) {
		if parent, _ := s.Attr("parent").Text(); s.HasAttr("parent") && parent == "" {
			fault = "a node without a parent"
		}
	}
	if fault != "" {
		return wire.Fail(wire.ReasonCorrupt, "path", file, "message", fault, "line", 0)
	}
	return nil
}

// plainTypes are files that are resources as they stand and are not looked into.
var plainTypes = map[string]string{
	".gd": "GDScript", ".cs": "CSharpScript", ".tscn": "PackedScene", ".scn": "PackedScene", ".gdshader": "Shader",
	".gdshaderinc": "ShaderInclude", ".json": "JSON", ".translation": "OptimizedTranslation",
}

func (e Env) cacheFile(file, class string) ResID {
	r := e.AddRes(Resource{Class: class, Path: file, Opaque: true, Origin: e.Lib.Origin(file)})
	e.Store.cached.Set(Text(file), r.ID, e.owner)
	return r.ID
}

// embedded finds a resource inside another file: one that is in memory under its
// path, or one that the file holds, though a save of another file took it over.
func (e Env) embedded(file, sub string) (ResID, *wire.Error) {
	if id := e.newest(file + "::" + sub); id != 0 {
		return id, nil
	}
	var tops []variant.Value
	if strings.HasSuffix(file, ".tscn") {
		if p, err := e.loadScene(file, nil); err == nil {
			for i := range p.Nodes {
				for _, prop := range p.Nodes[i].Props {
					tops = append(tops, prop.Value)
				}
			}
		}
	} else if id, err := e.loadResource(file, nil); err == nil {
		tops = append(tops, id.Value())
	}
	if id := e.newest(file + "::" + sub); id != 0 {
		return id, nil
	}
	if id := e.within(tops, sub, map[ResID]bool{}); id != 0 {
		return id, nil
	}
	return 0, wire.Fail(wire.ReasonFileNotFound, "path", file+"::"+sub)
}

// newest gives the resource that took a path last, 0 if there is none.
func (e Env) newest(path string) (found ResID) {
	e.Store.res.Each(func(id ResID, r *Resource) bool {
		if r.Path == path && id > found {
			found = id
		}
		return true
	})
	return found
}

// within looks through values, and what they use, for the resource with an id.
func (e Env) within(values []variant.Value, sub string, seen map[ResID]bool) (found ResID) {
	for _, v := range values {
		EachObject(v, func(o variant.Value) {
			id := ResOf(o)
			r := e.Res(id)
			if found != 0 || r == nil || seen[id] || r.ownFile() && len(seen) > 0 {
				return
			}
			seen[id] = true
			if sid, _ := e.sceneIDs.Get(id); sid == sub {
				found = id
				return
			}
			var inside []variant.Value
			for _, p := range r.Props {
				inside = append(inside, p.Value)
			}
			found = e.within(inside, sub, seen)
		})
	}
	return found
}
